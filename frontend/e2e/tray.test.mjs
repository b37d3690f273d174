// VoxPilot in the desktop's tray: hiding and restoring the window.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startTray, waitForHidden, waitForVisible, windows } from "./desktop.mjs";
import { start, waitFor } from "./harness.mjs";
import { startModel } from "./model.mjs";
import { startChat, useModel, waitForRunning } from "./page.mjs";

/** closeWindow closes the app's window through the window manager, as a user would. */
async function closeWindow(app) {
  const id = await waitForVisible(app);
  execFileSync("xdotool", ["windowactivate", "--sync", id, "key", "--clearmodifiers", "alt+F4"]);
}

/** place returns the position and size of the window. */
function place(id) {
  const text = execFileSync("xdotool", ["getwindowgeometry", "--shell", id], { encoding: "utf8" });
  const values = Object.fromEntries(text.split("\n").map((line) => line.split("=")));
  return [values.X, values.Y, values.WIDTH, values.HEIGHT].map(Number);
}

test("A running chat continues in the tray, which shows its status and reopens the window", async (t) => {
  const tray = await startTray(t);
  const model = await startModel();
  t.after(() => model.close());
  const { page, app, folder } = await start(t);
  const idle = await tray.looks("VoxPilot is in the tray", (item) => item.Tooltip === "VoxPilot");
  assert.equal(idle[0], "Nothing is running");
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  await startChat(page, folder, "stream 50000 every 10", "My model");
  await waitForRunning(page);
  const menu = await tray.looks("it runs", (item) => item.Tooltip === "VoxPilot, 1 running");
  assert.equal(menu[0], "1 running");
  assert.equal(menu[1], "Stream 50000 every 10: running");

  await closeWindow(app);
  await waitForHidden(app);
  await waitForRunning(page);
  assert.equal(await page.getByRole("dialog").count(), 0);
  await tray.click("Open VoxPilot");
  await waitForVisible(app);
  await closeWindow(app);
  await waitForHidden(app);
  await tray.activate();
  await waitForVisible(app);
  await closeWindow(app);
  await waitForHidden(app);

  await tray.click("Quit VoxPilot");
  await waitForVisible(app); // it shows the confirmation
  const question = page.getByRole("dialog", { name: "1 chat is still running. Quit anyway?" });
  await question.getByRole("button", { name: "Quit" }).click();
  await waitFor(() => !app.running, "the app ends");
  await app.start(); // the end of the test expects a running app
});

test("VoxPilot starts in the tray if set, or in a minimized window without one", async (t) => {
  const tray = await startTray(t);
  const { app } = await start(t, { window: true, args: ["--hidden"] });
  await tray.looks("VoxPilot is in the tray", (item) => item.Title === "VoxPilot");
  // Wails shows the window first and hides it once GTK is idle, which other programs can delay.
  await waitForHidden(app);
  await tray.activate();
  await waitForVisible(app);
  await app.stop();

  await app.start(["--hidden"]);
  await tray.looks("VoxPilot is in the tray again", (item) => item.Title === "VoxPilot");
  await waitForHidden(app);
  await tray.close(); // now nothing else could restore the window
  const minimized = () =>
    windows(app).some((id) =>
      execFileSync("xprop", ["-id", id, "WM_STATE"], { encoding: "utf8" }).includes("Iconic"),
    );
  await waitFor(minimized, "the window is among those that are minimized");
});

test("The window starts at its last position, on another screen if that one is gone", async (t) => {
  const { app, dataDir } = await start(t, { window: true });
  const file = join(dataDir, "window.json");
  const first = await waitForVisible(app);
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
  const storedPlacement = async () => JSON.parse(await readFile(file, "utf8").catch(() => "{}"));
  await waitFor(async () => {
    const { x, y, width, height } = await storedPlacement();
    return x === 120 && y === 90 && width === 900 && height === 600;
  }, "the window's position is saved while it runs");
  await app.kill();

  await app.start();
  await waitFor(async () => {
    const now = place(await waitForVisible(app));
    return now.every((value, i) => Math.abs(value - was[i]) <= 2);
  }, `the window is at ${was}`);
  await app.stop();

  await writeFile(file, JSON.stringify({ x: 9000, y: -4000, width: 5000, height: 4000, placed: true }));
  await app.start();
  await waitFor(async () => {
    const [x, y, width, height] = place(await waitForVisible(app));
    return x >= 0 && x < 1280 && y >= 0 && y < 900 && width <= 1280 && height <= 900;
  }, "the window is on the screen, and no larger");
});
