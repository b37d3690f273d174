// The deeds of items: what kind of thing a call did, and what is counted of it.

import type { Item, Tool } from "./types";

/** What a finished call did, for the words of a fold. */
export type Deed = "read" | "search" | "open" | "edit" | "run";

/** What a block did, for its summary line. */
export interface Totals {
  added: number;
  removed: number;
  files: number;
  commands: number;
  /** Changes that the agent made without asking. */
  unasked: number;
}

/** What one item did. */
export interface Done {
  id: string;
  pos: number;
  added: number;
  removed: number;
  /** The files that it changed. */
  files: string[];
  commands: number;
  unasked: number;
  /** What it did where it may be part of a fold. */
  deed?: Deed;
  /** It is a thought that goes inside of a fold. */
  isShort?: boolean;
  /** The file or page that it looked at. */
  what: string;
  /** How long it took, in milliseconds. */
  time: number;
}

/** A thought that is shorter is told by nothing but what follows it. */
export const shortThought = 2000;
const deeds: Partial<Record<Tool["kind"], Deed>> = {
  read: "read",
  search: "search",
  fetch: "open",
  edit: "edit",
  delete: "edit",
  move: "edit",
  execute: "run",
};

/** deedOf is what a call did that may fold; undefined for one that did not simply finish. */
export function deedOf(item: Item | undefined): Deed | undefined {
  const tool = item?.tool;
  if (!tool || item.open || tool.status !== "completed" || tool.exitCode || tool.signal) return undefined;
  if (tool.unasked || tool.decision === "rejected" || tool.decision === "closed") return undefined;
  return deeds[tool.kind];
}

/** lasted is how long an item took, without the user's waiting; 0 while that is not known. */
export function lasted(item: Item | undefined): number {
  if (!item?.endedAt) return 0;
  return Math.max(0, item.endedAt - item.createdAt - (item.waited ?? 0));
}

/** isShort says whether an item is a thought that goes inside of a fold. */
export function isShort(item: Item): boolean {
  return item.kind === "thought" && !item.open && lasted(item) < shortThought;
}
