// Screen reader announcements of the visible chat.

import { render } from "@solidjs/testing-library";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sink } from "../../state/store";
import type { Block, Event, Item, Permission, Turn } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { Transcript } from "./Transcript";

let pos = 0;
const item = (id: string, kind: Item["kind"], more: Partial<Item> = {}): Event => ({
  item: { id, chatId: "c", turnId: "t", session: "main", pos: ++pos, kind, createdAt: 1000, ...more },
});
const turn = (id: string, state: Turn["state"], more: Partial<Turn> = {}): Event => ({
  turn: { id, chatId: "c", session: "main", state, startedAt: 1000, ...more },
});
const textItem = (id: string, kind: "user" | "message", text: string, more: Partial<Item> = {}): Event[] => [
  item(id, kind, more),
  { text: { itemId: id, chatId: "c", offset: 0, text, size: text.length } },
];
const edits = (id: string, path: string, added: number): Event[] => [
  item(id, "tool", { tool: { callId: id, title: id, kind: "edit", status: "completed", path } }),
  {
    content: {
      id: `d ${id}`,
      itemId: id,
      chatId: "c",
      type: "diff",
      size: 1,
      version: 1,
      path,
      added,
      removed: 0,
    },
  },
];
const block = (
  name: string,
  state: Turn["state"],
  more: Partial<Block> = {},
  of: Partial<Turn> = {},
): Event[] => [
  turn(`t-${name}`, state, { session: name, blockId: name, ...of }),
  item(name, "block", {
    session: name,
    open: state === "running",
    block: { toolCallId: name, sessionName: name, turnId: `t-${name}`, prompt: "", ...more },
  }),
];
const request = (id: string, command: string, more: Partial<Permission> = {}): Event => ({
  permission: {
    id,
    chatId: "c",
    turnId: "t",
    session: "auth",
    state: "open",
    title: "Run",
    kind: "execute",
    command,
    options: [],
    createdAt: ++pos,
    ...more,
  },
});

function show(...events: Event[]): void {
  sink.open("c", [turn("t", "running"), ...events], 0, []);
  render(() => <Transcript chatId="c" />);
}
const region = (kind: "polite" | "assertive") => document.querySelector(`[aria-live=${kind}]`) as HTMLElement;
/** announcement ends the period during which finished turns are collected, and returns the announcements. */
const announcement = () => {
  vi.runOnlyPendingTimers();
  return region("polite").textContent;
};

beforeEach(() => {
  stubBrowser();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("fetch", () => Promise.reject(new Error("nothing is pulled here")));
  stubApp();
  resetState(chatEvent("c", { turnState: "running" }));
});
afterEach(() => {
  vi.useRealTimers();
  sink.reset([]);
});

