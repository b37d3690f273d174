// The items of a chat's transcript that are in memory. However long the chat is, there are at most two parts: the end
// of the chat, which receives all new items, and the part on screen if the user has scrolled away from the end.
// Everything that depends on the newest items is derived from the end. If the parts overlap, they are merged. Both have
// a maximum size; all other items are evicted and remain in the database.
//
// Like those of reduce.ts, the functions are plain and modify the given state.

import type { Page, Span, State } from "./state";
import type { Item } from "./types";

/** Maximum number of items in a part; a longer part is trimmed to `trimmedItems`. */
export const maxItems = 240;
/**
 * Number of items to which a part is trimmed. A trimmed part may have more, because the items on screen always stay.
 */
export const trimmedItems = 180;
/** Maximum number of items at the end of the chat that stay in memory while another part is on screen. */
export const endItems = 60;

/** visibleSpan returns the part that is on screen. */
export function visibleSpan(page: Page): Span {
  return page.window ?? page;
}

/** lastPosition returns the position of a part's last item. */
export function lastPosition(state: State, span: Span): number {
  return state.items[span.order.at(-1) ?? ""]?.pos ?? 0;
}

/**
 * outermost returns the ID of the top-level item that contains an item, or the ID of the item itself if it is at the
 * top level.
 */
export function outermost(state: State, id: string): string {
  let top = id;
  for (let item = state.items[top]; item?.parentId; item = state.items[top]) top = item.parentId;
  return top;
}

/**
 * insertItem inserts an item's ID at the place that its pos determines. It returns false if no loaded part
 * covers that position. Almost all items go to the end. If a late item belongs further up, the list is
 * rebuilt, because moving many entries one by one through a store is slow.
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
    // A running block is kept up to date even if it isn't loaded.
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
 * trimPage shortens the end of a chat if it overlaps the part on screen and both together exceed the limit. The part on
 * screen isn't shortened, because the user has scrolled or jumped to it.
 */
export function trimPage(state: State, page: Page): void {
  const window = page.window;
  if (!window || lastPosition(state, window) < page.before) return;
  if (new Set([...page.order, ...window.order]).size > maxItems) keepEnd(state, page);
}

/** keepEnd evicts all but the newest items. */
function keepEnd(state: State, page: Page): void {
  recordUserItem(state, page);
  page.order = page.order.slice(-endItems);
  page.before = state.items[page.order[0] ?? ""]?.pos ?? 0;
}

/** joinSpans merges the end of a chat with the part on screen if they overlap. */
export function joinSpans(state: State, page: Page): void {
  const window = page.window;
  if (!window || (page.before > 0 && lastPosition(state, window) < page.before)) return;
  if (page.before > 0) {
    // The part on screen was read from the database and may contain items that the end hasn't received
    // yet.
    const posOf = (id: string) => state.items[id]?.pos ?? 0;
    page.order = [...new Set([...page.order, ...window.order])].sort((a, b) => posOf(a) - posOf(b));
    page.before = Math.min(page.before, window.before);
  }
  delete page.window;
}

/** resetToEnd evicts the part on screen if it is separate from the end, so that the end is shown. */
export function resetToEnd(state: State, chatId: string): void {
  const page = state.pages[chatId];
  if (!page) return;
  delete page.whole;
  if (!page.window) return;
  delete page.window;
  page.rev++;
  sweep(state, chatId);
}

/**
 * isCutPoint reports whether a part may be cut before an item. After the cut, the transcript entry that
 * starts with the item must have the same key as before.
 */
function isCutPoint(state: State, id: string | undefined): boolean {
  const item = state.items[id ?? ""];
  if (item?.kind === "message") return (state.texts[item.id]?.size ?? 0) > 0;
  return item?.kind === "user" || item?.kind === "block";
}

/**
 * recordUserItem records the ID of the user's newest message before items are evicted, because the user can
 * send that message again.
 */
function recordUserItem(state: State, page: Page): void {
  page.lastUserItem = page.order.findLast((id) => state.items[id]?.kind === "user") ?? page.lastUserItem;
}

/**
 * evict trims the part on screen if it is too long: it keeps the items between the positions `from` and
 * `to`, and about as many items before them as after them.
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
  const room = Math.max(0, trimmedItems - (end - begin)) >> 1;
  let [low, high] = [Math.max(0, begin - room), Math.min(all.length, end + room)];
  // If there are fewer items on one side, the other side keeps more.
  low = Math.max(0, Math.min(low, high - trimmedItems));
  high = Math.min(all.length, Math.max(high, low + trimmedItems));
  while (low > 0 && !isCutPoint(state, all[low])) low--;
  while (high < all.length && !isCutPoint(state, all[high])) high++;
  if (!page.window && high > all.length - endItems) high = all.length;
  if (low === 0 && high === all.length) return;

  recordUserItem(state, page);
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

/** trimEnd shortens the end of a chat's transcript if it is too long and isn't on screen. */
export function trimEnd(state: State, chatId: string): void {
  const page = state.pages[chatId];
  if (!page || page.order.length <= maxItems) return;
  if (!page.window) {
    // A visible page is trimmed by evictFar. If the user has left the chat, the items near the last scroll position
    // stay.
    if (page.leftAt === undefined) return;
    if (page.leftAt > 0) {
      evict(state, chatId, page.leftAt, page.leftAt);
      return;
    }
  }
  keepEnd(state, page);
  page.rev++;
  sweep(state, chatId);
}

/** sweep deletes the state of items that aren't loaded. */
export function sweep(state: State, chatId: string): void {
  const page = state.pages[chatId];
  if (!page) return;
  const held = new Set([...page.order, ...(page.window?.order ?? []), page.lastUserItem ?? ""]);
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
  // For each orchestrator, the newest turn that reports its context usage stays, because the chat shows that
  // usage.
  const sized = turns.filter((turn) => turn.usage?.size).sort((a, b) => a.startedAt - b.startedAt);
  const newest = new Map(sized.map((turn) => [turn.mainId, turn.id]));
  for (const turn of turns) {
    if (turn.state !== "running" && newest.get(turn.mainId) !== turn.id && !used.has(turn.id)) {
      delete state.turns[turn.id];
      delete state.undos[turn.id];
    }
  }
}
