// The Copilot CLI's sessions on this computer, and chats whose session another program has open.

import type { Page } from "playwright-core";
import type { CLISession, CLISessionPreview, CLISessions, Event } from "../../src/state/types";
import { message } from "./message";
import { folders, home, narrow } from "./shell";
import { now, type Shot } from "./shot";
import { at, chatId, Story, shot } from "./transcript";

const orbit = "/home/anna/code/orbit-api";
const harbor = "/home/anna/code/harbor-web";
const kB = 1000;
const MB = 1000 * kB;

const session = (
  id: string,
  title: string,
  folder: string,
  time: string,
  size: number,
  messages: number,
  more: Partial<CLISession> = {},
): CLISession => ({
  id,
  title,
  folder,
  updatedAt: new Date(`2025-11-${time}`).getTime(),
  size,
  messages,
  ...more,
});

const redis = session("redis", "Move the rate limiter to Redis", orbit, "20T13:48", 1.2 * MB, 38, {
  branch: "redis-limits",
  model: "gpt-4.1",
  holder: { pid: 4711, startedAt: now - 3_600_000, program: "copilot", terminal: "tty 3" },
});
const invoice = session("invoice", "Split the invoice service", orbit, "19T18:20", 4.2 * MB, 112, {
  branch: "invoice-split",
  damage: "cut_off",
});
const listed: CLISession[] = [
  redis,
  session("ci", "why is ci red on main", harbor, "20T11:02", 84 * kB, 6),
  invoice,
  session("dark", "add dark mode toggle", harbor, "19T16:41", 610 * kB, 21),
  session("hire", "Explain this repo to a new hire", orbit, "19T09:15", 51 * kB, 4, { chatId }),
  session("node", "Bump all actions to node 24", "/home/anna/code/ci-templates", "14T12:00", 402 * kB, 17),
  session("drift", "terraform plan shows drift", "/home/anna/infra/prod", "11T12:00", 980 * kB, 29),
  session("importer", "Prototype the importer", "/home/anna/tmp/importer", "06T12:00", 233 * kB, 12, {
    folderGone: true,
  }),
  session("notes", "write the 2.4 release notes", "/home/anna/docs/field-notes", "03T12:00", 120 * kB, 9),
];

const previews: Record<string, Partial<CLISessionPreview>> = {
  redis: {
    first: "Move the limiter from memory to Redis. Keep the burst of 20.",
    answer:
      "The limiter now counts in Redis with one Lua script, so two servers share a limit. `make test-redis` passes. I did not change the burst.",
    files: 11,
    added: 204,
    removed: 61,
    commands: 9,
  },
  invoice: {
    first: "Move the PDF part out of the invoice service.",
    files: 31,
    report: {
      messages: 112,
      toolCalls: 214,
      fileChanges: 31,
      checkpoints: 2,
      cutOff: 212,
      mixed: 6,
      upTo: new Date("2025-11-19T18:19").getTime(),
      part: '{"type":"tool.execution_start","data":{"toolCallId":"toolu_01Xk","toolName":"bash","arguments":{"command":"go test ./inv',
      line: 1874,
    },
  },
  ci: {
    first: "why is ci red on main",
    last: "is it only on node 24?",
    answer: "Yes. The lint job fails on node 24 only, because `eslint-plugin-import` doesn't support it yet.",
    commands: 4,
  },
};

const list = (sessions: CLISession[], more: Partial<CLISessions> = {}) => ({
  "cli-sessions": (query: URLSearchParams) => ({
    revision: 1,
    sessions: query.has("since") ? null : sessions,
    known: 0,
    ...more,
  }),
  "other-conversations": () => ({
    conversations: [],
    programs: [{ program: "claude-code", name: "Claude Code", conversations: 3 }],
  }),
  "cli-session": (query: URLSearchParams) => {
    const id = query.get("id") ?? "";
    const found = sessions.find((each) => each.id === id);
    return found && { session: found, first: found.title, ...previews[id] };
  },
});

const open = async (page: Page) => {
  // Pressing a key leaves the pointer outside the window.
  await page.getByRole("button", { name: "Continue a terminal session…" }).press("Enter");
  await page.getByRole("searchbox", { name: "Search Copilot sessions" }).waitFor();
};
const openList = async (page: Page) => {
  await open(page);
  await page.locator(".cli-ses[aria-current]").waitFor();
};
const openRescue = async (page: Page) => {
  await openList(page);
  await page.locator(".cli-ses", { hasText: "Split the invoice service" }).click();
  await page.getByRole("button", { name: "Rescue…" }).click();
  await page.getByText("What was found").waitFor();
};

const screen = (name: string, more: Partial<Shot>): Shot => ({
  name,
  reference: "22-copilot-sessions",
  app: home,
  folders,
  localStorage: {},
  data: list(listed),
  act: openList,
  ...more,
});

/** Many sessions. For most of them, the messages haven't been counted yet. */
const many: CLISession[] = Array.from({ length: 5000 }, (_, n) => ({
  ...(listed[n % listed.length] as CLISession),
  id: `many-${n}`,
  damage: "",
  messages: n < 40 ? 12 + (n % 30) : -1,
  updatedAt: now - n * 1_900_000,
}));

