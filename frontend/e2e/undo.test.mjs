// Undo with the real CLI: a turn's changes are undone from the sheet, with a choice for a file with later changes, and
// a part of a file's changes is undone in the Changes tab.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";
import { startModel } from "./model.mjs";
import { answerRequest, renderedText, startChat, useModel, waitForIdle, waitForText } from "./page.mjs";

const original = "one\nhello\nthree\n";

/** edited starts an app with a chat whose agent has changed "hello" in a.txt to "goodbye". */
async function edited(t, options = {}) {
  const model = await startModel();
  t.after(() => model.close());
  const env = await start(t, { files: { "a.txt": original }, git: true, ...options });
  const { page, folder } = env;
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  await startChat(page, folder, "edit a.txt hello -> goodbye", "My model");
  await answerRequest(page, "Allow once");
  await waitForText(page, "The file is changed.");
  await waitForIdle(page);
  const text = () => readFile(join(folder, "a.txt"), "utf8");
  assert.equal(await text(), original.replace("hello", "goodbye"));
  return { ...env, text };
}

test("A file with later changes goes back only if the user chooses that, and can be redone", async (t) => {
  const { page, folder, text, app } = await edited(t);
  const mine = "one\ngoodbye, and more\nthree\n";
  await writeFile(join(folder, "a.txt"), mine);
  await page.getByRole("button", { name: "Undo this turn's changes, 1 file" }).click();
  const sheet = page.getByRole("dialog", { name: "Undo this turn's changes?" });
  const choices = sheet.getByRole("radiogroup", { name: "a.txt" });
  assert.equal(
    await choices.getByRole("radio", { name: "Keep current" }).getAttribute("aria-checked"),
    "true",
  );
  await sheet.getByText("Every file stays as it is.").waitFor();

  // The comparison shows the later changes.
  await sheet.getByRole("button", { name: "Compare a.txt" }).click();
  const comparison = page.getByRole("dialog", { name: "Later changes to a.txt" });
  await waitFor(
    async () => /goodbye\s[\s\S]*goodbye, and more/.test(await renderedText(comparison)),
    "the comparison has both lines",
  );
  await page.keyboard.press("Escape");
  await comparison.waitFor({ state: "detached" });
  assert.equal(await text(), mine, "nothing is written before the choice");

  await choices.getByRole("radio", { name: "Restore" }).click();
  await sheet.getByRole("button", { name: "Undo changes to 1 file" }).click();
  await page.getByRole("status", { name: "This turn's changes were undone" }).waitFor();
  assert.equal(await text(), original);

  // The undo is still known after a restart, and the redo brings the user's own change back.
  await app.restart();
  await page.getByRole("button", { name: "Redo this turn's changes" }).click();
  await page.getByRole("button", { name: "Undo this turn's changes, 1 file" }).waitFor();
  assert.equal(await text(), mine);
});

test("A part of a file's changes goes back from Changes, and can be redone", async (t) => {
  const { page, folder, text } = await edited(t, { viewport: { width: 1700, height: 900 } });
  await page.getByRole("button", { name: "Inspector" }).click();
  const diff = page.getByRole("region", { name: "Diff of a.txt" });
  await diff.getByRole("button", { name: "Undo lines 1 to 3" }).click();
  const redo = page.getByRole("button", { name: "Redo the change to a.txt" });
  await redo.waitFor();
  assert.equal(await text(), original);
  await page.getByText("No net changes to this file.").waitFor();
  await redo.click();
  await redo.waitFor({ state: "detached" });
  assert.equal(await text(), original.replace("hello", "goodbye"));

  // After a change to the same line, both sides are shown and nothing is written.
  const mine = "one\ngoodbye, and more\nthree\n";
  await writeFile(join(folder, "a.txt"), mine);
  await diff.getByRole("button", { name: /^Undo line/ }).click();
  const sides = page.getByRole("dialog", { name: "a.txt has later changes in the same place" });
  await waitFor(async () => /and more[\s\S]*hello/.test(await renderedText(sides)), "both sides are shown");
  assert.equal(await text(), mine);
});
