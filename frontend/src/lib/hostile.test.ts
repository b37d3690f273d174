// Model output designed to break out of the page or to freeze it. The tests count operations instead of
// measuring time.

import { beforeEach, describe, expect, test } from "vitest";
import { hasLongLine, maxRuns, parseAnsi } from "./ansi";
import { visibleParts, visibleText } from "./format";
import { fileOf, isHeavy, parseMarkdown } from "./markdown";
import { maxLength, Paragraphs } from "./paragraphs";

const scripts = [
  "<script>window.pwned = 1</script>",
  "<img src=x onerror=window.pwned=1>",
  "<svg onload=window.pwned=1><script>window.pwned=1</script></svg>",
  '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
  "<details open ontoggle=window.pwned=1>x</details>",
  '<form action="https://evil.example"><input name=q autofocus onfocus=window.pwned=1></form>',
  "<style>* { display: none }</style>",
  '<p style="position:fixed;inset:0">over everything</p>',
  '<link rel="stylesheet" href="https://evil.example/a.css">',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<object data="data:text/html,<script>parent.pwned=1</script>"></object>',
  "<math><mtext><table><mglyph><style><img src=x onerror=window.pwned=1>",
  "[a](javascript:window.pwned=1)",
  "[a](JaVaScRiPt&colon;window.pwned=1)",
  "[a](\u0001javascript:window.pwned=1)",
  "[a](data:text/html;base64,PHNjcmlwdD4=)",
  "[a](vbscript:x)",
  "[a](file:///etc/passwd)",
  "[a](../../etc/passwd.txt)",
  "![a](javascript:window.pwned=1)",
  "![a](https://evil.example/track.png)",
  "<javascript:window.pwned=1>",
  '[a](https://ok.example "x\\" onmouseover=window.pwned=1 y=\\"")',
  '`<img src=x onerror=window.pwned=1>`\n\n```html" onload="x\n<script>window.pwned=1</script>\n```',
  "| a |\n|---|\n| <img src=x onerror=window.pwned=1> |",
  "[a]: javascript:window.pwned=1\n\n[a]",
  "<!--><img src=x onerror=window.pwned=1>-->",
];
const tags =
  "P,H1,H2,H3,H4,H5,H6,STRONG,EM,DEL,CODE,PRE,UL,OL,LI,BLOCKQUOTE,HR,BR,A,BUTTON,DIV,TABLE,THEAD,TBODY,TR,TH,TD,SPAN";
const attributes = "href,title,class,start,align,type,tabindex,data-path,data-line".split(",");

function draw(text: string): HTMLElement {
  const frame = document.createElement("div");
  for (const part of parseMarkdown(text)) {
    frame.append(part.kind === "nodes" ? part.nodes : part.text);
  }
  document.body.replaceChildren(frame);
  return frame;
}

describe("model output", () => {
  beforeEach(() => {
    Object.assign(window, { pwned: undefined });
  });

  test.each(scripts)("runs no script and has no other links: %s", async (text) => {
    const frame = draw(text);
    await new Promise((done) => setTimeout(done));
    expect((window as { pwned?: number }).pwned).toBeUndefined();
    for (const element of frame.querySelectorAll("*")) {
      expect(tags.split(",")).toContain(element.tagName);
      for (const { name } of element.attributes) expect(attributes).toContain(name);
      const href = element.getAttribute("href");
      if (href !== null) expect(new URL(href).protocol).toMatch(/^(https?|mailto):$/);
      const path = (element as HTMLElement).dataset.path;
      if (path !== undefined) expect(path.split(/[\\/]/)).not.toContain("..");
    }
  });

  test("opens mail and folder files with a button", () => {
    const frame = draw(
      "<mailto:a@b.example> `src/a.go:12` [b](src/b.ts#L3) `not a file` `a.b` `go test ./...`",
    );
    expect(frame.querySelector("a")?.href).toBe("mailto:a@b.example");
    const files = [...frame.querySelectorAll<HTMLElement>(".file-link")].map((link) => ({ ...link.dataset }));
    expect(files).toEqual([
      { path: "src/a.go", line: "12" },
      { path: "src/b.ts", line: "3" },
    ]);
  });

  test("names a file only if it is one", () => {
    expect(fileOf("main.go:4")).toEqual({ path: "main.go", line: 4 });
    expect(fileOf("a/b c.txt", true)).toEqual({ path: "a/b c.txt", line: 0 });
    for (const none of [
      "main.go",
      "https://a.example/b.go",
      "../a/b.go",
      "a/b",
      " a/b.go",
      "10:30",
      "cat src/a.go",
      "a/\u202Eb.go",
    ]) {
      expect(fileOf(none)).toBeUndefined();
    }
  });
});

