// The sandbox as seen in the window, with the real CLI and bubblewrap: a command runs in it without asking, a command
// that fails in it can run again outside with permission, and access to an unlisted site requires permission.

import assert from "node:assert/strict";
import { access, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { start, waitFor } from "./harness.mjs";
import { startModel, textOf } from "./model.mjs";
import {
  activityRow,
  answerRequest,
  openRow,
  renderedText,
  requestCard,
  send,
  startChat,
  useModel,
  waitForIdle,
  waitForText,
} from "./page.mjs";

/**
 * play makes the model run the command that the app asks it to run outside the sandbox. model.mjs answers all
 * other messages.
 */
function play(wish, results) {
  const line = /^outside-sandbox -- .+$/m.exec(wish)?.[0];
  if (!line) return undefined;
  if (results.length === 0)
    return { calls: [{ name: "bash", args: { command: line, description: "Again" } }] };
  return { say: `It said: ${textOf(results.at(-1).content).trim()}` };
}

const exists = (path) =>
  access(path).then(
    () => true,
    () => false,
  );

test("Commands run in the sandbox, and leave it only if the user allows it", async (t) => {
  const model = await startModel({ play });
  t.after(() => model.close());
  const { page, folder } = await start(t);
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  await startChat(page, folder, "say first", "My model");
  await waitForText(page, "You said: say first");
  await waitForIdle(page);

  // The switch appears once the sandbox has passed its test.
  await page.getByRole("button", { name: /^Permissions: / }).click();
  const panel = page.getByRole("dialog", { name: "Permissions" });
  await panel.getByRole("switch", { name: "Run commands in a sandbox" }).click();
  await panel.getByRole("combobox", { name: "Write access" }).waitFor();
  await panel.getByRole("menuitemradio", { name: /^Allow edits/ }).click();
  await page.getByRole("button", { name: "Permissions: Allow edits, sandbox on" }).waitFor();

  await send(page, "run echo inside > made.txt");
  await waitFor(() => exists(join(folder, "made.txt")), "the command has run");
  await waitForIdle(page);
  assert.equal(await readFile(join(folder, "made.txt"), "utf8"), "inside\n");
  assert.match(await activityRow(page, "Ran echo inside").getAttribute("aria-label"), /, in the sandbox/);

  // Nothing can be written outside the folder. The user runs the command again without the sandbox.
  // The file isn't in /tmp, because commands in the sandbox have their own /tmp.
  const outside = fileURLToPath(new URL(`.out/escaped-${process.pid}.txt`, import.meta.url));
  t.after(() => rm(outside, { force: true }));
  await send(page, `run echo out > ${outside}`);
  await waitForText(page, "The command said:");
  await waitForIdle(page);
  assert.equal(await exists(outside), false);
  const row = await openRow(page, "Ran echo out");
  await row.getByRole("button", { name: "Run outside the sandbox…" }).click();
  await requestCard(page).getByText("Run outside the sandbox?").waitFor();
  assert.match(await renderedText(requestCard(page)), /This command ran in the sandbox/);
  await page.keyboard.press("Control+Shift+Enter");
  assert.equal(await exists(outside), false);
  await answerRequest(page, "Allow once outside the sandbox");
  await waitFor(() => exists(outside), "the command has run outside");
  await waitForIdle(page);

  // The connection waits for the user.
  await send(page, "run curl -sS --max-time 60 https://get.example.test/");
  const card = page.getByRole("group", { name: "Blocked connection to get.example.test" });
  await card.waitFor();
  assert.match(await renderedText(card), /curl -sS/);
  await waitFor(async () => {
    if ((await card.count()) === 0) return true;
    await card
      .getByRole("button", { name: "Keep blocked" })
      .click({ timeout: 500 })
      .catch(() => {});
    return false;
  }, "the request is answered");
  await waitForIdle(page);
  const blocked = activityRow(page, "Ran curl");
  await waitFor(
    async () => /blocked: get\.example\.test/.test(await renderedText(blocked)),
    "the row names the site",
  );
});
