// The staged lines of a file's diff.

import { search } from "../lib/search";
import type { LinePlace, ReviewBlock } from "./reviewTypes";
import type { ReviewDiff, ReviewStaged } from "./types";

/** How much of some changed lines is staged. */
export type Staged = ReviewStaged | "";

/** A part of a file's changes to stage or unstage. */
export interface StagePart {
  blocks: readonly ReviewBlock[];
  /** Returns what is announced after the part was staged or unstaged. */
  told(staged: boolean): string;
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

/** stagedIn returns how much of changed blocks is staged. */
export function stagedIn(diff: ReviewDiff | undefined, blocks: readonly ReviewBlock[]): Staged {
  let [staged, all] = [0, 0];
  for (const [old, oldCount, start, newCount] of blocks) {
    staged += linesIn(rangesOf(diff, "old"), old, oldCount) + linesIn(rangesOf(diff, "new"), start, newCount);
    all += oldCount + newCount;
  }
  if (staged === 0) return "";
  return staged === all ? "all" : "part";
}

/** linesIn returns the number of lines of ranges that are among `count` lines from a line. */
function linesIn(ranges: readonly Range[], from: number, count: number): number {
  let lines = 0;
  for (let at = Math.max(0, last(ranges, from)); at < ranges.length; at++) {
    const [first, n] = ranges[at] as Range;
    if (first >= from + count) break;
    lines += Math.max(0, Math.min(first + n, from + count) - Math.max(first, from));
  }
  return lines;
}
