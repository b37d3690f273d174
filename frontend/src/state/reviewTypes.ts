// Types of the Review screen that the page adds to those of the app.

import type { ReviewDiff, ReviewFile, ReviewSide } from "./types";

/** A changed block: first line and number of lines of the old side, then of the new side. Lines are 0-based. */
export type ReviewBlock = readonly [old: number, oldCount: number, start: number, newCount: number];

/** blocksOf returns the changed blocks of a diff. */
export function blocksOf(diff: Pick<ReviewDiff, "blocks">): readonly ReviewBlock[] {
  return diff.blocks as unknown as readonly ReviewBlock[];
}

/** A line of one side of a file, 0-based. */
export interface LinePlace {
  side: ReviewSide;
  at: number;
}

/** isWithoutRows reports whether a file's change isn't shown as lines. */
export function isWithoutRows(file: ReviewFile): boolean {
  return file.binary === true || file.tooLarge === true || file.kind === "submodule";
}
