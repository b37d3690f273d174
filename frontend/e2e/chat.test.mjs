// The main workflow with the user's own model: ask, watch, allow, stop, continue, quit and return.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";
import { startModel, textOf } from "./model.mjs";
import {
  answerRequest,
  expandAll,
  message,
  openRow,
  renderedText,
  send,
  startChat,
  transcript,
  useModel,
  waitForIdle,
  waitForRow,
  waitForRunning,
  waitForText,
} from "./page.mjs";

/** ready starts a model and an app that uses it, with the new chat screen open. */
async function ready(t, options) {
  const model = await startModel();
  t.after(() => model.close());
  const env = await start(t, options);
  await useModel(env.page, model);
  await env.page.getByRole("button", { name: "Set up later" }).click();
  return { model, ...env };
}

/** userMessages returns the texts of the user's messages in a request to the model. */
const userMessages = (request) =>
  request.messages.filter((each) => each.role === "user").map((each) => textOf(each.content));

/** agentOf returns the process ID of the CLI. */
async function agentOf(app) {
  const found = (await app.processes()).find(({ command }) => command.includes("--acp"));
  assert.ok(found, "no agent runs");
  return found.pid;
}

const stop = (page) => page.locator(".composer").getByRole("button", { name: "Stop" }).click();
const queue = (page) => page.getByRole("list", { name: "Queued messages" });

test("A request is answered, carried out and stopped, and the chat continues after a restart", async (t) => {
  const { page, app, model, folder } = await ready(t, {
    files: { "a.txt": "one\n" },
    git: true,
    viewport: { width: 1280, height: 6000 }, // the whole transcript is on screen
  });

  // The answer streams, in a folder whose path was typed.
  await startChat(page, folder, "stream 60 every 10", "My model");
  await waitForText(page, "word-1 ");
  await waitForRunning(page);
  await waitForText(page, "word-60");
  await waitForIdle(page);

  // An edit shows its kind, file, diff and decision.
  await send(page, "edit a.txt one -> two");
  await answerRequest(page, "Allow once");
  await waitForIdle(page);
  assert.equal(await readFile(join(folder, "a.txt"), "utf8"), "two\n");
  await waitForRow(page, "Read a.txt", /Read/);
  await waitForRow(page, "Edited a.txt", /\+1[\s\S]*−1/);
  const diff = await openRow(page, "Edited a.txt");
  await diff.getByText(/^Allowed once by you/).waitFor();
  await diff.getByText("one", { exact: true }).waitFor();
  await diff.getByText("two", { exact: true }).waitFor();

  // A rejected command doesn't run.
  await send(page, "run touch made");
  await answerRequest(page, "Reject");
  await waitForIdle(page);
  await waitForRow(page, "You rejected running touch made", /You rejected running/);
  await assert.rejects(readFile(join(folder, "made")), { code: "ENOENT" });

  // A failed command shows its exit code and output.
  await send(page, "run echo out; echo err >&2; exit 3");
  await answerRequest(page, "Allow once");
  await waitForIdle(page);
  const output = await openRow(page, "Ran echo out");
  await waitForRow(page, "Ran echo out", /exit 3/);
  // The agent merges stdout and stderr as they arrive.
  await output.getByText(/^(out\s+err|err\s+out)/).waitFor();

  // A stream is stopped; the text received so far stays.
  await send(page, "stream 5000 every 5");
  await waitForText(page, "word-20 ");
  await stop(page);
  await page.getByText(/^Stopped[ ,]/).waitFor();
  await waitForIdle(page);
  assert.ok(!(await renderedText(transcript(page))).includes("word-5000"));

  // After the app has quit and restarted, the chat is unchanged and continues in the same session.
  const whole = async () => {
    await waitForText(page, /^Stopped[ ,]/);
    await expandAll(page);
    return renderedText(transcript(page));
  };
  await page.reload();
  const before = await whole();
  await app.restart();
  assert.equal(await whole(), before);
  await send(page, "say more");
  await waitForText(page, "You said: say more");
  await waitForIdle(page);
  const messages = userMessages(model.seen.at(-1)).join("\n");
  for (const text of ["stream 60 every 10", "edit a.txt one", "run touch made", "say more"]) {
    assert.ok(messages.includes(text), `the agent's request has “${text}”`);
  }
});

test("A message sent during a turn waits in the queue and doesn't end the turn", async (t) => {
  const { page, folder } = await ready(t);
  await startChat(page, folder, "stream 1500 every 10", "My model");
  await waitForText(page, "word-5 ");
  await send(page, "say second");
  await send(page, "say third");
  await send(page, "say fourth");
  await queue(page).getByText("say fourth").waitFor();
  assert.equal(await queue(page).getByRole("listitem").count(), 3);

  await page.getByRole("button", { name: "Edit queued message 2" }).click();
  await page.getByRole("textbox", { name: "Queued message 2" }).fill("say changed");
  await page.getByRole("textbox", { name: "Queued message 2" }).press("Enter");
  await queue(page).getByText("say changed").waitFor();
  await page.getByRole("button", { name: "Remove queued message 1" }).click();
  await queue(page).getByText("say second").waitFor({ state: "detached" });

  await waitForText(page, "You said: say changed");
  await waitForText(page, "You said: say fourth");
  await waitForIdle(page);
  const all = await renderedText(transcript(page));
  assert.match(all, /word-1500[\s\S]*say changed[\s\S]*say fourth/);
  assert.doesNotMatch(all, /say second|say third/);
  assert.equal(await queue(page).count(), 0);
});

test("Everything before the app was killed is restored, and the queue waits", async (t) => {
  const { page, app, model, folder } = await ready(t);
  await startChat(page, folder, "stream 5000 every 10", "My model");
  await waitForText(page, "word-30 ");
  await send(page, "say afterwards");
  await queue(page).getByText("say afterwards").waitFor();

  await app.kill();
  await waitFor(async () => (await app.processes()).length === 0, "the agent has ended with the app");
  await app.start();
  await page.goto(app.url);
  await waitForText(page, "word-30 ");
  await page.getByText(/^Interrupted[ ,]/).waitFor();
  await page.getByText("These messages won't be sent until you choose “Send now”.").waitFor();
  await page.getByRole("button", { name: "Send now" }).click();
  await page.getByRole("alert", { name: "Last message may be incomplete" }).waitFor();
  await waitForText(page, "You said: say afterwards");
  await waitForIdle(page);
  assert.ok(userMessages(model.seen.at(-1)).join("\n").includes("stream 5000"), "the session is the same");
});

test("An agent killed while streaming restarts in the same session", async (t) => {
  const { page, app, model, folder } = await ready(t);
  await startChat(page, folder, "say first", "My model");
  await waitForText(page, "You said: say first");
  await waitForIdle(page);
  await send(page, "stream 5000 every 10");
  await waitForText(page, "word-30 ");
  const killed = await agentOf(app);
  process.kill(killed, "SIGKILL");
  await waitForText(page, "Copilot stopped while answering");
  await page.getByRole("alert", { name: "Last message may be incomplete" }).waitFor();
  await waitForIdle(page);
  await waitForText(page, "word-30 ");
  assert.notEqual(await agentOf(app), killed);

  await message(page).waitFor();
  await send(page, "say second");
  await waitForText(page, "You said: say second");
  await waitForIdle(page);
  assert.ok(userMessages(model.seen.at(-1)).join("\n").includes("say first"), "the session is the same");
});
