// Loads the missing parts of a chat: texts, bodies and other ranges of its transcript. Callers handle
// failures.

import { api, type BodyPart } from "../bridge";
import type { Match } from "./match";
import { lastPosition, outermost, visibleSpan } from "./pageWindow";
import type { Part } from "./reduce";
import { jump, raw, readInside, readPart, showEnd, sink } from "./store";
import { wholeOf } from "./text";
import { gapsIn } from "./toolRuns";
import type { Lines, Work } from "./transcript";
import type { Snapshot } from "./types";
import { gapsOf } from "./workTotals";

const decoder = new TextDecoder();
/** Maximum size of one request for a text or body, in bytes. */
export const maxPartBytes = 256 * 1024;
const loadingTexts = new Set<string>();
const loading = new Map<string, Promise<void>>();

/** loadText loads the rest of an item's text. */
export async function loadText(itemId: string): Promise<void> {
  if (loadingTexts.has(itemId)) return;
  loadingTexts.add(itemId);
  try {
    for (;;) {
      const item = raw().items[itemId];
      const text = raw().texts[itemId];
      if (!item || !text || text.known >= text.size) return;
      const offset = text.known;
      const piece = await api.text(itemId, offset, maxPartBytes);
      if (piece.bytes.length === 0) return;
      sink.apply([
        {
          text: {
            itemId,
            chatId: item.chatId,
            offset,
            text: decoder.decode(piece.bytes),
            size: Math.max(piece.size, offset + piece.bytes.length),
          },
        },
      ]);
    }
  } finally {
    loadingTexts.delete(itemId);
  }
}

/** wholeText returns the complete text of an item, even if the item isn't in the store. */
export async function wholeText(itemId: string): Promise<string> {
  if (!raw().items[itemId]) return wholeBody((at, limit) => api.text(itemId, at, limit));
  await loadText(itemId);
  return wholeOf(raw().texts[itemId]);
}

/**
 * loadPart loads the items before or after a position; concurrent calls for the same part share one
 * request.
 */
function loadPart(chatId: string, part: Part, ask: () => Promise<Snapshot>): Promise<void> {
  const key = `${chatId} ${JSON.stringify(part)}`;
  const running = loading.get(key);
  if (running) return running;
  const work = readPart(chatId, part, ask).finally(() => loading.delete(key));
  loading.set(key, work);
  return work;
}

/** loadOlder loads the page before the current range of a chat. */
export async function loadOlder(chatId: string): Promise<void> {
  const page = raw().pages[chatId];
  const before = page ? visibleSpan(page).before : 0;
  if (before > 0) await loadPart(chatId, { before }, () => api.items(chatId, before));
}

/** loadNewer loads the page after the current range of a chat, unless the range includes the chat's end. */
export async function loadNewer(chatId: string): Promise<void> {
  const window = raw().pages[chatId]?.window;
  if (!window) return;
  const after = lastPosition(raw(), window);
  await loadPart(chatId, { after }, () => api.itemsAfter(chatId, after));
}

/**
 * loadFirst shows the beginning of a chat. The promise resolves to false if the user has left the chat or jumped to
 * another part of it in the meantime.
 */
export async function loadFirst(chatId: string): Promise<boolean> {
  const isStill = jump(chatId);
  const page = raw().pages[chatId];
  if (page && visibleSpan(page).before > 0)
    await readPart(chatId, { around: 0 }, () => api.itemsAfter(chatId, 0), isStill);
  return isStill();
}

/** loadBlockItems loads older items of a block. It returns true if there are more. */
export async function loadBlockItems(chatId: string, blockId: string): Promise<boolean> {
  const page = raw().pages[chatId];
  const known = page ? gapsIn(page, blockId).at(-1)?.to : undefined;
  const first = raw().items[page?.inside[blockId]?.[0] ?? ""]?.pos;
  const before = known === undefined ? first : known + 1;
  if (before === undefined) return false;
  // The request fills the newest gap. Items older than that gap may be missing too.
  const more = await readInside(chatId, () => api.items(chatId, before, blockId));
  return more || known !== undefined;
}

/** loadEvicted loads the newest evicted calls of a run or block. */
export async function loadEvicted(chatId: string, of: Lines | Work): Promise<void> {
  const page = raw().pages[chatId];
  const last = page ? gapsOf(raw(), page, of).at(-1)?.to : undefined;
  if (last !== undefined)
    await readInside(chatId, () => api.items(chatId, last + 1, of.kind === "work" ? of.blockId : ""));
}

/**
 * loadMatch shows the part of a chat that contains an item: the end of the chat if the item is there, otherwise a page
 * loaded around the item. The promise resolves to false if the item isn't available, or if the user has left the chat
 * or jumped to another part of it in the meantime.
 */
export async function loadMatch(place: Match): Promise<boolean> {
  const { chatId, itemId, pos } = place;
  const isStill = jump(chatId);
  const isIn = (order: readonly string[] | undefined) =>
    raw().items[itemId] !== undefined && !!order?.includes(outermost(raw(), itemId));
  const shown = () => {
    const page = raw().pages[chatId];
    return page ? visibleSpan(page).order : [];
  };
  if (isIn(shown())) return true;
  if (isIn(raw().pages[chatId]?.order)) {
    showEnd(chatId);
    return true;
  }
  await readPart(chatId, { around: pos }, () => api.itemsAround(chatId, pos), isStill);
  if (!isStill()) return false;
  if (isIn(shown())) return true;
  // A large block arrives with only its newest items.
  const blocks = shown().filter((id) => {
    const item = raw().items[id];
    return item?.kind === "block" && (place.parentId ? place.parentId === id : item.pos <= pos);
  });
  for (const block of blocks.reverse()) {
    const first = () => raw().items[raw().pages[chatId]?.inside[block]?.[0] ?? ""]?.pos ?? 0;
    const isGone = () => {
      const page = raw().pages[chatId];
      return page && gapsIn(page, block).some(({ from, to }) => from <= pos && pos <= to);
    };
    while (
      !isIn(shown()) &&
      (first() > pos || isGone()) &&
      (await loadBlockItems(chatId, block)) &&
      isStill()
    );
    if (!isStill()) return false;
    if (isIn(shown())) return true;
  }
  return false;
}

/** The loaded beginning of a text body. */
export interface BodyStart {
  text: string;
  /** Whether this is the complete text. */
  whole: boolean;
  /** Total size in bytes. */
  size: number;
}

/** bodyStart returns the beginning of a text body, up to a limit in bytes. */
export async function bodyStart(
  pieceAt: (at: number, limit: number) => Promise<BodyPart>,
  most = Number.POSITIVE_INFINITY,
): Promise<BodyStart> {
  const utf8 = new TextDecoder();
  let text = "";
  for (let at = 0; ; ) {
    const { bytes, size } = await pieceAt(at, Math.min(maxPartBytes, most - at));
    at += bytes.length;
    const isLast = bytes.length === 0 || at >= Math.min(size, most);
    text += utf8.decode(bytes, { stream: !isLast });
    if (isLast) return { text, whole: at >= size, size };
  }
}

/** wholeBody returns a complete text body. */
export async function wholeBody(pieceAt: (at: number, limit: number) => Promise<BodyPart>): Promise<string> {
  return (await bodyStart(pieceAt)).text;
}
