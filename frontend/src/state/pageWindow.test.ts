// Random walks through a long chat, comparing the loaded items with the complete history.

import { describe, expect, test } from "vitest";
import { chatEvent } from "../testing";
import { contextOf } from "./context";
import { endItems, evict, lastPosition, maxItems, resetToEnd, trimmedItems, visibleSpan } from "./pageWindow";
import { applyPart, openPage, type Part, reduce, setBefore, setReader } from "./reduce";
import { newState, type Page, type State } from "./state";
import { Stream } from "./stream";
import { wholeOf } from "./text";
import { entriesOf } from "./transcript";
import type { Event, Item, Permission, Snapshot, Turn } from "./types";

const pageItems = 60;

/** random returns a deterministic generator for a seed. */
function random(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

/** A fake app with one chat that serves requests from its complete history. */
class Chat {
  truth: State = newState();
  pos = 0;
  events: Event[] = [];

  constructor(count: number) {
    openPage(this.truth, "c");
    setReader(this.truth, "c");
    for (let n = 0; n < count; n++) this.say();
  }

  happen(...events: Event[]): Event[] {
    for (const event of events) reduce(this.truth, event);
    this.events.push(...events);
    return events;
  }

  /** say adds an item whose kind depends on its position. */
  say(more: Partial<Item> = {}): Event[] {
    const pos = ++this.pos;
    const kind = pos % 20 === 1 ? "user" : pos % 7 === 0 ? "message" : "tool";
    const turnId = `t${Math.ceil(pos / 20)}`;
    const id = `i${pos}`;
    const events: Event[] = [];
    if (kind === "user") {
      const before = this.truth.turns[`t${Math.ceil(pos / 20) - 1}`];
      if (before) events.push({ turn: { ...before, state: "done" } });
      const turn: Turn = { id: turnId, chatId: "c", session: "main", state: "running", startedAt: pos };
      events.push({ turn });
    }
    const tool = { callId: id, title: id, kind: "read" as const, status: "completed" as const };
    const item: Item = { id, chatId: "c", turnId, session: "main", pos, kind, createdAt: pos, ...more };
    events.push({ item: kind === "tool" ? { ...item, tool } : item });
    if (kind !== "tool")
      events.push({ text: { itemId: id, chatId: "c", offset: 0, text: id, size: id.length } });
    return this.happen(...events);
  }

  /** change returns the events of an update to an existing item. */
  change(pos: number): Event[] {
    const item = this.truth.items[`i${pos}`] as Item;
    const text = this.truth.texts[item.id];
    const offset = text?.size ?? 0;
    const events: Event[] = [{ item: { ...item, endedAt: this.events.length } }];
    if (text) events.push({ text: { itemId: item.id, chatId: "c", offset, text: "+", size: offset + 1 } });
    return this.happen(...events);
  }

  answer(part: Part | "newest"): Snapshot {
    const all = this.truth.pages.c?.order ?? [];
    const at = (pos: number) => pos - 1;
    let [from, to] = [all.length - pageItems, all.length];
    if (part !== "newest") {
      if ("before" in part) [from, to] = [at(part.before) - pageItems, at(part.before)];
      else if ("after" in part) [from, to] = [at(part.after) + 1, at(part.after) + 1 + pageItems];
      else if (part.around === 0) [from, to] = [0, pageItems];
      else [from, to] = [at(part.around) - pageItems / 2, at(part.around) + pageItems / 2];
    }
    const ids = all.slice(Math.max(0, from), to);
    const items = ids.map((id) => this.truth.items[id] as Item);
    const turns = [...new Set(items.map((item) => item.turnId ?? ""))];
    return structuredClone({
      run: "r",
      seq: this.events.length,
      events: [
        ...turns.map((id) => ({ turn: this.truth.turns[id] as Turn })),
        ...items.map((item) => ({ item })),
        ...ids.flatMap((id) => {
          const text = this.truth.texts[id];
          return text
            ? [{ text: { itemId: id, chatId: "c", offset: 0, text: wholeOf(text), size: text.size } }]
            : [];
        }),
      ],
      ...(from > 0 ? { before: from + 1 } : {}),
    });
  }
}

/** Connects a window to the chat through a stream. */
async function connect(chat: Chat) {
  const state = newState();
  let applied = 0;
  let listener: (batch: { run: string; first: number; events: Event[] }) => void = () => {};
  const stream = new Stream(
    {
      subscribe: (callback) => {
        listener = callback;
        return () => {};
      },
      app: async () => ({ run: "r", seq: chat.events.length, events: [] }),
      chat: async () => chat.answer("newest"),
      event: async (seq) => chat.events[seq - 1] as Event,
    },
    {
      reset() {},
      apply: (events) => {
        for (const event of events) reduce(state, event);
        applied += events.length;
      },
      open(chatId, events, before, later) {
        openPage(state, chatId);
        for (const event of events) reduce(state, event);
        setBefore(state, chatId, before);
        for (const event of later) reduce(state, event);
      },
      failed(_, thrown) {
        throw thrown;
      },
    },
  );
  stream.start();
  stream.open("c");
  const rests = () => new Promise((resolve) => setTimeout(resolve));
  while (!state.pages.c) await rests();
  const begun = chat.events.length;
  let emitted = begun;
  return {
    state,
    page: state.pages.c as Page,
    /** emit sends the events since the last call. */
    emit() {
      const events = structuredClone(chat.events.slice(emitted));
      if (events.length > 0) listener({ run: "r", first: emitted + 1, events });
      emitted += events.length;
    },
    /** read requests a part; its rows are read at once but arrive only when the test releases them. */
    read(part: Part) {
      let come: () => void = () => {};
      const held = new Promise<void>((resolve) => {
        come = resolve;
      });
      const ask = async () => {
        const answer = chat.answer(part);
        await held;
        return answer;
      };
      const work = stream.read("c", ask, (got, later) => applyPart(state, "c", part, got, later));
      return () => {
        come();
        return work;
      };
    },
    async caughtUp() {
      // No animation frames run here: a timer follows each batch.
      while (applied < emitted - begun) await rests();
    },
    stop: () => stream.stop(),
  };
}

/** check compares the loaded items with the complete history. */
function check(chat: Chat, state: State) {
  const page = state.pages.c as Page;
  const all = chat.truth.pages.c?.order ?? [];
  for (const span of page.window ? [page, page.window] : [page]) {
    const at = all.indexOf(span.order[0] as string);
    expect(span.order).toEqual(all.slice(at, at + span.order.length));
    expect(span.before).toBe(at === 0 ? 0 : at + 1);
    for (const id of span.order) {
      expect(state.items[id]).toEqual(chat.truth.items[id]);
      expect(state.texts[id] && wholeOf(state.texts[id])).toEqual(
        chat.truth.texts[id] && wholeOf(chat.truth.texts[id]),
      );
      const turn = state.items[id]?.turnId ?? "";
      expect(state.turns[turn]).toEqual(chat.truth.turns[turn]);
    }
  }
  expect(page.order.at(-1)).toBe(all.at(-1));
  // Adjacent parts must have been merged.
  if (page.window) expect(lastPosition(state, page.window)).toBeLessThan(page.before);
}

/** checkBounds verifies that memory contains only the two parts and the message that can be sent again. */
function checkBounds(state: State) {
  const page = state.pages.c as Page;
  const held = new Set([...page.order, ...(page.window?.order ?? []), page.lastUserItem]);
  expect(Object.keys(state.items).length).toBeLessThanOrEqual(2 * maxItems + pageItems + 40);
  for (const id of Object.keys(state.items)) expect(held.has(id)).toBe(true);
  for (const id of Object.keys(state.texts)) expect(held.has(id)).toBe(true);
  expect(Object.keys(state.turns).length).toBeLessThan(60);
}

test.each(Array.from({ length: 12 }, (_, n) => n + 1))(
  "a walk through a long chat, seed %i, shows it in order, whole and once",
  async (seed) => {
    const below = random(seed);
    const chat = new Chat(1500);
    const seen = await connect(chat);
    const { state } = seen;
    setReader(state, "c");
    const page = () => state.pages.c as Page;
    const inFlight: (() => Promise<void>)[] = [];
    for (let step = 0; step < 150; step++) {
      const act = below(12);
      const span = visibleSpan(page());
      if (act < 3) {
        for (let n = below(25); n >= 0; n--) chat.say();
        if (below(2) === 0) seen.emit();
      } else if (act < 5) {
        for (let n = 0; n < 5; n++) chat.change(chat.pos - below(below(2) ? 30 : chat.pos - 1));
        if (below(2) === 0) seen.emit();
      } else if (act === 5) {
        inFlight.push(seen.read({ around: 1 + below(chat.pos) }));
      } else if (act === 6 && span.before > 0) {
        inFlight.push(seen.read({ before: span.before }));
      } else if (act === 7 && page().window) {
        inFlight.push(seen.read({ after: lastPosition(state, span) }));
      } else if (act === 8) {
        inFlight.push(seen.read({ around: 0 }));
      } else if (act === 9) {
        resetToEnd(state, "c");
      } else if (act === 10) {
        const from = state.items[span.order[below(span.order.length)] as string]?.pos ?? 0;
        evict(state, "c", from, from + below(40));
        expect(visibleSpan(page()).order.some((id) => state.items[id]?.pos === from)).toBe(true);
      } else {
        seen.emit();
        await seen.caughtUp();
      }
      if (below(3) === 0) await inFlight.splice(below(Math.max(1, inFlight.length)), 1)[0]?.();
      if (visibleSpan(page()).order.length > maxItems) {
        const at =
          state.items[visibleSpan(page()).order[below(visibleSpan(page()).order.length)] as string]?.pos ?? 0;
        evict(state, "c", at, at);
      }
    }
    for (const come of inFlight) await come();
    seen.emit();
    await seen.caughtUp();
    check(chat, state);
    evict(state, "c", 0, 0);
    resetToEnd(state, "c");
    check(chat, state);
    seen.stop();
  },
);

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
