import { render, screen } from "@solidjs/testing-library";
import { beforeEach, expect, test } from "vitest";
import { sink } from "../../state/store";
import type { BannerKind, Chat, Item } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { EventBanner } from "./EventBanner";

beforeEach(() => {
  stubBrowser();
  stubApp();
  resetState(chatEvent("c"));
});

const shape = (of: Element) => of.querySelector("svg")?.innerHTML;

function show(kind: BannerKind, dismissed: boolean): HTMLElement {
  const banner = { kind, session: "main", detail: "Plan", dismissed };
  const item: Item = {
    id: kind,
    chatId: "c",
    pos: 1,
    kind: "banner",
    createdAt: 1,
    open: !dismissed,
    banner,
  };
  render(() => <EventBanner item={item} banner={banner} />);
  return screen.getByRole(/^(restored|repaired|rebuilt)$/.test(kind) || dismissed ? "status" : "alert");
}

test.each([
  ["restored", "Session restored"],
  ["incomplete", "Last message may be incomplete"],
  ["session_lost", "Session couldn't be restored"],
  ["repaired", "Session repaired"],
  ["rebuilt", "Session rebuilt from this chat"],
  ["differs", "Copilot's history doesn't match this chat"],
  ["allow_all", "“Allow everything” is on"],
  ["rate_limited", "Rate limited"],
  ["stops_soon", "Time limit"],
  ["agent_limit", "Copilot reached its limit"],
  ["unasked", "Copilot didn't ask for permission"],
  ["guard_off", "VoxPilot's guard is off"],
  ["agent_error", "Copilot reported a problem"],
] as const)("a dismissed banner of kind %s keeps its name and icon", (kind, name) => {
  const open = show(kind, false);
  expect(open).toHaveAccessibleName(name);
  const icon = shape(open);
  expect(icon).toBeTruthy();
  document.body.replaceChildren();
  const rule = show(kind, true);
  expect(rule).toHaveAccessibleName(name);
  expect(shape(rule)).toBe(icon);
});

test("a banner about a rescued session names the session, what happened to it and what was left out", () => {
  const item: Item = { id: "r", chatId: "c", pos: 1, kind: "banner", createdAt: 1, open: false };
  const banner = {
    kind: "repaired" as const,
    session: "auth",
    note: "1 damaged entry was left out.",
    detail: "-32603",
  };
  render(() => <EventBanner item={item} banner={banner} />);
  const status = screen.getByRole("status");
  expect(status).toHaveTextContent("Copilot [auth] couldn't open the session because its files are damaged");
  expect(status).toHaveTextContent("1 damaged entry was left out.");
  expect(screen.getByRole("button", { name: "Copy details" })).toBeVisible();
  document.body.replaceChildren();
  render(() => <EventBanner item={item} banner={{ ...banner, kind: "rebuilt", session: "main" }} />);
  expect(screen.getByRole("status")).toHaveTextContent("gave Copilot this chat's messages and tool results");
});

test("the line above an imported session ends without a number while the session is being read", () => {
  const item: Item = { id: "i", chatId: "c", pos: 1, kind: "banner", createdAt: 1, open: false };
  render(() => <EventBanner item={item} banner={{ kind: "imported", session: "main" }} />);
  expect(screen.getByRole("status").textContent).toMatch(/Continued from a terminal$/);
});

test("a note in a line follows a full stop", () => {
  const item: Item = { id: "h", chatId: "c", pos: 1, kind: "banner", createdAt: 1, open: false };
  const note = "The new session has 2 messages.";
  render(() => <EventBanner item={item} banner={{ kind: "handed_over", session: "main", note }} />);
  expect(screen.getByRole("status")).toHaveTextContent(
    /received this chat's conversation, [\d:]+\. The new session/,
  );
});

test("a banner about an unrequested action names what ran, its possible cause and what to do", () => {
  const item: Item = { id: "u", chatId: "c", pos: 1, kind: "banner", createdAt: 1, open: false };
  const banner = { kind: "unasked" as const, detail: "make\n.github/hooks/e.json hooks.preToolUse" };
  render(() => <EventBanner item={item} banner={banner} />);
  const alert = screen.getByRole("alert");
  expect(alert).toHaveTextContent("ran without your permission: make");
  expect(alert).toHaveTextContent("can answer requests for you: .github/hooks/e.json hooks.preToolUse.");
  expect(alert).toHaveTextContent("Check what changed before you continue.");
  expect(screen.getByRole("button", { name: "Copy details" })).toBeVisible();
  document.body.replaceChildren();
  render(() => <EventBanner item={item} banner={{ ...banner, detail: "make" }} />);
  expect(screen.getByRole("alert")).toHaveTextContent("Nothing in the folder explains this.");
});

test("a banner about a missing guard names the reason and what follows from it", () => {
  const item: Item = { id: "g", chatId: "c", pos: 1, kind: "banner", createdAt: 1, open: false };
  const detail =
    ".github/copilot/settings.json in this folder turns off all hooks, including the one for VoxPilot's guard.";
  render(() => <EventBanner item={item} banner={{ kind: "guard_off", detail }} />);
  const alert = screen.getByRole("alert");
  expect(alert).toHaveTextContent(
    `VoxPilot's guard is off. ${detail} VoxPilot can't check Copilot's tool calls`,
  );
  expect(alert).toHaveTextContent("VoxPilot rejects settings that would stop Copilot from asking.");
});

