// Types shared by the review's model and the component that renders the diffs.

import type { LinePlace } from "./reviewTypes";

/** The change that shortcuts act on. */
export interface Place {
  path: string;
  hunk: number;
}

/** The selected lines of a file, from the first line to the last. */
export interface LineRange {
  path: string;
  from: LinePlace;
  to: LinePlace;
}

/** A part of a file that wasn't reverted or restored, because later changes overlap it. */
export interface Conflict {
  path: string;
  diff: string;
}

/** The component that renders the diffs. */
export interface ReviewCanvas {
  /** Runs `change`, which changes rows or files, and renders the result. The visible content stays in place. */
  keep(change: () => void): void;
  /** Renders a file again after its texts or the user's decisions about it have changed. */
  redraw(path: string): void;
  /** Renders rows of a file again: those whose text or colors were missing, or all line rows if `all` is set. */
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
