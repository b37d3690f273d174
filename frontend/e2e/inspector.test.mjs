// The inspector shows the agent's activity in a chat: files, commands, messages and processes. It can be
// operated by keyboard and at any window width.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";
import { startModel } from "./model.mjs";
import { answerRequest, renderedText, send, startChat, useModel, waitForIdle, waitForText } from "./page.mjs";

/** ready starts an app in which Copilot uses the scripted model. */
async function ready(t, options) {
  const model = await startModel();
  t.after(() => model.close());
  const env = await start(t, options);
  await useModel(env.page, model);
  await env.page.getByRole("button", { name: "Set up later" }).click();
  return { model, ...env };
}

const tab = (page, name) => page.getByRole("tab", { name, exact: true });
const focused = (locator) => locator.evaluate((element) => element === document.activeElement);

test("An edit and a command appear in the inspector, all reachable by keyboard", async (t) => {
  const { page, folder } = await ready(t, {
    files: { "greeting.go": 'package main\n\nconst greeting = "hello"\n' },
    git: true,
    viewport: { width: 1700, height: 900 },
  });
  await startChat(page, folder, "edit greeting.go hello -> goodbye", "My model");
  await answerRequest(page, "Allow once");
  await waitForText(page, "The file is changed.");
  await waitForIdle(page);

  // Opened with its shortcut, the inspector has the focus and shows one changed file.
  await page.keyboard.press("Control+j");
  await waitFor(() => focused(tab(page, "Changes")), "the tab has the focus");
  const tree = page.getByRole("tree", { name: "Changed files" });
  const file = tree.getByRole("treeitem", { name: "greeting.go, 1 added, 1 removed" });
  await file.waitFor();
  await waitFor(
    async () => /Changes\s*1/.test(await renderedText(tab(page, "Changes"))),
    "the tab counts the file",
  );

  // The diff compares the current file with the original.
  const diff = page.getByRole("region", { name: "Diff of greeting.go" });
  await waitFor(
    async () => /hello[\s\S]*goodbye/.test(await renderedText(diff)),
    "the diff shows both lines",
  );
  assert.equal(await diff.locator("mark").first().textContent(), "hello");

  // Arrow Right moves into the diff, Escape back to the file.
  await file.focus();
  await page.keyboard.press("ArrowRight");
  await waitFor(() => focused(diff), "the diff has the focus");
  await page.keyboard.press("Escape");
  await waitFor(() => focused(file), "the file has the focus again");

  // If there is enough room, the diff can be shown side by side; this choice persists.
  const edge = page.getByRole("separator", { name: "Inspector width" });
  await edge.focus();
  await page.keyboard.press("End");
  const split = page.getByRole("button", { name: "Side by side" });
  await split.click();
  await diff.locator(".dl2").first().waitFor();
  await page.reload();
  await diff.locator(".dl2").first().waitFor();
  assert.equal(await split.getAttribute("aria-pressed"), "true");

  // A second edit is merged with the first: the diff shows the net change.
  await send(page, "edit greeting.go goodbye -> welcome");
  await answerRequest(page, "Allow once");
  await waitFor(async () => {
    const text = await renderedText(diff);
    return /hello/.test(text) && /welcome/.test(text) && !/goodbye/.test(text);
  }, "the diff is net");
  await waitForIdle(page);

  // If another program changes the line too, the edits are listed one by one, with the reason.
  await writeFile(join(folder, "greeting.go"), 'package main\n\nconst greeting = "elsewhere"\n');
  await send(page, "run printf '\\033[32mgreen\\033[0m and plain\\n'; exit 3");
  await answerRequest(page, "Allow once");
  await waitForIdle(page);
  await page.getByText("The file was also changed outside Copilot").waitFor();

  // The terminal shows the command with its colors and exit code.
  await tab(page, "Changes").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await waitFor(() => focused(tab(page, "Terminal")), "the arrows lead to the terminal");
  const terminals = page.getByRole("tablist", { name: "Terminals" });
  await terminals.getByRole("tab", { name: /^printf .*exit 3$/ }).waitFor();
  const output = page.getByRole("region", { name: /^Terminal output: printf/ });
  await waitFor(async () => /green and plain/.test(await renderedText(output)), "the output is shown");
  assert.equal(await page.getByRole("button", { name: "Stop command" }).count(), 0);

  // The protocol log lists the messages in order and expands them.
  await page.keyboard.press("ArrowRight");
  const log = page.getByRole("table", { name: "Protocol log" });
  await log.waitFor();
  await page.getByRole("searchbox", { name: "Filter messages" }).fill("session/request_permission");
  const asked = log.getByRole("button", { name: "session/request_permission", exact: true }).last();
  await asked.click();
  await waitFor(async () => /"options": \[/.test(await renderedText(log)), "the message is shown");
  await page.getByRole("searchbox", { name: "Filter messages" }).fill("no such message");
  await page.getByText("No messages match “no such message”.").waitFor();

  // The chat's processes are listed below its sessions.
  await tab(page, "Sessions").click();
  await page.getByRole("button", { name: "Processes" }).click();
  const processes = page.getByRole("table", { name: "Copilot processes" });
  await waitFor(async () => /--acp/.test(await renderedText(processes)), "the agent is among the processes");
});

test("A command is displayed while it runs, and its stop is explained", async (t) => {
  const { page, folder } = await ready(t, { files: { "a.txt": "one\n" }, git: true });
  await startChat(page, folder, "run echo begun; sleep 600", "My model");
  await answerRequest(page, "Allow once");
  await page.getByRole("button", { name: "Inspector" }).click();
  await tab(page, "Terminal").click();
  const stop = page.getByRole("button", { name: "Stop command" });
  await stop.waitFor();
  assert.equal(await stop.getAttribute("title"), "Stops the answer this command belongs to");
  await stop.click();
  await waitForIdle(page);
  await waitFor(async () => (await stop.count()) === 0, "there is no Stop button");
});

test("The inspector keeps the focus when the window becomes too narrow for it", async (t) => {
  const { page, folder } = await ready(t, { files: { "a.txt": "one\n" } });
  await startChat(page, folder, "hello there", "My model");
  await page.keyboard.press("Control+j");
  await waitFor(() => focused(tab(page, "Changes")), "the tab has the focus");
  await page.getByText("No changes in this chat yet.").waitFor();
  await page.setViewportSize({ width: 900, height: 700 });
  await page.locator(".scrim").waitFor();
  await waitFor(() => focused(tab(page, "Changes")), "the tab still has the focus");
  await page.keyboard.press("Escape");
  await waitFor(() => focused(page.getByRole("button", { name: "Inspector" })), "the opener has the focus");
});
