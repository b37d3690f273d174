import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { afterFrame } from "./frames";

/** The recorded events, in order. */
let log: string[] = [];

beforeEach(() => {
  log = [];
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** stubFrames replaces animation frames with ones that the test runs. */
function stubFrames() {
  let waiting = new Map<number, FrameRequestCallback>();
  let ids = 0;
  vi.stubGlobal("requestAnimationFrame", (run: FrameRequestCallback) => waiting.set(++ids, run) && ids);
  vi.stubGlobal("cancelAnimationFrame", (id: number) => waiting.delete(id));
  return () => {
    const now = waiting;
    waiting = new Map();
    for (const run of now.values()) run(0);
    log.push("frame");
  };
}

/** task resolves once all currently pending tasks have run. */
const task = () => new Promise((done) => setTimeout(done));

test("an after-frame callback runs in its own task, once the frame is painted", async () => {
  const show = stubFrames();
  afterFrame(() => log.push("run"));
  show();
  await task();
  expect(log).toEqual(["frame"]);
  show();
  expect(log).toEqual(["frame", "frame"]);
  await task();
  expect(log).toEqual(["frame", "frame", "run"]);
});

test.each([0, 1, 2])("a callback canceled after %i frames doesn't run", async (frames) => {
  const show = stubFrames();
  const callOff = afterFrame(() => log.push("run"));
  for (let n = 0; n < frames; n++) show();
  callOff();
  show();
  show();
  await task();
  expect(log).not.toContain("run");
});
