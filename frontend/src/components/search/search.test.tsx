import { fireEvent, screen as page, render, waitFor, within } from "@solidjs/testing-library";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Hit, Hits } from "../../state/words";
import { go, screen } from "../shell/screen";
import { aChat, know, learn, standInForBrowser } from "../ui/testing";
import { around } from "./around";
import { fromOf, groupsOf, shownOf, termsOf } from "./hits";
import { markTerms } from "./marks";
import { found, search } from "./query";
import { SearchScreen } from "./SearchScreen";

const hit = (chatId: string, itemId: string, text = "a word", more: Partial<Hit> = {}): Hit => ({
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

/** answerSearch answers /data/search by what is asked for, and notes it. */
function answerSearch(answer: (query: URLSearchParams) => Hits | Response): URLSearchParams[] {
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

beforeEach(async () => {
  // What was searched for outlives the screen.
  search("");
  await waitFor(() => expect(found()).toBeUndefined());
  standInForBrowser();
  know(aChat("a"), aChat("b"));
  go({ name: "search", query: "" });
});

const field = () => page.getByRole("searchbox", { name: "Search all chats" });
const type = (text: string) => fireEvent.input(field(), { target: { value: text } });
const results = () => page.getByRole("region", { name: "Search results" });
const isAt = () => results().querySelector("[aria-current]")?.getAttribute("data-hit");

describe("the search", () => {
  test("shows three results of a chat until all are asked for, and counts them", async () => {
    answerSearch(() => ({
      hits: [...["1", "2", "3", "4", "5"].map((id) => hit("a", id)), hit("b", "6")],
      total: 6,
      chats: 2,
    }));
    render(() => <SearchScreen />);
    type("token");
    const chat = await within(results()).findByRole("region", { name: "Chat a" });
    expect(within(chat).getAllByRole("button", { name: /token/ })).toHaveLength(3);
    expect(page.getByRole("status", { name: "Result count" })).toHaveTextContent("6 results in 2 chats");
    fireEvent.click(within(chat).getByRole("button", { name: "Show 2 more in this chat" }));
    expect(within(chat).getAllByRole("button", { name: /token/ })).toHaveLength(5);
  });

  test("is walked from the field, and Enter opens the chat at the message", async () => {
    answerSearch(() => ({ hits: [hit("a", "1"), hit("b", "2")], total: 2 }));
    render(() => <SearchScreen />);
    type("token");
    await waitFor(() => expect(isAt()).toBe("a/1"));
    fireEvent.keyDown(field(), { key: "ArrowDown" });
    expect(isAt()).toBe("b/2");
    fireEvent.keyDown(field(), { key: "Enter", isComposing: true });
    expect(screen().name).toBe("search");
    fireEvent.keyDown(field(), { key: "Enter" });
    expect(screen()).toMatchObject({ name: "chat", id: "b" });
  });

  test("a page that follows is added to what is there", async () => {
    const asked = answerSearch((query) =>
      query.get("before") === "p2"
        ? { hits: [hit("b", "2")], total: 2 }
        : { hits: [hit("a", "1")], total: 2, more: "p2" },
    );
    render(() => <SearchScreen />);
    type("token");
    fireEvent.click(await page.findByRole("button", { name: "Show older results" }));
    await waitFor(() => expect(within(results()).getAllByRole("button", { name: /token/ })).toHaveLength(2));
    expect(asked.map((query) => query.get("before"))).toEqual([null, "p2"]);
    expect(page.queryByRole("button", { name: "Show older results" })).toBeNull();
  });

  test("says what did not work, and tries again", async () => {
    let broken = true;
    answerSearch(() =>
      broken
        ? Response.json({ code: "storage", message: "The disk is gone." }, { status: 500 })
        : { hits: [], total: 0 },
    );
    render(() => <SearchScreen />);
    type("token");
    expect(await page.findByRole("alert")).toHaveTextContent("The disk is gone.");
    broken = false;
    fireEvent.click(page.getByRole("button", { name: "Try again" }));
    expect(await page.findByText("Nothing matches “token”. Try fewer words or all folders.")).toBeVisible();
  });

  test("a chat that is deleted has no results any more", async () => {
    answerSearch(() => ({ hits: [hit("a", "1")], total: 1 }));
    render(() => <SearchScreen />);
    type("token");
    await waitFor(() => expect(isAt()).toBe("a/1"));
    learn(aChat("a", { deletedAt: 1 }));
    expect(within(results()).queryByRole("button", { name: /token/ })).toBeNull();
  });
});

describe("what a search has found", () => {
  test("stands by chat, in the order in which it came", () => {
    const groups = groupsOf([hit("b", "1"), hit("a", "2"), hit("b", "3"), hit("b", "4"), hit("b", "5")]);
    expect(groups.map((group) => group.chatId)).toEqual(["b", "a"]);
    const [first] = groups;
    if (!first) throw new Error("no group");
    expect(shownOf(first, new Set()).map((each) => each.itemId)).toEqual(["1", "3", "4"]);
    expect(shownOf(first, new Set(["b"]))).toHaveLength(4);
  });

  test("counts days from midnight", () => {
    const now = new Date(2025, 10, 20, 14, 3).getTime();
    expect(fromOf("any", now)).toBe(0);
    expect(fromOf("day", now)).toBe(new Date(2025, 10, 20).getTime());
  });

  test("is marked in a text as it was found, never as a pattern", () => {
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

  test("stands between what comes before and behind it in the chat", () => {
    const events = Array.from({ length: 20 }, (_, i) => [
      { item: { id: `i${i}`, chatId: "a", pos: i + 1, kind: "message" as const, createdAt: 1 } },
      { text: { itemId: `i${i}`, chatId: "a", offset: 0, text: `Text ${i}`, size: 6 } },
    ]).flat();
    expect(around(events, hit("a", "i10")).map((entry) => entry.text)).toEqual([
      "Text 9",
      "Text 10",
      "Text 11",
      "Text 12",
      "Text 13",
      "Text 14",
      "Text 15",
    ]);
    expect(around(events, hit("a", "gone"))).toEqual([]);
    expect(around(events, hit("a", "", "", { itemId: undefined, kind: "title" })).at(-1)?.text).toBe(
      "Text 19",
    );
  });
});
