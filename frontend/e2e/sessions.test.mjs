// The Copilot CLI's sessions on this computer, and conversations of other programs: found, read, opened as chats.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { start } from "./harness.mjs";
import { startModel } from "./model.mjs";
import { transcript, waitForText } from "./page.mjs";

const run = promisify(execFile);
const claude = fileURLToPath(new URL("../../backend/otherprograms/testdata/claude", import.meta.url));

/** terminal returns a function that runs a prompt with the Copilot CLI, as in a terminal. */
function terminal(model, home, folder) {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    COPILOT_OFFLINE: "true",
    COPILOT_PROVIDER_BASE_URL: model.url,
    COPILOT_PROVIDER_API_KEY: model.key,
    COPILOT_MODEL: "scripted-1",
  };
  return (prompt) =>
    run(process.env.VOXPILOT_TEST_COPILOT, ["-p", prompt, "--allow-all-tools", "--no-auto-update"], {
      env,
      cwd: folder,
      timeout: 120_000,
    });
}

const sessionsOf = async (home) =>
  (await readdir(join(home, ".copilot/session-state"))).filter((name) => /^[0-9a-f-]{36}$/.test(name));
const logOf = (home, id) => join(home, ".copilot/session-state", id, "events.jsonl");

test("Sessions of a terminal are found, read, rescued and opened as chats", {
  timeout: 300_000,
}, async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  let damaged = "";
  const { page, home } = await start(t, {
    prepare: async ({ home, folder }) => {
      const ask = terminal(model, home, folder);
      await ask("say the damaged one");
      [damaged] = await sessionsOf(home);
      const lines = (await readFile(logOf(home, damaged), "utf8")).trimEnd().split("\n");
      lines.splice(1, 0, '{"type":"broken');
      await writeFile(logOf(home, damaged), `${lines.join("\n")}\n`);
      await ask("run echo from the terminal");
      await mkdir(join(home, ".claude"), { recursive: true });
      await cp(claude, join(home, ".claude/projects"), { recursive: true });
    },
  });
  const before = await readFile(logOf(home, damaged), "utf8");
  await page.getByRole("button", { name: "Set up later" }).click();
  await page.getByRole("button", { name: "Continue a terminal session…" }).click();
  const list = page.getByRole("region", { name: "Sessions" });
  const preview = page.getByRole("region", { name: "Preview" });
  await page.getByRole("status", { name: "Result count" }).getByText("2 sessions").waitFor();

  // The session that can be read becomes a chat with its tool call.
  await list.getByRole("button", { name: /run echo from the terminal/ }).click();
  await preview.getByText("run echo from the terminal").first().waitFor();
  await preview.getByRole("button", { name: "Continue here" }).click();
  await waitForText(page, "run echo from the terminal");
  await page.getByText(/Continued from a terminal, \d+ messages/).waitFor();
  await transcript(page).getByText("echo from the terminal").first().waitFor();

  // Opening the session again shows the same chat.
  const chats = page.getByRole("navigation").getByRole("treeitem");
  const count = await chats.count();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("Continue a terminal");
  await page.keyboard.press("Enter");
  await list.getByRole("button", { name: /run echo from the terminal, in VoxPilot/ }).dblclick();
  await waitForText(page, "run echo from the terminal");
  assert.equal(await chats.count(), count);

  // A damaged session is rescued as a copy.
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("Continue a terminal");
  await page.keyboard.press("Enter");
  await list.getByRole("button", { name: /the damaged one, damaged/ }).click();
  await preview.getByRole("button", { name: "Rescue…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rescue a copy" }).click();
  await waitForText(page, "the damaged one");
  assert.equal(await readFile(logOf(home, damaged), "utf8"), before);
  assert.equal((await sessionsOf(home)).length, 3);

  // A conversation of another program opens as a chat, too.
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("Continue a terminal");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Agent: / }).click();
  await page.getByRole("option", { name: "Claude Code" }).click();
  await page.getByRole("status", { name: "Result count" }).getByText("1 session").waitFor();
  await page.getByRole("searchbox", { name: "Search Copilot sessions" }).press("Enter");
  await page.getByText(/From Claude Code, \d+ messages/).waitFor();
});

test("The search finds the texts of a terminal's sessions, if this is switched on", {
  timeout: 300_000,
}, async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  const { page } = await start(t, {
    prepare: async ({ home, folder }) => {
      const ask = terminal(model, home, folder);
      await ask("say rhubarb");
      await ask("run echo custard");
    },
  });
  await page.getByRole("button", { name: "Set up later" }).click();
  const field = page.getByRole("searchbox", { name: "Search all chats" });
  const results = page.getByRole("region", { name: "Search results" });
  const counted = page.getByRole("status", { name: "Result count" });
  const searchFor = async (text) => {
    await page.keyboard.press("Control+Shift+f");
    await field.fill(text);
  };
  await searchFor("custard ");
  await page.getByText(/Nothing matches/).waitFor();
  await page.getByRole("button", { name: "Search Copilot CLI sessions too…" }).click();
  const setting = page.getByRole("switch", { name: "Search Copilot CLI sessions too" });
  await setting.click();

  // The search repeats itself until the sessions are read.
  await searchFor("custard ");
  await results.getByRole("heading", { name: /run echo custard.*Copilot CLI session/ }).waitFor();
  await page.getByRole("region", { name: "Preview" }).getByText("run echo custard").first().waitFor();
  await searchFor("rhubarb ");
  await results.getByRole("heading", { name: /say rhubarb.*Copilot CLI session/ }).waitFor();
  await counted.getByText(/in 1 session/).waitFor();

  // Enter shows the session in the list, and Enter there continues it.
  await page.keyboard.press("Enter");
  await page.getByRole("searchbox", { name: "Search Copilot sessions" }).waitFor();
  await page
    .getByRole("region", { name: "Sessions" })
    .locator('[aria-current="true"]')
    .getByText("say rhubarb")
    .waitFor();
  await page.keyboard.press("Enter");
  await page.getByText(/Continued from a terminal, \d+ messages/).waitFor();

  // The end of its turn names the model.
  await transcript(page).getByText("scripted-1").first().waitFor();

  // From now on, it is found only in its chat.
  await searchFor("rhubarb ");
  await counted.getByText(/in 1 chat$/).waitFor();
  assert.equal(await results.getByText("Copilot CLI session").count(), 0);

  // Once the search in sessions is switched off, its texts are no longer found.
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Agent", exact: true }).click();
  await setting.click();
  await searchFor("custard ");
  await page.getByText(/Nothing matches/).waitFor();
});
