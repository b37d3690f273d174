// What stands in the composer of each chat and was not sent: it outlives the
// component, so that nothing is lost between a key and the app's knowing of it.
//
//   composer.draft(chatId)           what is in it; reactive
//   composer.fill(chatId, text, …)   puts a message into it, to be changed and sent
//
// What was there before a fill, or before an older message was called back, is
// set aside and returns.

import { createStore } from "solid-js/store";
import { actions } from "./actions";
import { raw, useStore } from "./store";
import type { Attachment } from "./types";

/** How long after the last change a draft is kept. */
const draftMillis = 400;

/** Draft is a message that was not sent. */
export interface Draft {
  text: string;
  /** Whatever was attached or mentioned; a mention counts while its name stands in the text. */
  with: Attachment[];
}

interface Entry extends Draft {
  /** The draft that gave way to a message which was called back or filled in. */
  aside?: Draft;
  /** Grows where the text was put in by somebody else than the user's keys. */
  filled: number;
  /** What was put in last so. */
  putIn?: { text: string; count: number };
}

const [entries, setEntries] = createStore<Record<string, Entry>>({});
const timers = new Map<string, ReturnType<typeof setTimeout>>();
/** What the app was told last, by chat. */
const kept = new Map<string, string>();

const isEmpty = (draft: Draft | undefined) => !draft || (draft.text === "" && draft.with.length === 0);

/** written is a path as a message has it: from the chat's folder on, with slashes; a folder's ends with one. */
export function written(attachment: Attachment, folder: string): string {
  const path = (attachment.path ?? attachment.name).replaceAll("\\", "/");
  const root = `${folder.replaceAll("\\", "/").replace(/\/+$/, "")}/`;
  const inside = path.startsWith(root) ? path.slice(root.length) : path;
  return attachment.name.endsWith("/") && !inside.endsWith("/") ? `${inside}/` : inside;
}

const wordBefore = /[\p{Script=Latin}\p{N}_]$/u;
const goesOn = /^(?:[\p{L}\p{N}_/-]|\.[\p{L}\p{N}_])/u;

/** isWord tells whether a text ends with what a name is made of: an "@" after it is no mention. */
export function isWord(before: string): boolean {
  return wordBefore.test(before);
}

/** placesOf are the places of a text that name a path after an "@", whole. */
export function placesOf(text: string, path: string): { from: number; to: number }[] {
  const bare = `@${path.replace(/\/$/, "")}`;
  const places: { from: number; to: number }[] = [];
  for (let from = text.indexOf(bare); from >= 0; from = text.indexOf(bare, from + 1)) {
    let to = from + bare.length;
    // A folder may be written with its slash or without.
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

/** attached are the attachments that go with the message as it reads now. */
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

/** keep tells the app now what is in a composer, where that has changed. */
function keep(chatId: string): void {
  clearTimeout(timers.get(chatId));
  timers.delete(chatId);
  if (!entries[chatId]) return;
  // What was only called back can be called back again; what it took the place of can not.
  const aside = isAsPutIn(chatId) ? entries[chatId]?.aside : undefined;
  const now = aside ?? { text: draft(chatId).text, with: attached(chatId) };
  const was = JSON.stringify([now.text, now.with]);
  if (kept.get(chatId) === was) return;
  kept.set(chatId, was);
  actions.saveDraft(chatId, now.text, now.with);
}

/** keepAll does so for every chat. */
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

/** write is what the user's keys have made of the text. */
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

/** show puts something else into the composer, without setting anything aside. */
function show(chatId: string, { text, with: all }: Draft): void {
  const { filled } = entry(chatId);
  setEntries(chatId, { text, with: [...all], filled: filled + 1, putIn: { text, count: all.length } });
  soon(chatId);
}

/** isAsPutIn says that nobody has changed what was put in last. */
function isAsPutIn(chatId: string): boolean {
  const now = entries[chatId];
  return now !== undefined && now.text === now.putIn?.text && now.with.length === now.putIn.count;
}

/** fill puts a message into the composer in place of what is there, which returns after it. */
function fill(chatId: string, text: string, attachments: Attachment[] = []): void {
  const before = entry(chatId);
  if (!before.aside && !isEmpty(before)) {
    setEntries(chatId, "aside", { text: before.text, with: [...before.with] });
  } else if (before.aside && !isAsPutIn(chatId) && !isEmpty(before)) {
    // What was made of the message before is set aside as well.
    const { text: first, with: all } = before.aside;
    setEntries(chatId, "aside", {
      text: [first, before.text].filter((each) => each !== "").join("\n\n"),
      with: [...all, ...before.with],
    });
  }
  show(chatId, { text, with: attachments });
}

/** giveBack returns what was set aside; whether there was anything. */
function giveBack(chatId: string): boolean {
  const aside = entries[chatId]?.aside;
  if (!aside) return false;
  setEntries(chatId, "aside", undefined);
  show(chatId, aside);
  return true;
}

/** sent takes a message out of the composer that the app has taken; what was written since then stays. */
function sent(chatId: string, message: Draft): void {
  const now = entry(chatId);
  const text = now.text.startsWith(message.text) ? now.text.slice(message.text.length) : now.text;
  setEntries(chatId, { text, with: now.with.filter((one) => !message.with.includes(one)) });
  setEntries(chatId, "with", [...attached(chatId)]);
  if (isEmpty(now)) giveBack(chatId);
  keep(chatId);
}

/** How often the text was put in by somebody else than the user's keys; reactive. */
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
