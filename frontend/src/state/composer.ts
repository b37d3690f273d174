// Unsent composer content by chat. It outlives the component, so that nothing is lost between a key press
// and the app storing it.
//
//   composer.draft(chatId)           current content; reactive
//   composer.fill(chatId, text, …)   inserts a message to be edited and sent
//
// Content replaced by a fill or by recalling an older message is set aside and returns afterwards.

import { createStore } from "solid-js/store";
import { actions } from "./actions";
import { raw, useStore } from "./store";
import type { Attachment } from "./types";

/** Delay between the last change and storing the draft. */
const draftMillis = 400;

/** Draft is an unsent message. */
export interface Draft {
  text: string;
  /** All attachments and mentions; a mention counts only while its name is in the text. */
  with: Attachment[];
}

interface Entry extends Draft {
  /** The draft replaced by a recalled or filled-in message. */
  aside?: Draft;
  /** Increases when the text is set by anything but the user's typing. */
  filled: number;
  /** The last content set that way. */
  putIn?: { text: string; count: number };
}

const [entries, setEntries] = createStore<Record<string, Entry>>({});
const timers = new Map<string, ReturnType<typeof setTimeout>>();
/** The content last sent to the app, by chat. */
const kept = new Map<string, string>();

const isEmpty = (draft: Draft | undefined) => !draft || (draft.text === "" && draft.with.length === 0);

/**
 * written returns a path as it appears in a message: relative to the chat's folder, with slashes, and
 * with a trailing slash for a folder.
 */
export function written(attachment: Attachment, folder: string): string {
  const path = (attachment.path ?? attachment.name).replaceAll("\\", "/");
  const root = `${folder.replaceAll("\\", "/").replace(/\/+$/, "")}/`;
  const inside = path.startsWith(root) ? path.slice(root.length) : path;
  return attachment.name.endsWith("/") && !inside.endsWith("/") ? `${inside}/` : inside;
}

const wordBefore = /[\p{Script=Latin}\p{N}_]$/u;
const goesOn = /^(?:[\p{L}\p{N}_/-]|\.[\p{L}\p{N}_])/u;

/** isWord reports whether a text ends with a word character: an "@" after it is no mention. */
export function isWord(before: string): boolean {
  return wordBefore.test(before);
}

/** placesOf returns the ranges of a text that mention a complete path after an "@". */
export function placesOf(text: string, path: string): { from: number; to: number }[] {
  const bare = `@${path.replace(/\/$/, "")}`;
  const places: { from: number; to: number }[] = [];
  for (let from = text.indexOf(bare); from >= 0; from = text.indexOf(bare, from + 1)) {
    let to = from + bare.length;
    // A folder may be written with or without its slash.
    if (path.endsWith("/") && text[to] === "/") to++;
    if (!isWord(text.slice(Math.max(0, from - 2), from)) && !goesOn.test(text.slice(to, to + 3))) {
      places.push({ from, to });
    }
  }
  return places;
}

function stored(chatId: string): Draft {
  const chat = useStore().chats[chatId];
  return { text: chat?.draft ?? "", with: chat?.draftWith ?? [] };
}

function draft(chatId: string): Draft {
  return entries[chatId] ?? stored(chatId);
}

/** attached returns the attachments that apply to the current text. */
function attached(chatId: string): Attachment[] {
  const { text, with: all } = draft(chatId);
  const folder = useStore().chats[chatId]?.folder ?? "";
  return all.filter((one) => one.kind !== "mention" || placesOf(text, written(one, folder)).length > 0);
}

function entry(chatId: string): Entry {
  const known = entries[chatId];
  if (known) return known;
  const chat = raw().chats[chatId];
  const begun = { text: chat?.draft ?? "", with: chat?.draftWith ?? [] };
  kept.set(chatId, JSON.stringify([begun.text, begun.with]));
  setEntries(chatId, { ...begun, filled: 0 });
  return entries[chatId] as Entry;
}

