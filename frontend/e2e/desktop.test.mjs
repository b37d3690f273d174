// All of VoxPilot without its window: it is in the tray, is asked by its shortcut,
// asks in a notification, and shows its window when the user wants that.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isVisible, startNotifications, startTray, visible } from "./desktop.mjs";
import { start, until } from "./harness.mjs";
import { free, message, send } from "./page.mjs";

const run = promisify(execFile);
const shipped = fileURLToPath(new URL("../../bin/voxpilot", import.meta.url));
const prompt = "VoxPilot quick prompt";

test("Work is asked for, allowed and done without the window, and then looked at", async (t) => {
  const tray = await startTray(t);
  const notifications = await startNotifications(t);
  const { page, app, dataDir } = await start(t);
  await page.getByRole("button", { name: "Try it without an account" }).click();
  await message(page).waitFor();
  await send(page, "hello");
  await free(page);
  await page.close();
  await app.stop();
  app.program = shipped;
  app.url = "";
  await app.start(["--hidden"]);
  await tray.looks("VoxPilot is in the tray", (item) => item.Tooltip === "VoxPilot");
  assert.equal(visible(app), undefined);

  const xdotool = (...args) => run("xdotool", args, { env: app.env }).then(({ stdout }) => stdout.trim());
  const front = () => xdotool("getactivewindow", "getwindowname").catch(() => "");
  await until(async () => {
    await xdotool("key", "--clearmodifiers", "ctrl+shift+space");
    return (await front()) === prompt;
  }, "the shortcut opens the quick prompt");
  const greeting = () => readFile(join(dataDir, "practice/hello-voxpilot/greeting.txt"), "utf8");
  const before = await greeting();
  await xdotool("type", "--delay", "20", "fix the typo in the greeting");
  await xdotool("key", "Down", "Return"); // not a new chat, but the one there is
  await until(async () => (await front()) !== prompt, "the quick prompt goes away");

  const asks = await notifications.titled(/ needs you$/);
  const needs = await tray.looks("it needs the user", (item) => /needs you/.test(item.Tooltip));
  assert.match(needs[1], /: needs you$/);
  assert.equal(await greeting(), before, "nothing is written before the answer");
  const allow = asks.actions.find((each) => each.startsWith("allow "));
  assert.ok(allow, `among ${asks.actions} is one that allows it`);
  notifications.click(asks.id, allow);
  await notifications.titled(/ is finished$/);
  assert.notEqual(await greeting(), before, "what was allowed was done");
  assert.equal(visible(app), undefined, "the window was not needed");

  const done = await tray.looks("it is done", (item) =>
    item.Menu.some(({ label }) => /: finished$/.test(label)),
  );
  await tray.click(done.find((label) => label.endsWith(": finished")));
  await isVisible(app);
  await until(() => notifications.shown().length === 0, "it was looked at");
  await tray.looks("it is nothing new any more", (item) =>
    item.Menu.every(({ label }) => !/: finished$/.test(label)),
  );
});
