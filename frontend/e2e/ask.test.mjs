// Questions and plans: asked through Copilot, by a main AI and by another agent, answered with the keyboard, kept across
// a reload, and answered in a message after a restart.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";
import { startModel, textOf } from "./model.mjs";
import { message, send, startChat, useModel, waitForIdle, waitForRow, waitForText } from "./page.mjs";

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

const plan = { title: "The waiting time", plan: "1. Write `wait.txt`\n2. Write `more.txt`\n3. Test it" };

/** play makes the calls for "ask" or "plan", and repeats their results. */
const play = (text, results, tools) => {
  if (/say plan/.test(text)) {
    const name = [...tools].find((tool) => /(^|-)present_plan$/.test(tool));
    if (!name) return;
    if (results.length === 0) return { calls: [{ name, args: plan }] };
    return { say: `The decision is ${textOf(results.at(-1).content)}` };
  }
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

test("Copilot presents a plan, and gets it as edited after a reload", async (t) => {
  const { page } = await ready(t);
  const plans = page.getByRole("group", { name: "Plan: The waiting time" });
  const row = (text) => plans.getByRole("listitem").filter({ hasText: text });
  await send(page, "say plan");
  await plans.waitFor();
  assert.match(await page.getByRole("navigation", { name: "Chats" }).innerText(), /Plan ready to approve/);
  await row("more.txt").focus();
  await page.keyboard.press("Delete");
  await row("Test it").press("e");
  await page.getByRole("textbox", { name: "Step 2" }).fill("Test it twice");
  await page.keyboard.press("Enter");
  await row("wait.txt").hover();
  await page.getByRole("button", { name: "Comment on step 1" }).click();
  await page.getByRole("textbox", { name: "Comment on step 1" }).fill("In seconds");
  await row("Test it twice").focus();
  await page.reload();
  await row("Test it twice").waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Comment on step 1" }).inputValue(), "In seconds");
  await page.waitForTimeout(600); // the card ignores input at first
  await plans.focus();
  await page.keyboard.press("Control+Shift+Enter");
  await plans.waitFor({ state: "detached" });
  await waitForText(page, '"comment":"In seconds","line":1');
  await waitForText(page, '"outcome":"approved"');
  await waitForText(page, "Test it twice");
  await waitForText(page, "you approved it with your changes");
  await waitForIdle(page);

  await send(page, "say plan again");
  await plans.waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await plans.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Send in a message" }).click();
  await waitFor(
    async () => (await message(page).inputValue()).startsWith("Carry out this plan:\n\n1. Write `wait.txt`"),
    "the message holds the plan",
  );
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

/** An ACP agent that asks for a name and then for two web pages to be opened, and repeats the answers. */
const agent = `
import { createInterface } from "node:readline";
const say = (m) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...m }) + "\\n");
const asked = new Map();
const ask = (params) => new Promise((resolve) => {
  const id = "q" + asked.size;
  asked.set(id, resolve);
  say({ id, method: "elicitation/create", params: { sessionId: "s1", ...params } });
});
async function prompt(id) {
  const form = await ask({ mode: "form", message: "Which name?", requestedSchema: {
    type: "object", properties: { name: { type: "string", title: "Name" } }, required: ["name"] } });
  const page = await ask({ mode: "url", message: "Sign in to Example", elicitationId: "e1", url: "https://example.com/sign-in?from=a" });
  const odd = await ask({ mode: "url", message: "Sign in again", elicitationId: "e2", url: "https://example.com@192.0.2.7/" });
  const text = JSON.stringify([form, page, odd]);
  say({ method: "session/update", params: { sessionId: "s1", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } });
  say({ method: "elicitation/complete", params: { elicitationId: "e1" } });
  say({ id, result: { stopReason: "end_turn" } });
}
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) return asked.get(id)?.(result ?? error);
  if (id === undefined) return;
  if (method === "initialize") {
    const { form, url } = params.clientCapabilities.elicitation;
    return say({ id, result: { protocolVersion: 1, agentCapabilities: {}, agentInfo: { name: form && url ? "asker" : "", version: "1" } } });
  }
  if (method === "session/new") return say({ id, result: { sessionId: "s1" } });
  if (method === "session/prompt") return prompt(id);
  say({ id, error: { code: -32601, message: "no" } });
});
`;

test("another agent asks with a form and two web pages", async (t) => {
  const { page, folder } = await start(t, {
    prepare: ({ home }) => writeFile(join(home, "agent.mjs"), agent),
    env: {},
  });
  await page.getByRole("button", { name: "Set up later" }).click();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Agent", exact: true }).click();
  await page.getByRole("button", { name: "Add an agent" }).click();
  await page
    .getByLabel("Command or address")
    .fill(`${process.execPath} ${join(folder, "..", "home", "agent.mjs")}`);
  await page.getByLabel("Name", { exact: true }).fill("Asker");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Asker").waitFor();
  await page.getByRole("button", { name: "Back to chats" }).click();
  await startChat(page, folder, "ask me", "Asker");

  const form = page.getByRole("group", { name: "Form: Which name?" });
  await form.getByRole("textbox", { name: "Name" }).fill("orbit");
  await page.reload();
  await form.waitFor();
  assert.equal(await form.getByRole("textbox", { name: "Name" }).inputValue(), "orbit");
  await page.waitForTimeout(600); // the card ignores input at first
  await form.getByRole("button", { name: "Send answers" }).click();

  const site = page.getByRole("group", { name: "Web page: Sign in to Example" });
  const address = site.getByRole("region", { name: "Web address" });
  assert.equal(await address.innerText(), "https://example.com/sign-in?from=a");
  await page.waitForTimeout(600); // the card ignores input at first
  await site.getByRole("button", { name: "Open in browser" }).click();

  const odd = page.getByRole("group", { name: "Web page: This address isn't what it looks like" });
  await odd.getByText("The site is 192.0.2.7.").waitFor();
  assert.equal(await odd.getByRole("button", { name: "Open anyway…" }).count(), 0);
  await page.waitForTimeout(600); // the card ignores input at first
  await odd.getByRole("button", { name: "Decline" }).click();

  await waitForText(
    page,
    '[{"action":"accept","content":{"name":"orbit"}},{"action":"accept"},{"action":"decline"}]',
  );
  await waitForIdle(page);
  await waitForRow(page, "Asked to open example.com", /done/);
  await waitForRow(page, "Asked to open 192.0.2.7", /you declined/);
});
