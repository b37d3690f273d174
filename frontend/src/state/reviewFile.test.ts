import { expect, test } from "vitest";
import { type BuildOptions, FileView, type PutBackNote } from "./reviewFile";
import type { Insert } from "./reviewRows";
import type { ReviewDiff, ReviewFile } from "./types";

const heights = { line: 18, head: 28, tail: 26 };
const options: BuildOptions = { split: false, heights, inserts: [] };
const note: PutBackNote = { id: "n", lines: 1, place: "a", at: 0, merged: false, hunk: 0 };
const comment: Insert = { id: "comment:1", hunk: -1, height: 84 };

function fileOf(more: Partial<ReviewFile> = {}): ReviewFile {
  return { path: "a.txt", kind: "edited", added: 3, removed: 4, version: "1", size: 9, ...more };
}

const diff: ReviewDiff = {
  path: "a.txt",
  version: "1",
  oldLines: 30,
  newLines: 30,
  oldEnd: true,
  newEnd: true,
  blocks: [[10, 2, 10, 2]],
};

test("the height is that of the rows, whether they have been computed or not", () => {
  const cases: [name: string, change: (view: FileView) => void, inserts: Insert[]][] = [
    ["loading", () => {}, []],
    ["loading with a comment", () => {}, [comment]],
    ["loading with a comment on a line", () => {}, [{ id: "c", line: { side: "new", at: 3 }, height: 50 }]],
    ["folded", (view) => Object.assign(view, { isFolded: true }), [comment]],
    ["a note", (view) => view.notes.push(note), []],
    ["gone with a note", (view) => Object.assign(view, { isGone: true, notes: [note] }), [comment]],
    ["rows", (view) => view.setDiff(diff), [comment, { id: "c", line: { side: "new", at: 10 }, height: 50 }]],
    ["binary", (view) => view.setDiff({ ...diff, blocks: [], binary: true }), []],
  ];
  for (const [name, change, inserts] of cases) {
    const view = new FileView(fileOf());
    change(view);
    view.build({ ...options, inserts });
    const before = view.height;
    expect(before, name).toBe(view.rows.height);
    expect(view.height, name).toBe(before);
  }
});

test("measured heights survive, except that of a state", () => {
  const view = new FileView(fileOf());
  view.build({ ...options, inserts: [{ ...comment }] });
  view.rows.setInsertHeight("comment:1", 200);
  view.rows.setInsertHeight("state", 1000);
  view.setDiff({ ...diff, blocks: [], binary: true });
  view.build({ ...options, inserts: [{ ...comment }] });
  expect(view.height).toBe(200 + 46);
  expect(view.rows.height).toBe(200 + 46);
});

test("rows that stay the same stay the same object", () => {
  const view = new FileView(fileOf());
  view.setDiff(diff);
  view.build(options);
  const { rows } = view;
  view.build(options);
  expect(view.rows).toBe(rows);
  view.build({ ...options, split: true });
  expect(view.rows).not.toBe(rows);
  expect(view.rows.input.split).toBe(true);
});
