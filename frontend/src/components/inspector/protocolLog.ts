// Descriptions of protocol messages. Plain functions.

import { words } from "../../i18n";
import type { ProtocolMessage } from "../../state/types";

const w = words.inspector.protocol;

/** A message with its description. */
export interface LogRow {
  frame: ProtocolMessage;
  text: string;
}

/** Maximum number of messages, as in the app. */
export const mostFrames = 5000;

const update = /"sessionUpdate"\s*:\s*"([a-z_]+)"/;
const code = /"error"\s*:\s*\{[^{}]*?"code"\s*:\s*(-?\d+)/;

/** Log holds messages in order and matches responses to their requests. */
export class Log {
  private all: LogRow[] = [];
  /** Methods of unanswered requests, by sender and ID. */
  private asked = new Map<string, string>();

  get last(): number {
    return this.all.at(-1)?.frame.seq ?? 0;
  }

  /** add appends newer messages and returns a new array of rows, without the oldest beyond the limit. */
  add(frames: ProtocolMessage[]): LogRow[] {
    const news = frames
      .filter((frame) => frame.seq > this.last)
      .map((frame) => ({ frame, text: this.name(frame) }));
    if (news.length > 0) this.all = [...this.all, ...news].slice(-mostFrames);
    return this.all;
  }

  private name(frame: ProtocolMessage): string {
    if (frame.method) {
      if (frame.id) this.asked.set(`${frame.out === true} ${frame.id}`, frame.method);
      const kind = frame.method === "session/update" ? update.exec(frame.body)?.[1] : undefined;
      return kind ? `${frame.method} ${kind}` : frame.method;
    }
    const key = `${frame.out !== true} ${frame.id}`;
    const method = this.asked.get(key);
    this.asked.delete(key);
    if (frame.error) return w.error(method ?? w.answer, code.exec(frame.body)?.[1] ?? "");
    return method ? w.result(method) : w.answer;
  }
}

/** matching returns the rows that contain a text, ignoring case. */
export function matching(rows: LogRow[], filter: string): LogRow[] {
  const wanted = filter.trim().toLowerCase();
  if (wanted === "") return rows;
  return rows.filter(
    ({ frame, text }) => text.toLowerCase().includes(wanted) || frame.body.toLowerCase().includes(wanted),
  );
}

/** A run of a message with one style. */
export interface BodyRun {
  text: string;
  class: string;
}

const piece = /("(?:[^"\\]|\\.)*")(\s*:)?/g;

/**
 * prettyBody returns a message as formatted lines; a truncated or non-JSON message is returned unchanged.
 */
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
