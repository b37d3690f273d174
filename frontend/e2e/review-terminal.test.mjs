// The review from a terminal, with real git: it opens the uncommitted changes of a folder. A merge conflict is
// resolved, and undoing the resolution brings the conflict back.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { start, waitFor } from "./harness.mjs";

const run = promisify(execFile);

test("The review opens from a terminal", async (t) => {
  const { app, page, folder } = await start(t, {
    files: { "a.txt": "one\ntwo\nthree\n" },
    git: true,
    viewport: { width: 1400, height: 900 },
  });
  await page.getByRole("button", { name: "Set up later" }).click();
  const file = join(folder, "a.txt");
  const voxpilot = (cwd, ...args) => run(app.program, args, { cwd, env: app.env });
  const git = (...args) =>
    run("git", ["-c", "user.name=Anna", "-c", "user.email=anna@example.org", ...args], { cwd: folder });
  const diff = page.getByRole("region", { name: "Diff of a.txt" });
  await writeFile(file, "one\nzwei\nthree\n");

  assert.equal((await voxpilot(folder, "review")).stdout, "");
  await page.getByRole("heading", { name: "Review", exact: true }).waitFor();
  await page.getByRole("button", { name: "Show changes: Uncommitted changes" }).waitFor();
  await diff.getByText("zwei").waitFor();

  await t.test("a folder below opens the same review", async () => {
    await mkdir(join(folder, "sub"));
    await page.getByRole("button", { name: "Back to chat" }).click();
    await voxpilot(join(folder, "sub"), "review");
    await diff.getByText("zwei").waitFor();
  });

  await t.test("a folder that can't be reviewed is named", async () => {
    await assert.rejects(voxpilot(folder, "review", "none"), /The folder .*none doesn't exist\./);
    await assert.rejects(voxpilot(folder, "review", "a.txt"), /a\.txt is a file\./);
  });

  await t.test("a conflict is resolved and brought back", async () => {
    await git("switch", "-q", "-c", "topic");
    await git("commit", "-q", "-a", "-m", "zwei");
    await git("switch", "-q", "-c", "other", "HEAD~1");
    await writeFile(file, "one\ndeux\nthree\n");
    await git("commit", "-q", "-a", "-m", "deux");
    await assert.rejects(git("merge", "topic"), ({ stdout }) => stdout.includes("CONFLICT"));
    const marked = await readFile(file, "utf8");
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    const showNew = page.getByRole("button", { name: "Show new version" });
    const both = page.getByRole("button", { name: "Use both, conflict 1" });
    await both.or(showNew).first().waitFor();
    if (await showNew.isVisible()) await showNew.click();
    await page.getByRole("button", { name: "Use this: Current, other" }).waitFor();
    await page.getByRole("button", { name: "Use this: Incoming, topic" }).waitFor();
    await both.click();
    await waitFor(
      async () => (await readFile(file, "utf8")) === "one\ndeux\nzwei\nthree\n",
      "both sides are in the file",
    );
    await page.getByRole("button", { name: "Undo: conflict resolved, both sides" }).click();
    await waitFor(async () => (await readFile(file, "utf8")) === marked, "the conflict is back");
    await both.waitFor();
  });
});
