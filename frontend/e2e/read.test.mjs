// Reading: find in a long chat, old messages, copying, editing and resending messages, and hostile model
// output.

import assert from "node:assert/strict";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";
import { startModel } from "./model.mjs";
import {
  message,
  renderedText,
  send,
  startChat,
  transcript,
  useModel,
  waitForIdle,
  waitForText,
} from "./page.mjs";

async function ready(t, { texts, ...options } = {}) {
  const model = await startModel({ texts });
  t.after(() => model.close());
  const env = await start(t, options);
  await useModel(env.page, model);
  await env.page.getByRole("button", { name: "Set up later" }).click();
  return { model, ...env };
}

const bar = (page) => page.getByRole("search", { name: "Find in this chat" });
/** inView reports whether `text`, which is part of the transcript, is inside the viewport. */
const inView = (page, text) =>
  page.evaluate((wanted) => {
    const scroller = document.querySelector(".scroll-frame > .scroll");
    const frame = scroller.getBoundingClientRect();
    const walker = document.createTreeWalker(scroller, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.data.indexOf(wanted);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      const box = range.getBoundingClientRect();
      if (box.height > 0 && box.top >= frame.top && box.bottom <= frame.bottom) return true;
    }
    return false;
  }, text);

test("Text is found anywhere in a long chat and scrolled into view", async (t) => {
  const long = Array.from({ length: 400 }, (_, n) => `Paragraph ${n} of the long answer.\n`).join("\n");
  const { page, folder } = await ready(t, { texts: { long } });
  await startChat(page, folder, "say the needle of the beginning", "My model");
  await waitForText(page, "You said: say the needle of the beginning");
  await waitForIdle(page);
  await send(page, "tell long");
  await waitForText(page, "Paragraph 399");
  await waitForIdle(page);
  await send(page, "say the needle of the end");
  await waitForText(page, "You said: say the needle of the end");
  await waitForIdle(page);
  assert.equal(await inView(page, "needle of the beginning"), false);

  await message(page).focus();
  await page.keyboard.press("Control+f");
  const field = bar(page).getByRole("searchbox", { name: "Find" });
  await field.fill("NEEDLE of the");
  const status = bar(page).getByRole("status");
  await waitFor(async () => /^\d of 4$/.test(await status.innerText()), "four matches are counted");
  const reached = new Set();
  for (let i = 0; i < 4; i++) {
    reached.add(await status.innerText());
    const before = await status.innerText();
    await page.keyboard.press(i % 2 === 0 ? "Enter" : "F3");
    await waitFor(async () => (await status.innerText()) !== before, "the next match is selected");
  }
  assert.deepEqual([...reached].sort(), ["1 of 4", "2 of 4", "3 of 4", "4 of 4"]);
  while ((await status.innerText()) !== "1 of 4") {
    const before = await status.innerText();
    await page.keyboard.press("Shift+F3");
    await waitFor(async () => (await status.innerText()) !== before, "the previous match is selected");
  }
  await waitFor(() => inView(page, "needle of the beginning"), "the first match is in view");
  assert.ok(await page.evaluate(() => CSS.highlights.get("found-now").size === 1), "the match is marked");
  // Matches in the middle of a long message are reached too.
  await field.fill("Paragraph 200 of");
  await waitFor(() => inView(page, "Paragraph 200 of"), "the middle of the long answer is in view");

  await page.keyboard.press("Escape");
  await bar(page).waitFor({ state: "detached" });
  assert.equal(await message(page).evaluate((element) => element === document.activeElement), true);
  assert.equal(await page.evaluate(() => CSS.highlights.size), 0);
});

test("A message is copied, edited and resent, and a stopped one is retried", async (t) => {
  const { page, app, folder } = await ready(t);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await startChat(page, folder, "say first", "My model");
  await waitForText(page, "You said: say first");
  await waitForIdle(page);
  const mine = transcript(page).getByRole("article", { name: /^You/ }).last();
  await mine.hover();
  await mine.getByRole("button", { name: "Edit and send again" }).click();
  await waitFor(async () => (await message(page).inputValue()) === "say first", "it is in the composer");
  await message(page).fill("say changed");
  await message(page).press("Enter");
  await waitForText(page, "You said: say changed");
  await waitForIdle(page);

  const answer = transcript(page)
    .getByRole("article", { name: /^VoxPilot/ })
    .last();
  await answer.getByRole("button", { name: "Copy message" }).click();
  await answer.getByText("Copied").waitFor({ state: "attached" });

  await send(page, "stream 5000 every 10");
  await waitForText(page, "word-5 ");
  await page.locator(".composer").getByRole("button", { name: "Stop" }).click();
  await page.getByText(/^Stopped[ ,]/).waitFor();
  await waitForIdle(page);
  await transcript(page).getByRole("button", { name: "Try again" }).last().click();
  await waitFor(
    async () => (await transcript(page).getByText("stream 5000 every 10", { exact: true }).count()) === 2,
    "it is sent again",
  );
  await page.locator(".composer").getByRole("button", { name: "Stop" }).click();
  await waitForIdle(page);
  assert.ok(app.running);
});

