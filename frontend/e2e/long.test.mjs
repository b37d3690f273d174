// A very long chat: jumping to an old message is immediate, the scroll position is stable, and the page
// contains only a part of the chat.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { helper, start, waitFor } from "./harness.mjs";
import { message, send, transcript, waitForIdle, waitForText } from "./page.mjs";

const run = promisify(execFile);
const messages = 20_000;
const last = `This is answer number ${messages / 2}.`;

/** Number of items per response; mostPages is the maximum number of responses per step. */
const pageItems = 60;
const mostPages = 10;

test("In a chat of 20,000 messages the first message appears at once, and so does the newest", async (t) => {
  const { page } = await start(t, {
    prepare: async ({ dataDir, folder }) =>
      run(await helper("longchat"), [dataDir, folder, String(messages)]),
  });
  let fetched = 0;
  page.on("response", async (response) => {
    if (!/\/data\/(items|chat)\?/.test(response.url())) return;
    const { events } = await response.json();
    fetched += events.filter((event) => event.item).length;
  });
  const log = transcript(page);
  const inView = (text) =>
    log.getByText(text, { exact: true }).evaluateAll((found) =>
      found.some((each) => {
        const frame = each.closest(".scroll-frame > .scroll").getBoundingClientRect();
        const box = each.getBoundingClientRect();
        return box.height > 0 && box.top < frame.bottom && box.bottom > frame.top;
      }),
    );
  const sees = (text) => waitFor(() => inView(text), `"${text}" is in view`);
  const jump = page.getByRole("button", { name: "Jump to latest" });
  /** bounded asserts that a step fetched few items and that the DOM is small. */
  const bounded = async (what) => {
    assert.ok(fetched <= mostPages * pageItems, `${what} fetched ${fetched} items`);
    const nodes = await log.evaluate((element) => element.querySelectorAll("*").length);
    assert.ok(nodes < 2500, `after ${what} the transcript has ${nodes} nodes`);
    fetched = 0;
  };

  await page.getByRole("link", { name: "A long chat" }).click();
  await sees(last);
  await bounded("opening");

  await t.test("a search opens the first message", async () => {
    await page.keyboard.press("Control+Shift+f");
    const results = page.getByRole("region", { name: "Search results" });
    // Messages written without the app are indexed in the background.
    await page.getByRole("searchbox", { name: "Search all chats" }).fill('"question number 1 of"');
    const found = results.getByRole("button", { name: /^You/ });
    await found.waitFor({ timeout: 90_000 });
    fetched = 0;
    await found.focus();
    await page.keyboard.press("Enter");
    await sees("Question number 1 of all");
    await jump.waitFor();
    await bounded("the jump");
  });

  await t.test("the following messages scroll into view row by row", async () => {
    await log.hover();
    const seen = new Set();
    while (!(await inView("Question number 150 of all"))) {
      await page.mouse.wheel(0, 400);
      for (const text of await log.getByText(/^Question number \d+ of all$/).allInnerTexts()) {
        seen.add(Number(/\d+/.exec(text)[0]));
      }
      const nodes = await log.evaluate((element) => element.querySelectorAll("*").length);
      assert.ok(nodes < 2500, `while it is scrolled the transcript has ${nodes} nodes`);
    }
    for (let n = 1; n <= 150; n++) assert.ok(seen.has(n), `question ${n} was not passed`);
    await bounded("scrolling through 300 messages");
  });

  await t.test("Alt with the arrow keys moves past the loaded messages, back to the first one", async () => {
    await page.keyboard.press("Home");
    await sees("Question number 1 of all");
    for (let n = 1; n <= 40; n++) {
      await page.keyboard.press("Alt+ArrowDown");
      await page.keyboard.press("Alt+ArrowDown");
    }
    await waitFor(
      () => page.evaluate(() => document.activeElement.textContent.includes("Question number 41 of all")),
      "the 41st question has the focus",
    );
    fetched = 0;
  });

  await t.test("the newest message is shown again, and the chat continues", async () => {
    await jump.click();
    await sees(last);
    await jump.waitFor({ state: "detached" });
    await bounded("the way back");
    await send(page, "hello");
    await waitForText(page, "Three things to try");
    await waitForIdle(page);
    await sees(last).catch(() => {});
    await message(page).focus();
    await page.keyboard.press("Control+f");
    await page.getByRole("searchbox", { name: "Find", exact: true }).fill("answer number 5000.");
    await sees("This is answer number 5000.");
    await bounded("finding in the middle");
    await log.getByText("This is answer number 5000.", { exact: true }).click();
    await page.keyboard.press("End");
    await jump.waitFor({ state: "detached" });
    await waitFor(
      () => log.innerText().then((text) => text.includes("Three things to try")),
      "the end is shown",
    );
    const order = await log.getByText(/^Question number \d+ of all$/).allInnerTexts();
    assert.deepEqual(
      order,
      [...order].sort((a, b) => /\d+/.exec(a)[0] - /\d+/.exec(b)[0]),
    );
  });
});

