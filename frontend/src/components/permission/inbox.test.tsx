import { render, screen, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { screen as where } from "../../state/screen";
import type { Event, Permission } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { Inbox } from "./Inbox";

const request = (id: string, chatId: string, more: Partial<Permission>): Event => ({
  permission: {
    id,
    chatId,
    session: "auth",
    state: "open",
    title: "",
    kind: "execute",
    options: [],
    createdAt: Date.now(),
    ...more,
  },
});

beforeEach(() => {
  stubBrowser();
  stubApp();
});

test("All requests are listed, oldest first, and open their chats without being answered", async () => {
  resetState(
    chatEvent("fix", { title: "Fix it" }),
    chatEvent("gone", { deletedAt: 1 }),
    chatEvent("test", { title: "a\u202Eb" }),
    request("1", "fix", { command: "go test ./...\nrm -rf .", createdAt: 3 }),
    request("2", "test", { kind: "edit", path: "/home/anna/code/orbit-api/a.go", createdAt: 2 }),
    request("3", "gone", { command: "make" }),
    request("4", "fix", { command: "done", state: "decided" }),
  );
  let left = 0;
  render(() => <Inbox onLeave={() => left++} />);
  const user = userEvent.setup();
  const opener = screen.getByRole("button", { name: "All requests" });
  await user.click(opener);
  const list = await screen.findByRole("list", { name: "Requests waiting for you" });
  const rows = within(list).getAllByRole("button");
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^Edit a\.go.*Copilot \[auth\] · a\[U\+202E\]b · orbit-api$/),
    expect.stringMatching(/^Run go test \.\/\.\.\..*Copilot \[auth\] · Fix it · orbit-api$/s),
  ]);
  applyEvents(request("2", "test", { kind: "edit", state: "decided" }));
  expect(within(list).getAllByRole("button")).toHaveLength(1);
  await user.click(within(list).getByRole("button", { name: /go test/ }));
  expect(where()).toEqual({ name: "chat", id: "fix", toRequest: true });
  expect(left).toBe(1);
});
