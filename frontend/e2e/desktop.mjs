// The desktop around the app, where a test wants more of one: a tray, a server of
// notifications, and the windows that are there.

import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { until } from "./harness.mjs";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const hand = join(root, "bin/traytest");

/** startTray is a tray on the test's desktop, until it is closed or the test ends. */
export async function startTray(t) {
  await run("go", ["build", "-o", hand, "./internal/traytest/cmd"], { cwd: root });
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
      () => undefined, // nothing is in it yet
    );
  return {
    close,
    /** looks waits until the item looks as wanted, and gives the words of its menu. */
    async looks(what, wanted) {
      const { Menu } = await until(async () => {
        const now = await look();
        return now && wanted(now) && now;
      }, what);
      return Menu.map(({ label }) => label);
    },
    click: (label) => run(hand, ["click", label]),
    activate: () => run(hand, ["activate"]),
  };
}

/** startNotifications is the notification server of the desktop, until the test ends. */
export async function startNotifications(t) {
  const child = spawn("go", ["run", "./internal/notifytest/cmd"], {
    cwd: root,
    stdio: ["pipe", "pipe", "inherit"],
  });
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
  await until(() => shown, "the notification server has started");
  return {
    shown: () => shown,
    /** The notification with a title, once it is there. */
    titled: (title) =>
      until(() => shown.find((each) => title.test(each.title)), `a notification is titled ${title}`),
    click: (id, action) => child.stdin.write(`${id} ${action}\n`),
  };
}

// windows are the ids of the app's windows, by xdotool: those that are on the
// screen, or all.
export function windows(app, ...only) {
  try {
    const named = ["search", ...only, "--all", "--pid", String(app.pid), "--name", "^VoxPilot$"];
    return execFileSync("xdotool", named, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .split("\n")
      .filter(Boolean);
  } catch {
    return []; // it fails where it finds none
  }
}

export const visible = (app) => windows(app, "--onlyvisible")[0];
export const isVisible = (app) => until(() => visible(app), "the window is on the screen");
export const isHidden = (app) => until(() => !visible(app), "the window is not on the screen");
