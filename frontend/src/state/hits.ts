// Search results as the screen shows them. All functions are pure.

import { type Hit, type HitGroup, type Hits, HitsPerChat } from "./types";

/** The loaded results in one chat or session. */
export interface Group extends HitGroup {
  key: string;
  title: string;
  folder: string;
  hits: Hit[];
}

/** A row of the list: a chat or session, one of its results, or the button for more of them. */
export type Row =
  | { kind: "chat"; key: string; group: Group }
  | { kind: "hit"; key: string; hit: Hit }
  | { kind: "more"; key: string; group: Group; rest: number };

/** groupKeyOf returns the unique key of the chat or session that contains a result. */
export function groupKeyOf({
  chatId,
  cliSession,
  home,
}: Pick<Hit, "chatId" | "cliSession" | "home">): string {
  return cliSession ? `${cliSession}@${home ?? ""}` : chatId;
}

/** keyOf returns the unique key of a result. */
export function keyOf(hit: Hit): string {
  return `${groupKeyOf(hit)}/${hit.itemId ?? ""}`;
}

/**
 * groupsOf returns the groups in `before`, followed by a group for each other chat or session that has results on the
 * page.
 */
export function groupsOf(page: Hits, before: readonly Group[] = []): Group[] {
  const hits = new Map<string, Hit[]>();
  for (const hit of page.hits) {
    const list = hits.get(groupKeyOf(hit));
    if (list) list.push(hit);
    else hits.set(groupKeyOf(hit), [hit]);
  }
  const there = new Set(before.map((group) => group.key));
  const more = page.groups.flatMap((group) => {
    const key = groupKeyOf(group);
    const own = hits.get(key) ?? [];
    const [first] = own;
    if (!first || there.has(key)) return [];
    return [{ ...group, key, title: first.title, folder: first.folder, hits: own }];
  });
  return [...before, ...more];
}

/** A list of groups, and whether more groups follow that aren't loaded. */
export interface GroupList {
  groups: readonly Group[];
  isCut: boolean;
}

/**
 * mergedGroups merges the groups of chats and of sessions. Chats with a matching title come first, followed by the
 * other groups in the order of their newest results. Groups after the end of a truncated list aren't included, because
 * their order isn't known yet.
 */
export function mergedGroups(chats: GroupList, sessions: GroupList): Group[] {
  const merged: Group[] = [];
  const [a, b] = [chats.groups, sessions.groups];
  const timeOf = (group: Group) =>
    group.chatId && group.hits[0]?.kind === "title" ? Infinity : (group.hits[0]?.at ?? 0);
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const [chat, session] = [a[i], b[j]];
    if (chat && (!session || timeOf(chat) >= timeOf(session))) {
      if (!session && sessions.isCut && timeOf(chat) < Infinity) break;
      merged.push(chat);
      i++;
    } else if (session) {
      if (!chat && chats.isCut) break;
      merged.push(session);
      j++;
    }
  }
  return merged;
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

/** rowsOf returns the rows of a list; expanded chats and sessions show all loaded results. */
export function rowsOf(groups: readonly Group[], opened: ReadonlySet<string>): Row[] {
  return groups.flatMap((group) => {
    const shown = opened.has(group.key) ? group.hits : group.hits.slice(0, HitsPerChat);
    const rows: Row[] = [{ kind: "chat", key: group.key, group }];
    rows.push(...shown.map((hit) => ({ kind: "hit" as const, key: keyOf(hit), hit })));
    if (shown.length < group.hits.length || group.more) {
      const rest = group.capped ? 0 : Math.max(0, group.total - shown.length);
      rows.push({ kind: "more", key: `${group.key}/+`, group, rest });
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
