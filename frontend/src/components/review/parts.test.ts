import { describe, expect, test } from "vitest";
import { FileView } from "../../state/reviewFile";
import type { ReviewDiff, ReviewFile } from "../../state/types";
import { pairLines, piecesOf } from "./code";
import { rowRange, selectedBlocks } from "./parts";

const file: ReviewFile = { path: "a.go", kind: "edited", added: 3, removed: 2, version: "1", size: 10 };
const diff: ReviewDiff = {
  path: "a.go",
  version: "1",
  oldLines: 30,
  newLines: 31,
  oldEnd: true,
  newEnd: true,
  blocks: [[10, 2, 10, 3]],
};

function view(split: boolean): FileView {
  const made = new FileView(file);
  made.setDiff(diff);
  made.build({ split, heights: { line: 18, head: 28, tail: 26 }, inserts: [] });
  return made;
}

describe("the part that selected lines cover", () => {
  test.each([
    ["one removed line", false, ["old", 11], ["old", 11], [[11, 1, 10, 0]]],
    ["added lines", false, ["new", 11], ["new", 12], [[12, 0, 11, 2]]],
    ["lines of both kinds", false, ["old", 11], ["new", 10], [[11, 1, 10, 1]]],
    ["lines selected upward", false, ["new", 10], ["old", 11], [[11, 1, 10, 1]]],
    ["a row of both sides", true, ["old", 11], ["old", 11], [[11, 1, 11, 1]]],
    ["a row with one side", true, ["new", 12], ["new", 12], [[12, 0, 12, 1]]],
    ["unchanged lines", false, ["new", 8], ["new", 9], []],
  ] as const)("%s", (_, split, from, to, expected) => {
    const made = view(split);
    const rows = rowRange(made, {
      path: "a.go",
      from: { side: from[0], at: from[1] },
      to: { side: to[0], at: to[1] },
    });
    expect(rows && selectedBlocks(made, 0, rows)).toEqual(expected);
  });
});

describe("a line", () => {
  test("is split at runs, changed words and matches", () => {
    const runs = [
      { text: "return ", class: "k" },
      { text: "value", class: "" },
    ];
    const pieces = piecesOf("return value", runs, [[7, 12]], [{ range: [5, 9], now: true }]);
    expect(pieces).toEqual([
      { text: "retur", class: "k", marked: false, found: "" },
      { text: "n ", class: "k", marked: false, found: "now" },
      { text: "va", class: "", marked: true, found: "now" },
      { text: "lue", class: "", marked: true, found: "" },
    ]);
  });

  test("belongs to the most similar line of its block", () => {
    const olds = ["tok, err := s.client.Exchange(ctx, id)", "return tok, err"];
    const news = ["// one exchange", "tok, err := s.exchange(ctx, id)", "}", "return tok, nil"];
    expect(pairLines(olds, news)).toEqual([
      [0, 1],
      [1, 3],
    ]);
  });
});
