// Colours for code: Shiki's grammars on the browser's own regular expressions
// (no WebAssembly, no eval: the page's policy allows neither). Shiki is loaded when
// the first code is seen, a grammar with the first code of its language. A look is
// a class of diff.css, or one of a terminal's colours.

import type { GrammarState, HighlighterCore, LanguageInput } from "shiki/core";
import { afterFrame } from "./frames";
import { Pausing } from "./pausing";

/** A run of code of one look. */
export interface CodeRun {
  text: string;
  class: string;
}

// The theme's colours are only names for our classes.
const looks: Record<string, string> = {
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

/** languageOf is the language of a fence's word, a file's ending or its name; "" where none is known. */
export function languageOf(word: string): string {
  const file = word.toLowerCase().split(/[\\/]/).at(-1) ?? "";
  const key = file.includes(".") ? (file.split(".").at(-1) ?? "") : file;
  const name = names[key] ?? key;
  return name in languages ? name : "";
}

/** Longer code stays plain: colours are not worth a pause. */
const maxLength = 30_000;
const maxLine = 2_000;

/** Longer code is coloured in pieces of so many lines. */
const linesAtOnce = 50;

let highlighter: Promise<HighlighterCore> | undefined;
const pausing = new Pausing();

/** create loads Shiki, which keeps the page busy, once the code that waits for colours is on the screen without. */
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
 * highlight gives code as lines of runs, or undefined where it stays plain: no
 * known language, or too long.
 */
export async function highlight(code: string, language: string): Promise<CodeRun[][] | undefined> {
  const load = languages[language];
  if (!load || code.length > maxLength) return undefined;
  waits(1);
  return coloured(code, language, load).finally(() => waits(-1));
}

let waiting = 0;

/** waits marks the page with data-waits while code in it has no colours yet: pictures wait for them. */
function waits(by: number): void {
  waiting += by;
  document.documentElement.toggleAttribute("data-waits", waiting > 0);
}

async function coloured(
  code: string,
  language: string,
  load: () => Promise<{ default: LanguageInput }>,
): Promise<CodeRun[][]> {
  highlighter ??= create();
  const core = await highlighter;
  const grammar = (await load()).default;
  return inTurn(async () => {
    await core.loadLanguage(grammar);
    return runsOf(core, code, language);
  });
}

let last: Promise<unknown> = Promise.resolve();

/** inTurn does one work after the other, each in a task of its own, so that frames and keys come between. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(() => new Promise((go) => setTimeout(go))).then(work);
  last = mine.catch(() => {});
  return mine;
}

async function runsOf(core: HighlighterCore, code: string, language: string): Promise<CodeRun[][]> {
  const lines = code.split("\n");
  const runs: CodeRun[][] = [];
  let state: GrammarState | undefined;
  for (let from = 0; from < lines.length; from += linesAtOnce) {
    const piece = lines.slice(from, from + linesAtOnce).join("\n");
    const tokens = await pausing.run(() =>
      core.codeToTokensBase(piece, {
        lang: language,
        theme: theme.name,
        grammarState: state,
        tokenizeMaxLineLength: maxLine,
        // A limit in time leaves the rest of a line in a wrong colour on a machine that
        // is busy; what a line can cost is bounded by its length.
        tokenizeTimeLimit: 0,
      }),
    );
    state = core.getLastGrammarState(tokens);
    runs.push(
      ...tokens.map((line) =>
        line.map((run) => ({ text: run.content, class: looks[run.color ?? ""] ?? "" })),
      ),
    );
  }
  return runs;
}
