// Strings for the sessions of the Copilot CLI on this computer: their list, reading one into a chat, and a session that
// another program has open.

const number = new Intl.NumberFormat("en");
const plural = (n: number, one: string, many: string) => `${number.format(n)} ${n === 1 ? one : many}`;

export const sessions = {
  title: "Copilot sessions",
  field: "Search Copilot sessions",
  placeholder: "Search sessions on this computer",
  clear: "Clear search",
  list: "Sessions",
  preview: "Preview",
  count: "Result count",
  found: (n: number, known: number) =>
    `${plural(n, "session", "sessions")}${known > 0 ? `, ${number.format(known)} already in VoxPilot` : ""}`,
  /** Shown while the messages in the sessions are being counted. */
  counting: (found: string) => `Counting messages… ${found}`,
  loading: "Looking for sessions…",
  empty: "No sessions on this computer yet",
  emptyBody: "Sessions that you start in a terminal with copilot appear here.",
  none: (query: string) =>
    query === ""
      ? "No session matches these filters."
      : `No session matches “${query}”. Try fewer words or different filters.`,
  clearFilters: "Clear filters",
  failed: "Couldn't load the sessions.",
  partly: "Some sessions may be missing.",
  tryAgain: "Try again",
  folder: "Folder",
  allFolders: "All folders",
  agent: "Agent",
  allAgents: "All agents",
  otherPrograms: "Other programs",
  noPreview:
    "Open the conversation to read it. When you send your first message, Copilot receives the conversation's messages and tool results.",
  cli: "Copilot CLI",
  date: "Date",
  untitled: "Untitled session",
  days: { today: "Today", yesterday: "Yesterday", month: "Earlier this month" },
  /** Marks of a session. Each has a form for the session's accessible name. */
  marks: {
    terminal: { label: "Open in a terminal", name: "open in a terminal" },
    program: { label: "Open in another program", name: "open in another program" },
    damaged: { label: "Damaged", name: "damaged" },
    gone: { label: "Folder not found", name: "folder not found" },
    known: { label: "In VoxPilot", name: "in VoxPilot" },
  },
  /** The accessible name of a session. */
  named: (title: string, marks: readonly string[]) => [title, ...marks].join(", "),
  messages: (n: number) => plural(n, "message", "messages"),
  filesChanged: (n: number) => (n === 1 ? "1 file changed" : `${number.format(n)} files changed`),
  facts: (parts: readonly string[]) => parts.join(", "),
  you: "Your first message",
  youLast: "Your last message",
  answer: "The last answer",
  terminal: "terminal",
  last: (when: string) => `Last message ${when}`,
  lastFrom: (when: string, terminal: string) =>
    `Last message ${when}, from a terminal${terminal === "" ? "" : ` (${terminal})`}`,
  lastFromProgram: (when: string, program: string) =>
    `Last message ${when}, from another program${program === "" ? "" : ` (${program})`}`,
  unreadable: "Copilot can't open this session.",
  missing: "This session no longer exists.",
  nothingLeft: "This session's log is missing or empty.",
  nothingReadable: "None of this session's messages can be read.",
  previewFailed: "Couldn't load the preview.",
  fork: "Fork",
  continueHere: "Continue here",
  openChat: "Open chat",
  rescue: "Rescue…",
  back: "Back to the list",
  openFailed: "Couldn't open the session.",
  /** The button that opens the list from other screens. */
  fromTerminal: "Continue a terminal session…",
  rescueSheet: {
    title: (title: string) => `Rescue “${title}”`,
    lead: (reason: string) =>
      `Copilot can't open this session because ${reason}. VoxPilot repairs a copy; the damaged file stays untouched.`,
    reasons: {
      empty: "its file is missing or empty",
      cut_off: "its file ends in the middle of an entry",
      invalid: "an entry isn't valid",
      mixed: "entries from another session are mixed in",
      no_start: "its first entry is missing",
      metadata: "its file workspace.yaml isn't valid",
    },
    found: "What was found",
    file: (size: string) => `events.jsonl, ${size}`,
    rest: (tools: number, files: number) =>
      [
        tools > 0 ? plural(tools, "tool call", "tool calls") : "",
        files > 0 ? plural(files, "file change", "file changes") : "",
      ]
        .filter((part) => part !== "")
        .map((part) => `, ${part}`)
        .join(""),
    readable: "all readable",
    checkpoints: "Its plan and summary",
    checkpointCount: (n: number) => plural(n, "checkpoint", "checkpoints"),
    lastEntry: "The last entry",
    cutOff: (size: string) => `cut off, ${size}`,
    entries: (n: number) => plural(n, "entry", "entries"),
    invalid: (n: number) => (n === 1 ? "isn't valid" : "aren't valid"),
    mixed: (n: number) =>
      n === 1 ? "from another session is mixed in" : "from another session are mixed in",
    leftOut: "left out",
    firstEntry: "The first entry",
    metadata: "workspace.yaml",
    isMissing: "is missing",
    madeAgain: "created again",
    upTo: (when: string) =>
      when === ""
        ? "You get a new session with everything that is readable."
        : `You get a new session with everything up to ${when}.`,
    stays: "The damaged session stays as it is.",
    show: "Show the damaged part",
    hide: "Hide the damaged part",
    part: "Damaged part",
    line: (n: number) => `Line ${number.format(n)}`,
    confirm: "Rescue a copy",
    loading: "Checking the session…",
    close: "Close",
  },
  /** A chat whose session is being read. */
  reading: {
    label: "Reading the session",
    line: (percent: number) => `Reading the session, ${percent}%`,
    size: (read: string, size: string) => `${read} of ${size}`,
    cancel: "Cancel",
    placeholder: "You can send messages once the session has been read",
    failed: "Couldn't read the session.",
    failedLabel: "The session wasn't read",
    failedPlaceholder: "You can't send messages until the session has been read",
    tryAgain: "Try again",
    deleteChat: "Delete chat",
    cancelFailed: "Couldn't cancel.",
  },
  /** A chat whose session another program has open. */
  use: {
    label: (isTerminal: boolean) => (isTerminal ? "Also open in a terminal" : "Also open in another program"),
    strong: (isTerminal: boolean, program: string) =>
      isTerminal
        ? "This session is also open in a terminal."
        : `This session is also open in another program${program === "" ? "" : ` (${program})`}.`,
    body: "VoxPilot shows the session's new messages. To send messages from VoxPilot, take over the session or fork it. Two programs writing to the same session would damage it.",
    /** Shown while the other program is receiving an answer. */
    running: "Taking over stops the answer in progress.",
    stayedStrong: (isTerminal: boolean) =>
      isTerminal ? "The terminal didn't close." : "The other program didn't close.",
    stayedBody: "It may still be busy. Fork the session to continue here.",
    takeOver: "Take over",
    closing: (isTerminal: boolean) =>
      isTerminal ? "Waiting for the terminal to close…" : "Waiting for the program to close…",
    fork: "Fork",
    keepReading: "Keep reading",
    show: "Show options",
    placeholder: (isTerminal: boolean) =>
      isTerminal
        ? "Read-only while the terminal uses this session"
        : "Read-only while another program uses this session",
  },
} as const;
