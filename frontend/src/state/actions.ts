// The actions that components call. An action calls the app; its result is returned or arrives as events. If an action
// fails, its promise rejects with an AppError, whose message is meant for the user, or the action records the failure
// for the chat (see failureOf), logs it or ignores it.

import { createEffect, createRoot, createSignal } from "solid-js";
import {
  type AppError,
  api,
  type BodyPart,
  call,
  type SearchQuery,
  type SessionQuery,
  toAppError,
} from "../bridge";
import { translateEvent } from "../i18n/translate";
import {
  type BodyStart,
  bodyStart,
  loadBlockItems,
  loadEvicted,
  loadFirst,
  loadMatch,
  loadNewer,
  loadOlder,
  loadText,
  maxPartBytes,
  wholeBody,
  wholeText,
} from "./loading";
import { type Match, showMatch } from "./match";
import { markStopping } from "./stopping";
import { closeQuitQuestion, evictFar, openChat, raw, showEnd, updateReader, useStore } from "./store";
import type {
  AgentSession,
  Blame,
  Changes,
  CLISessionPreview,
  Component,
  DeclaredOptions,
  Doctor,
  FileDiff,
  FolderFacts,
  FoundFiles,
  GoBackPreview,
  GoBackRequest,
  OtherConversations,
  OtherProgram,
  PartResult,
  PutBack,
  RanCommand,
  TrustText,
  UndoChoice,
  UndoComparison,
  UndoPart,
  UndoPreview,
} from "./types";
import {
  type Attachment,
  type Chat,
  type CustomAgent,
  type FieldProblem,
  type Hits,
  type Matches,
  type MatchLocation,
  type Permission,
  type PermissionMode,
  type Process,
  type ProtocolMessage,
  type Provider,
  type QuestionAnswer,
  type Rule,
  type Sandbox,
  SessionMain,
  type SessionStats,
  type SessionText,
  type Settings,
  type Snapshot,
} from "./types";

const [failures, setFailures] = createSignal<Record<string, AppError>>({});

/**
 * failureOf returns the error of a chat's last failed action, or undefined if there is none. A later success clears
 * the error, and so does dismissing it.
 */
export function failureOf(chatId: string): AppError | undefined {
  return failures()[chatId];
}

function setFailureOf(chatId: string, thrown?: unknown): void {
  setFailures((old) => {
    const next = { ...old };
    if (thrown === undefined) delete next[chatId];
    else next[chatId] = toAppError(thrown);
    return next;
  });
}

/**
 * runQuietly runs an action and, if it fails, records the failure for the chat. A success clears the previous
 * failure.
 */
function runQuietly(chatId: string, work: Promise<unknown>): void {
  work.then(
    () => setFailureOf(chatId),
    (thrown) => setFailureOf(chatId, thrown),
  );
}

/** reportLate records a failure for the chat if an answer came too late. */
function reportLate(chatId: string, sent: Promise<unknown>): void {
  sent.catch((thrown) => {
    if (toAppError(thrown).code === "not_found") setFailureOf(chatId, thrown);
  });
}

let requests = 0;

/** pickPath opens the system's file dialog. It returns the selected path, or "" if the user cancels. */
function pickPath(method: "PickFolder" | "PickFile"): Promise<string> {
  const request = `${method}-${Date.now()}-${++requests}`;
  return new Promise((resolve, reject) => {
    createRoot((dispose) => {
      const state = useStore();
      createEffect(() => {
        if (state.dialogResult?.request !== request) return;
        resolve(state.dialogResult.path);
        dispose();
      });
      call(method, request).catch((thrown) => {
        dispose();
        reject(thrown);
      });
    });
  });
}

export { maxPartBytes as pieceBytes };

/**
 * withFailure returns the result of `work`. If `work` fails, it records the failure for the chat and returns
 * undefined.
 */
const withFailure = <T>(chatId: string, work: Promise<T>): Promise<T | undefined> =>
  work.catch((thrown) => {
    setFailureOf(chatId, thrown);
    return undefined;
  });

