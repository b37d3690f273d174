// What of a chat's transcript is held in memory. However long a chat is, that
// is two parts: its end, which everything new is added to and all that follows
// from the newest items reads; and, while the reader is elsewhere, the part
// that they read. Where the two meet they are one. Both are bounded, and what
// is in neither is let go of; the database keeps it.
//
// The functions are plain, as those of reduce.ts are, and used by it alone.

import type { Page, Span, State } from "./state";
import type { Item } from "./types";

/** A part of the transcript that is longer than this is shortened … */
export const maxItems = 240;
/** … to this, but never by what the reader is near to. */
export const keptItems = 180;
/** How much of the end is held while the reader is elsewhere. */
export const endItems = 60;

/** visibleSpan is the part of a page that is read. */
export function visibleSpan(page: Page): Span {
  return page.window ?? page;
}

/** lastPosition is the position of the last item of a part. */
export function lastPosition(state: State, span: Span): number {
  return state.items[span.order.at(-1) ?? ""]?.pos ?? 0;
}

/** outermost is the item outside of all blocks that an item is or is in. */
export function outermost(state: State, id: string): string {
  let top = id;
  for (let item = state.items[top]; item?.parentId; item = state.items[top]) top = item.parentId;
  return top;
}

/**
 * insertItem puts an item's id where its pos belongs; false where that is in no part
 * that is held. It is the end but for rare latecomers; for them the list is made
 * anew, since moving many entries one by one through a store is slow.
 */
export function insertItem(state: State, page: Page, item: Item): boolean {
  const posAt = (list: string[], at: number) => state.items[list[at] as string]?.pos ?? 0;
  const add = (list: string[]): string[] => {
    if (list.length === 0 || posAt(list, list.length - 1) <= item.pos) {
      list.push(item.id);
      return list;
    }
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (posAt(list, middle) <= item.pos) low = middle + 1;
      else high = middle;
    }
    return [...list.slice(0, low), item.id, ...list.slice(low)];
  };
  if (item.parentId) {
    // What a block does that runs is followed, also where the block is far back.
    if (!state.items[item.parentId] && !isRunning(state, item.turnId)) return false;
    page.inside[item.parentId] ??= [];
    const list = page.inside[item.parentId] as string[];
    const added = add(list);
    if (added !== list) page.inside[item.parentId] = added;
    return true;
  }
  let span: Span = page;
  if (item.pos < page.before) {
    const window = page.window;
    if (!window || item.pos < window.before || item.pos > lastPosition(state, window)) return false;
    span = window;
  }
  const added = add(span.order);
  if (added !== span.order) span.order = added;
  return true;
}

function isRunning(state: State, turnId: string | undefined): boolean {
  return state.turns[turnId ?? ""]?.state === "running";
}

/**
 * trimPage shortens the end where a page that is read in its middle would make
 * too much of both: the page is what its reader asked for, and must not be let go of.
 */
export function trimPage(state: State, page: Page): void {
  const window = page.window;
  if (!window || lastPosition(state, window) < page.before) return;
  if (new Set([...page.order, ...window.order]).size > maxItems) keepEnd(state, page);
}

/** keepEnd lets go of all but the newest items. */
function keepEnd(state: State, page: Page): void {
  noteAsked(state, page);
  page.order = page.order.slice(-endItems);
  page.before = state.items[page.order[0] ?? ""]?.pos ?? 0;
}

/** joinSpans makes one part of the end and of what is read, where they have met. */
export function joinSpans(state: State, page: Page): void {
  const window = page.window;
  if (!window || (page.before > 0 && lastPosition(state, window) < page.before)) return;
  if (page.before > 0) {
    // It was read from the database, and may know of items that the end has not been told of.
    const posOf = (id: string) => state.items[id]?.pos ?? 0;
    page.order = [...new Set([...page.order, ...window.order])].sort((a, b) => posOf(a) - posOf(b));
    page.before = Math.min(page.before, window.before);
  }
  delete page.window;
}

/** resetToEnd lets go of the part that was read apart from the end. */
export function resetToEnd(state: State, chatId: string): void {
  const page = state.pages[chatId];
  if (!page) return;
  delete page.whole;
  if (!page.window) return;
  delete page.window;
  page.rev++;
  sweep(state, chatId);
}

/** A part is cut only where an entry of the transcript begins that keeps its key. */
function isSeam(state: State, id: string | undefined): boolean {
  const item = state.items[id ?? ""];
  if (item?.kind === "message") return (state.texts[item.id]?.size ?? 0) > 0;
  return item?.kind === "user" || item?.kind === "block";
}

/** noteAsked remembers the newest message of the user's: it can be asked again. */
function noteAsked(state: State, page: Page): void {
  page.asked = page.order.findLast((id) => state.items[id]?.kind === "user") ?? page.asked;
}

