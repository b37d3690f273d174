// Going back to a message restores the files, the conversation or both to their state before the message.
// Going back in the conversation sets aside that message and all later ones, and the message returns to
// the composer. One action brings the set-aside messages back. If another message is sent instead, the
// set-aside messages become another version of the chat.

import { batch, createEffect, createRoot, createSignal } from "solid-js";
import { messages } from "../i18n";
import { timeOf } from "../lib/format";
import { actions } from "./actions";
import { composer } from "./composer";
import { showMatch } from "./match";
import { notify } from "./notices";
import { go } from "./screen";
import { raw, useStore } from "./store";
import { requestView, setSentItem } from "./transcriptView";
import {
  type Attachment,
  type BackScope,
  type Fork,
  type GoBackPreview,
  type Item,
  SessionMain,
  type UndoChoice,
} from "./types";
import { type AgainOption, announceUndo, closeUndo, setUndoing, showUndoSheet, undoSheet } from "./undo";

const t = messages.goBack;

// ── The user's messages ─────────────────────────────────────────────────────

/** messageOf returns the user's message that started a turn, or undefined if it isn't loaded. */
export function messageOf(turnId: string): Item | undefined {
  let first: Item | undefined;
  for (const item of Object.values(raw().items)) {
    if (item.kind !== "user" || item.turnId !== turnId || item.parentId) continue;
    if (!first || item.pos < first.pos) first = item;
  }
  return first;
}

/** lastMessage returns the user's newest message in a chat whose transcript is loaded. */
export function lastMessage(chatId: string): Item | undefined {
  const { pages, items } = raw();
  const page = pages[chatId];
  const id = page?.order.findLast((each) => items[each]?.kind === "user") ?? page?.lastUserItem;
  return items[id ?? ""];
}

/** The content of a message that returns to the composer. */
interface Returned {
  text: string;
  attachments: Attachment[];
}

/** returnedOf loads the text and attachments of the message that started a turn. It throws if the item isn't loaded. */
async function returnedOf(turnId: string): Promise<Returned> {
  const item = messageOf(turnId);
  if (!item) throw new Error(t.failed.text);
  return { text: await actions.wholeText(item.id), attachments: [...(item.with ?? [])] };
}

/** The text of the message that putBack last put into each composer, by chat ID. */
const returned = new Map<string, string>();

/**
 * takeReturned removes the message that putBack has put into a composer, unless the user edited it, and restores the
 * draft that it replaced.
 */
function takeReturned(chatId: string): void {
  const text = returned.get(chatId);
  returned.delete(chatId);
  if (text === undefined || !composer.isUnchangedFill(chatId) || composer.draft(chatId).text !== text) return;
  if (!composer.restoreAside(chatId)) composer.show(chatId, { text: "", attachments: [] });
}

/** putBack puts a message into the composer. A draft that it replaces returns after the message is sent. */
function putBack(chatId: string, message: Returned): void {
  takeReturned(chatId);
  composer.fill(chatId, message.text, message.attachments);
  returned.set(chatId, message.text);
}

/** An earlier message that is being edited in the composer. */
interface Edit {
  item: Item;
  /** Whether the agent will start from a summary, because it can't copy its session; false until known. */
  recap: boolean;
}

const [editing, setEditing] = createSignal<Readonly<Record<string, Edit>>>({});

/** editedMessage returns the earlier message that is being edited in a chat's composer, if any. */
export function editedMessage(chatId: string): Item | undefined {
  return editing()[chatId]?.item;
}

/** editStartsRecap reports whether the agent will start from a summary once the edited message is sent. */
export function editStartsRecap(chatId: string): boolean {
  return editing()[chatId]?.recap === true;
}

function endEditing(chatId: string): void {
  setEditing(({ [chatId]: _, ...others }) => others);
}

/**
 * editMessage puts an earlier message into the composer. Sending it sets aside that message and all later
 * ones. If the earlier message started no turn, nothing is set aside.
 */
export function editMessage(item: Item, text: string): void {
  batch(() => {
    putBack(item.chatId, { text, attachments: [...(item.with ?? [])] });
    if (item.turnId) setEditing((all) => ({ ...all, [item.chatId]: { item, recap: false } }));
  });
  if (item.turnId) void checkRecap(item, item.turnId);
}

