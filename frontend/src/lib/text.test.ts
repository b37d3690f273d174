import { describe, expect, test } from "vitest";
import { parseAnsi, plainOutput, tailLines } from "./ansi";
import { parseDiff } from "./diff";
import { bytes, relativePath, utf8Size, visibleParts } from "./format";
import { languageOf } from "./highlight";
import { isOpenable, parseMarkdown } from "./markdown";
import { Paragraphs } from "./paragraphs";

/** Returns the HTML rendered for text. */
function html(text: string): string {
  const frame = document.createElement("div");
  for (const part of parseMarkdown(text)) {
    if (part.kind === "nodes") frame.append(part.nodes);
    else if (part.kind === "code")
      frame.append(Object.assign(document.createElement("pre"), { textContent: part.text }));
    else frame.append(part.text);
  }
  return frame.innerHTML;
}

/** Feeds text in pieces of the given size and returns the finished paragraphs and the rest. */
function feed(text: string, size: number): { finished: string[]; rest: string } {
  const paragraphs = new Paragraphs();
  for (let at = 0; at < text.length; at += size) paragraphs.grow(text.slice(at, at + size));
  return { finished: paragraphs.finished.map((piece) => piece.text), rest: paragraphs.tail(text.length) };
}

describe("paragraphs", () => {
  const text = [
    "First line\nsecond line\n\n",
    "```go\nfunc a() {\n\n}\n```\n\n",
    "1. one\n\n2. two\n\n   more of two\n\n",
    "~~~\n```\nnot the end\n~~~\n\n",
    "last",
  ];

  test("are finished when the next one starts, however the text is split", () => {
    for (const size of [1, 2, 3, 7, 1000]) {
      const { finished, rest } = feed(text.join(""), size);
      expect(finished).toEqual(text.slice(0, 4));
      expect(rest).toBe("last");
    }
  });

  test("are never cut inside code, despite blank lines", () => {
    const { finished, rest } = feed("```\na\n\nb\n\nc\n", 1);
    expect(finished).toEqual([]);
    expect(rest).toBe("```\na\n\nb\n\nc\n");
  });

  test("rebuild the whole text", () => {
    const whole = text.join("");
    const paragraphs = new Paragraphs();
    paragraphs.grow(whole.slice(0, 20));
    paragraphs.grow(whole.slice(20));
    paragraphs.finish();
    expect(paragraphs.finished.map((piece) => piece.text).join("")).toBe(whole);
  });
});

describe("Markdown", () => {
  test("is rendered", () => {
    expect(html("**bold** and `code`")).toBe("<p><strong>bold</strong> and <code>code</code></p>\n");
    expect(html("- [x] done")).toContain("\u2611 done");
  });

  test("runs nothing and loads nothing", () => {
    const evil = [
      "<script>alert(1)</script>",
      "<img src=x onerror=alert(1)>",
      "![pixel](https://evil.example/p.png)",
      "[click](javascript:alert(1))",
      "[click](data:text/html,x)",
      '<a href="https://x.example" onclick="alert(1)" style="position:fixed">x</a>',
      "<iframe src=https://evil.example></iframe>",
      '[a](https://x.example/"onmouseover=alert(1))',
      "<svg><use href=https://evil.example></svg>",
    ].join("\n\n");
    const frame = document.createElement("div");
    frame.innerHTML = html(evil);
    expect(frame.querySelectorAll("script, img, iframe, svg, style, form, input")).toHaveLength(0);
    for (const element of frame.querySelectorAll("*")) {
      for (const { name, value } of element.attributes) {
        expect(["href", "title", "class", "start", "align"]).toContain(name);
        if (name === "href") expect(value).toMatch(/^https?:/);
      }
    }
  });

  test("shows an image as a link to it", () => {
    expect(html("![a plan](https://x.example/a.png)")).toContain('href="https://x.example/a.png"');
    expect(html("![a plan](https://x.example/a.png)")).toContain(">a plan</a>");
  });

  test("shows raw HTML as text", () => {
    expect(html("<b>hi</b> there")).toContain("&lt;b&gt;hi");
  });

  test("treats only a line above an underline as a heading", () => {
    expect(html("Title\n=====\n\nText")).toContain("<h1>Title</h1>");
    expect(html("Part\n---")).toContain("<h2>Part</h2>");
    expect(html("- Part\n  ---")).toContain("<h2>Part</h2>");
    expect(html("a = b\n- c")).not.toContain("<h");
  });

  test("separates code from its language", () => {
    expect(parseMarkdown("a\n\n```ts title=x\nlet a;\n```\n")).toMatchObject([
      { kind: "nodes" },
      { kind: "code", text: "let a;", lang: "ts" },
    ]);
  });

  test("opens only web addresses", () => {
    expect(isOpenable("https://a.example")).toBe(true);
    for (const href of ["file:///etc/passwd", "javascript:1", "vscode://x", "../a.go", ""]) {
      expect(isOpenable(href)).toBe(false);
    }
  });
});

