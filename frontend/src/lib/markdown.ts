// Markdown of an agent as nodes that are safe to show. Raw HTML is shown as
// text, images become links, nothing is loaded from anywhere, and only
// addresses that a browser opens are links.

import DOMPurify from "dompurify";
import { Marked, type Token, type Tokens } from "marked";

/** A part of a paragraph: code with its language, or other nodes. */
export type Part = { kind: "code"; text: string; lang: string } | { kind: "nodes"; nodes: DocumentFragment };

function escapeHTML(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** isOpenable says whether an address may be handed to the browser. */
export function isOpenable(href: string): boolean {
  try {
    return ["http:", "https:"].includes(new URL(href).protocol);
  } catch {
    return false;
  }
}

const marked = new Marked({
  gfm: true,
  renderer: {
    html: (token) => escapeHTML(token.text),
    image: (token) => {
      const label = escapeHTML(token.text === "" ? token.href : token.text);
      return isOpenable(token.href) ? `<a href="${escapeHTML(token.href)}">${label}</a>` : label;
    },
    link(token) {
      const label = this.parser.parseInline(token.tokens);
      return isOpenable(token.href) ? `<a href="${escapeHTML(token.href)}">${label}</a>` : label;
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
    table.replaceWith(frame);
    frame.append(table);
  }
  for (const link of nodes.querySelectorAll("a")) {
    link.className = "link";
    // Where it leads is seen before it is followed.
    link.title = link.getAttribute("href") ?? "";
  }
  return nodes;
}

/** parseMarkdown parses one finished paragraph. */
export function parseMarkdown(text: string): Part[] {
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
