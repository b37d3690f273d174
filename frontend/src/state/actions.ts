// Everything a user can do. A component calls an action; the action calls the
// app; what came of it arrives as events. A promise that is returned rejects
// with an AppError, in words for a person; actions without an answer of their
// own keep their failure in failureOf, for the chat they were about.

import { createEffect, createRoot, createSignal } from "solid-js";
import { type AppError, asAppError, call, type Piece, pull, type SearchQuery } from "../bridge";
import {
  type Beginning,
  beginningOf,
  loadEvicted,
  loadFirst,
  loadInside,
  loadMatch,
  loadNewer,
  loadOlder,
  pieceBytes,
  pullText,
  wholeBody,
  wholeText,
} from "./loading";
import { type Match, showMatch } from "./match";
import { markStopping } from "./stopping";
import { attendTo, keepNear, openChat, quitAnswered, raw, showEnd, useStore } from "./store";
import type {
  AgentSession,
  Changes,
  Component,
  DeclaredOptions,
  Doctor,
  FileDiff,
  FolderFacts,
  FoundFiles,
  RanCommand,
  TrustText,
} from "./types";
import {
  type Attachment,
  type Chat,
  type CustomAgent,
  type Hits,
  type Matches,
  type MatchLocation,
  type Permission,
  type PermissionMode,
  type Process,
  type ProtocolMessage,
  type Provider,
  type Rule,
  SessionMain,
  type SessionStats,
  type Settings,
  type Snapshot,
} from "./types";

const [failures, setFailures] = createSignal<Record<string, AppError>>({});

/** failureOf is the last action in a chat that failed, until it is dismissed. */
export function failureOf(chatId: string): AppError | undefined {
  return failures()[chatId];
}

function note(chatId: string, thrown?: unknown): void {
  setFailures((old) => {
    const next = { ...old };
    if (thrown === undefined) delete next[chatId];
    else next[chatId] = asAppError(thrown);
    return next;
  });
}

/** quietly runs what has no answer and notes its failure. */
function quietly(chatId: string, work: Promise<unknown>): void {
  work.then(
    () => note(chatId),
    (thrown) => note(chatId, thrown),
  );
}

let requests = 0;

/** picked waits for the answer of a file dialog; "" where it was cancelled. */
function picked(method: "PickFolder" | "PickFile"): Promise<string> {
  const request = `${method}-${Date.now()}-${++requests}`;
  return new Promise((resolve, reject) => {
    createRoot((dispose) => {
      const state = useStore();
      createEffect(() => {
        if (state.picked?.request !== request) return;
        resolve(state.picked.path);
        dispose();
      });
      call(method, request).catch((thrown) => {
        dispose();
        reject(thrown);
      });
    });
  });
}

export { pieceBytes };

/** noted keeps the failure of what was brought for a chat. */
const noted = <T>(chatId: string, work: Promise<T>): Promise<T | undefined> =>
  work.catch((thrown) => {
    note(chatId, thrown);
    return undefined;
  });

/** Who is to answer a chat. */
type Answerer = { main: string } | { agent: string } | { option: string; value: string };

async function answerBy(chatId: string, who: Answerer): Promise<void> {
  const chat = raw().chats[chatId];
  if ("main" in who) return call("SetMain", chatId, who.main);
  if (chat?.mainId) await call("SetMain", chatId, "");
  if ("option" in who) return call("SetOption", chatId, SessionMain, who.option, who.value);
  if (chat?.providerId !== who.agent) await call("SetProvider", chatId, who.agent);
}

