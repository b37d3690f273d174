import { render, screen, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { failureOf } from "../../state/actions";
import { chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { Empty } from "./Empty";

beforeEach(stubBrowser);

test("an empty practice chat has its three prompts, and a click sends one", async () => {
  const user = userEvent.setup();
  const app = stubApp({ Send: () => Promise.resolve("m") });
  resetState(chatEvent("c", { providerId: "practice" }));
  render(() => <Empty chatId="c" />);
  const prompts = within(screen.getByRole("list", { name: "Three things to try" })).getAllByRole("button");
  expect(prompts.map((each) => each.textContent)).toEqual([
    "Fix the greeting",
    "Run the script",
    "Tell me a long story",
  ]);
  await user.click(prompts[1] as HTMLElement);
  expect(app.of("Send")).toEqual([["c", "Run the script", []]]);
});

test("a double-click sends a prompt once, and a failed one can be sent again", async () => {
  const user = userEvent.setup();
  const settle: ((failed: Error) => void)[] = [];
  const app = stubApp({ Send: () => new Promise((_, fail) => settle.push(fail)) });
  resetState(chatEvent("c", { providerId: "practice" }));
  render(() => <Empty chatId="c" />);
  await user.dblClick(screen.getByRole("button", { name: "Run the script" }));
  expect(app.of("Send")).toHaveLength(1);
  settle[0]?.(new Error("The disk is full."));
  await waitFor(() => expect(failureOf("c")?.message).toBe("The disk is full."));
  await user.click(screen.getByRole("button", { name: "Run the script" }));
  expect(app.of("Send")).toHaveLength(2);
});

test("a prompt that couldn't be sent shows the reason in the chat", async () => {
  const user = userEvent.setup();
  stubApp({ Send: () => Promise.reject(new Error("The disk is full.")) });
  resetState(chatEvent("c", { providerId: "practice" }));
  render(() => <Empty chatId="c" />);
  await user.click(screen.getByRole("button", { name: "Fix the greeting" }));
  await waitFor(() => expect(failureOf("c")?.message).toBe("The disk is full."));
});

test("any other empty chat shows Copilot's working folder", () => {
  stubApp();
  resetState(chatEvent("c"));
  render(() => <Empty chatId="c" />);
  expect(screen.getByRole("heading", { name: "What should change?" })).toBeVisible();
  expect(screen.queryByRole("button")).not.toBeInTheDocument();
});
