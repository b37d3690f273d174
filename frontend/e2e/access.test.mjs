// Accessibility of the main screens: zoom, keyboard use, reduced motion and languages with longer text.
// Nothing is cut off, every control is reachable, focus is visible, and animations stop if reduced motion
// is requested.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { audit, openGallery, screensAtATime } from "./gallery/gallery.mjs";
import { sample } from "./sample.mjs";

const gallery = await openGallery();
after(() => gallery.close());

/** Main screens, by gallery name. */
const main = [
  "01-chat-streaming",
  "01e-practice",
  "02-permission",
  "02b-permission-command",
  "03b-reconnect-lost",
  "03c-reconnect-sign-in",
  "04-inspector-changes",
  "04b-inspector-sessions",
  "04c-inspector-terminal",
  "04d-inspector-protocol",
  "05-first-run",
  "05b-first-run-cli-missing",
  "06a-settings-account",
  "06b-settings-agent",
  "06c-settings-permissions",
  "06m-agent-sign-in",
  "06d-settings-appearance",
  "06e-settings-shortcuts",
  "06f-settings-doctor",
  "06g-settings-about",
  "09-new-chat",
  "11-command-palette",
  "12-search",
  "13-blocks-ended",
  "14-no-access",
  "15-queue",
  "16-review",
  "16b-review-split",
  "16d-review-committed",
  "16f-review-suggested",
  "22-copilot-sessions",
  "22b-session-open-elsewhere",
  "22c-session-rescue",
  "25d-trust-folder",
  "25d9-trust-waits",
];

/** openReview opens the review. Unlike the actions of the shots, it works in a window of any size. */
async function openReview(page) {
  await page.locator(".transcript :is(.msg, .banner, details)").first().waitFor();
  await page.keyboard.press("Control+Shift+R");
  await page.locator(".rv-rows :is(.dl, .sl, .rv-insert)").first().waitFor();
}

/**
 * on opens a gallery screen at a window size and calls `use` with the page. It fails the test if any
 * problem is found.
 */
async function on(name, { size, look = {}, more = [], act = true }, use) {
  const shot = gallery.shots.find((each) => each.name === name);
  assert.ok(shot, `the gallery has no ${name}`);
  const problems = [];
  const made = { ...shot, app: [...shot.app, ...more], size: size ?? shot.size };
  if (!act) made.act = name.startsWith("16") ? openReview : undefined;
  await gallery.withShot(
    made,
    { colorScheme: "light", ...look },
    (what) => problems.push(what),
    (page) => use(page, (what) => problems.push(what)),
  );
  assert.deepEqual(problems, []);
}

/** reachable scrolls each usable control into view in turn and returns those that can't be reached. */
function reachable() {
  const dialog = document.querySelector("[role=dialog], [role=alertdialog]");
  const drawer = document.querySelector(".drawer, .insp.over");
  const all = (dialog ?? drawer ?? document).querySelectorAll(
    "button:not(:disabled), a[href], a[tabindex], input, select, textarea, summary",
  );
  const found = [];
  let reached = 0;
  for (const element of all) {
    const style = getComputedStyle(element);
    if (!element.checkVisibility() || style.visibility === "hidden" || style.opacity === "0") continue;
    if (element.closest("[inert], [aria-hidden=true], .sr")) continue;
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    const name = `${element.tagName.toLowerCase()} "${element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 40)}"`;
    const [x, y] = [box.left + box.width / 2, box.top + Math.min(box.height / 2, 12)];
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) {
      found.push(`cannot be scrolled into view: ${name}`);
      continue;
    }
    reached++;
    const top = document.elementFromPoint(x, y);
    const label = element.closest("label");
    if (
      top &&
      !element.contains(top) &&
      (top === document.body || !top.contains(element)) &&
      !label?.contains(top)
    )
      found.push(`is covered by ${top.tagName.toLowerCase()}.${top.className}: ${name}`);
  }
  if (reached < 3) found.push(`only ${reached} parts can be used`);
  if (document.scrollingElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
  return found;
}

describe("at 200% everything is visible and reachable", { concurrency: screensAtATime }, () => {
  // A window of 1280×800 device pixels at a pixel ratio of 2.
  const size = [640, 400];
  for (const name of sample(main)) {
    test(name, { timeout: 300_000 }, () =>
      on(name, { size, look: { deviceScaleFactor: 2 }, act: false }, async (page, problem) => {
        for (const what of await page.evaluate(audit)) problem(what);
        for (const what of await page.evaluate(reachable)) problem(what);
      }),
    );
  }
});

