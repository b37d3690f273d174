// The transcript of a long chat, tested in a browser because only a browser computes layout: the built
// page, with fixtures instead of the app for full control over timing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { preview } from "vite";
import { waitFor } from "./harness.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const count = 3000;
const pageSize = 60;
const base = { chatId: "c", session: "main", createdAt: 1, endedAt: 2 };

/** entry returns the events of the item at a position, as the app sends them. */
function entry(pos) {
  const item = { ...base, id: `i${pos}`, turnId: `t${Math.ceil(pos / 10)}`, pos, kind: "message" };
  const turn = { id: item.turnId, chatId: "c", session: "main", state: "done", startedAt: 1 };
  if (pos % 10 === 1) item.kind = "user";
  if (pos % 10 > 6) {
    item.kind = "tool";
    item.tool = { callId: item.id, title: "", kind: "read", status: "completed", path: `/f/${pos}.go` };
    return [{ turn }, { item }];
  }
  const text = `Item ${pos}. ${"word ".repeat((pos * 7) % 60)}`;
  return [{ turn }, { item }, { text: { itemId: item.id, chatId: "c", offset: 0, text, size: text.length } }];
}

function items(before) {
  const from = Math.max(1, before - pageSize);
  const events = Array.from({ length: before - from }, (_, i) => entry(from + i)).flat();
  return { run: "r", seq: 1, before: from > 1 ? from : 0, events };
}

const app = {
  run: "r",
  seq: 1,
  events: [
    { chat: { id: "c", title: "Long", folder: "/f", providerId: "copilot", createdAt: 1, updatedAt: 1 } },
    { cli: { state: "found", min: "1.0.78" } },
    { settings: { theme: "light", contrast: "normal", motion: "reduced", setupDone: true } },
  ],
};

async function open(t) {
  const server = await preview({
    root,
    preview: { port: 0, host: "127.0.0.1" },
    logLevel: "error",
  });
  t.after(() => server.close());
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  t.after(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.on("pageerror", (error) => assert.fail(error));
  await page.addInitScript(() => {
    localStorage.setItem("voxpilot.chat", "c");
    window.go = { main: { App: new Proxy({}, { get: () => () => Promise.resolve() }) } };
    window.runtime = {
      EventsOn: (_, callback) => {
        window.emit = callback;
        return () => {};
      },
    };
  });
  await page.route("**/data/**", (route) => {
    const url = new URL(route.request().url());
    if (url.pathname === "/data/app") return route.fulfill({ json: app });
    if (url.pathname === "/data/chat") return route.fulfill({ json: items(count + 1) });
    if (url.pathname === "/data/items")
      return route.fulfill({ json: items(Number(url.searchParams.get("before"))) });
    return route.fulfill({
      json: { path: "/f", name: "f", exists: true, branch: "", changed: 0, message: "" },
    });
  });
  await page.goto(server.resolvedUrls.local[0]);
  await page.getByText(`Item ${count - 4}.`).waitFor();

  let seq = 2;
  return {
    page,
    emit: async (...events) => {
      await page.evaluate((batch) => window.emit(batch), { run: "r", first: seq, events });
      seq += events.length;
    },
    /** left returns the distance in pixels from the bottom of the viewport to the end of the list. */
    left: () =>
      page.locator(".scroll").evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight),
    /** frames waits until pending changes have been rendered. */
    frames: () =>
      page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))),
  };
}

/** seen returns the first visible row and its position on the screen. */
const seen = () => {
  const edge = document.querySelector(".scroll").getBoundingClientRect().top;
  const row = [...document.querySelectorAll(".entry")].find(
    (e) => e.getBoundingClientRect().bottom > edge + 60,
  );
  return { key: row.dataset.key, y: Math.round(row.getBoundingClientRect().top) };
};
const whereIs = (key) =>
  Math.round(document.querySelector(`.entry[data-key="${key}"]`)?.getBoundingClientRect().top ?? Number.NaN);

