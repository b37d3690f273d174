import { afterEach, describe, expect, test, vi } from "vitest";
import { aChat, know, standIn } from "../components/ui/testing";
import { actions } from "./actions";
import { raw, sink } from "./store";
import type { Event } from "./words";

const item = (pos: number): Event => ({
  item: { id: `i${pos}`, chatId: "c", pos, kind: "message", createdAt: pos },
});
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => item(from + n));

/** history answers with pages of a chat of so many items, and notes what it was asked. */
function history(count: number) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (input: string) => {
    const { searchParams: query } = new URL(input, "http://app");
    query.delete("chat");
    asked.push(`${query}`);
    const [around, after] = [Number(query.get("around")), Number(query.get("after"))];
    const before = Number(query.get("before") ?? 0);
    const end = around ? around + 30 : after ? after + 61 : before;
    const from = Math.max(1, around ? around - 30 : after ? after + 1 : before - 60);
    const events = around > count ? [] : range(from, Math.min(end, count + 1));
    return Promise.resolve(
      Response.json({ run: "r", seq: 1, events, ...(from > 1 && !after ? { before: from } : {}) }),
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
    standIn();
    know(aChat("c"));
    sink.open("c", range(900, 1000), 900, []);
  };

  test("is reached by one page around it, and the end stays", async () => {
    open();
    const asked = history(999);
    expect(await actions.loadPlace({ chatId: "c", itemId: "i50", pos: 50 })).toBe(true);
    expect(asked).toEqual(["around=50"]);
    expect(raw().pages.c?.window).toEqual({ order: ids(20, 80), before: 20 });
    expect(raw().pages.c?.order).toEqual(ids(900, 1000));
  });

  test("goes on in both directions, and meets the end without a gap", async () => {
    open();
    history(999);
    await actions.loadPlace({ chatId: "c", itemId: "i800", pos: 800 });
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
    await actions.loadPlace({ chatId: "c", itemId: "i50", pos: 50 });
    expect(await actions.loadPlace({ chatId: "c", itemId: "i950", pos: 950 })).toBe(true);
    expect(asked).toHaveLength(1);
    expect(raw().pages.c?.window).toBeUndefined();
    expect(Object.keys(raw().items).sort()).toEqual(ids(900, 1000).sort());
  });

  test("that is nowhere changes nothing", async () => {
    open();
    const asked = history(0);
    expect(await actions.loadPlace({ chatId: "c", itemId: "i50", pos: 50 })).toBe(false);
    expect(asked).toHaveLength(1);
    expect(raw().pages.c?.window).toBeUndefined();
  });
});
