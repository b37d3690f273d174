// The review with the real CLI and git, without a terminal: comments are sent to Copilot, a change is reverted, and the
// rest is committed and pushed to a bare repository. The GitHub CLI is replaced by a script that records its calls.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { start, waitFor } from "./harness.mjs";
import { startModel, textOf } from "./model.mjs";
import {
  answerRequest,
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

async function setIdentity(folder) {
  await git(folder, "config", "user.name", "Ada");
  await git(folder, "config", "user.email", "ada@example.org");
}

/**
 * fakeGh creates a folder with a GitHub CLI that appends its arguments to `calls` and the description of the pull
 * request that it opens to `body`.
 */
async function fakeGh(t) {
  const dir = await mkdtemp(join(tmpdir(), "voxpilot-gh-"));
  t.after(() => rm(dir, { recursive: true }));
  const [calls, body, open] = ["calls", "body", "open"].map((name) => join(dir, name));
  const pull = '{"number":7,"url":"https://github.com/ann/tool/pull/7","state":"OPEN","headRefName":"x"}';
  await writeFile(
    join(dir, "gh"),
    `#!/bin/sh
{ printf '[%s]' "$@"; echo; } >> ${calls}
case "$1 $2" in
"pr view") if [ -e ${open} ]; then echo '${pull}'; else echo 'no pull requests found for branch "x"' >&2; exit 1; fi;;
"pr create") cat > ${body}; touch ${open}; echo https://github.com/ann/tool/pull/7;;
"config get") echo ann;;
esac
`,
    { mode: 0o755 },
  );
  return { dir, calls: () => readFile(calls, "utf8"), body: () => readFile(body, "utf8") };
}

/** The model's review of the changes in a.txt, with a wrong line number. */
const reviewed = `I read the changes.

### a.txt:9
\`\`\`
line 4
\`\`\`
Call it 4th.

### a.txt:35
\`\`\`
wrong
\`\`\`
Is this right?`;

test("A turn's changes are commented, partly reverted, committed, pushed and proposed", async (t) => {
  const model = await startModel({
    play: (text) => (text.includes("Review the changes below") ? { say: reviewed } : undefined),
  });
  t.after(() => model.close());
  const gh = await fakeGh(t);
  const { page, folder, home, app } = await start(t, {
    files: { "a.txt": lines(), "docs/pull_request_template.md": "## Tests\n" },
    git: true,
    viewport: { width: 1400, height: 900 },
    env: { PATH: `${gh.dir}:${process.env.PATH}` },
    tolerate: [/ERR_CONNECTION_REFUSED/], // the open review looks for changes on disk while the app restarts
    prepare: async ({ folder, home }) => {
      // The remote is on GitHub, but pushes go to a bare repository.
      await git(home, "init", "-q", "--bare", "remote.git");
      await git(folder, "remote", "add", "origin", "https://github.com/ann/tool.git");
      await git(folder, "remote", "set-url", "--push", "origin", join(home, "remote.git"));
      await git(folder, "push", "-q", "origin", "main");
      await git(folder, "update-ref", "refs/remotes/origin/main", "main");
      await git(folder, "remote", "set-head", "origin", "main");
      await git(folder, "checkout", "-q", "-b", "x");
      await setIdentity(folder);
    },
  });
  const remote = join(home, "remote.git");
  const first = await git(folder, "rev-parse", "HEAD");
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  const change = "run sed -i -e 's/^line 3$/third/' -e 's/^line 35$/wrong/' a.txt";
  await startChat(page, folder, change, "My model");
  await answerRequest(page, "Allow once");
  await waitForText(page, "The command said:");
  await waitForIdle(page);
  assert.equal(await readFile(join(folder, "a.txt"), "utf8"), lines({ 3: "third", 35: "wrong" }));

  // Both changes are listed, and a comment on one of them stays a draft through a restart.
  await page.keyboard.press("Control+Shift+R");
  const diff = page.getByRole("region", { name: "Diff of a.txt" });
  await diff.getByRole("button", { name: "Revert change 2" }).waitFor();
  await page.keyboard.press("n");
  await page.keyboard.press("c");
  const field = page.getByRole("textbox", { name: /^Comment for line 3$/ });
  await field.fill("Call it 3rd.");
  await field.press("Control+Enter");
  const comment = page.getByRole("article", { name: "Comment on line 3" });
  await comment.waitFor();
  // Two more comments are added with the keyboard: one on a line, the other on two lines.
  for (const [keys, name, text] of [
    [Array(4).fill("Alt+ArrowDown"), "line 5", "Is this line used?"],
    [[...Array(4).fill("Alt+ArrowDown"), "Shift+ArrowDown"], "lines 5 to 6", "Explain these."],
  ]) {
    await page.locator(".rv-scroll").focus();
    for (const key of keys) await page.keyboard.press(key);
    await page.keyboard.press("c");
    const more = page.getByRole("textbox", { name: `Comment for ${name}`, exact: true });
    await more.fill(text);
    await more.press("Control+Enter");
    await page.getByRole("article", { name: `Comment on ${name}`, exact: true }).waitFor();
  }
  await app.restart();
  await comment.getByText("Call it 3rd.").waitFor();

  // Copilot reviews the changes on request. One of its comments is accepted, the other dismissed.
  await page.getByRole("button", { name: "Review options" }).click();
  await page.getByRole("menuitem", { name: "Ask Copilot for a review…" }).click();
  await page.getByRole("button", { name: "Start review" }).click();
  const suggestion = page.getByRole("article", { name: "Suggestion on line 4" });
  await suggestion.getByRole("button", { name: "Accept" }).click();
  await page.getByRole("article", { name: "Comment on line 4" }).waitFor();
  await page
    .getByRole("article", { name: "Suggestion on line 35" })
    .getByRole("button", { name: "Dismiss" })
    .click();
  await page.getByRole("region", { name: "Suggested comments" }).waitFor({ state: "detached" });

  // The first change is kept, and only the second one is reverted.
  await page.locator(".rv-scroll").focus();
  await page.keyboard.press("n");
  await page.keyboard.press("k");
  await diff.getByRole("button", { name: "Kept, change 1" }).waitFor();
  await diff.getByRole("button", { name: "Revert change 2" }).click();
  await page.getByRole("button", { name: /^Undo: .* reverted in a\.txt$/ }).waitFor();
  assert.equal(await readFile(join(folder, "a.txt"), "utf8"), lines({ 3: "third" }));

  // The comment becomes one message with path, line and code, and Copilot's next turn answers it.
  await page.getByRole("textbox", { name: "Note for the whole review" }).fill("edit a.txt third -> 3rd");
  await page.getByRole("button", { name: /^Send to/ }).click();
  await waitFor(
    async () => (await comment.getByText("Sent", { exact: true }).count()) > 0,
    "the comment is sent",
  );
  await page.keyboard.press("Escape");
  await answerRequest(page, "Allow once");
  await waitForIdle(page);
  const card = transcript(page).getByRole("region", { name: "Review with 4 comments" });
  await card.waitFor();
  assert.match(
    await renderedText(card),
    /a\.txt[\s\S]*third[\s\S]*Call it 3rd\.[\s\S]*Is this line used\?[\s\S]*Explain these\./,
  );
  assert.match(await renderedText(card), /Call it 4th\./);
  const sent = model.seen
    .flatMap((body) => body.messages)
    .filter((message) => message.role === "user")
    .map((message) => textOf(message.content))
    .find((text) => text.includes("Call it 3rd."));
  assert.match(sent, /a\.txt[\s\S]*3[\s\S]*third/);
  assert.equal(await readFile(join(folder, "a.txt"), "utf8"), lines({ 3: "3rd" }));

  // The rest is committed with the user's identity and pushed, and the index and the tree are clean afterward.
  await page.keyboard.press("Control+Shift+R");
  const box = page.getByRole("region", { name: "Commit", exact: true });
  const message = box.getByRole("textbox", { name: "Commit message" });
  await message.waitFor();
  await message.fill("Rename the third line");
  await box.getByRole("button", { name: "More ways to commit" }).click();
  await page.getByRole("menuitem", { name: "Commit and push" }).click();
  await box.getByText(/^Pushed to/).waitFor();
  const head = await git(folder, "rev-parse", "HEAD");
  const branch = await git(folder, "branch", "--show-current");
  assert.equal(await git(remote, "rev-parse", branch), head);
  assert.equal(await git(folder, "rev-parse", "HEAD~1"), first);
  assert.equal(
    await git(folder, "log", "-1", "--format=%s by %an <%ae>"),
    "Rename the third line by Ada <ada@example.org>",
  );
  assert.equal(await git(folder, "status", "--porcelain"), "");

  // The pull request starts from the commit's message and the repository's template.
  await box.getByRole("button", { name: "Pull request…" }).click();
  const sheet = page.getByRole("dialog", { name: "Open a pull request" });
  const title = sheet.getByRole("textbox", { name: "Title" });
  await title.waitFor();
  assert.equal(await title.inputValue(), "Rename the third line");
  await sheet.getByRole("checkbox", { name: "Open as a draft" }).check();
  await sheet.getByRole("button", { name: "Open pull request" }).click();
  await page.getByRole("link", { name: /^Pull request #7/ }).waitFor();
  assert.match(
    await gh.calls(),
    /\[pr\]\[create\]\[--repo\]\[github\.com\/ann\/tool\]\[--head\]\[x\]\[--title\]\[Rename the third line\].*\[--base\]\[main\]\[--draft\]/,
  );
  assert.equal((await gh.body()).trim(), "## Tests");
});

/** openUncommitted opens the review of the uncommitted changes of the visible chat. */
async function openUncommitted(page) {
  // The list of sources is loaded before the commit box. If it arrives while it is open, it closes.
  const loaded = page.waitForResponse((response) => response.url().includes("/data/review-commit"));
  await page.keyboard.press("Control+Shift+R");
  await loaded;
  await page.getByRole("button", { name: /^Show changes:/ }).click();
  await page.getByRole("option", { name: "Uncommitted changes" }).click();
}

/** trustFolder trusts the folder that a sheet asks about. */
async function trustFolder(sheet) {
  await waitFor(async () => {
    // The sheet ignores input briefly after opening.
    if (!(await sheet.isVisible())) return true;
    await sheet
      .getByRole("button", { name: "Trust this folder" })
      .click({ timeout: 500 })
      .catch(() => {});
    return false;
  }, "the folder is trusted");
}

test("A commit that a hook refuses leaves everything as it was and shows the hook's output", async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  const { page, folder } = await start(t, {
    files: { "a.txt": lines() },
    git: true,
    viewport: { width: 1400, height: 900 },
    prepare: async ({ folder }) => {
      await setIdentity(folder);
      const hook = join(folder, ".git/hooks/pre-commit");
      await writeFile(hook, "#!/bin/sh\necho 'line 3 must stay' >&2\nexit 1\n", { mode: 0o755 });
    },
  });
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  await startChat(page, folder, "run sed -i 's/^line 3$/third/' a.txt", "My model");
  const sheet = page.getByRole("dialog", { name: "Trust this folder?" });
  await sheet.waitFor();
  await trustFolder(sheet);
  await answerRequest(page, "Allow once");
  await waitForIdle(page);
  const before = await git(folder, "rev-parse", "HEAD");
  await page.keyboard.press("Control+Shift+R");
  const box = page.getByRole("region", { name: "Commit", exact: true });
  await box.getByText("Runs pre-commit").waitFor();
  const message = box.getByRole("textbox", { name: "Commit message" });
  await message.fill("Rename");
  await message.press("Control+Enter");
  await box.getByText("line 3 must stay").waitFor();
  assert.equal(await git(folder, "rev-parse", "HEAD"), before);
  assert.equal(await git(folder, "diff", "--cached", "--name-only"), "");
  await box.getByRole("button", { name: "Back to the commit message" }).click();
  assert.equal(await message.inputValue(), "Rename");
});

test("The commit box follows a revert, and a new hook can be trusted there", async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  const { page, folder } = await start(t, {
    files: { "a.txt": lines(), "b.txt": lines() },
    git: true,
    viewport: { width: 1400, height: 900 },
    prepare: async ({ folder }) => {
      await setIdentity(folder);
      for (const name of ["a.txt", "b.txt"]) await writeFile(join(folder, name), lines({ 3: "third" }));
    },
  });
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  await startChat(page, folder, "hello", "My model");
  await waitForIdle(page);
  await openUncommitted(page);
  const box = page.getByRole("region", { name: "Commit", exact: true });
  const message = box.getByRole("textbox", { name: "Commit message" });
  await box.getByRole("button", { name: "Files in the commit: All 2 files" }).waitFor();
  assert.match(await message.inputValue(), /a\.txt/);
  await page.getByRole("button", { name: "Revert change 1" }).first().waitFor();
  await page.locator(".rv-scroll").focus();
  await page.keyboard.press("n");
  await page.keyboard.press("r");
  await box.getByRole("button", { name: "Files in the commit: 1 file", exact: true }).waitFor();
  assert.match(await message.inputValue(), /b\.txt/);
  assert.doesNotMatch(await message.inputValue(), /a\.txt/);

  await writeFile(join(folder, ".git/hooks/pre-commit"), "#!/bin/sh\n", { mode: 0o755 });
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  const sheet = page.getByRole("dialog", { name: /^Trust/ });
  await box.getByRole("button", { name: "Review folder trust…" }).click();
  await sheet.waitFor();
  await trustFolder(sheet);
  await box.getByText("Runs pre-commit").waitFor();
  await box.getByRole("button", { name: "Commit", exact: true }).click();
  await box.getByText("1 file to main").waitFor();
  assert.equal(await git(folder, "show", "--format=", "--name-only", "HEAD"), "b.txt");
});

test("A change and single lines are staged, and the commit contains only these", async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  const changed = { 3: "third", 20: "line 20\nnew 1\nnew 2", 35: "wrong" };
  const { page, folder } = await start(t, {
    files: { "a.txt": lines() },
    git: true,
    viewport: { width: 1400, height: 900 },
    prepare: async ({ folder }) => {
      await setIdentity(folder);
      await writeFile(join(folder, "a.txt"), lines(changed));
    },
  });
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  await startChat(page, folder, "hello", "My model");
  await waitForIdle(page);
  await openUncommitted(page);
  const diff = page.getByRole("region", { name: "Diff of a.txt" });
  const staged = () => git(folder, "show", ":a.txt");
  const stagesTo = (change, what) =>
    waitFor(async () => `${await staged()}\n` === lines(change), `the index contains ${what}`);

  // A change by its button and back again, then by its key.
  await diff.getByRole("button", { name: "Stage change 1", exact: true }).click();
  await stagesTo({ 3: "third" }, "change 1");
  await diff.getByRole("button", { name: "Unstage change 1", exact: true }).click();
  await stagesTo({}, "no change");
  await diff.getByRole("button", { name: "Stage change 1", exact: true }).waitFor();
  await page.locator(".rv-scroll").focus();
  await page.keyboard.press("n");
  await page.keyboard.press("s");
  await stagesTo({ 3: "third" }, "change 1");
  await diff.getByRole("button", { name: "Unstage change 1", exact: true }).waitFor();

  // One of two added lines, chosen by its number.
  await diff.locator(".dl.a .n", { hasText: /^21$/ }).click();
  await page.keyboard.press("s");
  const some = { 3: "third", 20: "line 20\nnew 1" };
  await stagesTo(some, "change 1 and the line");
  await diff.getByText("Partly staged").first().waitFor();

  // The commit contains the staged changes; all other changes stay in the folder, uncommitted.
  const box = page.getByRole("region", { name: "Commit", exact: true });
  await box.getByRole("button", { name: "Files in the commit: 1 file staged" }).waitFor();
  await box.getByRole("textbox", { name: "Commit message" }).fill("Stage some");
  await box.getByRole("button", { name: "Commit", exact: true }).click();
  await box.getByText(/^Committed/).waitFor();
  assert.equal(`${await git(folder, "show", "HEAD:a.txt")}\n`, lines(some));
  assert.equal(await readFile(join(folder, "a.txt"), "utf8"), lines(changed));
  assert.equal(await git(folder, "status", "--porcelain"), "M a.txt");

  // The review immediately shows the remaining changes.
  await diff.getByRole("button", { name: "Revert change 3" }).waitFor({ state: "detached" });
  assert.equal(await diff.getByRole("button", { name: "Stage change 2", exact: true }).count(), 1);
  assert.equal(await page.getByRole("button", { name: "Show new version" }).count(), 0);

  // A change by another program is noticed without the window getting the focus.
  await writeFile(join(folder, "a.txt"), lines({ ...changed, 1: "elsewhere" }));
  await page.getByRole("status", { name: "Changed on disk" }).waitFor();
});

