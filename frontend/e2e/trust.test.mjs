// A folder whose files can run code: none of them run before the user trusts the folder, and VoxPilot
// asks again after a change. The real CLI answers with a scripted model.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";
import { startModel } from "./model.mjs";
import { send, startChat, useModel, waitForIdle, waitForText } from "./page.mjs";

const hooks = (command) =>
  JSON.stringify({ version: 1, hooks: { sessionStart: [{ type: "command", bash: command }] } });
const sheet = (page) => page.getByRole("dialog", { name: "Trust this folder?" });
const banner = (page) => page.getByRole("alert", { name: "Trust needed" });
const agents = async (app) => (await app.processes()).filter(({ command }) => command.includes("--acp"));

/**
 * trust clicks "Trust this folder" until the trust sheet closes, because the sheet ignores input briefly after opening.
 */
async function trust(page) {
  const button = sheet(page).getByRole("button", { name: "Trust this folder" });
  await waitFor(async () => {
    if (!(await sheet(page).isVisible())) return true;
    await button.click({ timeout: 500 }).catch(() => {});
    return false;
  }, "the folder is trusted");
}

test("Executable folder contents wait for trust", async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  const { page, app, folder, home } = await start(t, {
    files: { ".github/hooks/e.json": hooks("touch ~/ran.txt"), "AGENTS.md": "Be kind.\n" },
    git: true,
  });
  const ran = () => existsSync(join(home, "ran.txt"));
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  await startChat(page, folder, "stream 3", "My model");

  // Nothing runs before the decision, and the file can be read.
  await sheet(page).getByText("touch ~/ran.txt").waitFor();
  await waitFor(
    () =>
      sheet(page)
        .getByRole("button", { name: "Open without running code" })
        .evaluate((each) => each === document.activeElement),
    "Open without running code has the focus",
  );
  await sheet(page).getByRole("button", { name: "Not now" }).focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await sheet(page).getByRole("region", { name: "Text of AGENTS.md" }).getByText("Be kind.").waitFor();
  await page.keyboard.press("Escape");
  await banner(page).waitFor();
  await page
    .getByRole("link", { name: /, needs you$/ })
    .getByText("Trust this folder to continue")
    .waitFor();
  assert.deepEqual(await agents(app), []);
  assert.equal(ran(), false);

  // Once the folder is trusted, the waiting message is sent and the hook runs.
  await banner(page).getByRole("button", { name: "Review…" }).click();
  await trust(page);
  await waitForText(page, "word-3");
  await waitForIdle(page);
  await waitFor(ran, "the hook ran");

  // Unchanged content isn't asked about; changed content is shown with its previous version.
  await app.restart();
  await send(page, "stream 4");
  await waitForText(page, "word-4");
  await waitForIdle(page);
  assert.equal(await sheet(page).isVisible(), false);
  await app.stop();
  await writeFile(join(folder, ".github/hooks/e.json"), hooks("touch ~/other.txt"));
  await app.start();
  await page.goto(app.url); // the chat's session is restored, so VoxPilot asks for trust
  await sheet(page).getByText("Before: touch ~/ran.txt").waitFor();
  await sheet(page).getByText("touch ~/other.txt").first().waitFor();

  // The folder changes again while the sheet is open: only the new list is trusted.
  await writeFile(join(folder, ".github/hooks/e.json"), hooks("touch ~/third.txt"));
  const trustIt = sheet(page).getByRole("button", { name: "Trust this folder" });
  await waitFor(async () => {
    await trustIt.click({ timeout: 500 }).catch(() => {});
    return sheet(page).getByText("touch ~/third.txt").first().isVisible();
  }, "the sheet shows the newer list");
  assert.equal(existsSync(join(home, "other.txt")), false);
  await trust(page);
  await send(page, "stream 5");
  await waitForText(page, "word-5");
  await waitForIdle(page);
  await waitFor(() => existsSync(join(home, "third.txt")), "the new hook ran");

  // Trusted folders are listed, and the trust can be revoked.
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Permissions" }).click();
  const list = page.getByRole("table", { name: "Trusted folders" });
  await list.getByText("2 items").waitFor();
  await list.getByRole("button", { name: /^Remove trust: / }).click();
  await page.getByText("No trusted folders yet.", { exact: false }).waitFor();
});