describe("command output", () => {
  test("keeps its colors", () => {
    expect(parseAnsi("\u001b[31mbad\u001b[0m good")).toEqual([
      { text: "bad", class: "a-red" },
      { text: " good", class: "" },
    ]);
  });

  test("drops terminal-only codes", () => {
    expect(plainOutput("\u001b]0;title\u0007a\u001b[2K\u001b[1Gb\u001b[?25lc")).toBe("abc");
  });

  test("shows the last text after a carriage return", () => {
    expect(plainOutput("10%\r50%\r100%\ndone\r\n")).toBe("100%\ndone\n");
  });

  test("is never markup", () => {
    expect(parseAnsi("<b>&amp;")).toEqual([{ text: "<b>&amp;", class: "" }]);
    expect(parseAnsi("\u001b[32m<b>&amp;\u001b[0m")).toEqual([{ text: "<b>&amp;", class: "a-green" }]);
  });

  test("has a tail", () => {
    expect(tailLines("a\nb\nc\n", 2)).toEqual({ text: "b\nc", lines: 3 });
    expect(tailLines("a\nb", 2)).toEqual({ text: "a\nb", lines: 2 });
  });
});

describe("a diff", () => {
  test("has rows with line numbers", () => {
    const rows = parseDiff(
      "--- a/x\n+++ b/x\n@@ -4,2 +4,3 @@ func a()\n same\n-old\n+new\n+more\n\\ No newline at end of file\n",
    );
    expect(rows).toEqual([
      { kind: "head", number: 0, text: "func a()" },
      { kind: "same", number: 4, text: "same" },
      { kind: "del", number: 5, text: "old" },
      { kind: "add", number: 5, text: "new" },
      { kind: "add", number: 6, text: "more" },
    ]);
  });

  test("keeps lines that look like headers", () => {
    const rows = parseDiff("@@ -1,1 +1,2 @@\n---- a\n+++ b\n+@@ -1 +1 @@\n");
    expect(rows.map((row) => row.kind + row.text)).toEqual(["del--- a", "add++ b", "add@@ -1 +1 @@"]);
  });
});

describe("an invisible character", () => {
  test("is named where a user decides", () => {
    expect(visibleParts("rm \u202Efdp.exe\u2066\u200B\u0007 a\tb\nc")).toEqual([
      { text: "rm ", marked: false },
      { text: "U+202E", marked: true },
      { text: "fdp.exe", marked: false },
      { text: "U+2066", marked: true },
      { text: "U+200B", marked: true },
      { text: "U+0007", marked: true },
      { text: " a\tb\nc", marked: false },
    ]);
  });

  test("leaves every readable script unchanged", () => {
    const text = "Grüße, 你好, שלום, مرحبا, 🤖 echo 'a' && b | c > d";
    expect(visibleParts(text)).toEqual([{ text, marked: false }]);
  });
});

test("paths inside the folder are written from its root", () => {
  expect(relativePath("/code/orbit/a/b.go", "/code/orbit")).toBe("a/b.go");
  expect(relativePath("/code/orbit-2/b.go", "/code/orbit")).toBe("/code/orbit-2/b.go");
  expect(relativePath("C:\\code\\a.go", "C:\\code\\")).toBe("a.go");
});

test("sizes are in bytes", () => {
  expect(utf8Size("Grüße 🤖")).toBe(12);
  expect([999, 84_400, 1_234_567].map(bytes)).toEqual(["999 B", "84 KB", "1.2 MB"]);
});

test("a language is found by a fence's word, a file extension or its name", () => {
  expect(["go", "TS", "src/a.tsx", "Dockerfile", "a.unknown", ""].map(languageOf)).toEqual([
    "go",
    "typescript",
    "tsx",
    "docker",
    "",
    "",
  ]);
});
