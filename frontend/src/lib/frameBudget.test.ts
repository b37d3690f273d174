import { expect, test } from "vitest";
import { FrameBudget, maxPerFrame } from "./frameBudget";

/** noting returns a stub engine that records the expressions compiled in each frame. */
function noting() {
  const made: string[][] = [[]];
  let next = requestAnimationFrame(function begin() {
    made.push([]);
    next = requestAnimationFrame(begin);
  });
  const engine = {
    createScanner: (patterns: (string | RegExp)[]) => {
      if (patterns.length === 1) made.at(-1)?.push(String(patterns[0]));
      return { findNextMatchSync: () => null };
    },
    createString: (content: string) => ({ content }),
  };
  return { engine, made, end: () => cancelAnimationFrame(next) };
}

test("a few expressions are evaluated per frame, each once", async () => {
  const { engine, made, end } = noting();
  const pausing = new FrameBudget();
  const patient = pausing.engine(engine);
  const all = Array.from({ length: 3 * maxPerFrame + 1 }, (_, n) => `expression ${n}`);
  const result = await pausing.run(() => {
    patient.createScanner(all.slice(0, maxPerFrame + 2));
    patient.createScanner(all);
    return "done";
  });
  end();
  expect(result).toBe("done");
  expect(made.flat()).toEqual(all);
  for (const frame of made) expect(frame.length).toBeLessThanOrEqual(maxPerFrame);
});

test("a failing expression is not retried", async () => {
  const pausing = new FrameBudget();
  let times = 0;
  const failing = pausing.run(() => {
    times++;
    throw new Error("no such language");
  });
  await expect(failing).rejects.toThrow("no such language");
  expect(times).toBe(1);
});
