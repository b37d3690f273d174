// Scrolling while an agent writes, with real input events: any upward scroll unpins the transcript from
// its end, the text being read stays in place, and only scrolling to the end pins it again. Tested in
// Chromium and in the app's WebKitGTK window.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { start, waitFor } from "./harness.mjs";
import { inspectorAddress, openWindow } from "./webkit.mjs";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const flood = fileURLToPath(new URL("flood.mjs", import.meta.url));

/** Distance in pixels from the middle of a scrollbar to the edge of its frame. */
const barMiddle = 5;

/** Number of words that a flood must add before a step is checked. */
const moreWords = 250;

const prepare = ({ dataDir, folder }) =>
  run("go", ["run", "./internal/longchat", "-agent", flood, "-paragraphs", "6", dataDir, folder, "40"], {
    cwd: root,
  });

/**
 * scripted returns the operations shared by both engines: inspecting the transcript, sending messages and
 * stopping the agent.
 */
function scripted(evaluate) {
  const look = () =>
    evaluate(() => {
      const scroller = document.querySelector(".scroll-frame > .scroll");
      if (!scroller) return { height: 0 };
      const frame = scroller.getBoundingClientRect();
      // The first paragraph that starts in view is the one being read.
      const parts = [...scroller.querySelectorAll(".msg p, .msg li, .msg pre")];
      const read = parts.find((part) => part.getBoundingClientRect().top > frame.top + 4);
      return {
        top: scroller.scrollTop,
        height: scroller.scrollHeight,
        // Includes content that isn't visible yet in a list whose height is fixed during a drag.
        written: scroller.firstElementChild.scrollHeight,
        // The height of a very long answer no longer grows: its beginning is left out.
        words: Number(/.*word-(\d+) /s.exec(scroller.textContent)?.[1] ?? 0),
        left: scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop,
        read: read?.textContent.slice(0, 40),
        at: read ? read.getBoundingClientRect().top : 0,
        frame: { left: frame.left, top: frame.top, right: frame.right, bottom: frame.bottom },
      };
    });
  const send = (text) =>
    evaluate((say) => {
      const chat = document.querySelector(".chat").dataset.id;
      window.go.main.App[say === "" ? "Stop" : "Send"](...(say === "" ? [chat] : [chat, say, []]));
    }, text);
  const rests = () =>
    waitFor(
      () => evaluate(() => document.querySelector(".chat").dataset.state !== "running"),
      "the turn has ended",
    );
  return {
    look,
    send,
    rests,
    toEnd: async () => {
      await evaluate(() => document.querySelector(".jumpdown")?.click());
      return waitFor(async () => {
        const now = await look();
        return now.left <= 1 && now;
      }, "the end is in view");
    },
    /** frame waits for the next two animation frames. */
    frame: async () => {
      await evaluate(() => {
        window.isDrawn = false;
        requestAnimationFrame(() => requestAnimationFrame(() => (window.isDrawn = true)));
      });
      await waitFor(() => evaluate(() => window.isDrawn), "a frame is drawn");
    },
    /**
     * resting waits until the transcript hasn't scrolled for as many frames as a smooth scroll may take
     * to start.
     */
    resting: async () => {
      await evaluate(() => {
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
      await waitFor(() => evaluate(() => window.isResting), "scrolling has stopped");
    },
  };
}

/** inChromium opens the chat in Chromium with smooth scrolling, visible scrollbars and a touch screen. */
async function inChromium(t) {
  const env = await start(t, { prepare, args: ["--hidden"] });
  await env.page.close();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
    ignoreDefaultArgs: ["--hide-scrollbars"],
  });
  t.after(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, hasTouch: true });
  const devtools = await page.context().newCDPSession(page);
  await page.goto(env.app.url);
  await page.locator(".chat").first().click();
  const evaluate = (fn, arg) => page.evaluate(fn, arg);
  return {
    ...env,
    ...scripted(evaluate),
    evaluate,
    steps: [10, 30, 100],
    button: 12,
    point: (x, y) => page.mouse.move(x, y),
    press: () => page.mouse.down(),
    release: () => page.mouse.up(),
    touch: (type, ...points) =>
      devtools.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) }),
    wheel: (by) => page.mouse.wheel(0, by),
    key: (name) => page.keyboard.press(name),
    click: (x, y) => page.mouse.click(x, y),
  };
}