describe("the end of a turn", () => {
  test("of prose alone is announced, and nothing before it", () => {
    show(...textItem("u", "user", "why"), ...edits("a", "/x", 4), ...textItem("m", "message", "Because."));
    expect(announcement()).toBe("");
    applyEvents(...edits("b", "/y", 4), ...textItem("n", "message", "That is all."));
    expect(announcement()).toBe("");
    applyEvents(turn("t", "done"));
    expect(announcement()).toBe("Copilot is done, 8 added in 2 files");
    applyEvents(
      turn("t2", "running", { startedAt: 2000 }),
      ...textItem("o", "message", "So.", { turnId: "t2" }),
    );
    applyEvents(turn("t2", "done", { startedAt: 2000 }));
    expect(announcement()).toBe("Copilot is done");
  });

  test("is announced again even with the same text", () => {
    show(...textItem("m", "message", "So."));
    applyEvents(turn("t", "done"));
    expect(announcement()).toBe("Copilot is done");
    const before = region("polite").firstChild;
    applyEvents(turn("t2", "running", { startedAt: 2000 }), turn("t2", "done", { startedAt: 2000 }));
    expect(announcement()).toBe("Copilot is done");
    expect(region("polite").firstChild).not.toBe(before);
  });

  test("announces no count for a partly loaded turn", () => {
    sink.open("c", [turn("t", "running"), ...edits("a", "/x", 4)], 7, []);
    render(() => <Transcript chatId="c" />);
    applyEvents(turn("t", "done"));
    expect(announcement()).toBe("Copilot is done");
  });

  test("after a rejection names the rejected action", () => {
    const tool = {
      callId: "a",
      title: "x",
      kind: "edit" as const,
      path: "/home/anna/code/orbit-api/main_test.go",
    };
    show(...textItem("u", "user", "test it"));
    applyEvents(
      item("a", "tool", { tool: { ...tool, status: "failed", decision: "rejected" } }),
      turn("t", "stopped", { stopReason: "cancelled", endedAt: 2000 }),
      chatEvent("c", { turnState: "stopped" }),
    );
    expect(announcement()).toBe("Copilot ended its turn because you rejected editing main_test.go");
  });

  test("after a rule's rejection names the rule", () => {
    const tool = { callId: "a", title: "x", kind: "execute" as const, command: "make" };
    const by = { kind: "rule" as const, at: 1 };
    show(...textItem("u", "user", "test it"));
    applyEvents(
      item("a", "tool", { tool: { ...tool, status: "failed", decision: "rejected", decidedBy: by } }),
      turn("t", "done", { endedAt: 2000 }),
      chatEvent("c", { turnState: "done" }),
    );
    expect(announcement()).toBe("Copilot ended its turn because your rule rejected running make");
  });

  test.each([
    ["stopped", {}, "Copilot was stopped"],
    ["stopped", { stopReason: "max_tokens" }, "Copilot reached its limit"],
    ["interrupted", {}, "Copilot was interrupted"],
    ["failed", { stopReason: "refusal" }, "Copilot declined this request"],
    ["failed", {}, "Copilot couldn't finish"],
    [
      "failed",
      { error: { code: "model", message: "The model is gone." } },
      "Copilot failed: The model is gone",
    ],
  ] as const)("that %s is announced: %o", (state, more, words) => {
    show(...textItem("m", "message", "So far."));
    applyEvents(turn("t", state, more));
    expect(announcement()).toBe(words);
  });

  test("is not announced for turns finished before opening or loaded later", () => {
    show(...textItem("m", "message", "So."), turn("old", "done", { startedAt: 500 }));
    expect(announcement()).toBe("");
    applyEvents(turn("older", "failed", { startedAt: 100 }));
    expect(announcement()).toBe("");
  });

  test("of a main AI includes its name", () => {
    const provider = {
      id: "o",
      name: "Ollama",
      baseUrl: "http://localhost:11434/v1",
      model: "qwen3:8b",
      createdAt: 1,
    };
    show({ provider }, turn("t", "running", { mainId: "o" }));
    applyEvents(turn("t", "done", { mainId: "o" }));
    expect(announcement()).toBe("Ollama is done");
  });
});

describe("the end of a block", () => {
  test("is announced with its result", () => {
    show(...block("heard", "running"));
    const files = [
      { path: "a", added: 40, removed: 12 },
      { path: "b", added: 8, removed: 0 },
    ];
    applyEvents(...block("heard", "done", { stopReason: "end_turn", files }));
    expect(announcement()).toBe("Copilot heard is done, 48 added, 12 removed in 2 files");
  });

  test("stopped by the user is announced", () => {
    show(...block("halt", "running"));
    applyEvents(...block("halt", "stopped", { stopReason: "cancelled" }));
    expect(announcement()).toBe("Copilot halt was stopped");
  });

  test("is one sentence for all that end together, the answer first", () => {
    const names = ["one", "two", "three", "four"];
    show(...names.flatMap((name) => block(name, "running")));
    applyEvents(...block("one", "done", { stopReason: "end_turn" }));
    applyEvents(...block("two", "failed", {}, { error: { code: "model", message: "status 502" } }));
    applyEvents(...block("three", "done"), ...block("four", "done"), turn("t", "done"));
    expect(announcement()).toBe(
      "Copilot is done; Copilot two failed: status 502; Copilot one is done; 2 others ended",
    );
  });
});

describe("a request", () => {
  test("is announced once on arrival", () => {
    show(request("p", "go vet"));
    expect(region("assertive").textContent).toBe("Copilot auth asks to run a command");
    const first = region("assertive").firstChild;
    applyEvents(request("q", "rm x", { kind: "delete", path: "/tmp/x" }));
    expect(region("assertive").firstChild).toBe(first);
    expect(region("assertive").lastChild).toHaveTextContent("Copilot auth asks to delete /tmp/x");
    const second = region("assertive").lastChild;
    applyEvents(request("p", "go vet", { state: "decided", decision: "allowed_once" }));
    expect(region("assertive").firstChild).toBe(second);
    applyEvents(request("q", "rm x", { state: "decided", decision: "rejected" }));
    expect(region("assertive")).toBeEmptyDOMElement();
  });
});
