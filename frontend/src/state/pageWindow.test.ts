import { describe, expect, test } from "vitest";
import { chatEvent } from "../testing";
import { contextOf } from "./context";
import { endItems, evict, lastPosition, maxItems, trimmedItems, visibleSpan } from "./pageWindow";
import { applyPart, openPage, reduce, setBefore, setReader } from "./reduce";
import { newState, type Page, type State } from "./state";
import { Chat, check, pageItems } from "./testing";
import { wholeOf } from "./text";
import { entriesOf } from "./transcript";
import type { Event, Item, Permission, Turn } from "./types";

/** checkBounds checks that memory contains only the two parts and the message that can be sent again. */
function checkBounds(state: State) {
  const page = state.pages.c as Page;
  const held = new Set([...page.order, ...(page.window?.order ?? []), page.lastUserItem]);
  expect(Object.keys(state.items).length).toBeLessThanOrEqual(2 * maxItems + pageItems + 40);
  for (const id of Object.keys(state.items)) expect(held.has(id)).toBe(true);
  for (const id of Object.keys(state.texts)) expect(held.has(id)).toBe(true);
  expect(Object.keys(state.turns).length).toBeLessThan(60);
}

describe("the loaded part of a chat", () => {
  /**
   * open returns a state with the newest items of a chat. The chat is on screen or, if `left` is given,
   * was left at that position.
   */
  function open(chat: Chat, left?: number): State {
    const state = newState();
    openPage(state, "c");
    const newest = chat.answer("newest");
    for (const event of newest.events) reduce(state, event);
    setBefore(state, "c", newest.before ?? 0);
    setReader(state, "c", left);
    return state;
  }
  const more = (chat: Chat, state: State, count: number) => {
    for (let n = 0; n < count; n++) for (const event of chat.say()) reduce(state, event);
  };

  test("stays bounded while it is off screen", () => {
    const chat = new Chat(500);
    const state = open(chat, 0);
    more(chat, state, 3000);
    check(chat, state);
    checkBounds(state);
    expect(state.pages.c?.order.length).toBeLessThanOrEqual(maxItems);
  });

  test("keeps the reader's position despite new items", () => {
    const chat = new Chat(500);
    const state = open(chat, 460);
    more(chat, state, 3000);
    check(chat, state);
    checkBounds(state);
    expect(visibleSpan(state.pages.c as Page).order).toContain("i460");
  });

  test("stays bounded from its end to its beginning and back", () => {
    const chat = new Chat(2000);
    const state = open(chat);
    const page = () => state.pages.c as Page;
    while (visibleSpan(page()).before > 0) {
      const { before } = visibleSpan(page());
      applyPart(state, "c", { before }, chat.answer({ before }), []);
      evict(state, "c", before, before + 20);
      expect(visibleSpan(page()).order).toContain(`i${before}`);
      check(chat, state);
      checkBounds(state);
      more(chat, state, 3);
    }
    expect(page().window?.order[0]).toBe("i1");
    while (page().window) {
      const after = lastPosition(state, page().window as Page);
      applyPart(state, "c", { after }, chat.answer({ after }), []);
      evict(state, "c", after - 20, after);
      expect(visibleSpan(page()).order).toContain(`i${after}`);
      check(chat, state);
      checkBounds(state);
    }
    expect(page().order.length).toBeLessThanOrEqual(trimmedItems + endItems + pageItems);
  });

  test("is cut where no row changes its key", () => {
    const chat = new Chat(600);
    const state = open(chat);
    const keys = () => entriesOf(state, "c").map((entry) => entry.key);
    for (let n = 0; n < 4; n++) {
      const before = visibleSpan(state.pages.c as Page).before;
      applyPart(state, "c", { before }, chat.answer({ before }), []);
    }
    const all = keys();
    evict(state, "c", 420, 440);
    const kept = keys();
    expect(kept.length).toBeLessThan(all.length);
    const at = all.indexOf(kept[0] as string);
    expect(kept).toEqual(all.slice(at, at + kept.length));
  });

  test("doesn't claim an end for a turn that continues after it", () => {
    const chat = new Chat(600);
    chat.happen({ turn: { ...(chat.truth.turns.t3 as Turn), state: "stopped" } });
    const state = open(chat);
    const part = chat.answer({ around: 20 });
    const cut = part.events.filter((event) => (event.item?.pos ?? 0) <= 48);
    applyPart(state, "c", { around: 20 }, { events: cut, before: 0 }, []);
    expect(entriesOf(state, "c").at(-1)).toMatchObject({ kind: "lines" });
    const rest = chat.answer({ after: 48 });
    applyPart(state, "c", { after: 48 }, rest, []);
    const stopped = entriesOf(state, "c").filter((entry) => entry.kind === "end" && entry.turnId === "t3");
    expect(stopped).toHaveLength(1);
    expect(entriesOf(state, "c", "end").at(-1)?.key).toBe(entriesOf(chat.truth, "c").at(-1)?.key);
  });

  const body = (id: string, itemId: string): Event => ({
    content: { id, itemId, chatId: "c", type: "text", size: 1, version: 1 },
  });

  test("has each item's body once, even one announced before the item", () => {
    const chat = new Chat(300);
    const state = open(chat);
    reduce(state, body("k", "i50"));
    applyPart(state, "c", { around: 150 }, chat.answer({ around: 150 }), []);
    reduce(state, body("k", "i50"));
    const part = chat.answer({ around: 50 });
    applyPart(state, "c", { around: 50 }, { ...part, events: [...part.events, body("k", "i50")] }, []);
    expect(state.contentsOf.i50).toEqual(["k"]);
    openPage(state, "c");
    expect(state.contentsOf).toEqual({});
    for (const event of part.events) reduce(state, event);
    reduce(state, body("k", "i50"));
    expect(state.contentsOf.i50).toEqual(["k"]);
  });

  test("restores a request's details when its item is reloaded", () => {
    const chat = new Chat(500);
    const state = open(chat);
    const around = chat.answer({ around: 50 });
    const part = { ...around, events: [...around.events, body("k", "i50"), body("s", "i50")] };
    const permission: Permission = {
      id: "p",
      chatId: "c",
      session: "main",
      itemId: "i50",
      contentId: "k",
      textId: "s",
      state: "open",
      title: "Run",
      kind: "execute",
      options: [],
      createdAt: 1,
    };
    applyPart(state, "c", { around: 50 }, part, []);
    reduce(state, { permission });
    applyPart(state, "c", { around: 300 }, chat.answer({ around: 300 }), []);
    expect(state.items.i50).toBeUndefined();
    expect(Object.keys(state.contents)).toEqual(["k", "s"]);
    applyPart(state, "c", { around: 50 }, part, []);
    expect(state.contentsOf.i50).toEqual(["k", "s"]);
  });

  test("has no bodies or lists of unloaded items", () => {
    const chat = new Chat(300);
    const state = open(chat);
    for (let n = 0; n < 50; n++) reduce(state, body(`k${n}`, `i${n + 1}`));
    applyPart(state, "c", { around: 150 }, chat.answer({ around: 150 }), []);
    expect(state.contents).toEqual({});
    expect(state.contentsOf).toEqual({});
  });

  test("shows the chat's context usage, whichever session ran since", () => {
    const chat = new Chat(300);
    const state = open(chat);
    reduce(state, chatEvent("c", { mainId: "m" }));
    const sized = (id: string, startedAt: number, used: number, mainId?: string): Event => ({
      turn: {
        id,
        chatId: "c",
        session: "main",
        mainId,
        state: "done",
        startedAt,
        usage: { input: 0, output: 0, used, size: 100 },
      },
    });
    reduce(state, sized("first", 1, 10, "m"));
    reduce(state, sized("second", 2, 20, "m"));
    reduce(state, sized("other", 3, 30, "n"));
    reduce(state, sized("copilot", 4, 40));
    applyPart(state, "c", { around: 150 }, chat.answer({ around: 150 }), []);
    expect(state.turns.first).toBeUndefined();
    expect(contextOf(state, "c")).toEqual({ used: 20, size: 100 });
  });

  test("includes the user's newest message and running work, however far back", () => {
    const chat = new Chat(1);
    const state = open(chat, 0);
    const block = { toolCallId: "x", sessionName: "auth", turnId: "tb", prompt: "" };
    const item = (id: string, more: Partial<Item>): Event => ({
      item: {
        id,
        chatId: "c",
        turnId: "t1",
        session: "main",
        pos: ++chat.pos,
        kind: "tool",
        createdAt: 1,
        ...more,
      },
    });
    const turn: Turn = {
      id: "tb",
      chatId: "c",
      session: "auth",
      blockId: "b",
      state: "running",
      startedAt: 1,
    };
    reduce(state, { turn });
    reduce(state, item("b", { kind: "block", block, open: true }));
    reduce(state, item("inside", { parentId: "b", turnId: "tb", open: true }));
    for (let n = 0; n < 1000; n++) reduce(state, item(`m${n}`, {}));
    reduce(state, item("inside2", { parentId: "b", turnId: "tb", open: true }));
    expect(state.pages.c?.order).not.toContain("i1");
    expect(state.pages.c?.lastUserItem).toBe("i1");
    expect(wholeOf(state.texts.i1)).toBe("i1");
    expect(state.turns.tb?.state).toBe("running");
    expect(state.pages.c?.inside.b).toEqual(["inside", "inside2"]);
    reduce(state, { turn: { ...turn, state: "done" } });
    for (let n = 1000; n < 2000; n++) reduce(state, item(`m${n}`, {}));
    expect(state.pages.c?.inside).toEqual({});
    expect(state.turns.tb).toBeUndefined();
  });
});
