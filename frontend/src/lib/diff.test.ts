import { describe, expect, test } from "vitest";
import { changedWords, hunksOf, markedRuns, parseDiff, partners, splitDiff } from "./diff";

const marked = (line: string, partner: string) =>
  changedWords(line, partner).map(([from, to]) => line.slice(from, to));

describe("a diff side by side", () => {
  const rows = parseDiff("@@ -10,5 +12,5 @@ func a()\n same\n-one\n-two\n+eins\n+zwei\n+drei\n end\n-gone\n");

  test("aligns removed and added lines, leaving gaps empty", () => {
    expect(splitDiff(rows).map((pair) => [pair.old?.text, pair.new?.text])).toEqual([
      ["func a()", "func a()"],
      ["same", "same"],
      ["one", "eins"],
      ["two", "zwei"],
      [undefined, "drei"],
      ["end", "end"],
      ["gone", undefined],
    ]);
  });

  test("has a line's old and new numbers", () => {
    const same = rows
      .filter((row) => row.kind === "same")
      .map((row) => [row.before ?? row.number, row.number]);
    expect(same).toEqual([
      [10, 12],
      [13, 16],
    ]);
  });

  test("maps lines in both directions", () => {
    const beside = partners(splitDiff(rows));
    const [one, eins] = [rows[2], rows[4]];
    expect(one && beside.get(one)).toBe(eins);
    expect(eins && beside.get(eins)).toBe(one);
    expect(beside.size).toBe(4);
  });
});

describe("differing words", () => {
  test("are marked in both lines", () => {
    expect(marked("if retry(err) {", "if s.retry(ctx, err) {")).toEqual([]);
    expect(marked("if s.retry(ctx, err) {", "if retry(err) {")).toEqual(["s.", "ctx, "]);
    expect(marked('const greeting = "hello"', 'const greeting = "goodbye"')).toEqual(["hello"]);
  });

  test("are not marked in long lines or those with little in common", () => {
    expect(marked("return tok, err", "// One exchange per account")).toEqual([]);
    const long = "word ".repeat(400);
    expect(marked(`${long}a`, `${long}b`)).toEqual([]);
  });

  test("split a line's colors at their bounds without losing a character", () => {
    const runs = markedRuns(
      [
        { text: "return ", class: "k" },
        { text: "value", class: "" },
      ],
      [
        [3, 9],
        [11, 12],
      ],
    );
    expect(runs.map((run) => (run.marked ? `[${run.text}]` : run.text))).toEqual([
      "ret",
      "[urn ]",
      "[va]",
      "lu",
      "[e]",
    ]);
    expect(runs.map((run) => run.class)).toEqual(["k", "k", "", "", ""]);
  });
});

test("a hunk is rendered whatever follows its numbers", () => {
  for (const where of ["a\u2028b", "a\u2029b", "a\rb", "\r"]) {
    const rows = parseDiff(`@@ -1 +1 @@ ${where}\n-1\n+2\n`);
    expect(rows.map((row) => row.kind)).toEqual(["head", "del", "add"]);
  }
});

test("a diff of 100,000 lines is parsed and paired", () => {
  const lines = Array.from({ length: 50_000 }, (_, n) => `-old ${n}\n+new ${n}\n`).join("");
  const pairs = splitDiff(parseDiff(`@@ -1,50000 +1,50000 @@\n${lines}`));
  expect(pairs).toHaveLength(50_000);
  expect(pairs.at(-1)).toMatchObject({ old: { number: 50_000 }, new: { number: 50_000, text: "new 49999" } });
});

test("splits a diff into hunks, each with its file's names", () => {
  const first = "@@ -1,2 +1 @@ a\n-one\n--- two\n+eins\n\\ No newline at end of file\n";
  const second = "@@ -9 +8,2 @@\n-x\n+y\r\n++++ z\n";
  const names = "--- a.go\n+++ a.go\n";
  const all = `diff --git a b\n${names}${first}${second}--- b.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone`;
  expect(hunksOf(all)).toEqual([
    names + first,
    names + second,
    "--- b.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone",
  ]);
  const heads = parseDiff(all, true).filter(({ kind }) => kind === "head");
  expect(heads.map(({ hunk }) => hunk)).toEqual([
    { index: 0, from: 1, to: 1 },
    { index: 1, from: 8, to: 9 },
    { index: 2, from: 0, to: 0 },
  ]);
  expect(hunksOf("")).toEqual([]);
});
