// The desktop and the browser, which the tests of a file share. Both are opened on first use and closed
// after the last test.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../..", import.meta.url));

let desktop;

// `make e2e` runs the tests inside build/withx.sh. A test file that is run directly starts the same kind
// of desktop, which lives until its stdin is closed.
export function sharedDesktop() {
  desktop ??=
    process.env.VOXPILOT_DESKTOP === "private" ? Promise.resolve({ env: process.env }) : openDesktop();
  return desktop;
}

async function openDesktop() {
  const holder = spawn(
    join(root, "build/withx.sh"),
    ["bash", "-c", "env -0; printf '\\0\\0'; cat >/dev/null"],
    {
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  let text = "";
  for await (const chunk of holder.stdout.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.endsWith("\0\0\0")) break;
  }
  assert.ok(text.endsWith("\0\0\0"), "build/withx.sh did not open a desktop");
  const env = Object.fromEntries(
    text
      .split("\0")
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  return { env, close: () => waitForExit(holder, () => holder.stdin.end()) };
}

// waitForExit calls `act`, which must make a child process exit, and waits for the exit. If the process
// has already exited, `act` isn't called. waitForExit returns the exit status.
export function waitForExit(child, act) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(statusOf(child));
  const end = new Promise((resolve) => child.once("exit", () => resolve(statusOf(child))));
  act();
  return end;
}

const statusOf = (child) => ({ code: child.exitCode, signal: child.signalCode });

let browser;

export function sharedBrowser() {
  browser ??= chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  return browser;
}

after(async () => {
  await (await browser)?.close();
  await (await desktop)?.close?.();
});
