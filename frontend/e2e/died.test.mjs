// The web process dies unexpectedly: it runs out of memory, the web view crashes, or it is killed. Tested with the
// release build in its own window.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startInWindow } from "./desktop.mjs";
import { waitFor } from "./harness.mjs";
import { textOf } from "./model.mjs";

test("A page whose process crashes reloads automatically, and running work continues", async (t) => {
  const { app, model, xdotool, openChat } = await startInWindow(t);
  const drawn = async () =>
    (await app.processes()).find(({ command }) => command.includes("WebKitWebProcess"));
  const write = async (text) => {
    const composer = await openChat();
    await xdotool("mousemove", ...composer.map(String), "click", "1");
    await xdotool("type", "--delay", "20", text);
    await xdotool("key", "Return");
  };
  const asked = (text) =>
    waitFor(
      () => model.seen.some(({ messages }) => textOf(messages.at(-1).content).includes(text)),
      `the model is asked ${text}`,
    );

  await write("stream 300 every 20 ms");
  await asked("stream 300");
  const { pid } = await drawn();
  process.kill(pid, "SIGKILL");
  await waitFor(async () => {
    const now = await drawn();
    return now && now.pid !== pid;
  }, "another process draws the page");
  await write("say it is back");
  await asked("it is back");
  // The answer that was streaming is complete: only the page was lost.
  const history = model.seen
    .at(-1)
    .messages.map(({ content }) => textOf(content))
    .join("\n");
  assert.match(history, /word-299 word-300/);
});
