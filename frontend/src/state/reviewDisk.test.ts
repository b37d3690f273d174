import { createRoot } from "solid-js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { diskMillis, watchDisk } from "./reviewDisk";

let disk = "";
let asked = 0;
let changed = 0;
let answerMillis = 0;
let isFailing = false;
let visibility: DocumentVisibilityState = "visible";
let stop = () => {};

const after = (millis: number) => vi.advanceTimersByTimeAsync(millis);

beforeEach(() => {
  vi.useFakeTimers();
  [disk, asked, changed, answerMillis, isFailing, visibility] = ["1", 0, 0, 0, false, "visible"];
  vi.stubGlobal("fetch", async () => {
    asked++;
    if (answerMillis > 0) await new Promise((resolve) => setTimeout(resolve, answerMillis));
    if (isFailing) throw new Error("gone");
    return { ok: true, json: async () => ({ state: disk }) };
  });
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visibility);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function watch(): void {
  stop = createRoot((dispose) => {
    watchDisk(
      "c",
      () => true,
      async () => {
        changed++;
      },
    );
    return dispose;
  });
}

test("a change on disk is noticed once, within the pause between two checks", async () => {
  watch();
  await after(3 * diskMillis);
  expect(changed).toBe(0);
  disk = "2";
  await after(diskMillis);
  expect(changed).toBe(1);
  await after(3 * diskMillis);
  expect(changed).toBe(1);
  stop();
  const before = asked;
  await after(3 * diskMillis);
  expect(asked).toBe(before);
});

test("nothing is checked while the window is hidden, and at once when it is shown again", async () => {
  watch();
  await after(0);
  visibility = "hidden";
  const before = asked;
  disk = "2";
  await after(10 * diskMillis);
  expect(asked - before).toBe(0);
  visibility = "visible";
  document.dispatchEvent(new Event("visibilitychange"));
  await after(0);
  expect(changed).toBe(1);
});

test("checks that take long or fail are made less often", async () => {
  answerMillis = diskMillis;
  watch();
  await after(diskMillis);
  expect(asked).toBe(1);
  await after(9 * diskMillis);
  expect(asked).toBe(1);
  await after(2 * diskMillis);
  expect(asked).toBe(2);
  answerMillis = 0;
  isFailing = true;
  await after(20 * diskMillis);
  const before = asked;
  await after(4 * diskMillis);
  expect(asked).toBe(before);
});
