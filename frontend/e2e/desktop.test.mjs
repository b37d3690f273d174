// VoxPilot without its window: the tray, the global shortcut and notifications. The window appears only
// when the user opens it.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startNotifications, startTray, visibleWindow, waitForVisible } from "./desktop.mjs";
import { start, waitFor } from "./harness.mjs";
import { startModel } from "./model.mjs";
import { startChat, useModel, waitForIdle, waitForText } from "./page.mjs";

const run = promisify(execFile);
const shipped = fileURLToPath(new URL("../../bin/voxpilot", import.meta.url));
const prompt = "VoxPilot quick prompt";

test("A task is requested, allowed and done without the window, then viewed", async (t) => {
  const tray = await startTray(t);
  const notifications = await startNotifications(t);
  const model = await startModel();
  t.after(() => model.close());
  const { page, app, folder } = await start(t, { files: { "greeting.txt": "Helo\n" } });
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  await startChat(page, folder, "hello", "My model");
  await waitForText(page, "hello");
  await waitForIdle(page);
  await page.close();
  await app.stop();
  app.program = shipped;
  app.url = "";
  await app.start(["--hidden"]);
  await tray.looks("VoxPilot is in the tray", (item) => item.Tooltip === "VoxPilot");
  assert.equal(visibleWindow(app), undefined);

  const xdotool = (...args) => run("xdotool", args, { env: app.env }).then(({ stdout }) => stdout.trim());
  const front = () => xdotool("getactivewindow", "getwindowname").catch(() => "");
  const opened = () => xdotool("search", "--onlyvisible", "--name", prompt).catch(() => "");
  // The shortcut is registered shortly after the icon appears.
  await waitFor(async () => {
    await xdotool("key", "--clearmodifiers", "ctrl+shift+space");
    return opened();
  }, "the shortcut opens the quick prompt");
  await waitFor(async () => (await front()) === prompt, "it has the focus");
  const greeting = () => readFile(join(folder, "greeting.txt"), "utf8");
  await xdotool("type", "--delay", "20", "edit greeting.txt Helo -> Hello");
  await xdotool("key", "Down", "Return"); // not a new chat, but the existing one
  await waitFor(async () => !(await opened()), "the quick prompt closes");

  const asks = await notifications.titled(/ needs you$/);
  const needs = await tray.looks("it needs the user", (item) => /needs you/.test(item.Tooltip));
  assert.match(needs[1], /: needs you$/);
  assert.equal(await greeting(), "Helo\n", "nothing is written before the answer");
  const allow = asks.actions.find((each) => each.startsWith("allow "));
  assert.ok(allow, `among ${asks.actions} is one that allows it`);
  notifications.click(asks.id, allow);
  await notifications.titled(/ is finished$/);
  assert.equal(await greeting(), "Hello\n", "the allowed command ran");
  assert.equal(visibleWindow(app), undefined, "the window was not needed");

  const done = await tray.looks("it is done", (item) =>
    item.Menu.some(({ label }) => /: finished$/.test(label)),
  );
  await tray.click(done.find((label) => label.endsWith(": finished")));
  await waitForVisible(app);
  await waitFor(() => notifications.shown().length === 0, "it was looked at");
  await tray.looks("it is marked as read", (item) =>
    item.Menu.every(({ label }) => !/: finished$/.test(label)),
  );
});
