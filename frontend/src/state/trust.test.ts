import { beforeEach, describe, expect, test } from "vitest";
import { conditionOf } from "./condition";
import { reduce } from "./reduce";
import { select } from "./select";
import { newState, type State } from "./state";
import { trustRequestOf, waitsForTrust } from "./trust";
import type { Chat, Event, Turn } from "./types";

let state: State;
const learn = (...events: Event[]) => {
  for (const event of events) reduce(state, event);
};
const chat = (id: string, more: Partial<Chat> = {}): Event => ({
  chat: {
    id,
    title: id,
    folder: "/code/a",
    providerId: "copilot",
    permissionMode: "ask",
    createdAt: 1,
    updatedAt: 1,
    ...more,
  },
});
const waits = (chatId: string, since = 1): Event => ({
  connection: { chatId, state: "needs_trust", cause: "untrusted", since },
});
const request = (chatIds: string[], id = "t1", key = "/code/a"): Event => ({
  trust: { id, key, folder: key, root: key, chatIds, agent: "Copilot", runs: [], steers: [] },
});

beforeEach(() => {
  state = newState();
});

describe("a chat waits for trust", () => {
  test("by its connection, and the request listing it is its own", () => {
    learn(chat("a"), chat("b"), waits("a"), request(["b"], "t0", "/code/b"), request(["a"]));
    expect(trustRequestOf(state, "a")?.id).toBe("t1");
    expect(trustRequestOf(state, "b")).toBeUndefined();
    expect(conditionOf(state, "a")).toBe("trust");
    learn({ trustGone: { id: "/code/a" } });
    expect(trustRequestOf(state, "a")).toBeUndefined();
    expect(waitsForTrust(state, "a")).toBe(true);
  });

  test("until its agent continues or it is deleted", () => {
    learn(chat("a"), waits("a"));
    learn({ connection: { chatId: "a", state: "starting", since: 2 } });
    expect(waitsForTrust(state, "a")).toBe(false);
    learn(waits("a"), chat("a", { deletedAt: 3 }));
    expect(waitsForTrust(state, "a")).toBe(false);
  });

  test("and needs attention, longest waiting first", () => {
    learn(chat("a"), chat("b"), chat("c"), waits("a", 9), waits("b", 5));
    learn({ connection: { chatId: "c", state: "needs_login", since: 7 } });
    expect(select.needsAttention(state).map(({ id }) => id)).toEqual(["b", "c", "a"]);
  });

  test("with a main AI only while its agent is working", () => {
    const turn = (more: Partial<Turn>): Event => ({
      turn: { id: "t", chatId: "a", session: "main", state: "running", startedAt: 1, ...more },
    });
    learn(chat("a", { mainId: "ollama", turnState: "running" }), waits("a"));
    // The turns of an unopened chat are unknown.
    expect(waitsForTrust(state, "a")).toBe(true);
    state.pages.a = { order: [], inside: {}, gaps: [], before: 0, rev: 1 };
    learn(turn({}));
    expect(waitsForTrust(state, "a")).toBe(false);
    expect(conditionOf(state, "a")).toBeUndefined();
    learn(turn({ id: "u", blockId: "b" }));
    expect(conditionOf(state, "a")).toBe("trust");
  });
});

test("trusted folders are known until removed", () => {
  const folder = { key: "/code/a", folder: "/code/a", entries: 2, trustedAt: 1 };
  learn({ trusted: folder });
  expect(state.trustedFolders["/code/a"]).toEqual(folder);
  learn({ trustedGone: { id: "/code/a" } });
  expect(state.trustedFolders).toEqual({});
});
