import { expect, test } from "vitest";
import type { CodeRun } from "../../lib/highlight";
import { drawCode } from "./code";

const runs: CodeRun[] = [
  { text: "let", class: "k" },
  { text: " it be", class: "" },
] as CodeRun[];

test.each([
  ["plain text", undefined, []],
  ["changed words", undefined, [[2, 4]]],
  ["colors", runs, []],
] as [string, CodeRun[] | undefined, [number, number][]][])(
  "equal %s keep their nodes, so that a selection stays",
  (_, colors, marks) => {
    const cell = document.createElement("span");
    drawCode(cell, "let it be", colors, marks, []);
    const before = [...cell.childNodes];
    drawCode(cell, "let it be", colors, marks, []);
    expect(cell.childNodes.length).toBe(before.length);
    for (const [at, node] of before.entries()) expect(cell.childNodes[at]).toBe(node);
    drawCode(cell, "let it go", undefined, [], []);
    expect(cell.textContent).toBe("let it go");
  },
);
