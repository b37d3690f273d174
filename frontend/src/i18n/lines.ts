// Strings for lines, folds, the live line and the turn summary.

import { count, tokens } from "../lib/format";
import type { ToolKind } from "../state/types";

/** The kind of the action that a line describes. */
export type LineKind = ToolKind | "create" | "page";

/** The number of calls of each kind in a fold. */
interface Counts {
  read: number;
  search: number;
  open: number;
  edit: number;
  run: number;
}

const runningVerbs: Record<LineKind, string> = {
  read: "Reading",
  edit: "Editing",
  create: "Creating",
  delete: "Deleting",
  move: "Moving",
  search: "Searching for",
  execute: "Running",
  think: "Thinking about",
  fetch: "Opening",
  ask: "Asking",
  plan: "Presenting plan",
  page: "Asking to open",
  other: "Using",
};

const pastVerbs: Record<LineKind, string> = {
  read: "Read",
  edit: "Edited",
  create: "Created",
  delete: "Deleted",
  move: "Moved",
  search: "Searched for",
  execute: "Ran",
  think: "Thought about",
  fetch: "Opened",
  ask: "Asked",
  plan: "Presented plan",
  page: "Asked to open",
  other: "Used",
};

const verb: Record<LineKind, string> = {
  read: "Read",
  edit: "Edit",
  create: "Create",
  delete: "Delete",
  move: "Move",
  search: "Search for",
  execute: "Run",
  think: "Think about",
  fetch: "Open",
  ask: "Ask",
  plan: "Present plan",
  page: "Open",
  other: "Use",
};

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
const plural = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;
const times = (n: number) => (n === 1 ? "once" : n === 2 ? "twice" : `${n} times`);

