// Words of the frame: sidebar, header, connection, dialogs, and what all
// screens share.

import { type Cause, type CLI, type ConnectionState, TestedCLIVersion } from "../state/types";

export const common = {
  /** What a field shows while it is empty: a value that could stand there, and the one that holds. */
  example: (value: string) => `for example ${value}`,
  byDefault: (value: string) => `Default: ${value}`,
  save: "Save",
  app: "VoxPilot",
  cancel: "Cancel",
  copied: "Copied",
  copyDetails: "Copy details",
  checkAgain: "Check again",
  chooseFile: "Choose file…",
  chooseFolder: "Choose folder…",
  copyCommand: "Copy command",
  copilot: "GitHub Copilot",
  practice: "Practice",
  /** A provider that was deleted while a chat still names it. */
  goneProvider: "A model that was removed",
  installCommand: `npm install -g @github/copilot@${TestedCLIVersion}`,
  updateCommand: "copilot update",
  loginCommand: "copilot login",
} as const;

const stateNames: Record<ConnectionState, string> = {
  idle: "Not running",
  checking: "Starting…",
  starting: "Starting…",
  restoring: "Restoring…",
  ready: "Connected",
  waiting: "Reconnecting…",
  needs_login: "Sign in needed",
  needs_trust: "Trust needed",
  failed: "Stopped",
};

const causes = (who: string): Record<Cause, string> => ({
  "": "",
  cli_missing: "Copilot CLI was not found.",
  cli_too_old: "Copilot CLI is too old.",
  folder_gone: "The folder of this chat is gone.",
  untrusted: `${who} was not started: this folder can run code, and you have not trusted it.`,
  not_signed_in: `${who} wants you to sign in.`,
  no_access: `${who} did not accept this sign-in.`,
  locked: "The system keychain is locked.",
  offline: "You are offline.",
  exited: `${who} stopped unexpectedly.`,
  exited_start: `${who} stopped as soon as it was started.`,
  no_answer: `${who} did not answer in time.`,
  line_too_long: `${who} sent more than can be read in one piece.`,
  spawn: `The system refused to start ${who}.`,
  stuck: `${who} stopped reading what it is sent.`,
  provider: "What answers this chat is not set up any more.",
  unreachable: "Nothing answers at the agent's address.",
  idle: "It had nothing to do and was stopped. It comes back with your next message.",
  stopped: "You stopped it. It comes back with your next message.",
});

