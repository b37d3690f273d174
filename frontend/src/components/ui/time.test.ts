import { expect, test } from "vitest";
import { stepDuration } from "./time";

test("a step's duration has tenths if short, and is never omitted if long", () => {
  expect([999, 1000, 1940, 9949, 9950, 41_000, 80_000, 7_500_000].map(stepDuration)).toEqual([
    "",
    "1.0 s",
    "1.9 s",
    "9.9 s",
    "10 s",
    "41 s",
    "1 min 20 s",
    "2 h 5 min",
  ]);
});
