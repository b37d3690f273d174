// The entries of a transcript, one for each visible element.

import { sameList } from "../lib/lists";
import type { TurnParts } from "./turn";
import type { TurnState } from "./types";

/** State of a block; determines its summary and colors. */
export type WorkState = "running" | "waiting" | "done" | "failed" | "stopped" | "interrupted";

/** One entry of the transcript. Its `key` is stable for the lifetime of the entry. */
export type Entry = EntryOf & {
  /** Whether the entry continues the previous one, which belongs to the same turn. */
  isContinued?: boolean;
};

type EntryOf =
  /**
   * An item. If it is a banner, `more` contains the IDs of banners of the same kind for other sessions, which this
   * entry also represents. `retry` is set if no other entry offers to retry the turn.
   */
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
  /** The next steps after a rejection that ended the turn. */
  | { key: string; kind: "next"; id: string; turnId: string; parts: TurnParts }
  | { key: string; kind: "end"; turnId: string }
  /** The last row of a turn: its current activity while it runs, then its summary. */
  | { key: string; kind: "foot"; turnId: string; state: TurnState; parts: TurnParts }
  /** The line at the end of a chat in which the user went back to an earlier message. */
  | { key: string; kind: "back"; chatId: string };

/** Lines holds the main session's calls, thoughts, plans and retries between two messages. */
export interface Lines {
  key: string;
  kind: "lines";
  /** IDs of the loaded items, in order. */
  ids: string[];
  /** Number of calls that aren't loaded (toolRuns.ts). */
  evicted: number;
  turnId: string;
  /** ID of the last item, if the turn ended with it. */
  endsOn?: string;
}

/** Work is an entry for the work of a delegated session. */
export interface Work {
  key: string;
  kind: "work";
  session: string;
  /** IDs of the loaded items inside, in order. */
  ids: string[];
  /** Number of calls that aren't loaded (toolRuns.ts). */
  evicted: number;
  /** ID of the block's item. */
  blockId: string;
  /** ID of the delegated turn, not of its caller's turn. */
  turnId: string;
  state: WorkState;
  startedAt: number;
  endedAt: number;
  /** Time in milliseconds between startedAt and endedAt that was spent waiting for the user. */
  waited: number;
  /** Whether the block itself shows its turn's failure. */
  failed: boolean;
}

/** sameEntry reports whether two entries look the same, not counting changes inside their items. */
export function sameEntry(a: Entry | undefined, b: Entry | undefined): boolean {
  if (!a || !b || a.kind !== b.kind) return a === b;
  // This runs on each change of a chat, also for runs of a thousand calls: avoid allocations.
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
