import { createHighlighterCore } from "shiki/core";
import { expect, test, vi } from "vitest";
import { highlight } from "./highlight";

vi.mock("shiki/core", async (original) => {
  const core = await original<typeof import("shiki/core")>();
  return { ...core, createHighlighterCore: vi.fn(core.createHighlighterCore) };
});

/** tasks resolves once all pending work is done, except for work that waits for a frame. */
async function tasks() {
  await import("shiki/engine/javascript");
  for (let n = 0; n < 20; n++) await new Promise((done) => setTimeout(done));
}

test("the first code is painted before highlighting starts", async () => {
  const frames: FrameRequestCallback[] = [];
  vi.stubGlobal("requestAnimationFrame", (run: FrameRequestCallback) => frames.push(run));
  const lines = highlight("package a", "go");
  await tasks();
  expect(createHighlighterCore).not.toHaveBeenCalled();
  frames.shift()?.(0);
  await tasks();
  expect(createHighlighterCore).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
  frames.shift()?.(0);
  expect((await lines)?.flat().map((run) => run.text)).toContain("package");
  expect(createHighlighterCore).toHaveBeenCalledOnce();
});
