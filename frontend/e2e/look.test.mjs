// The theme changes with the system's theme while the window is open.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";

test("The page follows the system from light to dark and back", async (t) => {
  const { page } = await start(t, { copilot: false });
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  await waitFor(async () => (await theme()) === "light", "it is light");
  await page.emulateMedia({ colorScheme: "dark" });
  await waitFor(async () => (await theme()) === "dark", "it is dark");
  await page.emulateMedia({ colorScheme: "light" });
  await waitFor(async () => (await theme()) === "light", "it is light again");
});

test("Code uses the chosen font at once and in the first paint of the next start", async (t) => {
  const { page, app } = await start(t);
  const font = () =>
    page.evaluate(() => {
      const code = document.body.appendChild(document.createElement("p"));
      code.className = "mono";
      const { fontFamily } = getComputedStyle(code);
      code.remove();
      return fontFamily;
    });
  await page.getByRole("button", { name: "Try it without an account" }).click();
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByRole("link", { name: "Appearance" }).click();
  assert.match(await font(), /^"JetBrains Mono Variable"/);
  await page.getByLabel("Code font", { exact: true }).selectOption("System");
  await waitFor(async () => (await font()) === "monospace", "code is in the system's font");
  await app.restart();
  assert.equal(await font(), "monospace");
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByRole("link", { name: "Appearance" }).click();
  await page.getByLabel("Code font", { exact: true }).selectOption("JetBrains Mono");
  await waitFor(
    async () => (await font()).startsWith('"JetBrains Mono Variable"'),
    "it is JetBrains Mono again",
  );
});

test("The shipped window follows desktop theme changes while open", async (t) => {
  // A daemon that provides the settings of a GTK desktop to all programs.
  let daemon;
  t.after(() => daemon?.kill());
  const { app, home, screenshot } = await start(t, {
    window: true,
    async prepare({ home }) {
      await writeFile(join(home, "xsettings"), 'Net/ThemeName "Adwaita"\n');
      daemon = spawn("xsettingsd", ["-c", join(home, "xsettings")], { stdio: "ignore" });
    },
  });
  // light returns the average brightness of the middle of the window, from 0 to 255 (white).
  const light = async () => {
    const shot = await screenshot();
    let sum = 0;
    for (let i = 0; i < 100; i++) {
      const color = shot.at(200 + 8 * i, 200 + 4 * i);
      sum += ((color >> 16) + ((color >> 8) & 255) + (color & 255)) / 3;
    }
    return sum / 100;
  };
  const change = async (name) => {
    await writeFile(join(home, "xsettings"), `Net/ThemeName "${name}"\n`);
    daemon.kill("SIGHUP");
  };
  await waitFor(async () => (await light()) > 200, "the window is light");
  await change("Adwaita-dark");
  await waitFor(async () => (await light()) < 80, "the window is dark");
  await change("Adwaita");
  await waitFor(async () => (await light()) > 200, "the window is light again");
  assert.ok(app.running);
});
