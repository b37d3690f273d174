// Resilience and permissions as seen in the window: the agent is killed, loses its session, gets more
// permissions, or is stopped.

import assert from "node:assert/strict";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";
import { startModel } from "./model.mjs";
import {
  answerRequest,
  message,
  renderedText,
  requestCard,
  send,
  startChat,
  transcript,
  useModel,
  waitForIdle,
  waitForRunning,
  waitForText,
} from "./page.mjs";

/** ready starts an app with the user's own model and a chat with one answer. */
async function ready(t, options = {}) {
  const model = await startModel();
  t.after(() => model.close());
  const env = await start(t, options);
  await useModel(env.page, model);
  await env.page.getByRole("button", { name: "Set up later" }).click();
  await startChat(env.page, env.folder, "say first", "My model");
  await waitForText(env.page, "You said: say first");
  await waitForIdle(env.page);
  return { ...env, model };
}

/** agents returns the running agent processes. */
const agents = async (app) => (await app.processes()).filter((each) => / --acp\b/.test(each.command));

/**
 * has waits until the content of a file in the folder is exactly `text` and the turn that wrote the file
 * has ended.
 */
async function has(page, folder, name, text) {
  const read = () => readFile(join(folder, name), "utf8").catch(() => undefined);
  await waitFor(async () => (await read()) === text, `${name} is written`);
  await waitForIdle(page);
}

/** allow sets the permission mode of the chat. */
async function allow(page, mode) {
  await page.getByRole("button", { name: /^Permissions: / }).click();
  await page.getByRole("menuitemradio", { name: new RegExp(`^${mode}`) }).click();
  if (mode === "Allow everything") {
    const question = page.getByRole("dialog", { name: "Allow everything in this chat?" });
    await question.getByRole("button", { name: mode }).click();
  }
  await page.getByRole("button", { name: `Permissions: ${mode}` }).waitFor();
}

test("Edits proceed once allowed, and a command still asks", async (t) => {
  const { page, folder } = await ready(t, { files: { "a.txt": "one\n", "b.txt": "one\n" } });
  await send(page, "edit a.txt one -> two");
  await requestCard(page).waitFor();
  // Pending requests are covered too.
  await allow(page, "Allow edits");
  await has(page, folder, "a.txt", "two\n");
  await send(page, "edit b.txt one -> two");
  await has(page, folder, "b.txt", "two\n");
  await send(page, "run touch made.txt");
  await answerRequest(page, "Reject");
  await waitForIdle(page);
  await assert.rejects(readFile(join(folder, "made.txt")));
  await allow(page, "Allow everything");
  await send(page, "run touch made.txt");
  await has(page, folder, "made.txt", "");
  // The history lists every request with its decision.
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Permissions", exact: true }).click();
  await page.getByText("Request history").click();
  const audit = page.getByRole("table", { name: "Request history" });
  await audit.getByText("touch made.txt").first().waitFor();
  assert.match(
    await renderedText(audit),
    /Allowed by “Allow everything”[\s\S]*You rejected it[\s\S]*Allowed by “Allow edits”/,
  );
});

test("Copilot's own allow-all is the same setting and is turned off with it", async (t) => {
  const { page, folder } = await ready(t);
  await send(page, "/allow-all on");
  await page.getByRole("button", { name: "Permissions: Allow everything" }).waitFor();
  await waitForIdle(page);
  await send(page, "run touch made.txt");
  await has(page, folder, "made.txt", "");
  await allow(page, "Ask first");
  await send(page, "run touch other.txt");
  await answerRequest(page, "Reject");
  await waitForIdle(page);
  await assert.rejects(readFile(join(folder, "other.txt")));
});

test("An agent killed mid-answer restarts automatically", async (t) => {
  const { page, app } = await ready(t);
  await send(page, "stream 400 every 20 ms");
  await waitForText(page, /word-?\s?5\b|\b5\b/);
  const [agent] = await agents(app);
  process.kill(agent.pid, "SIGKILL");
  await page.getByRole("alert", { name: "Last message may be incomplete" }).waitFor();
  await page.getByRole("button", { name: "Connection: Connected" }).waitFor();
  // A single notice reports it and offers the next step.
  assert.equal(await transcript(page).getByRole("button", { name: "Ask Copilot to continue" }).count(), 1);
  await send(page, "say second");
  await waitForText(page, "You said: say second");
  await waitForIdle(page);
});

