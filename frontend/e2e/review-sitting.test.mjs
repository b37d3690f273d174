// One sitting of a new user, without a terminal: a repository is cloned, changed, commented on, kept in part,
// committed and pushed to a bare repository. A second test reviews files without changed lines in a narrow window.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { start, waitFor } from "./harness.mjs";
import { startModel } from "./model.mjs";
import {
  answerRequest,
  message,
  renderedText,
  startChat,
  transcript,
  useModel,
  waitForIdle,
  waitForText,
} from "./page.mjs";

const run = promisify(execFile);
const lines = (change = {}) =>
  Array.from({ length: 40 }, (_, at) => `${change[at + 1] ?? `line ${at + 1}`}\n`).join("");

/** git runs a command in a folder and resolves to its trimmed output. */
const git = async (folder, ...args) => (await run("git", args, { cwd: folder })).stdout.trim();

/** openUncommitted opens the review of the uncommitted changes of the visible chat. */
async function openUncommitted(page) {
  const loaded = page.waitForResponse((response) => response.url().includes("/data/review-commit"));
  await page.keyboard.press("Control+Shift+R");
  await loaded;
  await page.getByRole("button", { name: /^Show changes:/ }).click();
  await page.getByRole("option", { name: "Uncommitted changes" }).click();
}

