// Notifications while the window is in the background, and their actions.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startNotifications } from "./desktop.mjs";
import { start, waitFor } from "./harness.mjs";
import { message, send, transcript, waitForIdle } from "./page.mjs";

/** windowOf returns the ID of the app's window. */
function windowOf(app) {
  const named = ["search", "--onlyvisible", "--pid", String(app.pid), "--name", "VoxPilot"];
  return execFileSync("xdotool", named, { encoding: "utf8" }).split("\n")[0];
}

const active = () => {
  try {
    return execFileSync("xdotool", ["getactivewindow"], { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return ""; // no window has focus
  }
};

/** startupOf returns the startup ID set when a window was last shown. */
const startupOf = (window) =>
  execFileSync("xprop", ["-id", window, "_NET_STARTUP_ID"], { encoding: "utf8" }).match(/"(.*)"/)?.[1];

/** lookAway makes the page believe that its window lost focus. */
const lookAway = (page) => page.evaluate(() => window.dispatchEvent(new Event("blur")));

test("A request is answered in its notification, and the next one opens the result", async (t) => {
  const desktop = await startNotifications(t);
  const { page, newPage, app, dataDir } = await start(t);
  const greeting = () => readFile(join(dataDir, "practice/hello-voxpilot/greeting.txt"), "utf8");
  const window = windowOf(app);
  execFileSync("xdotool", ["windowminimize", "--sync", window]);

  await page.getByRole("button", { name: "Try it without an account" }).click();
  await message(page).waitFor();
  const before = await greeting();
  await send(page, "hello");
  await waitForIdle(page);
  assert.deepEqual(desktop.shown(), [], "there is no notification for the viewed chat");

  await message(page).fill("hello");
  await lookAway(page);
  await message(page).press("Enter");
  const said = await desktop.titled(/ is finished$/);
  assert.ok(
    (await transcript(page).innerText()).includes(said.body.replaceAll("&#39;", "'").replace(/…$/, "")) &&
      said.body.length > 1,
    `“${said.body}” is the beginning of the answer`,
  );

  await send(page, "fix the typo in the greeting");
  const asks = await desktop.titled(/ needs you$/);
  assert.match(asks.body, /^Edit greeting\.txt\nin /);
  assert.deepEqual(
    asks.actions.filter((_, i) => i % 2 === 1),
    ["Open", "Allow once", "Reject"],
  );
  assert.equal(await greeting(), before, "nothing is written before the answer");
  desktop.click(
    asks.id,
    asks.actions.find((each) => each.startsWith("allow ")),
  );

  const finished = await desktop.titled(/ is finished$/);
  assert.match(finished.body, /^\+1 −1 in 1 file$/);
  assert.notEqual(await greeting(), before, "the allowed command ran");
  assert.equal(desktop.shown().length, 1, "the request is no longer shown");
  assert.notEqual(active(), window);

  await page.getByRole("button", { name: "New chat", exact: true }).first().click();
  await transcript(page).waitFor({ state: "detached" });
  desktop.click(finished.id, "default");
  await transcript(page).getByText("fix the typo in the greeting").first().waitFor();
  await waitFor(() => active() === window, "the window is in front");
  assert.equal(startupOf(window), `notifytest-${finished.id}`, "by the token of the click");
  assert.deepEqual(desktop.shown(), []);

  // A page opened later also shows this chat.
  const later = await newPage();
  await transcript(later).getByText("fix the typo in the greeting").first().waitFor();
});
