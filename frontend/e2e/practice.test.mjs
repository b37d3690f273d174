// The first minutes without an account: practice mode.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";
import {
  answerRequest,
  message,
  openRow,
  renderedText,
  requestCard,
  send,
  transcript,
  waitForIdle,
  waitForRow,
  waitForRunning,
  waitForText,
} from "./page.mjs";

test("Practice demonstrates everything Copilot does, without an account", async (t) => {
  const { page, dataDir } = await start(t);
  const greeting = () => readFile(join(dataDir, "practice/hello-voxpilot/greeting.txt"), "utf8");

  await page.getByRole("button", { name: "Try it without an account" }).click();
  await message(page).waitFor();
  const original = await greeting();

  // Practice mode is marked in the header, the chat list and above the composer.
  await page.getByText("Practice mode: answers come from a built-in script, not an AI.").waitFor();
  await page.locator("header.bar .tag", { hasText: "Practice" }).waitFor();
  await page.getByRole("link", { name: /, practice/ }).waitFor();

  // An empty practice chat offers prompts; a click sends one.
  const prompts = page.getByRole("list", { name: "Three things to try" });
  await prompts.getByRole("button", { name: "Run the script" }).click();
  await requestCard(page).waitFor();
  assert.equal(await prompts.count(), 0);
  await answerRequest(page, "Reject");
  await waitForIdle(page);

  // The answer is streamed.
  const lengths = new Set();
  await send(page, "hello");
  await waitFor(async () => {
    const article = transcript(page).getByRole("article", { name: /^VoxPilot,/ });
    if ((await article.count()) === 0) return false;
    lengths.add((await renderedText(article)).length);
    return lengths.size >= 3;
  }, "the answer was seen at three different lengths");
  await waitForIdle(page);
  await waitForText(page, "Three things to try");

  // A rejected change isn't made.
  await send(page, "fix the typo in the greeting");
  await requestCard(page).waitFor();
  await requestCard(page).getByText("Helo", { exact: false }).first().waitFor();
  assert.equal(await greeting(), original, "nothing is written before the answer");
  await answerRequest(page, "Reject");
  await waitForIdle(page);
  await waitForRow(page, "You rejected editing greeting.txt", /You rejected editing/);
  assert.equal(await greeting(), original);

  // An allowed change is made.
  await send(page, "fix the typo in the greeting");
  await answerRequest(page, "Allow once");
  await waitForIdle(page);
  assert.notEqual(await greeting(), original);
  assert.match(await greeting(), /^Hello /);
  const diff = await openRow(page, "Edited greeting.txt");
  await diff.getByText(/^Allowed once by you/).waitFor();
  await diff.getByText("Helo from").waitFor();
  await diff.getByText("Hello from").waitFor();

  // The change can be reviewed: kept, reverted in the review and brought back there.
  await page.keyboard.press("Control+Shift+R");
  const review = page.getByRole("region", { name: "Diff of greeting.txt" });
  await review.getByText("Helo from").waitFor();
  await review.getByText("Hello from").waitFor();
  await review.getByRole("button", { name: "Revert change 1" }).click();
  const putBack = page.getByRole("button", { name: /^Undo: .* in greeting\.txt$/ });
  await putBack.waitFor();
  assert.equal(await greeting(), original);
  await putBack.click();
  await putBack.waitFor({ state: "detached" });
  assert.match(await greeting(), /^Hello /);
  await page.keyboard.press("Escape");
  await message(page).waitFor();

  // The change can be undone and redone.
  await waitForText(page, "Undo this turn's changes");
  await page.getByRole("button", { name: "Undo this turn's changes, 1 file" }).click();
  const redo = page.getByRole("button", { name: "Redo this turn's changes" });
  await redo.waitFor();
  assert.equal(await greeting(), original);
  await redo.click();
  await page.getByRole("button", { name: "Undo this turn's changes, 1 file" }).waitFor();
  assert.match(await greeting(), /^Hello /);

  // A command runs once allowed, and its output can be read.
  await send(page, "run the script");
  await answerRequest(page, "Allow once");
  await waitForIdle(page);
  await waitForText(page, "It exited with code 0.");
  const output = await openRow(page, "Ran sh ");
  await output.getByText(/^Allowed once by you/).waitFor();
  await output.getByText("2 lines, printed by hello.sh").waitFor();

  // The model asks a question and repeats the answer.
  await send(page, "ask me a question");
  const question = page.getByRole("group", { name: /^Question: Which line/ });
  await question.getByRole("radio", { name: "Good luck with your work." }).click();
  await page.waitForTimeout(600); // the card ignores input at first
  await question.getByRole("button", { name: "Answer", exact: true }).click();
  await waitForText(page, "The agent reports your answer");
  await waitForIdle(page);
  await waitForRow(page, "Asked Which line", /you answered: Good luck with your work\./);

  // The model presents a plan, gets it as edited, and carries it out without asking again for the allowed edit.
  await send(page, "make a plan");
  const plan = page.getByRole("group", { name: "Plan: Improve the greeting" });
  await plan.getByRole("listitem").first().hover();
  await plan.getByRole("button", { name: "Remove step 1" }).click();
  await page.waitForTimeout(600); // the card ignores input at first
  await plan.getByRole("button", { name: "Approve and allow edits" }).click();
  await waitForText(page, "If you had rejected it, the file wouldn't have changed.");
  await waitForIdle(page);
  await waitForRow(page, "Presented plan Improve the greeting", /you approved it and allowed edits/);

  // A long answer can be stopped, and the conversation continues.
  await send(page, "tell me a long story");
  await waitForText(page, "Mara had read");
  await waitForRunning(page);
  await page.locator(".composer").getByRole("button", { name: "Stop" }).click();
  await page.getByText(/^Stopped[ ,]/).waitFor();
  await waitForIdle(page);
  assert.equal(await transcript(page).getByText("That was the whole story").count(), 0);
  await send(page, "what do you remember?");
  await waitForText(page, "This is your message number 9");
  await waitForIdle(page);
  await waitForText(page, "tell me a long story");
});
