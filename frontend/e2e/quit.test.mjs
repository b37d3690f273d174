// Closing the window with its close button while chats are running.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";
import { startModel } from "./model.mjs";
import { send, startChat, useModel, waitForRunning } from "./page.mjs";

/** closeWindow closes the app's window through the window manager, as a user would. */
function closeWindow(app) {
  const named = ["search", "--onlyvisible", "--pid", String(app.pid), "--name", "VoxPilot"];
  const [id] = execFileSync("xdotool", named, { encoding: "utf8" }).split("\n");
  execFileSync("xdotool", ["windowactivate", "--sync", id, "key", "--clearmodifiers", "alt+F4"]);
}

test("Closing the window during a running chat asks first, and the queue is still there afterward", async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  const { page, app, folder } = await start(t);
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  await startChat(page, folder, "stream 5000 every 10", "My model");
  await waitForRunning(page);
  await send(page, "say this later");
  await page.getByText("say this later").waitFor();

  closeWindow(app);
  const question = page.getByRole("dialog", { name: "1 chat is still running. Quit anyway?" });
  await question.getByRole("button", { name: "Keep running" }).click();
  await question.waitFor({ state: "hidden" });
  assert.ok(app.running);
  await waitForRunning(page);

  closeWindow(app);
  await question.getByRole("button", { name: "Quit" }).click();
  await waitFor(() => !app.running, "the app ends");

  await app.start();
  await page.reload();
  await page.getByText("stream 5000 every 10").first().click();
  await page.getByText("say this later").waitFor();
  await page.getByRole("button", { name: "Send now" }).waitFor();
});