const hostile = [
  "<script>window.pwned = 1</script>",
  "<img src=x onerror=window.pwned=1>",
  "<svg onload=window.pwned=1>",
  "<iframe srcdoc='<script>parent.pwned=1</script>'></iframe>",
  "<p style='position:fixed;inset:0;background:red'>over everything</p>",
  "[run](javascript:window.pwned=1) [data](data:text/html,<script>parent.pwned=1</script>)",
  "![tracked](https://tracker.invalid/pixel.png)",
  "<form action='https://evil.invalid'><input name=q></form>",
  `${">".repeat(10_000)} deep`,
  `${"a.".repeat(8000)}@`,
  `${"x".repeat(200_000)}`,
  `|${"a|".repeat(2000)}\n|${"-|".repeat(2000)}\n|${"b|".repeat(2000)}`,
  "right\u202Eto left, and [a real link](https://example.com/a) and `src/none.go:3`",
  "The end of it.",
].join("\n\n");

test("Hostile model output runs nothing, loads nothing and doesn't break the layout", async (t) => {
  const { page, folder } = await ready(t, { texts: { hostile } });
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await startChat(page, folder, "tell hostile", "My model");
  await waitForText(page, "The end of it.");
  await waitForIdle(page);

  assert.equal(await page.evaluate(() => window.pwned), undefined);
  const own = new URL(page.url()).origin;
  assert.deepEqual(
    asked.filter(
      (url) => ![own, "blob:", "data:", own.replace("http", "ws")].some((good) => url.startsWith(good)),
    ),
    [],
  );
  const look = () =>
    page.evaluate(() => {
      const log = document.querySelector("[role=log]");
      const column = document.querySelector(".scroll-frame > .scroll");
      return {
        forbidden: log.querySelectorAll(
          "script, iframe, svg:not(.i), form, input, img, style, [style*=fixed]",
        ).length,
        links: [...log.querySelectorAll("a")].map((link) => link.getAttribute("href")),
        nodes: log.querySelectorAll("*").length,
        wide: column.scrollWidth - column.clientWidth,
        over: document.documentElement.scrollWidth - window.innerWidth,
      };
    });
  const isHarmless = (facts) => {
    assert.equal(facts.forbidden, 0);
    assert.ok(facts.nodes < 2000, `${facts.nodes} nodes`);
    assert.ok(facts.wide <= 0 && facts.over <= 0, "nothing sticks out");
  };
  // Only the part of such a long text near the viewport is in the DOM: at first the end of the text and,
  // after scrolling up, its start.
  const end = await look();
  isHarmless(end);
  assert.deepEqual(end.links, ["https://example.com/a"]);
  await page.locator(".scroll-frame > .scroll").hover();
  await waitFor(async () => {
    await page.mouse.wheel(0, -100_000);
    return (await look()).links.includes("https://tracker.invalid/pixel.png");
  }, "the beginning is shown");
  const beginning = await look();
  isHarmless(beginning);
  assert.deepEqual(beginning.links, ["https://tracker.invalid/pixel.png"]);
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  await page.getByRole("button", { name: /^Jump to latest/ }).click();
  await waitForText(page, "The end of it.");
  // The page still responds.
  await send(page, "say still here");
  await waitForText(page, "You said: say still here");
  await waitForIdle(page);

  // A link shows its target before it is opened.
  await transcript(page).getByRole("link", { name: "a real link" }).click();
  const question = page.getByRole("dialog", { name: "Open this link?" });
  assert.match(await renderedText(question), /https:\/\/example\.com\/a/);
  await question.getByRole("button", { name: "Cancel" }).click();
  // A missing file isn't opened; an error is shown.
  await transcript(page).getByRole("button", { name: "src/none.go:3" }).click();
  await transcript(page).getByRole("alert").waitFor();
});
