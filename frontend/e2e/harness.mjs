// End-to-end tests against the real app: real Go, real frontend and, if installed, the real Copilot CLI.
// Tests use Node's test runner:
//
//   import { test } from "node:test";
//   import { start, waitFor } from "./harness.mjs";
//
//   test("An answer streams in", async (t) => {
//     const { page, app, folder, dataDir } = await start(t, { files: { "main.go": "package main\n" } });
//     await page.getByRole("textbox", { name: "Message" }).fill("hello");
//     …
//     await app.restart();   // quit as a user does, start again, same data
//   });
//
// start(t, options) gives each test an isolated environment (HOME, XDG folders, the app's data, a working
// folder, a port) and removes it when the test ends. It then fails the test if the app didn't exit
// cleanly, if the page threw or logged an error, or if any process started by the app is still running.
//
//   options.files     files of the chat's folder: {"a/b.txt": "text"}
//   options.git       true makes that folder a Git repository with one commit
//   options.env       additional environment of the app; undefined unsets a variable
//   options.viewport  size of the page, {width: 1280, height: 800} by default
//   options.scale     device pixel ratio, 1 by default
//   options.colorScheme "light" (default) or "dark"
//   options.copilot   path of the CLI; false for a machine without it
//   options.prepare   async ({dataDir, home, folder}) => …, called before the app starts
//   options.tolerate  [RegExp] of expected page and console errors
//   options.args      arguments of the app's first start
//   options.window    true starts the release build in its own window, without Chromium
//
// It returns:
//
//   page              Playwright's page, loaded (absent with options.window)
//   newPage()         opens another page of the same app
//   app.url, app.pid, app.running
//   app.output()      stdout and stderr of the app since its first start
//   app.stop()        sends SIGTERM, as a session manager does; resolves to {code, signal} after exit
//   app.kill()        sends SIGKILL
//   app.start(args)   starts the app again after stop or kill, on the same data and port
//   app.restart()     stops and starts the app, and reloads the page
//   app.processes()   live processes started by the app: [{pid, command}]
//   dataDir, home, folder   absolute paths in the test's environment
//   screenshot()      pixels of the X screen: {width, height, at(x, y) => 0xRRGGBB}
//
// waitFor(fact, what, ms) calls `fact` until it returns a truthy value. If that doesn't happen within
// `ms` milliseconds, it throws an error whose message includes `what`.
//
// Screenshots and logs of every test are left in e2e/.out.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sharedBrowser, sharedDesktop, waitForExit } from "./shared.mjs";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const out = fileURLToPath(new URL(".out", import.meta.url));

// Time limit in milliseconds for anything that must happen; not a performance target.
const maxWaitMillis = 90_000;

