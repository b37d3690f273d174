// The effects of items, for folds and summaries: the kind of action of a call, and the numbers of lines,
// files and commands.

import type { Item, Tool } from "./types";

/** The effect of a finished call, for the label of a fold. */
export type CallAction = "read" | "search" | "open" | "edit" | "run";

/** Effects of a block, for its summary line. */
export interface WorkTotals {
  added: number;
  removed: number;
  files: number;
  commands: number;
  /** Number of changes that the agent made without permission. */
  withoutPermission: number;
}

/** Effects of one item. */
export interface WorkSummary {
  id: string;
  pos: number;
  added: number;
  removed: number;
  /** The files that the item changed. */
  files: string[];
  commands: number;
  withoutPermission: number;
  /** The effect of the item, if the item may be part of a fold. */
  action?: CallAction;
  /** Whether the item is a short thought inside a fold. */
  isShort?: boolean;
  /**
   * Path, command or ID of the call. A fold counts several reads of a file, or visits of a page, only
   * once.
   */
  what: string;
  /** Duration in milliseconds. */
  time: number;
}

/** A thought that takes less than this many milliseconds becomes part of a fold instead of interrupting it. */
export const shortThoughtMillis = 2000;
const actions: Partial<Record<Tool["kind"], CallAction>> = {
  read: "read",
  search: "search",
  fetch: "open",
  edit: "edit",
  delete: "edit",
  move: "edit",
  execute: "run",
};

/**
 * callActionOf returns the effect of a call that can be part of a fold, or undefined for any other call,
 * such as one that failed.
 */
export function callActionOf(item: Item | undefined): CallAction | undefined {
  const tool = item?.tool;
  if (!tool || item.open || tool.status !== "completed" || tool.exitCode || tool.signal) return undefined;
  // The notice of a blocked site must stay visible.
  if (tool.blocked?.length) return undefined;
  if (tool.unasked || tool.decision === "rejected" || tool.decision === "closed") return undefined;
  return actions[tool.kind];
}

/**
 * durationOf returns the duration of an item in milliseconds, not counting the time spent waiting for the user. It
 * returns 0 while the duration is unknown.
 */
export function durationOf(item: Item | undefined): number {
  if (!item?.endedAt) return 0;
  return Math.max(0, item.endedAt - item.createdAt - (item.waited ?? 0));
}

/** isShortThought reports whether an item is a thought short enough to be part of a fold. */
export function isShortThought(item: Item): boolean {
  return item.kind === "thought" && !item.open && durationOf(item) < shortThoughtMillis;
}