/** keep sends the content of a composer to the app now, if it has changed. */
function keep(chatId: string): void {
  clearTimeout(timers.get(chatId));
  timers.delete(chatId);
  if (!entries[chatId]) return;
  // An unedited recalled message can be recalled again; the draft it replaced can't.
  const aside = isAsPutIn(chatId) ? entries[chatId]?.aside : undefined;
  const now = aside ?? { text: draft(chatId).text, with: attached(chatId) };
  const was = JSON.stringify([now.text, now.with]);
  if (kept.get(chatId) === was) return;
  kept.set(chatId, was);
  actions.saveDraft(chatId, now.text, now.with);
}

/** keepAll does so for all chats with a pending change. */
function keepAll(): void {
  for (const chatId of [...timers.keys()]) keep(chatId);
}

function soon(chatId: string): void {
  clearTimeout(timers.get(chatId));
  timers.set(
    chatId,
    setTimeout(() => keep(chatId), draftMillis),
  );
}

/** write stores the text that the user typed. */
function write(chatId: string, text: string): void {
  entry(chatId);
  setEntries(chatId, "text", text);
  soon(chatId);
}

function attach(chatId: string, attachment: Attachment): void {
  const same = (one: Attachment) =>
    one.kind === attachment.kind && attachment.path !== undefined && one.path === attachment.path;
  setEntries(chatId, "with", [...entry(chatId).with.filter((one) => !same(one)), attachment]);
  soon(chatId);
}

function detach(chatId: string, attachment: Attachment): void {
  const { with: all } = entry(chatId);
  setEntries(
    chatId,
    "with",
    all.filter((one) => one !== attachment),
  );
  soon(chatId);
}

/** show replaces the content of the composer without setting anything aside. */
function show(chatId: string, { text, with: all }: Draft): void {
  const { filled } = entry(chatId);
  setEntries(chatId, { text, with: [...all], filled: filled + 1, putIn: { text, count: all.length } });
  soon(chatId);
}

/** isAsPutIn reports whether the last inserted content is unchanged. */
function isAsPutIn(chatId: string): boolean {
  const now = entries[chatId];
  return now !== undefined && now.text === now.putIn?.text && now.with.length === now.putIn.count;
}

/** fill replaces the content of the composer with a message; the old content returns after it. */
function fill(chatId: string, text: string, attachments: Attachment[] = []): void {
  const before = entry(chatId);
  if (!before.aside && !isEmpty(before)) {
    setEntries(chatId, "aside", { text: before.text, with: [...before.with] });
  } else if (before.aside && !isAsPutIn(chatId) && !isEmpty(before)) {
    // The edited previous message is set aside as well.
    const { text: first, with: all } = before.aside;
    setEntries(chatId, "aside", {
      text: [first, before.text].filter((each) => each !== "").join("\n\n"),
      with: [...all, ...before.with],
    });
  }
  show(chatId, { text, with: attachments });
}

/** giveBack restores the content set aside and reports whether there was any. */
function giveBack(chatId: string): boolean {
  const aside = entries[chatId]?.aside;
  if (!aside) return false;
  setEntries(chatId, "aside", undefined);
  show(chatId, aside);
  return true;
}

/** sent removes an accepted message from the composer; text typed since then stays. */
function sent(chatId: string, message: Draft): void {
  const now = entry(chatId);
  const text = now.text.startsWith(message.text) ? now.text.slice(message.text.length) : now.text;
  setEntries(chatId, { text, with: now.with.filter((one) => !message.with.includes(one)) });
  setEntries(chatId, "with", [...attached(chatId)]);
  if (isEmpty(now)) giveBack(chatId);
  keep(chatId);
}

/** Returns how often the text was set by anything but the user's typing; reactive. */
function filled(chatId: string): number {
  return entries[chatId]?.filled ?? 0;
}

export const composer = {
  draft,
  attached,
  fill,
  filled,
  write,
  attach,
  detach,
  show,
  giveBack,
  isAsPutIn,
  sent,
  keep,
  keepAll,
};
