// What is held of a run of calls. It may be as long as it likes: an agent that
// works for an hour makes thousands of calls without a word between them, and
// they are one row of the transcript. Of a long run the first item and the newest
// are held; of the others, what each did. They come back when they are
// asked for.
//
// The functions are plain, as those of reduce.ts are, and used by it and by what
// reads a transcript.

import type { WorkSummary } from "./callActions";
import type { Gap, Page, State } from "./state";
import type { Item } from "./types";
import { workSummaryOf } from "./workSummary";

/** workKinds are the kinds of items that a run of work is made of. */
export const workKinds = new Set<string>(["tool", "thought", "plan"]);

/** A run that is longer than this is shortened … */
export const maxCalls = 300;
/** … to this. */
export const keptCalls = 200;

/** gapsIn are those of a run between two positions, or of a block's calls. */
export function gapsIn(page: Page, parent: string, from = 0, to = Number.POSITIVE_INFINITY): Gap[] {
  return page.gaps.filter((gap) => gap.parent === parent && gap.from >= from && gap.to <= to);
}

/** evictedCount is how many calls such gaps have. */
export function evictedCount(page: Page, parent: string, from?: number, to?: number): number {
  return gapsIn(page, parent, from, to).reduce((sum, gap) => sum + gap.evicted.length, 0);
}

/** isEvicted says whether an item was let go of with a run. */
export function isEvicted(page: Page, item: Item): boolean {
  return gapOf(page, item)?.evicted.some(({ id }) => id === item.id) === true;
}

function gapOf(page: Page, item: Item): Gap | undefined {
  return page.gaps.find(
    (gap) => gap.parent === (item.parentId ?? "") && gap.from <= item.pos && gap.to >= item.pos,
  );
}

/** restoreCall notes that an item that was let go of with a run is held again. */
export function restoreCall(page: Page, item: Item): void {
  const gap = gapOf(page, item);
  if (!gap) return;
  gap.evicted = gap.evicted.filter(({ id }) => id !== item.id);
  close(page, gap);
}

/** close makes a gap as large as what it has; one without anything is none. */
function close(page: Page, gap: Gap): void {
  const [first, last] = [gap.evicted[0], gap.evicted.at(-1)];
  if (first && last) {
    gap.from = first.pos;
    gap.to = last.pos;
  } else {
    page.gaps = page.gaps.filter((each) => each !== gap);
  }
}

/** trimRuns lets go of calls in long runs of a list; while their reader wants all of them, nothing. */
export function trimRuns(state: State, page: Page, list: string[], parent: string): string[] {
  if (page.whole || list.length <= maxCalls) return list;
  const asked = new Set<string>();
  for (const ask of Object.values(state.permissions)) {
    if (ask.state === "open" && ask.itemId) asked.add(ask.itemId);
  }
  const gone = new Set<string>();
  let run: Item[] = [];
  const end = () => {
    const items = run;
    run = [];
    if (items.length <= maxCalls) return;
    // The first call names the run, also where thoughts are not shown.
    const begin = items.findIndex(({ kind }) => kind !== "thought") + 1;
    const some = items.slice(begin, -keptCalls).filter((item) => mayGo(item) && !asked.has(item.id));
    const [first, last] = [items[0], items.at(-1)];
    if (some.length === 0 || !first || !last) return;
    note(state, page, parent, some, first.pos, last.pos);
    for (const { id } of some) gone.add(id);
  };
  for (const id of list) {
    const item = state.items[id];
    if (!item || !workKinds.has(item.kind)) {
      // In a block, what was written stands below all calls.
      if (parent === "") end();
      continue;
    }
    if (parent === "" && run[0] && run[0].turnId !== item.turnId) end();
    run.push(item);
  }
  end();
  if (gone.size === 0) return list;
  forget(state, gone);
  return list.filter((id) => !gone.has(id));
}

/** What is open changes still, and what was rejected says what came of a note. */
function mayGo(item: Item): boolean {
  return !item.open && item.tool?.decision !== "rejected";
}

/** note keeps what items did, in the one gap of their run. */
function note(state: State, page: Page, parent: string, items: Item[], first: number, last: number): void {
  const done: WorkSummary[] = items.map((item) => ({
    ...workSummaryOf(state, item.id),
    id: item.id,
    pos: item.pos,
  }));
  const [gap] = parent === "" ? gapsIn(page, parent, first, last) : gapsIn(page, parent);
  if (gap) {
    gap.evicted = [...gap.evicted, ...done].sort((a, b) => a.pos - b.pos);
    close(page, gap);
  } else {
    page.gaps = [
      ...page.gaps,
      { parent, from: items[0]?.pos ?? 0, to: items.at(-1)?.pos ?? 0, evicted: done },
    ];
  }
}

function forget(state: State, gone: Set<string>): void {
  for (const id of gone) {
    for (const content of state.contentsOf[id] ?? []) delete state.contents[content];
    delete state.contentsOf[id];
    delete state.texts[id];
    delete state.items[id];
  }
  for (const ask of Object.values(state.permissions)) {
    if (ask.itemId && gone.has(ask.itemId)) delete state.permissions[ask.id];
  }
}
