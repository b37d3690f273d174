// The first minutes without an account: practice mode.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { start, until } from "./harness.mjs";
import {
  answer,
  card,
  free,
  message,
  openRow,
  rowSays,
  running,
  says,
  seen,
  send,
  transcript,
} from "./page.mjs";

test("Practice shows all that Copilot does, without an account", async (t) => {
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
  await card(page).waitFor();
  assert.equal(await prompts.count(), 0);
  await answer(page, "Reject");
  await free(page);

  // The answer streams.
  const lengths = new Set();
  await send(page, "hello");
  await until(async () => {
    const article = transcript(page).getByRole("article", { name: /^VoxPilot,/ });
    if ((await article.count()) === 0) return false;
    lengths.add((await seen(article)).length);
    return lengths.size >= 3;
  }, "the answer was seen at three different lengths");
  await free(page);
  await says(page, "Three things to try");

  // A rejected change isn't made.
  await send(page, "fix the typo in the greeting");
  await card(page).waitFor();
  await card(page).getByText("Helo", { exact: false }).first().waitFor();
  assert.equal(await greeting(), original, "nothing is written before the answer");
  await answer(page, "Reject");
  await free(page);
  await rowSays(page, "You rejected Edit greeting.txt", /You rejected Edit/);
  assert.equal(await greeting(), original);

  // An allowed change is made.
  await send(page, "fix the typo in the greeting");
  await answer(page, "Allow once");
  await free(page);
  assert.notEqual(await greeting(), original);
  assert.match(await greeting(), /^Hello /);
  const diff = await openRow(page, "Edited greeting.txt");
  await diff.getByText(/^Allowed once by you/).waitFor();
  await diff.getByText("Helo from").waitFor();
  await diff.getByText("Hello from").waitFor();

  // A command runs once allowed, and its output can be read.
  await send(page, "run the script");
  await answer(page, "Allow once");
  await free(page);
  await says(page, "It exited with code 0.");
  const output = await openRow(page, "Ran sh ");
  await output.getByText(/^Allowed once by you/).waitFor();
  await output.getByText("2 lines, printed by hello.sh").waitFor();

  // A long answer can be stopped, and the conversation continues.
  await send(page, "tell me a long story");
  await says(page, "Mara had read");
  await running(page);
  await page.locator(".composer").getByRole("button", { name: "Stop" }).click();
  await page.getByText(/^Stopped[ ,]/).waitFor();
  await free(page);
  assert.equal(await transcript(page).getByText("That was the whole story").count(), 0);
  await send(page, "what do you remember?");
  await says(page, "This is your message number 7");
  await free(page);
  await says(page, "tell me a long story");
});