test("Answers of 900 paragraphs paint their end in the first frame, and a search key marks the visible match", async (t) => {
  const { page } = await start(t, {
    prepare: async ({ dataDir, folder }) =>
      run(await helper("longchat"), ["-paragraphs", "900", dataDir, folder, "6"]),
  });
  // Every frame is inspected, starting before the page's own scripts.
  await page.addInitScript(() => {
    window.frames_ = [];
    // Records every node that is ever rendered, including those removed before a frame was shown.
    const made = { rows: new Set(), parts: new Set() };
    new MutationObserver((changes) => {
      for (const node of changes.flatMap((change) => [...change.addedNodes])) {
        if (!(node instanceof Element)) continue;
        for (const each of [node, ...node.querySelectorAll("*")]) {
          if (each.matches(".entry")) made.rows.add(each);
          if (each.matches(".prose > :not(.space)")) made.parts.add(each);
        }
      }
    }).observe(document, { childList: true, subtree: true });
    const look = () => {
      const log = document.querySelector("[role=log]");
      const frame = document.querySelector(".scroll-frame > .scroll")?.getBoundingClientRect();
      if (log?.querySelector(".prose")) {
        const parts = [...log.querySelectorAll(".prose > :not(.space)")];
        const seen = parts.filter((part) => {
          const box = part.getBoundingClientRect();
          return box.bottom > frame.top && box.top < frame.bottom;
        });
        window.frames_.push({
          drawn: parts.length,
          seen: seen.length,
          rows: made.rows.size,
          parts: made.parts.size,
        });
      }
      if (window.frames_.length < 20) requestAnimationFrame(next);
    };
    // An observer created in this frame runs after the page's own observers and before the frame is
    // painted.
    const next = () => {
      const observer = new ResizeObserver(() => {
        observer.disconnect();
        look();
      });
      observer.observe(document.documentElement);
    };
    requestAnimationFrame(next);
  });
  const frames = () =>
    waitFor(
      () => page.evaluate(() => window.frames_.length >= 20 && window.frames_),
      "twenty frames have been shown",
    );
  /**
   * tailFirst asserts that no frame of the chat is blank, that each renders only content near the
   * viewport, and that the first renders very little.
   */
  const tailFirst = async (when) => {
    const [first] = await frames();
    assert.ok(first.rows <= 1, `${when}: ${first.rows} rows were made for the first frame`);
    assert.ok(first.parts <= 24, `${when}: ${first.parts} paragraphs were made for the first frame`);
    for (const [n, { drawn, seen }] of (await frames()).entries()) {
      assert.ok(seen >= 3, `${when}: frame ${n} shows ${seen} paragraphs`);
      assert.ok(drawn < 120, `${when}: frame ${n} has ${drawn} paragraphs in the page`);
    }
    const end = transcript(page).getByText("Paragraph 900 of answer 3.");
    await waitFor(
      () => end.evaluate((part) => part.getBoundingClientRect().bottom <= innerHeight).catch(() => false),
      `${when}: the end is in view`,
    );
  };
  // An answer of more than 64 KB is sent along with the chat and needs no separate request.
  const pulled = [];
  page.on("request", (request) => request.url().includes("/data/text?") && pulled.push(request.url()));
  await page.reload();
  await page.getByRole("link", { name: "A long chat" }).click();
  await tailFirst("opened by a click");
  await page.reload();
  await tailFirst("open at the start");
  assert.deepEqual(pulled, []);

  await message(page).focus();
  await page.keyboard.press("Control+f");
  const field = page.getByRole("searchbox", { name: "Find", exact: true });
  const status = page.getByRole("search").getByRole("status");
  const end = transcript(page).getByText("Paragraph 900 of answer 3.");
  const place = () => end.evaluate((part) => Math.round(part.getBoundingClientRect().top));
  const before = await place();
  for (const typed of ["k", "ke", "kettle"]) {
    await field.fill(typed);
    await waitFor(async () => /of \d,\d{3}$/.test(await status.innerText()), "the matches are counted");
    await waitFor(
      () => page.evaluate(() => CSS.highlights.get("found-now")?.size === 1),
      "the match is marked",
    );
    const marked = await page.evaluate(() => CSS.highlights.get("found").size);
    assert.ok(marked > 0 && marked < 400, `${typed}: ${marked} matches are marked`);
    const drawn = await page.evaluate(() => document.querySelectorAll(".prose > :not(.space)").length);
    assert.ok(drawn < 150, `${typed}: ${drawn} paragraphs are in the page`);
  }
  assert.equal(await place(), before, "a visible match doesn't scroll");
  await field.fill("Paragraph 450 of answer 2");
  const middle = transcript(page).getByText("Paragraph 450 of answer 2", { exact: false });
  await waitFor(
    () =>
      middle
        .evaluate((part) => {
          const { top, bottom } = part.getBoundingClientRect();
          return top > 0 && bottom < innerHeight;
        })
        .catch(() => false),
    "the middle of the second answer is in view",
  );
});
