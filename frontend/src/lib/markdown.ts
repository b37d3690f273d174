// Renders an agent's Markdown as safe DOM nodes. Raw HTML is shown as text, images are replaced by links,
// and nothing is loaded from the network. Links can lead only to web and mail addresses and to files.

import DOMPurify from "dompurify";
import { Marked, type Token, type Tokens } from "marked";
import { nameHidden, visibleText } from "./visibleText";

/** A part of a paragraph: code with its language, plain text or DOM nodes. */
export type Part =
  | { kind: "code"; text: string; lang: string }
  | { kind: "plain"; text: string }
  | { kind: "nodes"; nodes: DocumentFragment };

function escapeHTML(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** isOpenable reports whether an address may be passed to the operating system to be opened. */
export function isOpenable(href: string): boolean {
  try {
    return ["http:", "https:", "mailto:"].includes(new URL(href).protocol);
  } catch {
    return false;
  }
}

/** A file mentioned in text. */
export interface FileRef {
  path: string;
  /** 1-based; 0 if not given. */
  line: number;
}

const fileRef =
  /^((?:[A-Za-z]:)?[\p{L}\p{N}_@.+~()[\]/\\ -]*\.?[\p{L}\p{N}_-]+)(?:(?::|#L)(\d{1,7})(?:[:-]L?\d{1,7})?)?$/u;

/**
 * fileOf parses a mention of a file: a path with an extension, and with a folder, a line number or both. It returns
 * undefined for any other text, and for paths that contain "..".
 */
export function fileOf(text: string, mayHaveSpaces = false): FileRef | undefined {
  if (text.length > 400 || (!mayHaveSpaces && text.includes(" "))) return undefined;
  const match = fileRef.exec(text);
  const path = match?.[1] ?? "";
  const line = Number(match?.[2] ?? 0);
  const parts = path.split(/[\\/]/);
  if (path === "" || path.trim() !== path || parts.includes("..")) return undefined;
  const hasEnding = /\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(parts.at(-1) ?? "");
  if (!hasEnding || (parts.length < 2 && line === 0)) return undefined;
  return { path, line };
}

/** Prefix that marks file links in the parser's HTML until they become DOM nodes. */
const fileMark = "#file:";

/** If an image has no text, its address is shown instead, cut to this many characters. */
const maxLabel = 200;

function link(href: string, label: string): string {
  if (isOpenable(href)) return `<a href="${escapeHTML(href)}">${label}</a>`;
  const file = fileOf(decoded(href.replace(/^file:\/\//, "")), true);
  if (!file) return label;
  return `<a href="${fileMark}${escapeHTML(encodeURIComponent(`${file.line}:${file.path}`))}">${label}</a>`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A setext underline, which turns the line above it into a heading. */
const underline = /\n {0,3}(?:=+|-+)[ \t]*(?:\n|$)/;

const marked = new Marked({
  gfm: true,
  tokenizer: {
    // The parser's own expression for such headings takes a third of a paragraph's parse time in WebKit.
    lheading: (source) => (underline.test(source) ? false : undefined),
  },
  renderer: {
    html: (token) => escapeHTML(token.text),
    image: (token) =>
      link(token.href, escapeHTML(token.text === "" ? token.href.slice(0, maxLabel) : token.text)),
    link(token) {
      return link(token.href, this.parser.parseInline(token.tokens));
    },
    checkbox: ({ checked }) => (checked ? "\u2611 " : "\u2610 "),
  },
});

const allowed = {
  ALLOWED_TAGS: [
    ..."p h1 h2 h3 h4 h5 h6 strong em del code pre ul ol li blockquote hr br a".split(" "),
    ..."table thead tbody tr th td".split(" "),
  ],
  ALLOWED_ATTR: ["href", "start", "align"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} as const;

function toFile(element: Element, file: FileRef): void {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "link file-link";
  button.dataset.path = file.path;
  button.dataset.line = String(file.line);
  if (element.tagName === "CODE") {
    element.replaceWith(button);
    button.append(element);
  } else {
    button.append(...element.childNodes);
    element.replaceWith(button);
  }
}

function toNodes(tokens: Token[]): DocumentFragment {
  const html = marked.parser(tokens);
  const nodes = DOMPurify.sanitize(html, {
    ...allowed,
    ALLOWED_TAGS: [...allowed.ALLOWED_TAGS],
    ALLOWED_ATTR: [...allowed.ALLOWED_ATTR],
  });
  for (const table of nodes.querySelectorAll("table")) {
    const frame = document.createElement("div");
    frame.className = "table-frame";
    frame.tabIndex = 0;
    table.replaceWith(frame);
    frame.append(table);
  }
  for (const anchor of nodes.querySelectorAll("a")) {
    const href = anchor.getAttribute("href") ?? "";
    if (href.startsWith(fileMark)) {
      const [line, ...path] = decoded(href.slice(fileMark.length)).split(":");
      toFile(anchor, { path: path.join(":"), line: Number(line) });
      continue;
    }
    anchor.className = "link";
    // The target is visible before the link is followed.
    anchor.title = visibleText(href);
  }
  for (const code of nodes.querySelectorAll(":not(pre) > code")) {
    if (code.closest("a, button")) continue;
    const file = fileOf(code.textContent ?? "");
    if (file) toFile(code, file);
  }
  nameHidden(nodes, "prose");
  return nodes;
}

// Limits on the counts that determine the parser's running time, which is quadratic in some of them.
// Ordinary text stays far below the limits; text that exceeds one is shown unparsed.
const maxMarks = 1500;
const maxWord = 2500;
const maxDepth = 40;
const maxCells = 6000;

const depth = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/;

/** isHeavy reports whether parsing or displaying a paragraph would take too long. */
export function isHeavy(text: string): boolean {
  let [marks, cells, word] = [0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i);
    // * _ ~ [ `
    if (letter === 42 || letter === 95 || letter === 126 || letter === 91 || letter === 96) marks++;
    else if (letter === 124) cells++;
    word = letter <= 32 ? 0 : word + 1;
    if (marks > maxMarks || cells > maxCells || word > maxWord) return true;
  }
  for (const line of text.split("\n")) {
    const start = line.slice(0, 8 * maxDepth);
    const indent = start.length - start.trimStart().length;
    if (indent > 2 * maxDepth) return true;
    if ((depth.exec(start)?.[0].match(/[>*+-]|\d+[.)]/g)?.length ?? 0) > maxDepth) return true;
  }
  return false;
}

/**
 * Matches the start of fenced code, which is never too complex for the parser because its content isn't
 * parsed.
 */
const startsFence = /^ {0,3}(?:~{3,}|`{3,}(?!.*`))/;

/** parseMarkdown parses one finished paragraph. */
export function parseMarkdown(text: string): Part[] {
  if (!startsFence.test(text) && isHeavy(text)) return [{ kind: "plain", text }];
  const parts: Part[] = [];
  let others: Token[] = [];
  const close = () => {
    if (others.some((token) => token.type !== "space")) parts.push({ kind: "nodes", nodes: toNodes(others) });
    others = [];
  };
  for (const token of marked.lexer(text)) {
    if (token.type === "code") {
      close();
      const code = token as Tokens.Code;
      parts.push({ kind: "code", text: code.text, lang: (code.lang ?? "").split(/\s/)[0] ?? "" });
    } else {
      others.push(token);
    }
  }
  close();
  return parts;
}
