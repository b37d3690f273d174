// The main workflow with a model of the user's own: ask, watch, allow, stop, continue, quit and return.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { start, until } from "./harness.mjs";
import { startModel, textOf } from "./model.mjs";
import {
  answer,
  free,
  message,
  openRow,
  openWork,
  rowSays,
  running,
  says,
  seen,
  send,
  startIn,
  transcript,
  useModel,
} from "./page.mjs";

/** ready starts a model and an app that uses it, on the new chat screen. */
async function ready(t, options) {
  const model = await startModel();
  t.after(() => model.close());
  const world = await start(t, options);
  await useModel(world.page, model);
  await world.page.getByRole("button", { name: "Set up later" }).click();
  return { model, ...world };
}

/** said returns the texts of the user's messages in a request to the model. */
const said = (request) =>
  request.messages.filter((each) => each.role === "user").map((each) => textOf(each.content));

/** agentOf returns the process ID of the CLI. */
async function agentOf(app) {
  const found = (await app.processes()).find(({ command }) => command.includes("--acp"));
  assert.ok(found, "no agent runs");
  return found.pid;
}

const stop = (page) => page.locator(".composer").getByRole("button", { name: "Stop" }).click();
const queue = (page) => page.getByRole("list", { name: "Queued messages" });

test("A request is answered, acted on, stopped, and the conversation goes on after a restart", async (t) => {
  const { page, app, model, folder } = await ready(t, {
    files: { "a.txt": "one\n" },
    git: true,
    viewport: { width: 1280, height: 6000 }, // the whole transcript is on screen
  });

  // The answer streams, in a folder whose path was typed.
  await startIn(page, folder, "stream 60 every 10", "My model");
  await says(page, "word-1 ");
  await running(page);
  await says(page, "word-60");
  await free(page);

  // An edit shows its kind, file, diff and decision.
  await send(page, "edit a.txt one -> two");
  await answer(page, "Allow once");
  await free(page);
  assert.equal(await readFile(join(folder, "a.txt"), "utf8"), "two\n");
  await rowSays(page, "Read a.txt", /Read/);
  await rowSays(page, "Edited a.txt", /\+1[\s\S]*−1/);
  const diff = await openRow(page, "Edited a.txt");
  await diff.getByText(/^Allowed once by you/).waitFor();
  await diff.getByText("one", { exact: true }).waitFor();
  await diff.getByText("two", { exact: true }).waitFor();

  // A rejected command doesn't run.
  await send(page, "run touch made");
  await answer(page, "Reject");
  await free(page);
  await rowSays(page, "You rejected Run touch made", /You rejected Run/);
  await assert.rejects(readFile(join(folder, "made")), { code: "ENOENT" });

  // A failed command shows its exit code and output.
  await send(page, "run echo out; echo err >&2; exit 3");
  await answer(page, "Allow once");
  await free(page);
  const output = await openRow(page, "Ran echo out");
  await rowSays(page, "Ran echo out", /exit 3/);
  // The agent merges stdout and stderr as they arrive.
  await output.getByText(/^(out\s+err|err\s+out)/).waitFor();

  // A stream is stopped; the text received so far stays.
  await send(page, "stream 5000 every 5");
  await says(page, "word-20 ");
  await stop(page);
  await page.getByText(/^Stopped[ ,]/).waitFor();
  await free(page);
  assert.ok(!(await seen(transcript(page))).includes("word-5000"));

  // After a quit the chat is unchanged and continues in the same session.
  const whole = async () => {
    await says(page, /^Stopped, /);
    await openWork(page);
    return seen(transcript(page));
  };
  await page.reload();
  const before = await whole();
  await app.restart();
  assert.equal(await whole(), before);
  await send(page, "say more");
  await says(page, "You said: say more");
  await free(page);
  const messages = said(model.seen.at(-1)).join("\n");
  for (const text of ["stream 60 every 10", "edit a.txt one", "run touch made", "say more"]) {
    assert.ok(messages.includes(text), `the agent's request has “${text}”`);
  }
});

test("A message sent while a turn runs waits in the queue, and does not end the turn", async (t) => {
  const { page, folder } = await ready(t);
  await startIn(page, folder, "stream 400 every 10", "My model");
  await says(page, "word-5 ");
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

  await says(page, "You said: say changed");
  await says(page, "You said: say fourth");
  await free(page);
  const all = await seen(transcript(page));
  assert.match(all, /word-400[\s\S]*say changed[\s\S]*say fourth/);
  assert.doesNotMatch(all, /say second|say third/);
  assert.equal(await queue(page).count(), 0);
});

test("What had come before the app was killed is there, and the queue waits", async (t) => {
  const { page, app, model, folder } = await ready(t);
  await startIn(page, folder, "stream 5000 every 10", "My model");
  await says(page, "word-30 ");
  await send(page, "say afterwards");
  await queue(page).getByText("say afterwards").waitFor();

  await app.kill();
  await until(async () => (await app.processes()).length === 0, "the agent has ended with the app");
  await app.start();
  await page.goto(app.url);
  await says(page, "word-30 ");
  await page.getByText(/^Interrupted[ ,]/).waitFor();
  await page.getByText("These messages wait until you continue.").waitFor();
  await page.getByRole("button", { name: "Send now" }).click();
  await page.getByRole("alert", { name: "Last message may be incomplete" }).waitFor();
  await says(page, "You said: say afterwards");
  await free(page);
  assert.ok(said(model.seen.at(-1)).join("\n").includes("stream 5000"), "the session is the same");
});

test("An agent that is killed in a stream is started again, in the same session", async (t) => {
  const { page, app, model, folder } = await ready(t);
  await startIn(page, folder, "say first", "My model");
  await says(page, "You said: say first");
  await free(page);
  await send(page, "stream 5000 every 10");
  await says(page, "word-30 ");
  const killed = await agentOf(app);
  process.kill(killed, "SIGKILL");
  await says(page, "Copilot stopped while answering");
  await page.getByRole("alert", { name: "Last message may be incomplete" }).waitFor();
  await free(page);
  await says(page, "word-30 ");
  assert.notEqual(await agentOf(app), killed);

  await message(page).waitFor();
  await send(page, "say second");
  await says(page, "You said: say second");
  await free(page);
  assert.ok(said(model.seen.at(-1)).join("\n").includes("say first"), "the session is the same");
});
