import { screen as page, render } from "@solidjs/testing-library";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sink } from "../../state/store";
import { setHiddenRequest } from "../../state/transcriptView";
import type { Event, Permission, Turn } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { Dock } from "./Dock";

beforeEach(() => {
  stubBrowser();
  stubApp();
});
afterEach(() => setHiddenRequest(undefined));

const request = (more: Partial<Permission>): Event => ({
  permission: {
    id: "p",
    chatId: "c",
    session: "auth-bug-fix",
    state: "open",
    title: "Edit",
    kind: "edit",
    path: "/home/anna/code/orbit-api/internal/auth/refresh.go",
    options: [],
    createdAt: 1,
    ...more,
  },
});

test("the bar for an off-screen request summarizes it with its session or main AI", () => {
  resetState(chatEvent("c"), request({}));
  const turn: Turn = { id: "t", chatId: "c", session: "main", mainId: "m", state: "running", startedAt: 1 };
  sink.open("c", [{ turn }], 0, []);
  setHiddenRequest({ chatId: "c", requestId: "p", show: () => {} });
  render(() => <Dock chatId="c" />);
  const bar = (who = "Copilot") => page.getByRole("status", { name: `${who} is waiting for you` });
  expect(bar()).toHaveTextContent(/^Copilot \[auth-bug-fix\] wants to edit refresh\.go/);
  applyEvents(request({ kind: "execute", path: "", command: "go test ./...\nrm -rf ." }));
  expect(bar()).toHaveTextContent(/^Copilot \[auth-bug-fix\] wants to run go test \.\/\.\.\.Show/);
  applyEvents(
    { provider: { id: "m", name: "Ollama", baseUrl: "http://x", model: "y", createdAt: 1 } },
    request({ kind: "read", turnId: "t", path: "/etc/hosts" }),
  );
  expect(bar("Ollama")).toHaveTextContent(/^Ollama wants to read hosts/);
});