test("A new user clones, asks for a change, comments, keeps one part, commits and pushes", async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  const { page, folder, home } = await start(t, {
    viewport: { width: 1400, height: 900 },
    prepare: async ({ home }) => {
      await writeFile(join(home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.org\n");
      const seed = join(home, "seed");
      await git(home, "init", "-q", "-b", "main", "seed");
      await writeFile(join(seed, "a.txt"), lines());
      await git(seed, "add", "a.txt");
      await git(
        seed,
        "-c",
        "user.name=Bob",
        "-c",
        "user.email=bob@example.org",
        "commit",
        "-q",
        "-m",
        "Start",
      );
      await git(home, "clone", "-q", "--bare", "seed", "remote.git");
    },
  });
  const remote = join(home, "remote.git");
  const file = () => readFile(join(folder, "a.txt"), "utf8");
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();

  await startChat(page, folder, `run git clone -q ${remote} .`, "My model");
  await answerRequest(page, "Allow once");
  await waitForText(page, "The command said:");
  await waitForIdle(page);
  assert.equal(await file(), lines());
  const first = await git(folder, "rev-parse", "HEAD");
  await message(page).fill("run sed -i -e 's/^line 3$/third/' -e 's/^line 35$/wrong/' a.txt");
  await message(page).press("Enter");
  await answerRequest(page, "Allow once");
  await waitFor(
    async () => (await file()) === lines({ 3: "third", 35: "wrong" }),
    "Copilot changed the file",
  );
  await waitForIdle(page);

  // The answer's changes are commented on three lines, and the comments are sent.
  await page
    .getByRole("button", { name: /^Review/ })
    .last()
    .click();
  const diff = page.getByRole("region", { name: "Diff of a.txt" });
  await diff.getByRole("button", { name: "Revert change 2" }).waitFor();
  for (const [keys, name, text] of [
    ["n", "line 3", "Call it 3rd."],
    ["n", "line 35", "Is this right?"],
    ["Alt+ArrowDown", "line 35 of the old version", "This was right."],
  ]) {
    await page.locator(".rv-scroll").focus();
    await page.keyboard.press(keys);
    await page.keyboard.press("c");
    const field = page.getByRole("textbox", { name: `Comment for ${name}`, exact: true });
    await field.fill(text);
    await field.press("Control+Enter");
    await page.getByRole("article", { name: `Comment on ${name}`, exact: true }).waitFor();
  }
  await page.getByRole("textbox", { name: "Note for the whole review" }).fill("edit a.txt third -> 3rd");
  await page.locator(".rv-scroll").focus();
  await page.keyboard.press("Control+Enter");
  await diff.getByText("Sent", { exact: true }).first().waitFor();
  await page.keyboard.press("Escape");
  await answerRequest(page, "Allow once");
  await waitForIdle(page);
  const card = transcript(page).getByRole("region", { name: "Review with 3 comments" });
  await card.waitFor();
  assert.match(
    await renderedText(card),
    /Call it 3rd\.[\s\S]*This was right\.|This was right\.[\s\S]*Call it 3rd\./,
  );
  assert.equal(await file(), lines({ 3: "3rd", 35: "wrong" }));

  // One change is kept and the other one reverted. The rest is committed and pushed.
  await openUncommitted(page);
  await diff.getByRole("button", { name: "Revert change 2" }).waitFor();
  await page.locator(".rv-scroll").focus();
  await page.keyboard.press("n");
  await page.keyboard.press("k");
  await diff.getByRole("button", { name: "Kept, change 1" }).waitFor();
  await page.keyboard.press("n");
  await page.keyboard.press("r");
  await page.getByRole("button", { name: /^Undo: .* reverted in a\.txt$/ }).waitFor();
  assert.equal(await file(), lines({ 3: "3rd" }));
  const box = page.getByRole("region", { name: "Commit", exact: true });
  const text = box.getByRole("textbox", { name: "Commit message" });
  await page.keyboard.press("Control+Shift+K");
  await waitFor(
    () => text.evaluate((field) => field === document.activeElement),
    "the message has the focus",
  );
  await text.fill("Rename the third line");
  await box.getByRole("button", { name: "More ways to commit" }).click();
  await page.getByRole("menuitem", { name: "Commit and push" }).click();
  await box.getByText(/^Pushed to/).waitFor();
  assert.equal(await git(remote, "rev-parse", "main"), await git(folder, "rev-parse", "HEAD"));
  assert.equal(await git(folder, "rev-parse", "HEAD~1"), first);
  assert.equal(await git(remote, "show", "main:a.txt"), lines({ 3: "3rd" }).trim());
  assert.equal(
    await git(remote, "log", "-1", "--format=%s by %an <%ae>"),
    "Rename the third line by Ada <ada@example.org>",
  );
  assert.equal(await git(folder, "status", "--porcelain"), "");
});

test("Files without changed lines are staged and reverted in a narrow window, by keys and with the mouse", async (t) => {
  const binary = (last) => Buffer.from([0, 1, 2, last]);
  const { app, page, folder } = await start(t, {
    files: { "b.sh": "echo\n", "c.bin": "\0first", "d.txt": lines() },
    git: true,
    viewport: { width: 700, height: 800 },
    prepare: async ({ folder }) => {
      await chmod(join(folder, "b.sh"), 0o755);
      await writeFile(join(folder, "c.bin"), binary(3));
      await rename(join(folder, "d.txt"), join(folder, "e.txt"));
    },
  });
  await page.getByRole("button", { name: "Set up later" }).click();
  await run(app.program, ["review"], { cwd: folder, env: app.env });
  const diff = (path) => page.getByRole("region", { name: `Diff of ${path}` });
  const current = (path) => diff(path).locator(".rv-bar.on").waitFor();
  await diff("e.txt")
    .getByText(/^This file was moved from d\.txt/)
    .waitFor();
  await page.locator(".rv-scroll").focus();

  await page.keyboard.press("n");
  await current("b.sh");
  await page.keyboard.press("s");
  await waitFor(
    async () => (await git(folder, "diff", "--cached", "--name-only")) === "b.sh",
    "b.sh is staged",
  );
  await diff("b.sh").getByText("Staged", { exact: true }).waitFor();
  await page.keyboard.press("n");
  await current("c.bin");
  await page.keyboard.press("r");
  await waitFor(
    async () => (await readFile(join(folder, "c.bin"), "utf8")) === "\0first",
    "c.bin is reverted",
  );
  await page.getByRole("button", { name: "Undo: c.bin reverted" }).waitFor();
  await page.keyboard.press("Control+z");
  await waitFor(
    async () => binary(3).equals(await readFile(join(folder, "c.bin"))),
    "c.bin is changed again",
  );
  await diff("e.txt").getByRole("button", { name: "Revert file e.txt" }).click();
  await waitFor(
    async () => (await readFile(join(folder, "d.txt"), "utf8").catch(() => "")) === lines(),
    "d.txt is back",
  );
  await diff("c.bin").getByRole("button", { name: "Stage c.bin" }).click();
  await waitFor(
    async () => (await git(folder, "diff", "--cached", "--name-only")) === "b.sh\nc.bin",
    "c.bin is staged",
  );
  assert.equal((await stat(join(folder, "b.sh"))).mode & 0o111, 0o111);
});