export const lines = {
  label: (who: string) => `Steps by ${who}`,
  running: (kind: LineKind) => runningVerbs[kind],
  finished: (kind: LineKind) => pastVerbs[kind],
  failed: (kind: LineKind) =>
    kind === "ask" || kind === "plan"
      ? verb[kind]
      : kind === "think"
        ? "Couldn't finish thinking about"
        : `Couldn't ${lower(verb[kind])}`,
  wants: (kind: LineKind) => `Wants to ${lower(verb[kind])}`,
  youRejected: (kind: LineKind) => `You rejected ${lower(runningVerbs[kind])}`,
  ruleRejected: (kind: LineKind) => `Your rule rejected ${lower(runningVerbs[kind])}`,
  modeRejected: (mode: string, kind: LineKind) => `“${mode}” rejected ${lower(runningVerbs[kind])}`,
  /** The rejected action, as part of a sentence. */
  action: (kind: LineKind, target: string) => `${lower(runningVerbs[kind])} ${target}`.trim(),
  /** Fallback for a call without a target. */
  noTarget: {
    read: "a file",
    edit: "a file",
    delete: "a file",
    move: "a file",
    search: "text in files",
    execute: "a command",
    think: "the task",
    fetch: "a page",
    ask: "a question",
    plan: "a plan",
    other: "a tool",
  } satisfies Record<ToolKind, string>,
  waiting: "waiting for you",
  unanswered: "not answered",
  noResult: "no result",
  stopped: (time: string) => (time === "" ? "stopped" : `stopped, ${time}`),
  failedFact: "failed",
  exit: (code: number) => `exit ${code}`,
  signal: (name: string) => `killed by ${name}`,
  withoutPermission: (who: string) => `${who} didn't ask for permission`,
  changeTo: (path: string) => `Change to ${path}`,
  output: "Output",
  notApplied: "Not applied",
  reason: (text: string) => `“${text}” was sent as your message.`,
  thinking: "Thinking…",
  thinkingName: "Thinking",
  thought: (time: string) => (time === "" ? "Thought" : `Thought for ${time}`),
  /** Parts of a line's accessible name: a change's plus and minus signs as words. */
  added: (n: number) => `${count(n)} added`,
  removed: (n: number) => `${count(n)} removed`,
  name: (sentence: string, facts: string[]) => [sentence, ...facts].filter((part) => part !== "").join(", "),

  fold: (n: Counts) => {
    const parts = [
      n.read > 0 ? `read ${plural(n.read, "file", "files")}` : "",
      n.search > 0 ? `searched ${times(n.search)}` : "",
      n.open > 0 ? `opened ${plural(n.open, "page", "pages")}` : "",
      n.edit > 0 ? `edited ${plural(n.edit, "file", "files")}` : "",
      n.run > 0 ? `ran ${plural(n.run, "command", "commands")}` : "",
    ];
    const sentence = parts.filter((part) => part !== "").join(", ");
    return sentence.charAt(0).toUpperCase() + sentence.slice(1);
  },
  earlier: (n: number) => `Show ${plural(n, "earlier line", "earlier lines")}`,
  evictedCalls: (n: number) => `Show ${plural(n, "earlier tool call", "earlier tool calls")}`,
  retried: (n: number) => `Retried ${times(n)}`,
  cutOff: "cut off here",
  /** Describes the content and changes that remain after a custom model failed. */
  savedNote: (arrived: boolean, changed: boolean) => {
    if (changed)
      return arrived ? "The partial answer above and the changes were kept." : "The changes above were kept.";
    return arrived
      ? "The partial answer above is saved, and no files were changed."
      : "No files were changed.";
  },
  openModel: "Open Settings > Your own model",

  decided: {
    once: (time: string) => (time === "" ? "Allowed once by you" : `Allowed once by you, ${time}`),
    always: (time: string) =>
      time === "" ? "You chose “Always allow”" : `You chose “Always allow” at ${time}`,
    rejected: (time: string) => (time === "" ? "Rejected by you" : `Rejected by you, ${time}`),
    rule: (rule: string) => (rule === "" ? "Allowed by your rule" : `Allowed by your rule “${rule}”`),
    ruleRejected: (rule: string) =>
      rule === "" ? "Rejected by your rule" : `Rejected by your rule “${rule}”`,
    mode: (mode: string) => `Allowed by “${mode}”`,
    modeRejected: (mode: string) => `Rejected by “${mode}”`,
    settings: "Allowed by your settings",
  },

  live: {
    label: (who: string) => `${who} is working`,
    working: "Working",
    waitingFor: (who: string) => `Waiting for ${who}`,
    sessions: (n: number) => plural(n, "session", "sessions"),
    again: "Trying again",
    attempt: (n: number, of: number) => (of > 0 ? `attempt ${n} of ${of}` : `attempt ${n}`),
    stopping: "Stopping…",
    /** Shown while another program answers in the session. */
    outside: (isTerminal: boolean) => (isTerminal ? "Working in the terminal" : "Working in another program"),
    starting: (who: string) => `Starting ${who}…`,
    restoring: "Restoring session…",
    signIn: "Waiting for you to sign in",
    trust: "Waiting for you to trust the folder",
    review: "Review changes so far",
  },
  receipt: {
    label: "This turn's changes",
    files: (n: number) => `${plural(n, "file", "files")} changed`,
    filesAtLeast: (n: number) => `At least ${plural(n, "file", "files")} changed`,
    commands: (n: number) => plural(n, "command", "commands"),
    tokens: (n: number) => `${tokens(n)} tokens`,
    ended: { stopped: "Stopped", interrupted: "Interrupted", failed: "Failed" },
    review: "Review",
    reviewTurn: "Review this turn's changes",
    stoppedAfter: (time: string) => `Stopped after ${time} without changing any files`,
    interruptedAfter: (time: string) => `Interrupted after ${time} without changing any files`,
  },
  next: {
    label: "Next steps",
    ended: (who: string) => `${who} ended its turn because of this.`,
    fileKeepsUntouched: (file: string, untouched: string) =>
      `The change to ${file} was kept. ${untouched} is untouched.`,
    filesKeepUntouched: (n: number, untouched: string) =>
      `The changes to ${plural(n, "file", "files")} were kept. ${untouched} is untouched.`,
    fileKeeps: (file: string) => `The change to ${file} was kept.`,
    filesKeep: (n: number) => `The changes to ${plural(n, "file", "files")} were kept.`,
    noFile: "No files were changed.",
    tellWhy: (who: string) => `Tell ${who} why`,
    continue: "Continue",
    hint: (text: string) => `Continue sends “${text}”`,
    /** The prompts that Continue sends: one for a rejected change, one for any other rejected call. */
    prompt: "Go on without this change.",
    promptOther: "Go on without this.",
    instead: (who: string) => `Tell ${who} what to do instead`,
    announce: (who: string, what: string) => `${who} ended its turn because you rejected ${what}`,
    announceRule: (who: string, what: string) => `${who} ended its turn because your rule rejected ${what}`,
  },
} as const;
