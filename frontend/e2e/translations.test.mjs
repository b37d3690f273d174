// German, which has the longest words, at the largest text size: no text is cut off or overflows its box,
// no elements overlap, and no button wraps. access.test.mjs tests all languages at the default size.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { audit, openGallery, screensAtATime } from "./gallery/gallery.mjs";
import { sample } from "./sample.mjs";

/** Gallery names of the tested screens. */
const screens = [
  "01-chat-streaming",
  "01b-sidebar-many",
  "01e-practice",
  "01f-delete",
  "01g-storage-in-use",
  "01h-storage-failing",
  "01i-rename",
  "01j-account-menu",
  "01k-connection-sign-in",
  "02-permission",
  "02b-permission-command",
  "02c-sidebar-needs-you",
  "03a-reconnect-restored",
  "03b-reconnect-lost",
  "03c-reconnect-sign-in",
  "03d-reconnecting",
  "04b-inspector-sessions",
  "04b2-inspector-needs-you",
  "04b3-inspector-write",
  "04b4-inspector-empty",
  "06a-settings-account",
  "06a-settings-model",
  "06a2-settings-model-edit",
  "06b-settings-agent",
  "06b2-settings-agent-missing",
  "06b3-settings-other-agents",
  "06d-settings-appearance",
  "09-new-chat",
  "09b-new-chat-folder",
  "09c-new-chat-answers",
  "09e-new-chat-empty",
  "10-narrow",
  "10a-narrow-chat",
  "10b-narrow-sidebar",
  "10c-narrow-permission",
  "10e-narrow-settings",
  "10e2-narrow-settings-model",
  "10f-narrow-settings-desktop",
  "10g-narrow-first-run",
  "10h-narrow-new-chat",
  "10i-narrow-permission-diff",
  "10j-narrow-pickers",
  "10k-narrow-sign-in-dialog",
  "10l-narrow-sign-in",
  "13-failed",
  "13-prose",
  "14-cli-missing",
  "14-cli-too-old",
  "14-exited-at-once",
  "14-folder-gone",
  "14-gave-up",
  "14-locked",
  "14-no-access",
  "14-offline",
  "14-paused",
  "14-rules",
  "14-sign-in-first",
  "14-sign-in-variable",
  "15-commands",
  "15-files",
  "15-mentioned",
  "15-queue",
  "15-queue-editing",
  "15-queue-paused",
  "17-go-back-menu",
  "17-go-back-menu-narrow",
  "17-go-back-recap",
  "17-go-back-sheet",
  "17-go-back-sheet-narrow",
  "17d-undo-went-back",
  "17d-undo-went-back-narrow",
  "17d2-set-aside",
  "17d3-versions",
  "17d4-editing",
  "22-copilot-sessions",
  "22-copilot-sessions-narrow",
  "22b-session-open-elsewhere",
  "22b-session-program-narrow",
  "22b-session-stayed",
  "22c-session-rescue",
  "22c-session-rescue-narrow",
  "22d-session-reading",
  "22d-session-reading-failed",
  "25-sandbox-picker",
  "25-sandbox-picker-narrow",
  "25-sandbox-picker-refused",
  "25a-sandbox-first-run",
  "25b-sandbox-blocked",
  "25b-sandbox-blocked-narrow",
  "25b2-sandbox-leaves-narrow",
  "25b4-sandbox-rows",
  "25c-settings-sandbox",
  "25c-settings-sandbox-narrow",
  "25c2-settings-sandbox-unavailable",
  "25c4-settings-sandbox-invalid",
  "25d-trust-folder",
  "25d-trust-folder-narrow",
  "25d3-trust-changed",
  "25d4-trust-other-agent",
  "25d9-trust-waits",
  "25d9-trust-waits-narrow",
  "06c6-settings-trusted",
];

const gallery = await openGallery();
after(() => gallery.close());