export async function waitFor(fact, what, ms = maxWaitMillis) {
  const end = Date.now() + ms;
  for (;;) {
    const value = await fact();
    if (value) return value;
    if (Date.now() > end) throw new Error(`timed out after ${ms / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

// ── Other programs ──────────────────────────────────────────────────────────

let helpers = process.env.VOXPILOT_HELPERS;

/**
 * helper returns the path of a program in internal/, such as "longchat", and builds it if necessary.
 * build/e2e.sh builds all these programs in advance.
 */
export async function helper(name) {
  if (!helpers) {
    helpers = await mkdtemp(join(tmpdir(), "voxpilot-helpers-"));
    after(() => rm(helpers, { recursive: true }));
  }
  const program = join(helpers, name.replaceAll("/", "-"));
  if (!existsSync(program)) await run("go", ["build", "-o", program, `./internal/${name}`], { cwd: root });
  return program;
}

// ── Processes ───────────────────────────────────────────────────────────────

// processesOf returns the live processes that have `mark` in their environment, or whose working
// directory or command line contains `dir`, the folder of the test.
async function processesOf(mark, dir) {
  const found = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const read = (name) => readFile(`/proc/${pid}/${name}`, "latin1").catch(() => "");
    const [environment, cwd, command] = await Promise.all([
      read("environ"),
      readlink(`/proc/${pid}/cwd`).catch(() => ""),
      read("cmdline"),
    ]);
    if (environment.includes(mark) || cwd.startsWith(dir) || command.includes(dir)) {
      found.push({ pid: Number(pid), command: command.replaceAll("\0", " ").trim() });
    }
  }
  return found;
}

// ── The app ─────────────────────────────────────────────────────────────────

class App {
  #child;
  #output = "";
  #asked = false;

  constructor(program, env, mark, dir, url) {
    Object.assign(this, { program, env, mark, dir, url });
  }

  get pid() {
    return this.#child?.pid;
  }

  get running() {
    return Boolean(this.#child) && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** crashed reports whether the app exited without being asked to. */
  get crashed() {
    return !this.running && !this.#asked;
  }

  output() {
    return this.#output;
  }

  async start(args = []) {
    assert.ok(!this.running, "the app runs already");
    const child = spawn(this.program, args, {
      env: this.env,
      cwd: this.dir,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    this.#asked = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        this.#output += text;
      });
    }
    await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    if (this.url) {
      await waitFor(async () => {
        assert.ok(this.running, `the app ended at its start:\n${this.#output}`);
        return fetch(this.url).then(
          (answer) => answer.ok,
          () => false,
        );
      }, `the app answers at ${this.url}`);
    }
  }

  stop() {
    return this.#end("SIGTERM");
  }

  kill() {
    return this.#end("SIGKILL");
  }

  #end(signal) {
    this.#asked ||= this.running;
    // If the app doesn't exit in time, SIGQUIT makes Go print its goroutines.
    const stuck = setTimeout(() => this.#child.kill("SIGQUIT"), maxWaitMillis);
    return waitForExit(this.#child, () => this.#child.kill(signal)).finally(() => clearTimeout(stuck));
  }

  processes() {
    return processesOf(this.mark, this.dir);
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .once("error", reject)
      .listen(0, "127.0.0.1", () => {
        const { port } = server.address();
        server.close(() => resolve(port));
      });
  });
}

async function copilotPath() {
  if (process.env.VOXPILOT_TEST_COPILOT) return process.env.VOXPILOT_TEST_COPILOT;
  const { stdout } = await run(join(root, "build/copilot-path.sh"));
  assert.ok(stdout.trim(), "the Copilot CLI is not installed: run make deps");
  return stdout.trim();
}

