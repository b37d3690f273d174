// Strings for the sheet that asks whether to trust a folder.
//
// The page replaces {0} and {1} with content from the files and styles it differently, so that code from
// a file never looks like part of VoxPilot's sentence.

import { count } from "../lib/format";

const plural = (n: number, one: string, many: string) => `${count(n)} ${n === 1 ? one : many}`;

/** Descriptions of agent hooks by event, in lower case. */
const hooks = {
  sessionstart: "Runs {0} when a session starts",
  sessionend: "Runs {0} when a session ends",
  prompt: "Runs {0} with every message",
  pretool: "Runs {0} before every tool call",
  posttool: "Runs {0} after every tool call",
  /** {1} is the name of the tool. */
  pretoolOf: "Runs {0} before every call to {1}",
  posttoolOf: "Runs {0} after every call to {1}",
  permission: "Runs {0} when permission is requested, and can answer for you",
  stop: "Runs {0} when an answer ends",
  error: "Runs {0} when something fails",
  /** {1} is the event as named in the file. */
  other: "Runs {0} on the event {1}",
} as const;

const git = {
  changes: "Git runs {0} whenever it looks for changes",
  connect: "Git runs {0} to connect to a server",
  hooks: "Git runs the hooks in {0}",
  pager: "Git runs {0} to show its output",
  editor: "Git runs {0} as its editor",
  filter: "Git runs {0} when it reads or writes files",
  diff: "Git runs {0} to compare files",
  merge: "Git runs {0} to merge files",
  /** {1} is the name of the git command. */
  alias: "Git runs {0} for the {1} command",
  include: "Git reads more settings from {0}",
  /** {1} is the configuration key. */
  other: "Git uses {0} for {1}",
  /** {0} is the name of the hook. */
  hook: "Git runs this file as its {0} hook",
} as const;

const notes = {
  large: "Too large, so the code it can run isn't listed",
  link: "A link to {0}, outside the folder",
  unread: "Can't be read, so its effect is unknown",
} as const;

export const trust = {
  title: "Trust this folder?",
  /** Shown after the path: the origin of the folder and a description of its content. */
  about: (origin: string, lead: string) => `${origin}. ${lead}`,
  cloned: (ago: string) => `, cloned ${ago}`,
  clonedFrom: (ago: string, from: string) => `, cloned ${ago} from ${from}`,
  from: (from: string) => `, cloned from ${from}`,
  lead: (who: string) => `Files in this folder can run code or tell ${who} what to do.`,
  changedLead: "Some files that can run code have changed since you trusted this folder.",
  unreadLead: "VoxPilot couldn't check this folder completely, so code that isn't listed may run.",
  runs: "Runs code",
  runsFact: "without asking each time",
  runsChanged: "New or changed",
  steers: (who: string) => `Tells ${who} what to do`,
  more: (n: number) => (n === 1 ? "1 more isn't listed." : `${count(n)} more aren't listed.`),
  again: "VoxPilot asks again if any of these items change.",
  incomplete: "VoxPilot couldn't read the whole folder, so it will ask every time an agent starts here.",
  justChanged: "The folder just changed, so this list was updated.",
  notNow: "Not now",
  trust: "Trust this folder",
  without: "Open without running code",
  /** Reasons why a folder can't be opened without running its code. The first is followed by the problem. */
  withoutReason: {
    sandbox: "“Open without running code” needs the sandbox.",
    checking:
      "“Open without running code” needs the sandbox. VoxPilot is still checking whether it works on this computer.",
    incomplete:
      "VoxPilot couldn't read everything, so it can't keep all code in the folder from running. You can open the folder only if you trust all of it.",
    elsewhere: (who: string) =>
      `${who} is started outside VoxPilot, so VoxPilot can't run it in the sandbox.`,
  },
  withoutFact: (who: string) =>
    `“Open without running code” keeps ${who} in the sandbox. You can trust the folder later.`,
  masked: {
    label: "Hooks and settings are off",
    strong: "This folder's hooks and settings are off.",
    body: (who: string) => `${who} runs in the sandbox without the files that can run code.`,
  },
  close: "Close",
  review: "Review…",

  view: "View",
  hide: "Hide",
  viewOf: (file: string) => `View ${file}`,
  hideOf: (file: string) => `Hide ${file}`,
  text: (file: string) => `Text of ${file}`,
  now: "Now",
  before: "Before",
  was: "Before: {0}",
  isNew: "New",
  isChanged: "Changed",
  sameText:
    "The text shown here is unchanged, but a hidden part or a file that the text refers to has changed.",
  cut: (shown: string, size: string) => `The first ${shown} of ${size}`,
  empty: "The file is empty.",
  moreCharacters: (n: number) =>
    `… ${plural(n, "more character", "more characters")}. Choose “View” to see everything.`,
  noteText: {
    large:
      "If you trust the folder, the whole file is trusted. VoxPilot asks again if any part of it changes.",
    link: "This is a link to a location outside the folder. VoxPilot doesn't follow such links, so there's no text to show.",
    unread: "VoxPilot couldn't read this file. If you trust the folder, code in this file may run.",
  },
  size: (size: string, day: string) =>
    [size, day === "" ? "" : `last changed on ${day}`].filter((each) => each !== "").join(", "),

  hooks,
  git,
  notes,
  server: "Starts the server {0}: {1}",
  languageServer: "Starts the language server {0}: {1}",
  address: "Connects to the server {0}: {1}",
  sets: "Sets {0}: {1}",
  shell: "direnv runs this file when a shell enters the folder",
  markdown: "Can run commands or use tools without asking",
  whole: "A file that can run code",

  settings: {
    title: "Trusted folders",
    fact: "Agents can run the code that these folders contained when you trusted them. If the code changes, VoxPilot asks again.",
    table: "Trusted folders",
    folder: "Folder",
    entries: "Trusted",
    entryCount: (n: number) => plural(n, "item", "items"),
    since: "Since",
    actions: "Actions",
    remove: (folder: string) => `Remove trust: ${folder}`,
    none: "No trusted folders yet. If files in a folder can run code, VoxPilot asks whether you trust the folder.",
  },
} as const;
