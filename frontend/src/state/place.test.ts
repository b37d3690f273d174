import { afterEach, describe, expect, test, vi } from "vitest";
import { aChat, know, standIn } from "../components/ui/testing";
import { actions } from "./actions";
import { raw, sink } from "./store";
import type { Event } from "./words";

const item = (pos: number): Event => ({
  item: { id: `i${pos}`, chatId: "c", pos, kind: "message", createdAt: pos },
});
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => item(from + n));

/** history answers with what is before a position, at most so many items at once. */
function history(most: number) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (input: string) => {
    const { searchParams: query } = new URL(input, "http://app");
    const before = Number(query.get("before"));
    const from = Math.max(Number(query.get("from") ?? before - 50), before - most, 1);
    asked.push(`${query.get("from")} to ${before}`);
    return Promise.resolve(
      Response.json({ run: "r", seq: 1, events: range(from, before), ...(from > 1 ? { before: from } : {}) }),
    );
  });
  return asked;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a place far back in a chat", () => {
  const open = () => {
    standIn();
    know(aChat("c"));
    sink.open("c", range(900, 1000), 900, []);
  };

  test("is reached in steps, in order and without a gap", async () => {
    open();
    const asked = history(300);
    expect(await actions.loadPlace({ chatId: "c", itemId: "i50", pos: 50 })).toBe(true);
    expect(asked).toEqual(["50 to 900", "50 to 600", "50 to 300"]);
    expect(raw().pages.c?.order).toEqual(range(50, 1000).map((event) => event.item?.id));
    expect(raw().pages.c?.before).toBe(50);
  });

  test("is given up where nothing more comes", async () => {
    open();
    const asked = history(0);
    expect(await actions.loadPlace({ chatId: "c", itemId: "i50", pos: 50 })).toBe(false);
    expect(asked.length).toBeLessThan(10);
  });
});
