import { expect, test } from "vitest";
import { type CodeState, highlight, highlightLines, languageOf } from "./highlight";

test("code is split into runs that rebuild it", async () => {
  const code = 'func a() error {\n\t// why\n\treturn log("x", 1)\n}';
  const lines = await highlight(code, "go");
  expect(lines?.map((line) => line.map((run) => run.text).join("")).join("\n")).toBe(code);
  const looks = Object.fromEntries(lines?.flat().map((run) => [run.text.trim(), run.class]) ?? []);
  expect(looks.return).toBe("k");
  expect(looks["// why"]).toBe("co");
  expect(looks["1"]).toBe("nu");
});

test("a multi-line comment has one style throughout", async () => {
  const code = `var a = 1 /*\n${"why\n".repeat(130)}*/\nvar b = 2`;
  const lines = await highlight(code, "go");
  expect(lines?.map((line) => line.map((run) => run.text).join("")).join("\n")).toBe(code);
  expect(lines?.slice(1, 131).flatMap((line) => line.map((run) => run.class))).toEqual(Array(130).fill("co"));
  expect(lines?.at(-1)?.map((run) => run.class)).toContain("k");
});

test("other tasks run between code blocks", async () => {
  await highlight("let a = 0;", "javascript");
  let tasks = 0;
  let timer = setTimeout(function next() {
    tasks++;
    timer = setTimeout(next);
  });
  const ends = await Promise.all(
    ["let b = 1;", "let c = 2;", "let d = 3;"].map((code) => highlight(code, "javascript").then(() => tasks)),
  );
  clearTimeout(timer);
  expect(new Set(ends).size).toBe(3);
});

test("code in an unknown language stays plain", async () => {
  expect(await highlight("x", "")).toBeUndefined();
  expect(await highlight("x".repeat(40_000), "go")).toBeUndefined();
});

test.each([
  ["console", "$ git status\n", "$"],
  ["shellsession", '$ echo "hi"\nhi\n', '"hi"'],
  ["pwsh", "Get-ChildItem | ForEach-Object { $_.Name } # why\n", "# why"],
  ["deploy.ps1", 'if ($a) { "x" }\n', "if"],
  ["ini", "[core]\nname = x\n", "core"],
  ["settings.cfg", "; why\n", "; why"],
  ["gql", "query A { b(c: 1) }\n", "query"],
  ["vue", "<template><p>x</p></template>\n", "template"],
  ["svelte", "<script>\nlet a = 1\n</script>\n", "let"],
  ["lua", "local a = nil -- why\n", "local"],
  ["dart", "final a = 'x'; // why\n", "// why"],
  ["jsonc", '{ "a": 1 } // why\n', "// why"],
  ["tsconfig.json5", '{ "a": 1 } // why\n', "// why"],
  ["scss", "$a: 1px; // why\n", "// why"],
  ["main.tf", 'resource "a" "b" {}\n', "resource"],
  ["protobuf", 'syntax = "proto3";\n', "syntax"],
])("%s has colors", async (word, code, colored) => {
  const lines = await highlight(code, languageOf(word));
  expect(lines?.map((line) => line.map((run) => run.text).join("")).join("\n")).toBe(code);
  const letters = lines?.flatMap((line) => [
    ...line.flatMap((run) => run.text.split("").fill(run.class)),
    "",
  ]);
  expect(letters?.[code.indexOf(colored)]).toBeTruthy();
});

test("a patch shows added and removed lines like a diff", async () => {
  const patch = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n";
  const lines = await highlight(patch, languageOf("patch"));
  const lookOf = (text: string) =>
    lines?.find((line) => line.map((run) => run.text).join("") === text)?.map((run) => run.class);
  expect(new Set(lookOf("-old"))).toEqual(new Set(["a-red"]));
  expect(new Set(lookOf("+new"))).toEqual(new Set(["a-green"]));
  expect(lookOf(" same")).toEqual([""]);
  expect(lookOf("@@ -1,2 +1,2 @@")).toContain("ty");
  expect(languageOf("fix.patch")).toBe(languageOf("diff"));
});

test("a part of longer code continues in the state of the part before", async () => {
  const part = (lines: string[], state?: CodeState) =>
    highlightLines({ lines, language: "typescript", state, isWanted: () => true });
  const start = await part(["const a = `", ...Array(60).fill("let text"), "let more"]);
  const rest = await part(["let end`;", "let b = 1;"], start?.state);
  const looks = rest?.runs.map((line) => line.find((run) => run.text.includes("let"))?.class);
  expect(looks).toEqual(["st_", "k"]);
  expect(start?.runs).toHaveLength(62);
  const alone = await part(["let end`;"]);
  expect(alone?.runs[0]?.find((run) => run.text.includes("let"))?.class).toBe("k");
});

test("a part that is no longer wanted isn't highlighted", async () => {
  let asked = 0;
  const lines = Array(200).fill("let a = 1;");
  const isWanted = () => ++asked < 3;
  expect(await highlightLines({ lines, language: "typescript", state: undefined, isWanted })).toBeUndefined();
  expect(asked).toBe(3);
});
