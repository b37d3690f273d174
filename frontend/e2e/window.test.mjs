// The app as it ships, in its own WebKit window.

import assert from "node:assert/strict";
import { test } from "node:test";
import { start, until } from "./harness.mjs";

// colours counts the different colours of a region, on a grid of two pixels.
function colours(shot, left, top, right, bottom) {
  const seen = new Set();
  for (let y = top; y < bottom; y += 2) for (let x = left; x < right; x += 2) seen.add(shot.at(x, y));
  return seen.size;
}

test("The shipped app opens its window and paints the page", async (t) => {
  const { app, screenshot } = await start(t, { window: true });
  // Text is antialiased: one line of it has dozens of colours, an empty window
  // one or two. Every quarter of a screen that is laid out has more than its
  // ground, and the whole has text in several places.
  const shot = await until(async () => {
    assert.ok(app.running, `the app ended:\n${app.output()}`);
    const shot = await screenshot();
    return colours(shot, 0, 0, shot.width, shot.height) > 64 ? shot : undefined;
  }, "the window shows a painted page");
  const rows = Array.from({ length: 12 }, (_, i) => Math.floor((i * shot.height) / 12));
  const painted = rows.filter(
    (top) => colours(shot, 0, top, shot.width, top + Math.floor(shot.height / 12)) > 16,
  );
  assert.ok(painted.length >= 3, `only ${painted.length} of 12 bands of the window have text in them`);
});
