import { afterEach, describe, expect, test, vi } from "vitest";
import { chatEvent, resetState, stubApp } from "../testing";
import { actions } from "./actions";
import { raw, sink } from "./store";
import type { Event } from "./types";

const item = (pos: number): Event => ({
  item: { id: `i${pos}`, chatId: "c", pos, kind: "message", createdAt: pos },
});
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => item(from + n));

/** history serves pages of a chat that has count items, and records the requests. */
function history(count: number) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (input: string) => {
    const { searchParams: query } = new URL(input, "http://app");
    query.delete("chat");
    asked.push(`${query}`);
    const [around, after] = [Number(query.get("around")), Number(query.get("after"))];
    const before = Number(query.get("before") ?? 0);
    const isAfter = query.has("after");
    const end = around ? around + 30 : isAfter ? after + 61 : before;
    const from = Math.max(1, around ? around - 30 : isAfter ? after + 1 : before - 60);
    const events = around > count ? [] : range(from, Math.min(end, count + 1));
    return Promise.resolve(
      Response.json({ run: "r", seq: 1, events, ...(from > 1 && !isAfter ? { before: from } : {}) }),
    );
  });
  return asked;
}
const ids = (from: number, to: number) => range(from, to).map((event) => event.item?.id);

afterEach(() => {
  sink.reset([]);
  vi.unstubAllGlobals();
});

describe("a place far back in a chat", () => {
  const open = () => {
    stubApp();
    resetState(chatEvent("c"));
    sink.open("c", range(900, 1000), 900, []);
  };

  test("is reached with one page around it, and the end stays", async () => {
    open();
    const asked = history(999);
    expect(await actions.loadMatch({ chatId: "c", itemId: "i50", pos: 50 })).toBe(true);
    expect(asked).toEqual(["around=50"]);
    expect(raw().pages.c?.window).toEqual({ order: ids(20, 80), before: 20 });
    expect(raw().pages.c?.order).toEqual(ids(900, 1000));
  });

  test("extends in both directions and joins the end without a gap", async () => {
    open();
    history(999);
    await actions.loadMatch({ chatId: "c", itemId: "i800", pos: 800 });
    await actions.loadOlder("c");
    await actions.loadNewer("c");
    expect(raw().pages.c?.window).toEqual({ order: ids(710, 890), before: 710 });
    await actions.loadNewer("c");
    expect(raw().pages.c?.window).toBeUndefined();
    expect(raw().pages.c?.order).toEqual(ids(710, 1000));
    expect(raw().pages.c?.before).toBe(710);
  });

  test("at the end of the chat is shown there", async () => {
    open();
    const asked = history(999);
    await actions.loadMatch({ chatId: "c", itemId: "i50", pos: 50 });
    expect(await actions.loadMatch({ chatId: "c", itemId: "i950", pos: 950 })).toBe(true);
    expect(asked).toHaveLength(1);
    expect(raw().pages.c?.window).toBeUndefined();
    expect(Object.keys(raw().items).sort()).toEqual(ids(900, 1000).sort());
  });

  test("that doesn't exist changes nothing", async () => {
    open();
    const asked = history(0);
    expect(await actions.loadMatch({ chatId: "c", itemId: "i50", pos: 50 })).toBe(false);
    expect(asked).toHaveLength(1);
    expect(raw().pages.c?.window).toBeUndefined();
  });
});

describe("the last of two requested places", () => {
  /** late holds back the responses for a chat of 999 items; the test releases each response by its query. */
  function late() {
    const answers = new Map<string, () => void>();
    vi.stubGlobal("fetch", (input: string) => {
      const { searchParams: query } = new URL(input, "http://app");
      query.delete("chat");
      const at = Number(query.get("around") ?? Number(query.get("after")) + 31);
      const from = Math.max(1, at - 30);
      return new Promise((resolve) => {
        const before = from > 1 ? { before: from } : {};
        const events = range(from, Math.min(from + 60, 1000));
        answers.set(`${query}`, () => resolve(Response.json({ run: "r", seq: 1, events, ...before })));
      });
    });
    return (query: string) => {
      expect([...answers.keys()]).toContain(query);
      answers.get(query)?.();
    };
  }
  const open = () => {
    stubApp();
    resetState(chatEvent("c"));
    sink.open("c", range(900, 1000), 900, []);
    return late();
  };
  const place = (pos: number) => actions.loadMatch({ chatId: "c", itemId: `i${pos}`, pos });

  test("is shown even if its page arrives first", async () => {
    const answer = open();
    const [first, second] = [place(50), place(500)];
    answer("around=500");
    expect(await second).toBe(true);
    answer("around=50");
    expect(await first).toBe(false);
    expect(raw().pages.c?.window?.order).toEqual(ids(470, 530));
  });

  test.each([
    ["the end", () => actions.showEnd("c")],
    ["another chat", () => actions.updateReader("c", 0)],
    ["what is here", () => place(950)],
  ])("is %s where the page of the first comes later", async (_, wish) => {
    const answer = open();
    const [first, home] = [place(50), actions.loadFirst("c")];
    await wish();
    answer("around=50");
    answer("after=0");
    expect(await first).toBe(false);
    expect(await home).toBe(false);
    expect(raw().pages.c?.window).toBeUndefined();
  });

  test("is the beginning, however often it is requested", async () => {
    const answer = open();
    const first = actions.loadFirst("c");
    const again = actions.loadFirst("c");
    answer("after=0");
    expect(await again).toBe(true);
    expect(raw().pages.c?.window?.order).toEqual(ids(1, 61));
    sink.reset([]);
    void first;
  });
});

describe("a page that would overfill the end", () => {
  const open = () => {
    stubApp();
    resetState(chatEvent("c"));
    sink.open("c", range(31, 261), 31, []);
    actions.updateReader("c");
  };

  test("stays as the reading position, though the reader is still far from it", async () => {
    open();
    history(260);
    await actions.loadFirst("c");
    actions.evictFar("c", 220, Number.POSITIVE_INFINITY);
    expect(raw().pages.c?.window).toEqual({ order: ids(1, 61), before: 0 });
    expect(raw().pages.c?.order).toEqual(ids(201, 261));
    expect(raw().pages.c?.before).toBe(201);
  });

  test("extends to the end without a gap", async () => {
    open();
    history(260);
    await actions.loadFirst("c");
    while (raw().pages.c?.window) await actions.loadNewer("c");
    expect(raw().pages.c?.order).toEqual(ids(1, 261));
    expect(raw().pages.c?.before).toBe(0);
  });
});

describe("the page before another part", () => {
  test("is requested while the first is loading", async () => {
    stubApp();
    resetState(chatEvent("c"));
    sink.open("c", range(900, 1000), 900, []);
    const asked = history(999);
    const first = actions.loadOlder("c");
    await actions.loadMatch({ chatId: "c", itemId: "i500", pos: 500 });
    await Promise.all([first, actions.loadOlder("c"), actions.loadOlder("c")]);
    expect(asked).toEqual(["before=900", "around=500", "before=470"]);
  });
});
