// The release build in its own WebKit window.

import assert from "node:assert/strict";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";

const bands = 12;

// colors counts the distinct colors in a region, sampled at every second pixel in both directions.
function colors(shot, left, top, right, bottom) {
  const seen = new Set();
  for (let y = top; y < bottom; y += 2) for (let x = left; x < right; x += 2) seen.add(shot.at(x, y));
  return seen.size;
}

// writtenOn counts the horizontal bands of the screen that contain text. Text is antialiased, so a line
// of it has dozens of colors, whereas an empty window has only a few, in the band with its frame and
// title.
function writtenOn(shot) {
  const height = Math.floor(shot.height / bands);
  const tops = Array.from({ length: bands }, (_, i) => i * height);
  return tops.filter((top) => colors(shot, 0, top, shot.width, top + height) > 16).length;
}

test("The shipped app opens its window and paints the page", async (t) => {
  const { app, screenshot } = await start(t, { window: true });
  await waitFor(async () => {
    assert.ok(app.running, `the app ended:\n${app.output()}`);
    return writtenOn(await screenshot()) >= 4;
  }, "the window shows a page with text in at least 4 of 12 bands");
});
