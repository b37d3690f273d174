// The deeds of items: what kind of thing a call did, and what is counted of it.

import type { Item, Tool } from "./types";

/** What a finished call did, for the words of a fold. */
export type CallAction = "read" | "search" | "open" | "edit" | "run";

/** What a block did, for its summary line. */
export interface WorkTotals {
  added: number;
  removed: number;
  files: number;
  commands: number;
  /** Changes that the agent made without asking. */
  unasked: number;
}

/** What one item did. */
export interface WorkSummary {
  id: string;
  pos: number;
  added: number;
  removed: number;
  /** The files that it changed. */
  files: string[];
  commands: number;
  unasked: number;
  /** What it did where it may be part of a fold. */
  action?: CallAction;
  /** It is a thought that goes inside of a fold. */
  isShort?: boolean;
  /** The file or page that it looked at. */
  what: string;
  /** How long it took, in milliseconds. */
  time: number;
}

/** A thought that is shorter is told by nothing but what follows it. */
export const shortThought = 2000;
const actions: Partial<Record<Tool["kind"], CallAction>> = {
  read: "read",
  search: "search",
  fetch: "open",
  edit: "edit",
  delete: "edit",
  move: "edit",
  execute: "run",
};

/** callActionOf is what a call did that may fold; undefined for one that did not simply finish. */
export function callActionOf(item: Item | undefined): CallAction | undefined {
  const tool = item?.tool;
  if (!tool || item.open || tool.status !== "completed" || tool.exitCode || tool.signal) return undefined;
  if (tool.unasked || tool.decision === "rejected" || tool.decision === "closed") return undefined;
  return actions[tool.kind];
}

/** durationOf is how long an item took, without the user's waiting; 0 while that is not known. */
export function durationOf(item: Item | undefined): number {
  if (!item?.endedAt) return 0;
  return Math.max(0, item.endedAt - item.createdAt - (item.waited ?? 0));
}

/** isShortThought says whether an item is a thought that goes inside of a fold. */
export function isShortThought(item: Item): boolean {
  return item.kind === "thought" && !item.open && durationOf(item) < shortThought;
}
