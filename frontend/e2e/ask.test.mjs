// Questions of the model to the user: asked through Copilot and by a main AI, answered with the keyboard, kept across a
// reload, and answered in a message after a restart.

import assert from "node:assert/strict";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";
import { startModel, textOf } from "./model.mjs";
import { message, send, startChat, useModel, waitForIdle, waitForText } from "./page.mjs";

const wait = {
  question: "How long should it wait?",
  choices: [
    { label: "10 seconds", suggested: true },
    { label: "No limit", description: "Until it is done" },
  ],
};
const details = {
  question: "Details for the database",
  form: {
    type: "object",
    properties: {
      name: { type: "string", title: "Name", pattern: "^[a-z]+$", description: "Use small letters." },
      backup: { type: "boolean", title: "Daily backup", default: true },
    },
    required: ["name"],
  },
};

/** play makes the calls for "ask", and repeats their results. */
const play = (text, results, tools) => {
  const name = [...tools].find((tool) => /(^|-)ask_user$/.test(tool));
  const asks = /say ask both/.test(text) ? [wait, details] : /say ask once/.test(text) ? [wait] : [];
  if (!name || asks.length === 0) return;
  if (results.length === 0) return { calls: asks.map((args) => ({ name, args })) };
  return { say: `The answers are ${results.map((each) => textOf(each.content)).join(" and ")}` };
};

const card = (page) => page.getByRole("group", { name: /^(Question|Form): / });

async function ready(t) {
  const model = await startModel({ play });
  t.after(() => model.close());
  const env = await start(t);
  await useModel(env.page, model);
  await env.page.getByRole("button", { name: "Set up later" }).click();
  await startChat(env.page, env.folder, "say first", "My model");
  await waitForText(env.page, "You said: say first");
  await waitForIdle(env.page);
  return { ...env, model };
}

test("Copilot asks two questions, and gets the answers after a reload", async (t) => {
  const { page } = await ready(t);
  await send(page, "say ask both");
  await card(page).waitFor();
  await page.getByText("1 of 2").waitFor();
  assert.match(await page.getByRole("navigation", { name: "Chats" }).innerText(), /Asks: /);
  await page.reload();
  await card(page).waitFor();
  await page.getByText("1 of 2").waitFor();

  // The CLI may make the two calls in either order.
  for (let answered = 0; answered < 2; answered++) {
    await page.waitForTimeout(600); // the card ignores input at first
    if (await page.getByRole("group", { name: /^Question/ }).count()) {
      await card(page).focus();
      await page.keyboard.press("2");
      assert.equal(await page.getByRole("radio", { name: "No limit" }).getAttribute("aria-checked"), "true");
      await page.keyboard.press("Control+Shift+Enter");
      await page.getByRole("group", { name: /^Question/ }).waitFor({ state: "detached" });
      continue;
    }
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    await name.fill("Orbit");
    await page.keyboard.press("Tab");
    await waitFor(async () => (await name.getAttribute("aria-invalid")) === "true", "the problem is shown");
    await name.fill("orbit");
    await page.getByRole("button", { name: "Send answers" }).click();
    await page.getByRole("group", { name: /^Form/ }).waitFor({ state: "detached" });
  }
  await waitForText(page, '"answer":"No limit"');
  await waitForText(page, '"values":{"backup":true,"name":"orbit"}');
  await waitForText(page, "you answered: No limit");
  await waitForText(page, "you sent 2 answers");
  await waitForIdle(page);
});

test("a main AI asks, and Stop closes its question", async (t) => {
  const { page } = await ready(t);
  await page.getByRole("button", { name: /^Model: / }).click();
  await page
    .getByRole("option", { name: /^scripted-1/ })
    .last()
    .click();
  await send(page, "say ask once");
  await card(page).waitFor();
  await page.waitForTimeout(600); // the card ignores input at first
  await page.getByRole("textbox", { name: "Your own answer" }).fill("An hour");
  await page.keyboard.press("Enter");
  await waitForText(page, '"answer":"An hour"');
  await waitForIdle(page);

  await send(page, "say ask once more");
  await card(page).waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await card(page).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Answer in a message" }).click();
  await waitFor(
    async () => (await message(page).inputValue()).startsWith("You asked: How long should it wait?"),
    "the message quotes the question",
  );
});
