// Visual regression tests that compare the main screens with the pictures in e2e/baselines. After an
// intended change, update the pictures and review them:
//
//   make pictures
//
// The test controls everything rendered: bundled fonts, fixtures, a frozen clock. Pictures that differ
// are left in e2e/.out/pictures. Other versions of Chromium render differently: if the major version
// isn't the one in baselines/chromium.txt, nothing is compared, and the test fails with a message that
// names the command above.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { otherChromium, renewHint } from "./gallery/baselines.mjs";
import { openGallery, picture } from "./gallery/gallery.mjs";

const baselines = fileURLToPath(new URL("baselines", import.meta.url));
const out = fileURLToPath(new URL(".out/pictures", import.meta.url));
const update = process.env.UPDATE === "1";
for (const each of [baselines, out]) mkdirSync(each, { recursive: true });

/** Gallery names of the screens that have a baseline. */
const screens = [
  "01-chat-streaming",
  "02-permission",
  "03c-reconnect-sign-in",
  "03d-reconnecting",
  "04-inspector-changes",
  "04b-inspector-sessions",
  "05-first-run",
  "06c-settings-permissions",
  "06m-agent-sign-in",
  "06m6-agent-sign-in-terminal",
  "06m9-settings-agent-sign-in",
  "07-quick-prompt",
  "09-new-chat",
  "10-narrow",
  "11-command-palette",
  "12-search",
  "12d-search-set-aside",
  "13-states",
  "14-rules",
  "16-review",
  "16-review-narrow",
  "16-review-staged",
  "16b-review-split",
  "16c-review-comments",
  "16c-review-conflict",
  "16c-review-conflict-narrow",
  "16c-review-states",
  "16d-review-committed",
  "16d-review-pull-open",
  "16d-review-pull-request",
  "16e-review-files-narrow",
  "16f-review-ask",
  "16f-review-suggested",
  "17-go-back-menu",
  "17-go-back-sheet-recap",
  "17-undo-footer",
  "17b-undo-confirm",
  "17b-undo-confirm-narrow",
  "17c-undo-done",
  "17d-undo-went-back",
  "17d-undo-went-back-narrow",
  "17d4-editing-recap",
  "17d5-recording-removed",
  "20-question",
  "20-question-narrow",
  "20b-question-form",
  "20d-plan-card",
  "22-copilot-sessions",
  "22-copilot-sessions-narrow",
  "22b-session-open-elsewhere",
  "22c-session-rescue",
  "22d-session-reading",
  "25-sandbox-picker",
  "25b-sandbox-blocked",
  "25c-settings-sandbox",
  "25d-trust-folder",
];
/**
 * A pixel counts as different if one of its channels differs by more than this (out of 255). Smaller
 * differences come from antialiasing.
 */
const colorTolerance = 24;
/** Number of pixels that may differ. Moving a few words by one pixel changes more pixels than this. */
const pixelTolerance = 150;

/** hideRobots hides the robot, which comes from a system font, without changing the layout. */
function hideRobots() {
  for (const robot of document.querySelectorAll(".bot")) robot.style.visibility = "hidden";
}

/** compare counts the pixels that differ. It runs in the page, which can decode images. */
async function compare({ one, other, tolerance }) {
  const read = async (base64) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, bitmap.width, bitmap.height);
  };
  const [a, b] = await Promise.all([read(one), read(other)]);
  const all = a.width * a.height;
  if (a.width !== b.width || a.height !== b.height) return { differ: all, all };
  let differ = 0;
  for (let i = 0; i < a.data.length; i += 4) {
    const by = Math.max(...[0, 1, 2].map((c) => Math.abs(a.data[i + c] - b.data[i + c])));
    if (by > tolerance) differ++;
  }
  return { differ, all };
}

const gallery = await openGallery();
after(() => gallery.close());

const madeWith = join(baselines, "chromium.txt");
const [major] = gallery.browser.version().split(".");
if (update) writeFileSync(madeWith, `${major}\n`);
const other = otherChromium(readFileSync(madeWith, "utf8"), major);

test("the pictures are from this Chromium", () => assert.equal(other, ""));

test("a different Chromium is reported with the command that renews the pictures", () => {
  assert.match(otherChromium("155\n", "156"), /Chromium 155, and this is Chromium 156: .*make pictures/);
  assert.equal(otherChromium("156\n", "156"), "");
});

describe("a screen looks unchanged", () => {
  for (const name of other ? [] : screens) {
    for (const colorScheme of ["light", "dark"]) {
      test(`${name}, ${colorScheme}`, { timeout: 300_000 }, async () => {
        const shot = gallery.shots.find((each) => each.name === name);
        assert.ok(shot, `the gallery has no ${name}`);
        let now;
        const problems = [];
        await gallery.withShot(
          shot,
          { colorScheme },
          (what) => problems.push(what),
          async (page) => {
            await page.evaluate(hideRobots);
            now = await picture(page);
          },
        );
        assert.deepEqual(problems, []);
        const file = `${name}-${colorScheme}.png`;
        const path = join(baselines, file);
        if (update) {
          writeFileSync(path, now);
          return;
        }
        assert.ok(existsSync(path), `${file} is not in e2e/baselines: ${renewHint}`);
        const page = await gallery.browser.newPage();
        const { differ, all } = await page.evaluate(compare, {
          one: readFileSync(path, "base64"),
          other: now.toString("base64"),
          tolerance: colorTolerance,
        });
        await page.close();
        if (differ > pixelTolerance) writeFileSync(join(out, file), now);
        assert.ok(differ <= pixelTolerance, `${differ} of ${all} pixels differ: ${join(out, file)}`);
      });
    }
  }
});
