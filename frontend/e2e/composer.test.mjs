// The composer: file mentions, images, the agent's mode, reordering the queue, and a draft that survives
// a reload and a restart.

import assert from "node:assert/strict";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";
import { startModel, textOf } from "./model.mjs";
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

/** ready starts a model and an app that uses it, and opens a chat with one answer. */
async function ready(t, options) {
  const model = await startModel();
  t.after(() => model.close());
  const env = await start(t, options);
  await useModel(env.page, model);
  await env.page.getByRole("button", { name: "Set up later" }).click();
  await startChat(env.page, env.folder, "say hello", "My model");
  await waitForText(env.page, "You said: say hello");
  await waitForIdle(env.page);
  return { model, ...env };
}

const attachments = (page) => page.getByRole("list", { name: "Attachments", exact: true });
const queue = (page) => page.getByRole("list", { name: "Queued messages" });

/** A red PNG of 8×8 pixels. */
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC";

/** pasteImage pastes an image into the message as if from the clipboard. */
async function pasteImage(page) {
  await message(page).evaluate((field, data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], "image.png", { type: "image/png" }));
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, png);
}

/** storedDraft returns the draft of the only chat as stored by the app. */
const storedDraft = (page) =>
  page.evaluate(async () => {
    const { events } = await (await fetch("/data/app")).json();
    const { draft = "", draftWith = [] } = events.find((event) => event.chat).chat;
    return { draft, names: draftWith.map(({ name }) => name) };
  });

/** storedOrder returns the queue order of the only chat as stored by the app. */
const storedOrder = (page) =>
  page.evaluate(async () => {
    const get = async (path) => (await (await fetch(path)).json()).events;
    const { chat } = (await get("/data/app")).find((event) => event.chat);
    const queued = (await get(`/data/chat?id=${chat.id}`)).flatMap((event) => event.queued ?? []);
    return queued.sort((a, b) => a.pos - b.pos).map(({ text }) => text);
  });

test("A draft with a file and an image survives a reload and a restart, and is sent complete", async (t) => {
  const { page, app, model } = await ready(t, {
    files: { "src/refresh.go": "package src\n", "built/refresh.js": "", ".gitignore": "built\n" },
    git: true,
  });

  // Ignored files aren't listed. Enter picks a file without sending.
  await message(page).pressSequentially("say look at @refr");
  const files = page.getByRole("listbox", { name: "Files" });
  await files.getByRole("option", { name: "src/refresh.go" }).waitFor();
  await waitFor(
    async () => (await files.getByRole("option").count()) === 1,
    "no other file has these letters",
  );
  await message(page).press("Enter");
  await waitFor(
    async () => (await message(page).inputValue()) === "say look at @src/refresh.go ",
    "the file is mentioned",
  );

  await pasteImage(page);
  const picture = attachments(page).getByRole("listitem").filter({ hasText: "pasted-1.png" });
  await picture.locator("img").waitFor();

  await waitFor(async () => (await storedDraft(page)).names.length === 2, "the draft is saved");
  assert.deepEqual(await storedDraft(page), {
    draft: "say look at @src/refresh.go ",
    names: ["src/refresh.go", "pasted-1.png"],
  });
  const isBack = async () => {
    await picture.locator("img").waitFor();
    assert.equal(await message(page).inputValue(), "say look at @src/refresh.go ");
  };
  await page.reload();
  await isBack();
  await app.restart();
  await isBack();

  await message(page).press("Enter");
  await waitForText(page, /You said: say look at @src\/refresh\.go/);
  await waitForIdle(page);
  await attachments(page).waitFor({ state: "detached" });
  assert.equal(await message(page).inputValue(), "");
  await waitFor(async () => (await storedDraft(page)).draft === "", "the app's draft is empty");
  assert.deepEqual((await storedDraft(page)).names, []);
  const asked = JSON.stringify(model.seen.at(-1).messages);
  assert.ok(asked.includes("src/refresh.go"), "the agent was told of the file");

  // While an image loads and decodes, its message never shrinks: a list that follows its end would mistake
  // that for scrolling by the user.
  await page.addInitScript(() => {
    window.lowest = Number.POSITIVE_INFINITY;
    new MutationObserver(() => {
      const boxes = document.querySelectorAll(".sent-with li");
      window.lowest = Math.min(window.lowest, ...[...boxes].map((box) => box.clientHeight));
    }).observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  await page.locator(".sent-with img").waitFor();
  assert.ok((await page.evaluate(() => window.lowest)) >= 20, "the message has kept its height");

  // Arrow Up restores the sent message with its attachments.
  await message(page).press("ArrowUp");
  await picture.waitFor();
  assert.match(await message(page).inputValue(), /^say look at @src\/refresh\.go/);
  await message(page).press("ArrowDown");
  await attachments(page).waitFor({ state: "detached" });
});

test("The agent's mode is chosen in the bar, and the queue is reordered", async (t) => {
  const { page, model } = await ready(t);

  const mode = async (from, to) => {
    await page.getByRole("button", { name: `Mode: ${from}` }).click();
    await page
      .getByRole("listbox", { name: "Mode" })
      .getByRole("option", { name: new RegExp(`^${to}`) })
      .click();
    await page.getByRole("button", { name: `Mode: ${to}` }).waitFor();
  };
  await mode("Agent", "Plan");
  await mode("Plan", "Agent");

  await send(page, "stream 20000 every 20");
  await waitForText(page, "word-5 ");
  for (const text of ["say one", "say two", "say three"]) await send(page, text);
  await queue(page).getByText("say three").waitFor();
  const order = async () =>
    (await queue(page).getByRole("listitem").allInnerTexts()).map((text) => /say \w+/.exec(text)?.[0]);
  assert.deepEqual(await order(), ["say one", "say two", "say three"]);

  await page.getByRole("button", { name: "Move queued message 1", exact: true }).focus();
  await page.keyboard.press("Alt+ArrowDown");
  await waitFor(async () => (await order())[1] === "say one", "the first one is the second");
  await waitFor(async () => (await storedOrder(page))[1] === "say one", "the app has it so");
  const row = (text) => queue(page).getByRole("listitem").filter({ hasText: text });
  await row("say three")
    .getByRole("button", { name: /^Move queued message/ })
    .dragTo(row("say two"));
  const turned = ["say three", "say two", "say one"];
  await waitFor(async () => (await order()).join() === turned.join(), "the last one is the first");
  await waitFor(async () => (await storedOrder(page)).join() === turned.join(), "the app has it so");
  await page.reload();
  await queue(page).getByText("say one").waitFor();
  assert.deepEqual(await order(), turned);

  // "Send now" moves a message to the front of the queue and ends the running turn.
  await row("say two").hover();
  await row("say two")
    .getByRole("button", { name: /^Send queued message \d now$/ })
    .click();
  await waitForText(page, "You said: say two");
  await waitForText(page, "You said: say three");
  await waitForText(page, "You said: say one");
  await waitForIdle(page);
  assert.equal(await queue(page).count(), 0);
  const all = await renderedText(transcript(page));
  assert.match(all, /You said: say two[\s\S]*You said: say three[\s\S]*You said: say one/);
  assert.doesNotMatch(all, /word-20000/);
  const messages = model.seen
    .at(-1)
    .messages.map((each) => textOf(each.content))
    .join("\n");
  assert.ok(messages.includes("stream 20000"), "the session is the same");
});
