import { render, screen } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { sink } from "../../state/store";
import type { Event, Item, Tool } from "../../state/types";
import { chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { ToolRow } from "./ToolRow";
import { rememberOpen } from "./viewState";

beforeEach(() => {
  stubBrowser();
  stubApp();
  resetState(chatEvent("c"));
});

function row(tool: Partial<Tool>, lasted = 0, waited = 0): HTMLElement {
  const whole: Tool = { callId: "t", title: "", kind: "other", status: "completed", ...tool };
  const item: Item = {
    id: "t",
    chatId: "c",
    pos: 1,
    kind: "tool",
    createdAt: 1000,
    endedAt: 1000 + lasted,
    waited,
    tool: whole,
  };
  render(() => <ToolRow item={item} tool={whole} folder="/home/me" />);
  return screen.getByRole("button", { name: /, (completed|failed)$/ });
}

test("a command shows its duration, however long", () => {
  expect(row({ kind: "execute", command: "go test ./..." }, 41_000)).toHaveTextContent(
    /^Rungo test \.\/\.\.\.41 s$/,
  );
});

test("a command's duration excludes the user's wait", () => {
  expect(row({ kind: "execute", command: "make" }, 61_000, 20_000)).toHaveTextContent(/^Runmake41 s$/);
});

test("a command ended by a signal has failed and names it", () => {
  const call = row({ kind: "execute", command: "make", signal: "SIGKILL" }, 2000);
  expect(call).toHaveAttribute("data-status", "failed");
  expect(call).toHaveTextContent("killed by SIGKILL");
});

test("files omitted from a request are not the call's output", async () => {
  const tool: Tool = { callId: "t", title: "", kind: "edit", status: "completed" };
  const events: Event[] = [
    { item: { id: "t", chatId: "c", pos: 1, kind: "tool", createdAt: 1000, tool } },
    { content: { id: "k", itemId: "t", chatId: "c", type: "names", size: 6, version: 1, lines: 1 } },
  ];
  sink.open("c", events, 0, []);
  const call = row({ kind: "edit", path: "/home/me/a.go" });
  await userEvent.click(call);
  expect(call).toHaveAttribute("aria-expanded", "true");
  expect(document.querySelector(".tool-out")).toBeNull();
});

test("a request's details are shown with its call", () => {
  const tool: Tool = { callId: "t", title: "", kind: "other", status: "completed" };
  sink.open(
    "c",
    [
      { item: { id: "t", chatId: "c", pos: 1, kind: "tool", createdAt: 1000, tool } },
      { content: { id: "k", itemId: "t", chatId: "c", type: "request", size: 6, version: 1 } },
    ],
    0,
    [],
  );
  rememberOpen("tool:t", true);
  row({ kind: "other", title: "Send the report" });
  expect(document.querySelectorAll(".tool-out")).toHaveLength(1);
});

test("a thought reported as a call shows its duration", () => {
  expect(row({ kind: "think", title: "Compare two ways" }, 4000)).toHaveTextContent(
    /^ThinkCompare two ways4 s$/,
  );
});

test("a call's result is shown beside it", () => {
  expect(row({ kind: "read", path: "/home/me/a.go", fact: "lines 30 to 88" }, 41_000)).toHaveTextContent(
    /^Reada\.golines 30 to 88$/,
  );
});

test("a search is named by its query, and a fetch by its address", () => {
  expect(
    row({
      kind: "search",
      title: "Searching for 's.cache['",
      command: "s.cache[",
      path: "/home/me",
      fact: "3 matches",
    }),
  ).toHaveAccessibleName("Search s.cache[, completed");
  document.body.replaceChildren();
  expect(
    row({
      kind: "fetch",
      title: "Fetching https://pkg.go.dev/log/slog",
      command: "pkg.go.dev",
      fact: "18 KB",
    }),
  ).toHaveAccessibleName("Fetch pkg.go.dev/log/slog, completed");
});