/**
 * The choice of an orchestrator, of an agent, or of a model of the chat's agent. A model is chosen by setting an
 * option of the agent.
 */
type ResponderChoice = { main: string } | { agent: string } | { option: string; value: string };

async function setResponder(chatId: string, who: ResponderChoice): Promise<void> {
  const chat = raw().chats[chatId];
  if ("main" in who) return call("SetMain", chatId, who.main);
  if (chat?.mainId) await call("SetMain", chatId, "");
  if ("option" in who) return call("SetOption", chatId, SessionMain, who.option, who.value);
  if (chat?.providerId !== who.agent) await call("SetProvider", chatId, who.agent);
}

/** actions holds the actions that components call. */
export const actions = {
  /** Loads a chat's transcript into the store, keeps it up to date and restores its sessions. */
  openChat: (chatId: string): void => {
    openChat(chatId);
    runQuietly(chatId, call("ViewChat", chatId));
  },
  createChat: (folder: string, providerId: string): Promise<Chat> => call("CreateChat", folder, providerId),
  startPractice: (): Promise<Chat> => call("StartPractice"),
  renameChat: (id: string, title: string): Promise<void> => call("RenameChat", id, title),
  deleteChat: (id: string, sessions = false): Promise<void> => call("DeleteChat", id, sessions),
  /** Undoes the deletion of a chat while that is still possible. */
  restoreChat: (id: string): Promise<void> => call("RestoreChat", id),
  /**
   * Creates a chat that continues the chat `id`: its first message is sent together with a summary of
   * that chat.
   */
  continueInNewChat: (id: string): Promise<Chat> => call("ContinueInNewChat", id),
  pinChat: (id: string, pinned: boolean): Promise<void> => call("PinChat", id, pinned),
  archiveChat: (id: string, archived: boolean): Promise<void> => call("ArchiveChat", id, archived),
  /** Prompts for a file and writes the chat to it; the outcome arrives as an event. */
  exportChat: (id: string, format: string): Promise<void> => call("ExportChat", id, format),
  cancelExport: (id: string): Promise<void> => call("CancelExport", id),
  /** Sets whether VoxPilot starts at login. It then starts without opening its window. */
  setStartAtLogin: (on: boolean): Promise<void> => call("SetStartAtLogin", on),
  quickPrompt: (): Promise<void> => call("QuickPrompt"),
  openFolder: (id: string): Promise<void> => call("OpenFolder", id),
  openSessionFolder: (): Promise<void> => call("OpenSessionFolder"),
  extendTurn: (chatId: string, turnId: string): Promise<void> => call("ExtendTurn", chatId, turnId),
  openInEditor: (id: string, path: string, line = 0): Promise<void> => call("OpenInEditor", id, path, line),
  markRead: (id: string): void => runQuietly(id, call("MarkRead", id)),
  saveDraft: (id: string, text: string, attachments: Attachment[] = []): void =>
    runQuietly(id, call("SaveDraft", id, text, attachments)),
  /** Stores a rejected message in the composer of its chat and records the reason. */
  storeRejectedMessage: async (
    id: string,
    text: string,
    attachments: Attachment[],
    why: unknown,
  ): Promise<void> => {
    await call("SaveDraft", id, text, attachments);
    setFailureOf(id, why);
  },
  locateFolder: (id: string, folder: string): Promise<void> => call("LocateFolder", id, folder),

  /** Sends or queues a message and returns the ID of the resulting item or queued message. */
  send: (chatId: string, text: string, attachments: Attachment[] = []): Promise<string> =>
    call("Send", chatId, text, attachments),
  /** Sends text that isn't in a composer; a failure is shown in the chat. */
  sendPrompt: (chatId: string, text: string): Promise<string | undefined> =>
    withFailure(chatId, call("Send", chatId, text, [])),
  stop: (chatId: string): void => {
    const running = Object.values(raw().turns)
      .filter((turn) => turn.chatId === chatId && turn.state === "running")
      .map((turn) => turn.id);
    markStopping(running);
    const stopped = call("Stop", chatId);
    stopped.catch(() => markStopping(running, false));
    runQuietly(chatId, stopped);
  },
  /** Stops the work of one block. */
  stopBlock: (chatId: string, itemId: string): void => runQuietly(chatId, call("StopBlock", itemId)),
  /** Sends a message from the user to a named session. */
  sendTo: (chatId: string, session: string, text: string): Promise<void> =>
    call("SendTo", chatId, session, text),
  renameSession: (chatId: string, name: string, to: string): Promise<void> =>
    call("RenameSession", chatId, name, to),
  closeSession: (chatId: string, name: string): Promise<void> => call("CloseSession", chatId, name),
  restartSession: (chatId: string, name: string): void =>
    runQuietly(chatId, call("RestartSession", chatId, name)),
  editQueued: (id: string, text: string): Promise<void> => call("EditQueued", id, text),
  /** Prevents a queued message from being sent while it is edited. */
  beginEdit: (id: string): void => {
    call("BeginEdit", id).catch((thrown) => actions.log("warn", `queue: ${thrown.message}`));
  },
  /** Releases a queued message after editing, or all of them if `id` is "". */
  endEdit: (id: string): void => {
    call("EndEdit", id).catch((thrown) => actions.log("warn", `queue: ${thrown.message}`));
  },
  /** Moves a queued message before the message `before`, or to the end if `before` is "". */
  moveQueued: (chatId: string, id: string, before: string): Promise<void> => {
    const moved = call("MoveQueued", id, before);
    runQuietly(chatId, moved);
    return moved;
  },
  /** Stops the running turn and sends a queued message next. */
  sendQueuedNow: (chatId: string, id: string): void => runQuietly(chatId, call("SendQueuedNow", id)),
  /** Attaches an image from base64 data; attachFile attaches any file by its path. */
  attachImage: (chatId: string, name: string, data: string): Promise<Attachment> =>
    call("AttachImage", chatId, name, data),
  attachFile: (chatId: string, path: string): Promise<Attachment> => call("AttachFile", chatId, path),
  attachCopied: async (chatId: string, name: string): Promise<Attachment[]> =>
    (await call("AttachCopied", chatId, name)) ?? [],
  /** Discards an image that was removed from the first message of a chat that doesn't exist yet. */
  forgetImage: (contentId: string): void => {
    call("ForgetImage", contentId).catch((thrown) => actions.log("warn", `image: ${thrown.message}`));
  },
  /** Returns the files in a chat's folder that match the typed text. */
  files: (chatId: string, q: string, limit: number): Promise<FoundFiles> => api.files(chatId, q, limit),
  /** Like `files`, but for a folder in which a chat will be created. */
  filesIn: (folder: string, q: string, limit: number): Promise<FoundFiles> => api.filesIn(folder, q, limit),
  removeQueued: (chatId: string, id: string): void => runQuietly(chatId, call("RemoveQueued", id)),
  /** Resumes a queue that is waiting for the user. */
  resumeQueue: (chatId: string): void => runQuietly(chatId, call("ResumeQueue", chatId)),
  answer: (permissionId: string, optionId: string, always: boolean): Promise<void> =>
    call("Answer", permissionId, optionId, always),
  /** Rejects a request; a reason is sent as the user's next message. */
  reject: (permissionId: string, reason: string): Promise<void> => call("Reject", permissionId, reason),
  /**
   * Answers a question. Returns the reasons why the answer isn't valid; if there are none, it was sent. An answer that
   * comes too late is reported for the chat, because the question's card disappears.
   */
  answerQuestion: async (chatId: string, id: string, answer: QuestionAnswer): Promise<FieldProblem[]> => {
    const sent = call("AnswerQuestion", id, answer);
    reportLate(chatId, sent);
    return translateEvent((await sent) ?? []);
  },
  /** Returns the reasons why an answer to a question isn't valid, without sending it. */
  checkAnswer: async (id: string, answer: QuestionAnswer): Promise<FieldProblem[]> =>
    translateEvent((await call("CheckAnswer", id, answer)) ?? []),
  /** Prompts for a file and writes a plan to it; the outcome arrives as an event. */
  savePlan: (id: string, title: string, text: string): Promise<void> => call("SavePlan", id, title, text),
  skipQuestion: (chatId: string, id: string): Promise<void> => {
    const skipped = call("SkipQuestion", id);
    reportLate(chatId, skipped);
    return skipped;
  },
  reconnect: (chatId: string): void => runQuietly(chatId, call("Reconnect", chatId)),
  dismissBanner: (chatId: string, itemId: string): void => runQuietly(chatId, call("DismissBanner", itemId)),
  dismissFailure: (chatId: string): void => setFailureOf(chatId),

  setPermissionMode: (chatId: string, mode: PermissionMode): void =>
    runQuietly(chatId, actions.applyPermissionMode(chatId, mode)),
  applyPermissionMode: (chatId: string, mode: PermissionMode): Promise<void> =>
    call("SetPermissionMode", chatId, mode),
  setSandbox: (chatId: string, sandbox: Sandbox): void =>
    runQuietly(chatId, actions.applySandbox(chatId, sandbox)),
  applySandbox: (chatId: string, sandbox: Sandbox): Promise<void> => call("SetSandbox", chatId, sandbox),
  /** Tests the sandbox again; the result arrives as an event. */
  checkSandbox: (): Promise<void> => call("CheckSandbox"),
  /**
   * Looks up the sites of the package managers unless they are known. The result arrives as an event. If the call fails,
   * their list stays empty.
   */
  findSandboxSites: (): void => {
    call("FindSandboxSites").catch(() => undefined);
  },
  /** Requests permission to run a command again, outside the sandbox. */
  runOutside: (itemId: string): Promise<void> => call("RunOutside", itemId),
  /** Sets the initial mode and options of the agent of a chat without messages. */
  setInitialOptions: (chatId: string, mode: string, options: Record<string, string>): Promise<void> =>
    call("BeginWith", chatId, mode, options),
  setMode: (chatId: string, mode: string): void =>
    runQuietly(chatId, call("SetMode", chatId, SessionMain, mode)),
  setOption: (chatId: string, option: string, value: string): void =>
    runQuietly(chatId, actions.applyOption(chatId, option, value)),
  applyOption: (chatId: string, option: string, value: string): Promise<void> =>
    call("SetOption", chatId, SessionMain, option, value),
  /** Stops the chat's agent; the next message starts it again. */
  stopAgent: (chatId: string): void => runQuietly(chatId, call("StopAgent", chatId)),
  /** Ends one process of a chat by its ID. The promise resolves once the app has responded, even with an error. */
  stopProcess: async (chatId: string, id: string): Promise<void> => {
    const ended = call("StopProcess", chatId, id);
    runQuietly(chatId, ended);
    await ended.catch(() => undefined);
  },
  /** Stops the chat's agent if it is running, then starts it and restores its sessions. */
  restartAgent: (chatId: string): void => {
    const state = raw().connections[chatId]?.state;
    const runs = state === "starting" || state === "restoring" || state === "ready";
    const ended = runs ? call("StopAgent", chatId) : Promise.resolve();
    runQuietly(
      chatId,
      ended.then(() => call("Reconnect", chatId)),
    );
  },
  /** Saves the newest messages between the app and the chat's agent to a file that the user chooses. */
  saveProtocol: (chatId: string): void => runQuietly(chatId, call("SaveProtocol", chatId)),
  /** Selects another model or agent for the chat from its next message on. */
  setProvider: (chatId: string, providerId: string): Promise<void> => call("SetProvider", chatId, providerId),
  /** Makes a provider the chat's orchestrator from its next message on; "" selects Copilot itself. */
  setOrchestrator: (chatId: string, providerId: string): Promise<void> => call("SetMain", chatId, providerId),
  /** Selects an orchestrator, an agent, or another model of the agent for a chat from its next message on. */
  selectResponder: (chatId: string, who: ResponderChoice): void =>
    runQuietly(chatId, setResponder(chatId, who)),
  /** Quits without asking, because the user has already confirmed it. */
  quit: (): Promise<void> => call("Quit"),
  cancelQuit: closeQuitQuestion,

  /** Starts a sign-in with a code, replacing any pending one; progress arrives as events. */
  signIn: (): Promise<void> => call("SignIn"),
  /** Signs in with a pasted token; resolves once GitHub has accepted it. */
  signInWithToken: (token: string): Promise<void> => call("SignInToken", token),
  /** Starts the Copilot CLI's own sign-in. */
  signInByCLI: (): Promise<void> => call("SignInCLI"),
  cancelSignIn: (): Promise<void> => call("CancelSignIn"),
  signOut: (): Promise<void> => call("SignOut"),
  /** Asks a custom agent for its sign-in methods; the result arrives as an event. */
  checkAgentSignIn: (id: string): Promise<void> => call("CheckAgentSignIn", id),
  /** Starts a sign-in method of a custom agent; progress arrives as events. */
  signInAgent: (id: string, methodId: string, values: Record<string, string>): Promise<void> =>
    call("SignInAgent", id, methodId, values),
  cancelAgentSignIn: (id: string): Promise<void> => call("CancelAgentSignIn", id),
  signOutAgent: (id: string): Promise<void> => call("SignOutAgent", id),
  resizeAgentTerminal: (id: string, columns: number, rows: number): Promise<void> =>
    call("ResizeAgentTerminal", id, columns, rows),
  /** Checks the sign-in with GitHub again; the result arrives as an event. */
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
  /** Installs or updates the Copilot CLI with one of CLI.installers; CLI events report the progress. */
  installCLI: (how: string): Promise<void> => call("InstallCLI", how),
  /** Trusts a folder with exactly the contents that a request lists. */
  trustFolder: (requestId: string): Promise<void> => call("TrustFolder", requestId),
  /**
   * Opens the folder of a request without trusting it. Agents then run in the sandbox and don't see the
   * folder's code.
   */
  openWithoutRunning: (requestId: string): Promise<void> => call("OpenWithoutRunning", requestId),
  /** Asks again whether to trust the folder of a chat that was opened without running its code. */
  reviewTrust: (chatId: string): void => runQuietly(chatId, call("ReviewTrust", chatId)),
  /** Revokes the trust in a folder; `key` is TrustedFolder.key. */
  forgetFolder: (key: string): Promise<void> => call("ForgetFolder", key),
  /** Returns the text of a file that a request lists. */
  trustText: (requestId: string, file: string): Promise<TrustText> => api.trust(requestId, file),
  retryStorage: (): Promise<void> => call("RetryStorage"),
  checkUpdate: (): Promise<void> => call("CheckUpdate"),
  downloadUpdate: (): Promise<void> => call("DownloadUpdate"),
  /** Quits and starts the downloaded version. */
  installUpdate: (): Promise<void> => call("InstallUpdate"),

  /** Opens the system's dialog for choosing a folder. The promise resolves to "" if the user cancels. */
  pickFolder: (): Promise<string> => pickPath("PickFolder"),
  pickFile: (): Promise<string> => pickPath("PickFile"),
  openURL: (url: string): Promise<void> => call("OpenURL", url),
  copy: (text: string): Promise<void> => call("Copy", text),
  /** Returns the text on the clipboard, or "" if there is none. */
  clipboardText: (): Promise<string> => call("ClipboardText"),
  copyImage: (contentId: string): Promise<void> => call("CopyImage", contentId),
  /** Prompts for a file and writes an image to it; the outcome arrives as an event. */
  saveImage: (contentId: string, name: string): Promise<void> => call("SaveImage", contentId, name),
  /** Returns the folders that complete a partially typed path. */
  foldersAt: async (typed: string): Promise<string[]> => (await call("FoldersAt", typed)) ?? [],
  log: (level: "debug" | "info" | "warn" | "error", message: string): void => {
    // A failure to log can't be reported.
    call("Log", level, message).catch(() => {});
  },

  /** Loads the rest of an item's text. */
  loadText,
  wholeText,
  /** Loads the page before the current range of a chat. */
  loadOlder: (chatId: string): Promise<void> => withFailure(chatId, loadOlder(chatId)),
  /** Loads the page after the current range if that isn't the end of the chat. */
  loadNewer: (chatId: string): Promise<void> => withFailure(chatId, loadNewer(chatId)),
  /**
   * Shows the beginning of a chat. The promise resolves to false if the beginning can't be loaded, or if the user has
   * left the chat or jumped to another part of it in the meantime.
   */
  loadFirst: async (chatId: string): Promise<boolean> =>
    (await withFailure(chatId, loadFirst(chatId))) === true,
  showEnd,
  evictFar,
  updateReader,
  /** Loads the newest page of a run's or block's calls that were evicted from the store. */
  loadEvicted,
  /** Loads items of a block that precede the loaded ones. */
  loadBlockItems,
  /** Returns the complete text of a body. */
  wholeContent: (id: string): Promise<string> => wholeBody((at, limit) => api.content(id, at, limit)),
  /** Returns the beginning of a text body, at most `most` bytes. */
  bodyStart: (id: string, most: number): Promise<BodyStart> =>
    bodyStart((at, limit) => api.content(id, at, limit), most),
  /** Opens a chat at an item, expands the elements that enclose the item, and focuses it. */
  showMatch: (chatId: string, itemId: string, pos: number, more: Partial<Match> = {}): void =>
    showMatch({ ...more, chatId, itemId, pos }),
  /** Loads the part of a chat that contains an item; resolves to false if the item isn't available. */
  loadMatch: async (place: Match): Promise<boolean> =>
    (await withFailure(place.chatId, loadMatch(place))) === true,
  /** Returns the matches of a text in a chat. */
  find: (chatId: string, text: string): Promise<Matches> => api.find(chatId, text),
  /** Returns the location of the nth match (0-based) of a text in an item, or null if there is none. */
  matchLocation: (itemId: string, text: string, nth: number): Promise<MatchLocation | null> =>
    api.matchLocation(itemId, text, nth),
  /** Returns a range of a body or, if `limit` is 0, only the size of the body. */
  content: (id: string, offset: number, limit: number): Promise<BodyPart> => api.content(id, offset, limit),
  /** Returns the permission requests created before a time, newest first; 0 starts at the newest. */
  audit: async (before: number, limit: number): Promise<Permission[]> =>
    (await api.audit(before, limit)).permissions,
  doctor: (): Promise<Doctor> => api.doctor(),
  /** Reads the agents' environment from the login shell again. */
  refreshEnvironment: (): Promise<void> => call("RefreshEnvironment"),
  /** Returns the options that the provider's agent last declared for a new chat. */
  declaredOptions: (providerId: string): Promise<DeclaredOptions> => api.declared(providerId),
  /** Returns all third-party components shipped with the app. */
  licenses: async (): Promise<Component[]> => (await api.licenses()).components,
  /** Returns a page of results of a search in all chats. */
  search: (query: SearchQuery): Promise<Hits> => api.search(query),
  /** Returns a page of results of a search in the Copilot CLI's sessions, or in one of them. */
  searchSessions: (query: SearchQuery & { session?: string; home?: string }): Promise<Hits> =>
    api.searchSessions(query),
  sessionTexts: (id: string): Promise<SessionText[]> => api.sessionTexts(id),
  /** Returns the page of a chat's items before a position, without loading it into the store. */
  excerpt: (chatId: string, before: number): Promise<Snapshot> => api.items(chatId, before),
  folder: (path: string): Promise<FolderFacts> => api.folder(path),
  cliSessions: (query: SessionQuery) => api.cliSessions(query),
  cliSession: (home: string, id: string): Promise<CLISessionPreview> => api.cliSession(home, id),
  resumeCommand: (chatId: string): Promise<string> => call("ResumeCommand", chatId),
  openCLISession: (home: string, id: string): Promise<Chat> => call("OpenCLISession", home, id),
  forkCLISession: (home: string, id: string): Promise<Chat> => call("ForkCLISession", home, id),
  rescueCLISession: (home: string, id: string): Promise<Chat> => call("RescueCLISession", home, id),
  cancelSessionImport: (chatId: string): Promise<void> => call("CancelSessionImport", chatId),
  takeOverSession: (chatId: string): Promise<void> => call("TakeOverSession", chatId),
  /** Returns the number of turns, the working time and the token counts of each session of a chat. */
  sessionStats: async (chatId: string): Promise<SessionStats[]> => (await api.sessions(chatId)).sessions,
  processes: (): Promise<Process[]> => api.processes(),
  /** Returns the files that a chat has changed; `session` "" means all sessions. */
  changes: (chatId: string, session: string): Promise<Changes> => api.changes(chatId, session),
  fileDiff: (chatId: string, path: string, session: string): Promise<FileDiff> =>
    api.diff(chatId, path, session),
  /** Returns the lines of a file in a chat's folder, with their likely sources. */
  blame: (path: string): Promise<Blame> => api.blame(path),
  /** Returns the current effect of undoing a turn's changes or, if they are undone, of redoing them. */
  undoPreview: (turnId: string): Promise<UndoPreview> => api.undo(turnId),
  /**
   * Compares two versions of a file: as a turn left it, and as it is now. If `back` is set, the second
   * version is the file as the chat's last turn left it.
   */
  undoFile: (turnId: string, path: string, back = false): Promise<UndoComparison> =>
    api.undoFile(turnId, path, back),
  /** Returns the undone parts of file changes in a chat that can be redone, newest first. */
  putBacks: async (chatId: string): Promise<PutBack[]> => (await api.putBacks(chatId)).parts,
  /** Undoes a part of a file's changes, or redoes a part that was undone. */
  putBack: (chatId: string, part: UndoPart): Promise<PartResult> => call("PutBack", chatId, part),
  undoTurn: (turnId: string, choices: Record<string, UndoChoice>): Promise<void> =>
    call("UndoTurn", turnId, choices),
  redoTurn: (turnId: string, choices: Record<string, UndoChoice>): Promise<void> =>
    call("RedoTurn", turnId, choices),
  /** Returns the current effect of going back to the point before a turn's message. */
  goBackPreview: (turnId: string): Promise<GoBackPreview> => api.goBack(turnId),
  goBack: (turnId: string, request: GoBackRequest): Promise<void> => call("GoBack", turnId, request),
  bringBack: (chatId: string, asideId: string, files: boolean): Promise<void> =>
    call("BringBack", chatId, asideId, files),
  newChatFrom: (turnId: string): Promise<Chat> => call("NewChatFrom", turnId),
  /**
   * Returns the page of set-aside messages before a position, or the newest page if `before` is
   * undefined.
   */
  asideItems: (chatId: string, asideId: string, before?: number): Promise<Snapshot> =>
    api.asideItems(chatId, asideId, before),
  /** Returns the latest commands that a chat's agents ran, newest first. */
  commandRuns: async (chatId: string): Promise<RanCommand[]> => (await api.commands(chatId)).commands,
  /** Returns the agent's sessions in the chat's folder; starts the agent if it isn't running. */
  agentSessions: async (chatId: string): Promise<AgentSession[]> =>
    (await api.agentSessions(chatId)).sessions,
  /** Returns up to `limit` protocol messages between app and agent after the message `after`, newest last. */
  protocol: async (chatId: string, after: number, limit: number): Promise<ProtocolMessage[]> =>
    (await api.protocol(chatId, after, limit)).frames,
  /** Returns the conversations of other programs on this computer, newest first. */
  otherConversations: (): Promise<OtherConversations> => api.otherConversations(),
  /** Opens a conversation of another program in a chat; its messages arrive in the background. */
  openOtherConversation: (program: OtherProgram, id: string): Promise<Chat> =>
    call("OpenOtherConversation", program, id),
  continueSession: (chatId: string, acpId: string, name: string): Promise<void> =>
    call("ContinueSession", chatId, acpId, name),
  forkSession: (chatId: string, session: string, name: string): Promise<void> =>
    call("ForkSession", chatId, session, name),
};
