// Going back to a message with the real CLI: files and conversation are restored and brought back, sending another
// message creates another version, and a new chat starts from a message. The requests to the model show which messages
// the agent remembers.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";
import { startModel, textOf } from "./model.mjs";
import {
  answerRequest,
  message,
  renderedText,
  send,
  startChat,
  transcript,
  useModel,
  waitForIdle,
  waitForText,
} from "./page.mjs";

const original = "one\nhello\nthree\n";
const edited = original.replace("hello", "goodbye");
const editWish = "edit a.txt hello -> goodbye";

/** three starts an app with a chat of three messages, the second of which has edited a.txt. */
async function three(t) {
  const model = await startModel();
  t.after(() => model.close());
  const env = await start(t, { files: { "a.txt": original }, git: true });
  const { page, folder } = env;
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  await startChat(page, folder, "say first", "My model");
  await waitForText(page, "You said: say first");
  await waitForIdle(page);
  await send(page, editWish);
  await answerRequest(page, "Allow once");
  await waitForText(page, "The file is changed.");
  await waitForIdle(page);
  await send(page, "say third");
  await waitForText(page, "You said: say third");
  await waitForIdle(page);
  /** remembered returns the user's messages in the newest request that offers tools to the model. */
  const remembered = () => {
    const last = model.seen.findLast((body) => body.tools?.length > 0);
    return last.messages
      .filter(({ role }) => role === "user")
      .map(({ content }) => textOf(content))
      .join("\n");
  };
  return { ...env, remembered, text: () => readFile(join(folder, "a.txt"), "utf8") };
}

const mine = (page, words) =>
  transcript(page).getByRole("article", { name: /^You/ }).filter({ hasText: words });
const menuOf = async (page, words) => {
  await mine(page, words).focus();
  await page.keyboard.press("z");
  const menu = page.getByRole("menu", { name: "Go back to here" });
  await menu.getByText("Checking the files…").first().waitFor({ state: "detached" });
  return menu;
};
const isGone = (page, words) =>
  transcript(page).getByText(words, { exact: true }).first().waitFor({ state: "detached" });
const inComposer = (page, words) =>
  waitFor(async () => (await message(page).inputValue()) === words, `“${words}” is in the composer`);
const wentBack = (page) => page.getByRole("status", { name: /^Went back to/ });

test("Files and conversation go back, come back, and another message makes another version", async (t) => {
  const { page, app, text, remembered } = await three(t);
  assert.equal(await text(), edited);
  let menu = await menuOf(page, editWish);
  const both = menu.getByRole("menuitem", { name: /^Go back to here/ });
  assert.match(
    await both.innerText(),
    /1 file will be restored, and this message and the one below it will be set aside/,
  );
  await page.keyboard.press("Enter");
  await wentBack(page).getByText("1 file restored, 2 messages set aside").waitFor();
  await inComposer(page, editWish);
  await isGone(page, "You said: say third");
  assert.equal(await text(), original);

  // The state outlives a restart, and nothing is lost.
  await app.restart();
  await wentBack(page).waitFor();
  await page.getByRole("button", { name: "Show set-aside messages" }).click();
  const aside = page.getByRole("dialog", { name: "Set-aside messages" });
  await aside.getByText("You said: say third").waitFor();
  await page.keyboard.press("Escape");
  await aside.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Bring everything back" }).click();
  await waitForText(page, "You said: say third");
  await wentBack(page).waitFor({ state: "detached" });
  assert.equal(await text(), edited);

  menu = await menuOf(page, editWish);
  await menu.getByRole("menuitem", { name: /^Go back to here/ }).click();
  await inComposer(page, editWish);
  await message(page).fill("say other");
  await message(page).press("Enter");
  await waitForText(page, "You said: say other");
  await waitForIdle(page);
  assert.match(remembered(), /say first/);
  assert.doesNotMatch(remembered(), /goodbye|say third/);
  await wentBack(page).waitFor({ state: "detached" });

  const versions = (n) => transcript(page).getByRole("group", { name: `Version ${n} of 2` });
  await versions(2).getByRole("button", { name: "Previous version" }).click();
  await waitForText(page, "You said: say third");
  await isGone(page, "You said: say other");
  await versions(1).waitFor();
  assert.equal(await text(), original, "a switch leaves the files alone");
  await send(page, "say fourth");
  await waitForText(page, "You said: say fourth");
  await waitForIdle(page);
  assert.match(remembered(), /say third/);
  assert.doesNotMatch(remembered(), /say other/);

  // Search finds the other version.
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByRole("searchbox", { name: "Search all chats" }).fill("say other");
  const hit = page.getByRole("region", { name: "Search results" }).getByRole("button", { name: /Set aside/ });
  await hit.first().dblclick();
  await aside.getByText("You said: say other").waitFor();
});

test("A file that was changed since is kept unless the user chooses otherwise", async (t) => {
  const { page, folder, text } = await three(t);
  const own = edited.replace("goodbye", "goodbye, and more");
  await writeFile(join(folder, "a.txt"), own);
  const menu = await menuOf(page, editWish);
  await menu.getByRole("menuitem", { name: /^Go back to here/ }).click();
  const sheet = page.getByRole("dialog", { name: "Go back to here?" });
  await sheet.getByRole("button", { name: "Go back", exact: true }).waitFor();
  await sheet.getByRole("button", { name: "Compare a.txt" }).click();
  const comparison = page.getByRole("dialog", { name: "Later changes to a.txt" });
  await waitFor(
    async () => /goodbye\s[\s\S]*goodbye, and more/.test(await renderedText(comparison)),
    "the comparison has both lines",
  );
  await page.keyboard.press("Escape");
  await comparison.waitFor({ state: "detached" });
  assert.equal(await text(), own, "nothing is written before the choice");
  await sheet.getByRole("radio", { name: "Restore" }).click();
  await sheet.getByRole("button", { name: "Go back and restore 1 file" }).click();
  await wentBack(page).waitFor();
  assert.equal(await text(), original);
  await page.getByRole("button", { name: "Bring everything back" }).click();
  await wentBack(page).waitFor({ state: "detached" });
  assert.equal(await text(), own);
});

test("A new chat starts from a message, and an edited message replaces the ones below", async (t) => {
  const { page, text, remembered } = await three(t);
  const menu = await menuOf(page, editWish);
  await menu.getByRole("menuitem", { name: /^Start a new chat from here/ }).click();
  await inComposer(page, editWish);
  await isGone(page, "You said: say third");
  await waitForText(page, "You said: say first");
  assert.equal(await text(), edited);
  await message(page).fill("say copied");
  await message(page).press("Enter");
  await waitForText(page, "You said: say copied");
  await waitForIdle(page);
  assert.match(remembered(), /say first/);
  assert.doesNotMatch(remembered(), /say third/);

  const first = mine(page, "say copied");
  await first.hover();
  await first.getByRole("button", { name: "Edit and send again" }).click();
  await page.getByText(/^Editing your message from/).waitFor();
  await message(page).fill("say corrected");
  await message(page).press("Enter");
  await waitForText(page, "You said: say corrected");
  await waitForIdle(page);
  await isGone(page, "You said: say copied");
  assert.doesNotMatch(remembered(), /say copied/);
  await transcript(page).getByRole("group", { name: "Version 2 of 2" }).waitFor();
});