/** inWebKit opens the chat in the app's window, where the mouse wheel scrolls by whole notches. */
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
  const keys = { PageUp: "Prior", ArrowUp: "Up" };
  return {
    ...env,
    ...scripted(page.evaluate),
    evaluate: page.evaluate,
    steps: [1],
    button: 0,
    point: page.point,
    press: () => page.xdotool("mousedown", "1"),
    release: () => page.xdotool("mouseup", "1"),
    wheel: (by) => page.xdotool("click", by < 0 ? "4" : "5"),
    key: (name) => page.xdotool("key", keys[name] ?? name),
    click: async (x, y) => {
      await page.point(x, y);
      await page.xdotool("click", "1");
    },
  };
}

/** middle returns a point in the transcript's text column. */
const middle = ({ frame }) => [(frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2];

/** ways returns the ways to scroll up with user input. */
function ways(page) {
  const byWheel = page.steps.map((px) => ({
    name: `a wheel step of ${px}`,
    least: Math.min(px, 10) - 2,
    async up(now) {
      await page.point(...middle(now));
      await page.wheel(-px);
    },
  }));
  const byKey = ["ArrowUp", "PageUp"].map((name) => ({
    name,
    least: 5,
    async up(now) {
      // The text has keyboard focus, as after a click.
      await page.click(now.frame.left + 12, (now.frame.top + now.frame.bottom) / 2);
      await page.evaluate(() => {
        const last = [...document.querySelectorAll(".entry article")].at(-1);
        last?.focus({ preventScroll: true });
      });
      await page.key(name);
    },
  }));
  const byField = {
    name: "PageUp in the empty message field",
    least: 5,
    async up() {
      await page.evaluate(() => document.querySelector(".composer textarea").focus({ preventScroll: true }));
      await page.key("PageUp");
    },
  };
  const byBar = {
    name: "a drag of the scrollbar",
    least: 20,
    async up(now) {
      await dragUp(page, now);
      await page.release();
    },
  };
  const byFinger = {
    name: "a finger",
    least: 10,
    async up(now) {
      const [x, y] = middle(now);
      await page.touch("touchStart", [x, y]);
      for (let by = 5; by <= 60; by += 5) await page.touch("touchMove", [x, y + by]);
      await page.touch("touchEnd");
    },
  };
  return [...byWheel, ...byKey, byField, byBar, ...(page.touch ? [byFinger] : [])];
}

/** pressThumb presses the mouse button on the scrollbar's thumb. */
async function pressThumb(page, { frame, top, height }) {
  const high = frame.bottom - frame.top;
  // Chromium has a button at each end of the track.
  const track = high - 2 * page.button;
  const thumb = Math.max((track * high) / height, 20);
  const y = frame.top + page.button + ((track - thumb) * top) / (height - high) + thumb / 2;
  await page.point(frame.right - barMiddle, y);
  await page.press();
}

/**
 * dragUp presses the thumb at the end and drags it up until the transcript has moved. Chromium ignores the
 * moves after a press that coincides with a change of the content's height; as a user would, it then
 * presses again.
 */
async function dragUp(page, now) {
  for (let press = 0; press < 4; press++) {
    await pressThumb(page, now);
    const { frame, top } = await page.look();
    // Only as far as needed: distant rows aren't rendered and don't grow.
    for (let by = 24; by <= 96; by += 4) {
      await page.point(frame.right - barMiddle, frame.bottom - by);
      await page.frame();
      if ((await page.look()).top < top - 50) return;
    }
    await page.release();
    now = await page.toEnd();
  }
  assert.fail("the drag does not move the transcript");
}

/** letsGo scrolls up in each way and lets the agent write: the visible text must stay in place. */
async function letsGo(t, page, write, which = ways(page)) {
  for (const way of which) {
    await t.test(`${way.name} stops following`, async () => {
      await page.toEnd();
      await way.up(await page.look());
      await waitFor(async () => (await page.look()).left >= way.least, "it has moved up");
      await page.resting();
      const before = await page.look();
      await write(before);
      const after = await page.look();
      assert.equal(after.read, before.read, "the reading position shows another text");
      assert.ok(
        Math.abs(after.at - before.at) <= 1,
        `the reading position moved by ${after.at - before.at} px`,
      );
    });
  }
}

/**
 * holdsThumb drags the scrollbar and lets the agent write before releasing it: the visible text must stay
 * in place.
 */
async function holdsThumb(page, write) {
  await dragUp(page, await page.toEnd());
  await page.resting();
  const before = await page.look();
  await write(before);
  const after = await page.look();
  await page.release();
  assert.equal(after.read, before.read, "the reading position shows another text");
  assert.ok(Math.abs(after.at - before.at) <= 1, `the reading position moved by ${after.at - before.at} px`);
}

/** homeKey presses Home and expects the view to stay at the start while the agent writes. */
async function homeKey(page, write) {
  await page.toEnd();
  await page.click(...middle(await page.look()));
  await page.key("Home");
  const first = () => page.evaluate(() => document.querySelector(".entry article")?.textContent ?? "");
  await waitFor(
    async () => (await page.look()).top === 0 && /Question number 1 of all/.test(await first()),
    "the beginning is shown",
  );
  await page.resting();
  await write();
  const { top } = await page.look();
  assert.equal(top, 0);
}

/**
 * byWheelDown, byBarDown and byEndKey scroll toward the end. They may have to be called repeatedly,
 * because the agent may write faster than the wheel scrolls.
 */
const byWheelDown = async (page) => {
  for (let step = 0; step < 10; step++) await page.wheel(400);
};
const byBarDown = async (page) => {
  const now = await page.look();
  await pressThumb(page, now);
  for (let by = -60; by <= 40; by += 20) await page.point(now.frame.right - barMiddle, now.frame.bottom + by);
  await page.release();
  await waitFor(async () => (await page.look()).left <= 60, "the drag leads to the end");
};
const byEndKey = async (page) => {
  await page.evaluate(() =>
    [...document.querySelectorAll(".entry article")].at(-1)?.focus({ preventScroll: true }),
  );
  await page.key("End");
};

/** followsAgain scrolls down to the end and lets the agent write: the end must stay in view. */
async function followsAgain(page, write, down) {
  await page.point(...middle(await page.look()));
  await waitFor(async () => {
    await down(page);
    return (await page.look()).left <= 60;
  }, "the end is reached");
  await write(await page.look());
  await waitFor(async () => (await page.look()).left <= 60, "the end is followed");
}

for (const [engine, open] of [
  ["Chromium", inChromium],
  ["the window", inWebKit],
]) {
  test(`The transcript scrolls up from its end in ${engine}`, async (t) => {
    const page = await open(t);
    await waitFor(async () => (await page.look()).height > 2000, "the chat is shown");

    await t.test("without new content", async (t) => {
      const write = async ({ written }) => {
        await page.send("lines 60");
        await waitFor(async () => (await page.look()).written > written + 100, "more is written");
        await page.rests();
      };
      await letsGo(t, page, write);
      await t.test("the reading position stays while the scrollbar is held", () => holdsThumb(page, write));
      await t.test("following resumes after a drag to the end", () => followsAgain(page, write, byBarDown));
      await page.point(...middle(await page.look()));
      await page.wheel(-400);
      await t.test("following resumes after scrolling to the end with the wheel", () =>
        followsAgain(page, write, byWheelDown),
      );
      await t.test("the Home key goes to the beginning", () =>
        homeKey(page, async () => {
          await page.send("lines 60");
          await page.rests();
        }),
      );
    });

    await t.test("while receiving a thousand chunks per second", async (t) => {
      await page.toEnd();
      await page.send("flood");
      await waitFor(() => page.evaluate(() => document.body.textContent.includes("word-50 ")), "it writes");
      const write = ({ words }) =>
        waitFor(async () => (await page.look()).words > words + moreWords, "more is written");
      await letsGo(t, page, write);
      await t.test("the reading position stays while the scrollbar is held", () => holdsThumb(page, write));
      await t.test("following resumes after a drag to the end", () => followsAgain(page, write, byBarDown));
      await page.point(...middle(await page.look()));
      await page.wheel(-400);
      await t.test("following resumes after the End key", () => followsAgain(page, write, byEndKey));
      await t.test("the Home key goes to the beginning", () =>
        homeKey(page, async () => {
          await page.send("");
          await page.rests();
        }),
      );
    });

    // The page shows only the last part of such an answer while it follows.
    await t.test("in an answer of 16,000 words", async (t) => {
      await page.toEnd();
      await page.send("flood 16000");
      await waitFor(async () => (await page.look()).words > 16_000, "it writes");
      const write = ({ words }) =>
        waitFor(async () => (await page.look()).words > words + moreWords, "more is written");
      await letsGo(t, page, write, ways(page).slice(0, 1));
      await t.test("the reading position stays while the scrollbar is held", () => holdsThumb(page, write));
      await t.test("following resumes after a drag to the end", () => followsAgain(page, write, byBarDown));
      await page.send("");
      await page.rests();
    });
  });
}
