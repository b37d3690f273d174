// Strings of the question whether to trust a folder.
//
// The page replaces {0} and {1} with names from the files, set in their own style: executable content
// never becomes part of a sentence.

import { count } from "../lib/format";

const plural = (n: number, one: string, many: string) => `${count(n)} ${n === 1 ? one : many}`;

/** Descriptions of agent hooks by event, in lower case. */
const hooks = {
  sessionstart: "Runs {0} when a session starts",
  sessionend: "Runs {0} when a session ends",
  prompt: "Runs {0} with every message",
  pretool: "Runs {0} before every tool",
  posttool: "Runs {0} after every tool",
  /** {1} is the tool. */
  pretoolOf: "Runs {0} before the tool {1}",
  posttoolOf: "Runs {0} after the tool {1}",
  permission: "Runs {0} when permission is asked for, and may answer in your place",
  stop: "Runs {0} when an answer ends",
  error: "Runs {0} when something fails",
  /** {1} is the event as named in the file. */
  other: "Runs {0} at {1}",
} as const;

const git = {
  changes: "git runs {0} whenever it looks for changes",
  connect: "git runs {0} to connect",
  hooks: "git runs the hooks in {0}",
  pager: "git runs {0} to show its output",
  editor: "git runs {0} as its editor",
  filter: "git runs {0} when it reads or writes files",
  diff: "git runs {0} to compare files",
  merge: "git runs {0} to merge files",
  /** {1} is the name of the git command. */
  alias: "git runs {0} for the command {1}",
  include: "git reads more settings from {0}",
  /** {1} is the configuration key. */
  other: "git uses {0} for {1}",
  /** {0} is the name of the hook. */
  hook: "git runs this file as its hook {0}",
} as const;

const notes = {
  large: "Too large to list what it runs",
  link: "A link that leads out of the folder, to {0}",
  unread: "Can't be read, so its effect is unknown",
} as const;

export const trust = {
  title: "Trust this folder?",
  /** Shown after the path: the origin of the folder and a description of its content. */
  about: (origin: string, lead: string) => `${origin}. ${lead}`,
  cloned: (ago: string) => `, cloned ${ago}`,
  clonedFrom: (ago: string, from: string) => `, cloned ${ago} from ${from}`,
  from: (from: string) => `, cloned from ${from}`,
  lead: (who: string) => `Things in it can steer ${who} or run code.`,
  changedLead: "Some of what runs code has changed since you trusted it.",
  unreadLead: "It's too large to check, so it may run code that isn't listed.",
  runs: "Runs code",
  runsFact: "without asking each time",
  runsChanged: "New or changed",
  steers: (who: string) => `Tells ${who} what to do`,
  more: (n: number) => (n === 1 ? "1 more is not listed." : `${count(n)} more are not listed.`),
  again: "VoxPilot asks again when one of these changes.",
  incomplete: "Not all of this folder could be read. VoxPilot will ask at each start.",
  justChanged: "The folder has just changed. The list is up to date.",
  notNow: "Not now",
  trust: "Trust this folder",
  without: "Open without running them",
  withoutReason: "Open without running them needs a sandbox, which VoxPilot doesn't have yet.",
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
  sameText: "The text here is the same. The rest of it, or a file that it names, has changed.",
  cut: (shown: string, size: string) => `The first ${shown} of ${size}`,
  empty: "The file is empty.",
  moreCharacters: (n: number) => `… ${plural(n, "more character", "more characters")} in View`,
  noteText: {
    large: "VoxPilot trusts it as a whole: a change to any part asks again.",
    link: "VoxPilot doesn't follow a link out of the folder, so there's no text to show.",
    unread: "VoxPilot couldn't read this file. If you trust the folder, its content may run.",
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
  shell: "A shell with direnv runs this file when it enters the folder",
  markdown: "Can run commands, or use tools without asking",
  whole: "A file that can run code",

  settings: {
    title: "Trusted folders",
    fact: "Agents run what these folders had in them when you trusted them. A change asks again.",
    table: "Trusted folders",
    folder: "Folder",
    entries: "Trusted",
    entryCount: (n: number) => plural(n, "thing", "things"),
    since: "Since",
    actions: "Actions",
    remove: (folder: string) => `Remove trust: ${folder}`,
    none: "No trusted folders yet. VoxPilot asks when a folder can run code.",
  },
} as const;
