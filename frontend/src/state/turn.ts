// The effects of a turn or of a part of it.

import { relativePath } from "../lib/format";
import type { WorkSummary, WorkTotals } from "./callActions";
import type { Fold } from "./lines";
import type { State } from "./state";
import { gapsIn } from "./toolRuns";
import type { Turn, Usage } from "./types";
import { workSummaryOf } from "./workSummary";

/** The loaded parts of a turn. */
export interface TurnParts {
  turnId: string;
  /** IDs of the turn's calls outside of blocks. */
  ids: string[];
  /** IDs of the blocks of the tasks that the turn delegated. */
  blocks: string[];
  /** Whether the turn is completely loaded, from its first item on. */
  whole: boolean;
}

interface Sum {
  added: number;
  removed: number;
  commands: number;
  withoutPermission: number;
  files: Set<string>;
}

const sums = new WeakMap<readonly WorkSummary[], Sum>();

/** sumOf adds up the effects in a list of calls that aren't loaded. It caches the sum of each list. */
export function sumOf(gone: readonly WorkSummary[]): Sum {
  const known = sums.get(gone);
  if (known) return known;
  const sum: Sum = { added: 0, removed: 0, commands: 0, withoutPermission: 0, files: new Set() };
  for (const done of gone) {
    sum.added += done.added;
    sum.removed += done.removed;
    sum.commands += done.commands;
    sum.withoutPermission += done.withoutPermission;
    for (const file of done.files) sum.files.add(file);
  }
  sums.set(gone, sum);
  return sum;
}

/** totalsOfTurn returns the effects of a turn and its blocks. */
export function totalsOfTurn(state: State, chatId: string, parts: TurnParts): WorkTotals {
  return resultOfTurn(state, chatId, parts).totals;
}

/**
 * resultOfTurn returns the effects of a turn and the paths of the files that it changed, relative to the
 * chat's folder.
 */
export function resultOfTurn(
  state: State,
  chatId: string,
  parts: TurnParts,
): { totals: WorkTotals; files: string[] } {
  const page = state.pages[chatId];
  const folder = state.chats[chatId]?.folder ?? "";
  const totals: WorkTotals = { added: 0, removed: 0, files: 0, commands: 0, withoutPermission: 0 };
  const files = new Set<string>();
  const add = (done: Omit<Sum, "files"> & { files: Iterable<string> }) => {
    totals.added += done.added;
    totals.removed += done.removed;
    totals.commands += done.commands;
    totals.withoutPermission += done.withoutPermission;
    for (const file of done.files) files.add(relativePath(file, folder));
  };
  const posOf = (id: string | undefined) => state.items[id ?? ""]?.pos ?? 0;
  const gone = page ? gapsIn(page, "", posOf(parts.ids[0]), posOf(parts.ids.at(-1))) : [];
  for (const gap of gone) add(sumOf(gap.evicted));
  for (const id of parts.ids) add(workSummaryOf(state, id));
  for (const id of parts.blocks) {
    const block = state.items[id]?.block;
    if (block?.files || block?.commands || block?.stopReason) {
      totals.commands += block.commands?.length ?? 0;
      for (const file of block.files ?? []) {
        totals.added += file.added;
        totals.removed += file.removed;
        files.add(relativePath(file.path, folder));
      }
      continue;
    }
    for (const gap of page ? gapsIn(page, id) : []) add(sumOf(gap.evicted));
    for (const child of page?.inside[id] ?? []) add(workSummaryOf(state, child));
  }
  totals.files = files.size;
  return { totals, files: [...files] };
}

/**
 * timeOfTurn returns the duration of a turn in milliseconds, not counting the time spent waiting for the
 * user. It returns 0 if the turn hasn't ended.
 */
export function timeOfTurn(turn: Turn | undefined): number {
  if (!turn?.endedAt) return 0;
  return Math.max(0, turn.endedAt - turn.startedAt - (turn.waited ?? 0));
}

const tokensOf = (usage: Usage | undefined) => (usage ? usage.input + usage.output : 0);

/**
 * tokensOfTurn returns the number of tokens used by a turn and its blocks, or 0 if none of them reports it.
 */
export function tokensOfTurn(state: State, parts: TurnParts): number {
  const blocks = parts.blocks.map((id) => state.items[id]?.block?.turnId ?? "");
  return [parts.turnId, ...blocks].reduce((sum, id) => sum + tokensOf(state.turns[id]?.usage), 0);
}

/** costOfTurn returns the cost of a turn and its blocks, as far as the agent reports it. */
export function costOfTurn(state: State, parts: TurnParts): { premium: number; credits: number } {
  const blocks = parts.blocks.map((id) => state.items[id]?.block?.turnId ?? "");
  const sum = { premium: 0, credits: 0 };
  for (const id of [parts.turnId, ...blocks]) {
    const usage = state.turns[id]?.usage;
    sum.premium += usage?.premium ?? 0;
    sum.credits += (usage?.nanoAiu ?? 0) / 1e9;
  }
  return sum;
}

/** Counts shown by a fold. */
export interface FoldFacts {
  read: number;
  search: number;
  open: number;
  edit: number;
  run: number;
  added: number;
  removed: number;
  /** Total duration of the counted calls in milliseconds. */
  time: number;
}

/** Counted holds a fold's counts and the names that have already been counted. */
interface Counted {
  facts: FoldFacts;
  seen: Set<string>;
}

const counts = new WeakMap<readonly WorkSummary[], Counted>();

function count({ facts, seen }: Counted, done: WorkSummary, before?: Set<string>): void {
  const { action } = done;
  if (!action) return;
  facts.added += done.added;
  facts.removed += done.removed;
  facts.time += done.time;
  if (action === "search" || action === "run") {
    facts[action]++;
    return;
  }
  for (const what of action === "edit" ? done.files : [done.what]) {
    const name = `${action} ${what}`;
    if (before?.has(name) || seen.has(name)) continue;
    seen.add(name);
    facts[action]++;
  }
}

/**
 * factsOfFold returns the counts of a fold's calls. It counts each file and page once, but every search
 * and command.
 */
export function factsOfFold(state: State, fold: Fold): FoldFacts {
  let gone = counts.get(fold.evicted);
  if (!gone) {
    const none = { read: 0, search: 0, open: 0, edit: 0, run: 0, added: 0, removed: 0, time: 0 };
    gone = { facts: none, seen: new Set() };
    for (const done of fold.evicted) count(gone, done);
    if (fold.evicted.length > 0) counts.set(fold.evicted, gone);
  }
  const all: Counted = { facts: { ...gone.facts }, seen: new Set() };
  for (const id of fold.ids) count(all, workSummaryOf(state, id), gone.seen);
  return all.facts;
}
