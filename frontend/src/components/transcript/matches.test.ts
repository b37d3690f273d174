import { describe, expect, test } from "vitest";
import { Matches, TextMatches } from "./matches";

const place = (itemId: string, pos: number, count: number) => ({ itemId, pos, count });

describe("the matches of a chat", () => {
  const matches = new Matches([place("a", 1, 2), place("b", 5, 3), place("c", 9, 2_000_000_000)]);

  test("are numbered across all places, however many there are", () => {
    expect(matches.total).toBe(2_000_000_005);
    const nths = [0, 1, 2, 4, 5, 2_000_000_004].map((n) => {
      const match = matches.at(n);
      return `${match?.item.itemId}${match?.nth}`;
    });
    expect(nths).toEqual(["a0", "a1", "b0", "b2", "c0", "c1999999999"]);
    expect(matches.at(-1)).toBeUndefined();
    expect(matches.at(2_000_000_005)).toBeUndefined();
    expect(new Matches().at(0)).toBeUndefined();
  });

  test("are found by item", () => {
    expect(matches.numberOf({ item: place("b", 5, 9), nth: 2 })).toBe(4);
    expect(matches.numberOf({ item: place("b", 5, 9), nth: 3 })).toBe(-1);
    expect(matches.numberOf({ item: place("x", 5, 9), nth: 0 })).toBe(-1);
    expect(matches.numberOf(undefined)).toBe(-1);
  });

  test("continue from a position or inside an item, and end at the last", () => {
    expect(matches.next({ pos: 0, before: 0 })).toBe(0);
    expect(matches.next({ pos: 2, before: 0 })).toBe(2);
    expect(matches.next({ pos: 5, itemId: "b", before: 2 })).toBe(4);
    expect(matches.next({ pos: 5, itemId: "b", before: 3 })).toBe(5);
    expect(matches.next({ pos: 10, before: 0 })).toBe(2_000_000_004);
  });
});

describe("the matches in a text", () => {
  const pieces = [{ text: "Tea, tea.\n" }, { text: "Coffee.\n" }, { text: "No tea\n" }];

  test("are located by paragraph and character", () => {
    const matches = new TextMatches(pieces);
    expect(matches.at("TEA", 1)).toEqual({ piece: 0, nth: 1 });
    expect(matches.at("tea", 2)).toEqual({ piece: 2, nth: 0 });
    expect(matches.at("tea", 3)).toBeUndefined();
    expect(matches.at("", 0)).toBeUndefined();
    expect([0, 1, 2, 3].map((n) => matches.positionOf("tea", n))).toEqual([0, 5, 21, undefined]);
  });

  test("are counted up to a character", () => {
    const matches = new TextMatches(pieces);
    expect([0, 1, 5, 6, 21, 22, 99].map((letter) => matches.before("tea", letter))).toEqual([
      0, 1, 1, 2, 2, 3, 3,
    ]);
    expect(matches.before("e", 9)).toBe(2);
  });

  test("are counted in appended text, and recounted if the end changed", () => {
    const all = [...pieces];
    const matches = new TextMatches(all);
    expect(matches.before("tea", 99)).toBe(3);
    all.push({ text: "Tea" });
    expect(matches.before("tea", 99)).toBe(4);
    all.length = 3;
    matches.forget();
    all.push({ text: "Milk" });
    expect(matches.before("tea", 99)).toBe(3);
  });
});
