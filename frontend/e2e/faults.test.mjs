// Faults on the user's machine: for each one, the window names the problem and the next step, and no data
// is lost.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { start, waitFor } from "./harness.mjs";
import { startModel } from "./model.mjs";
import {
  message,
  renderedText,
  send,
  startChat,
  transcript,
  useModel,
  waitForIdle,
  waitForText,
} from "./page.mjs";

/** program writes a shell script that replaces the CLI, and returns its path. */
async function program(path, text) {
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
  return path;
}

const later = (page) => page.getByRole("button", { name: "Set up later" }).click();
/** choose selects a program as the CLI in the settings. */
async function choose(page, path) {
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Agent" }).click();
  await page.getByLabel("Program").fill(path);
  await page.getByLabel("Program").press("Enter");
}

const checkAgain = (page) => page.getByRole("button", { name: "Check again" }).first().click();
const banner = (page, name) =>
  page.getByRole("alert", { name }).or(page.getByRole("status", { name })).first();

/** database returns the path of the app's database. */
async function database(dataDir) {
  const name = (await readdir(dataDir)).find((each) => each.endsWith(".db") || each.endsWith(".sqlite"));
  assert.ok(name, "there is no database");
  return join(dataDir, name);
}

/** practiced starts a practice chat, sends a first message and waits for the answer. */
async function practiced(page) {
  await page.getByRole("button", { name: "Try it without an account" }).click();
  await message(page).waitFor();
  await send(page, "hello");
  await waitForText(page, "Three things to try");
  await waitForIdle(page);
}

test("A missing CLI is searched for again", async (t) => {
  let bin;
  const real = process.env.VOXPILOT_TEST_COPILOT;
  const { page } = await start(t, {
    copilot: false,
    // Only the files that the test creates.
    prepare: async ({ home }) => {
      bin = join(home, ".local/bin");
      await mkdir(bin, { recursive: true });
    },
    env: { PATH: "/usr/bin:/bin" },
  });
  await page.getByRole("heading", { name: "Copilot CLI wasn't found" }).waitFor();
  const searched = page.getByRole("list", { name: "VoxPilot looked in:" });
  assert.match(await renderedText(searched), /\/usr\/bin/);
  assert.match(await renderedText(searched), /home\/\.local\/bin\/copilot/);
  await page.getByText("npm install -g @github/copilot").waitFor();
  assert.ok(await page.getByRole("button", { name: "Try it without an account" }).isDisabled());
  await symlink(real, join(bin, "copilot"));
  await checkAgain(page);
  await page.getByRole("heading", { name: "Copilot CLI found" }).waitFor();
});

test("An outdated CLI is not started", async (t) => {
  let path;
  const { page } = await start(t, {
    prepare: async ({ home }) => {
      path = await program(join(home, "copilot"), 'echo "GitHub Copilot CLI 1.0.12"');
    },
    copilot: false,
    env: { VOXPILOT_COPILOT_CLI_PATH: undefined, PATH: "/usr/bin:/bin" },
  });
  await later(page);
  await choose(page, path);
  await page.getByText(/Version 1\.0\.12 is too old\. VoxPilot needs 1\.0\.78 or newer/).waitFor();
});

test("A CLI that exits at once is reported with its exit code and last lines", async (t) => {
  let path;
  const env = await start(t, {
    prepare: async ({ home }) => {
      path = await program(
        join(home, "copilot"),
        'if [ "$1" = --version ]; then echo "1.0.102"; exit 0; fi\necho "the disk is on fire" >&2\nexit 42',
      );
    },
    copilot: false,
    // GitHub can't be reached to verify this token, so Copilot is started with it anyway.
    env: {
      PATH: "/usr/bin:/bin",
      COPILOT_GITHUB_TOKEN: "github_pat_of_nobody",
      VOXPILOT_GITHUB_URL: "http://127.0.0.1:9",
    },
  });
  const { page, folder } = env;
  await later(page);
  await choose(page, path);
  await page.getByText(/Version 1\.0\.102/).waitFor();
  await page.getByRole("button", { name: "Back to chats" }).click();
  await startChat(page, folder, "hello");
  const says = banner(page, "Couldn't start Copilot");
  await says.waitFor();
  assert.match(await renderedText(says), /exit code 42/);
  assert.match(await renderedText(says), /the disk is on fire/);
  await says.getByRole("button", { name: "Try again" }).waitFor();
});

test("A chat whose folder is missing continues when the folder returns", async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  const { page, app, folder } = await start(t);
  await useModel(page, model);
  await later(page);
  await startChat(page, folder, "say first", "My model");
  await waitForText(page, "You said: say first");
  await waitForIdle(page);
  await app.stop();
  await rename(folder, `${folder}-moved`);
  await app.start();
  await page.goto(app.url);
  await send(page, "say second");
  const gone = banner(page, "Folder not found");
  await gone.waitFor();
  await gone.getByRole("button", { name: "Locate folder…" }).waitFor();
  await rename(`${folder}-moved`, folder);
  await gone.getByRole("button", { name: "Try again" }).click();
  await gone.waitFor({ state: "detached" });
  await waitForText(page, "You said: say second");
  await waitForIdle(page);
});

test("An empty message is not sent, and one over 1 MB is refused but kept in the composer", async (t) => {
  const { page } = await start(t);
  await practiced(page);
  await message(page).fill("  \n ");
  await message(page).press("Enter");
  assert.ok(await page.getByRole("button", { name: "Send", exact: true }).isDisabled());
  const long = "a".repeat(1_000_001);
  await message(page).fill(long);
  await message(page).press("Enter");
  await page
    .getByRole("alert")
    .getByText(/the limit is 1,000,000/)
    .waitFor();
  assert.equal((await message(page).inputValue()).length, long.length);
  assert.equal(await transcript(page).getByRole("article", { name: /^You,/ }).count(), 1);
});

