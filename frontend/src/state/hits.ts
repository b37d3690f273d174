// Search results as the screen shows them. All functions are pure.

import { type Hit, type HitGroup, type Hits, HitsPerChat } from "./types";

/** The loaded results in one chat. */
export interface Group extends HitGroup {
  title: string;
  folder: string;
  hits: Hit[];
}

/** A row of the list: a chat, one of its results, or the button for more of them. */
export type Row =
  | { kind: "chat"; key: string; group: Group }
  | { kind: "hit"; key: string; hit: Hit }
  | { kind: "more"; key: string; group: Group; rest: number };

/** keyOf returns the unique key of a result. */
export function keyOf(hit: Hit): string {
  return `${hit.chatId}/${hit.itemId ?? ""}`;
}

/** groupsOf returns the groups in `before`, followed by a group for each other chat that has results on the page. */
export function groupsOf(page: Hits, before: readonly Group[] = []): Group[] {
  const hits = new Map<string, Hit[]>();
  for (const hit of page.hits) {
    const list = hits.get(hit.chatId);
    if (list) list.push(hit);
    else hits.set(hit.chatId, [hit]);
  }
  const there = new Set(before.map((group) => group.chatId));
  const more = page.groups.flatMap((group) => {
    const own = hits.get(group.chatId) ?? [];
    const [first] = own;
    if (!first || there.has(group.chatId)) return [];
    return [{ ...group, title: first.title, folder: first.folder, hits: own }];
  });
  return [...before, ...more];
}

/** appendPage returns a group with another page of results appended. */
export function appendPage(group: Group, page: Hits): Group {
  const there = new Set(group.hits.map(keyOf));
  const hits = [...group.hits, ...page.hits.filter((hit) => !there.has(keyOf(hit)))];
  // If the total is capped, the number of loaded results can exceed it. Once all results are loaded, their number is
  // the total.
  const total = page.more ? Math.max(group.total, hits.length) : hits.length;
  return { ...group, hits, total, capped: group.capped && !!page.more, more: page.more };
}

/** rowsOf returns the rows of a list; expanded chats show all loaded results. */
export function rowsOf(groups: readonly Group[], opened: ReadonlySet<string>): Row[] {
  return groups.flatMap((group) => {
    const shown = opened.has(group.chatId) ? group.hits : group.hits.slice(0, HitsPerChat);
    const rows: Row[] = [{ kind: "chat", key: group.chatId, group }];
    rows.push(...shown.map((hit) => ({ kind: "hit" as const, key: keyOf(hit), hit })));
    if (shown.length < group.hits.length || group.more) {
      const rest = group.capped ? 0 : Math.max(0, group.total - shown.length);
      rows.push({ kind: "more", key: `${group.chatId}/+`, group, rest });
    }
    return rows;
  });
}

/**
 * termsOf returns the matched words, longest first, so that marking a short word doesn't split a longer one that
 * contains it.
 */
export function termsOf(hit: Hit): string[] {
  const found = hit.snippet.filter((piece) => piece.hit).map((piece) => piece.text.toLowerCase());
  return [...new Set(found)].filter((term) => term.trim() !== "").sort((a, b) => b.length - a.length);
}

export type DateFilter = "any" | "day" | "week" | "month" | "year";

const day = 24 * 60 * 60 * 1000;

/** fromOf returns the earliest time of a date filter; 0 means no limit. */
export function fromOf(filter: DateFilter, now: number): number {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  return {
    any: 0,
    day: midnight,
    week: midnight - 6 * day,
    month: midnight - 29 * day,
    year: midnight - 364 * day,
  }[filter];
}