test("A lost session is rebuilt from the chat, with its conversation", async (t) => {
  const { page, app, dataDir, model } = await ready(t);
  await app.stop();
  const homes = join(dataDir, "models");
  for (const home of await readdir(homes)) {
    await rm(join(homes, home, "session-state"), { recursive: true, force: true });
  }
  await app.start();
  await page.goto(app.url);
  await message(page).waitFor();
  await send(page, "say second");
  await waitForText(page, "You said: say second");
  const rebuilt = page.getByRole("status", { name: "Session rebuilt from this chat" });
  await rebuilt.waitFor();
  assert.match(await renderedText(rebuilt), /1 message from this chat/);
  const roles = model.seen
    .at(-1)
    .messages.filter((each) => each.role !== "system")
    .map((each) => each.role);
  assert.deepEqual(roles, ["user", "assistant", "user"]);
  assert.match(JSON.stringify(model.seen.at(-1).messages), /say first.*You said: say first.*say second/s);
  await rebuilt.getByRole("button", { name: "Dismiss" }).click();
  await transcript(page).getByRole("status", { name: "Session rebuilt from this chat" }).waitFor();
  await waitForIdle(page);
});

test("A stopped agent restarts silently with the next message", async (t) => {
  const { page, app } = await ready(t);
  await page.getByRole("button", { name: "Connection: Connected" }).click();
  await page.getByRole("button", { name: "Stop Copilot" }).click();
  await page.getByRole("button", { name: "Connection: Not running" }).waitFor();
  await waitFor(async () => (await agents(app)).length === 0, "the agent is no longer running");
  await send(page, "say second");
  await waitForText(page, "You said: say second");
  await waitForIdle(page);
  assert.equal(await transcript(page).getByRole("alert").count(), 0);
});

test("A message queued when the app was killed waits for the user", async (t) => {
  const { page, app } = await ready(t);
  await send(page, "stream 2000 every 20 ms");
  await waitForRunning(page);
  await message(page).fill("say queued");
  await message(page).press("Enter");
  await page.getByRole("list", { name: "Queued messages" }).getByText("say queued").waitFor();
  await app.kill();
  await app.start();
  await page.goto(app.url);
  const queue = page.getByRole("list", { name: "Queued messages" });
  await queue.getByText("say queued").waitFor();
  await page.getByRole("button", { name: "Send now" }).click();
  await waitForText(page, "You said: say queued");
  await waitForIdle(page);
});

test("Another kind of agent answers", async (t) => {
  const { page, folder } = await start(t, {
    prepare: async ({ home }) => {
      await writeFile(join(home, "agent.mjs"), agent);
    },
    env: {},
  });
  await page.getByRole("button", { name: "Set up later" }).click();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Agent", exact: true }).click();
  await page.getByRole("button", { name: "Add an agent" }).click();
  await page
    .getByLabel("Command or address")
    .fill(`${process.execPath} ${join(folder, "..", "home", "agent.mjs")}`);
  await page.getByLabel("Environment").fill("GREETING=from a value");
  await page.getByLabel("Name", { exact: true }).fill("Parrot");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Parrot").waitFor();
  await page.getByRole("button", { name: "Back to chats" }).click();
  await startChat(page, folder, "hello parrot", "Parrot");
  await waitForText(page, "hello parrot, from a value");
  await waitForIdle(page);
});

/** A minimal ACP agent that echoes its prompt. */
const agent = `
import { createInterface } from "node:readline";
const say = (m) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...m }) + "\\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === "initialize") return say({ id, result: { protocolVersion: 1, agentCapabilities: {}, agentInfo: { name: "parrot", version: "1" } } });
  if (method === "session/new") return say({ id, result: { sessionId: "s1" } });
  if (method !== "session/prompt") return say({ id, error: { code: -32601, message: "no" } });
  const text = params.prompt.at(-1).text + ", " + process.env.GREETING;
  say({ method: "session/update", params: { sessionId: params.sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } });
  say({ id, result: { stopReason: "end_turn" } });
});
`;
