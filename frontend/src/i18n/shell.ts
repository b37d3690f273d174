// Strings for the frame (sidebar, header, connection, dialogs) and strings shared by all screens.

import { type Cause, type CLI, type ConnectionState, TestedCLIVersion } from "../state/types";

export const common = {
  /** Placeholders for an empty field: an example, and the default. */
  example: (value: string) => `for example ${value}`,
  byDefault: (value: string) => `Default: ${value}`,
  /** Joins sentences and omits empty ones. */
  sentences: (...parts: string[]) => parts.filter((part) => part !== "").join(" "),
  /** Adds a sentence to a text without a full stop. `note` may be "". */
  noted: (what: string, note: string) => (note === "" ? what : `${what}. ${note}`),
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
  /** Label of a deleted provider that a chat still refers to. */
  removedProvider: "Removed model",
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
  needs_login: "Sign-in needed",
  needs_trust: "Trust needed",
  failed: "Stopped",
};

const causes = (who: string): Record<Cause, string> => ({
  "": "",
  cli_missing: "Copilot CLI wasn't found.",
  cli_too_old: "Copilot CLI is too old.",
  folder_gone: "This chat's folder no longer exists.",
  untrusted: `${who} wasn't started because files in this folder can run code and you haven't trusted the folder.`,
  not_signed_in: `${who} needs you to sign in.`,
  no_access: `${who} didn't accept this sign-in.`,
  locked: "The system keychain is locked.",
  offline: "You're offline.",
  exited: `${who} stopped unexpectedly.`,
  exited_start: `${who} exited right after it started.`,
  no_answer: `${who} didn't respond in time.`,
  line_too_long: `${who} sent a message that's too large to read.`,
  spawn: `The system couldn't start ${who}.`,
  stuck: `${who} stopped accepting input.`,
  provider: "The model or agent for this chat is no longer set up.",
  no_sandbox: `${who} wasn't started because it can't run in the sandbox.`,
  unreachable: "Can't reach the agent at its address.",
  idle: `${who} was idle, so VoxPilot stopped it. ${who} restarts with your next message.`,
  stopped: `You stopped ${who}. It restarts with your next message.`,
});

