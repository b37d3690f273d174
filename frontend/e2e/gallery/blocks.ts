// Screens that show delegation: blocks of delegated sessions, the session list in the inspector, and the
// orchestrator.

import type { Page } from "playwright-core";
import type { Session } from "../../src/state/types";
import { message } from "./message";
import { home, ollama, openSettings, settings } from "./shell";
import { now, type Shot } from "./shot";
import { at, fixed, openChat, plan, request, root, Story, shot, streaming } from "./transcript";

const session = (name: string, acpId: string, more: Partial<Session> = {}) => ({
  session: {
    chatId: "refresh",
    name,
    acpId,
    cwd: root,
    state: "loaded" as const,
    hadPrompt: true,
    createdAt: now - 100_000,
    usedAt: now,
    ...more,
  },
});

export const inspected = () => {
  const story = streaming();
  story.events.unshift(
    session("auth-bug-fix", "8822e509", { usedAt: at("14:03"), createdAt: 1 }),
    session("refactor-logger", "7f2a986d", { createdAt: 2 }),
    session("token-audit", "55e0b1f3", { state: "lost", createdAt: 4 }),
  );
  return story;
};

const withRequest = () => {
  const story = inspected();
  story.events.push(session("docs-update", "1c9d20aa", { createdAt: 3 }));
  const inside = story.block("docs-update", now - 20_000, "running", {
    prompt: "Update the documentation of the logger.",
  });
  const fetch = story.tool("fetch", { title: "pkg.go.dev/log/slog", status: "pending", item: inside });
  return story.ask({
    session: "docs-update",
    turnId: inside.turnId,
    itemId: fetch.id,
    kind: "fetch",
    title: "Fetch https://pkg.go.dev/log/slog",
  });
};

export const facts: Partial<Shot> = {
  sessions: [
    { name: "auth-bug-fix", turns: 2, workMillis: 41_000 },
    { name: "refactor-logger", turns: 1, workMillis: 0 },
    { name: "docs-update", turns: 1, workMillis: 0 },
    { name: "token-audit", turns: 3, workMillis: 90_000 },
  ],
  processes: [
    { chatId: "refresh", pid: 1, parentPid: 0, command: "copilot", memory: 214_000_000, isAgent: true },
  ],
  localStorage: { ...openChat, "voxpilot.inspector": "sessions", "voxpilot.inspector-tab": "sessions" },
  data: {
    changes: { files: [], added: 0, removed: 0, sessions: 0 },
    "agent-sessions": { sessions: [] },
  },
};

/** Two sessions running in parallel, each with a permission request. */
const sideBySide = () => {
  const story = new Story().turn({ state: "running", startedAt: now - 40_000 }).session();
  story.user("14:02", request).says("14:02", plan);
  const auth = story.block("auth-bug-fix", now - 38_000, "running", {
    prompt: "Make concurrent refreshes of one account share a single exchange, and prove it with a test.",
  });
  story.tool("read", {
    path: `${root}/internal/auth/refresh.go`,
    fact: message("%d lines", 112),
    item: auth,
  });
  const edit = story.tool("edit", {
    path: `${root}/internal/auth/refresh.go`,
    status: "pending",
    item: auth,
  });
  const logger = story.block("refactor-logger", now - 36_000, "running", {
    prompt: "Replace the package-level logger with a Logger passed in from main.",
  });
  story.says("14:03", "Looking for every use of the global logger.", { ...logger, open: true });
  const run = story.tool("execute", { command: "go build ./...", status: "pending", item: logger });
  story.ask({
    session: "auth-bug-fix",
    turnId: auth.turnId,
    itemId: edit.id,
    path: `${root}/internal/auth/refresh.go`,
    createdAt: now - 2000,
  });
  return story.ask({
    session: "refactor-logger",
    turnId: logger.turnId,
    itemId: run.id,
    kind: "execute",
    command: "go build ./...",
    createdAt: now - 1000,
  });
};

