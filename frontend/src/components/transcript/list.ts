// Props and controls of a list of rows.

import type { JSX } from "solid-js";
import type { Anchor } from "./anchor";

/** A list's position, to be restored later. */
export interface ScrollState {
  follows: boolean;
  anchor?: Anchor;
}

/** Controls available to the owner of a list. */
export interface ListControl {
  toEnd(): void;
  toStart(): void;
  /** Scrolls by one view, up (-1) or down (1), like the page keys. */
  page(step: -1 | 1): void;
  toKey(key: string): void;
  /** Scrolls part of a row into view, unless it is visible already. */
  toPart(key: string, part: Element | Range): void;
  /** Keeps a row in place while its height changes, even at the end. */
  keepPosition(key: string): void;
  atEnd(): boolean;
  /** Returns the key of the first visible row. */
  firstSeen(): string | undefined;
  /** Returns the keys of the first and last row in or near the view. */
  near(): readonly [string | undefined, string | undefined];
  /** Reports whether a row is in view: all of it, or as much as fits. */
  isSeen(key: string): boolean;
}

export interface VirtualListProps {
  keys: string[];
  /** Changes with the content of the rows, even if that only extends a row. */
  bounds: string;
  /** Estimates the height of a row that was never measured. */
  estimate(key: string): number;
  children(key: string): JSX.Element;
  label: string;
  scrollState?: ScrollState;
  onScrollState?(place: ScrollState): void;
  /** Whether nothing follows the last row: only then the list can follow its end. */
  ends: boolean;
  onNearTop(): void;
  onNearEnd(): void;
  /** Called after rows were added or removed and the position was restored. */
  onRows(): void;
  control(control: ListControl): void;
  /** Reports whether a row gets extra space above, because it doesn't continue the previous one. */
  isApart?(key: string): boolean;
  /** Content above the first row. */
  head?: JSX.Element;
  /** Content below the last row. */
  foot?: JSX.Element;
}
