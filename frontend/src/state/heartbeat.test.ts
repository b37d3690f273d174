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

test("without events there is a heartbeat every minute", () => {
  vi.advanceTimersByTime(5 * restMillis);
  expect(count).toBe(5);
});

test("an event triggers a heartbeat, and a flood only one", () => {
  for (let n = 0; n < 10; n++) {
    vi.advanceTimersByTime(100);
    beats.eventArrived();
  }
  vi.advanceTimersByTime(busyMillis - 901);
  expect(count).toBe(0);
  vi.advanceTimersByTime(1);
  expect(count).toBe(1);
});

test("a heartbeat already due is not delayed by events", () => {
  vi.advanceTimersByTime(restMillis - 1);
  beats.eventArrived();
  vi.advanceTimersByTime(1);
  expect(count).toBe(1);
});

test("a clock jump, as after sleep, delays no heartbeat", () => {
  vi.setSystemTime(Date.now() + 8 * 3600_000);
  beats.eventArrived();
  vi.advanceTimersByTime(busyMillis);
  expect(count).toBe(1);
});

test("a stopped heartbeat stays silent", () => {
  beats.eventArrived();
  beats.stop();
  vi.advanceTimersByTime(restMillis);
  expect(count).toBe(0);
});
