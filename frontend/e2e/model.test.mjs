// A user-provided model: manual setup, with the key stored only in the keychain.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { start } from "./harness.mjs";
import { startModel } from "./model.mjs";
import { answerRequest, message, openRow, send, useModel, waitForIdle, waitForText } from "./page.mjs";

/** filesWith returns the files under `folder` whose content includes `text` in UTF-8, UTF-16 or Base64. */
async function filesWith(text, folder) {
  const needles = [Buffer.from(text), Buffer.from(text, "utf16le"), Buffer.from(btoa(text))];
  const found = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    if (needles.some((needle) => bytes.includes(needle))) found.push(path);
  }
  return found;
}

test("A custom model answers, and its key is only in the keychain", async (t) => {
  const key = `sk-e2e-${randomBytes(12).toString("hex")}`;
  const header = randomBytes(12).toString("hex");
  const model = await startModel({ key, models: ["scripted-1", "scripted-2"] });
  t.after(() => model.close());
  const { page, app, dataDir, home, folder } = await start(t, { files: { "a.txt": "one\n" } });

  await useModel(page, { ...model, headers: `X-Team: ${header}` });
  await page.getByRole("combobox", { name: "Folder" }).fill(folder);
  await page.getByRole("combobox", { name: "Folder" }).press("Enter");
  await page.getByText("Not a Git repository").waitFor();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await message(page).waitFor();

  await send(page, "say hello");
  await waitForText(page, "You said: say hello");
  await waitForIdle(page);
  assert.equal(model.seen[0].model, "scripted-1");

  // Commands run by the agent can't see the key. The command searches for the key with a pattern that
  // doesn't contain it, because the command's text appears in the transcript.
  const [hiddenKey, hiddenHeader] = [key, header].map((text) => text.replace(/.$/, "[$&]"));
  await send(page, `run env | grep -c -e ${hiddenKey} -e ${hiddenHeader} || echo no key`);
  await answerRequest(page, "Allow once");
  await waitForIdle(page);
  await (await openRow(page, "Ran env")).getByText("no key").last().waitFor();
  await waitForText(page, /The command said: 0\s+no key/);

  // After a restart the key is read from the keychain.
  await app.restart();
  await send(page, "say it again");
  await waitForText(page, "You said: say it again");
  await waitForIdle(page);

  assert.deepEqual(await filesWith(key, dataDir), []);
  assert.deepEqual(await filesWith(key, home), []);
  assert.ok(!app.output().includes(key), "the key is in the app's files");
  for (const { command } of await app.processes()) assert.ok(!command.includes(key), command);

  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Your own model" }).click();
  await page.getByText(/^The server responded\. /).waitFor();
});

test("A model that rejects the key is reported with advice", async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  const { page } = await start(t);
  await useModel(page, { ...model, key: "wrong" });
  await page.getByRole("button", { name: "Set up later" }).click();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Your own model" }).click();
  await page.getByRole("region", { name: "My model" }).getByText("rejected the key").waitFor();
});