test.each([
  "Copilot's history is missing the last message.",
  "Copilot does not remember the last message", // stored by an older version
])("a banner about another history ends its detail with a full stop: %s", (detail) => {
  const item: Item = { id: "d", chatId: "c", pos: 1, kind: "banner", createdAt: 1, open: false };
  render(() => <EventBanner item={item} banner={{ kind: "differs", detail }} />);
  expect(screen.getByRole("alert")).toHaveTextContent(
    `${detail.replace(/\.$/, "")}. Your conversation history in VoxPilot is intact.`,
  );
});

test.each([
  ["resumed", "Session restored"],
  ["mode", "Mode restored"],
  ["extended", "Time limit extended"],
  ["continued", "Summary of an earlier chat"],
] as const)("rules of kind %s have the right name", (kind, name) => {
  expect(show(kind, true)).toHaveAccessibleName(name);
});

test("continuing is offered until the user continues manually", () => {
  const banner = { kind: "incomplete" as const, session: "main" };
  const item: Item = { id: "i", chatId: "c", pos: 1, kind: "banner", createdAt: 10, open: true, banner };
  const turn = { id: "t", chatId: "c", session: "main", startedAt: 11 };
  const chat = chatEvent("c").chat as Chat;
  sink.open("c", [], 0, []);
  render(() => <EventBanner item={item} banner={banner} />);
  const offer = () => screen.queryByRole("button", { name: "Ask Copilot to continue" });
  expect(offer()).toBeVisible();
  applyEvents(
    { turn: { ...turn, session: "docs", state: "done", endedAt: 12 } },
    { chat: { ...chat, turnState: "running" } },
  );
  applyEvents({ chat: { ...chat, turnState: "done" } });
  expect(offer()).toBeVisible();
  applyEvents({ turn: { ...turn, state: "running" } }, { chat: { ...chat, turnState: "running" } });
  expect(offer()).toBeNull();
  applyEvents({ turn: { ...turn, state: "done", endedAt: 12 } }, { chat: { ...chat, turnState: "done" } });
  expect(offer()).toBeNull();
  expect(screen.getByRole("button", { name: "Show changes so far" })).toBeVisible();
});

test("an agent that crashed during a turn is shown with its exit code and last output", () => {
  const banner = { kind: "incomplete" as const, session: "main" };
  const item: Item = { id: "i", chatId: "c", pos: 1, kind: "banner", createdAt: 10, open: true, banner };
  const turn = {
    id: "t",
    chatId: "c",
    session: "main",
    startedAt: 1,
    endedAt: 9,
    state: "interrupted" as const,
  };
  const error = {
    code: "interrupted" as const,
    message: "It stopped.",
    detail: "exited, exit code 3\npanic: out of cheese",
  };
  applyEvents({ turn: { ...turn, error } });
  render(() => <EventBanner item={item} banner={banner} />);
  expect(screen.getByRole("alert")).toHaveTextContent("exited, exit code 3 panic: out of cheese");
});

test("changes so far are offered unless the interrupted turn changed nothing", () => {
  const banner = { kind: "incomplete" as const, session: "main" };
  const item: Item = { id: "i", chatId: "c", pos: 9, kind: "banner", createdAt: 10, open: true, banner };
  const call = (id: string, pos: number, kind: "read" | "edit"): Item => ({
    id,
    chatId: "c",
    turnId: "t",
    pos,
    kind: "tool",
    createdAt: 2,
    tool: { callId: id, title: "", kind, status: "completed" },
  });
  const turn = { id: "t", chatId: "c", session: "main", state: "interrupted" as const, startedAt: 1 };
  sink.open("c", [{ turn }, { item: call("a", 1, "read") }], 0, []);
  render(() => <EventBanner item={item} banner={banner} />);
  const show = () => screen.queryByRole("button", { name: "Show changes so far" });
  expect(show()).toBeNull();
  applyEvents({ item: call("b", 2, "edit") });
  expect(show()).toBeVisible();
});

test("the lines about a conversation from another program and its handover name what was left out", () => {
  const item: Item = { id: "i", chatId: "c", pos: 1, kind: "banner", createdAt: 1, open: false };
  for (const [banner, text] of [
    [
      { detail: "2 messages", note: "1 damaged entry was left out." },
      "Continued from a terminal, 2 messages. 1 damaged entry was left out.",
    ],
    [{ detail: "2 messages" }, "Continued from a terminal, 2 messages"],
    [{ detail: "2 messages", copy: true }, "Copy of a terminal session, 2 messages"],
    [{ from: "Codex CLI", detail: "2 messages", note: "It's so." }, "From Codex CLI, 2 messages. It's so."],
  ] as const) {
    render(() => <EventBanner item={item} banner={{ kind: "imported", session: "main", ...banner }} />);
    expect(screen.getByRole("status")).toHaveTextContent(text);
    document.body.replaceChildren();
  }
  render(() => (
    <EventBanner item={item} banner={{ kind: "handed_over", session: "main", note: "The note." }} />
  ));
  expect(screen.getByRole("status")).toHaveTextContent(/received this chat's conversation, .*\. The note\.$/);
});
