import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { busyMillis, Heartbeat, restMillis } from "./heartbeat";

let count: number;
let beats: Heartbeat;

beforeEach(() => {
  vi.useFakeTimers();
  count = 0;
  beats = new Heartbeat(() => count++);
  beats.start();
});

afterEach(() => {
  beats.stop();
  vi.useRealTimers();
});

test("while nothing comes there is a beat a minute", () => {
  vi.advanceTimersByTime(5 * restMillis);
  expect(count).toBe(5);
});

test("what comes has a beat follow in time, and a flood of it no more than one", () => {
  for (let n = 0; n < 10; n++) {
    vi.advanceTimersByTime(100);
    beats.heard();
  }
  vi.advanceTimersByTime(busyMillis - 901);
  expect(count).toBe(0);
  vi.advanceTimersByTime(1);
  expect(count).toBe(1);
});

test("a beat that is due before is not put off by what comes", () => {
  vi.advanceTimersByTime(restMillis - 1);
  beats.heard();
  vi.advanceTimersByTime(1);
  expect(count).toBe(1);
});

test("a clock that jumps, as after a sleep, holds no beat up", () => {
  vi.setSystemTime(Date.now() + 8 * 3600_000);
  beats.heard();
  vi.advanceTimersByTime(busyMillis);
  expect(count).toBe(1);
});

test("what has ended beats no more", () => {
  beats.heard();
  beats.stop();
  vi.advanceTimersByTime(restMillis);
  expect(count).toBe(0);
});
