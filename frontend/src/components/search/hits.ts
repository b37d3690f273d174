// What a search has found, as the screen shows it. Plain functions of lists.

import type { Hit } from "../../state/words";

/** How many hits of one chat are shown at first. */
export const shownPerChat = 3;

/** The hits of one chat. */
export interface HitGroup {
  chatId: string;
  title: string;
  folder: string;
  hits: Hit[];
}

/** keyOf tells hits apart. */
export function keyOf(hit: Hit): string {
  return `${hit.chatId}/${hit.itemId ?? ""}`;
}

/** groupsOf are the hits by chat, each where its first hit stood. */
export function groupsOf(hits: readonly Hit[]): HitGroup[] {
  const groups = new Map<string, HitGroup>();
  for (const hit of hits) {
    const group = groups.get(hit.chatId);
    if (group) group.hits.push(hit);
    else groups.set(hit.chatId, { chatId: hit.chatId, title: hit.title, folder: hit.folder, hits: [hit] });
  }
  return [...groups.values()];
}

/** shownOf are the hits of a group that are shown: all once they were asked for, or where one more is no more. */
export function shownOf(group: HitGroup, whole: ReadonlySet<string>): Hit[] {
  return whole.has(group.chatId) ? group.hits : group.hits.slice(0, shownPerChat);
}

/** termsOf are the words that were found, the longest first, so that no mark cuts another short. */
export function termsOf(hit: Hit): string[] {
  const found = hit.snippet.filter((piece) => piece.hit).map((piece) => piece.text.toLowerCase());
  return [...new Set(found)].filter((term) => term.trim() !== "").sort((a, b) => b.length - a.length);
}

export type DateFilter = "any" | "day" | "week" | "month" | "year";

const day = 24 * 60 * 60 * 1000;

/** fromOf is the time from which hits count; 0 is from the beginning. */
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
