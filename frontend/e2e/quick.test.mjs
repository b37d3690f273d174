// The quick prompt of the release build: a separate process and window.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { start, until } from "./harness.mjs";
import { startModel, textOf } from "./model.mjs";
import { says, startIn, useModel } from "./page.mjs";

const run = promisify(execFile);
const shipped = fileURLToPath(new URL("../../bin/voxpilot", import.meta.url));
const title = "VoxPilot quick prompt";

// voxpilot runs a command line in the environment of the test's app.
const voxpilot = (app, ...args) => run(shipped, args, { env: app.env, cwd: app.world, timeout: 120_000 });

const xdotool = (app, ...args) =>
  run("xdotool", args, { env: app.env }).then(
    ({ stdout }) => stdout.trim(),
    () => "", // nothing found
  );

const inSight = (app) => xdotool(app, "search", "--onlyvisible", "--name", title);
const gone = (app) => until(async () => (await inSight(app)) === "", "the quick prompt goes away");
const kept = (dataDir) => readFile(join(dataDir, "quick-prompt.txt"), "utf8").catch(() => "");
const quickProcesses = async (app) =>
  (await app.processes()).filter(({ command }) => command.includes("__quick"));

// type types into the quick prompt, waiting until it has focus.
async function type(app, text) {
  await until(
    async () => (await xdotool(app, "getactivewindow", "getwindowname")) === title,
    "it has the focus",
  );
  await xdotool(app, "type", "--delay", "20", text);
}

test("A message goes from the quick prompt into a chat, and what was not sent is kept", async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  const { page, app, folder, dataDir } = await start(t);
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  await startIn(page, folder, "hello", "My model");
  await says(page, "hello");
  await page.close();
  await app.stop();
  app.program = shipped;
  app.url = "";
  await app.start(["--hidden"]);

  await until(() => voxpilot(app, "quick").then(() => true), "the quick prompt opens");
  assert.match(
    await xdotool(app, "search", "--onlyvisible", "--name", title, "getwindowgeometry"),
    /Geometry: 680x300/,
  );

  // Text in a closed prompt is restored the next time.
  await type(app, "what of it");
  await xdotool(app, "key", "Escape");
  await gone(app);
  await until(async () => (await kept(dataDir)) === "what of it", "the text is kept");
  await voxpilot(app, "quick");
  await type(app, " and more");

  // The first entry is a new chat, the second the existing chat.
  await xdotool(app, "key", "Down", "Return");
  await gone(app);
  const asked = () =>
    model.seen.some(({ messages }) => textOf(messages.at(-1).content).includes("what of it and more"));
  await until(asked, "the chat gets the message");
  assert.equal(await kept(dataDir), "");

  // The process stays warm after use and exits with the app, however the app ends.
  const [warm, ...others] = await quickProcesses(app);
  assert.ok(warm);
  assert.deepEqual(others, []);
  await voxpilot(app, "quick");
  assert.deepEqual(await quickProcesses(app), [warm]);
  await app.kill();
  await until(async () => (await quickProcesses(app)).length === 0, "the quick prompt ends with the app");
});

test("The quick prompt starts VoxPilot where none runs, and a later start finds that one", async (t) => {
  const { app } = await start(t, { window: true, copilot: false });
  await app.stop();
  await voxpilot(app, "quick");
  assert.notEqual(await inSight(app), "");
  const apps = async () => (await app.processes()).filter(({ command }) => command.endsWith("--hidden"));
  const [started] = await until(async () => {
    const found = await apps();
    return found.length > 0 && found;
  }, "a VoxPilot runs");
  const main = () => xdotool(app, "search", "--onlyvisible", "--name", "^VoxPilot$");
  assert.equal(await main(), "", "it shows its window");

  // A second start brings the window to the front and exits successfully.
  await voxpilot(app);
  const window = await until(main, "the window is there");
  // A desktop panel starts programs without a terminal, unlike the test runner.
  await run("setsid", ["--wait", shipped], {
    env: { ...app.env, DESKTOP_STARTUP_ID: "panel-1" },
    cwd: app.world,
    timeout: 120_000,
  });
  const startup = () => run("xprop", ["-id", window, "_NET_STARTUP_ID"], { env: app.env });
  await until(
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
  await until(async () => (await app.processes()).length === 0, "all of it ends");
});
