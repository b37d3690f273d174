import { screen as page, render } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { sink } from "../../state/store";
import type { Item } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { TurnFailure } from "./Message";

beforeEach(() => {
  stubBrowser();
  stubApp();
  resetState();
});

test("a double-click on Try again sends once, and again after its turn", async () => {
  const app = stubApp();
  const user = userEvent.setup();
  resetState(chatEvent("c", { turnState: "failed" }));
  const item: Item = { id: "u", chatId: "c", turnId: "t", pos: 1, kind: "user", createdAt: 1 };
  sink.open("c", [{ item }, { text: { itemId: "u", chatId: "c", offset: 0, text: "go", size: 2 } }], 0, []);
  render(() => <TurnFailure chatId="c" turnId="t" text="It failed." card />);
  const button = () => page.getByRole("button", { name: "Try again" });
  await user.dblClick(button());
  await user.click(button());
  expect(app.of("Send")).toEqual([["c", "go", []]]);
  applyEvents(chatEvent("c", { turnState: "running" }));
  applyEvents(chatEvent("c", { turnState: "failed" }));
  await user.click(button());
  expect(app.of("Send")).toHaveLength(2);
});

test("a custom model's failure uses VoxPilot's message, with the agent's report as its detail", () => {
  const message = "Ollama stopped answering. 6 attempts failed, the last with “unexpected EOF”.";
  const report = "Failed to get response from the AI model; retried 5 times";
  resetState(chatEvent("c", { providerId: "p", turnState: "failed" }), {
    provider: {
      id: "p",
      name: "Ollama",
      kind: "openai",
      baseUrl: "http://localhost:11434",
      model: "m",
      createdAt: 1,
    },
  } as never);
  const item = { id: "a", chatId: "c", turnId: "t", pos: 1, kind: "message" as const, createdAt: 1 };
  sink.open("c", [{ item }], 0, []);
  applyEvents({
    turn: {
      id: "t",
      chatId: "c",
      session: "main",
      state: "failed",
      startedAt: 1,
      endedAt: 2,
      error: { code: "model", message, detail: report },
    },
  });
  render(() => <TurnFailure chatId="c" turnId="t" text={`Error: ${report}`} card />);
  const card = page.getByRole("alert", { name: "Ollama stopped answering" });
  expect(card).toHaveTextContent("6 attempts failed, the last with “unexpected EOF”.");
  expect(card).not.toHaveTextContent("retried 5 times");
  expect(card).toHaveTextContent("The partial answer above is saved, and no files were changed.");
  const tool = { callId: "e", title: "", kind: "edit" as const, status: "completed" as const };
  applyEvents({ item: { ...item, id: "e", pos: 2, kind: "tool", tool } });
  expect(card).toHaveTextContent("The partial answer above and the changes were kept.");
  const settings = "Open Settings > Your own model";
  expect(page.getByRole("button", { name: settings })).toBeVisible();
  // If the agent exited, the model isn't to blame.
  const turn = { id: "t", chatId: "c", session: "main", startedAt: 1, endedAt: 2 };
  applyEvents({
    turn: { ...turn, state: "interrupted", error: { code: "connection", message: "It stopped." } },
  });
  expect(page.queryByRole("button", { name: settings })).toBeNull();
});

test.each([
  ["The model v1.2 failed. Send the message again.", "The model v1.2 failed.", "Send the message again."],
  ["回答已停止。请重新发送消息。", "回答已停止。", "请重新发送消息。"],
  ["Nothing ends this", "Nothing ends this", ""],
])("the first sentence of a failure stands out: %s", (text, first, rest) => {
  render(() => <TurnFailure chatId="c" turnId="t" text={text} card />);
  const banner = page.getByRole("alert", { name: first.replace(/[.。]$/, "") });
  expect(banner.querySelector("strong")?.textContent).toBe(first);
  expect(banner.querySelector(".sel")?.textContent).toBe(rest);
});
