// Syntax highlighting with Shiki's grammars and the browser's regular expressions (no WebAssembly or
// eval: the page's CSP forbids both). Shiki is loaded when code is first highlighted; each grammar is
// loaded when code in its language is first highlighted. The style of a run is a class from diff.css or a
// terminal color.

import type { GrammarState, HighlighterCore, LanguageInput } from "shiki/core";
import { FrameBudget } from "./frameBudget";
import { afterFrame } from "./frames";

/** A run of code with one style. */
export interface CodeRun {
  text: string;
  class: string;
}

// CSS classes by color of the theme. The theme's colors are only placeholders for these classes.
const colorClasses: Record<string, string> = {
  "#000001": "k",
  "#000002": "st_",
  "#000003": "nu",
  "#000004": "co",
  "#000005": "fn",
  "#000006": "ty",
  "#000007": "a-green",
  "#000008": "a-red",
};

const theme = {
  name: "voxpilot",
  type: "light" as const,
  fg: "#000000",
  bg: "#ffffff",
  settings: [
    {
      scope: ["keyword", "storage.type", "storage.modifier", "variable.language"],
      settings: { foreground: "#000001" },
    },
    { scope: ["keyword.operator", "storage.type.function.arrow"], settings: { foreground: "#000000" } },
    { scope: ["string", "constant.other.symbol", "string.regexp"], settings: { foreground: "#000002" } },
    {
      scope: ["constant.numeric", "constant.language", "constant.character"],
      settings: { foreground: "#000003" },
    },
    { scope: ["comment", "punctuation.definition.comment"], settings: { foreground: "#000004" } },
    {
      scope: ["entity.name.function", "support.function", "meta.function-call.generic"],
      settings: { foreground: "#000005" },
    },
    {
      scope: [
        "entity.name.type",
        "entity.name.class",
        "support.type",
        "support.class",
        "storage.type.primitive",
        "storage.type.go",
        "storage.type.numeric",
        "storage.type.string",
        "storage.type.boolean",
        "storage.type.error",
        "entity.name.tag",
      ],
      settings: { foreground: "#000006" },
    },
    { scope: ["meta.diff.range", "entity.name.section"], settings: { foreground: "#000006" } },
    {
      scope: [
        "meta.diff.header",
        "meta.diff.index",
        "punctuation.separator.prompt.shell-session",
        "entity.other.prompt-prefix.shell-session",
      ],
      settings: { foreground: "#000004" },
    },
    { scope: ["markup.inserted"], settings: { foreground: "#000007" } },
    { scope: ["markup.deleted"], settings: { foreground: "#000008" } },
  ],
};

