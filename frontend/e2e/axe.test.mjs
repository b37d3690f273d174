// Every screen of the gallery, in light and in dark, without and with more contrast:
// axe finds nothing, nothing is cut off, and nothing breaks the page's policy or asks
// for anything but its own files. In the system's own colours nothing is lost of what they
// show. And whatever order its style sheets come in, it looks the same.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { clashes, sheetsOf } from "./gallery/clashes.mjs";
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

/** Where everything stands once that may be on, or is drawn: pictures take longer than rules. */
const inForcedColors =
  /^(01-|02-|02b-|04[a-d]?-|05-|06[a-e]?-|07-quick-prompt$|09-|11-|12-|13-(blocks-ended|states)|14-rules|15-)/;

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
          for (const what of await page.evaluate(clashes, sheetsOf(shot)))
            problems.push(`the later sheet would win: ${what}`);
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
          if (!inForcedColors.test(shot.name)) return;
          await page.emulateMedia({ contrast: "no-preference", forcedColors: "active" });
          await page.waitForFunction(() => matchMedia("(forced-colors: active)").matches);
          for (const what of await lost(page)) problems.push(`forced colours: ${what}`);
        },
      );
      assert.deepEqual(problems, []);
    });
  }
});
