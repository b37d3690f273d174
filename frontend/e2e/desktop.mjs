// Parts of the desktop that some tests need: a tray, a notification server, a program to drag and copy data from, and
// access to the app's windows.

import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { helper, start, waitFor } from "./harness.mjs";
import { startModel } from "./model.mjs";
import { startChat, useModel, waitForIdle, waitForText } from "./page.mjs";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const shipped = join(root, "bin/voxpilot");

/** startTray starts a tray on the test's desktop. The tray runs until it is closed or the test ends. */
export async function startTray(t) {
  const hand = await helper("traytest/cmd");
  const child = spawn(hand, ["serve"], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const close = async () => {
    child.stdin.end();
    assert.equal(await ended, 0);
  };
  t.after(close);
  await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", () => reject(new Error("the tray did not start")));
  });
  const look = () =>
    run(hand, ["look"]).then(
      ({ stdout }) => JSON.parse(stdout),
      () => undefined, // the tray is still empty
    );
  return {
    close,
    /**
     * looks waits until `wanted` accepts the state of the tray item, and returns the labels of the item's
     * menu.
     */
    async looks(what, wanted) {
      const { Menu } = await waitFor(async () => {
        const now = await look();
        return now && wanted(now) && now;
      }, what);
      return Menu.map(({ label }) => label);
    },
    click: (label) => run(hand, ["click", label]),
    activate: () => run(hand, ["activate"]),
  };
}

/** startNotifications starts the desktop's notification server. It runs until the test ends. */
export async function startNotifications(t) {
  const child = spawn(await helper("notifytest/cmd"), { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  t.after(async () => {
    child.stdin.end();
    const [code] = await ended;
    assert.equal(code, 0);
  });
  let shown;
  createInterface({ input: child.stdout }).on("line", (line) => {
    shown = JSON.parse(line) ?? [];
  });
  await waitFor(() => shown, "the notification server has started");
  return {
    shown: () => shown,
    /** titled waits for a notification whose title matches, and returns it. */
    titled: (title) =>
      waitFor(() => shown.find((each) => title.test(each.title)), `a notification is titled ${title}`),
    click: (id, action) => child.stdin.write(`${id} ${action}\n`),
  };
}

/**
 * startInWindow starts the release build in its own window, with a chat in which a scripted model has
 * answered once. In addition to the result of `start`, it returns:
 *
 *   model        the scripted model
 *   browse()     quits the app, restarts it without a window and opens its page in a browser
 *   xdotool(…)   the mouse and the keyboard
 *   openChat()   shows the chat in the window and returns the position of its composer
 */
export async function startInWindow(t, options) {
  const model = await startModel();
  t.after(() => model.close());
  const env = await start(t, options);
  const { page, app, folder } = env;
  const { program, url } = app;
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  await startChat(page, folder, "say hello", "My model");
  await waitForText(page, "You said: say hello");
  await waitForIdle(page);
  const link = await page.evaluate(async () => {
    const { events } = await (await fetch("/data/app")).json();
    return `voxpilot://chat/${events.find((event) => event.chat).chat.id}`;
  });
  await page.close();
  await app.stop();
  Object.assign(app, { program: shipped, url: "" });
  await app.start();
  const id = await waitForVisible(app);
  const xdotool = (...args) => run("xdotool", args, { env: app.env }).then(({ stdout }) => stdout.trim());
  return {
    ...env,
    model,
    xdotool,
    async browse() {
      await app.stop();
      Object.assign(app, { program, url });
      await app.start();
      return env.newPage();
    },
    async openChat() {
      await run(shipped, [link], { env: app.env, cwd: app.dir });
      const told = await xdotool("getwindowgeometry", "--shell", id);
      const { X, Y, WIDTH, HEIGHT } = Object.fromEntries(told.split("\n").map((line) => line.split("=")));
      // The composer is at the bottom edge, with its text above its buttons.
      const at = [Number(X) + Math.round(Number(WIDTH) * 0.6), Number(Y) + Number(HEIGHT) - 80];
      // Text dragged there is accepted once the field exists. A drag before the page
      // exists gets no response.
      const offer = await startDragSource(t, "drag", { "text/plain": "text" });
      await waitFor(async () => {
        const probe = await drag(xdotool, offer, at);
        const taken = await probe.over(2_000).catch(() => false);
        await probe.back();
        return taken;
      }, "the composer is visible");
      await offer.close();
      return at;
    },
  };
}

/**
 * drag drags the data of a drag source to a position on the screen. It returns methods: `over` and `away` wait until
 * the window accepts the drag or no longer accepts it, `drop` drops the data and returns "dropped" or "refused", and
 * `back` drops the data at the corner where the drag started and checks that it is refused.
 */
export async function drag(xdotool, offer, [x, y]) {
  const before = offer.said.length;
  const said = () => offer.said.slice(before);
  await xdotool("mousemove", "16", "16", "mousedown", "1");
  await xdotool("mousemove", String(x - 40), String(y));
  let step = 0;
  const is = (word) => async () => {
    step = 1 - step; // X11 sends no motion event if the pointer doesn't move
    await xdotool("mousemove", String(x + step), String(y));
    return said().at(-1) === word;
  };
  const drop = async () => {
    await xdotool("mouseup", "1");
    return waitFor(() => said().find((word) => /^(dropped|refused)$/.test(word)), "it is dropped");
  };
  return {
    over: (ms) => waitFor(is("over"), "the window accepts the drag", ms),
    away: () => waitFor(is("away"), "the window no longer accepts the drag"),
    drop,
    async back() {
      await xdotool("mousemove", "16", "16");
      assert.equal(await drop(), "refused");
    },
  };
}

/**
 * startDragSource starts another program that offers data; `offered` maps MIME types to bodies. The program
 * runs until it is closed or the test ends. If `how` is "drag", it shows a square in the corner of the
 * screen to drag with the mouse; if "copy", it owns the clipboard.
 */
export async function startDragSource(t, how, offered) {
  const dir = await mkdtemp(join(tmpdir(), "voxpilot-offer-"));
  t.after(() => rm(dir, { recursive: true }));
  const kinds = [];
  for (const [type, body] of Object.entries(offered)) {
    const file = join(dir, String(kinds.length));
    await writeFile(file, body);
    kinds.push(type, file);
  }
  const child = spawn(await helper("x11test"), [how, ...kinds], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const said = [];
  createInterface({ input: child.stdout }).on("line", (line) => said.push(line));
  const close = async () => {
    child.stdin.end();
    const [code] = await ended;
    assert.equal(code, 0);
  };
  t.after(close);
  await waitFor(() => said.includes("ready"), "the other program is ready");
  return { close, said };
}

// windows returns the IDs of the app's windows. `only` holds further options for xdotool, such as
// --onlyvisible.
export function windows(app, ...only) {
  try {
    const named = ["search", ...only, "--all", "--pid", String(app.pid), "--name", "^VoxPilot$"];
    return execFileSync("xdotool", named, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .split("\n")
      .filter(Boolean);
  } catch {
    return []; // xdotool fails if it finds no window
  }
}

export const visibleWindow = (app) => windows(app, "--onlyvisible")[0];
export const waitForVisible = (app) => waitFor(() => visibleWindow(app), "the window is on the screen");
export const waitForHidden = (app) => waitFor(() => !visibleWindow(app), "the window is not on the screen");
