// The log of protocol messages, with a description of each message.

import { messages } from "../../i18n";
import type { ProtocolMessage } from "../../state/types";

const t = messages.inspector.protocol;

/** A message with its description. */
export interface LogRow {
  message: ProtocolMessage;
  text: string;
}

/** Maximum number of messages that are kept. The app has the same limit. */
export const maxMessages = 5000;

const updateKind = /"sessionUpdate"\s*:\s*"([a-z_]+)"/;
const errorCode = /"error"\s*:\s*\{[^{}]*?"code"\s*:\s*(-?\d+)/;

/** Log holds messages in order and matches responses to their requests. */
export class Log {
  private all: LogRow[] = [];
  /** Methods of requests without a response yet, by sender and request ID. */
  private pending = new Map<string, string>();

  get last(): number {
    return this.all.at(-1)?.message.seq ?? 0;
  }

  /**
   * add appends newer messages and returns all rows, in a new array if any were added. The oldest rows beyond the
   * limit are dropped.
   */
  add(added: ProtocolMessage[]): LogRow[] {
    const news = added
      .filter((message) => message.seq > this.last)
      .map((message) => ({ message, text: this.name(message) }));
    if (news.length > 0) this.all = [...this.all, ...news].slice(-maxMessages);
    return this.all;
  }

  private name(message: ProtocolMessage): string {
    if (message.method) {
      if (message.id) this.pending.set(`${message.out === true} ${message.id}`, message.method);
      const kind = message.method === "session/update" ? updateKind.exec(message.body)?.[1] : undefined;
      return kind ? `${message.method} ${kind}` : message.method;
    }
    const key = `${message.out !== true} ${message.id}`;
    const method = this.pending.get(key);
    this.pending.delete(key);
    if (message.error) return t.error(method ?? t.answer, errorCode.exec(message.body)?.[1] ?? "");
    return method ? t.result(method) : t.answer;
  }
}

/** filterRows returns the rows that contain the text `filter`, ignoring case. */
export function filterRows(rows: LogRow[], filter: string): LogRow[] {
  const wanted = filter.trim().toLowerCase();
  if (wanted === "") return rows;
  return rows.filter(
    ({ message, text }) => text.toLowerCase().includes(wanted) || message.body.toLowerCase().includes(wanted),
  );
}

/** A run of a message's text in a single style. */
export interface BodyRun {
  text: string;
  class: string;
}

const piece = /("(?:[^"\\]|\\.)*")(\s*:)?/g;

/** prettyBody returns a message as highlighted lines. JSON is indented unless the message is truncated. */
export function prettyBody(body: string): BodyRun[][] {
  let text = body;
  try {
    text = JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // A truncated message stays on one line.
  }
  return text.split("\n").map((line) => {
    const runs: BodyRun[] = [];
    let at = 0;
    for (const match of line.matchAll(piece)) {
      if (match.index > at) runs.push({ text: line.slice(at, match.index), class: "" });
      const string = match[1] ?? "";
      runs.push({ text: string, class: match[2] ? "a-blue" : "a-green" });
      at = match.index + string.length;
    }
    if (at < line.length) runs.push({ text: line.slice(at), class: "" });
    return runs;
  });
}
