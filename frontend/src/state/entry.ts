// What a transcript is made of: one entry for each thing that a person reads.

import { sameList } from "../lib/lists";
import type { TurnParts } from "./turn";
import type { TurnState } from "./types";

/** How a block stands; the words of its summary and its colours follow. */
export type WorkState = "running" | "waiting" | "done" | "failed" | "stopped" | "interrupted";

/** One entry of the transcript. Key is the same for as long as the entry lives. */
export type Entry = EntryOf & {
  /** It goes on from the entry before it: both are of one turn. */
  close?: boolean;
};

type EntryOf =
  /** more are banners that say the same of other sessions; retry is set where nothing else offers to try its turn again. */
  | {
      key: string;
      kind: "item";
      id: string;
      last: boolean;
      retry?: boolean;
      more?: string[];
      sum?: TurnParts;
    }
  | Lines
  | Work
  | { key: string; kind: "ask"; id: string; waiting: number }
  /** What to do after a rejection that its turn ended for. */
  | { key: string; kind: "next"; id: string; turnId: string; parts: TurnParts }
  | { key: string; kind: "end"; turnId: string }
  /** The live line of a turn, and the receipt that takes its place. */
  | { key: string; kind: "foot"; turnId: string; state: TurnState; parts: TurnParts };

/** Lines are the calls, thoughts, plans and retries of the one who answers, between two pieces of prose. */
export interface Lines {
  key: string;
  kind: "lines";
  /** What they are of, in order, as far as it is held. */
  ids: string[];
  /** How many calls of it are not held (toolRuns.ts). */
  evicted: number;
  turnId: string;
  /** The call that the turn ended on. */
  endsOn?: string;
}

/** Work is what a delegated session did. */
export interface Work {
  key: string;
  kind: "work";
  session: string;
  /** What is inside, in order, as far as it is held. */
  ids: string[];
  /** How many calls of it are not held (toolRuns.ts). */
  evicted: number;
  /** Its item. */
  blockId: string;
  /** The turn that did it: its own, not its caller's. */
  turnId: string;
  state: WorkState;
  startedAt: number;
  endedAt: number;
  /** How many milliseconds between them the user was waited for. */
  waited: number;
  /** Its turn's failure belongs to it. */
  failed: boolean;
}

/** sameEntry says whether two entries look the same, items of theirs apart. */
export function sameEntry(a: Entry | undefined, b: Entry | undefined): boolean {
  if (!a || !b || a.kind !== b.kind) return a === b;
  // Each change of a chat asks, of runs of a thousand calls as well: nothing is made on the way.
  for (const [name, is] of Object.entries(a)) {
    const other = b[name as keyof Entry] as unknown;
    if (is === other) continue;
    if (Array.isArray(is) && Array.isArray(other) && sameList(is, other)) continue;
    if (name !== "parts" && name !== "sum") return false;
    if (!sameParts(is as unknown as TurnParts, other as TurnParts | undefined)) return false;
  }
  return Object.keys(a).length === Object.keys(b).length;
}

function sameParts(a: TurnParts, b: TurnParts | undefined): boolean {
  return !!b && a.whole === b.whole && sameList(a.ids, b.ids) && sameList(a.blocks, b.blocks);
}
