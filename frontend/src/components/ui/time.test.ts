import { expect, test } from "vitest";
import { stepDuration } from "./time";

test("how long a step took is said to the tenth while it is short, and never left out where it is long", () => {
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
