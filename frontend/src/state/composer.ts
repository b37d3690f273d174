// Unsent composer content by chat. It outlives the component, so that nothing is lost between a key press
// and the app storing it.
//
//   composer.draft(chatId)           current content; reactive
//   composer.fill(chatId, text, …)   inserts a message to be edited and sent
//
// Content that is replaced by `fill` or by recalling an older message is set aside and restored
// afterward.

import { createStore } from "solid-js/store";
import { actions } from "./actions";
import { raw, useStore } from "./store";
import type { Attachment } from "./types";

/** Delay in milliseconds after a change before the draft is stored, together with all changes made in between. */
const draftMillis = 200;

/** Draft is an unsent message. */
export interface Draft {
  text: string;
  /** All attachments and mentions. Mentions whose name is no longer in the text are included but aren't sent. */
  attachments: Attachment[];
}

interface Entry extends Draft {
  /** The draft that a recalled or inserted message has replaced. */
  setAside?: Draft;
  /** Increases when the text is set by anything other than the user's typing. */
  fillCount: number;
  /** The content last set by anything other than typing: its text, and its number of attachments. */
  lastFill?: { text: string; count: number };
}

const [entries, setEntries] = createStore<Record<string, Entry>>({});
const timers = new Map<string, ReturnType<typeof setTimeout>>();
/** The content last sent to the app, by chat. */
const savedDrafts = new Map<string, string>();

const isEmpty = (draft: Draft | undefined) => !draft || (draft.text === "" && draft.attachments.length === 0);

/**
 * mentionPath returns a path as it appears in a message: relative to the chat's folder, with forward
 * slashes, and with a trailing slash for a folder.
 */
export function mentionPath(attachment: Attachment, folder: string): string {
  const path = (attachment.path ?? attachment.name).replaceAll("\\", "/");
  const root = `${folder.replaceAll("\\", "/").replace(/\/+$/, "")}/`;
  const inside = path.startsWith(root) ? path.slice(root.length) : path;
  return attachment.name.endsWith("/") && !inside.endsWith("/") ? `${inside}/` : inside;
}

const wordBefore = /[\p{Script=Latin}\p{N}_]$/u;
const continuesName = /^(?:[\p{L}\p{N}_/-]|\.[\p{L}\p{N}_])/u;

/** endsInName reports whether a text ends with a word character; an "@" after it doesn't start a mention. */
export function endsInName(before: string): boolean {
  return wordBefore.test(before);
}

/** mentionsOf returns the ranges of a text that mention a path: an "@" followed by the complete path. */
export function mentionsOf(text: string, path: string): { from: number; to: number }[] {
  const bare = `@${path.replace(/\/$/, "")}`;
  const places: { from: number; to: number }[] = [];
  for (let from = text.indexOf(bare); from >= 0; from = text.indexOf(bare, from + 1)) {
    let to = from + bare.length;
    // A folder may be written with or without its slash.
    if (path.endsWith("/") && text[to] === "/") to++;
    if (!endsInName(text.slice(Math.max(0, from - 2), from)) && !continuesName.test(text.slice(to, to + 3))) {
      places.push({ from, to });
    }
  }
  return places;
}

function storedDraft(chatId: string): Draft {
  const chat = useStore().chats[chatId];
  return { text: chat?.draft ?? "", attachments: chat?.draftWith ?? [] };
}

function draft(chatId: string): Draft {
  return entries[chatId] ?? storedDraft(chatId);
}

/** sentAttachments returns the attachments that would be sent with the current text. */
function sentAttachments(chatId: string): Attachment[] {
  const { text, attachments: all } = draft(chatId);
  const folder = useStore().chats[chatId]?.folder ?? "";
  return all.filter((one) => one.kind !== "mention" || mentionsOf(text, mentionPath(one, folder)).length > 0);
}

function entry(chatId: string): Entry {
  const known = entries[chatId];
  if (known) return known;
  const chat = raw().chats[chatId];
  const initial: Draft = { text: chat?.draft ?? "", attachments: chat?.draftWith ?? [] };
  savedDrafts.set(chatId, JSON.stringify([initial.text, initial.attachments]));
  setEntries(chatId, { ...initial, fillCount: 0 });
  return entries[chatId] as Entry;
}

