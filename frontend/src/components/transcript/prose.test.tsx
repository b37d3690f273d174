import { render, waitFor } from "@solidjs/testing-library";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sink } from "../../state/store";
import type { Event } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { Transcript } from "./Transcript";

const message = (open: boolean): Event => ({
  item: {
    id: "m",
    chatId: "c",
    turnId: "t",
    session: "main",
    pos: 1,
    kind: "message",
    createdAt: 1000,
    open,
  },
});
const text = (offset: number, piece: string): Event => ({
  text: { itemId: "m", chatId: "c", offset, text: piece, size: offset + piece.length },
});

beforeEach(() => {
  stubBrowser();
  vi.stubGlobal("fetch", () => Promise.reject(new Error("nothing is pulled here")));
});
afterEach(() => sink.reset([]));

function show(...events: Event[]) {
  stubApp();
  resetState(chatEvent("c", { turnState: "done" }));
  const turn: Event = {
    turn: { id: "t", chatId: "c", session: "main", state: "done", startedAt: 1000, endedAt: 2000 },
  };
  sink.open("c", [turn, ...events], 0, []);
  const { container } = render(() => <Transcript chatId="c" />);
  return () => [...container.querySelectorAll(".prose p")].map((p) => p.textContent);
}

test("text that arrives after the answer ended is rendered", () => {
  const drawn = show(message(false), text(0, "One.\n\nTwo is"));
  expect(drawn()).toEqual(["One.", "Two is"]);
  applyEvents(text(12, " whole."));
  expect(drawn()).toEqual(["One.", "Two is whole."]);
  applyEvents(text(19, "\n\nThree."));
  expect(drawn()).toEqual(["One.", "Two is whole.", "Three."]);
});

test("a message that continues after closing is rendered to its end", () => {
  const drawn = show(message(true), text(0, "Half of"));
  applyEvents(message(false));
  expect(drawn()).toEqual(["Half of"]);
  applyEvents(message(true), text(7, " the answer"));
  expect(drawn()).toEqual(["Half of the answer"]);
  applyEvents(text(18, " and all."), message(false));
  expect(drawn()).toEqual(["Half of the answer and all."]);
});

test("code is rendered plain, and the page is busy until it is highlighted", async () => {
  show(message(false), text(0, "```go\npackage a\n```\n\n```\nplain\n```"));
  const [colored] = document.querySelectorAll<HTMLElement>(".code");
  expect(colored?.textContent).toContain("package a");
  expect(document.documentElement.dataset).toHaveProperty("waits");
  await waitFor(() => expect(document.documentElement.dataset).not.toHaveProperty("waits"));
  await waitFor(() => expect(colored?.querySelector("span.k")?.textContent).toBe("package"));
});
