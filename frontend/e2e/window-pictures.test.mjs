// Visual regression tests that compare the main screens in WebKitGTK, the engine of the app's window on
// Linux, with the pictures in e2e/baselines/window. After an intended change, update the pictures and
// review them:
//
//   UPDATE=1 build/withx.sh node --test frontend/e2e/window-pictures.test.mjs
//
// The pages, fixtures and clock come from the gallery; the fonts, hinting and controls come from
// WebKitGTK. Current pictures are left in e2e/.out/window. Other versions of WebKitGTK may render
// differently: if the release series (such as 2.50) isn't the one in baselines/window/webkitgtk.txt, the
// test fails and names the command that updates the pictures.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openWebKit } from "./gallery/webkit.mjs";
import { differences, pixels } from "./pixels.mjs";

const run = promisify(execFile);
const baselines = fileURLToPath(new URL("baselines/window", import.meta.url));
const out = fileURLToPath(new URL(".out/window", import.meta.url));
const update = process.env.UPDATE === "1";
for (const each of [baselines, out]) mkdirSync(each, { recursive: true });
const renew = "UPDATE=1 build/withx.sh node --test frontend/e2e/window-pictures.test.mjs";

const settings = [["key", ",", "Comma", ".set main"]];
const palette = [["key", "k", "KeyK", "[role=dialog] [role=option]"]];
const screens = [
  { picture: "chat-light", name: "01-chat-streaming", theme: "light" },
  { picture: "chat-dark", name: "01-chat-streaming", theme: "dark" },
  { picture: "permission-light", name: "02-permission", theme: "light" },
  { picture: "trust-dark", name: "25d-trust-folder", theme: "dark" },
  { picture: "first-run-light", name: "05-first-run", theme: "light" },
  { picture: "settings-dark", name: "01-chat-streaming", theme: "dark", act: settings },
  { picture: "palette-light", name: "01-chat-streaming", theme: "light", act: palette },
  {
    picture: "german-large-light",
    name: "01-chat-streaming",
    theme: "light",
    language: "de",
    change: { textSize: "larger" },
  },
];

/**
 * Channel difference (out of 255) above which a pixel counts as different; pixelTolerance is the number
 * of pixels that may differ.
 */
const colorTolerance = 24;
const pixelTolerance = 150;

const { stdout } = await run("pkg-config", ["--modversion", "webkit2gtk-4.1"]);
// Patch releases don't change rendering.
const version = stdout.trim().split(".").slice(0, 2).join(".");
const madeWith = join(baselines, "webkitgtk.txt");
if (update) writeFileSync(madeWith, `${version}\n`);

const webkit = await openWebKit();
after(() => webkit.close());
const taken = await webkit.take(screens);

describe("a screen looks unchanged in WebKitGTK", () => {
  test("the pictures are from this WebKitGTK", () => {
    const known = existsSync(madeWith) ? readFileSync(madeWith, "utf8").trim() : "none";
    assert.equal(version, known, `make the pictures anew and look at them: ${renew}`);
  });
  for (const [i, { picture }] of screens.entries()) {
    test(picture, async () => {
      const [baseline, now] = [join(baselines, `${picture}.png`), join(out, `${picture}.png`)];
      writeFileSync(now, taken[i]);
      if (update) writeFileSync(baseline, taken[i]);
      assert.ok(existsSync(baseline), `it has no baseline yet: ${renew}`);
      const differ = differences(await pixels(baseline), await pixels(now), colorTolerance);
      assert.ok(differ <= pixelTolerance, `${differ} pixels differ: see ${now}, or ${renew}`);
    });
  }
});

test("each font weight is darker than the previous one, as in Chromium", async () => {
  const [inWebKit, inChromium] = await webkit.weights();
  const ratios = (ink) => [ink.medium / ink.regular, ink.semibold / ink.medium];
  for (const ratio of ratios(inWebKit)) assert.ok(ratio > 1.12, `a weight is ${ratio} of the one before`);
  for (const weight of ["regular", "medium", "semibold"]) {
    const part = inWebKit[weight] / inChromium[weight];
    assert.ok(part > 0.93 && part < 1.1, `${weight} has ${part} of the ink that it has in Chromium`);
  }
});