/** saveNow sends the content of a composer to the app now, if it has changed. */
function saveNow(chatId: string): void {
  clearTimeout(timers.get(chatId));
  timers.delete(chatId);
  if (!entries[chatId]) return;
  // A recalled message that the user hasn't edited isn't saved, because it can be recalled again. The draft that it
  // replaced would be lost, so that draft is saved instead.
  const aside = isUnchangedFill(chatId) ? entries[chatId]?.setAside : undefined;
  const now = aside ?? { text: draft(chatId).text, attachments: sentAttachments(chatId) };
  const was = JSON.stringify([now.text, now.attachments]);
  if (savedDrafts.get(chatId) === was) return;
  savedDrafts.set(chatId, was);
  actions.saveDraft(chatId, now.text, now.attachments);
}

/** saveAll calls saveNow for all chats with a pending change. */
function saveAll(): void {
  for (const chatId of [...timers.keys()]) saveNow(chatId);
}

/** saveSoon stores the draft after a delay. Further typing doesn't postpone it, so that a crash loses few words. */
function saveSoon(chatId: string): void {
  if (timers.has(chatId)) return;
  timers.set(
    chatId,
    setTimeout(() => saveNow(chatId), draftMillis),
  );
}

/** write stores the text that the user typed. */
function write(chatId: string, text: string): void {
  entry(chatId);
  setEntries(chatId, "text", text);
  saveSoon(chatId);
}

function attach(chatId: string, attachment: Attachment): void {
  const same = (one: Attachment) =>
    one.kind === attachment.kind && attachment.path !== undefined && one.path === attachment.path;
  setEntries(chatId, "attachments", [...entry(chatId).attachments.filter((one) => !same(one)), attachment]);
  saveSoon(chatId);
}

function detach(chatId: string, attachment: Attachment): void {
  const { attachments: all } = entry(chatId);
  setEntries(
    chatId,
    "attachments",
    all.filter((one) => one !== attachment),
  );
  saveSoon(chatId);
}

/** show replaces the content of the composer without setting anything aside. */
function show(chatId: string, { text, attachments: all }: Draft): void {
  const { fillCount } = entry(chatId);
  setEntries(chatId, {
    text,
    attachments: [...all],
    fillCount: fillCount + 1,
    lastFill: { text, count: all.length },
  });
  saveSoon(chatId);
}

/** isUnchangedFill reports whether the content of the composer is unchanged since it was last inserted. */
function isUnchangedFill(chatId: string): boolean {
  const now = entries[chatId];
  return (
    now !== undefined && now.text === now.lastFill?.text && now.attachments.length === now.lastFill.count
  );
}

/** fill replaces the content of the composer with a message. The old content returns once that message is sent. */
function fill(chatId: string, text: string, attachments: Attachment[] = []): void {
  const before = entry(chatId);
  if (!before.setAside && !isEmpty(before)) {
    setEntries(chatId, "setAside", { text: before.text, attachments: [...before.attachments] });
  } else if (before.setAside && !isUnchangedFill(chatId) && !isEmpty(before)) {
    // A previous message that the user has edited is set aside as well.
    const { text: first, attachments: all } = before.setAside;
    setEntries(chatId, "setAside", {
      text: [first, before.text].filter((each) => each !== "").join("\n\n"),
      attachments: [...all, ...before.attachments],
    });
  }
  show(chatId, { text, attachments });
}

/** restoreAside restores the content set aside and reports whether there was any. */
function restoreAside(chatId: string): boolean {
  const aside = entries[chatId]?.setAside;
  if (!aside) return false;
  setEntries(chatId, "setAside", undefined);
  show(chatId, aside);
  return true;
}

/**
 * removeSent removes a message from the composer once the app has accepted it. Text added since the message was sent
 * stays.
 */
function removeSent(chatId: string, message: Draft): void {
  const now = entry(chatId);
  const text = now.text.startsWith(message.text) ? now.text.slice(message.text.length) : now.text;
  setEntries(chatId, {
    text,
    attachments: now.attachments.filter((one) => !message.attachments.includes(one)),
  });
  setEntries(chatId, "attachments", [...sentAttachments(chatId)]);
  if (isEmpty(now)) restoreAside(chatId);
  saveNow(chatId);
}

/**
 * fillCount returns the number of times that the text was set by anything other than the user's typing.
 * It is reactive.
 */
function fillCount(chatId: string): number {
  return entries[chatId]?.fillCount ?? 0;
}

export const composer = {
  draft,
  sentAttachments,
  fill,
  fillCount,
  write,
  attach,
  detach,
  show,
  restoreAside,
  isUnchangedFill,
  removeSent,
  saveNow,
  saveAll,
};