export const shell = {
  switcher: {
    title: "Recent chats",
    at: (title: string, at: number, of: number) => `${title}, ${at} of ${of}`,
  },
  quit: {
    title: (n: number) =>
      n === 1 ? "1 chat is still running. Quit anyway?" : `${n} chats are still running. Quit anyway?`,
    body: "Running agents will stop. You can continue their sessions the next time you open VoxPilot.",
    confirm: "Quit",
    keep: "Keep running",
  },
  sidebar: "Chats",
  newChat: "New chat",
  newChatIn: (folder: string) => `New chat in ${folder}`,
  chatsIn: (n: number) => (n === 1 ? "1 chat" : `${n} chats`),
  hideSidebar: "Hide sidebar",
  showSidebar: "Show sidebar",
  resizeSidebar: "Sidebar width",
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
        return "Copilot CLI won't start";
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
  waitsForTrust: "Trust this folder to continue",
  wantsTo: (what: string) => `Wants to ${what}`,
  interrupted: "Interrupted",
  jump: (n: number) => (n === 1 ? "1 other chat needs you" : `${n} other chats need you`),
  search: "Search",
  rename: "Rename",
  renameLabel: "Chat title",
  pin: "Pin",
  unpin: "Unpin",
  archive: "Archive",
  unarchive: "Unarchive",
  archived: "Archived",
  delete: "Delete…",
  chooseEditor: "Choose an editor",
  copyFolder: "Copy folder path",
  copyResume: "Copy resume command",
  resumeCopied: "Resume command copied. Paste it in a terminal to continue there.",
  openFolder: "Open folder",
  locateFolder: "Locate folder…",
  continueInNewChat: "New chat with summary",
  exportAs: {
    markdown: "Export as Markdown…",
    html: "Export as HTML…",
    json: "Export as JSON…",
    copilot: "Export for Copilot CLI…",
  },
  exported: "Chat exported.",
  exporting: "Exporting…",
  cancelExport: "Cancel",
  failed: {
    navigation: "Couldn't complete that action.",
    rename: "Couldn't rename the chat.",
    pin: "Couldn't pin or unpin the chat.",
    archive: "Couldn't archive or unarchive the chat.",
    restore: "Couldn't undo the deletion.",
    continueInNewChat: "Couldn't create the new chat.",
    export: "Couldn't export the chat.",
    cancelExport: "Couldn't cancel the export.",
    copy: "Couldn't copy the path.",
    copyResume: "Couldn't copy the resume command.",
    openFolder: "Couldn't open the folder.",
    openFile: "Couldn't open the file.",
    locate: "Couldn't change the folder.",
  },
  notifications: "Notifications",
  dismiss: "Dismiss",
  copyPath: "Copy path",
  filter: {
    open: "Filter chats",
    field: "Filter chats by title or folder",
    clear: "Clear filter",
    none: (query: string) => `No chats match “${query}”.`,
    searchAll: "Search all chats",
    found: (n: number) => (n === 1 ? "1 chat" : `${n} chats`),
  },
  saveProtocol: "Save protocol log…",
  actions: "Chat actions",
  deleteTitle: "Delete this chat?",
  deleteBody: (who: string) =>
    `Its messages are removed from this computer. Files that ${who} changed stay as they are.`,
  deleteConfirm: "Delete",
  sessionsInUse: "These files are kept while another program has the session open.",
  deleteSessions: (who: string) => `Also delete ${who}'s session files`,
  deleted: (title: string) => `“${title}” deleted.`,
  notDeleted: (title: string) => `“${title}” isn't completely deleted yet.`,
  deletedBody: "Its messages will be permanently deleted in a few seconds.",
  undo: "Undo",
  practiceTag: "Practice",
  connection: {
    label: (state: string) => `Connection: ${state}`,
    title: "Connection",
    state: (state: ConnectionState) => stateNames[state],
    cause: (cause: Cause, who: string) => causes(who)[cause],
    answeredBy: "Answered by",
    program: "Program",
    version: "Version",
    process: "Process",
    offline: "Offline",
    account: "Account",
    signIn: "Sign-in",
    lastCheck: "Last check",
    checkedFact: (ago: string, result: string) => `${ago}, ${result}`,
    notChecked: "Not checked by VoxPilot",
    exitedWith: "Exit status",
    exitCode: (code: number) => `exit code ${code}`,
    signal: (signal: string) => `signal ${signal}`,
    stderr: "Last output",
    nextTry: "Next try",
    nextTryFact: (seconds: string, attempt: number, max: number) =>
      `in ${seconds}, attempt ${attempt} of ${max}`,
    agent: "Agent",
    reconnect: "Reconnect",
    stop: (who: string) => `Stop ${who}`,
    idleNote: (who: string) => `${who} starts with your next message.`,
    practiceNote: "Answers come from a built-in script, not an AI.",
  },
  storage: {
    opening: {
      title: "Opening your chats…",
      body: "Checking the database. This can take a moment if you have many chats.",
    },
    in_use: {
      title: "VoxPilot is already open.",
      body: "Another copy of VoxPilot is using the database. Quit it, then try again.",
    },
    read_only: {
      title: "Can't write to the database.",
      body: "You can read your chats, but nothing new will be saved. Give VoxPilot write access to its data folder, then try again.",
    },
    newer: {
      title: "This database was created by a newer version of VoxPilot.",
      body: "Nothing was changed. Quit VoxPilot and open the newer version.",
    },
    salvaged: {
      title: "The database was damaged.",
      body: "VoxPilot kept a copy of the damaged database and recovered everything it could read.",
    },
    failing: {
      title: "New messages haven't been saved yet.",
      body: "They're in memory, and VoxPilot keeps trying to save them. If the disk is full, free up some space.",
    },
    unusable: {
      title: "Couldn't open the database.",
      body: "Your files weren't changed. Try again, or copy the details to report the problem.",
    },
    tryAgain: "Try again",
  },
  loadFailed: "Couldn't load your chats.",
  crash: {
    title: "This window stopped working.",
    body: "Your chats are safe: they're stored outside this window. Reload to continue.",
    reload: "Reload",
  },
} as const;
