// Every gallery screen, in light and dark and with normal and high contrast: the elements named in the
// design are found by role and name, axe reports no violation, nothing is cut off, and the page neither violates its
// content security policy nor requests anything from another server. In forced colors no information is lost, and the
// order of the style sheets doesn't affect the result.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { clashes, sheetsOf } from "./gallery/clashes.mjs";
import { forcedColorProblems } from "./gallery/forced.mjs";
import { audit, axe, openGallery, screensAtATime } from "./gallery/gallery.mjs";
import { roles } from "./gallery/roles.mjs";
import { mismatchOf, rowsOf } from "./rows.mjs";
import { sample } from "./sample.mjs";

/** Media preferences, with the axe rules that each can affect. The first entry runs all rules. */
const looks = [
  { media: { colorScheme: "light", contrast: "no-preference" }, theme: "light", contrast: "normal" },
  {
    media: { colorScheme: "dark", contrast: "no-preference" },
    theme: "dark",
    contrast: "normal",
    rules: ["color-contrast", "link-in-text-block"],
  },
  {
    media: { colorScheme: "dark", contrast: "more" },
    theme: "dark",
    contrast: "more",
    rules: ["color-contrast-enhanced"],
  },
  {
    media: { colorScheme: "light", contrast: "more" },
    theme: "light",
    contrast: "more",
    rules: ["color-contrast-enhanced"],
  },
];

/**
 * looksOf returns the looks to check for the screen with the given index: all or, in `.ci/run`, the first and another.
 */
function looksOf(index) {
  const [first, ...others] = looks;
  return [first, ...sample([...others.slice(index % 3), ...others.slice(0, index % 3)], 3)];
}

/**
 * Screens that together contain every kind of toggle and graphic. Not all screens are checked, since
 * comparing pictures takes longer than running rules.
 */
const inForcedColors =
  /^(01-|02-|02b-|04[a-d]?-|05-|06[a-e]?-|07-quick-prompt$|09-|11-|12-|13-(blocks-ended|states)|14-rules|15-|22-copilot-sessions$|22b-session-open|22c-session-rescue$|22d-session-reading$)/;

const gallery = await openGallery();
after(() => gallery.close());

test("every screen whose elements are named exists", () => {
  const names = gallery.shots.map((shot) => shot.name);
  assert.deepEqual(
    Object.keys(roles).filter((name) => !names.includes(name)),
    [],
  );
});

describe("a screen is accessible", { concurrency: screensAtATime }, () => {
  for (const [index, shot] of sample([...gallery.shots.entries()])) {
    test(shot.name, { timeout: 300_000 }, async () => {
      const rows = shot.name in roles ? rowsOf(roles[shot.name]) : undefined;
      assert.notEqual(rows?.length, 0, "nothing is looked for");
      const problems = [];
      await gallery.withShot(
        shot,
        looks[0].media,
        (what) => problems.push(what),
        async (page) => {
          for (const row of rows ?? []) problems.push(await mismatchOf(page, row));
          problems.push(...(await page.evaluate(audit)));
          for (const what of await page.evaluate(clashes, sheetsOf(shot)))
            problems.push(`the later sheet would win: ${what}`);
          for (const { media, theme, contrast, rules } of looksOf(index)) {
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
          for (const what of await forcedColorProblems(page)) problems.push(`forced colors: ${what}`);
        },
      );
      assert.deepEqual(problems.filter(Boolean), []);
    });
  }
});
