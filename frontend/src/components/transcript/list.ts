// Props and controls of a list of rows.

import type { JSX } from "solid-js";
import type { Anchor } from "./anchor";

/** A list's scroll position, so that it can be restored later. */
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
  /** Scrolls a part of a row into view unless the part is already visible. */
  toPart(key: string, part: Element | Range): void;
  /** Keeps a row in place while its height changes, even if the list is at its end. */
  keepPosition(key: string): void;
  atEnd(): boolean;
  /** Returns the key of the first visible row. */
  firstSeen(): string | undefined;
  /** Returns the keys of the first and last row in or near the view. */
  near(): readonly [string | undefined, string | undefined];
  /** Returns the keys of the rows with an end of the selection. */
  held(): readonly string[];
  /** Reports whether a row is in view: the whole row, or as much of it as fits. */
  isSeen(key: string): boolean;
}

/** The content of a list as text, for copying a selection. */
export interface ListCopy {
  /** Reports whether a row has text to copy even if it isn't rendered. */
  isText(key: string): boolean;
  /** Reports whether the rows have more text than can be copied. */
  isTooLong(keys: readonly string[]): boolean;
  /** Loads the missing texts of the rows; returns undefined if none is missing. */
  load(keys: readonly string[]): Promise<unknown> | undefined;
  /** Reports whether there is content before the first row. */
  hasEarlier(): boolean;
}

export interface VirtualListProps {
  keys: string[];
  /** A string that changes whenever items are added at an edge, even if they only extend an existing row. */
  bounds: string;
  /** Estimates the height in pixels of a row that hasn't been measured. */
  estimate(key: string): number;
  children(key: string): JSX.Element;
  label: string;
  scrollState?: ScrollState;
  onScrollState?(place: ScrollState): void;
  /** Whether the last row is the end of the content. Only then can the list follow its end. */
  ends: boolean;
  onNearTop(): void;
  onNearEnd(): void;
  /** Called after rows have been added or removed and the scroll position has been restored. */
  onRows(): void;
  control(control: ListControl): void;
  copy?: ListCopy;
  /** Reports whether a row gets extra space above because it doesn't continue the previous row. */
  isApart?(key: string): boolean;
  /** Content above the first row. */
  head?: JSX.Element;
  /** Content below the last row. */
  foot?: JSX.Element;
}
