// A reloaded window shows the same content as a window that was never reloaded.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";
import { startModel } from "./model.mjs";
import {
  answerRequest,
  renderedText,
  requestCard,
  send,
  startChat,
  transcript,
  useModel,
  waitForIdle,
  waitForRunning,
  waitForText,
} from "./page.mjs";

const words = 120;
const seed = 20261121;

/**
 * moments returns `n` distinct word counts in ascending order, from 0 to the total number of words. They
 * are pseudorandom and depend only on `seed`.
 */
function moments(n) {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  // Before the first word, right after it, and at the end; the others are spread in between.
  const found = new Set([0, 1, words - 1, words]);
  const step = (words - 4) / (n - found.size);
  for (let i = 0; found.size < n; i++) found.add(Math.floor(2 + step * (i + random())));
  return [...found].sort((a, b) => a - b);
}

/** numbers returns the numbers of the words in a text. */
const numbers = (text) => [...text.matchAll(/word-(\d+)/g)].map((match) => Number(match[1]));

test("A reload at any moment of a turn leaves the transcript unchanged", async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  // The viewport fits all entries, so the whole transcript can be read.
  const viewport = { width: 1280, height: 16_000 };
  const { page, newPage, app, folder } = await start(t, { viewport });
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  await startChat(page, folder, "say begin", "My model");
  await waitForText(page, "You said: say begin");
  await waitForIdle(page);

  const watcher = await newPage();
  await watcher.getByRole("link", { name: /say begin/i }).click();
  await waitForText(watcher, "You said: say begin");

  /** same waits until both windows show the same transcript and returns it. */
  const same = async (what) => {
    let shown;
    await Promise.all([waitForIdle(page), waitForIdle(watcher)]);
    await waitFor(async () => {
      const [a, b] = await Promise.all([renderedText(transcript(page)), renderedText(transcript(watcher))]);
      shown = a;
      return a === b;
    }, `both windows show the same after ${what}`);
    return shown;
  };
  const whole = Array.from({ length: words }, (_, i) => i + 1);

  for (const [turn, at] of moments(18).entries()) {
    let reloaded;
    model.onWord = (n) => {
      if (n === at) reloaded ??= page.reload();
    };
    await send(watcher, `stream ${words} every 5`);
    await waitFor(() => reloaded, `word ${at} was sent`);
    await reloaded;
    const shown = await same(`a reload at word ${at}`);
    const expected = Array.from({ length: turn + 1 }, () => whole).flat();
    assert.deepEqual(numbers(shown), expected, `nothing is missing or doubled after a reload at word ${at}`);
  }
  model.onWord = () => {};

  // While a request is pending, and while its command runs.
  await send(watcher, "run until [ -e go ]; do sleep 0.02; done; echo gone on");
  await requestCard(watcher).waitFor();
  await page.bringToFront(); // a background page rarely draws frames
  await page.reload();
  await requestCard(page).waitFor();
  await answerRequest(page, "Allow once");
  await requestCard(watcher).waitFor({ state: "detached" });
  await waitForRunning(page);
  await page.reload();
  await waitForRunning(page);
  await writeFile(join(folder, "go"), "");
  await waitForText(page, /The command said: gone on/);
  assert.match(await same("a reload while a command ran"), /The command said: gone on/);
  assert.ok(app.running);
});
