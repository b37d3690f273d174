// Blame with the real CLI: for a file changed by two messages and by the user, the source of each line is shown
// in Changes, from a file that a message mentions, and in the terminal.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { start, waitFor } from "./harness.mjs";
import { startModel } from "./model.mjs";
import { answerRequest, send, startChat, transcript, useModel, waitForIdle, waitForText } from "./page.mjs";

const run = promisify(execFile);
const first = "edit a.txt hello -> goodbye";
const second = "edit a.txt three -> drei";

test("Each line of a file leads to the message that wrote it", async (t) => {
  const model = await startModel({ texts: { where: "Look at `a.txt:5`." } });
  t.after(() => model.close());
  const { app, page, folder } = await start(t, {
    files: { "a.txt": "one\nhello\nthree\n" },
    git: true,
    viewport: { width: 1700, height: 900 },
  });
  const file = join(folder, "a.txt");
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  await startChat(page, folder, first, "My model");
  await answerRequest(page, "Allow once");
  await waitForText(page, "The file is changed.");
  await waitForIdle(page);
  await writeFile(file, `zero\n${await readFile(file, "utf8")}mine\n`);
  await send(page, second);
  await answerRequest(page, "Allow once");
  await waitFor(
    async () => (await readFile(file, "utf8")) === "zero\none\ngoodbye\ndrei\nmine\n",
    "both edits are made",
  );
  await waitForIdle(page);

  await page.getByRole("button", { name: "Inspector" }).click();
  await page.getByRole("button", { name: "Blame", exact: true }).click();
  const lines = page.getByRole("region", { name: "Blame for a.txt" });
  const rows = () => lines.locator(".dl").allTextContents();
  const wanted = [
    "Changed outside VoxPilot1zero",
    "Before VoxPilot tracked changes2one",
    `${first}3goodbye`,
    `${second}4drei`,
    "Changed outside VoxPilot5mine",
  ];
  await waitFor(async () => (await rows()).join("\n") === wanted.join("\n"), "each line has its message");

  await t.test("the message of a line is shown", async () => {
    await lines.getByRole("button", { name: /^Line 3: edit a\.txt hello/ }).click();
    await transcript(page).getByText(first).waitFor();
  });

  await t.test("the file that a message mentions opens at its line", async () => {
    await send(page, "tell where");
    await waitForText(page, "Look at");
    await waitForIdle(page);
    await lines.press("Escape");
    await page.getByRole("button", { name: "Blame", exact: true }).click();
    await lines.waitFor({ state: "detached" });
    await transcript(page).getByRole("button", { name: "a.txt:5" }).click({ button: "right" });
    await page.getByRole("menuitem", { name: "Blame" }).click();
    await waitFor(
      async () => (await lines.locator(".dl.at").allTextContents()).join() === wanted[4],
      "line 5 is marked",
    );
  });

  await t.test("the terminal prints the same", async () => {
    const blame = async (...args) =>
      (await run(app.program, ["blame", ...args], { cwd: folder, env: app.env })).stdout;
    const printed = (await blame("a.txt")).trimEnd().split("\n");
    assert.equal(printed.length, 5);
    for (const [n, source] of [
      "Changed outside",
      "Before VoxPilot",
      first,
      second,
      "Changed outside",
    ].entries()) {
      assert.ok(printed[n].includes(source), `line ${n + 1} is ${printed[n]}`);
    }
    assert.match(await blame("a.txt:4"), / edit a\.txt three -> drei +4\) drei\n$/);
    const [line] = JSON.parse(await blame("--json", "a.txt:3"));
    assert.deepEqual([line.line, line.text, line.certain, line.by[0].prompt], [3, "goodbye", true, first]);
    await assert.rejects(blame("a.txt:9"), /The file has no line 9\./);
  });
});
