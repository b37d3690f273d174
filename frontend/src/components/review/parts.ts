// Finds the parts of a file's changes that the selection covers.

import { search } from "../../lib/search";
import type { LineRange } from "../../state/reviewCanvas";
import type { FileView } from "../../state/reviewFile";
import type { LinePlace, ReviewBlock } from "../../state/reviewTypes";

/**
 * rowRange returns the indexes of the first and last selected rows. It returns undefined if no lines of the file are
 * selected or the selection is hidden.
 */
export function rowRange(
  file: FileView,
  range: LineRange | undefined,
): [from: number, to: number] | undefined {
  if (!range || range.path !== file.path) return undefined;
  const [a, b] = [rowOf(file, range.from), rowOf(file, range.to)];
  if (a < 0 || b < 0) return undefined;
  return a <= b ? [a, b] : [b, a];
}

function rowOf(file: FileView, { side, at }: LinePlace): number {
  return file.rows.rowOf(side, at);
}

/** selectedBlocks returns the parts of a change's blocks that are in a range of rows. */
export function selectedBlocks(file: FileView, hunk: number, rows: readonly [number, number]): ReviewBlock[] {
  const [from, to] = rows;
  const { split } = file.rows.input;
  return file.rows.blocksOf(hunk).flatMap((block): ReviewBlock[] => {
    const [old, oldCount, start, newCount] = block;
    /** Returns the number of the block's lines on one side that are above a row. */
    const before = (side: "old" | "new", first: number, count: number, row: number) =>
      search(count, (at) => file.rows.rowOf(side, first + at), row - 1) + 1;
    const [oldFrom, oldTo] = [from, to + 1].map((row) => before("old", old, oldCount, row)) as [
      number,
      number,
    ];
    const [newFrom, newTo] = [from, to + 1].map((row) => before("new", start, newCount, row)) as [
      number,
      number,
    ];
    const [olds, news] = [oldTo - oldFrom, newTo - newFrom];
    if (olds === 0 && news === 0) return [];
    // If the part has no lines on one side, its position on that side is the position at which lines would be inserted.
    const oldAt = olds > 0 || split ? old + oldFrom : old + oldCount;
    const newAt = news > 0 || split ? start + newFrom : start;
    return [[oldAt, olds, newAt, news]];
  });
}
