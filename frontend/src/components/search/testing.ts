// Shared helpers for the tests of the search screen.

import { fireEvent, screen as ui } from "@solidjs/testing-library";
import { vi } from "vitest";
import type { Hit, HitGroup, Hits } from "../../state/types";

export const hit = (chatId: string, itemId: string, text = "a word", more: Partial<Hit> = {}): Hit => ({
  chatId,
  itemId,
  pos: 1,
  title: `Chat ${chatId}`,
  folder: "/home/anna/code/orbit-api",
  kind: "message",
  at: 1,
  snippet: [{ text }, { text: "token", hit: true }],
  ...more,
});

/**
 * page returns a search response with the given results. The fields in `more` override those of the response. The
 * fields in `of` are added to the groups of results, by chat ID.
 */
export function page(
  hits: Hit[],
  more: Partial<Hits> = {},
  of: Record<string, Partial<HitGroup>> = {},
): Hits {
  const ids = [...new Set(hits.map((each) => each.chatId))];
  const groups = ids.map((chatId) => ({
    chatId,
    total: hits.filter((each) => each.chatId === chatId).length,
    ...of[chatId],
  }));
  return { hits, groups, total: hits.length, ...more };
}

/** answerSearch serves /data/search and records the queries. */
export function answerSearch(answer: (query: URLSearchParams) => Hits | Response): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal("fetch", (input: string) => {
    const url = new URL(input, "http://app");
    if (url.pathname !== "/data/search")
      return Promise.resolve(Response.json({ run: "r", seq: 1, events: [], before: 0 }));
    asked.push(url.searchParams);
    const given = answer(url.searchParams);
    return Promise.resolve(given instanceof Response ? given : Response.json(given));
  });
  return asked;
}

export const field = () => ui.getByRole("searchbox", { name: "Search all chats" });
export const type = (text: string) => fireEvent.input(field(), { target: { value: text } });
export const results = () => ui.getByRole("region", { name: "Search results" });
export const currentHit = () => results().querySelector("[aria-current]")?.getAttribute("data-hit");