describe("longer text fits, even in the smallest window", { concurrency: screensAtATime }, () => {
  for (const locale of ["de-DE", "zh-CN"]) {
    for (const size of [
      [1280, 800],
      [720, 480],
    ]) {
      for (const name of sample(main).filter((each) => !/^(04|12)/.test(each) || size[0] > 720)) {
        test(`${locale}, ${size.join(" by ")}, ${name}`, { timeout: 300_000 }, () =>
          // The actions of the review's shots look for English code.
          on(
            name,
            { size, look: { locale }, act: size[0] > 720 && !name.startsWith("16") },
            async (page, problem) => {
              assert.equal(
                await page.evaluate(() => document.documentElement.lang.slice(0, 2)),
                locale.slice(0, 2),
              );
              for (const what of await page.evaluate(audit)) problem(what);
            },
          ),
        );
      }
    }
  }
});

/**
 * drawn returns the focus-related styles of an element, its nearest ancestors and a ring drawn beside it. Before
 * that, it ends all transitions, which would delay the new styles.
 */
function drawn(element) {
  if (!element.isConnected) throw new Error(`${element.outerHTML} was removed`);
  for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
  // The ring of the review's scroll area is drawn by the element after it.
  const ring = element.nextElementSibling?.matches(".rv-focus") && element.nextElementSibling;
  const found = ring ? [getComputedStyle(ring, "::before").content] : [];
  for (let at = element; at && at !== document.body && found.length < 4; at = at.parentElement) {
    const { outline, outlineOffset, boxShadow, borderColor } = getComputedStyle(at);
    found.push([outline, outlineOffset, boxShadow, borderColor].join());
  }
  return found.join(" / ");
}

describe("the focused element is visible", { concurrency: screensAtATime }, () => {
  for (const name of sample(main).filter((each) => !/^(11|05b|22c|25d-)/.test(each))) {
    test(name, { timeout: 300_000 }, () =>
      on(name, {}, async (page, problem) => {
        await page.evaluate(() => document.activeElement?.blur());
        const seen = new Set();
        for (let presses = 0; presses < 80; presses++) {
          await page.keyboard.press("Tab");
          const at = await page.evaluateHandle(() => document.activeElement);
          const what = await at.evaluate((element) =>
            element === document.body
              ? ""
              : `${element.tagName.toLowerCase()}.${element.className} "${element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 30)}"`,
          );
          // Between the last control and the first, the body has focus.
          if (what === "") continue;
          const isNew = await at.evaluate((element) => {
            const first = !element.hasAttribute("data-walked");
            element.setAttribute("data-walked", "");
            return first;
          });
          if (!isNew) break;
          seen.add(what);
          const focused = await at.evaluate(drawn);
          await at.evaluate((element) => element.blur());
          const unfocused = await at.evaluate(drawn);
          if (focused === unfocused) problem(`looks the same with and without the focus: ${what}`);
        }
        assert.ok(seen.size > 3, `Tab reaches ${[...seen].join(", ") || "nothing"}`);
      }),
    );
  }
});

describe("static elements don't move", () => {
  /** moving returns the names of the running animations. */
  const moving = (page) =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter((each) => each.playState === "running" && each.effect.getComputedTiming().duration > 1)
        .map((each) => `${each.animationName ?? each.transitionProperty} of ${each.effect.target.className}`),
    );
  const asked = (motion) => {
    const shot = gallery.shots.find((each) => each.name === "01-chat-streaming");
    const { settings } = shot.app.findLast((event) => event.settings);
    return [{ settings: { ...settings, motion } }];
  };
  const cases = [
    { motion: "full", system: "reduce", moves: true },
    { motion: "system", system: "no-preference", moves: true },
    { motion: "system", system: "reduce", moves: false },
    { motion: "reduced", system: "no-preference", moves: false },
  ];
  for (const { motion, system, moves } of cases) {
    test(`motion ${motion}, and the system reports ${system}`, { timeout: 300_000 }, () =>
      on("01-chat-streaming", { more: asked(motion), look: { reducedMotion: system } }, async (page) => {
        const found = await moving(page);
        if (moves)
          assert.ok(
            found.some((each) => each.startsWith("spin ")),
            `moves: ${found.join(", ")}`,
          );
        else assert.deepEqual(found, []);
      }),
    );
  }
});
