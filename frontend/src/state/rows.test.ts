import { describe, expect, test } from "vitest";
import { archiveKey, groupsIn, inOrder, layOut, matches, positionOf, rowState, rowsIn } from "./rows";
import type { Chat } from "./types";

const chat = (id: string, folder: string, updatedAt: number, more: Partial<Chat> = {}): Chat => ({
  id,
  title: id,
  folder,
  providerId: "copilot",
  permissionMode: "ask",
  createdAt: 0,
  updatedAt,
  ...more,
});

describe("the rows of the chat list", () => {
  test("order folders and their chats by last activity", () => {
    const layout = layOut(
      [chat("a", "/x", 1), chat("b", "/y", 3), chat("c", "/x", 5), chat("d", "/y", 4)],
      new Set(),
    );
    expect(layout.order).toEqual(["c", "a", "d", "b"]);
    expect(layout.groups.map((g) => g.key)).toEqual(["/x", "/y"]);
  });

  test("put pinned chats first in their folder without moving it", () => {
    const chats = [
      chat("a", "/x", 1, { pinned: true }),
      chat("b", "/y", 3),
      chat("c", "/x", 5),
      chat("d", "/x", 4, { pinned: true }),
      chat("e", "/y", 6),
    ];
    expect(layOut(chats, new Set()).order).toEqual(["e", "b", "d", "a", "c"]);
  });

  test("put archived chats at the end, folded until opened, and omit deleted ones", () => {
    const chats = [
      chat("a", "/x", 9, { archived: true, pinned: true }),
      chat("b", "/y", 3),
      chat("c", "/x", 1, { archived: true }),
      chat("d", "/x", 2, { deletedAt: 5 }),
    ];
    const folded = layOut(chats, new Set(), { name: "Archived", open: false });
    expect(folded.order).toEqual(["b"]);
    expect(folded.groups.map((g) => [g.key, g.count, g.rows.length])).toEqual([
      ["/y", 1, 1],
      [archiveKey, 2, 0],
    ]);
    expect(layOut(chats, new Set(), { name: "Archived", open: true }).order).toEqual(["b", "a", "c"]);
    expect(inOrder(chats).map((each) => each.id)).toEqual(["b"]);
  });

  test("always include the archive row for keyboard access", () => {
    const chats = Array.from({ length: 100 }, (_, i) => chat(`c${i}`, `/f${i}`, 100 - i));
    const layout = layOut([...chats, chat("z", "/z", 1, { archived: true })], new Set());
    expect(groupsIn(layout, { from: 0, to: 50 })).toEqual(["/f0", archiveKey]);
  });

  test("filter by words in title and folder, in any order", () => {
    const one = chat("a", "/home/anna/orbit-api", 1);
    expect(matches(one, "Fix token refresh race", "race tok")).toBe(true);
    expect(matches(one, "Fix token refresh race", "ORBIT fix")).toBe(true);
    expect(matches(one, "Fix token refresh race", "orbit gone")).toBe(false);
  });

  test("place each row after the previous one, with folders 12 px apart", () => {
    const layout = layOut([chat("a", "/x", 3), chat("b", "/x", 2), chat("c", "/y", 1)], new Set());
    expect(layout.groups.map((g) => [g.top, g.height])).toEqual([
      [0, 26 + 60],
      [98, 26 + 30],
    ]);
    expect(layout.height).toBe(154);
    expect(positionOf(layout, "c")).toEqual({ top: 98 + 26, height: 30 });
  });

  test("add a second line only to a live chat with something to show", () => {
    const rows = (more: Partial<Chat>, waits = false) =>
      layOut([chat("a", "/x", 1, more)], new Set(waits ? ["a"] : [])).groups[0]?.rows[0]?.height;
    expect(rows({ detail: "Running" })).toBe(30);
    expect(rows({ detail: "Running", turnState: "running" })).toBe(46);
    expect(rows({ turnState: "running" })).toBe(30);
    expect(rows({ detail: "Edit a.go" }, true)).toBe(46);
  });

  test("rank attention before failed, running and new reply", () => {
    expect(rowState(chat("a", "/", 1, { turnState: "failed" }), true)).toBe("attn");
    expect(rowState(chat("a", "/", 1, { turnState: "failed", unread: true }), false)).toBe("failed");
    expect(rowState(chat("a", "/", 1, { turnState: "running", unread: true }), false)).toBe("running");
    expect(rowState(chat("a", "/", 1, { turnState: "done", unread: true }), false)).toBe("unread");
    expect(rowState(chat("a", "/", 1, { turnState: "stopped" }), false)).toBe("idle");
  });

  test("render only visible chats of a thousand, plus the focused one", () => {
    const chats = Array.from({ length: 1000 }, (_, i) => chat(`c${i}`, `/f${i % 10}`, 1000 - i));
    const layout = layOut(chats, new Set());
    const view = { from: 0, to: 300 };
    expect(groupsIn(layout, view)).toEqual(["/f0"]);
    expect(groupsIn(layout, view, "c999")).toEqual(["/f0", "/f9"]);
    const first = layout.groups[0];
    const last = layout.groups[9];
    if (!first || !last) throw new Error("no groups");
    expect(rowsIn(first, view)).toHaveLength(10);
    expect(rowsIn(last, view, "c999")).toEqual(["c999"]);
  });
});