/** A chat that was read from a session. */
const continued = (isRunning: boolean): Story => {
  const story = new Story(chatId, "t1");
  story.banner("imported", { detail: message("%d messages", 38) });
  story.turn({ id: "t1", state: "done" }).session({ acpId: "redis", state: "away" });
  story.user("13:31", "Move the limiter from memory to Redis. Keep the burst of 20.");
  story.says("13:48", previews.redis?.answer ?? "");
  if (!isRunning) return story;
  story.turn({ id: "t2", state: "running", startedAt: at("14:03") });
  story.user("14:02", "And for the admin API?");
  story.tool("read", { path: `${orbit}/internal/admin/limits.go` });
  story.tool("search", { title: '"NewLimiter("', status: "in_progress", took: 2000 });
  return story;
};
const titled: Event[] = [
  {
    chat: {
      id: chatId,
      title: "Move the rate limiter to Redis",
      folder: orbit,
      providerId: "copilot",
      permissionMode: "ask",
      turnState: "done",
      createdAt: now,
      updatedAt: now,
    },
  },
];
const terminal = { pid: 4711, startedAt: now - 3_600_000, program: "copilot", terminal: "tty 3" };
const used = (more: object = {}): Event[] => [
  ...titled,
  { sessionUse: { chatId, holder: terminal, ...more } },
];
const reading: Event[] = [
  ...titled,
  { sessionImport: { chatId, state: "reading", read: 84 * MB, size: 200 * MB } },
];

export const shots: Shot[] = [
  screen("22-copilot-sessions", { reference: undefined }),
  screen("22-copilot-sessions-narrow", { reference: undefined, size: narrow }),
  screen("22-sessions-page-narrow", {
    size: narrow,
    act: async (page) => {
      await openList(page);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Back to the list" }).waitFor();
      await page.locator(".prb .msg").first().waitFor();
    },
  }),
  screen("22-sessions-known", {
    act: async (page) => {
      await openList(page);
      await page.locator(".cli-ses", { hasText: "Explain this repo to a new hire" }).click();
      await page.getByRole("button", { name: "Open chat" }).waitFor();
    },
  }),
  screen("22-sessions-homes", {
    data: list([
      ...listed.slice(0, 3),
      { ...session("qwen", "try the local model", harbor, "18T10:00", 90 * kB, 8), home: "/home/anna/.qwen" },
    ]),
    app: [
      ...home,
      { profile: { id: "qwen", name: "Qwen", command: "copilot", home: "/home/anna/.qwen", createdAt: 1 } },
    ],
    act: async (page) => {
      await openList(page);
      await page.getByRole("button", { name: "Agent: All agents" }).click();
    },
  }),
  screen("22-sessions-many", { data: list(many, { reading: true }) }),
  screen("22-sessions-empty", {
    data: list([]),
    act: async (page) => {
      await open(page);
      await page.getByText("No sessions on this computer yet").waitFor();
    },
  }),
  screen("22-sessions-none", {
    data: {
      ...list(listed),
      "cli-sessions": (query: URLSearchParams) => ({
        revision: 1,
        sessions: query.get("q") ? [] : listed,
        known: 0,
      }),
    },
    act: async (page) => {
      await openList(page);
      await page.getByRole("searchbox").fill("kubernetes");
      await page.getByRole("button", { name: "Date: Any time" }).click();
      await page.getByRole("option", { name: "Past 7 days" }).click();
      await page.getByRole("button", { name: "Clear filters" }).waitFor();
    },
  }),
  screen("22-sessions-partly", {
    data: list(listed.slice(1, 3), {
      failure: message("Can't read %s.", "/home/anna/.copilot/session-state") as unknown as string,
    }),
  }),
  screen("22c-session-rescue", { reference: undefined, act: openRescue }),
  screen("22c-session-rescue-part", {
    reference: "22c-session-rescue",
    act: async (page) => {
      await openRescue(page);
      await page.getByRole("button", { name: "Show the damaged part" }).click();
    },
  }),
  screen("22c-session-rescue-narrow", {
    reference: "22c-session-rescue",
    size: narrow,
    act: openRescue,
  }),
  shot("22b-session-open-elsewhere", { story: continued(true), running: true, more: used() }),
  shot(
    "22b-session-closing",
    { story: continued(true), more: used({ closing: true }) },
    { reference: "22b-session-open-elsewhere" },
  ),
  shot(
    "22b-session-stayed",
    { story: continued(true), more: used({ stayed: true }) },
    { reference: "22b-session-open-elsewhere" },
  ),
  shot(
    "22b-session-program-narrow",
    { story: continued(true), more: used({ holder: { pid: 4711, program: "node" } }) },
    { reference: "22b-session-open-elsewhere", size: narrow },
  ),
  shot(
    "22b-session-keep-reading",
    { story: continued(true), more: used() },
    {
      reference: "22b-session-open-elsewhere",
      act: (page) => page.getByRole("button", { name: "Keep reading" }).click(),
    },
  ),
  shot(
    "22d-session-reading",
    { story: continued(false), more: reading },
    { reference: "22b-session-open-elsewhere" },
  ),
  shot(
    "22d-session-reading-failed",
    {
      story: continued(false),
      more: [
        ...titled,
        {
          sessionImport: {
            chatId,
            state: "failed",
            read: 84 * MB,
            size: 200 * MB,
            message: "The session's log was deleted while VoxPilot was reading it.",
          },
        },
      ],
    },
    { reference: "22b-session-open-elsewhere" },
  ),
];
