// The rows of the list of the Copilot CLI's sessions. All functions are pure.

import { locale, messages } from "../i18n";
import { visibleText } from "../lib/format";
import type { CLISession, OtherConversation, OtherProgram } from "./types";

const t = messages.sessions;

/** A session of the Copilot CLI, or a conversation of another program. */
export interface ListedSession extends CLISession {
  /** The other program; undefined for the Copilot CLI. */
  program?: OtherProgram;
}

/** listedOf converts a conversation of another program to the form in which the list shows it. */
export function listedOf(other: OtherConversation): ListedSession {
  const { program, id, title, folder, folderGone, createdAt, updatedAt, size, chatId } = other;
  return {
    id,
    home: program,
    program,
    title,
    folder,
    folderGone,
    createdAt,
    updatedAt,
    size: size ?? 0,
    chatId,
    messages: -1,
  };
}

/** A row of the list: the caption of a day or month, or a session. */
export type SessionRow =
  | { kind: "day"; key: string; label: string }
  | { kind: "session"; key: string; session: ListedSession };

/** keyOf returns the unique key of a session: two homes can have sessions with the same ID. */
export function keyOf({ id, home }: Pick<CLISession, "id" | "home">): string {
  return home ? `${id}@${home}` : id;
}

/** titleOf returns a session's title for display. */
export function titleOf(session: CLISession): string {
  return visibleText(session.title ?? "", "prose").trim() || t.untitled;
}

const month = new Intl.DateTimeFormat(locale, { month: "long" });
const monthAndYear = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric" });

/** captionOf returns the caption above the sessions that were last used on the same day, or in the same month, as `at`. */
export function captionOf(at: number, now: number): string {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (at >= midnight) return t.days.today;
  if (at >= new Date(midnight).setDate(new Date(midnight).getDate() - 1)) return t.days.yesterday;
  const [then, today] = [new Date(at), new Date(now)];
  if (then.getFullYear() !== today.getFullYear()) return monthAndYear.format(at);
  return then.getMonth() === today.getMonth() ? t.days.month : month.format(at);
}

/** sessionRows returns the rows for sessions that are sorted by time, newest first. */
export function sessionRows(sessions: readonly ListedSession[], now: number): SessionRow[] {
  const rows: SessionRow[] = [];
  let last: string | undefined;
  for (const session of sessions) {
    const label = captionOf(session.updatedAt, now);
    // A caption's key includes that of its first session, because the same caption can occur twice if a clock was wrong.
    if (label !== last) rows.push({ kind: "day", key: `${label}\n${keyOf(session)}`, label });
    last = label;
    rows.push({ kind: "session", key: keyOf(session), session });
  }
  return rows;
}

export type SessionMark = keyof typeof t.marks;

/** marksOf returns the marks that a session has in the list. */
export function marksOf(session: CLISession): SessionMark[] {
  const marks: SessionMark[] = [];
  if (session.holder) marks.push(session.holder.terminal ? "terminal" : "program");
  if (session.damage) marks.push("damaged");
  if (session.folderGone) marks.push("gone");
  if (session.chatId) marks.push("known");
  return marks;
}

/**
 * The effect of opening a session, if any: it shows the session's chat, rescues a copy, or reads the session into a
 * chat.
 */
export type SessionOpening = "chat" | "rescue" | "none" | "continue";

/** openingOf returns the effect of opening a session; "none" means that no message of the session can be read. */
export function openingOf(session: CLISession): SessionOpening {
  if (session.chatId) return "chat";
  if (session.damage === "empty" || (session.damage && session.messages === 0)) return "none";
  return session.damage ? "rescue" : "continue";
}