async function checkRecap(item: Item, turnId: string): Promise<void> {
  try {
    const recap = (await load(turnId)).memory === "recap";
    setEditing((all) =>
      all[item.chatId]?.item.id === item.id ? { ...all, [item.chatId]: { item, recap } } : all,
    );
  } catch (thrown) {
    // Going back reports its own failure when the message is sent.
    actions.log("warn", `preview of editing ${turnId}: ${(thrown as Error).message}`);
  }
}

/** cancelEditing restores the composer's earlier content unless the user has changed the message's text. */
export function cancelEditing(chatId: string): void {
  batch(() => {
    endEditing(chatId);
    takeReturned(chatId);
  });
}

/** goBackForEdit sets aside the edited message and all later ones, before its new text is sent. */
export async function goBackForEdit(chatId: string): Promise<void> {
  const item = editedMessage(chatId);
  if (!item?.turnId) return;
  await actions.goBack(item.turnId, { scope: "conversation" });
  // If sending fails now, the message must not be set aside twice.
  endEditing(chatId);
}

// ── The menu ────────────────────────────────────────────────────────────────

/** The open menu of a message. */
interface GoBackMenu {
  itemId: string;
  /** The effect of going back, once it is known. */
  preview?: GoBackPreview;
  /** The reason why the preview couldn't be loaded. */
  failure?: string;
}

const [menu, setMenu] = createSignal<GoBackMenu>();
const [busy, setBusy] = createSignal("");
let lastPreview: { turnId: string; preview: Promise<GoBackPreview> } | undefined;

export {
  /**
   * ID of the turn or of the set-aside messages that a running action concerns, or "" if no action is
   * running.
   */
  busy as goBackBusy,
  /** The open menu, if any. */
  menu as goBackMenu,
};

function load(turnId: string): Promise<GoBackPreview> {
  const mine = { turnId, preview: actions.goBackPreview(turnId) };
  lastPreview = mine;
  return mine.preview;
}

/** openGoBack opens the menu of a message and loads a preview of the effect of going back to it. */
export function openGoBack(item: Item): void {
  if (menu()?.itemId === item.id) return;
  setMenu({ itemId: item.id });
  const show = (news: Partial<GoBackMenu>) =>
    setMenu((now) => (now?.itemId === item.id ? { ...now, ...news } : now));
  load(item.turnId ?? "").then(
    (preview) => show({ preview }),
    (thrown) => show({ failure: thrown.message }),
  );
}

/** showGoBack scrolls to a message and opens its menu. */
export function showGoBack(item: Item): void {
  showMatch({ chatId: item.chatId, itemId: item.id, pos: item.pos, keepFocus: true });
  openGoBack(item);
}

export function closeGoBack(): void {
  setMenu(undefined);
}

function report(id: string, text: string, thrown: unknown): void {
  const detail = (thrown as Error).message;
  actions.log("warn", `${id}: ${detail}`);
  notify({ id, text, detail, failed: true });
}

// ── Going back ──────────────────────────────────────────────────────────────

/**
 * needsDecision reports whether the user must review changed files, edits that the user may have made while a command was
 * running, or effects that can't be undone, before the files are restored.
 */
function needsDecision(preview: GoBackPreview): boolean {
  return (
    preview.changed > 0 || !!preview.meanwhile || preview.notUndone.some((rest) => rest.what) // a row without it is a general remark
  );
}

/**
 * startGoBack goes back to the point before a turn's message. If the files can't go back or the user has to decide
 * about them first, it opens the sheet instead.
 */
export async function startGoBack(turnId: string, scope: BackScope): Promise<void> {
  if (busy() !== "") return;
  setBusy(turnId);
  try {
    const preview =
      scope !== "conversation" &&
      (await (lastPreview?.turnId === turnId ? lastPreview.preview : load(turnId)));
    if (preview && (preview.blocked || preview.filesBlocked || needsDecision(preview))) {
      showUndoSheet({ turnId, redo: false, back: scope, preview: sheetPreview(preview) });
      return;
    }
    // Going back only in the conversation is possible even while another chat uses the folder.
    if (preview && preview.total === 0 && scope === "both") scope = "conversation";
  } catch (thrown) {
    report(`go back ${turnId}`, t.failed.goBack, thrown);
    return;
  } finally {
    setBusy("");
  }
  await runGoBack(turnId, scope, {});
}

