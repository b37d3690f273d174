// The context of a search result, derived from a page of events without loading the chat into the store.

import ChevronRight from "lucide-solid/icons/chevron-right";
import { visibleText } from "../../lib/format";
import { rowsOf } from "../../state/lines";
import { openPage, reduce } from "../../state/reduce";
import { newState, type State } from "../../state/state";
import { wholeOf } from "../../state/text";
import { type Entry, entriesOf, type Lines, type WorkState } from "../../state/transcript";
import { factsOfFold } from "../../state/turn";
import type { Event, Hit, SessionText } from "../../state/types";
import { totalsOfWork } from "../../state/workTotals";
import { lookOf, lookOfFold } from "../transcript/line";
import { summary } from "../transcript/Work";

/** One entry of a chat, shortened for display. */
export type Excerpt = {
  /** IDs of the entry's items. */
  ids: string[];
  at: number;
} & (
  | { kind: "user" | "message" | "note"; text: string }
  /** A summary of the main session's actions. */
  | { kind: "lines"; text: string }
  /** A collapsed block. */
  | { kind: "work"; session: string; state: WorkState; facts: string }
);

/**
 * Maximum length of a text in characters; entriesBefore and entriesAfter are the numbers of entries shown
 * before and after the match.
 */
const maxTextChars = 6000;
const entriesBefore = 1;
const entriesAfter = 5;

function truncate(text: string): string {
  return text.length <= maxTextChars ? text : `${text.slice(0, maxTextChars)}…`;
}

/** linesText summarizes a run of lines, omitting thoughts. */
function linesText(state: State, entry: Lines, folder: string): string {
  const says = rowsOf(state, entry.ids).flatMap((row) => {
    if (row.kind === "fold") return lookOfFold(ChevronRight, factsOfFold(state, row)).name;
    const item = row.kind === "call" ? state.items[row.id] : undefined;
    return item?.tool ? lookOf(state, item, item.tool, folder, false).name : [];
  });
  return truncate(says.join("\n"));
}

function excerptOf(state: State, entry: Entry, folder: string): Excerpt[] {
  if (entry.kind === "work") {
    const ids = [entry.blockId, ...entry.ids];
    const facts = summary(entry, totalsOfWork(state, entry));
    return [
      {
        kind: "work",
        ids,
        at: entry.startedAt,
        session: visibleText(entry.session),
        state: entry.state,
        facts,
      },
    ];
  }
  if (entry.kind === "lines") {
    const at = state.items[entry.ids[0] ?? ""]?.createdAt ?? 0;
    const text = linesText(state, entry, folder);
    return text === "" ? [] : [{ kind: "lines", ids: entry.ids, at, text }];
  }
  const item = entry.kind === "item" ? state.items[entry.id] : undefined;
  if (item?.kind !== "user" && item?.kind !== "message" && item?.kind !== "note") return [];
  const text = truncate(wholeOf(state.texts[item.id]));
  return text === "" ? [] : [{ kind: item.kind, ids: [item.id], at: item.createdAt, text }];
}

/** excerptsOf builds the entries of a chat from a page of its events and returns their summaries. */
export function excerptsOf(events: readonly Event[], chatId: string, folder: string): Excerpt[] {
  const state = newState();
  openPage(state, chatId);
  for (const event of events) reduce(state, event);
  return entriesOf(state, chatId).flatMap((entry) => excerptOf(state, entry, folder));
}

/** containsHit reports whether an entry is or contains the match. */
export function containsHit(entry: Excerpt, hit: Hit): boolean {
  return entry.ids.some((id) => id === hit.itemId || id === hit.parentId);
}

/**
 * surroundingsOf returns the entries around a result, or the last entries of the page if the chat's title
 * matched. It returns none if the page doesn't contain the result.
 */
export function surroundingsOf(events: readonly Event[], hit: Hit): Excerpt[] {
  const list = excerptsOf(events, hit.chatId, hit.folder);
  if (!hit.itemId) return list.slice(-(entriesBefore + entriesAfter));
  const at = list.findIndex((entry) => containsHit(entry, hit));
  return at < 0 ? [] : list.slice(Math.max(0, at - entriesBefore), at + entriesAfter + 1);
}

/** textsAround returns the entries around a result in a session. */
export function textsAround(texts: readonly SessionText[], hit: Hit): Excerpt[] {
  const kinds = {
    user: "user",
    message: "message",
    tool: "lines",
    title: "note",
    note: "note",
    block: "note",
  } as const;
  return texts
    .filter(({ kind, id }) => kind !== "title" || String(id) === hit.itemId)
    .map(({ id, kind, at, text }) => ({ kind: kinds[kind], ids: [String(id)], at, text: truncate(text) }));
}
