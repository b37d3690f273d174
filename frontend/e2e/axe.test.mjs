// Every screen of the gallery, in light and in dark, without and with more contrast:
// axe finds nothing, nothing is cut off, and nothing breaks the page's policy or asks
// for anything but its own files. In the system's own colours nothing is lost.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { lost } from "./gallery/forced.mjs";
import { audit, axe, openGallery } from "./gallery/gallery.mjs";

/** What the system wants, and the rules of axe that it can change; the first look has all of them. */
const looks = [
  { media: { colorScheme: "light", contrast: "no-preference" }, theme: "light", contrast: "normal" },
  {
    media: { colorScheme: "dark" },
    theme: "dark",
    contrast: "normal",
    rules: ["color-contrast", "link-in-text-block"],
  },
  { media: { contrast: "more" }, theme: "dark", contrast: "more", rules: ["color-contrast-enhanced"] },
  { media: { colorScheme: "light" }, theme: "light", contrast: "more", rules: ["color-contrast-enhanced"] },
];

const gallery = await openGallery();
after(() => gallery.close());

describe("nothing is wrong with the picture", { concurrency: 2 }, () => {
  for (const shot of gallery.shots) {
    test(shot.name, { timeout: 300_000 }, async () => {
      const problems = [];
      await gallery.withShot(
        shot,
        looks[0].media,
        (what) => problems.push(what),
        async (page) => {
          problems.push(...(await page.evaluate(audit)));
          for (const { media, theme, contrast, rules } of looks) {
            await page.emulateMedia(media);
            await page.waitForFunction(
              (want) => {
                const { dataset } = document.documentElement;
                return dataset.theme === want.theme && dataset.contrast === want.contrast;
              },
              { theme, contrast },
              { timeout: 60_000 },
            );
            for (const what of await axe(page, rules)) problems.push(`${theme}, ${contrast}: ${what}`);
          }
          await page.emulateMedia({ contrast: "no-preference", forcedColors: "active" });
          await page.waitForFunction(() => matchMedia("(forced-colors: active)").matches);
          for (const what of await lost(page)) problems.push(`forced colours: ${what}`);
        },
      );
      assert.deepEqual(problems, []);
    });
  }
});
