// What the owner of a list of rows gives it, and what it may do with it.

import type { JSX } from "solid-js";
import type { Anchor } from "./anchor";

/** Where a list stood, to stand there again. */
export interface Place {
  glued: boolean;
  anchor?: Anchor;
}

/** What the owner of a list may do with it. */
export interface ListControl {
  toEnd(): void;
  toStart(): void;
  /** Scrolls by what is seen, up (-1) or down (1), as a key does. */
  page(step: -1 | 1): void;
  toKey(key: string): void;
  /** Brings a part of a row into view; one that is in view stays where it is. */
  toPart(key: string, part: Element | Range): void;
  /** Keeps a row where it is while it changes its height, even at the end. */
  hold(key: string): void;
  atEnd(): boolean;
  /** The key of the first row that is seen. */
  firstSeen(): string | undefined;
  /** The keys of the first and the last row that are seen or near to the view. */
  near(): readonly [string | undefined, string | undefined];
  /** Whether a row is in view: all of it, or as much as fits. */
  isSeen(key: string): boolean;
}

export interface VirtualListProps {
  keys: string[];
  /** Changes with what the rows are made of, also where that is more of the same row. */
  bounds: string;
  /** The height of a row that was never seen. */
  estimate(key: string): number;
  children(key: string): JSX.Element;
  label: string;
  place?: Place;
  onPlace?(place: Place): void;
  /** Whether nothing comes after the last row: only then there is an end to follow. */
  ends: boolean;
  onNearTop(): void;
  onNearEnd(): void;
  /** Rows came or went, and what is read stands where it was. */
  onRows(): void;
  control(control: ListControl): void;
  /** More room stands above a row that does not go on from the one before. */
  isApart?(key: string): boolean;
  /** Stands above the first row. */
  head?: JSX.Element;
  /** Stands below the last one. */
  foot?: JSX.Element;
}
