import { render, screen, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { sink } from "../../state/store";
import type { SessionStats, Turn } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { Context } from "./Context";

const turn = (id: string, startedAt: number, input: number, more: Partial<Turn> = {}) => ({
  turn: {
    id,
    chatId: "c",
    session: "main",
    state: "done" as const,
    startedAt,
    usage: { input, output: 3, cacheRead: 1 },
    ...more,
  },
});

beforeEach(() => stubBrowser());

test("usage covers the whole chat, not only its loaded part", async () => {
  let main: SessionStats = {
    name: "main",
    turns: 400,
    workMillis: 1,
    input: 9000,
    output: 70,
    cacheRead: 800,
  };
  vi.stubGlobal("fetch", async () =>
    Response.json({ sessions: [{ name: "auth", turns: 1, input: 5 }, main] }),
  );
  stubApp();
  resetState(chatEvent("c"));
  const session = { chatId: "c", name: "main", acpId: "x", cwd: "/", state: "loaded" as const };
  sink.open(
    "c",
    [
      { session: { ...session, createdAt: 1, usedAt: 1, used: 10, size: 100 } },
      turn("new", 2, 20),
      turn("old", 1, 10),
      turn("block", 3, 30, { session: "auth", blockId: "b" }),
    ],
    0,
    [],
  );
  render(() => <Context chatId="c" />);
  await userEvent.setup().click(screen.getByRole("button", { name: "Context: 10% used" }));
  const facts = () => document.querySelector(".spent")?.textContent;
  expect(facts()).toContain("Last answer20 input, including 1 from the cache, 3 output");
  await waitFor(() =>
    expect(facts()).toContain("All answers9,000 input, including 800 from the cache, 70 output"),
  );
  main = { ...main, input: 9040 };
  applyEvents(turn("newest", 4, 40));
  expect(facts()).toContain("Last answer40 input");
  await waitFor(() => expect(facts()).toContain("All answers9,040 input"));
});

test("the ring is hidden while the usage of a loaded session is unknown", () => {
  resetState(chatEvent("c"));
  const session = { chatId: "c", name: "main", acpId: "x", cwd: "/", state: "loaded" as const, createdAt: 1 };
  render(() => <Context chatId="c" />);
  applyEvents({ session: { ...session, usedAt: 1, used: 46, size: 100 } });
  expect(screen.getByRole("button", { name: "Context: 46% used" })).toBeVisible();
  applyEvents({ session: { ...session, usedAt: 2, used: 0, size: 100 } });
  expect(screen.queryByRole("button")).toBeNull();
});
