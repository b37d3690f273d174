import { createRoot } from "solid-js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { stubApp } from "../testing";
import { ReviewModel } from "./review";
import { CommitModel } from "./reviewCommit";
import { checkMillis, forgetPulls, PullModel, requestsOf } from "./reviewPull";
import type { ReviewPull } from "./types";

let pull: ReviewPull;
let asked = 0;
let visibility: DocumentVisibilityState = "visible";

beforeEach(() => {
  vi.useFakeTimers();
  stubApp();
  forgetPulls();
  asked = 0;
  visibility = "visible";
  pull = { available: true, number: 7, state: "open", checks: [{ name: "a", state: "pending" }] };
  vi.stubGlobal("fetch", async () => {
    asked++;
    return { ok: true, json: async () => pull };
  });
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visibility);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const model = () =>
  createRoot(() => new PullModel(new CommitModel(new ReviewModel("c", "chat"), () => ({})), () => ({})));
const after = (millis: number) => vi.advanceTimersByTimeAsync(millis);

test("running checks are followed every 30 seconds until they end", async () => {
  const stop = model().watch();
  await after(checkMillis - 1);
  expect(asked).toBe(1);
  await after(1);
  expect(asked).toBe(2);
  pull = { ...pull, checks: [{ name: "a", state: "passed" }] };
  await after(checkMillis);
  expect(asked).toBe(3);
  await after(10 * checkMillis);
  expect(asked).toBe(3);
  stop();
});

test("nothing is asked while the window is hidden, and at once when it is shown again", async () => {
  const stop = model().watch();
  await after(1);
  visibility = "hidden";
  await after(10 * checkMillis);
  expect(asked).toBe(1);
  visibility = "visible";
  document.dispatchEvent(new Event("visibilitychange"));
  await after(1);
  expect(asked).toBe(2);
  stop();
  document.dispatchEvent(new Event("visibilitychange"));
  await after(10 * checkMillis);
  expect(asked).toBe(2);
});

test("another source of the same chat shows the last answer and doesn't ask again at once", async () => {
  const stop = model().watch();
  await after(1);
  stop();
  const next = model();
  expect(next.pull()?.number).toBe(7);
  const stopNext = next.watch();
  await after(1);
  expect(asked).toBe(1);
  await after(checkMillis);
  expect(asked).toBe(2);
  stopNext();
});

test("requests are quoted in their order", () => {
  const turn = (text: string) => ({ id: text, text, at: 0, files: 1, added: 0, removed: 0 });
  expect(requestsOf([turn("last"), turn(" "), turn("first\n\nmore")])).toBe("> first\n>\n> more\n\n> last");
  expect(requestsOf([turn("x".repeat(200))])).toBe(`> ${"x".repeat(200)}…`);
});