/** Blocks in every final state. */
const ended = () => {
  const story = new Story().turn({ state: "done" }).session();
  story.user("14:02", "Show me every way in which work can end.");
  story.done("auth-bug-fix");
  story.block("docs-update", now - 6000, "done", { stopReason: "end_turn", commands: [{ command: "ls" }] });
  const one = [{ path: "internal/log/logger.go", added: 31, removed: 4 }];
  story.block("auth-bug-fix", now - 18_000, "stopped", { stopReason: "cancelled", files: one });
  story.block("auth-bug-fix", now - 80_000, "interrupted", { files: one, prompt: "Share one exchange." });
  const failed = story.block("upload-flake", now - 182_000, "failed", {
    prompt: "Find out why the upload test is flaky.",
    error: { code: "model", message: "model request failed, status 502", detail: "HTTP 502" },
    commands: [
      { command: "go test", exitCode: 0 },
      { command: "go test -race", exitCode: 1 },
    ],
  });
  story.tool("execute", { command: "go test ./upload -count 50", took: 182_000, item: failed });
  story.block("release-notes", now - 41_000, "stopped", { stopReason: "max_turn_requests" });
  const own = story.block("auth-bug-fix", now - 12_000, "done", {
    toolCallId: "",
    prompt: "Also name the test after what it proves.",
    stopReason: "end_turn",
    files: [{ path: "internal/auth/refresh_test.go", added: 1, removed: 1 }],
  });
  story.edit("internal/auth/refresh_test.go", 1, 1, own);
  story.says("14:03", "Renamed it to TestConcurrentRefreshesShareOneExchange.", own);
  return story.says("14:03", fixed);
};

const openLast = async (page: Page) => {
  await page.locator("details.copilot-block").last().locator("summary").click();
};

/** Tasks that ended early: the model declined one, and another reached a limit. */
const endedEarly = () => {
  const story = new Story().turn({ state: "done" }).session();
  story.user("14:02", "Show me how work ends too early.");
  const request = { prompt: "Write down how the keys are made.", stopReason: "refusal" };
  story.block("key-notes", now - 6000, "failed", request);
  const notes = story.block("release-notes", now - 41_000, "stopped", { stopReason: "max_turn_requests" });
  story.edit("CHANGELOG.md", 12, 0, notes);
  return story;
};

/** Thoughts, both while they stream and afterward. */
const thinking = () => {
  const story = new Story().turn({ state: "running", startedAt: now - 40_000 }).session();
  story.user("14:02", request);
  const done = story.block("auth-bug-fix", now - 38_000, "interrupted");
  const thought = story.item({ kind: "thought", createdAt: now - 6000, endedAt: now, ...done });
  story.text(thought, "Two ways to share the call: a lock, or one flight for all.");
  const inside = story.block("refactor-logger", now - 12_000, "running");
  return story.text(story.item({ kind: "thought", open: true, ...inside }), "Who else keeps the logger?");
};

/** Command output that is longer than its preview. */
const output = () => {
  const story = new Story().turn({ state: "done" }).session();
  story.user("14:02", "Run all tests.");
  const inside = story.block("auth-bug-fix", now - 38_000, "failed");
  const lines = Array.from({ length: 1234 }, (_, n) => `ok  	orbit/internal/part-${n + 1}	0.0${n % 10}s`);
  const run = story.tool("execute", { command: "go test ./...", item: inside });
  story.content(run, "terminal", `${lines.join("\n")}\n`, { lines: lines.length });
  return story;
};

const press = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).click();

const long = () => {
  const story = new Story().turn({ state: "running", startedAt: now - 40_000 }).session();
  story.user("14:02", request);
  const inside = story.block("auth-bug-fix", now - 38_000, "running", {
    prompt: `Make concurrent refreshes of one account share a single exchange. ${"Keep the public API of the package as it is, and say in the test what is proven. ".repeat(4)}`,
  });
  const lines = Array.from({ length: 4000 }, (_, n) => `line ${n + 1} of what the session says`).join("\n");
  return story.says("14:03", lines, { ...inside, open: true });
};