/** crowded returns the elements that are cut off, overflow, overlap, or wrap where they shouldn't. */
function crowded() {
  const found = [];
  const name = (element) =>
    `${element.tagName.toLowerCase()}.${element.className} "${(element.textContent ?? "").trim().slice(0, 40)}"`;
  const isSeen = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !element.closest(".sr, [aria-hidden=true], svg, [inert]");
  const scrolls = (element, box) => {
    for (let at = element.parentElement; at && at !== box; at = at.parentElement)
      if (/auto|scroll|hidden/.test(getComputedStyle(at).overflowX)) return true;
    return false;
  };
  const linesOf = (element) => {
    const lines = [];
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      if (!walker.currentNode.data.trim() || !isSeen(walker.currentNode.parentElement)) continue;
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      lines.push(...[...range.getClientRects()].filter((box) => box.width > 1));
    }
    return lines;
  };
  for (const element of document.querySelectorAll("body *")) {
    if (!isSeen(element)) continue;
    const style = getComputedStyle(element);
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.data.trim(),
    );
    if (
      hasText &&
      style.overflowY === "hidden" &&
      style.webkitLineClamp === "none" &&
      element.scrollHeight > element.clientHeight + 2 &&
      !element.matches("textarea, input")
    )
      found.push(`cut off below: ${name(element)}`);
    if (element.matches(".btn, .pill, .tag, .pick")) {
      const lines = linesOf(element);
      const isBroken = lines.some((box) => box.top > lines[0].bottom - 2);
      if (isBroken) found.push(`breaks into lines: ${name(element)}`);
    }
    const box = element.closest(".pop, [role=dialog], [role=alertdialog], .composer, .banner, .ask");
    if (box && box !== element && !scrolls(element, box)) {
      const [inner, outer] = [element.getBoundingClientRect(), box.getBoundingClientRect()];
      if (inner.width > 0 && (inner.right > outer.right + 1 || inner.left < outer.left - 1))
        found.push(`sticks out: ${name(element)}`);
    }
  }
  // Elements side by side in a row must not overlap.
  for (const row of document.querySelectorAll(".row, .bar, .bar2, .sr-row, .opt, .chat")) {
    if (!isSeen(row)) continue;
    const parts = [...row.children].filter(
      (each) => isSeen(each) && getComputedStyle(each).position === "static",
    );
    parts.forEach((one, at) => {
      for (const other of parts.slice(at + 1)) {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 2 && high > 2) found.push(`over each other: ${name(one)} and ${name(other)}`);
      }
    });
    // Text without enough room wraps after every word.
    for (const label of row.querySelectorAll(":scope > .lb .ds"))
      if (label.clientWidth < 90 && label.clientHeight > 90) found.push(`is squeezed: ${name(label)}`);
  }
  // Stop overlays the block's header and must not cover its text.
  for (const stop of document.querySelectorAll(".cop-stop")) {
    const meta = stop.parentElement.querySelector(".cop-meta");
    const { left } = stop.getBoundingClientRect();
    for (const line of linesOf(meta))
      if (line.right > left) found.push(`covered: ${name(meta)} by ${name(stop)}`);
  }
  return found;
}

describe("every word fits", { concurrency: screensAtATime }, () => {
  for (const screen of sample(screens)) {
    test(screen, { timeout: 600_000 }, async () => {
      const shot = gallery.shots.find((each) => each.name === screen);
      assert.ok(shot, `the gallery has no ${screen}`);
      const { settings } = shot.app.findLast((event) => event.settings);
      const large = { ...shot, app: [...shot.app, { settings: { ...settings, textSize: "larger" } }] };
      const problems = [];
      await gallery.withShot(
        large,
        { colorScheme: "light", locale: "de-DE" },
        (what) => problems.push(what),
        async (page) => {
          const { lang, text } = await page.evaluate(() => ({
            lang: document.documentElement.lang,
            text: document.documentElement.dataset.text,
          }));
          assert.deepEqual([lang, text], ["de", "larger"]);
          problems.push(...(await page.evaluate(audit)), ...(await page.evaluate(crowded)));
        },
      );
      assert.deepEqual(problems, []);
    });
  }
});