/** sheetPreview returns a preview for the sheet. Its `blocked` field falls back to `filesBlocked`. */
const sheetPreview = (preview: GoBackPreview) => ({
  ...preview,
  blocked: preview.blocked || preview.filesBlocked,
});

/** checkGoBackAgain loads the preview of the open sheet again. */
export function checkGoBackAgain(): void {
  const now = undoSheet();
  if (!now?.back) return;
  const { turnId, back, again } = now;
  const fresh = { turnId, redo: false, back, again };
  showUndoSheet(fresh);
  const isStill = () => undoSheet() === fresh;
  load(turnId).then(
    (preview) => isStill() && showUndoSheet({ ...fresh, preview: sheetPreview(preview) }),
    (thrown) => isStill() && showUndoSheet({ ...fresh, failure: thrown.message }),
  );
}

/**
 * runGoBack goes back and puts the message into the composer. If `again` is set, it instead sends the message to the
 * model that `again` selects. If the model can't be set or the message can't be sent, the message stays in the
 * composer. If something fails, runGoBack returns the reason, and otherwise "". A failure that no open sheet can show
 * becomes a notice.
 */
export async function runGoBack(
  turnId: string,
  scope: BackScope,
  choices: Record<string, UndoChoice>,
  again?: AgainOption,
): Promise<string> {
  const item = messageOf(turnId);
  const isSheet = () => undoSheet()?.turnId === turnId && undoSheet()?.back !== undefined;
  setBusy(turnId);
  setUndoing(isSheet());
  try {
    // Once the message is set aside, it's no longer loaded.
    const message = scope === "files" ? undefined : await returnedOf(turnId);
    await actions.goBack(turnId, { scope, choices });
    batch(() => {
      if (isSheet()) closeUndo();
      if (!item) return;
      endEditing(item.chatId);
      if (again) return;
      if (message) putBack(item.chatId, message);
      announceUndo(`${t.wentLabel(timeOf(item.createdAt))}.`);
      requestView({ chatId: item.chatId, session: SessionMain });
    });
    if (again && item && message) await sendAgain(item.chatId, message, again);
    return "";
  } catch (thrown) {
    if (isSheet()) return (thrown as Error).message;
    report(`go back ${turnId}`, again ? t.failed.again : t.failed.goBack, thrown);
    return (thrown as Error).message;
  } finally {
    setUndoing(false);
    setBusy("");
  }
}

/**
 * newChatFrom opens a new chat with the messages before a turn, and puts the turn's message into the new chat's
 * composer.
 */
export async function newChatFrom(turnId: string): Promise<void> {
  if (busy() !== "") return;
  setBusy(turnId);
  try {
    const message = await returnedOf(turnId);
    const chat = await actions.newChatFrom(turnId);
    go({ name: "chat", id: chat.id }, () => composer.fill(chat.id, message.text, message.attachments));
  } catch (thrown) {
    report(`new chat ${turnId}`, t.failed.newChat, thrown);
  } finally {
    setBusy("");
  }
}

// ── Bringing back, and versions ─────────────────────────────────────────────

/**
 * loaded returns a promise that resolves once a newer revision of a chat's transcript has been loaded. If the
 * transcript isn't in memory, the promise resolves immediately.
 */
function loaded(chatId: string): Promise<void> {
  const before = raw().branches[chatId]?.revision;
  return new Promise((resolve) => {
    createRoot((dispose) => {
      const state = useStore();
      createEffect(() => {
        const page = state.pages[chatId];
        if (page && (page.stale || state.branches[chatId]?.revision === before)) return;
        resolve();
        dispose();
      });
    });
  });
}

/**
 * bringBack makes set-aside messages part of the chat again. If `files` is set, it also brings back their changes to
 * files. It returns "" on success, otherwise the reason for the failure, or undefined if it did nothing because another
 * action is running.
 */
