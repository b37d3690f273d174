// Visual regression tests of the release build in its own window: the first screen, a chat, and the
// palette over a chat that was just scrolled, compared with the pictures in e2e/baselines/release. After
// an intended change, update the pictures and review them:
//
//   UPDATE=1 build/withx.sh node --test frontend/e2e/release-pictures.test.mjs
//
// The release build doesn't report the state of its page, so pictures are taken until one matches the
// baseline or, when updating, until they stop changing. Content that varies between runs is covered. The
// WebKitGTK version is in baselines/window/webkitgtk.txt.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { waitForVisible } from "./desktop.mjs";
import { helper, start, waitFor } from "./harness.mjs";
import { differences, pixels } from "./pixels.mjs";

const run = promisify(execFile);
const baselines = fileURLToPath(new URL("baselines/release", import.meta.url));
const out = fileURLToPath(new URL(".out/release", import.meta.url));
const update = process.env.UPDATE === "1";
const renew = "UPDATE=1 build/withx.sh node --test frontend/e2e/release-pictures.test.mjs";
for (const each of [baselines, out]) mkdirSync(each, { recursive: true });

/** Number of identical pictures in a row after which the window counts as still. */
const calm = 4;
/**
 * Channel difference (out of 255) above which a pixel counts as different; pixelTolerance is the number
 * of pixels that may differ.
 */
const colorTolerance = 8;
const pixelTolerance = 60;
/**
 * Areas that are covered because they show the folder's path, the chat's age, and the time of its last
 * answer.
 */
const covered = ["72,118 262,138", "215,146 255,168"];
const alsoCovered = { first: ["1030,480 1090,502"], chat: ["455,628 560,648"] };

/** prepare creates a chat with long answers and turns caret blinking off. */
async function prepare({ dataDir, folder, home }) {
  const gtk = join(home, ".config/gtk-3.0");
  await mkdir(gtk, { recursive: true });
  await writeFile(join(gtk, "settings.ini"), "[Settings]\ngtk-cursor-blink=0\ngtk-enable-animations=0\n");
  await run(await helper("longchat"), ["-paragraphs", "12", dataDir, folder, "40"]);
}

test("The app's window looks unchanged", async (t) => {
  const { app } = await start(t, { window: true, prepare });
  const id = await waitForVisible(app);
  const xdotool = (...args) => run("xdotool", args.map(String), { env: app.env });
  const point = (x, y) => xdotool("mousemove", "--window", id, x, y);
  const take = async (name) => {
    const path = join(out, `${name}.png`);
    await run("import", ["-window", id, path], { env: app.env });
    const covers = [...covered, ...(alsoCovered[name] ?? [])];
    await run("mogrify", ["-fill", "black", ...covers.flatMap((at) => ["-draw", `rectangle ${at}`]), path]);
    return path;
  };

  /** looks waits until the window matches the baseline with this name, or updates the baseline. */
  async function looks(name) {
    const baseline = join(baselines, `${name}.png`);
    let before;
    let same = 0;
    let differ = 0;
    if (!update) assert.ok(existsSync(baseline), `it has no baseline yet: ${renew}`);
    const wanted = update ? undefined : await pixels(baseline);
    const isThere = async () => {
      const now = await pixels(await take(name));
      if (wanted) {
        differ = differences(wanted, now, colorTolerance);
        return differ <= pixelTolerance;
      }
      same = before?.equals(now) ? same + 1 : 0;
      before = now;
      return same >= calm;
    };
    await waitFor(isThere, `${name} looks as it did`).catch(({ message }) =>
      assert.fail(`${message}. ${differ} pixels differ: see ${join(out, name)}.png, or ${renew}`),
    );
    if (update) copyFileSync(join(out, `${name}.png`), baseline);
  }

  await point(1000, 500);
  await t.test("its first screen", () => looks("first"));
  await t.test("a chat", async () => {
    await point(120, 157);
    await xdotool("click", 1);
    await point(1000, 500);
    await looks("chat");
  });
  await t.test("the palette, over a chat that was just scrolled", async () => {
    await xdotool("click", 4, "click", 4);
    await looks("scrolled");
    await xdotool("click", 5, "click", 4, "key", "ctrl+k");
    await looks("palette");
  });
});

test("A scrollbar over the palette is visible", async () => {
  const kept = join(baselines, "palette.png");
  const wrong = join(out, "wrong.png");
  await run("convert", [kept, "-fill", "#d0d0d4", "-draw", "rectangle 1271,640 1274,690", wrong]);
  assert.ok(differences(await pixels(kept), await pixels(wrong), colorTolerance) > pixelTolerance);
});
