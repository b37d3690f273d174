import { fireEvent, render, screen as ui, waitFor, within } from "@solidjs/testing-library";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { go, screen } from "../../state/screen";
import { filter, found, noFilters, search, showAll, showMore } from "../../state/search";
import type { Hit, Hits } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubBrowser } from "../../testing";
import { SearchScreen } from "./SearchScreen";
import { answerSearch, currentHit, field, hit, page, results, type } from "./testing";

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
  test("shows three results per chat, and more on request", async () => {
    const asked = answerSearch((query) =>
      query.get("chat")
        ? page([hit("a", "4"), hit("a", "5")], {}, { a: { total: 5 } })
        : page(
            [...["1", "2", "3"].map((id) => hit("a", id)), hit("b", "6")],
            { total: 6, chats: 2 },
            { a: { total: 5, more: "rest" } },
          ),
    );
    render(() => <SearchScreen />);
    type("token");
    await within(results()).findByRole("heading", { name: /Chat a.*5/ });
    expect(within(results()).getAllByRole("button", { name: /token/ })).toHaveLength(4);
    expect(ui.getByRole("status", { name: "Result count" })).toHaveTextContent("6 results in 2 chats");
    fireEvent.click(within(results()).getByRole("button", { name: "Show 2 more in this chat" }));
    await waitFor(() => expect(within(results()).getAllByRole("button", { name: /token/ })).toHaveLength(6));
    expect(asked.at(-1)?.get("chat")).toBe("a");
    expect(asked.at(-1)?.get("before")).toBe("rest");
    expect(within(results()).queryByRole("button", { name: /more in this chat/ })).toBeNull();
  });

  test("marks incomplete counts and keeps counting past the page", async () => {
    let counted: (hits: Hits) => void = () => {};
    const later = new Promise<Hits>((answer) => (counted = answer));
    vi.stubGlobal("fetch", async (input: string) => {
      const query = new URL(input, "http://app").searchParams;
      if (query.get("count")) return Response.json(await later);
      return Response.json(
        page(
          [hit("a", "1")],
          { total: 200, capped: true },
          { a: { total: 200, capped: true, more: "rest" } },
        ),
      );
    });
    render(() => <SearchScreen />);
    type("token");
    const status = await ui.findByText("More than 200 results");
    expect(within(results()).getByRole("heading", { name: /200\+/ })).toBeVisible();
    expect(within(results()).getByRole("button", { name: "Show more in this chat" })).toBeVisible();
    counted({ hits: [], groups: [], total: 214, chats: 37 });
    await waitFor(() => expect(status).toHaveTextContent("214 results in 37 chats"));
  });

  test("corrects counts from displayed results", async () => {
    let asked = 0;
    answerSearch((query) => {
      if (!query.get("before")) {
        return page(
          [hit("a", "1")],
          { total: 200, capped: true },
          { a: { total: 1, capped: true, more: "2" } },
        );
      }
      asked++;
      return asked === 1 ? page([hit("a", "2")], { more: "3" }) : page([hit("a", "3")]);
    });
    render(() => <SearchScreen />);
    type("token");
    await within(results()).findByRole("heading", { name: /1\+/ });
    fireEvent.click(within(results()).getByRole("button", { name: "Show more in this chat" }));
    await within(results()).findByRole("heading", { name: /2\+/ });
    fireEvent.click(within(results()).getByRole("button", { name: "Show more in this chat" }));
    expect(await within(results()).findByRole("heading", { name: /3$/ })).toBeVisible();
    expect(within(results()).queryByRole("button", { name: /more in this chat/ })).toBeNull();
  });

  test("moves through results from the field, and Enter opens the message", async () => {
    answerSearch(() => page([hit("a", "1"), hit("b", "2")]));
    render(() => <SearchScreen />);
    type("token");
    await waitFor(() => expect(currentHit()).toBe("a/1"));
    fireEvent.keyDown(field(), { key: "ArrowDown" });
    expect(currentHit()).toBe("b/2");
    fireEvent.keyDown(field(), { key: "Enter", isComposing: true });
    expect(screen().name).toBe("search");
    fireEvent.keyDown(field(), { key: "Enter" });
    expect(screen()).toMatchObject({ name: "chat", id: "b" });
  });

  test("loads the next page of chats near the end, without duplicates", async () => {
    const asked = answerSearch((query) =>
      query.get("before") === "p2"
        ? page([hit("a", "1"), hit("b", "2")], { total: 3 })
        : page([hit("a", "1")], { total: 3, more: "p2" }),
    );
    render(() => <SearchScreen />);
    type("token");
    await waitFor(() => expect(within(results()).getAllByRole("button", { name: /token/ })).toHaveLength(2));
    expect(asked.map((query) => query.get("before"))).toEqual([null, "p2"]);
  });

  test("renders only visible results, however many there are", async () => {
    const many = Array.from({ length: 400 }, (_, i) => hit(`c${i}`, "1"));
    answerSearch(() => page(many));
    render(() => <SearchScreen />);
    type("token");
    await waitFor(() => expect(currentHit()).toBe("c0/1"));
    expect(results().querySelectorAll(".hitr").length).toBeLessThan(60);
  });

  test("restores its pages and selection, and searches again only if chats changed", async () => {
    const many = (from: number) => Array.from({ length: 16 }, (_, i) => hit(`c${from + i}`, "1"));
    const asked = answerSearch((query) =>
      query.get("before") === "p2" ? page(many(16)) : page(many(0), { more: "p2" }),
    );
    const first = render(() => <SearchScreen />);
    type("token");
    await waitFor(() => expect(currentHit()).toBe("c0/1"));
    for (let n = 0; n < 15; n++) fireEvent.keyDown(field(), { key: "ArrowDown" });
    await waitFor(() => expect(found()?.groups).toHaveLength(32));
    expect(currentHit()).toBe("c15/1");
    first.unmount();
    go({ name: "search" });

    const second = render(() => <SearchScreen />);
    expect(currentHit()).toBe("c15/1");
    expect(found()?.groups).toHaveLength(32);
    expect(asked).toHaveLength(2);
    second.unmount();

    applyEvents(chatEvent("a", { updatedAt: 99_999 }));
    render(() => <SearchScreen />);
    await waitFor(() => expect(asked).toHaveLength(4));
    await waitFor(() => expect(ui.getByRole("status", { name: "Result count" })).not.toHaveTextContent("…"));
    expect(found()?.groups).toHaveLength(32);
    expect(currentHit()).toBe("c15/1");
  });

  test("that takes long shows progress", async () => {
    vi.useFakeTimers();
    try {
      vi.stubGlobal("fetch", () => new Promise(() => {}));
      render(() => <SearchScreen />);
      type("token");
      await vi.advanceTimersByTimeAsync(120 + 299);
      expect(ui.getByRole("status", { name: "Result count" })).toHaveTextContent("");
      await vi.advanceTimersByTimeAsync(1);
      expect(ui.getByRole("status", { name: "Result count" })).toHaveTextContent("Searching…");
      expect(results()).toHaveAttribute("aria-busy", "true");
    } finally {
      vi.useRealTimers();
    }
  });

  test("filters by author and kind", async () => {
    const asked = answerSearch(() => page([hit("a", "1")]));
    render(() => <SearchScreen />);
    type("token");
    await waitFor(() => expect(currentHit()).toBe("a/1"));
    filter({ who: "you", of: "messages" });
    await waitFor(() => expect(asked.at(-1)?.get("of")).toBe("messages"));
    expect(asked.at(-1)?.get("who")).toBe("you");
    expect(ui.getByRole("button", { name: "From: You" })).toBeVisible();
    expect(ui.getByRole("button", { name: "Kind: Your messages" })).toBeVisible();
  });

  test("shows invisible characters in titles and commands", async () => {
    answerSearch(() =>
      page([hit("a", "1", "rm \u202egnp.", { kind: "tool", tool: "execute", title: "a\u200bb" })]),
    );
    render(() => <SearchScreen />);
    type("token");
    const row = await within(results()).findByRole("button", { name: /^Command/ });
    expect(row).toHaveTextContent("rm [U+202E]gnp.");
    expect(within(results()).getByRole("heading", { name: /a\[U\+200B\]b/ })).toBeVisible();
  });

  test("reports a failure and retries", async () => {
    let broken = true;
    answerSearch(() =>
      broken ? Response.json({ code: "storage", message: "The disk is gone." }, { status: 500 }) : page([]),
    );
    render(() => <SearchScreen />);
    type("token");
    expect(await ui.findByRole("alert")).toHaveTextContent("The disk is gone.");
    broken = false;
    fireEvent.click(ui.getByRole("button", { name: "Try again" }));
    expect(
      await ui.findByText("Nothing matches “token”. Try fewer words or different filters."),
    ).toBeVisible();
  });

  test("that ended still shows that chats are being indexed, even after loading more", async () => {
    vi.useFakeTimers();
    try {
      let reading = true;
      answerSearch((query) =>
        query.get("chat")
          ? page([hit("a", "4")])
          : page([hit("a", "1")], { reading }, { a: { total: 2, more: "rest" } }),
      );
      render(() => <SearchScreen />);
      type("token");
      await vi.advanceTimersByTimeAsync(500);
      expect(found()?.chats?.reading).toBe(true);
      fireEvent.click(within(results()).getByRole("button", { name: /more in this chat/ }));
      await vi.advanceTimersByTimeAsync(500);
      expect(found()?.groups[0]?.hits).toHaveLength(2);
      reading = false;
      await vi.advanceTimersByTimeAsync(2000);
      expect(found()?.chats?.reading).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  test("ignores late results of an earlier query, and Enter opens those of its own", async () => {
    const many = Array.from({ length: 16 }, (_, i) => hit(`c${i}`, "1"));
    const asked = answerSearch(() => page(many, { more: "p2" }, { c0: { total: 9, more: "rest" } }));
    render(() => <SearchScreen />);
    type("token");
    await waitFor(() => expect(currentHit()).toBe("c0/1"));
    type("tokens");
    showMore();
    void showAll("c0");
    fireEvent.keyDown(field(), { key: "Enter" });
    expect(screen().name).toBe("search");
    await waitFor(() => expect(found()?.query).toBe("tokens"));
    expect(asked.map((query) => [query.get("q"), query.get("before")])).toEqual([
      ["token", null],
      ["tokens", null],
    ]);
    await waitFor(() => expect(screen()).toMatchObject({ name: "chat", id: "c0" }));
  });

  test("typed just before leaving the screen runs on return", async () => {
    const asked = answerSearch(() => page([hit("a", "1")]));
    const first = render(() => <SearchScreen />);
    type("token");
    await waitFor(() => expect(currentHit()).toBe("a/1"));
    type("tokens");
    first.unmount();
    go({ name: "search" });
    render(() => <SearchScreen />);
    await waitFor(() => expect(found()?.query).toBe("tokens"));
    expect(asked.map((query) => query.get("q"))).toEqual(["token", "tokens"]);
  });

  test("that restarts is not abandoned to load more of a chat", async () => {
    let later: Hit[] = [];
    const asked = answerSearch((query) =>
      query.get("chat")
        ? page([hit("a", "4")])
        : page([hit("a", "1"), ...later], {}, { a: { total: 2, more: "rest" } }),
    );
    const first = render(() => <SearchScreen />);
    type("token");
    await waitFor(() => expect(currentHit()).toBe("a/1"));
    first.unmount();
    later = [hit("b", "2")];
    applyEvents(chatEvent("a", { updatedAt: 88_888 }));
    go({ name: "search" });
    render(() => <SearchScreen />);
    await showAll("a");
    expect(asked.map((query) => query.get("chat"))).toEqual([null, null, "a"]);
    expect(found()?.groups.map((group) => group.hits.length)).toEqual([2, 1]);
  });

  test("that failed runs again when the screen returns", async () => {
    let broken = false;
    const asked = answerSearch(() =>
      broken ? Response.json({ code: "storage", message: "Gone." }, { status: 500 }) : page([hit("a", "1")]),
    );
    const come = () => {
      go({ name: "search" });
      return render(() => <SearchScreen />);
    };
    const first = come();
    type("token");
    await waitFor(() => expect(currentHit()).toBe("a/1"));
    first.unmount();
    applyEvents(chatEvent("a", { updatedAt: 77_777 }));
    broken = true;
    const second = come();
    await ui.findByRole("alert");
    second.unmount();
    broken = false;
    come();
    await waitFor(() => expect(asked).toHaveLength(3));
    await waitFor(() => expect(ui.queryByRole("alert")).toBeNull());
  });
});