const languages: Record<string, () => Promise<{ default: LanguageInput }>> = {
  bash: () => import("shiki/langs/bash.mjs"),
  c: () => import("shiki/langs/c.mjs"),
  cpp: () => import("shiki/langs/cpp.mjs"),
  csharp: () => import("shiki/langs/csharp.mjs"),
  css: () => import("shiki/langs/css.mjs"),
  dart: () => import("shiki/langs/dart.mjs"),
  diff: () => import("shiki/langs/diff.mjs"),
  docker: () => import("shiki/langs/docker.mjs"),
  go: () => import("shiki/langs/go.mjs"),
  graphql: () => import("shiki/langs/graphql.mjs"),
  hcl: () => import("shiki/langs/hcl.mjs"),
  html: () => import("shiki/langs/html.mjs"),
  ini: () => import("shiki/langs/ini.mjs"),
  java: () => import("shiki/langs/java.mjs"),
  javascript: () => import("shiki/langs/javascript.mjs"),
  json: () => import("shiki/langs/json.mjs"),
  jsonc: () => import("shiki/langs/jsonc.mjs"),
  jsx: () => import("shiki/langs/jsx.mjs"),
  kotlin: () => import("shiki/langs/kotlin.mjs"),
  lua: () => import("shiki/langs/lua.mjs"),
  make: () => import("shiki/langs/make.mjs"),
  markdown: () => import("shiki/langs/markdown.mjs"),
  php: () => import("shiki/langs/php.mjs"),
  powershell: () => import("shiki/langs/powershell.mjs"),
  proto: () => import("shiki/langs/proto.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  ruby: () => import("shiki/langs/ruby.mjs"),
  rust: () => import("shiki/langs/rust.mjs"),
  scss: () => import("shiki/langs/scss.mjs"),
  shellsession: () => import("shiki/langs/shellsession.mjs"),
  sql: () => import("shiki/langs/sql.mjs"),
  svelte: () => import("shiki/langs/svelte.mjs"),
  swift: () => import("shiki/langs/swift.mjs"),
  toml: () => import("shiki/langs/toml.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
  typescript: () => import("shiki/langs/typescript.mjs"),
  vue: () => import("shiki/langs/vue.mjs"),
  xml: () => import("shiki/langs/xml.mjs"),
  yaml: () => import("shiki/langs/yaml.mjs"),
};

const names: Record<string, string> = {
  cc: "cpp",
  cjs: "javascript",
  cfg: "ini",
  conf: "ini",
  console: "shellsession",
  cs: "csharp",
  dockerfile: "docker",
  env: "ini",
  golang: "go",
  gql: "graphql",
  h: "c",
  hpp: "cpp",
  htm: "html",
  js: "javascript",
  json5: "jsonc",
  kt: "kotlin",
  makefile: "make",
  md: "markdown",
  mjs: "javascript",
  mk: "make",
  mts: "typescript",
  patch: "diff",
  protobuf: "proto",
  ps1: "powershell",
  psm1: "powershell",
  pwsh: "powershell",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  "shell-session": "shellsession",
  svg: "xml",
  terraform: "hcl",
  tf: "hcl",
  ts: "typescript",
  yml: "yaml",
  zsh: "bash",
};

/**
 * languageOf returns the language for a fence's info string, a file extension or a file name, or "" if
 * unknown.
 */
export function languageOf(word: string): string {
  const file = word.toLowerCase().split(/[\\/]/).at(-1) ?? "";
  const key = file.includes(".") ? (file.split(".").at(-1) ?? "") : file;
  const name = names[key] ?? key;
  return name in languages ? name : "";
}

/**
 * Maximum number of characters in highlighted code, and in each of its highlighted lines (maxLine). Longer code would
 * cause a noticeable pause.
 */
const maxLength = 30_000;
const maxLine = 2_000;

/**
 * Maximum number of characters that highlightLines highlights; in a long line, only the first maxLine characters count.
 */
const maxPart = 150_000;

/** Number of lines per chunk; longer code is tokenized in several chunks. */
const linesAtOnce = 50;

let highlighter: Promise<HighlighterCore> | undefined;
const pausing = new FrameBudget();

/** create loads Shiki once the uncolored code is on screen, because loading blocks the page. */
async function create(): Promise<HighlighterCore> {
  await new Promise<void>(afterFrame);
  const [{ createHighlighterCore }, { createJavaScriptRegexEngine }] = await Promise.all([
    import("shiki/core"),
    import("shiki/engine/javascript"),
  ]);
  return createHighlighterCore({
    engine: pausing.engine(createJavaScriptRegexEngine({ forgiving: true })),
    themes: [theme],
    langs: [],
  });
}

/**
 * highlight returns code as lines of runs, or undefined if the language is unknown or the code is too
 * long.
 */
export async function highlight(code: string, language: string): Promise<CodeRun[][] | undefined> {
  const load = languages[language];
  if (!load || code.length > maxLength) return undefined;
  markWaiting(1);
  return highlightIn(code, language, load).finally(() => markWaiting(-1));
}

/** The tokenizer's state between two lines, such as inside a comment. */
export type CodeState = GrammarState;

/** Highlighted lines, and the state after the last one. */
export interface HighlightedLines {
  runs: CodeRun[][];
  state: CodeState;
}

/** The part of a longer piece of code that highlightLines highlights. */
export interface CodePart {
  lines: readonly string[];
  language: string;
  /** The state before the first line, or undefined at the start of the code. */
  state: CodeState | undefined;
  /** Called before each chunk of lines. If it returns false, highlighting stops. */
  isWanted(): boolean;
}

/**
 * highlightLines highlights a part of a longer piece of code, a few lines per task. The promise resolves to undefined
 * if the language is unknown, or if the part is empty, too long or no longer wanted.
 */
export async function highlightLines(part: CodePart): Promise<HighlightedLines | undefined> {
  const { lines, language, isWanted } = part;
  const load = languages[language];
  if (!load || lines.length === 0) return undefined;
  if (lines.reduce((sum, line) => sum + Math.min(line.length, maxLine), 0) > maxPart) return undefined;
  markWaiting(1);
  try {
    highlighter ??= create();
    const core = await highlighter;
    const grammar = (await load()).default;
    await runInTurn(() => core.loadLanguage(grammar));
    const runs: CodeRun[][] = [];
    let { state } = part;
    for (let from = 0; from < lines.length; from += linesAtOnce) {
      const next = await runInTurn(async () =>
        isWanted() ? tokenize(core, lines.slice(from, from + linesAtOnce), language, state) : undefined,
      );
      if (!next) return undefined;
      state = next.state;
      runs.push(...next.runs);
    }
    return state && { runs, state };
  } finally {
    markWaiting(-1);
  }
}

let waiting = 0;

/**
 * markWaiting sets data-waits on the page while code is being highlighted. Screenshots are taken only after the
 * attribute has been removed.
 */
function markWaiting(by: number): void {
  waiting += by;
  document.documentElement.toggleAttribute("data-waits", waiting > 0);
}

async function highlightIn(
  code: string,
  language: string,
  load: () => Promise<{ default: LanguageInput }>,
): Promise<CodeRun[][]> {
  highlighter ??= create();
  const core = await highlighter;
  const grammar = (await load()).default;
  return runInTurn(async () => {
    await core.loadLanguage(grammar);
    return runsOf(core, code.split("\n"), language);
  });
}

let last: Promise<unknown> = Promise.resolve();

/**
 * runInTurn runs jobs one after another, each in a separate task, so that frames and key events run in
 * between.
 */
function runInTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(() => new Promise((go) => setTimeout(go))).then(work);
  last = mine.catch(() => {});
  return mine;
}

async function runsOf(core: HighlighterCore, lines: string[], language: string): Promise<CodeRun[][]> {
  const runs: CodeRun[][] = [];
  let state: CodeState | undefined;
  for (let from = 0; from < lines.length; from += linesAtOnce) {
    const next = await tokenize(core, lines.slice(from, from + linesAtOnce), language, state);
    state = next.state;
    runs.push(...next.runs);
  }
  return runs;
}

/** tokenize highlights at most linesAtOnce lines. */
async function tokenize(
  core: HighlighterCore,
  lines: readonly string[],
  language: string,
  state: CodeState | undefined,
): Promise<{ runs: CodeRun[][]; state: CodeState | undefined }> {
  const tokens = await pausing.run(() =>
    core.codeToTokensBase(lines.join("\n"), {
      lang: language,
      theme: theme.name,
      grammarState: state,
      tokenizeMaxLineLength: maxLine,
      // A time limit would miscolor the rest of a line on a busy machine; the cost of a line is bounded
      // by its length.
      tokenizeTimeLimit: 0,
    }),
  );
  const runs = tokens.map((line) =>
    line.map((run) => ({ text: run.content, class: colorClasses[run.color ?? ""] ?? "" })),
  );
  return { runs, state: core.getLastGrammarState(tokens) };
}
