// Signing in to GitHub, the sign-in's expiration, and the status that the window shows. The real CLI answers
// with a scripted model. The test controls the fake GitHub and chooses its tokens.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { clientId, startGitHub } from "./github.mjs";
import { start, waitFor } from "./harness.mjs";
import { startModel, textOf } from "./model.mjs";
import { renderedText, send, startChat, transcript, waitForIdle, waitForText } from "./page.mjs";

const mark = () => randomBytes(18).toString("hex");

/** signedOut starts the app without an account, with a fake GitHub and a scripted model. */
async function signedOut(t, { env = {}, ...options } = {}) {
  const github = await startGitHub(t);
  const model = await startModel();
  t.after(() => model.close());
  const started = await start(t, {
    ...options,
    env: {
      VOXPILOT_GITHUB_URL: github.url,
      // The CLI reads its model from these variables, in addition to the token.
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_BASE_URL: model.url,
      COPILOT_PROVIDER_API_KEY: model.key,
      COPILOT_MODEL: "scripted-1",
      ...env,
    },
  });
  return { ...started, github, model };
}

const banner = (page, name) =>
  page.getByRole("alert", { name }).or(page.getByRole("status", { name })).first();
const dialog = (page) => page.getByRole("dialog", { name: /^Sign in to / });
const status = (place) => place.getByRole("status", { name: "Sign-in status" });
const account = (page, who) => page.getByRole("button", { name: `Account: ${who}`, exact: true });

async function accountSettings(page) {
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Account" }).click();
}

/** byCode enables signing in with a code, by entering a client ID: the build has no OAuth app. */
async function byCode(page) {
  await page.getByRole("button", { name: "Set up later" }).click();
  await accountSettings(page);
  const field = page.getByLabel("OAuth client ID");
  await field.fill(clientId);
  await field.press("Enter");
  await page.getByText("Leave empty to use VoxPilot's own.", { exact: false }).waitFor();
  await page.getByRole("button", { name: "Back to chats" }).click();
}

/** codeIn waits until a dialog shows the code that GitHub issued, and returns the code. */
async function codeIn(place, github) {
  const code = await github.code();
  await place.getByRole("group", { name: `Sign-in code ${code}` }).waitFor();
  return code;
}

/** agents returns the CLI processes that run chats. */
const agents = async (app) => (await app.processes()).filter(({ command }) => command.includes("--acp"));

/**
 * found returns those files in `folders` that contain any of `texts`. It skips files that the running app
 * removes during the search, for example while the app tests its sandbox.
 */
async function found(texts, ...folders) {
  const places = [];
  for (const folder of folders) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const bytes = await readFile(path).catch((err) => {
        if (err.code !== "ENOENT") throw err;
        return Buffer.alloc(0);
      });
      if (texts.some((text) => bytes.includes(text) || bytes.includes(btoa(text)))) places.push(path);
    }
  }
  return places;
}

test("A sign-in that expires mid-turn is renewed before anything starts, and queued messages continue", async (t) => {
  const tokens = [`gho_${mark()}`, `gho_${mark()}`];
  const { page, app, dataDir, home, folder, github, model } = await signedOut(t);

  // Signed out, in a build without an OAuth app: only the other sign-in methods are offered.
  const ways = page.getByRole("list", { name: "Other ways to sign in" });
  await ways.getByRole("button", { name: "Paste a token" }).waitFor();
  assert.equal(await ways.getByRole("button", { name: "Sign in with a code" }).count(), 0);
  await byCode(page);

  // The first message waits for the sign-in, which is completed with a code.
  await startChat(page, folder, "say first");
  await banner(page, "Sign-in needed").getByRole("button", { name: "Sign in to GitHub" }).click();
  await codeIn(dialog(page), github);
  assert.match(
    await renderedText(status(dialog(page))),
    /^Waiting for your approval on GitHub\. The code expires in \d+:\d\d\./,
  );
  assert.deepEqual(await agents(app), [], "an agent runs although nobody is signed in");
  await github.approve("octocat", tokens[0]);
  await dialog(page).waitFor({ state: "detached" });
  await waitForText(page, "You said: say first");
  await waitForIdle(page);
  await account(page, "octocat").waitFor();

  // GitHub revokes the token, then the agent is killed.
  await github.revoke();
  const [agent] = await agents(app);
  process.kill(agent.pid, "SIGKILL");
  const expired = banner(page, "Sign-in needed");
  await expired.getByText("Your GitHub sign-in has expired.").waitFor();
  await page.getByRole("button", { name: "Connection: Sign-in needed" }).waitFor();
  await send(page, "say second");
  await send(page, "say third");
  assert.deepEqual(await agents(app), [], "an agent was started with a token that GitHub refuses");
  assert.equal(
    model.seen.filter((body) => body.messages.some((m) => textOf(m.content).includes("say second"))).length,
    0,
  );

  // After the sign-in the waiting messages are answered in the same session.
  await expired.getByRole("button", { name: "Sign in to GitHub" }).click();
  await codeIn(dialog(page), github);
  await github.approve("octocat", tokens[1]);
  await waitForText(page, "You said: say second");
  await waitForText(page, "You said: say third");
  await waitForIdle(page);
  await expired.waitFor({ state: "detached" });
  const asked = model.seen.findLast((body) =>
    body.messages.some((m) => textOf(m.content).includes("say third")),
  );
  const said = asked.messages.map((m) => textOf(m.content));
  assert.ok(
    said.some((text) => text.includes("You said: say first")),
    "the session lost the conversation",
  );
  await transcript(page).getByText("Session restored", { exact: false }).first().waitFor();

  // The tokens are stored only in the keychain and known only to the agent.
  for (const { command } of await app.processes()) {
    for (const token of tokens)
      assert.ok(!command.includes(token), "a token is in the arguments of a process");
  }
  await app.stop();
  assert.deepEqual(await found(tokens, dataDir, home), []);
  for (const token of tokens) assert.ok(!app.output().includes(token), "a token is in the app's files");
});

