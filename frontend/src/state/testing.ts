// Shared helpers for the tests of the state: fake chats.

import { expect } from "vitest";
import { lastPosition } from "./pageWindow";
import { openPage, type Part, reduce, setReader } from "./reduce";
import { newState, type Page, type State } from "./state";
import { wholeOf } from "./text";
import { type Entry, entriesOf } from "./transcript";
import type { Block, Event, Item, Permission, Snapshot, Tool, Turn } from "./types";

/** A chat built item by item. */
export class ChatFixture {
  state: State = newState();
  private pos = 0;

  constructor(turn: Partial<Turn> = {}) {
    openPage(this.state, "c");
    this.turn(turn);
  }

  turn(more: Partial<Turn>): this {
    reduce(this.state, {
      turn: { id: "t", chatId: "c", session: "main", state: "running", startedAt: 1, ...more },
    });
    return this;
  }

  item(id: string, kind: Item["kind"], text = "", more: Partial<Item> = {}): this {
    const at = ++this.pos;
    reduce(this.state, {
      item: {
        id,
        chatId: "c",
        turnId: "t",
        session: "main",
        pos: at,
        kind,
        createdAt: at * 1000,
        endedAt: at * 1000 + 500,
        ...more,
      },
    });
    if (text !== "") {
      reduce(this.state, { text: { itemId: id, chatId: "c", offset: 0, text, size: text.length } });
    }
    return this;
  }

  tool(id: string, tool: Partial<Tool> = {}, more: Partial<Item> = {}): this {
    return this.item(id, "tool", "", {
      tool: { callId: id, title: id, kind: "read", status: "completed", ...tool },
      ...more,
    });
  }

  block(id: string, name: string, more: Partial<Item> & { ended?: Partial<Block> } = {}): this {
    const { ended, ...item } = more;
    const block = {
      toolCallId: `call ${id}`,
      sessionName: name,
      turnId: `t-${id}`,
      prompt: "do it",
      ...ended,
    };
    return this.item(id, "block", "", { session: name, block, ...item });
  }

  ask(id: string, more: Partial<Permission> = {}): this {
    reduce(this.state, {
      permission: {
        id,
        chatId: "c",
        turnId: "t",
        session: "main",
        state: "open",
        title: "Edit",
        kind: "edit",
        options: [],
        createdAt: ++this.pos,
        ...more,
      },
    });
    return this;
  }

  get entries(): Entry[] {
    return entriesOf(this.state, "c");
  }

  get shape(): string[] {
    return this.entries.map((entry) => {
      if (entry.kind === "item") return entry.id;
      if (entry.kind === "work") return `work(${entry.ids.join(" ")}) ${entry.state}`;
      if (entry.kind === "lines") return `lines(${entry.ids.join(" ")})`;
      return entry.kind === "ask" ? `ask ${entry.id} of ${entry.waiting}` : entry.kind;
    });
  }
}

/** Number of items in a response of the fake app. */
export const pageItems = 60;

/** A fake app with one chat. It serves requests from the chat's complete history. */
export class Chat {
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

  /** say adds an item whose kind depends on its position, and returns the events. */
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

  /** change updates an existing item and returns the events. */
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

/** check fails the test unless the loaded items match the complete history. */
export function check(chat: Chat, state: State) {
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