/** actions are what components may do. */
export const actions = {
  /** Brings a chat's transcript into the store, keeps it up to date, and has its sessions restored. */
  openChat: (chatId: string): void => {
    openChat(chatId);
    quietly(chatId, call("ViewChat", chatId));
  },
  createChat: (folder: string, providerId: string): Promise<Chat> => call("CreateChat", folder, providerId),
  startPractice: (): Promise<Chat> => call("StartPractice"),
  renameChat: (id: string, title: string): Promise<void> => call("RenameChat", id, title),
  deleteChat: (id: string, sessions = false): Promise<void> => call("DeleteChat", id, sessions),
  /** Takes a deletion back, while that is possible. */
  restoreChat: (id: string): Promise<void> => call("RestoreChat", id),
  /** Begins a chat whose first message is sent with a summary of this one. */
  continueInNewChat: (id: string): Promise<Chat> => call("ContinueInNewChat", id),
  pinChat: (id: string, pinned: boolean): Promise<void> => call("PinChat", id, pinned),
  archiveChat: (id: string, archived: boolean): Promise<void> => call("ArchiveChat", id, archived),
  /** Asks the user for a file and writes the chat to it; how it went comes as an event. */
  exportChat: (id: string, format: string): Promise<void> => call("ExportChat", id, format),
  cancelExport: (id: string): Promise<void> => call("CancelExport", id),
  /** Has VoxPilot started, without its window, when the user logs in. */
  setStartAtLogin: (on: boolean): Promise<void> => call("SetStartAtLogin", on),
  quickPrompt: (): Promise<void> => call("QuickPrompt"),
  openFolder: (id: string): Promise<void> => call("OpenFolder", id),
  openSessionFolder: (): Promise<void> => call("OpenSessionFolder"),
  extendTurn: (chatId: string, turnId: string): Promise<void> => call("ExtendTurn", chatId, turnId),
  openInEditor: (id: string, path: string, line = 0): Promise<void> => call("OpenInEditor", id, path, line),
  markRead: (id: string): void => quietly(id, call("MarkRead", id)),
  saveDraft: (id: string, text: string, attachments: Attachment[] = []): void =>
    quietly(id, call("SaveDraft", id, text, attachments)),
  /** Leaves a message that was not taken in the composer of its chat, which says why. */
  leaveMessage: async (id: string, text: string, attachments: Attachment[], why: unknown): Promise<void> => {
    await call("SaveDraft", id, text, attachments);
    note(id, why);
  },
  locateFolder: (id: string, folder: string): Promise<void> => call("LocateFolder", id, folder),

  /** Sends or queues a message; resolves with the id it has or will have. */
  send: (chatId: string, text: string, attachments: Attachment[] = []): Promise<string> =>
    call("Send", chatId, text, attachments),
  /** Sends a text that stands nowhere else; its failure is shown in the chat. */
  sendPrompt: (chatId: string, text: string): Promise<string | undefined> =>
    noted(chatId, call("Send", chatId, text, [])),
  stop: (chatId: string): void => {
    const running = Object.values(raw().turns)
      .filter((turn) => turn.chatId === chatId && turn.state === "running")
      .map((turn) => turn.id);
    markStopping(running);
    const stopped = call("Stop", chatId);
    stopped.catch(() => markStopping(running, false));
    quietly(chatId, stopped);
  },
  /** Stops the work of one block, and no other. */
  stopBlock: (chatId: string, itemId: string): void => quietly(chatId, call("StopBlock", itemId)),
  /** Has a named session do something, by the user's own hand. */
  sendTo: (chatId: string, session: string, text: string): Promise<void> =>
    call("SendTo", chatId, session, text),
  renameSession: (chatId: string, name: string, to: string): Promise<void> =>
    call("RenameSession", chatId, name, to),
  closeSession: (chatId: string, name: string): Promise<void> => call("CloseSession", chatId, name),
  restartSession: (chatId: string, name: string): void =>
    quietly(chatId, call("RestartSession", chatId, name)),
  editQueued: (id: string, text: string): Promise<void> => call("EditQueued", id, text),
  /** Keeps a queued message from being sent while it is edited. */
  beginEdit: (id: string): void => {
    call("BeginEdit", id).catch((thrown) => actions.log("warn", `queue: ${thrown.message}`));
  },
  /** Lets it go on; every one where id is "". */
  endEdit: (id: string): void => {
    call("EndEdit", id).catch((thrown) => actions.log("warn", `queue: ${thrown.message}`));
  },
  /** Puts a queued message before another one, or at the end where before is "". */
  moveQueued: (chatId: string, id: string, before: string): Promise<void> => {
    const moved = call("MoveQueued", id, before);
    quietly(chatId, moved);
    return moved;
  },
  /** Stops what runs, and sends a queued message as the next. */
  sendQueuedNow: (chatId: string, id: string): void => quietly(chatId, call("SendQueuedNow", id)),
  /** Takes an image by its bytes in base64, and anything by its path; both can go with a message then. */
  attachImage: (chatId: string, name: string, data: string): Promise<Attachment> =>
    call("AttachImage", chatId, name, data),
  attachFile: (chatId: string, path: string): Promise<Attachment> => call("AttachFile", chatId, path),
  attachCopied: async (chatId: string, name: string): Promise<Attachment[]> =>
    (await call("AttachCopied", chatId, name)) ?? [],
  /** Lets go of an image that was taken out of the first message of a chat which is not made yet. */
  forgetImage: (contentId: string): void => {
    call("ForgetImage", contentId).catch((thrown) => actions.log("warn", `image: ${thrown.message}`));
  },
  /** Files of a chat's folder that go with what was typed. */
  files: (chatId: string, q: string, limit: number): Promise<FoundFiles> => pull.files(chatId, q, limit),
  /** The same of a folder, in which there is to be a chat. */
  filesIn: (folder: string, q: string, limit: number): Promise<FoundFiles> => pull.filesIn(folder, q, limit),
  removeQueued: (chatId: string, id: string): void => quietly(chatId, call("RemoveQueued", id)),
  /** Lets a queue go on that waits for the user. */
  resumeQueue: (chatId: string): void => quietly(chatId, call("ResumeQueue", chatId)),
  answer: (permissionId: string, optionId: string, always: boolean): Promise<void> =>
    call("Answer", permissionId, optionId, always),
  /** Rejects a request; a reason goes along as the user's next message. */
  reject: (permissionId: string, reason: string): Promise<void> => call("Reject", permissionId, reason),
  reconnect: (chatId: string): void => quietly(chatId, call("Reconnect", chatId)),
  dismissBanner: (chatId: string, itemId: string): void => quietly(chatId, call("DismissBanner", itemId)),
  dismissFailure: (chatId: string): void => note(chatId),

  setPermissionMode: (chatId: string, mode: PermissionMode): void =>
    quietly(chatId, actions.allowIn(chatId, mode)),
  allowIn: (chatId: string, mode: PermissionMode): Promise<void> => call("SetPermissionMode", chatId, mode),
  /** How the agent of a chat is to begin that has had no message yet. */
  beginWith: (chatId: string, mode: string, options: Record<string, string>): Promise<void> =>
    call("BeginWith", chatId, mode, options),
  setMode: (chatId: string, mode: string): void =>
    quietly(chatId, call("SetMode", chatId, SessionMain, mode)),
  setOption: (chatId: string, option: string, value: string): void =>
    quietly(chatId, call("SetOption", chatId, SessionMain, option, value)),
  /** Ends the chat's agent; it comes back with the next message. */
  stopAgent: (chatId: string): void => quietly(chatId, call("StopAgent", chatId)),
  /** Ends one process of a chat, by its id; returns when that is answered. */
  stopProcess: async (chatId: string, id: string): Promise<void> => {
    const ended = call("StopProcess", chatId, id);
    quietly(chatId, ended);
    await ended.catch(() => undefined);
  },
  /** Ends the chat's agent, where it runs, and starts it again with its sessions. */
  restartAgent: (chatId: string): void => {
    const state = raw().connections[chatId]?.state;
    const runs = state === "starting" || state === "restoring" || state === "ready";
    const ended = runs ? call("StopAgent", chatId) : Promise.resolve();
    quietly(
      chatId,
      ended.then(() => call("Reconnect", chatId)),
    );
  },
  /** Saves all that the app and the chat's agent said to one another, where the user chooses. */
  saveProtocol: (chatId: string): void => quietly(chatId, call("SaveProtocol", chatId)),
  /** Has somebody else answer the chat from its next message on. */
  setProvider: (chatId: string, providerId: string): Promise<void> => call("SetProvider", chatId, providerId),
  /** Has a main AI answer the chat from its next message on; "" has Copilot itself. */
  setMain: (chatId: string, providerId: string): Promise<void> => call("SetMain", chatId, providerId),
  /** Has somebody answer a chat from its next message on: a main AI, an agent, or the agent with another model. */
  answerBy: (chatId: string, who: Answerer): void => quietly(chatId, answerBy(chatId, who)),
  /** Answers the question whether to quit while chats run. */
  quit: (): Promise<void> => call("Quit"),
  keepRunning: quitAnswered,

  /** Begins a sign-in by code in place of any that is under way; what comes of it are events. */
  signIn: (): Promise<void> => call("SignIn"),
  /** Signs in with a token that was pasted; resolves once GitHub has taken it. */
  signInWithToken: (token: string): Promise<void> => call("SignInToken", token),
  /** Has the Copilot CLI sign in by itself. */
  signInByCLI: (): Promise<void> => call("SignInCLI"),
  cancelSignIn: (): Promise<void> => call("CancelSignIn"),
  signOut: (): Promise<void> => call("SignOut"),
  /** Looks at every sign-in there is and asks GitHub again; the answer comes as an event. */
  checkAccount: (): Promise<void> => call("CheckAccount"),

  saveRule: (rule: Rule): Promise<Rule> => call("SaveRule", rule),
  removeAllRules: (): Promise<void> => call("RemoveAllRules"),
  saveProfile: (profile: CustomAgent, env: Record<string, string>): Promise<CustomAgent> =>
    call("SaveProfile", profile, env),
  deleteProfile: (id: string): Promise<void> => call("DeleteProfile", id),
  removeRule: (id: string): Promise<void> => call("RemoveRule", id),
  saveProvider: (provider: Provider, key: string): Promise<Provider> => call("SaveProvider", provider, key),
  deleteProvider: (id: string): Promise<void> => call("DeleteProvider", id),
  checkProvider: (id: string): Promise<void> => call("CheckProvider", id),
  saveSettings: (settings: Settings): Promise<void> => call("SaveSettings", settings),
  checkCLI: (): Promise<void> => call("CheckCLI"),
  /** Installs or updates the Copilot CLI by one of CLI.installers; CLI events tell how it goes. */
  installCLI: (how: string): Promise<void> => call("InstallCLI", how),
  /** Trusts a folder for what a request shows of it. */
  trustFolder: (requestId: string): Promise<void> => call("TrustFolder", requestId),
  /** Has VoxPilot ask again before an agent starts in a folder; the key is TrustedFolder.key. */
  forgetFolder: (key: string): Promise<void> => call("ForgetFolder", key),
  /** The text of a file that a request lists. */
  trustText: (requestId: string, file: string): Promise<TrustText> => pull.trust(requestId, file),
  retryStorage: (): Promise<void> => call("RetryStorage"),
  checkUpdate: (): Promise<void> => call("CheckUpdate"),
  downloadUpdate: (): Promise<void> => call("DownloadUpdate"),
  /** Quits, and starts the version that was downloaded. */
  installUpdate: (): Promise<void> => call("InstallUpdate"),

  /** Opens the system's dialog; resolves with "" where the user cancels. */
  pickFolder: (): Promise<string> => picked("PickFolder"),
  pickFile: (): Promise<string> => picked("PickFile"),
  openURL: (url: string): Promise<void> => call("OpenURL", url),
  copy: (text: string): Promise<void> => call("Copy", text),
  /** The text on the clipboard, "" where it has none. */
  clipboardText: (): Promise<string> => call("ClipboardText"),
  copyImage: (contentId: string): Promise<void> => call("CopyImage", contentId),
  /** Asks the user for a file and writes an image to it; how it went comes as an event. */
  saveImage: (contentId: string, name: string): Promise<void> => call("SaveImage", contentId, name),
  /** The folders that complete a path as far as it is typed. */
  foldersAt: async (typed: string): Promise<string[]> => (await call("FoldersAt", typed)) ?? [],
  log: (level: "debug" | "info" | "warn" | "error", message: string): void => {
    // A log line that cannot be written has no better place to say so.
    call("Log", level, message).catch(() => {});
  },

  /** Brings the rest of an item's text. */
  pullText,
  wholeText,
  /** Brings the page before what is read of a chat. */
  loadOlder: (chatId: string): Promise<void> => noted(chatId, loadOlder(chatId)),
  /** Brings the page after it, where it is apart from the end. */
  loadNewer: (chatId: string): Promise<void> => noted(chatId, loadNewer(chatId)),
  /** Shows the beginning of a chat; false where it is not, or no more what is wished. */
  loadFirst: async (chatId: string): Promise<boolean> => (await noted(chatId, loadFirst(chatId))) === true,
  showEnd,
  keepNear,
  attendTo,
  /** Brings calls of a piece of work that were let go of. */
  loadEvicted: loadEvicted,
  /** Brings the items of a block that are older than those known. */
  loadInside,
  /** A body of text from its beginning to its end. */
  wholeContent: (id: string): Promise<string> => wholeBody((at, limit) => pull.content(id, at, limit)),
  /** The beginning of a body of text, at most so many bytes of it. */
  beginning: (id: string, most: number): Promise<Beginning> =>
    beginningOf((at, limit) => pull.content(id, at, limit), most),
  /** Opens a chat at an item of it: what is folded around it opens, and it has the focus. */
  showMatch: (chatId: string, itemId: string, pos: number, more: Partial<Match> = {}): void =>
    showMatch({ ...more, chatId, itemId, pos }),
  /** Brings an item of a chat into what is read of it; false where it is not to be had. */
  loadMatch: async (place: Match): Promise<boolean> => (await noted(place.chatId, loadMatch(place))) === true,
  /** Where a text stands in a chat. */
  find: (chatId: string, text: string): Promise<Matches> => pull.find(chatId, text),
  /** Where in an item a text stands for the nth time, counted from 0; null where it does not. */
  spot: (itemId: string, text: string, nth: number): Promise<MatchLocation | null> =>
    pull.spot(itemId, text, nth),
  /** A range of a body; limit 0 gives its size only. */
  content: (id: string, offset: number, limit: number): Promise<Piece> => pull.content(id, offset, limit),
  /** Every request before a time, the newest first; 0 is from the newest on. */
  audit: async (before: number, limit: number): Promise<Permission[]> =>
    (await pull.audit(before, limit)).permissions,
  doctor: (): Promise<Doctor> => pull.doctor(),
  /** Asks the login shell again for the environment of agents. */
  refreshEnvironment: (): Promise<void> => call("RefreshEnvironment"),
  /** What can be chosen for a new chat, as the agent of a provider declared it last. */
  declared: (providerId: string): Promise<DeclaredOptions> => pull.declared(providerId),
  /** Everything of others that is shipped with the app. */
  licences: async (): Promise<Component[]> => (await pull.licences()).components,
  /** A page of what a search in all chats finds. */
  search: (query: SearchQuery): Promise<Hits> => pull.search(query),
  /** A page of a chat, up to a position, without bringing it into the store. */
  excerpt: (chatId: string, before: number): Promise<Snapshot> => pull.items(chatId, before),
  folder: (path: string): Promise<FolderFacts> => pull.folder(path),
  /** How often each session of a chat was used, and how long it worked. */
  sessionWork: async (chatId: string): Promise<SessionStats[]> => (await pull.sessions(chatId)).sessions,
  processes: (): Promise<Process[]> => pull.processes(),
  /** The files that a chat has changed; session "" is all of it. */
  changes: (chatId: string, session: string): Promise<Changes> => pull.changes(chatId, session),
  fileDiff: (chatId: string, path: string, session: string): Promise<FileDiff> =>
    pull.diff(chatId, path, session),
  /** The newest commands of a chat, the newest first. */
  ranCommands: async (chatId: string): Promise<RanCommand[]> => (await pull.commands(chatId)).commands,
  /** What the chat's agent has in its folder; asking starts the agent where it does not run. */
  agentSessions: async (chatId: string): Promise<AgentSession[]> =>
    (await pull.agentSessions(chatId)).sessions,
  /** What the app and the agent said to one another after a message, the newest at the end. */
  protocol: async (chatId: string, after: number, limit: number): Promise<ProtocolMessage[]> =>
    (await pull.protocol(chatId, after, limit)).frames,
  continueSession: (chatId: string, acpId: string, name: string): Promise<void> =>
    call("ContinueSession", chatId, acpId, name),
  forkSession: (chatId: string, session: string, name: string): Promise<void> =>
    call("ForkSession", chatId, session, name),
};
