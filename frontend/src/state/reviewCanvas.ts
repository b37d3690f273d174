// Types that the review's model shares with the part of the screen that draws the diffs.

import type { LinePlace } from "./reviewTypes";

/** The change that keys act on. */
export interface Place {
  path: string;
  hunk: number;
}

/** Selected lines of a file, from the first to the last. */
export interface LineRange {
  path: string;
  from: LinePlace;
  to: LinePlace;
}

/** A part that wasn't put back, because later changes overlap it. */
export interface Conflict {
  path: string;
  diff: string;
}

/** The part of the screen that draws the diffs. */
export interface ReviewCanvas {
  /** Runs a change of rows or files so that what the reader sees doesn't move, and draws the result. */
  keep(change: () => void): void;
  /** Draws the rows of a file again, after texts or decisions changed. */
  redraw(path: string): void;
  /** Fills rows whose texts or colors have arrived, or all rows if `all` is set. */
  refill(path: string, all: boolean): void;
  /** Reports whether a file is in view. */
  isVisible(path: string): boolean;
}

export const noCanvas: ReviewCanvas = {
  keep: (change) => change(),
  redraw: () => {},
  refill: () => {},
  isVisible: () => false,
};
