// Copying a selection that is longer than the rendered part of the transcript, with real input events, in Chromium
// and in the app's WebKitGTK window.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { helper, start, waitFor } from "./harness.mjs";
import { inspectorAddress, openWindow } from "./webkit.mjs";

const run = promisify(execFile);

/** Number of paragraphs per answer. Long answers are rendered only in part. */
const paragraphs = 40;

/** Number of screens between the ends of a selection, so that the first one is no longer rendered. */
const screens = 4;

const prepare = async ({ dataDir, folder }) =>
  run(await helper("longchat"), ["-paragraphs", String(paragraphs), dataDir, folder, "40"]);

async function inChromium(t) {
  const env = await start(t, { prepare });
  const { page } = env;
  await page.locator(".chat").first().click();
  return {
    evaluate: (fn, arg) => page.evaluate(fn, arg),
    point: (x, y) => page.mouse.move(x, y),
    press: () => page.mouse.down(),
    release: () => page.mouse.up(),
    wheel: () => page.mouse.wheel(0, 120),
    key: (name) => page.keyboard.press(name),
    shiftClick: async () => {
      await page.keyboard.down("Shift");
      await page.mouse.down();
      await page.mouse.up();
      await page.keyboard.up("Shift");
    },
    copy: () => page.keyboard.press("Control+c"),
  };
}

async function inWebKit(t) {
  const address = await inspectorAddress();
  const env = await start(t, { prepare, env: { WEBKIT_INSPECTOR_HTTP_SERVER: address } });
  await env.page.close();
  const page = await openWindow(env.app, address);
  t.after(() => page.close());
  await waitFor(
    () => page.evaluate(() => document.querySelector(".chat")?.click() ?? !!document.querySelector(".chat")),
    "the chat is listed",
  );
  const { evaluate, point, xdotool } = page;
  return {
    evaluate,
    point,
    press: () => xdotool("mousedown", "1"),
    release: () => xdotool("mouseup", "1"),
    wheel: () => xdotool("click", "5"),
    key: (name) => xdotool("key", name),
    shiftClick: () => xdotool("keydown", "Shift", "click", "1", "keyup", "Shift"),
    copy: () => xdotool("key", "ctrl+c"),
    clipboard: async () => {
      await evaluate(() => {
        window.clip = undefined;
        window.go.main.App.ClipboardText().then((text) => (window.clip = text));
      });
      return waitFor(() => evaluate(() => window.clip), "the clipboard has text");
    },
  };
}

/** scrolled returns the scroll position and the edges of the transcript. */
const scrolled = () => {
  const scroller = document.querySelector(".scroll-frame > .scroll");
  const { left, top, right, bottom } = scroller.getBoundingClientRect();
  return { at: scroller.scrollTop, view: scroller.clientHeight, left, top, right, bottom };
};

/** placeOf returns a point in the middle of the first line of the visible paragraph that starts with a text. */
const placeOf = (start) => {
  const { top, bottom } = document.querySelector(".scroll-frame > .scroll").getBoundingClientRect();
  const part = [...document.querySelectorAll(".msg p")].find((each) => {
    const box = each.getBoundingClientRect();
    return each.textContent.startsWith(start) && box.top > top + 40 && box.bottom < bottom - 40;
  });
  if (!part) return undefined;
  const range = document.createRange();
  range.setStart(part.firstChild, 10);
  range.setEnd(part.firstChild, 11);
  const box = range.getBoundingClientRect();
  return { x: box.left, y: box.top + box.height / 2, text: part.textContent };
};

/** atStart scrolls to the first answer and returns the place of its second paragraph. */
async function atStart(page) {
  await page.evaluate(() => {
    getSelection().removeAllRanges();
    document.activeElement?.blur();
  });
  await page.key("Home");
  await waitFor(() => page.evaluate(placeOf, "Paragraph 2 of answer 1."), "the beginning is shown");
  await resting(page);
  return page.evaluate(placeOf, "Paragraph 2 of answer 1.");
}

