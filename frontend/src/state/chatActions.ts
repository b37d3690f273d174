// Chat actions shared by the list, the header and the palette.

import { createSignal } from "solid-js";
import { messages } from "../i18n";
import { actions } from "./actions";
import { openInEditor } from "./editor";
import { notify } from "./notices";
import { go } from "./screen";
import { raw } from "./store";
import { type Chat, ProviderPractice, UndoMillis } from "./types";

/** Export formats of a chat. */
export const formats = ["markdown", "html", "json", "copilot"] as const;
export type Format = (typeof formats)[number];

const [chatToDelete, setChatToDelete] = createSignal<Chat>();

/** chatToDelete is the chat whose deletion the user is asked to confirm. */
export { chatToDelete };

/** askDelete asks the user to confirm the deletion of a chat. If `chat` is undefined, it closes the dialog instead. */
export function askDelete(chat: Chat | undefined): void {
  setChatToDelete(chat);
}

const [chatToRestart, setChatToRestart] = createSignal<Chat>();

/** chatToRestart is the chat for which the user is asked to confirm restarting the agent during a turn. */
export { chatToRestart };

/** closeRestart closes the dialog about restarting a chat's agent. */
export function closeRestart(): void {
  setChatToRestart(undefined);
}

/**
 * reconnect restarts a chat's agent if it is running, and starts it otherwise. If the agent is running a turn, the user
 * is asked first.
 */
export function reconnect(chat: Chat): void {
  if (chat.turnState === "running") setChatToRestart(chat);
  else actions.restartAgent(chat.id);
}

/** reportFailure shows a notice if an action fails. */
function reportFailure(id: string, what: string, work: Promise<unknown>): void {
  work.catch((thrown) => {
    actions.log("error", `${id}: ${thrown.message}`);
    notify({ id, text: what, detail: thrown.message, failed: true });
  });
}

/** canContinue reports whether a chat has content that a new chat can continue from. */
export function canContinue(chat: Chat): boolean {
  return (chat.turnState ?? "") !== "";
}

/** canResume reports whether the Copilot CLI may have stored a session of a chat that a terminal can continue. */
export function canResume(chat: Chat): boolean {
  const { providerId } = chat;
  const agent = raw().profiles[providerId];
  return canContinue(chat) && providerId !== ProviderPractice && !chat.mainId && (!agent || !!agent.home);
}

/** chatActions runs the chat actions and reports failures. */
export const chatActions = {
  rename: (chat: Chat, title: string): void =>
    reportFailure(`rename ${chat.id}`, messages.shell.failed.rename, actions.renameChat(chat.id, title)),
  pin: (chat: Chat): void =>
    reportFailure(`pin ${chat.id}`, messages.shell.failed.pin, actions.pinChat(chat.id, !chat.pinned)),
  archive: (chat: Chat): void =>
    reportFailure(
      `archive ${chat.id}`,
      messages.shell.failed.archive,
      actions.archiveChat(chat.id, !chat.archived),
    ),
  restore: (chat: Chat): void =>
    reportFailure(`restore ${chat.id}`, messages.shell.failed.restore, actions.restoreChat(chat.id)),
  exportAs: (chat: Chat, format: Format): void =>
    reportFailure(`export ${chat.id}`, messages.shell.failed.export, actions.exportChat(chat.id, format)),
  cancelExport: (chatId: string): void =>
    reportFailure(`export ${chatId}`, messages.shell.failed.cancelExport, actions.cancelExport(chatId)),
  copyFolder: (chat: Chat): void =>
    reportFailure(`copy ${chat.id}`, messages.shell.failed.copy, actions.copy(chat.folder)),
  copyResume: (chat: Chat): void =>
    reportFailure(
      `resume ${chat.id}`,
      messages.shell.failed.copyResume,
      actions
        .resumeCommand(chat.id)
        .then(actions.copy)
        .then(() =>
          notify({ id: `resume ${chat.id}`, text: messages.shell.resumeCopied, isTransient: true }),
        ),
    ),
  openFolder: (chat: Chat): void =>
    reportFailure(`folder ${chat.id}`, messages.shell.failed.openFolder, actions.openFolder(chat.id)),
  openFile: (chat: Chat, path: string): void =>
    openInEditor(chat.id, path, 0, (detail) => {
      if (detail)
        notify({ id: `file ${chat.id}`, text: messages.shell.failed.openFile, detail, failed: true });
    }),
  /** Creates a chat that continues this one, and opens it. */
  continueInNewChat: (chat: Chat): void =>
    reportFailure(
      `continue ${chat.id}`,
      messages.shell.failed.continueInNewChat,
      actions.continueInNewChat(chat.id).then((next) => go({ name: "chat", id: next.id })),
    ),
  locate: (chat: Chat): void =>
    reportFailure(
      `locate ${chat.id}`,
      messages.shell.failed.locate,
      actions.pickFolder().then((path) => (path === "" ? undefined : actions.locateFolder(chat.id, path))),
    ),
};

/** undoEnd returns the time in milliseconds until which a chat's deletion can be undone, or 0 if it isn't deleted. */
export function undoEnd(chat: Chat): number {
  return chat.deletedAt ? chat.deletedAt + UndoMillis : 0;
}

/**
 * deleted returns the chats whose deletion can still be undone, most recently deleted last. Once a chat's undo period
 * is over (undoEnd), it isn't included, even if removing it failed and it still exists.
 */
export function deleted(chats: readonly Chat[]): Chat[] {
  const now = Date.now();
  return chats.filter((chat) => undoEnd(chat) > now).sort((a, b) => (a.deletedAt ?? 0) - (b.deletedAt ?? 0));
}

/** undoDelete undoes the latest deletion. It returns false if there is none to undo. */
export function undoDelete(): boolean {
  const chat = deleted(Object.values(raw().chats)).at(-1);
  if (chat) chatActions.restore(chat);
  return chat !== undefined;
}
