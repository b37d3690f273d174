// Sentences that describe the effect of a folder's entries, such as the code they would run. In the
// templates, {0} and {1} stand for content from the file.

import { messages } from "../../i18n";
import type { TrustEntry } from "../../state/types";

const t = messages.trust;

/** Sentence is a template and the parts that fill it. */
export interface Sentence {
  text: string;
  parts: string[];
}

/** Maximum number of characters of a value that its row shows. The row's View button shows the whole value. */
const rowChars = 300;
/** A value that exceeds rowChars by at most this many characters isn't truncated. */
const slack = 40;

/** ValueSummary is a value as shown in its row. */
export interface ValueSummary {
  /** The value's first line (`first`) and the other visible lines (`rest`). */
  first: string;
  rest: string;
  /** Number of hidden characters. */
  more: number;
}

/** summarize truncates a value to fit into a row. */
export function summarize(value: string): ValueSummary {
  const all = [...value];
  const more = all.length > rowChars + slack ? all.length - rowChars : 0;
  const shown = more > 0 ? all.slice(0, rowChars).join("") : value;
  const cut = shown.indexOf("\n");
  if (cut < 0) return { first: shown, rest: "", more };
  return { first: shown.slice(0, cut), rest: shown.slice(cut + 1).replace(/\n+$/, ""), more };
}

/** Maps the lowercase event names of all agents to the keys of their sentences in t.hooks. */
const events = new Map<string, keyof typeof t.hooks>([
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

function hookSentence(event: string, tool: string, first: string): Sentence {
  const kind = events.get(event.toLowerCase());
  if (kind === "pretool" && tool !== "") return { text: t.hooks.pretoolOf, parts: [first, tool] };
  if (kind === "posttool" && tool !== "") return { text: t.hooks.posttoolOf, parts: [first, tool] };
  const called = tool === "" ? event : `${event} (${tool})`;
  return kind ? { text: t.hooks[kind], parts: [first] } : { text: t.hooks.other, parts: [first, called] };
}

const gitKeys: readonly [start: RegExp, kind: keyof typeof t.git][] = [
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
 * Sections of git's configuration with keys that can name a program. Git can include a configuration file
 * from any path, so such a file is recognized by these sections.
 */
const gitSections =
  /^(add|alias|browser|core|credential|diff|difftool|filter|gc|gpg|guitool|hook|imap|include|includeif|init|instaweb|interactive|lfs|man|merge|mergetool|pager|protocol|rebase|receive|remote|sendemail|sequence|submodule|svn|tar|trailer|uploadpack|url|web)\./i;

function gitSentence(key: string, first: string): Sentence {
  const alias = /^alias\.(.+)$/i.exec(key)?.[1];
  if (alias !== undefined) return { text: t.git.alias, parts: [first, `git ${alias}`] };
  const lower = key.toLowerCase();
  const kind = gitKeys.find(([start]) => start.test(lower))?.[1];
  return kind ? { text: t.git[kind], parts: [first] } : { text: t.git.other, parts: [first, key] };
}

/** wholeFileSentence describes a file that counts as a single entry. */
function wholeFileSentence(file: string): Sentence {
  const gitHook = /^\.git\/(?:.*\/)?hooks\/(.+)$/.exec(file)?.[1];
  if (gitHook !== undefined) return { text: t.git.hook, parts: [gitHook] };
  if (/(^|\/)\.envrc$/.test(file)) return { text: t.shell, parts: [] };
  return { text: /\.mdc?$/i.test(file) ? t.markdown : t.whole, parts: [] };
}

const isNote = (note: string): note is keyof typeof t.notes => note in t.notes;

/** sentenceOf describes the effect of an entry; `first` is the first line of its value. */
export function sentenceOf(entry: TrustEntry, first: string): Sentence {
  const { file, key = "", note = "" } = entry;
  if (isNote(note)) return { text: t.notes[note], parts: [entry.value ?? ""] };
  if (key === "") return wholeFileSentence(file);
  const value = first === "" ? '""' : first;
  const isJSON = /\.jsonc?$/i.test(file);
  if (file.startsWith(".git/") || (!isJSON && gitSections.test(key))) return gitSentence(key, value);
  const server = /^(mcpServers|mcp_servers|mcp|servers|context_servers)\.([\s\S]+)$/.exec(key)?.[2];
  if (server !== undefined) {
    return { text: /^https?:\/\//i.test(value) ? t.address : t.server, parts: [server, value] };
  }
  const language = /^(lspServers|lsp)\.([\s\S]+)$/.exec(key)?.[2];
  if (language !== undefined) return { text: t.languageServer, parts: [language, value] };
  const [, event, tool] = /^hooks\.([^ ]+)(?: \(([\s\S]*)\))?$/.exec(key) ?? [];
  if (event !== undefined) return hookSentence(event, tool ?? "", value);
  return { text: t.sets, parts: [key, value] };
}

/** FileEntries holds the entries of one file. */
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
