// The rows between two messages of the main session. They show its calls, thoughts, plans and retries;
// similar calls are folded into one row. All functions are plain and read untracked state.

import { sameList } from "../lib/lists";
import {
  type CallAction,
  callActionOf,
  durationOf,
  shortThoughtMillis,
  type WorkSummary,
} from "./callActions";
import type { Gap, State } from "./state";
import type { Item } from "./types";

/**
 * A row between two messages. Its key is the ID of its first call or, if it has no call, of its first item.
 */
export type LineRow =
  | { key: string; kind: "call"; id: string }
  | Fold
  | { key: string; kind: "thought" | "retries"; ids: string[] }
  /** A plan. `id` is the ID of the latest plan item before the next message. */
  | { key: string; kind: "plan"; id: string }
  /** Calls that aren't loaded. */
  | { key: string; kind: "gap"; count: number };

/** Fold is a row of consecutive finished calls of one kind. */
export interface Fold {
  key: string;
  kind: "fold";
  /** IDs of the loaded calls and of the short thoughts between them. */
  ids: string[];
  /** The effects of the calls that aren't loaded. */
  evicted: WorkSummary[];
}

/** Minimum number of edits or commands that fold into one row. */
const minCalls = 4;
/** Minimum number of read-only calls that fold into one row. */
const minReads = 2;

type Sort = "look" | "edit" | "run";

function sortOf(action: CallAction | undefined): Sort | undefined {
  return action === "edit" || action === "run" ? action : action && "look";
}

const sorts = new WeakMap<WorkSummary[], Sort | "mixed">();

/** sortOfEvicted returns the `Sort` that all evicted calls in the list have in common, or "mixed". */
function sortOfEvicted(gone: WorkSummary[]): Sort | "mixed" {
  const known = sorts.get(gone);
  if (known) return known;
  let sort: Sort | "mixed" | undefined;
  for (const done of gone) {
    if (done.isShort) continue;
    const each = sortOf(done.action) ?? "mixed";
    sort = sort === undefined || sort === each ? each : "mixed";
    if (sort === "mixed") break;
  }
  sorts.set(gone, sort ?? "mixed");
  return sort ?? "mixed";
}

interface Group {
  sort: Sort;
  ids: string[];
  key: string;
  calls: number;
  evicted: WorkSummary[];
}

/** rowsOf returns the rows that show the items of a run. */
export function rowsOf(state: State, ids: readonly string[], gaps: readonly Gap[] = []): LineRow[] {
  const rows: LineRow[] = [];
  /** `stretch` holds consecutive thoughts; `short` holds IDs of short thoughts until their row is known. */
  let stretch: Item[] = [];
  let short: string[] = [];
  let group: Group | undefined;
  let plan: Extract<LineRow, { kind: "plan" }> | undefined;

  const thoughts = (all: string[]) => {
    if (all.length > 0) rows.push({ key: all[0] as string, kind: "thought", ids: all });
  };
  const flush = () => {
    const done = group;
    group = undefined;
    if (!done) return;
    if (done.evicted.length > 0 || done.calls >= (done.sort === "look" ? minReads : minCalls)) {
      rows.push({ key: done.key, kind: "fold", ids: done.ids, evicted: done.evicted });
      return;
    }
    let between: string[] = [];
    for (const id of done.ids) {
      if (state.items[id]?.kind === "thought") {
        between.push(id);
        continue;
      }
      thoughts(between);
      between = [];
      rows.push({ key: id, kind: "call", id });
    }
  };
  const settle = () => {
    const all = stretch;
    if (all.length === 0) return;
    stretch = [];
    const own = all.map((item) => item.id);
    const time = all.reduce((sum, item) => sum + durationOf(item), 0);
    if (all.some((item) => item.open) || time >= shortThoughtMillis) {
      breakOff();
      thoughts(own);
    } else {
      short.push(...own);
    }
  };
  /** breakOff ends the current fold. It is called before an item that can't be part of a fold. */
  const breakOff = () => {
    flush();
    thoughts(short);
    short = [];
  };
  const fold = (sort: Sort, key: string, calls: string[], gone: WorkSummary[]) => {
    if (group?.sort !== sort) {
      flush();
      group = { sort, ids: [], key, calls: 0, evicted: [] };
    }
    group.ids.push(...short, ...calls);
    group.calls += calls.length;
    if (gone.length > 0) group.evicted = group.evicted.length > 0 ? [...group.evicted, ...gone] : gone;
    short = [];
  };

  let nextGap = 0;
  const passGaps = (pos: number) => {
    for (let gap = gaps[nextGap]; gap && gap.from < pos; gap = gaps[++nextGap]) {
      settle();
      const sort = sortOfEvicted(gap.evicted);
      const key = gap.evicted[0]?.id ?? "";
      if (sort !== "mixed") {
        fold(sort, key, [], gap.evicted);
        continue;
      }
      breakOff();
      rows.push({ key, kind: "gap", count: gap.evicted.length });
    }
  };

  for (const id of ids) {
    const item = state.items[id];
    if (!item) continue;
    passGaps(item.pos);
    if (item.kind === "thought") {
      stretch.push(item);
      continue;
    }
    settle();
    if (item.kind === "plan") {
      if (plan) {
        plan.id = id;
        continue;
      }
      breakOff();
      plan = { key: id, kind: "plan", id };
      rows.push(plan);
      continue;
    }
    const sort = sortOf(callActionOf(item));
    if (sort) {
      fold(sort, id, [id], []);
      continue;
    }
    breakOff();
    const last = rows.at(-1);
    if (!item.retry) rows.push({ key: id, kind: "call", id });
    else if (last?.kind === "retries") last.ids.push(id);
    else rows.push({ key: id, kind: "retries", ids: [id] });
  }
  passGaps(Number.POSITIVE_INFINITY);
  settle();
  breakOff();
  return rows;
}

/** sameRow reports whether two rows show the same items. */
export function sameRow(a: LineRow | undefined, b: LineRow | undefined): boolean {
  if (!a || !b || a.kind !== b.kind || a.key !== b.key) return a === b;
  switch (a.kind) {
    case "fold":
      return sameList(a.ids, (b as Fold).ids) && a.evicted === (b as Fold).evicted;
    case "thought":
    case "retries":
      return sameList(a.ids, (b as typeof a).ids);
    case "gap":
      return a.count === (b as typeof a).count;
    default:
      return a.id === (b as typeof a).id;
  }
}

/** containsItem reports whether a row contains an item. */
export function containsItem(row: LineRow, id: string): boolean {
  return "ids" in row ? row.ids.includes(id) : "id" in row && row.id === id;
}
