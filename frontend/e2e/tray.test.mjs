// VoxPilot in the desktop's tray: hiding and restoring the window.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { isHidden, isVisible, startTray, visible, windows } from "./desktop.mjs";
import { start, until } from "./harness.mjs";
import { startModel } from "./model.mjs";
import { running, startIn, useModel } from "./page.mjs";

/** closeWindow closes the app's window through the window manager, as a user does. */
async function closeWindow(app) {
  const id = await isVisible(app);
  execFileSync("xdotool", ["windowactivate", "--sync", id, "key", "--clearmodifiers", "alt+F4"]);
}

/** place returns the position and size of the window. */
function place(id) {
  const text = execFileSync("xdotool", ["getwindowgeometry", "--shell", id], { encoding: "utf8" });
  const values = Object.fromEntries(text.split("\n").map((line) => line.split("=")));
  return [values.X, values.Y, values.WIDTH, values.HEIGHT].map(Number);
}

test("A chat at work goes on in the tray, which tells how it stands and brings the window back", async (t) => {
  const tray = await startTray(t);
  const model = await startModel();
  t.after(() => model.close());
  const { page, app, folder } = await start(t);
  const idle = await tray.looks("VoxPilot is in the tray", (item) => item.Tooltip === "VoxPilot");
  assert.equal(idle[0], "Nothing is running");
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  await startIn(page, folder, "stream 50000 every 10", "My model");
  await running(page);
  const menu = await tray.looks("it runs", (item) => item.Tooltip === "VoxPilot, 1 running");
  assert.equal(menu[0], "1 running");
  assert.equal(menu[1], "Stream 50000 every 10: running");

  await closeWindow(app);
  await isHidden(app);
  await running(page);
  assert.equal(await page.getByRole("dialog").count(), 0);
  await tray.click("Open VoxPilot");
  await isVisible(app);
  await closeWindow(app);
  await isHidden(app);
  await tray.activate();
  await isVisible(app);
  await closeWindow(app);
  await isHidden(app);

  await tray.click("Quit VoxPilot");
  await isVisible(app); // it shows the confirmation
  const question = page.getByRole("dialog", { name: "1 chat is still running. Quit anyway?" });
  await question.getByRole("button", { name: "Quit" }).click();
  await until(() => !app.running, "the app ends");
  await app.start(); // the end of the test expects a running app
});

test("VoxPilot begins in the tray where it is told to, and in a minimised window where there is none", async (t) => {
  const tray = await startTray(t);
  const { app } = await start(t, { window: true, args: ["--hidden"] });
  await tray.looks("VoxPilot is in the tray", (item) => item.Title === "VoxPilot");
  assert.equal(visible(app), undefined);
  await tray.activate();
  await isVisible(app);
  await app.stop();

  await app.start(["--hidden"]);
  await tray.looks("VoxPilot is in the tray again", (item) => item.Title === "VoxPilot");
  assert.equal(visible(app), undefined);
  await tray.close(); // now nothing else could restore the window
  const minimised = () =>
    windows(app).some((id) =>
      execFileSync("xprop", ["-id", id, "WM_STATE"], { encoding: "utf8" }).includes("Iconic"),
    );
  await until(minimised, "the window is among those that are minimised");
});

test("The window begins where it was, and on the screen where that is gone", async (t) => {
  const { app, dataDir } = await start(t, { window: true });
  const file = join(dataDir, "window.json");
  const first = await isVisible(app);
  execFileSync("xdotool", [
    "windowsize",
    "--sync",
    first,
    "900",
    "600",
    "windowmove",
    "--sync",
    first,
    "120",
    "90",
  ]);
  const was = place(first);
  assert.deepEqual(was.slice(2), [900, 600]);
  const kept = async () => JSON.parse(await readFile(file, "utf8").catch(() => "{}"));
  await until(async () => {
    const { x, y, width, height } = await kept();
    return x === 120 && y === 90 && width === 900 && height === 600;
  }, "where the window is is kept while it runs");
  await app.kill();

  await app.start();
  await until(async () => {
    const now = place(await isVisible(app));
    return now.every((value, i) => Math.abs(value - was[i]) <= 2);
  }, `the window is at ${was}`);
  await app.stop();

  await writeFile(file, JSON.stringify({ x: 9000, y: -4000, width: 5000, height: 4000, placed: true }));
  await app.start();
  await until(async () => {
    const [x, y, width, height] = place(await isVisible(app));
    return x >= 0 && x < 1280 && y >= 0 && y < 900 && width <= 1280 && height <= 900;
  }, "the window is on the screen, and no larger");
});
