import { createEffect, createRoot } from "solid-js";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { coarseNow } from "./coarseClock";

const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * follow reads the clock for each of the given ages and returns the times at which the readings update,
 * relative to the start; stop ends the updates.
 */
function follow(...ages: number[]): { times: number[]; stop(): void } {
  const begun = Date.now();
  const times: number[] = [];
  const stop = createRoot((dispose) => {
    for (const age of ages)
      createEffect(() => {
        times.push(coarseNow(begun - age) - begun);
      });
    return dispose;
  });
  return { times, stop };
}

it("updates minutes-old times every minute, and older ones every ten", () => {
  const recent = follow(5 * minute);
  vi.advanceTimersByTime(3 * minute);
  expect(recent.times).toEqual([0, minute, 2 * minute, 3 * minute]);
  recent.stop();

  const old = follow(120 * minute);
  vi.advanceTimersByTime(25 * minute);
  expect(old.times).toEqual([0, 10 * minute, 20 * minute]);
  old.stop();
});

it("updates future times by how far off they are", () => {
  const far = follow(-120 * minute);
  vi.advanceTimersByTime(25 * minute);
  expect(far.times).toEqual([0, 10 * minute, 20 * minute]);
  far.stop();

  const near = follow(-5 * minute);
  vi.advanceTimersByTime(2 * minute);
  expect(near.times).toEqual([0, minute, 2 * minute]);
  near.stop();
});

it("slows down with age and doesn't wake in between", () => {
  const aging = follow(58 * minute, 58 * minute);
  vi.advanceTimersByTime(20 * minute);
  expect(aging.times).toEqual([0, 0, minute, minute, 2 * minute, 2 * minute, 12 * minute, 12 * minute]);
  expect(vi.getTimerCount()).toBe(1);
  aging.stop();
});

it("pauses without readers and outside rendering", () => {
  const read = follow(0);
  expect(vi.getTimerCount()).toBe(1);
  read.stop();
  expect(vi.getTimerCount()).toBe(0);
  expect(coarseNow(0)).toBe(Date.now());
  expect(vi.getTimerCount()).toBe(0);
});

it("speeds up for a newer reader beside an old one", () => {
  const old = follow(120 * minute);
  const recent = follow(0);
  vi.advanceTimersByTime(minute);
  expect(recent.times).toEqual([0, minute]);
  old.stop();
  recent.stop();
});
