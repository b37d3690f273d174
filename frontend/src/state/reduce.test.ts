import { describe, expect, test } from "vitest";
import { applyPart, openPage, reduce, restart, setBefore } from "./reduce";
import { newState, type State } from "./state";
import { wholeOf } from "./text";
import type { Chat, Event, Item } from "./types";

const chat: Chat = {
  id: "c1",
  title: "Fix it",
  folder: "/code/orbit",
  providerId: "copilot",
  permissionMode: "ask",
  createdAt: 1,
  updatedAt: 1,
};

function item(id: string, pos: number, more: Partial<Item> = {}): Item {
  return { id, chatId: "c1", pos, kind: "message", createdAt: pos, ...more };
}

function text(itemId: string, offset: number, piece: string, size: number): Event {
  return { text: { itemId, chatId: "c1", offset, text: piece, size } };
}

function open(...events: Event[]): State {
  const state = newState();
  reduce(state, { chat });
  openPage(state, "c1");
  for (const event of events) reduce(state, event);
  return state;
}

describe("items", () => {
  test("are ordered by pos however they arrive", () => {
    const state = open({ item: item("b", 2) }, { item: item("c", 3) }, { item: item("a", 1) });
    expect(state.pages.c1?.order).toEqual(["a", "b", "c"]);
  });

  test("reported twice appear once, in the latest version", () => {
    const state = open({ item: item("a", 1, { open: true }) }, { item: item("a", 1) });
    expect(state.pages.c1?.order).toEqual(["a"]);
    expect(state.items.a?.open).toBeUndefined();
  });

  test("of a chat that isn't open are ignored", () => {
    const state = newState();
    reduce(state, { chat });
    reduce(state, { item: item("a", 1) });
    reduce(state, text("a", 0, "x", 1));
    expect(state.items).toEqual({});
    expect(state.texts).toEqual({});
  });

  test("inside a block are listed under it", () => {
    const state = open({ item: item("b", 1, { kind: "block" }) }, { item: item("t", 2, { parentId: "b" }) });
    expect(state.pages.c1?.order).toEqual(["b"]);
    expect(state.pages.c1?.inside.b).toEqual(["t"]);
  });

  test("from before the loaded part wait for their page", () => {
    const state = open({ item: item("z", 50) });
    setBefore(state, "c1", 50);
    reduce(state, { item: item("a", 7) });
    expect(state.pages.c1?.order).toEqual(["z"]);
    const events = [{ item: item("a", 7) }, { item: item("b", 8) }];
    applyPart(state, "c1", { before: 50 }, { events }, []);
    expect(state.pages.c1?.order).toEqual(["a", "b", "z"]);
    expect(state.pages.c1?.before).toBe(0);
  });
});

describe("sessions", () => {
  const session = {
    chatId: "c1",
    name: "auth",
    acpId: "acp",
    cwd: "/",
    state: "loaded",
    createdAt: 1,
    usedAt: 1,
  } as const;
  const block = { toolCallId: "", sessionName: "auth", turnId: "t", prompt: "x" };

  test("are renamed in all their items", () => {
    const state = open(
      { session },
      { session: { ...session, name: "logger" } },
      { turn: { id: "t", chatId: "c1", session: "auth", state: "done", startedAt: 1 } },
      { item: item("b", 1, { kind: "block", session: "auth", block }) },
      {
        item: item("n", 2, { kind: "banner", session: "auth", banner: { kind: "resumed", session: "auth" } }),
      },
      { item: item("o", 3, { session: "logger" }) },
      { renamed: { chatId: "c1", session: "auth", to: "login" } },
    );
    expect(Object.keys(state.sessions.c1 ?? {}).sort()).toEqual(["logger", "login"]);
    expect(state.sessions.c1?.login).toEqual({ ...session, name: "login" });
    expect(state.turns.t?.session).toBe("login");
    expect([state.items.b?.session, state.items.b?.block?.sessionName]).toEqual(["login", "login"]);
    expect([state.items.n?.session, state.items.n?.banner?.session]).toEqual(["login", "login"]);
    expect(state.items.o?.session).toBe("logger");
  });

  test("leave their items when removed", () => {
    const state = open(
      { session },
      { item: item("a", 1, { session: "auth" }) },
      { sessionGone: { id: "auth", chatId: "c1" } },
    );
    expect(state.sessions.c1).toEqual({});
    expect(state.items.a?.session).toBe("auth");
  });
});

