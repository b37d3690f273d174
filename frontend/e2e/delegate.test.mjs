// Delegation to named Copilot sessions: each has its own block, runs in parallel, makes its own
// permission requests, and is restored after its process dies.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";
import { startModel, textOf } from "./model.mjs";
import {
  answerRequest,
  renderedText,
  requestCard,
  send,
  startChat,
  transcript,
  useModel,
  waitForIdle,
  waitForText,
} from "./page.mjs";

/**
 * ready starts an app with a chat that uses the scripted model, either through Copilot or as the
 * orchestrator, depending on `driver`.
 */
async function ready(t, driver, options = {}) {
  const model = await startModel();
  t.after(() => model.close());
  const env = await start(t, options);
  const { page } = env;
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  await startChat(page, env.folder, "say first", "My model");
  await waitForText(page, "You said: say first");
  await waitForIdle(page);
  if (driver === "a main AI") {
    await page.getByRole("button", { name: /^Model: / }).click();
    // Under Copilot the model runs the CLI; under Main AI it answers directly.
    await page
      .getByRole("option", { name: /^scripted-1/ })
      .last()
      .click();
  }
  return { ...env, model };
}

/** block returns the newest block of a session. */
const block = (page, name) =>
  transcript(page)
    .getByRole("group", { name: `Copilot [${name}]`, exact: true })
    .last();

/** state waits until the newest block of a session is in the state `wanted`. */
const state = (page, name, wanted) =>
  waitFor(
    async () =>
      (await block(page, name)
        .getAttribute("data-state", { timeout: 500 })
        .catch(() => "")) === wanted,
    `the block of ${name} is ${wanted}`,
  );

const agents = async (app) => (await app.processes()).filter((each) => / --acp\b/.test(each.command));

/**
 * userMessagesOf returns all user messages in the newest model request whose last user message contains
 * `text`.
 */
function userMessagesOf(model, text) {
  const request = model.seen.findLast((each) =>
    textOf(each.messages.findLast((m) => m.role === "user")?.content).includes(text),
  );
  return (request?.messages ?? []).filter((m) => m.role === "user").map((m) => textOf(m.content));
}

for (const driver of ["Copilot", "a main AI"]) {
  test(`Two sessions run in parallel for ${driver}, take follow-ups by name and survive their process`, async (t) => {
    const { page, app, folder, model } = await ready(t, driver);
    await send(page, "delegate one: work 150 touch one.txt | two: work 150 touch two.txt");

    // Both stream at the same time.
    await waitFor(
      async () =>
        (await Promise.all(["one", "two"].map((name) => renderedText(block(page, name))))).every((text) =>
          /word-\d+/.test(text),
        ),
      "both blocks have started",
    );
    for (const name of ["one", "two"]) await state(page, name, "running");
    assert.equal((await agents(app)).length, 1, "one process a chat");

    // Each makes its own request.
    await page.getByText("Request 1 of 2").waitFor();
    assert.match(await renderedText(transcript(page)), /Copilot \[one\]/);
    assert.equal(existsSync(join(folder, "one.txt")) || existsSync(join(folder, "two.txt")), false);
    await answerRequest(page, "Allow once");
    await page.getByText("Request 1 of 2").waitFor({ state: "detached" });
    await answerRequest(page, "Allow once");

    // Both blocks collapse when they are done, and their results are returned to the orchestrator.
    for (const name of ["one", "two"]) {
      await state(page, name, "done");
      await waitFor(async () => (await block(page, name).getAttribute("open")) === null, `${name} is folded`);
      assert.ok(existsSync(join(folder, `${name}.txt`)), `${name}.txt was made`);
      assert.match(await renderedText(block(page, name)), /— done[\s\S]*1 command/);
    }
    await waitForText(page, /They returned: /);
    assert.match(
      await renderedText(transcript(page)),
      /The work is done: touch one\.txt[\s\S]*The work is done: touch two\.txt/,
    );
    await waitForIdle(page);

    // A second task with the same name continues the same session.
    await send(page, "delegate one: say once more");
    await waitForText(page, /They returned: [\s\S]*You said: say once more/);
    await waitForIdle(page);
    assert.ok(
      userMessagesOf(model, "say once more").some((text) => text.includes("touch one.txt")),
      "the session remembers its task",
    );

    // After the agent was killed, it is restarted and its sessions are restored before the next prompt.
    const [agent] = await agents(app);
    process.kill(agent.pid, "SIGKILL");
    await waitFor(async () => (await agents(app)).every((each) => each.pid !== agent.pid), "it is gone");
    await send(page, "delegate one: say after one | two: say after two");
    await waitForText(
      page,
      /They returned: [\s\S]*You said: say after (one|two)[\s\S]*You said: say after (one|two)/,
    );
    await waitForIdle(page);
    for (const name of ["one", "two"]) {
      assert.ok(
        userMessagesOf(model, `say after ${name}`).some((text) => text.includes(`touch ${name}.txt`)),
        `${name} was restored`,
      );
    }
    await page.getByRole("button", { name: "Connection: Connected" }).waitFor();
  });
}