/** resting waits until the transcript hasn't scrolled for as many frames as a smooth scroll may take to start. */
async function resting(page) {
  await page.evaluate(() => {
    const scroller = document.querySelector(".scroll-frame > .scroll");
    let [last, same] = [-1, 0];
    window.isResting = false;
    const frame = () => {
      same = scroller.scrollTop === last ? same + 1 : 0;
      last = scroller.scrollTop;
      window.isResting = same > 12;
      if (!window.isResting) requestAnimationFrame(frame);
    };
    frame();
  });
  await waitFor(() => page.evaluate(() => window.isResting), "scrolling has stopped");
}

/** copied copies the selection and returns the text that the page put on the clipboard. */
async function copied(page) {
  await page.evaluate(() => {
    window.copied = undefined;
    window.addEventListener(
      "copy",
      (event) => (window.copied = event.clipboardData.getData("text/plain") || "(native)"),
      { once: true },
    );
  });
  await page.copy();
  return waitFor(() => page.evaluate(() => window.copied), "the selection is copied");
}

/**
 * isWhole checks that a text, copied from inside paragraph 2 of answer 1 to inside another paragraph, is complete and
 * has no labels.
 */
function isWhole(text, last) {
  const [, lastPart, lastAnswer] = /Paragraph (\d+) of answer (\d+)/.exec(last);
  const expected = [];
  for (let answer = 1; answer <= lastAnswer; answer++) {
    if (answer > 1) expected.push(`Question number ${answer} of all`);
    const to = answer === Number(lastAnswer) ? lastPart - 1 : paragraphs;
    for (let n = answer === 1 ? 3 : 1; n <= to; n++) expected.push(`Paragraph ${n} of answer ${answer}`);
  }
  const found = text.match(/(?:Paragraph \d+ of answer|Question number) \d+(?: of all)?/g);
  assert.deepEqual(found, expected, text.slice(0, 300));
  assert.match(text, /^(?:2 of answer 1|of answer 1|answer 1)/);
  assert.match(text, /\nParagraph$|\nParagraph \d*$/);
  assert.match(text, /\nfunc kettle5\(\) error {\n\treturn nil\n}\n\nParagraph 6/);
  assert.doesNotMatch(text, /^\d+:\d\d|^\d+ s$|\n\n\n/m);
}

for (const [engine, open] of [
  ["Chromium", inChromium],
  ["the window", inWebKit],
]) {
  test(`A long selection is copied completely in ${engine}`, async (t) => {
    const page = await open(t);
    await waitFor(() => page.evaluate(() => document.querySelector(".msg") !== null), "the chat is shown");

    await t.test("after a drag with autoscroll", async () => {
      const from = await atStart(page);
      await page.point(from.x, from.y);
      await page.press();
      const { left, right, bottom, view } = await page.evaluate(scrolled);
      const x = (left + right) / 2;
      await page.point(x, bottom - 60);
      await waitFor(() => page.evaluate(() => !getSelection().isCollapsed), "the selection has started");
      let step = 0;
      await waitFor(async () => {
        await page.point(x + (step++ % 2), bottom + 30);
        return (await page.evaluate(scrolled)).at > screens * view;
      }, "the drag scrolls");
      await page.point(x, bottom - 200);
      await resting(page);
      const to = await waitFor(() => page.evaluate(placeOf, "Paragraph"), "a paragraph is in view");
      await page.point(to.x, to.y);
      await page.release();
      const text = await copied(page);
      isWhole(text, to.text);
      if (page.clipboard) isWhole(await page.clipboard(), to.text);
    });

    await t.test("after a click, scrolling and a click with Shift", async () => {
      const from = await atStart(page);
      await page.point(from.x, from.y);
      await page.press();
      await page.release();
      const { view } = await page.evaluate(scrolled);
      await waitFor(async () => {
        await page.wheel();
        return (await page.evaluate(scrolled)).at > screens * view;
      }, "it has scrolled");
      await resting(page);
      const to = await waitFor(() => page.evaluate(placeOf, "Paragraph"), "a paragraph is in view");
      await page.point(to.x, to.y);
      await page.shiftClick();
      isWhole(await copied(page), to.text);
    });
  });
}
