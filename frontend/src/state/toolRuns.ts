// Runs of calls, and the part of each run that is kept in memory. A run has no length limit: an agent
// working for an hour can make thousands of calls without a message between them, and these form one row
// of the transcript. The first item of a long run and the newest ones stay loaded; of the other items,
// only the effects are kept. Evicted items are loaded again on request.
//
// The functions are plain, like those of reduce.ts. They are used by reduce.ts and by the code that reads
// a transcript.

import type { WorkSummary } from "./callActions";
import type { Gap, Page, State } from "./state";
import type { Item } from "./types";
import { workSummaryOf } from "./workSummary";

/** workKinds holds the item kinds that form a run. */
export const workKinds = new Set<string>(["tool", "thought", "plan"]);

/** Maximum number of loaded items in a run; a longer run is trimmed. */
export const maxCalls = 300;
/** Number of items that stay loaded at the end of a run when it is trimmed. */
export const trimmedCalls = 200;

/** gapsIn returns the gaps between two positions in a block, or at the top level if `parent` is "". */
export function gapsIn(page: Page, parent: string, from = 0, to = Number.POSITIVE_INFINITY): Gap[] {
  return page.gaps.filter((gap) => gap.parent === parent && gap.from >= from && gap.to <= to);
}

/** evictedCount returns the number of evicted calls between two positions; see gapsIn. */
export function evictedCount(page: Page, parent: string, from?: number, to?: number): number {
  return gapsIn(page, parent, from, to).reduce((sum, gap) => sum + gap.evicted.length, 0);
}

/** isEvicted reports whether an item of a run was evicted. */
export function isEvicted(page: Page, item: Item): boolean {
  return gapOf(page, item)?.evicted.some(({ id }) => id === item.id) === true;
}

function gapOf(page: Page, item: Item): Gap | undefined {
  return page.gaps.find(
    (gap) => gap.parent === (item.parentId ?? "") && gap.from <= item.pos && gap.to >= item.pos,
  );
}

/** restoreCall records that an evicted item of a run is loaded again. */
export function restoreCall(page: Page, item: Item): void {
  const gap = gapOf(page, item);
  if (!gap) return;
  gap.evicted = gap.evicted.filter(({ id }) => id !== item.id);
  close(page, gap);
}

/** close shrinks a gap to its remaining calls, and deletes the gap if no calls remain. */
function close(page: Page, gap: Gap): void {
  const [first, last] = [gap.evicted[0], gap.evicted.at(-1)];
  if (first && last) {
    gap.from = first.pos;
    gap.to = last.pos;
  } else {
    page.gaps = page.gaps.filter((each) => each !== gap);
  }
}

/**
 * trimRuns evicts calls from the long runs in a list and returns the remaining list. It evicts nothing if the user has
 * asked to see complete runs.
 */
export function trimRuns(state: State, page: Page, list: string[], parent: string): string[] {
  if (page.whole || list.length <= maxCalls) return list;
  const asked = new Set<string>();
  for (const request of Object.values(state.permissions)) {
    if (request.state === "open" && request.itemId) asked.add(request.itemId);
  }
  const gone = new Set<string>();
  let run: Item[] = [];
  const end = () => {
    const items = run;
    run = [];
    if (items.length <= maxCalls) return;
    // The first call identifies the run, so it stays loaded, even if the thoughts before it are hidden.
    const begin = items.findIndex(({ kind }) => kind !== "thought") + 1;
    const some = items.slice(begin, -trimmedCalls).filter((item) => canEvict(item) && !asked.has(item.id));
    const [first, last] = [items[0], items.at(-1)];
    if (some.length === 0 || !first || !last) return;
    recordEvicted(state, page, parent, some, first.pos, last.pos);
    for (const { id } of some) gone.add(id);
  };
  for (const id of list) {
    const item = state.items[id];
    if (!item || !workKinds.has(item.kind)) {
      // In a block, messages are shown below all calls, so they don't end a run.
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

/**
 * canEvict reports whether an item may be evicted. An open item can still change, and a rejected one is
 * needed to interpret a later note.
 */
function canEvict(item: Item): boolean {
  return !item.open && item.tool?.decision !== "rejected";
}

/** recordEvicted adds the effects of evicted items to the gap of their run, creating the gap if needed. */
function recordEvicted(
  state: State,
  page: Page,
  parent: string,
  items: Item[],
  first: number,
  last: number,
): void {
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
  for (const request of Object.values(state.permissions)) {
    if (request.itemId && gone.has(request.itemId)) delete state.permissions[request.id];
  }
}