test("Selected code is copied with its blank lines, from one column only", async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  const before = "# Tool\n\nListens on port 8080.\n\nSecond paragraph.\n";
  const after = before.replace("8080", "9590");
  const { page, folder } = await start(t, {
    files: { "README.md": before },
    git: true,
    viewport: { width: 1400, height: 900 },
    prepare: ({ folder }) => writeFile(join(folder, "README.md"), after),
  });
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  await startChat(page, folder, "hello", "My model");
  await waitForIdle(page);
  await openUncommitted(page);
  const diff = page.getByRole("region", { name: "Diff of README.md" });
  await page.evaluate(() => {
    document.addEventListener("copy", ({ clipboardData }) => {
      document.body.dataset.copied = clipboardData.getData("text/plain");
    });
  });
  /**
   * copy drags from the end of the cell `to` to the start of the cell `from` above it, and returns the text that the
   * page then copies. At the start of a line, there may be the button that starts a comment, so the drag doesn't
   * start there.
   */
  const copy = async (from, to) => {
    const [a, b] = [await from.boundingBox(), await to.boundingBox()];
    await page.mouse.move(b.x + b.width - 10, b.y + b.height / 2);
    await page.mouse.down();
    await page.mouse.move(a.x + 1, a.y + a.height / 2, { steps: 8 });
    await page.mouse.up();
    await page.keyboard.press("Control+c");
    return page.evaluate(() => document.body.dataset.copied);
  };
  const cell = (text, n = 0) => diff.locator(".rv-rows .c", { hasText: text }).nth(n);
  // The texts of both sides are loaded.
  for (const text of ["8080", "9590", "Second paragraph."]) await cell(text).waitFor();
  const lines = ["# Tool", "", "Listens on port 8080.", "Listens on port 9590.", "", "Second paragraph."];
  assert.equal(await copy(cell("# Tool"), cell("Second paragraph.")), lines.join("\n"));

  await page.getByRole("radio", { name: "Split" }).click();
  await cell("Second paragraph.", 1).waitFor();
  const [old, now] = [before, after].map((text) => text.trimEnd());
  assert.equal(await copy(cell("# Tool", 1), cell("Second paragraph.", 1)), now);
  const highlight = (n) =>
    cell("Listens on port", n).evaluate((of) => getComputedStyle(of, "::selection").backgroundColor);
  assert.equal(await highlight(0), "rgba(0, 0, 0, 0)");
  assert.notEqual(await highlight(1), "rgba(0, 0, 0, 0)");
  assert.equal(await copy(cell("# Tool"), cell("Second paragraph.")), old);
});

test("The field of a comment is completely in view in a small window", async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  const { page, folder } = await start(t, {
    files: { "a.txt": lines() },
    git: true,
    viewport: { width: 720, height: 480 },
    prepare: ({ folder }) => writeFile(join(folder, "a.txt"), lines({ 8: "eighth", 35: "wrong" })),
  });
  await useModel(page, model);
  await page.getByRole("button", { name: "Set up later" }).click();
  await startChat(page, folder, "hello", "My model");
  await waitForIdle(page);
  await openUncommitted(page);
  await page.getByRole("button", { name: "Revert change 1" }).waitFor();
  const scroller = page.locator(".rv-scroll");
  await scroller.focus();
  for (let n = 1; n <= 2; n++) {
    await page.keyboard.press("n");
    await page.keyboard.press("c");
    const field = page.getByRole("textbox", { name: /^Comment for line/ });
    await field.waitFor();
    await waitFor(async () => {
      const view = await scroller.boundingBox();
      const button = await page.getByRole("button", { name: "Add comment" }).boundingBox();
      return button.y + button.height <= view.y + view.height;
    }, `the buttons of field ${n} are in view`);
    await page.keyboard.press("Escape");
  }
});