export async function bringBack(
  chatId: string,
  asideId: string,
  files: boolean,
): Promise<string | undefined> {
  if (busy() !== "") return undefined;
  setBusy(asideId);
  try {
    await actions.bringBack(chatId, asideId, files);
    batch(() => {
      endEditing(chatId);
      takeReturned(chatId);
      announceUndo(t.broughtBack);
      requestView({ chatId, session: SessionMain });
    });
    return "";
  } catch (thrown) {
    return (thrown as Error).message;
  } finally {
    setBusy("");
  }
}

/** bringBackReported is like bringBack, but shows a failure as a notice and returns whether it succeeded. */
export async function bringBackReported(chatId: string, asideId: string, files: boolean): Promise<boolean> {
  const failure = await bringBack(chatId, asideId, files);
  if (failure) report(`bring back ${asideId}`, t.failed.bringBack, new Error(failure));
  return failure === "";
}

const [focusedFork, setFocusedFork] = createSignal<string>();

export {
  /** ID of the turn above the version switch that is focused once it is rendered, or undefined. */
  focusedFork,
  setFocusedFork,
};

/** switchVersion shows another version of a chat; the files stay as they are. */
export async function switchVersion(chatId: string, fork: Fork, to: number): Promise<void> {
  const version = fork.versions[to];
  if (busy() !== "" || !version?.id) return;
  setBusy(version.id);
  try {
    const isLoaded = loaded(chatId);
    await actions.bringBack(chatId, version.id, false);
    endEditing(chatId);
    takeReturned(chatId);
    await isLoaded;
    announceUndo(t.switched(to + 1, fork.versions.length));
    setFocusedFork(fork.afterTurn);
    const now = raw().branches[chatId]?.forks?.find((each) => each.afterTurn === fork.afterTurn);
    const item = messageOf(now?.turnId ?? "");
    if (item) showMatch({ chatId, itemId: item.id, pos: item.pos, keepFocus: true });
  } catch (thrown) {
    report(`version ${version.id}`, t.failed.version, thrown);
  } finally {
    setBusy("");
  }
}

// ── Trying again with another model ─────────────────────────────────────────

/** sendAgain sets the model option and sends the message. If that fails, the message stays in the composer. */
async function sendAgain(chatId: string, message: Returned, again: AgainOption): Promise<void> {
  try {
    await actions.applyOption(chatId, again.option, again.value);
    setSentItem(await actions.send(chatId, message.text, message.attachments));
  } catch (thrown) {
    putBack(chatId, message);
    throw thrown;
  }
}

/**
 * tryAgainWith sends a turn's message again to another model. It goes back to the point before the message,
 * with the files if possible. If the user has to decide about the files first, it opens the sheet. If the
 * files can't go back, a notice gives the reason.
 */
export async function tryAgainWith(turnId: string, option: string, value: string): Promise<void> {
  if (!messageOf(turnId) || busy() !== "") return;
  const again = { option, value };
  setBusy(turnId);
  let preview: GoBackPreview;
  try {
    preview = await load(turnId);
  } catch (thrown) {
    report(`try again ${turnId}`, t.failed.again, thrown);
    return;
  } finally {
    setBusy("");
  }
  const reason = preview.filesBlocked ?? "";
  if (reason === "" && needsDecision(preview)) {
    showUndoSheet({ turnId, redo: false, back: "both", again, preview: sheetPreview(preview) });
    return;
  }
  const withFiles = reason === "" && preview.total > 0;
  const failure = await runGoBack(turnId, withFiles ? "both" : "conversation", {}, again);
  if (failure === "" && reason !== "") notify({ id: `files ${turnId}`, text: t.filesStay, detail: reason });
}

// ── Set-aside messages ──────────────────────────────────────────────────────

/** The set-aside messages in the open sheet. */
export interface AsideSheet {
  chatId: string;
  asideId: string;
  /** The item to show first, if the sheet was opened for an item, and its position. */
  itemId?: string;
  pos?: number;
}

const [asideSheet, setAsideSheet] = createSignal<AsideSheet>();

export {
  /** The open sheet with set-aside messages, if any. */
  asideSheet,
};

/** showAside opens the sheet with set-aside messages. */
export function showAside(sheet: AsideSheet): void {
  setAsideSheet(sheet);
}

export function closeAside(): void {
  setAsideSheet(undefined);
}