test("A denied or expired code can be requested again", async (t) => {
  const { page, github } = await signedOut(t);
  await byCode(page);
  await page.getByRole("button", { name: /^Account: / }).click();
  await page.getByRole("menuitem", { name: "Sign in to GitHub…" }).click();
  for (const [end, text] of [
    ["deny", "The sign-in wasn't approved on GitHub."],
    ["expire", "The code has expired."],
  ]) {
    await codeIn(dialog(page), github);
    await github[end]();
    await status(dialog(page)).getByText(text).waitFor();
    await dialog(page).getByRole("button", { name: "Get a new code" }).click();
  }
  await codeIn(dialog(page), github);
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await dialog(page).waitFor({ state: "detached" });
  await account(page, "Not signed in").waitFor();
});

test("A sign-in without a network is reported and works once it is back", async (t) => {
  const { page, github } = await signedOut(t);
  await byCode(page);
  await github.trouble("cut");
  await page.getByRole("button", { name: /^Account: / }).click();
  await page.getByRole("menuitem", { name: "Sign in to GitHub…" }).click();
  await status(dialog(page)).getByText("Can't reach GitHub.").waitFor();
  await github.trouble("");
  await dialog(page).getByRole("button", { name: "Get a new code" }).click();
  await codeIn(dialog(page), github);
  await github.approve("octocat");
  await account(page, "octocat").waitFor();

  // When signed in, a missing network doesn't hold messages back.
  await github.trouble("cut");
  await accountSettings(page);
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText("Signed in to github.com (not confirmed)").waitFor();
});