test("A long chat opens at its end and keeps its scroll position", async (t) => {
  const { page, emit, left, frames } = await open(t);
  await waitFor(async () => (await left()) <= 1, "the list is at its end");
  assert.ok((await page.locator(".entry").count()) < 60, "only rows near the view are in the page");

  await t.test("scrolling up loads older pages without jumps", async () => {
    for (let step = 0; step < 40; step++) {
      await page.locator(".scroll").evaluate((list) => list.scrollBy(0, -400));
      const before = await page.evaluate(seen);
      await frames();
      await frames();
      const y = await page.evaluate(whereIs, before.key);
      assert.ok(Math.abs(y - before.y) <= 2, `step ${step}: ${before.key} went from ${before.y} to ${y}`);
    }
    await waitFor(() => page.getByText(`Item ${count - 300}.`).count(), "older pages came");
  });

  /** work returns the events of a delegated task with one command. */
  const work = (open) => [
    {
      turn: {
        id: "w",
        chatId: "c",
        session: "auth",
        blockId: "b",
        state: open ? "running" : "done",
        startedAt: 1,
      },
    },
    {
      item: {
        ...base,
        id: "b",
        turnId: "t",
        pos: count + 2,
        kind: "block",
        open,
        block: { toolCallId: "b", sessionName: "auth", turnId: "w", prompt: "Build it." },
      },
    },
    {
      item: {
        ...base,
        id: "k",
        turnId: "w",
        parentId: "b",
        session: "auth",
        pos: count + 3,
        kind: "tool",
        open,
        tool: {
          callId: "k",
          title: "",
          kind: "execute",
          command: "make",
          status: open ? "in_progress" : "completed",
        },
      },
    },
  ];
  const message = { ...base, id: "z", turnId: "t", pos: count + 1, kind: "message", open: true };
  let size = 0;
  const say = (text) => {
    const offset = size;
    size += text.length;
    return emit({ text: { itemId: "z", chatId: "c", offset, text, size } });
  };

  await t.test("an answer streaming below doesn't move the reading position", async () => {
    const before = await page.evaluate(seen);
    await emit(
      { turn: { id: "t", chatId: "c", session: "main", state: "running", startedAt: 1 } },
      { item: message },
    );
    for (let i = 0; i < 30; i++) await say(`Sentence ${i} of a long answer.${i % 5 === 4 ? "\n\n" : " "}`);
    await frames();
    assert.deepEqual(await page.evaluate(seen), before);
  });

  await t.test("Jump to latest goes to the end, which the list then follows", async () => {
    await page.getByRole("button", { name: "Jump to latest" }).click();
    for (let i = 30; i < 60; i++) await say(`Sentence ${i} of a long answer.${i % 5 === 4 ? "\n\n" : " "}`);
    await page.getByText("Sentence 59 of a long answer.").waitFor();
    await waitFor(async () => (await left()) <= 1, "the list follows");
    assert.equal(await page.getByRole("button", { name: "Jump to latest" }).count(), 0);
  });

  await t.test("a block is open while running, folds when done, and reopens in place", async () => {
    const block = page.locator("details.copilot-block").last();
    await emit({ item: { ...message, open: false } }, ...work(true));
    await page.locator("details.copilot-block[data-state=running][open]").waitFor();
    await emit(...work(false), {
      turn: { id: "t", chatId: "c", session: "main", state: "done", startedAt: 1 },
    });
    await page.locator("details.copilot-block[data-state=running]").waitFor({ state: "detached" });
    await waitFor(() => block.evaluate((details) => !details.open), "the block folds");
    const before = await block.evaluate((details) => details.getBoundingClientRect().top);
    await block.locator("summary").click();
    await block.getByRole("list", { name: "Tool calls" }).waitFor();
    await frames();
    const after = await block.evaluate((details) => details.getBoundingClientRect().top);
    assert.ok(Math.abs(after - before) <= 1, `the summary went from ${before} to ${after}`);
  });
});
