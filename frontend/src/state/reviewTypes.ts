// Types of the Review screen that aren't generated from Go.

import type { ReviewDiff, ReviewFile, ReviewSide } from "./types";

/**
 * A block of changed lines: first line and number of lines on the old side, then on the new side. Lines are 0-based.
 */
export type ReviewBlock = readonly [old: number, oldCount: number, start: number, newCount: number];

/** blocksOf returns the changed blocks of a diff. */
export function blocksOf(diff: Pick<ReviewDiff, "blocks">): readonly ReviewBlock[] {
  return diff.blocks as unknown as readonly ReviewBlock[];
}

/** A line on one side of a file, 0-based. */
export interface LinePlace {
  side: ReviewSide;
  at: number;
}

/** isWithoutRows reports whether no lines of a changed file can be shown: it is binary or too large, or a submodule. */
export function isWithoutRows(file: ReviewFile): boolean {
  return file.binary === true || file.tooLarge === true || file.kind === "submodule";
}