describe("text that would freeze the parser", () => {
  const n = maxLength;
  const bombs: Record<string, string> = {
    quotes: ">".repeat(10_000),
    "spaced quotes": "> ".repeat(10_000),
    "lists in one line": "- ".repeat(10_000),
    "lists in lists": Array.from({ length: 10_000 }, (_, i) => `${" ".repeat(i * 2)}- a`)
      .join("\n")
      .slice(0, n * 4),
    emphasis: "a**".repeat(n / 3),
    "mixed emphasis": "a*b_".repeat(n / 4),
    brackets: "[".repeat(n),
    links: "[a](".repeat(n / 4),
    "an address": `${"a.".repeat(n / 2)}@`,
    "a wide table": `${"|a".repeat(n / 2)}\n${"|-".repeat(n / 2)}`,
    "a long table": `|a|\n|-|\n${"|b|\n".repeat(n / 4)}`,
    "code marks": Array.from({ length: 250 }, (_, i) => "`".repeat(i)).join(" "),
  };
  test.each(Object.entries(bombs))("is shown as it came: %s", (_, text) => {
    expect(isHeavy(text)).toBe(true);
    expect(parseMarkdown(text)).toEqual([{ kind: "plain", text }]);
  });

  test("doesn't match ordinary text", () => {
    const table = `| a | b |\n|---|---|\n${"| one | **two** |\n".repeat(200)}`;
    const list = Array.from({ length: 300 }, (_, i) => `${"  ".repeat(i % 6)}- entry \`${i}\``).join("\n");
    for (const text of [table, list, "> > > quoted", "word ".repeat(5000)]) expect(isHeavy(text)).toBe(false);
    expect(draw(table).querySelectorAll("tr")).toHaveLength(201);
  });

  test("is allowed in code, which is not parsed", () => {
    const code = `\`\`\`\n${"[".repeat(20_000)}\n\`\`\`\n`;
    expect(parseMarkdown(code)).toEqual([{ kind: "code", text: "[".repeat(20_000), lang: "" }]);
  });
});

describe("a text of any size", () => {
  /** cut feeds text in pieces and returns the paragraphs. */
  function cut(text: string): Paragraphs {
    const paragraphs = new Paragraphs();
    for (let at = 0; at < text.length; at += 4000) paragraphs.grow(text.slice(at, at + 4000));
    paragraphs.finish();
    return paragraphs;
  }
  const longest = (all: Paragraphs) => Math.max(...all.finished.map((piece) => piece.text.length));

  test("of one line is cut into plain pieces without loss", () => {
    const text = "x".repeat(5_000_000);
    const all = cut(text);
    expect(all.finished.every((piece) => piece.kind === "plain")).toBe(true);
    expect(longest(all)).toBeLessThanOrEqual(2 * maxLength);
    expect(all.finished.map((piece) => piece.text).join("")).toBe(text);
  });

  test("of many lines is cut at line ends", () => {
    const text = "one line of text\n".repeat(100_000);
    const all = cut(text);
    expect(longest(all)).toBeLessThanOrEqual(2 * maxLength);
    expect(all.finished.every((piece) => piece.text.endsWith("text\n"))).toBe(true);
    expect(all.finished.map((piece) => piece.text).join("")).toBe(text);
  });

  test("of one list is cut between its items", () => {
    const all = cut("- entry\n  more of it\n".repeat(20_000));
    expect(longest(all)).toBeLessThanOrEqual(2 * maxLength);
    expect(all.finished.every((piece) => piece.text.startsWith("- entry"))).toBe(true);
  });

  test("of code stays code in every piece, without the fences", () => {
    const all = cut(`Look:\n\`\`\`go\n${"line of code\n".repeat(20_000)}\`\`\`\nAnd on.`);
    expect(all.finished[0]).toEqual({ kind: "markdown", text: "Look:\n" });
    expect(all.finished.at(-1)).toEqual({ kind: "markdown", text: "And on." });
    const code = all.finished.slice(1, -1);
    expect(code.length).toBeGreaterThan(2);
    expect(code.every((piece) => piece.kind === "code" && piece.lang === "go")).toBe(true);
    expect(code.map((piece) => piece.text).join("\n")).toBe("line of code\n".repeat(20_000).trimEnd());
    expect(longest(all)).toBeLessThanOrEqual(2 * maxLength);
  });

  test("shows no more of its open end than requested, and its start rarely moves", () => {
    const paragraphs = new Paragraphs();
    let [all, before, leaps] = ["", "", 0];
    for (let i = 0; i < 1000; i++) {
      paragraphs.grow(`${i} word\n`);
      all += `${i} word\n`;
      const tail = paragraphs.tail(200);
      expect(all.endsWith(tail)).toBe(true);
      expect(tail.length).toBeLessThanOrEqual(200);
      expect(tail.length).toBeGreaterThanOrEqual(Math.min(100, all.length));
      if (!tail.startsWith(before)) leaps++;
      before = tail;
    }
    expect(leaps).toBe(Math.ceil((all.length - 200) / 100));
  });
});

describe("output", () => {
  test("with a hundred thousand colors has a bounded number of runs and all of its text", () => {
    const runs = parseAnsi("\u001b[31ma\u001b[0mb".repeat(100_000));
    expect(runs.length).toBeLessThanOrEqual(maxRuns + 1);
    expect(runs.map((run) => run.text).join("")).toBe("ab".repeat(100_000));
  });

  test("wraps endless lines", () => {
    expect(hasLongLine(`short\n${"x".repeat(6000)}\nshort`)).toBe(true);
    expect(hasLongLine("short\n".repeat(10_000))).toBe(false);
  });
});

describe("invisible characters", () => {
  test("are named in a path or command: controls, directions and zero-width characters", () => {
    expect(visibleText("a\u202Egpj.exe")).toBe("a[U+202E]gpj.exe");
    expect(visibleText("rm\u200B -rf\u0007 \u2066x\u2069")).toBe("rm[U+200B] -rf[U+0007] [U+2066]x[U+2069]");
    expect(visibleParts("\u0000")).toEqual([{ text: "U+0000", marked: true }]);
  });

  test("don't include emoji joiners", () => {
    expect(visibleText("👩‍👩‍👧 ❤️ 👍🏽", "line")).toBe("👩‍👩‍👧 ❤️ 👍🏽");
    expect(visibleText("a\u200Db\uFE0F")).toBe("a[U+200D]b[U+FE0F]");
  });
});