test("A streaming block continues after the window reloads, and folds when done", async (t) => {
  const { page, app } = await ready(t, "Copilot");
  await send(page, "delegate long: stream 300 every 15 ms");
  await waitFor(async () => /word-20\b/.test(await renderedText(block(page, "long"))), "it streams");
  await page.reload();
  await waitFor(
    async () => /word-20\b[\s\S]*word-120\b/.test(await renderedText(block(page, "long"))),
    "the whole block is shown and continues",
  );
  await state(page, "long", "done");
  await waitForText(page, /They returned: /);
  await waitForIdle(page);
  // After a restart the same block is loaded from the database.
  await app.restart();
  await block(page, "long").waitFor();
  assert.equal(await block(page, "long").getAttribute("data-state"), "done");
  assert.equal(await block(page, "long").getAttribute("open"), null);
  await block(page, "long").locator("summary").click();
  await waitFor(
    async () => /word-1\b[\s\S]*word-300\b/.test(await renderedText(block(page, "long"))),
    "its text is whole",
  );
});

test("One block can be stopped without the others", async (t) => {
  const { page } = await ready(t, "Copilot");
  await send(page, "delegate slow: stream 3000 every 20 ms | quick: work 100 true");
  await waitFor(async () => /word-5\b/.test(await renderedText(block(page, "slow"))), "it streams");
  await page.getByRole("button", { name: "Stop slow", exact: true }).click();
  await state(page, "slow", "stopped");
  await answerRequest(page, "Allow once");
  await state(page, "quick", "done");
  await waitForText(page, /They returned: /);
  await waitForIdle(page);
});

test("Stopping the answer stops everything it started", async (t) => {
  const { page, app } = await ready(t, "Copilot");
  await send(page, "delegate one: stream 3000 every 20 ms | two: work 20 sleep 1000");
  await waitFor(async () => /word-5\b/.test(await renderedText(block(page, "one"))), "it streams");
  await requestCard(page).waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).last().click();
  for (const name of ["one", "two"]) await state(page, name, "stopped");
  await waitFor(async () => (await requestCard(page).count()) === 0, "no request is pending");
  await waitForIdle(page);
  assert.ok((await app.processes()).every((each) => !/sleep 1000/.test(each.command)));
});

test("A partly visible request scrolls into view before keys answer it", async (t) => {
  const { page, folder } = await ready(t, "Copilot", { viewport: { width: 720, height: 480 } });
  await send(page, "delegate one: work 100 touch one.txt");
  await requestCard(page).waitFor();
  const bar = page.getByRole("button", { name: "Show request" });
  const allow = requestCard(page).getByRole("button", { name: "Allow once" });
  await transcript(page).hover();
  await page.mouse.wheel(0, -120);
  await bar.waitFor();
  assert.ok(await requestCard(page).isVisible(), "part of it is visible");
  await page.keyboard.press("Control+Shift+Enter");
  await bar.waitFor({ state: "detached" });
  assert.ok(await allow.isVisible(), "it still waits");
  assert.equal(existsSync(join(folder, "one.txt")), false);
  await answerRequest(page, "Allow once");
  await state(page, "one", "done");
  await waitForIdle(page);
});