/**
 * evict shortens what is read where that is too much: it keeps the items between
 * two positions, and about as many before as behind them.
 */
export function evict(state: State, chatId: string, from: number, to: number): void {
  const page = state.pages[chatId];
  const all = page ? visibleSpan(page).order : [];
  if (!page || all.length <= maxItems) return;
  const posAt = (at: number) => state.items[all[at] as string]?.pos ?? 0;
  const first = all.findIndex((_, at) => posAt(at) >= from);
  const begin = first < 0 ? all.length - 1 : first;
  const end =
    Math.max(
      begin,
      all.findLastIndex((_, at) => posAt(at) <= to),
    ) + 1;
  const room = Math.max(0, keptItems - (end - begin)) >> 1;
  let [low, high] = [Math.max(0, begin - room), Math.min(all.length, end + room)];
  // What one side has no use for, the other has.
  low = Math.max(0, Math.min(low, high - keptItems));
  high = Math.min(all.length, Math.max(high, low + keptItems));
  while (low > 0 && !isSeam(state, all[low])) low--;
  while (high < all.length && !isSeam(state, all[high])) high++;
  if (!page.window && high > all.length - endItems) high = all.length;
  if (low === 0 && high === all.length) return;

  noteAsked(state, page);
  const kept = { order: all.slice(low, high), before: low > 0 ? posAt(low) : visibleSpan(page).before };
  if (page.window || high < all.length) {
    if (!page.window) {
      page.before = posAt(all.length - endItems);
      page.order = all.slice(-endItems);
    }
    page.window = kept;
  } else {
    page.order = kept.order;
    page.before = kept.before;
  }
  page.rev++;
  sweep(state, chatId);
}

/** trimEnd shortens an end that grows while nobody reads it. */
export function trimEnd(state: State, chatId: string): void {
  const page = state.pages[chatId];
  if (!page || page.order.length <= maxItems) return;
  if (!page.window) {
    // Who reads it says what may go; and who left it comes back to where they were.
    if (page.left === undefined) return;
    if (page.left > 0) {
      evict(state, chatId, page.left, page.left);
      return;
    }
  }
  keepEnd(state, page);
  page.rev++;
  sweep(state, chatId);
}

/** sweep forgets what belongs to no item that is held. */
export function sweep(state: State, chatId: string): void {
  const page = state.pages[chatId];
  if (!page) return;
  const held = new Set([...page.order, ...(page.window?.order ?? []), page.asked ?? ""]);
  const isHeld = (item: Item | undefined): boolean =>
    item !== undefined &&
    (held.has(item.id) ||
      (!!item.parentId && (isRunning(state, item.turnId) || isHeld(state.items[item.parentId]))));
  const gone = Object.values(state.items).filter((item) => item.chatId === chatId && !isHeld(item));
  for (const { id } of gone) {
    delete state.items[id];
    delete state.texts[id];
    delete state.contentsOf[id];
  }
  for (const [block, ids] of Object.entries(page.inside)) {
    const kept = ids.filter((id) => state.items[id]);
    if (kept.length === 0) delete page.inside[block];
    else if (kept.length < ids.length) page.inside[block] = kept;
  }
  const spans = page.window ? [page, page.window] : [page];
  page.gaps = page.gaps.filter(({ parent, from, to }) =>
    parent === ""
      ? spans.some(
          (span) => (state.items[span.order[0] ?? ""]?.pos ?? to) < from && lastPosition(state, span) > to,
        )
      : state.items[parent],
  );
  sweepTurns(state, chatId);
  const previews = new Set<string>();
  for (const asked of Object.values(state.permissions)) {
    if (asked.chatId !== chatId) continue;
    if (asked.state === "open")
      for (const id of [asked.contentId, asked.textId, ...(asked.files ?? []).map((file) => file.contentId)])
        previews.add(id ?? "");
    else if (asked.itemId && !state.items[asked.itemId]) delete state.permissions[asked.id];
  }
  for (const content of Object.values(state.contents)) {
    if (content.chatId !== chatId || state.items[content.itemId] || previews.has(content.id)) continue;
    delete state.contentsOf[content.itemId];
    delete state.contents[content.id];
  }
}

function sweepTurns(state: State, chatId: string): void {
  const used = new Set<string>();
  for (const item of Object.values(state.items)) {
    used.add(item.turnId ?? "");
    used.add(item.block?.turnId ?? "");
  }
  const turns = Object.values(state.turns).filter((turn) => turn.chatId === chatId);
  // How full the chat is follows from the newest one of its main AI that says so.
  const sized = turns.filter((turn) => turn.usage?.size).sort((a, b) => a.startedAt - b.startedAt);
  const newest = new Map(sized.map((turn) => [turn.mainId, turn.id]));
  for (const turn of turns) {
    if (turn.state !== "running" && newest.get(turn.mainId) !== turn.id && !used.has(turn.id))
      delete state.turns[turn.id];
  }
}
