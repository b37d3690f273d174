// Results of the search: their order, text and surroundings, and the focus among them.

import { fireEvent, render, screen as ui, waitFor, within } from "@solidjs/testing-library";
import { beforeEach, describe, expect, test } from "vitest";
import { fromOf, groupsOf, rowsOf, termsOf } from "../../state/hits";
import { go, screen } from "../../state/screen";
import { filter, found, noFilters, refresh, search } from "../../state/search";
import type { Event } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubBrowser } from "../../testing";
import { markTerms } from "./marks";
import { SearchScreen } from "./SearchScreen";
import { surroundingsOf } from "./surroundings";
import { answerSearch, currentHit, hit, page, results, type } from "./testing";

beforeEach(async () => {
  // The query outlives the screen.
  filter(noFilters);
  search("");
  await waitFor(() => expect(found()).toBeUndefined());
  stubBrowser();
  resetState(chatEvent("a"), chatEvent("b"));
  go({ name: "search", query: "" });
});

describe("the search", () => {
  test("keeps the focus on a result when others are inserted above, and in the list when it is removed", async () => {
    let hits = [hit("a", "1"), hit("b", "2")];
    answerSearch(() => page(hits));
    render(() => <SearchScreen />);
    type("token");
    await waitFor(() => expect(currentHit()).toBe("a/1"));
    const focused = () => document.activeElement?.getAttribute("data-hit");
    results().querySelector<HTMLElement>('[data-hit="b/2"]')?.focus();
    hits = [hit("c", "3"), hit("b", "2"), hit("a", "1")];
    refresh();
    await waitFor(() => expect(found()?.groups).toHaveLength(3));
    expect(focused()).toBe("b/2");
    expect(currentHit()).toBe("b/2");
    hits = [hit("c", "3")];
    refresh();
    await waitFor(() => expect(found()?.groups).toHaveLength(1));
    expect(document.activeElement).toBe(results());
  });

  test("keeps the focus in the list when the focused result scrolls away", async () => {
    answerSearch(() => page(Array.from({ length: 400 }, (_, i) => hit(`c${i}`, "1"))));
    render(() => <SearchScreen />);
    type("token");
    await waitFor(() => expect(currentHit()).toBe("c0/1"));
    results().querySelector<HTMLElement>('[data-hit="c0/1"]')?.focus();
    results().scrollTop = 9000;
    fireEvent.scroll(results());
    expect(results().querySelector('[data-hit="c0/1"]')).toBeNull();
    expect(document.activeElement).toBe(results());
    fireEvent.keyDown(results(), { key: "ArrowDown" });
    expect(document.activeElement?.getAttribute("data-hit")).toBe("c1/1");
  });

  test("drops the results of a deleted chat", async () => {
    answerSearch(() => page([hit("a", "1")]));
    render(() => <SearchScreen />);
    type("token");
    await waitFor(() => expect(currentHit()).toBe("a/1"));
    applyEvents(chatEvent("a", { deletedAt: 1 }));
    expect(within(results()).queryByRole("button", { name: /token/ })).toBeNull();
  });
});

const textsOf = (list: ReturnType<typeof surroundingsOf>) =>
  list.map((entry) => (entry.kind === "work" ? `${entry.session}: ${entry.facts}` : entry.text));

describe("Escape in the search", () => {
  test("moves from a result to the field, clears it, then goes back", async () => {
    resetState(chatEvent("a"));
    go({ name: "chat", id: "a" });
    go({ name: "search" });
    // A visit to the settings doesn't change the screen that Escape returns to.
    go({ name: "settings", page: "account" });
    go({ name: "search" });
    answerSearch(() => page([hit("a", "1")]));
    render(() => <SearchScreen />);
    type("token");
    const result = await within(results()).findByRole("button", { name: /token/ });
    const press = () => fireEvent.keyDown(document.activeElement as Element, { key: "Escape" });
    result.focus();
    press();
    const field = ui.getByRole("searchbox");
    expect(field).toHaveFocus();
    press();
    expect(field).toHaveValue("");
    expect(screen().name).toBe("search");
    press();
    expect(screen()).toMatchObject({ name: "chat", id: "a" });
  });
});

describe("a search result", () => {
  test("in a block is inside the closed block, with a summary", () => {
    const events: Event[] = [
      { item: { id: "q", chatId: "a", pos: 1, kind: "user", createdAt: 1 } },
      { text: { itemId: "q", chatId: "a", offset: 0, text: "Fix it", size: 6 } },
      {
        item: {
          id: "w",
          chatId: "a",
          pos: 2,
          kind: "block",
          createdAt: 1000,
          endedAt: 42_000,
          session: "auth",
          block: {
            sessionName: "auth",
            turnId: "t",
            prompt: "",
            stopReason: "end_turn",
            files: [{ path: "a.go", added: 48, removed: 12 }],
            commands: ["go test"],
          },
        },
      },
    ] as Event[];
    const list = surroundingsOf(events, hit("a", "inside", "", { parentId: "w" }));
    expect(textsOf(list)).toEqual(["Fix it", "auth: +48 −12 in 1 file · 1 command · 41 s"]);
    expect(list[1]).toMatchObject({ kind: "work", state: "done" });
  });

  test("is grouped by chat, three each until more are requested", () => {
    const groups = groupsOf(
      page([hit("b", "1"), hit("b", "3"), hit("b", "4"), hit("b", "5"), hit("a", "2")]),
    );
    const keys = (opened: string[]) => rowsOf(groups, new Set(opened)).map((row) => row.key);
    expect(keys([])).toEqual(["b", "b/1", "b/3", "b/4", "b/+", "a", "a/2"]);
    expect(keys(["b"])).toEqual(["b", "b/1", "b/3", "b/4", "b/5", "a", "a/2"]);
  });

  test("counts days from midnight", () => {
    const now = new Date(2025, 10, 20, 14, 3).getTime();
    expect(fromOf("any", now)).toBe(0);
    expect(fromOf("day", now)).toBe(new Date(2025, 10, 20).getTime());
  });

  test("is marked in text as found, never as a pattern", () => {
    const text = document.createElement("p");
    text.innerHTML = "A <b>Token</b>, a tokens.* and (x)";
    markTerms(
      text,
      termsOf({
        ...hit("a", "1"),
        snippet: [
          { text: "token", hit: true },
          { text: "(x)", hit: true },
        ],
      }),
    );
    expect([...text.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual([
      "Token",
      "token",
      "(x)",
    ]);
    expect(text.textContent).toBe("A Token, a tokens.* and (x)");
  });

  test("is placed between its neighbors in the chat", () => {
    const events = Array.from({ length: 20 }, (_, i) => [
      { item: { id: `i${i}`, chatId: "a", pos: i + 1, kind: "message" as const, createdAt: 1 } },
      { text: { itemId: `i${i}`, chatId: "a", offset: 0, text: `Text ${i}`, size: 6 } },
    ]).flat();
    expect(textsOf(surroundingsOf(events, hit("a", "i10")))).toEqual([
      "Text 9",
      "Text 10",
      "Text 11",
      "Text 12",
      "Text 13",
      "Text 14",
      "Text 15",
    ]);
    expect(surroundingsOf(events, hit("a", "gone"))).toEqual([]);
    expect(
      textsOf(surroundingsOf(events, hit("a", "", "", { itemId: undefined, kind: "title" }))).at(-1),
    ).toBe("Text 19");
  });
});