test("A pasted token is checked first, and signing out removes it completely", async (t) => {
  const token = `github_pat_${mark()}`;
  const { page, app, dataDir, home, folder, github } = await signedOut(t);
  const ways = page.getByRole("list", { name: "Other ways to sign in" });
  await ways.getByRole("button", { name: "Paste a token" }).click();
  const paste = async (text) => {
    await page.getByLabel("Token", { exact: true }).fill(text);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  };
  await paste(`ghp_${mark()}`);
  await page.getByText(/doesn't support classic tokens \(ghp_\)/).waitFor();
  assert.deepEqual(await github.requests(), [], "GitHub was asked about a token that is of no use");
  await paste(token); // not granted yet
  const refused = page.getByRole("alert");
  await refused.waitFor();
  assert.ok(!(await renderedText(refused)).includes(token));
  await github.grant(token, "hubot");
  await paste(token);
  await page.getByRole("heading", { name: "Signed in as hubot" }).waitFor();

  await page.getByRole("button", { name: "Set up later" }).click();
  await startChat(page, folder, "say hello");
  await waitForText(page, "You said: say hello");
  await waitForIdle(page);
  assert.equal((await agents(app)).length, 1);

  await accountSettings(page);
  await page
    .getByText(/^System keychain.*Your sign-in is never written to the database or to logs\.$/)
    .waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  const asks = page.getByRole("alertdialog").or(page.getByRole("dialog")).last();
  await asks.getByText("Sign out of hubot?").waitFor();
  await asks.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("Copilot needs a GitHub account with a Copilot plan").waitFor();
  await waitFor(async () => (await agents(app)).length === 0, "the agent has ended");
  await app.restart();
  await account(page, "Not signed in").waitFor();
  assert.deepEqual(await found([token], dataDir, home), []);
});

test("A token in the environment is used, and its variable is named", async (t) => {
  const github = await startGitHub(t);
  const token = `gho_${mark()}`;
  await github.grant(token, "monalisa");
  const { page } = await start(t, { env: { VOXPILOT_GITHUB_URL: github.url, GH_TOKEN: token } });
  await page.getByText("with the token in GH_TOKEN", { exact: false }).first().waitFor();
  await page.getByRole("button", { name: "Continue as monalisa" }).click();
  await page.getByRole("button", { name: "Set up later" }).click();
  await account(page, "monalisa").click();
  await page.getByText(/github\.com · From the environment variable GH_TOKEN/).waitFor();
  await page.getByRole("menuitem", { name: "Sign out…" }).click();
  await page.getByText("You're signed in through GH_TOKEN").waitFor();
});

test("Without a keychain a sign-in lasts until VoxPilot quits, and this is stated", async (t) => {
  const token = `github_pat_${mark()}`;
  const { page, app, dataDir, home, github } = await signedOut(t, {
    // Without an address, GTK would start a D-Bus session, which would start a keychain.
    env: { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" },
  });
  await github.grant(token, "hubot");
  await page
    .getByRole("list", { name: "Other ways to sign in" })
    .getByRole("button", { name: "Paste a token" })
    .click();
  await page.getByLabel("Token", { exact: true }).fill(token);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page
    .getByText("The system keychain isn't available, so VoxPilot will forget your sign-in when it quits.")
    .waitFor();
  await page.getByRole("button", { name: "Set up later" }).click();
  await accountSettings(page);
  await page.getByText(/^In memory only, because the system keychain isn't available\./).waitFor();
  await app.restart();
  await account(page, "Not signed in").waitFor();
  assert.deepEqual(await found([token], dataDir, home), []);
  assert.ok(!app.output().includes(token));
});

/** startGitHubForCLI starts a fake of the parts of GitHub that the Copilot CLI needs for its own sign-in. */
async function startGitHubForCLI(t) {
  const self = { approved: false };
  const answers = {
    "/login/device/code": () => ({
      device_code: "device",
      user_code: "7K4P-QX2M",
      verification_uri: "https://github.test/login/device",
      interval: 1,
      expires_in: 900,
    }),
    "/login/oauth/access_token": () =>
      self.approved
        ? { access_token: `gho_${mark()}`, token_type: "bearer" }
        : { error: "authorization_pending" },
    "/copilot_internal/user": () => ({ login: "mona" }),
  };
  const server = createServer((request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(answers[request.url.split("?")[0]]?.() ?? {}));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => new Promise((resolve) => server.close(resolve)));
  self.url = `http://127.0.0.1:${server.address().port}`;
  return self;
}

test("The Copilot CLI signs in with the displayed code, and out again", async (t) => {
  const itself = await startGitHubForCLI(t);
  const { page, home, folder } = await signedOut(t, {
    // It uses a code if it assumes that the user's browser is on another machine.
    env: { COPILOT_GH_HOST: itself.url, SSH_CONNECTION: "192.0.2.1 50000 192.0.2.2 22" },
  });
  await page.getByRole("button", { name: "Sign in with Copilot CLI" }).click();
  await page.getByRole("group", { name: "Sign-in code 7K4P-QX2M" }).waitFor();
  await page
    .getByRole("region", { name: "Copilot CLI output" })
    .getByText("Waiting for authorization")
    .waitFor();
  itself.approved = true;
  await page.getByRole("heading", { name: "Copilot CLI is signed in" }).waitFor();
  await page.getByRole("button", { name: "Set up later" }).click();
  await account(page, "mona").waitFor();
  await startChat(page, folder, "say hello");
  await waitForText(page, "You said: say hello");
  await waitForIdle(page);

  // VoxPilot can also sign the CLI out, after a confirmation.
  await accountSettings(page);
  await page.getByText("Managed by Copilot CLI. VoxPilot never sees it.").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  const asks = page.getByRole("alertdialog").or(page.getByRole("dialog")).last();
  await asks.getByText("Sign out of Copilot CLI?").waitFor();
  await asks.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("Copilot needs a GitHub account with a Copilot plan").waitFor();
  const config = JSON.parse(
    (await readFile(join(home, ".copilot/config.json"), "utf8")).replace(/^\s*\/\/.*$/gm, ""),
  );
  assert.deepEqual(config.loggedInUsers, []);
});