describe("text", () => {
  test("grows by pieces appended at its end", () => {
    const state = open({ item: item("a", 1) }, text("a", 0, "Hello", 5), text("a", 5, " there", 11));
    expect(state.texts.a).toEqual({ chunks: ["Hello there"], known: 11, size: 11 });
  });

  test("ignores duplicate pieces", () => {
    const state = open({ item: item("a", 1) }, text("a", 0, "Hello", 5), text("a", 0, "Hello", 5));
    expect(wholeOf(state.texts.a)).toBe("Hello");
  });

  test("counts bytes, not characters", () => {
    const state = open({ item: item("a", 1) }, text("a", 0, "Grüße", 7), text("a", 7, " 🤖", 12));
    expect(state.texts.a).toEqual({ chunks: ["Grüße 🤖"], known: 12, size: 12 });
  });

  test("shows a gap as a larger size and fills it with pulled text", () => {
    const state = open({ item: item("a", 1) }, text("a", 0, "one ", 4), text("a", 8, "three", 13));
    expect(state.texts.a).toEqual({ chunks: ["one "], known: 4, size: 13 });
    reduce(state, text("a", 4, "two three", 13));
    expect(state.texts.a).toEqual({ chunks: ["one two three"], known: 13, size: 13 });
  });

  test("of a snapshot may be only the beginning", () => {
    const state = open({ item: item("a", 1) }, text("a", 0, "The beginning", 1000));
    expect(state.texts.a?.known).toBe(13);
    expect(state.texts.a?.size).toBe(1000);
  });
});

describe("a deleted chat", () => {
  test("removes everything it owns", () => {
    const state = open(
      { item: item("a", 1) },
      text("a", 0, "x", 1),
      {
        content: { id: "k", itemId: "a", chatId: "c1", type: "text", size: 1, version: 1 },
      },
      { queued: { id: "q", chatId: "c1", text: "next", pos: 1, createdAt: 1 } },
      {
        permission: {
          id: "p",
          chatId: "c1",
          session: "main",
          state: "open",
          title: "Edit",
          kind: "edit",
          options: [],
          createdAt: 1,
        },
      },
      { connection: { chatId: "c1", state: "ready", since: 1 } },
      { turn: { id: "t", chatId: "c1", session: "main", state: "running", startedAt: 1 } },
      {
        session: {
          chatId: "c1",
          name: "main",
          acpId: "x",
          cwd: "/",
          state: "loaded",
          createdAt: 1,
          usedAt: 1,
        },
      },
      { chatGone: { id: "c1" } },
    );
    expect(state).toEqual(newState());
  });
});

describe("every event", () => {
  test("is idempotent", () => {
    const events: Event[] = [
      { item: item("a", 1) },
      text("a", 0, "x", 1),
      { content: { id: "k", itemId: "a", chatId: "c1", type: "text", size: 1, version: 1 } },
      { queued: { id: "q", chatId: "c1", text: "next", pos: 1, createdAt: 1 } },
      { turn: { id: "t", chatId: "c1", session: "main", state: "done", startedAt: 1 } },
      { rule: { id: "r", effect: "allow", scope: { kind: "edits", folder: "/" }, createdAt: 1 } },
      { provider: { id: "v", name: "Ollama", baseUrl: "http://x", model: "m", createdAt: 1 } },
    ];
    const once = open(...events);
    const twice = open(...events, ...events);
    for (const page of [once.pages.c1, twice.pages.c1]) if (page) page.rev = 0;
    expect(twice).toEqual(once);
  });

  test("of an unknown newer kind is skipped", () => {
    const state = open();
    const before = structuredClone(state);
    reduce(state, { somethingNew: { id: "x" } } as unknown as Event);
    expect(state).toEqual(before);
  });
});

test("a restart keeps the transcript on screen until its snapshot arrives", () => {
  const state = open({ item: item("a", 1) });
  restart(state);
  expect(state.chats).toEqual({});
  expect(state.pages.c1?.order).toEqual(["a"]);
  expect(state.ready).toBe(true);
});