test("A signed-out user is asked to sign in, and the message waits", async (t) => {
  const { page, folder } = await start(t);
  await later(page);
  await startChat(page, folder, "hello");
  const needed = banner(page, "Sign-in needed");
  await needed.getByText("Sign in to GitHub to use Copilot.").waitFor();
  await needed.getByRole("button", { name: "Sign in to GitHub" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in to GitHub" });
  await dialog.getByRole("button", { name: "Sign in with Copilot CLI" }).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await needed.waitFor();
  await waitForText(page, "hello");
});

test("Data locked by another VoxPilot is left alone and opened once it is free", async (t) => {
  const { page, app, dataDir } = await start(t);
  await practiced(page);
  await app.stop();
  // A second start hands over to the running instance, so only an instance that doesn't respond can block
  // it.
  const lock = join(dataDir, "voxpilot.lock");
  const other = spawn("flock", [lock, "cat"], { stdio: ["pipe", "ignore", "inherit"] });
  t.after(() => other.kill());
  const free = () => new Promise((done) => spawn("flock", ["-n", lock, "true"]).on("exit", done));
  await waitFor(async () => (await free()) !== 0, "the data is locked");
  await app.start();
  await page.goto(app.url);
  await page.getByRole("heading", { name: "VoxPilot is already open." }).waitFor();
  other.stdin.end();
  await waitFor(async () => (await free()) === 0, "the data is free");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("link", { name: /hello/i }).waitFor();
});

test("A damaged database is set aside, and readable data is saved", async (t) => {
  const { page, app, dataDir } = await start(t, { tolerate: [/status of 500/] });
  await practiced(page);
  const path = await database(dataDir);
  const aside = async () => (await readdir(dataDir)).filter((name) => /corrupt.*\.db$/.test(name));
  /**
   * damage stops the app, overwrites the part of its database that `part` selects, and starts the app
   * again.
   */
  const damage = async (part) => {
    await app.stop();
    const bytes = await readFile(path);
    const [from, to] = part(bytes);
    await writeFile(path, bytes.fill(0xa5, from, to));
    await app.start();
    await page.goto(app.url);
  };

  // The database page with the answer: the damage is detected on reading and repaired at the next start, and
  // the chat is preserved.
  await damage((bytes) => {
    const at = Math.floor(bytes.indexOf("Three things to try") / 4096) * 4096;
    return [at, at + 4096];
  });
  await page.getByText("The database is damaged. Restart VoxPilot").waitFor();
  await app.restart();
  await banner(page, "The database was damaged.").waitFor();
  await page.getByRole("link", { name: /^hello, practice/i }).waitFor();
  assert.equal((await aside()).length, 1);

  // The whole file: the app starts with an empty database and reports it.
  await damage((bytes) => [0, bytes.length]);
  await banner(page, "The database was damaged.").waitFor();
  await page.getByRole("button", { name: "Try it without an account" }).waitFor();
  assert.equal((await aside()).length, 2);
});

test("A database that can't be opened is left unchanged and reported", async (t) => {
  const { page, app, dataDir } = await start(t);
  await practiced(page);
  await app.stop();
  const path = await database(dataDir);
  await copyFile(path, `${path}.kept`);
  await rm(path);
  await mkdir(path);
  await app.start();
  await page.goto(app.url);
  await page.getByRole("heading", { name: "Couldn't open the database." }).waitFor();
  await rm(path, { recursive: true });
  await rename(`${path}.kept`, path);
  await page.getByRole("button", { name: "Try again" }).click();
  await waitForText(page, "Three things to try");
});

test("Model output does nothing on its own", async (t) => {
  const asked = [];
  const trap = createServer((request, response) => {
    asked.push(request.url);
    response.end();
  });
  await new Promise((resolve) => trap.listen(0, "127.0.0.1", resolve));
  t.after(() => trap.close());
  const address = `http://127.0.0.1:${trap.address().port}`;
  const hostile = [
    "Begin.",
    "<script>window.hacked = 1</script>",
    '<img src="x" onerror="window.hacked = 2">',
    `![an image](${address}/image.png)`,
    `<img src="${address}/html.png">`,
    "[a link](javascript:window.hacked=3)",
    `<a href="javascript:window.hacked=4">another</a>`,
    `<iframe src="${address}/frame"></iframe><style>@import "${address}/style.css"; body { display: none }</style>`,
    `<form action="${address}/form"><input name="a"><button>Press</button></form>`,
    '<svg onload="window.hacked = 5"><a xlink:href="javascript:window.hacked=6">svg</a></svg>',
    `[real](${address}/link)`,
    "The end.",
  ].join("\n\n");
  const model = await startModel({ texts: { hostile } });
  t.after(() => model.close());
  const { page, folder } = await start(t);
  await useModel(page, model);
  await later(page);
  await startChat(page, folder, "tell hostile", "My model");
  await waitForText(page, "The end.");
  await waitForIdle(page);
  const log = transcript(page);
  for (const tag of ["script", "iframe", "style", "form", "input", "img", "svg a", "[onerror]", "[onload]"]) {
    assert.equal(await log.locator(`.prose ${tag}`).count(), 0, tag);
  }
  const links = { "an image": `${address}/image.png`, real: `${address}/link` };
  assert.deepEqual(await log.locator(".prose a").allInnerTexts(), Object.keys(links));
  for (const [name, leads] of Object.entries(links)) {
    await log.getByRole("link", { name }).click();
    const question = page.getByRole("dialog");
    await question.getByText(leads, { exact: true }).waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
  }
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(new URL(page.url()).pathname, "/");
  assert.deepEqual(asked, [], "nothing was asked of the network");
});