export const shell = {
  switcher: {
    title: "Recent chats",
    at: (title: string, at: number, of: number) => `${title}, ${at} of ${of}`,
  },
  quit: {
    title: (n: number) =>
      n === 1 ? "1 chat is still running. Quit anyway?" : `${n} chats are still running. Quit anyway?`,
    body: "Copilot stops; you can pick the sessions up next time.",
    confirm: "Quit",
    keep: "Keep running",
  },
  sidebar: "Chats",
  newChat: "New chat",
  newChatIn: (folder: string) => `New chat in ${folder}`,
  chatsIn: (n: number) => (n === 1 ? "1 chat" : `${n} chats`),
  hideSidebar: "Hide sidebar",
  showSidebar: "Show sidebar",
  resizeSidebar: "Width of the sidebar",
  settings: "Settings",
  noChats: "Choose a folder and ask for a change.",
  cliFoot: (cli: CLI) => {
    switch (cli.state) {
      case "found":
        return `Copilot CLI ${cli.version ?? ""}`.trim();
      case "missing":
        return "Copilot CLI not found";
      case "too_old":
        return "Copilot CLI too old";
      case "broken":
        return "Copilot CLI does not start";
      default:
        return "Looking for Copilot CLI…";
    }
  },
  states: {
    attn: "needs you",
    failed: "failed",
    running: "running",
    unread: "new reply",
    idle: "",
  },
  chatLabel: (title: string, state: string, practice: boolean, pinned: boolean) =>
    [title, practice ? "practice" : "", pinned ? "pinned" : "", state].filter((s) => s !== "").join(", "),
  untitled: "New chat",
  signInToContinue: "Sign in to continue",
  waitsForTrust: "Waits for your trust",
  wantsTo: (what: string) => `Wants to ${what}`,
  interrupted: "Interrupted",
  jump: (n: number) => (n === 1 ? "1 other chat needs you" : `${n} other chats need you`),
  search: "Search",
  rename: "Rename",
  renameLabel: "Title of the chat",
  pin: "Pin",
  unpin: "Unpin",
  archive: "Archive",
  unarchive: "Take out of the archive",
  archived: "Archived",
  delete: "Delete…",
  chooseEditor: "Choose an editor",
  copyFolder: "Copy folder path",
  openFolder: "Open folder",
  locateFolder: "Locate folder…",
  goOn: "New chat with summary",
  exportAs: { markdown: "Export as Markdown…", html: "Export as HTML…", json: "Export as JSON…" },
  exported: "The chat was exported.",
  exporting: "Exporting…",
  cancelExport: "Cancel",
  failed: {
    asked: "That could not be done.",
    rename: "The chat could not be renamed.",
    pin: "The chat could not be pinned or unpinned.",
    archive: "The chat could not be archived or taken out of the archive.",
    restore: "The deletion could not be undone.",
    goOn: "The new chat could not be created.",
    export: "The chat could not be exported.",
    cancelExport: "The export could not be cancelled.",
    copy: "The path could not be copied.",
    openFolder: "The folder could not be opened.",
    openFile: "The file could not be opened.",
    locate: "The folder could not be changed.",
  },
  notices: "Notices",
  dismiss: "Dismiss",
  copyPath: "Copy path",
  filter: {
    open: "Filter chats",
    field: "Filter chats by title or folder",
    clear: "Clear filter",
    none: (query: string) => `No chat is called “${query}”.`,
    searchAll: "Search all chats",
    found: (n: number) => (n === 1 ? "1 chat" : `${n} chats`),
  },
  saveProtocol: "Save protocol log…",
  actions: "Chat actions",
  deleteTitle: "Delete this chat?",
  deleteBody: (who: string) =>
    `Its messages are removed from this computer. Files that ${who} changed stay as they are.`,
  deleteConfirm: "Delete",
  deleteSessions: (who: string) => `Also delete ${who}’s own session files`,
  deleted: (title: string) => `“${title}” is deleted.`,
  deletedBody: "Its messages go for good in a few seconds.",
  undo: "Undo",
  practiceTag: "Practice",
  connection: {
    label: (state: string) => `Connection: ${state}`,
    title: "Connection",
    state: (state: ConnectionState) => stateNames[state],
    cause: (cause: Cause, who: string) => causes(who)[cause],
    answers: "Answers",
    program: "Program",
    version: "Version",
    process: "Process",
    offline: "Offline",
    account: "Account",
    signIn: "Sign-in",
    lastCheck: "Last check",
    checkedFact: (ago: string, result: string) => `${ago}, ${result}`,
    notChecked: "Not checked by VoxPilot",
    ended: "Ended with",
    exitCode: (code: number) => `exit code ${code}`,
    signal: (signal: string) => `signal ${signal}`,
    stderr: "Last lines it wrote",
    nextTry: "Next try",
    nextTryFact: (seconds: string, attempt: number, max: number) =>
      `in ${seconds}, attempt ${attempt} of ${max}`,
    agent: "Agent",
    reconnect: "Reconnect",
    stop: (who: string) => `Stop ${who}`,
    idleNote: (who: string) => `${who} starts with your next message.`,
    practiceNote: "Answers come from a script inside VoxPilot, not from an AI.",
  },
  storage: {
    opening: {
      title: "Opening your chats…",
      body: "The database is being checked. With many chats this can take a moment.",
    },
    in_use: {
      title: "VoxPilot is already open.",
      body: "Another VoxPilot holds the database. Close it, then try again.",
    },
    read_only: {
      title: "The database cannot be written.",
      body: "Your history can be read, but nothing new is kept. Give VoxPilot the right to write there, then try again.",
    },
    newer: {
      title: "The database was made by a newer VoxPilot.",
      body: "It is left as it is. Start the newer VoxPilot, or choose another data folder.",
    },
    salvaged: {
      title: "The database was damaged.",
      body: "A copy was put aside and what could be read was kept.",
    },
    failing: {
      title: "New messages could not be saved yet.",
      body: "They are kept in memory and VoxPilot tries again by itself. Free some disk space.",
    },
    unusable: {
      title: "The database could not be opened.",
      body: "Your files are left as they are. Try again, or copy the details to report it.",
    },
    tryAgain: "Try again",
  },
  loadFailed: "Your chats could not be loaded.",
  crash: {
    title: "This window has stopped working.",
    body: "Your chats are safe: they are kept outside of the window. Reload it to go on.",
    reload: "Reload",
  },
} as const;
