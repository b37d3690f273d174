import { describe, expect, test } from "vitest";
import { byFile, sentenceOf, summarize } from "./runs";

/** sentenceText returns the sentence for an entry with its parts filled in. */
const sentenceText = (file: string, key: string, value: string, more = {}) => {
  const { text, parts } = sentenceOf({ file, key, value, ...more }, summarize(value).first);
  return text.replace(/\{(\d)\}/g, (_, at) => parts[Number(at)] ?? "");
};

describe("an entry's command", () => {
  test.each([
    [".mcp.json", "mcpServers.icons", "./mcp --watch", "Starts the server icons: ./mcp --watch"],
    [
      ".mcp.json",
      "mcpServers.far",
      "https://mcp.example.dev",
      "Connects to the server far: https://mcp.example.dev",
    ],
    [".github/lsp.json", "lspServers.go", "gopls", "Starts the language server go: gopls"],
    [".github/hooks/a.json", "hooks.preToolUse", "./a.sh", "Runs ./a.sh before every tool call"],
    [".github/hooks/a.json", "hooks.sessionStart", "./a.sh", "Runs ./a.sh when a session starts"],
    [".claude/settings.json", "hooks.PreToolUse (Bash)", "./a.sh", "Runs ./a.sh before every call to Bash"],
    [".gemini/settings.json", "hooks.AfterTool", "./a.sh", "Runs ./a.sh after every tool call"],
    [".github/hooks/a.json", "hooks.constructor", "./a.sh", "Runs ./a.sh on the event constructor"],
    [
      ".github/hooks/a.json",
      "hooks.subagentStart (x)",
      "./a.sh",
      "Runs ./a.sh on the event subagentStart (x)",
    ],
    [".claude/settings.json", "env", '{"A":"b"}', 'Sets env: {"A":"b"}'],
    [".git/config", "core.fsmonitor", "./w", "Git runs ./w whenever it looks for changes"],
    [".git/config", "core.sshCommand", "./ssh", "Git runs ./ssh to connect to a server"],
    [".git/config", "core.hooksPath", ".husky", "Git runs the hooks in .husky"],
    [".git/config", "filter.lfs.clean", "./f", "Git runs ./f when it reads or writes files"],
    [".git/config", "alias.st", "!./st", "Git runs !./st for the git st command"],
    [".git/config", "gpg.program", "./gpg", "Git uses ./gpg for gpg.program"],
    ["tools/gitconfig", "core.pager", "./p", "Git runs ./p to show its output"],
    [".git/hooks/pre-commit", "", "#!/bin/sh", "Git runs this file as its pre-commit hook"],
    [".git/modules/lib/hooks/post-merge", "", "#!/bin/sh", "Git runs this file as its post-merge hook"],
    ["app/.envrc", "", "x", "direnv runs this file when a shell enters the folder"],
    [".github/skills/x/SKILL.md", "", "y", "Can run commands or use tools without asking"],
    [".vscode/tasks.json", "", "{}", "A file that can run code"],
  ])("%s %s", (file, key, value, sentence) => {
    expect(sentenceText(file, key, value)).toBe(sentence);
  });

  test("is shown even with an empty value", () => {
    expect(sentenceText(".github/hooks/a.json", "hooks.stop", "")).toBe('Runs "" when an answer ends');
  });

  test("is replaced by the reason it is unknown", () => {
    expect(sentenceText("a", "", "", { note: "large" })).toBe(
      "Too large, so the code it can run isn't listed",
    );
    expect(sentenceText("a", "", "/etc", { note: "link" })).toBe("A link to /etc, outside the folder");
    expect(sentenceText("a", "", "", { note: "unread" })).toBe("Can't be read, so its effect is unknown");
  });
});

test("a long value is cut in its row with the omitted length", () => {
  expect(summarize("a\nb\n")).toEqual({ first: "a", rest: "b", more: 0 });
  expect(summarize("x".repeat(340)).more).toBe(0);
  const cut = summarize(`${"x".repeat(299)}😀${"y".repeat(1700)}`);
  expect(cut.more).toBe(1700);
  expect(cut.first.endsWith("😀")).toBe(true);
});

test("entries of one file are grouped", () => {
  const of = (file: string, key: string) => ({ file, key });
  const files = byFile([of("a", "1"), of("a", "2"), of("b", "3")]);
  expect(files.map(({ file, entries }) => [file, entries.length])).toEqual([
    ["a", 2],
    ["b", 1],
  ]);
});
