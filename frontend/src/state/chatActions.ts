// What the user can do to a chat from the list, its header and the palette, in
// one place, so that all three do the same.

import { createSignal } from "solid-js";
import { words } from "../i18n";
import { actions } from "./actions";
import { openInEditor } from "./editor";
import { notify } from "./notices";
import { go } from "./screen";
import { raw } from "./store";
import type { Chat } from "./types";

/** How a chat can be written to a file. */
export const formats = ["markdown", "html", "json"] as const;
export type Format = (typeof formats)[number];

const [asked, setAsked] = createSignal<Chat>();

/** askedToDelete is the chat that the user is asked about. */
export { asked as askedToDelete };

/** askDelete asks whether a chat is to be deleted; with undefined the question is over. */
export function askDelete(chat: Chat | undefined): void {
  setAsked(chat);
}

/** told shows why something was not done. */
function told(id: string, what: string, work: Promise<unknown>): void {
  work.catch((thrown) => {
    actions.log("error", `${id}: ${thrown.message}`);
    notify({ id, text: what, detail: thrown.message, failed: true });
  });
}

/** canContinue tells whether there is something in a chat that a new one can go on from. */
export function canContinue(chat: Chat): boolean {
  return (chat.turnState ?? "") !== "";
}

/** chatActions does it, and says so where it fails. */
export const chatActions = {
  rename: (chat: Chat, title: string): void =>
    told(`rename ${chat.id}`, words.shell.failed.rename, actions.renameChat(chat.id, title)),
  pin: (chat: Chat): void =>
    told(`pin ${chat.id}`, words.shell.failed.pin, actions.pinChat(chat.id, !chat.pinned)),
  archive: (chat: Chat): void =>
    told(`archive ${chat.id}`, words.shell.failed.archive, actions.archiveChat(chat.id, !chat.archived)),
  restore: (chat: Chat): void =>
    told(`restore ${chat.id}`, words.shell.failed.restore, actions.restoreChat(chat.id)),
  exportAs: (chat: Chat, format: Format): void =>
    told(`export ${chat.id}`, words.shell.failed.export, actions.exportChat(chat.id, format)),
  cancelExport: (chatId: string): void =>
    told(`export ${chatId}`, words.shell.failed.cancelExport, actions.cancelExport(chatId)),
  copyFolder: (chat: Chat): void =>
    told(`copy ${chat.id}`, words.shell.failed.copy, actions.copy(chat.folder)),
  openFolder: (chat: Chat): void =>
    told(`folder ${chat.id}`, words.shell.failed.openFolder, actions.openFolder(chat.id)),
  openFile: (chat: Chat, path: string): void =>
    openInEditor(chat.id, path, 0, (detail) => {
      if (detail) notify({ id: `file ${chat.id}`, text: words.shell.failed.openFile, detail, failed: true });
    }),
  /** Begins a chat that goes on from this one, and opens it. */
  goOn: (chat: Chat): void =>
    told(
      `continue ${chat.id}`,
      words.shell.failed.goOn,
      actions.continueInNewChat(chat.id).then((next) => go({ name: "chat", id: next.id })),
    ),
  locate: (chat: Chat): void =>
    told(
      `locate ${chat.id}`,
      words.shell.failed.locate,
      actions.pickFolder().then((path) => (path === "" ? undefined : actions.locateFolder(chat.id, path))),
    ),
};

/** deleted are the chats whose deletion can still be undone, the newest last. */
export function deleted(chats: readonly Chat[]): Chat[] {
  return chats.filter((chat) => chat.deletedAt).sort((a, b) => (a.deletedAt ?? 0) - (b.deletedAt ?? 0));
}

/** undoDelete takes the newest deletion back; false where there is none. */
export function undoDelete(): boolean {
  const chat = deleted(Object.values(raw().chats)).at(-1);
  if (chat) chatActions.restore(chat);
  return chat !== undefined;
}