export async function start(t, options = {}) {
  const { env: surroundings } = await sharedDesktop();
  const dir = await mkdtemp(join(tmpdir(), "voxpilot-e2e-"));
  const [home, dataDir, folder] = ["home", "data", "folder"].map((name) => join(dir, name));
  for (const dir of [home, dataDir, folder]) await mkdir(dir);
  for (const [name, text] of Object.entries(options.files ?? {})) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  if (options.git) {
    const git = (...args) =>
      run("git", ["-c", "user.name=Test", "-c", "user.email=test@example.org", ...args], { cwd: folder });
    await git("init", "-q", "-b", "main");
    await git("add", "-A");
    await git("commit", "-q", "--allow-empty", "-m", "Begin");
  }
  const unpacked = helpers && join(helpers, "cache/copilot");
  if (unpacked && existsSync(unpacked)) {
    await mkdir(join(home, ".cache"));
    await run("cp", ["-al", unpacked, join(home, ".cache/copilot")]);
  }
  await options.prepare?.({ home, dataDir, folder });

  const program = join(root, options.window ? "bin/voxpilot" : "bin/voxpilot-dev");
  assert.ok(existsSync(program), `${program} is not built: run make build build-dev`);
  const url = options.window ? "" : `http://127.0.0.1:${await freePort()}/`;
  const mark = randomUUID();
  const env = {
    ...Object.fromEntries(
      [
        "PATH",
        "LANG",
        "DISPLAY",
        "DBUS_SESSION_BUS_ADDRESS",
        "XDG_RUNTIME_DIR",
        "LIBGL_ALWAYS_SOFTWARE",
        "NO_AT_BRIDGE",
      ].map((name) => [name, surroundings[name]]),
    ),
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_STATE_HOME: join(home, ".local/state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    SHELL: "/bin/bash",
    VOXPILOT_DATA_DIR: dataDir,
    VOXPILOT_E2E: mark,
    VOXPILOT_COPILOT_CLI_PATH:
      options.copilot === false ? undefined : (options.copilot ?? (await copilotPath())),
    // Wails reads these variables in the development build.
    ...(url && { devserver: new URL(url).host, assetdir: join(root, "frontend/dist"), loglevel: "warning" }),
    ...options.env,
  };
  for (const name of Object.keys(env)) if (env[name] === undefined) delete env[name];

  const app = new App(program, env, mark, dir, url);
  const errors = [];
  let context;
  t.after(() =>
    tearDown(t, { app, dir, dataDir, context, surroundings, errors, tolerate: options.tolerate ?? [] }),
  );
  await app.start(options.args);
  const self = { app, dataDir, home, folder, screenshot: () => screenshot(surroundings) };
  if (options.window) return self;

  context = await (await sharedBrowser()).newContext({
    viewport: options.viewport ?? { width: 1280, height: 800 },
    deviceScaleFactor: options.scale ?? 1,
    colorScheme: options.colorScheme ?? "light",
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(maxWaitMillis);
  self.newPage = async () => {
    const page = await context.newPage();
    // The development transport of Wails sets inline styles, which the page's policy
    // forbids, and throws while the app is down. The release build has no such script.
    const transport = /\/wails\/ipc\.js/;
    page.on("pageerror", (error) => {
      if (!transport.test(error.stack)) errors.push(`the page threw: ${error.message}`);
    });
    page.on("console", (message) => {
      if (message.type() !== "error") return;
      if (transport.test(message.location().url) || transport.test(message.text())) return;
      errors.push(`the page logged: ${message.text()}`);
    });
    await page.goto(url);
    return page;
  };
  self.page = await self.newPage();
  app.restart = async () => {
    const status = await app.stop();
    await app.start();
    await self.page.goto(url);
    return status;
  };
  return self;
}

// tearDown tears down a test's environment. It fails the test if the app didn't exit cleanly, if the page or
// its console reported an unexpected error, or if processes are left.
async function tearDown(t, { app, dir, dataDir, context, surroundings, errors, tolerate }) {
  const wrong = errors.filter((error) => !tolerate.some((pattern) => pattern.test(error)));
  const name = t.name.replace(/[^\p{L}\d]+/gu, "-").slice(0, 80);
  await mkdir(out, { recursive: true });
  for (const [i, page] of (context?.pages() ?? []).entries()) {
    await page.screenshot({ path: join(out, `${name}${i || ""}.png`) }).catch(() => {});
  }
  if (!context?.pages().length)
    await run("import", ["-window", "root", join(out, `${name}.png`)], { env: surroundings }).catch(() => {});
  await context?.close();
  if (app.crashed) wrong.push("the app exited unexpectedly");
  if (app.running) {
    const { code, signal } = await app.stop();
    if (code !== 0) wrong.push(`the app exited with ${signal ?? `exit code ${code}`}`);
  }
  const left = await waitFor(
    async () => (await app.processes()).length === 0,
    "all processes have exited",
  ).then(
    () => [],
    () => app.processes(),
  );
  for (const { pid, command } of left) {
    wrong.push(`process ${pid} is still running: ${command}`);
    process.kill(pid, "SIGKILL");
  }
  const logs = await readdir(dataDir, { recursive: true }).then((names) =>
    names.filter((file) => file.endsWith(".log")),
  );
  const texts = await Promise.all(logs.map((file) => readFile(join(dataDir, file), "utf8")));
  await writeFile(join(out, `${name}.log`), [app.output(), ...texts].join("\n── the app's own log ──\n"));
  await rm(dir, { recursive: true, force: true });
  assert.deepEqual(wrong, [], `see ${join(out, name)}.log`);
}

// screenshot returns the current pixels of the X screen.
async function screenshot(env) {
  const { stdout } = await run("import", ["-window", "root", "-depth", "8", "ppm:-"], {
    env,
    encoding: "buffer",
    maxBuffer: 64 << 20,
  });
  const [head, width, height] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(stdout.toString("latin1", 0, 64));
  const pixels = stdout.subarray(head.length);
  return {
    width: Number(width),
    height: Number(height),
    at: (x, y) => pixels.readUIntBE(3 * (y * width + x), 3),
  };
}
