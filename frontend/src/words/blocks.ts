// Words of the blocks of delegated sessions, and of the Inspector that lists
// the sessions.

import type { ToolKind } from "../state/words";

const doing: Record<ToolKind, string> = {
  read: "Reading",
  edit: "Editing",
  delete: "Deleting",
  move: "Moving",
  search: "Searching",
  execute: "Running",
  think: "Thinking about",
  fetch: "Fetching",
  other: "Using",
};

const plural = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

export const blocks = {
  showAll: "Show all",
  showLess: "Show less",
  requestFailed: "The whole request could not be loaded.",
  earlierTools: (n: number) => `Show ${plural(n, "earlier tool call", "earlier tool calls")}`,
  olderTools: "Show earlier tool calls",
  /** What a block did, to be heard: no signs that are read aloud one by one. */
  spoken: (added: number, removed: number, files: number) => {
    const counts = [added > 0 ? `${added} added` : "", removed > 0 ? `${removed} removed` : ""].filter(
      (part) => part !== "",
    );
    const where = plural(files, "file", "files");
    return counts.length === 0 ? where : `${counts.join(", ")} in ${where}`;
  },
  interrupted: (session: string) => `Copilot ${session} was interrupted`,
  declined: "Copilot declined this request.",
  limit: "Copilot reached its limit.",
  failed: "Copilot could not finish.",
} as const;

export const inspector = {
  title: "Inspector",
  close: "Close inspector",
  resize: "Width of the inspector",
  tabs: { sessions: "Sessions" },
  sessions: {
    list: "Copilot sessions",
    lead: "Each session keeps its own memory of the task. Messages to the same name continue it.",
    empty: "Copilot has not been used in this chat.",
    states: {
      running: "Running",
      waiting: "Needs you",
      idle: "Idle",
      lost: "Could not be restored",
    },
    turns: (n: number) => plural(n, "turn", "turns"),
    work: (time: string) => `${time} of work`,
    lastUsed: (time: string) => `last used ${time}`,
    wants: (what: string) => `wants to ${what}`,
    doing: (kind: ToolKind, target: string) => `${doing[kind] ?? doing.other} ${target}`.trim(),
    replaced: (when: string) => `Replaced by a new session on ${when}`,
    replacedNext: "A new session takes its place with the next message",
    show: "Show in chat",
    showRequest: "Show request",
    stop: "Stop",
    stopLabel: (session: string) => `Stop ${session}`,
    copyId: "Copy session ID",
    actions: "Session actions",
    write: "Write to it",
    writeLabel: (session: string) => `Message to ${session}`,
    writePlaceholder: (session: string) => `Message ${session}`,
    send: "Send",
    rename: "Rename",
    renameLabel: "Name of the session",
    restart: "Restart",
    close: "Close…",
    closeTitle: (session: string) => `Close “${session}”?`,
    closeBody: "Copilot forgets what this session knows. What it did stays in this chat.",
    closeConfirm: "Close",
    process: (n: number, memory: string) =>
      ["One Copilot process", plural(n, "session", "sessions"), memory]
        .filter((part) => part !== "")
        .join(", "),
    noProcess: (n: number) => `Copilot is not running, ${plural(n, "session", "sessions")}`,
    restartCopilot: "Restart Copilot",
    restartTitle: (session: string) => `Restart “${session}”?`,
    restartBody: "What it does now is stopped. It keeps what it knows.",
    restartCopilotTitle: "Restart Copilot?",
    restartCopilotBody: "What runs in this chat is interrupted. The sessions come back with what they know.",
    restartConfirm: "Restart",
  },
} as const;
