// The release build's quick prompt: a separate process and window.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { start, waitFor } from "./harness.mjs";
import { startModel, textOf } from "./model.mjs";
import { startChat, useModel, waitForText } from "./page.mjs";

const run = promisify(execFile);
const shipped = fileURLToPath(new URL("../../bin/voxpilot", import.meta.url));
const title = "VoxPilot quick prompt";

// voxpilot runs the release build with `args` in the environment of the test's app.
const voxpilot = (app, ...args) => run(shipped, args, { env: app.env, cwd: app.dir, timeout: 120_000 });

const xdotool = (app, ...args) =>
  run("xdotool", args, { env: app.env }).then(
    ({ stdout }) => stdout.trim(),
    () => "", // nothing found
  );

const visibleQuickWindow = (app) => xdotool(app, "search", "--onlyvisible", "--name", title);
const waitForHidden = (app) =>
  waitFor(async () => (await visibleQuickWindow(app)) === "", "the quick prompt closes");
const storedText = (dataDir) => readFile(join(dataDir, "quick-prompt.txt"), "utf8").catch(() => "");
const quickProcesses = async (app) =>
  (await app.processes()).filter(({ command }) => command.includes("__quick"));

// type waits until the quick prompt has the focus and then types `text` into it.
async function type(app, text) {
  await waitFor(
    async () => (await xdotool(app, "getactivewindow", "getwindowname")) === title,
    "it has the focus",
  );
  await xdotool(app, "type", "--delay", "20", text);
}

test("A message goes from the quick prompt into a chat, and unsent text is saved", async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  const { page, app, folder, dataDir } = await start(t);
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  await startChat(page, folder, "hello", "My model");
  await waitForText(page, "hello");
  await page.close();
  await app.stop();
  app.program = shipped;
  app.url = "";
  await app.start(["--hidden"]);

  await waitFor(() => voxpilot(app, "quick").then(() => true), "the quick prompt opens");
  assert.match(
    await xdotool(app, "search", "--onlyvisible", "--name", title, "getwindowgeometry"),
    /Geometry: 680x300/,
  );

  // Text in a closed prompt is restored the next time.
  await type(app, "what of it");
  await xdotool(app, "key", "Escape");
  await waitForHidden(app);
  await waitFor(async () => (await storedText(dataDir)) === "what of it", "the text is saved");
  await voxpilot(app, "quick");
  await type(app, " and more");

  // The first entry is a new chat, the second the existing chat.
  await xdotool(app, "key", "Down", "Return");
  await waitForHidden(app);
  const asked = () =>
    model.seen.some(({ messages }) => textOf(messages.at(-1).content).includes("what of it and more"));
  await waitFor(asked, "the chat gets the message");
  assert.equal(await storedText(dataDir), "");

  // The process keeps running after use, and exits with the app even if the app is killed.
  const [warm, ...others] = await quickProcesses(app);
  assert.ok(warm);
  assert.deepEqual(others, []);
  await voxpilot(app, "quick");
  assert.deepEqual(await quickProcesses(app), [warm]);
  await app.kill();
  await waitFor(async () => (await quickProcesses(app)).length === 0, "the quick prompt ends with the app");
});

test("The quick prompt starts VoxPilot if it isn't running, and a later start finds that instance", async (t) => {
  const { app } = await start(t, { window: true, copilot: false });
  await app.stop();
  await voxpilot(app, "quick");
  assert.notEqual(await visibleQuickWindow(app), "");
  const apps = async () => (await app.processes()).filter(({ command }) => command.endsWith("--hidden"));
  const [started] = await waitFor(async () => {
    const found = await apps();
    return found.length > 0 && found;
  }, "a VoxPilot runs");
  const main = () => xdotool(app, "search", "--onlyvisible", "--name", "^VoxPilot$");
  assert.equal(await main(), "", "it shows its window");

  // A second start brings the window to the front and exits successfully.
  await voxpilot(app);
  const window = await waitFor(main, "the window is open");
  // A desktop panel starts programs without a terminal, unlike the test runner.
  await run("setsid", ["--wait", shipped], {
    env: { ...app.env, DESKTOP_STARTUP_ID: "panel-1" },
    cwd: app.dir,
    timeout: 120_000,
  });
  const startup = () => run("xprop", ["-id", window, "_NET_STARTUP_ID"], { env: app.env });
  await waitFor(
    async () => /"panel-1"/.test((await startup()).stdout),
    "it is shown by the token of the start",
  );
  await assert.rejects(
    voxpilot(app, "voxpilot://send?text=hello"),
    ({ code, stderr }) => code === 1 && /link/.test(stderr),
  );
  await assert.rejects(
    voxpilot(app, "--none"),
    ({ code, stderr }) => code === 2 && /voxpilot quick/.test(stderr),
  );
  process.kill(started.pid, "SIGTERM");
  await waitFor(async () => (await app.processes()).length === 0, "all processes exit");
});
