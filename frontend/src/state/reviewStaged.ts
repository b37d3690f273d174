// Determines which changed lines of a file are staged.

import { search } from "../lib/search";
import type { LinePlace, ReviewBlock } from "./reviewTypes";
import type { ReviewDiff, ReviewStaged } from "./types";

/** How much of a set of changed lines is staged; "" means none. */
export type Staged = ReviewStaged | "";

/** The part of a file's changes to stage or unstage. */
export interface StagePart {
  blocks: readonly ReviewBlock[];
  /** Returns the announcement after the part has been staged or unstaged. */
  announcement(staged: boolean): string;
}

type Range = readonly [from: number, count: number];

function rangesOf(diff: ReviewDiff | undefined, side: LinePlace["side"]): readonly Range[] {
  return (diff?.staged?.[side] ?? []) as unknown as readonly Range[];
}

const last = (ranges: readonly Range[], line: number) =>
  search(ranges.length, (at) => ranges[at]?.[0] ?? 0, line);

/** isStaged reports whether a changed line is staged. */
export function isStaged(diff: ReviewDiff | undefined, { side, at }: LinePlace): boolean {
  const ranges = rangesOf(diff, side);
  const range = ranges[last(ranges, at)];
  return range !== undefined && at < range[0] + range[1];
}

/** stagedIn returns how much of the given blocks is staged. */
export function stagedIn(diff: ReviewDiff | undefined, blocks: readonly ReviewBlock[]): Staged {
  let [staged, all] = [0, 0];
  for (const [old, oldCount, start, newCount] of blocks) {
    staged += linesIn(rangesOf(diff, "old"), old, oldCount) + linesIn(rangesOf(diff, "new"), start, newCount);
    all += oldCount + newCount;
  }
  if (staged === 0) return "";
  return staged === all ? "all" : "part";
}

/** linesIn returns how many of the `count` lines from line `from` on are in the given ranges. */
function linesIn(ranges: readonly Range[], from: number, count: number): number {
  let lines = 0;
  for (let at = Math.max(0, last(ranges, from)); at < ranges.length; at++) {
    const [first, n] = ranges[at] as Range;
    if (first >= from + count) break;
    lines += Math.max(0, Math.min(first + n, from + count) - Math.max(first, from));
  }
  return lines;
}