const readAbove = async (page: Page) => {
  const stream = page.getByRole("region", { name: "Copilot output" });
  await stream.waitFor();
  await stream.evaluate((pre) => pre.scrollBy(0, -400));
  await page.getByRole("button", { name: "Jump to latest" }).waitFor();
};

/** An orchestrator whose connection was closed in the middle of its answer. */
const halfway = () => {
  const story = new Story().turn({
    state: "failed",
    mainId: ollama.id,
    error: {
      code: "model",
      message: message(
        "The answer stopped halfway. %s closed the connection. The partial answer above is saved.",
        "Ollama",
      ),
      detail: "unexpected EOF",
    },
  });
  return story.user("14:02", request).says("14:02", plan);
};

const addService = async (page: Page) => {
  await openSettings("Account")(page);
  await page.getByRole("combobox", { name: "Provider" }).selectOption("OpenRouter…");
  await page.getByRole("button", { name: "Save and use" }).scrollIntoViewIfNeeded();
};

/** The orchestrator in the settings and in its picker. */
const mainAI: Shot[] = [
  { name: "06a4-main-ai-add", app: home, act: addService, size: [1280, 1000] },
  {
    name: "06a5-main-ai-narrow",
    app: [...home, { provider: ollama }, settings({ mainId: ollama.id })],
    size: [720, 480],
    act: async (page) => {
      await page.keyboard.press("Control+,");
      await page.getByRole("link", { name: "Account" }).click();
      await page.getByRole("combobox", { name: "Model" }).scrollIntoViewIfNeeded();
    },
  },
  shot(
    "15-menu-main-ai",
    { story: streaming(), running: true, more: [{ provider: ollama }] },
    { act: (page) => page.getByRole("button", { name: "Model: GPT-4.1" }).click() },
  ),
];

export const shots: Shot[] = [
  ...mainAI,
  shot("04b-inspector-sessions", { story: inspected(), running: true }, facts),
  shot(
    "04b2-inspector-needs-you",
    { story: withRequest(), running: true },
    { ...facts, reference: "04b-inspector-sessions" },
  ),
  shot(
    "04b3-inspector-write",
    { story: inspected(), running: true },
    {
      ...facts,
      act: async (page) => {
        await page.getByRole("button", { name: "Session actions" }).first().click();
        await page.getByRole("menuitem", { name: "Send message" }).click();
        await page.getByRole("textbox", { name: "Message to auth-bug-fix" }).fill("Also name the test.");
      },
    },
  ),
  shot(
    "04b4-inspector-empty",
    { story: new Story().session({ used: 0 }) },
    { localStorage: facts.localStorage, data: facts.data },
  ),
  shot(
    "10d2-narrow-sessions",
    { story: inspected(), running: true },
    { ...facts, size: [720, 480], act: (page) => page.getByRole("button", { name: "Inspector" }).click() },
  ),
  shot("14-answer-stopped", { story: halfway(), more: [{ provider: ollama }] }),
  shot("13-blocks-side-by-side", { story: sideBySide(), running: true }, { size: [1280, 1000] }),
  shot("13-blocks-ended", { story: ended() }, { size: [1280, 1200], act: openLast }),
  shot("13h-blocks-ended-early", { story: endedEarly() }, { reference: "13-states", act: openLast }),
  shot(
    "13i-thinking",
    { story: thinking(), running: true },
    {
      reference: "13-states",
      act: async (page) => {
        await press("Thought for 6 s")(page);
        await press("Thinking…")(page);
      },
    },
  ),
  shot(
    "13j-output-long",
    { story: output() },
    {
      reference: "13-states",
      act: async (page) => {
        await press("Run go test ./..., completed")(page);
        await page.getByRole("region", { name: "Output of go test ./..." }).waitFor();
      },
    },
  ),
  shot("13-blocks-long", { story: long(), running: true }, { act: readAbove }),
  shot("10k-narrow-blocks", { story: ended() }, { size: [720, 480] }),
];
