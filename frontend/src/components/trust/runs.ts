// Sentences about what an entry of a folder would run. In the templates, {0} and {1} stand for content
// from the file.

import { words } from "../../i18n";
import type { TrustEntry } from "../../state/types";

const w = words.trust;

/** Sentence is a template and its parts. */
export interface Sentence {
  text: string;
  parts: string[];
}

/** Maximum number of characters of a value in a row; View shows all. */
const rowLetters = 300;
/** Up to this many excess characters are shown rather than truncated. */
const slack = 40;

/** Brief is a value as shown in its row. */
export interface Brief {
  /** Its first line, and the other visible lines. */
  first: string;
  rest: string;
  /** Number of hidden characters. */
  more: number;
}

/** briefOf truncates a value to fit into a row. */
export function briefOf(value: string): Brief {
  const all = [...value];
  const more = all.length > rowLetters + slack ? all.length - rowLetters : 0;
  const shown = more > 0 ? all.slice(0, rowLetters).join("") : value;
  const cut = shown.indexOf("\n");
  if (cut < 0) return { first: shown, rest: "", more };
  return { first: shown.slice(0, cut), rest: shown.slice(cut + 1).replace(/\n+$/, ""), more };
}

/** By the agents' names of events, in lower case; agents share the same names. */
const events = new Map<string, keyof typeof w.hooks>([
  ["sessionstart", "sessionstart"],
  ["sessionend", "sessionend"],
  ["userpromptsubmit", "prompt"],
  ["userpromptsubmitted", "prompt"],
  ["beforesubmitprompt", "prompt"],
  ["pretooluse", "pretool"],
  ["beforetool", "pretool"],
  ["posttooluse", "posttool"],
  ["aftertool", "posttool"],
  ["permissionrequest", "permission"],
  ["stop", "stop"],
  ["agentstop", "stop"],
  ["afteragent", "stop"],
  ["erroroccurred", "error"],
]);

function hook(event: string, tool: string, first: string): Sentence {
  const kind = events.get(event.toLowerCase());
  if (kind === "pretool" && tool !== "") return { text: w.hooks.pretoolOf, parts: [first, tool] };
  if (kind === "posttool" && tool !== "") return { text: w.hooks.posttoolOf, parts: [first, tool] };
  const called = tool === "" ? event : `${event} (${tool})`;
  return kind ? { text: w.hooks[kind], parts: [first] } : { text: w.hooks.other, parts: [first, called] };
}

const gitKeys: readonly [start: RegExp, kind: keyof typeof w.git][] = [
  [/^core\.fsmonitor$/, "changes"],
  [/^core\.(sshcommand|gitproxy|askpass)$|^credential\./, "connect"],
  [/^core\.hookspath$/, "hooks"],
  [/^core\.pager$|^pager\./, "pager"],
  [/^core\.editor$|^sequence\.editor$/, "editor"],
  [/^filter\./, "filter"],
  [/^diff\.|^difftool\./, "diff"],
  [/^merge\.|^mergetool\./, "merge"],
  [/^include(if\..*)?\.path$/, "include"],
];

/**
 * Sections of git's configuration with keys that can name a program; such files may be included from
 * anywhere.
 */
const gitSections =
  /^(add|alias|browser|core|credential|diff|difftool|filter|gc|gpg|guitool|hook|imap|include|includeif|init|instaweb|interactive|lfs|man|merge|mergetool|pager|protocol|rebase|receive|remote|sendemail|sequence|submodule|svn|tar|trailer|uploadpack|url|web)\./i;

function git(key: string, first: string): Sentence {
  const alias = /^alias\.(.+)$/i.exec(key)?.[1];
  if (alias !== undefined) return { text: w.git.alias, parts: [first, `git ${alias}`] };
  const lower = key.toLowerCase();
  const kind = gitKeys.find(([start]) => start.test(lower))?.[1];
  return kind ? { text: w.git[kind], parts: [first] } : { text: w.git.other, parts: [first, key] };
}

/** whole describes a file that counts as a single entry. */
function whole(file: string): Sentence {
  const gitHook = /^\.git\/(?:.*\/)?hooks\/(.+)$/.exec(file)?.[1];
  if (gitHook !== undefined) return { text: w.git.hook, parts: [gitHook] };
  if (/(^|\/)\.envrc$/.test(file)) return { text: w.shell, parts: [] };
  return { text: /\.mdc?$/i.test(file) ? w.markdown : w.whole, parts: [] };
}

const isNote = (note: string): note is keyof typeof w.notes => note in w.notes;

/** sentenceOf describes what an entry would run, with the first line of its value. */
export function sentenceOf(entry: TrustEntry, first: string): Sentence {
  const { file, key = "", note = "" } = entry;
  if (isNote(note)) return { text: w.notes[note], parts: [entry.value ?? ""] };
  if (key === "") return whole(file);
  const value = first === "" ? '""' : first;
  const isJSON = /\.jsonc?$/i.test(file);
  if (file.startsWith(".git/") || (!isJSON && gitSections.test(key))) return git(key, value);
  const server = /^(mcpServers|mcp_servers|mcp|servers|context_servers)\.([\s\S]+)$/.exec(key)?.[2];
  if (server !== undefined) {
    return { text: /^https?:\/\//i.test(value) ? w.address : w.server, parts: [server, value] };
  }
  const language = /^(lspServers|lsp)\.([\s\S]+)$/.exec(key)?.[2];
  if (language !== undefined) return { text: w.languageServer, parts: [language, value] };
  const [, event, tool] = /^hooks\.([^ ]+)(?: \(([\s\S]*)\))?$/.exec(key) ?? [];
  if (event !== undefined) return hook(event, tool ?? "", value);
  return { text: w.sets, parts: [key, value] };
}

/** FileEntries are the entries of one file. */
export interface FileEntries {
  file: string;
  entries: TrustEntry[];
}

/** byFile groups entries by file, in order of first occurrence. */
export function byFile(entries: readonly TrustEntry[]): FileEntries[] {
  const files = new Map<string, TrustEntry[]>();
  for (const entry of entries) {
    const list = files.get(entry.file);
    if (list) list.push(entry);
    else files.set(entry.file, [entry]);
  }
  return [...files].map(([file, list]) => ({ file, entries: list }));
}
