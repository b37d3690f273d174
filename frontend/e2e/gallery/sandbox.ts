// Screens of the sandbox: its controls beside the permission modes, requests for sites and for leaving the
// sandbox, commands in it, its settings, and the first run.

import type { Page } from "playwright-core";
import { defaultSettings } from "../../src/state/state";
import type { Chat, Event, Permission, SandboxSettings, SandboxStatus } from "../../src/state/types";
import { message } from "./message";
import { account, cli, folders, home, narrow, settings, sidebarChats, storage } from "./shell";
import { now, type Shot } from "./shot";
import { fixed, plan, request, root, Story, shot } from "./transcript";

const status = (more: Partial<SandboxStatus> = {}): Event => ({
  sandbox: {
    state: "ready",
    program: "bubblewrap 0.9.0",
    hidden: ["~/.ssh", "~/.aws", "~/.gnupg"],
    sites: [
      { host: "packages.example.dev", tool: "npm" },
      { host: "modules.example.dev", tool: "Go" },
      { host: "sums.example.dev", tool: "Go" },
    ],
    sitesKnown: true,
    ...more,
  },
});
const own: SandboxSettings = {
  ...defaultSettings.sandbox,
  newChats: true,
  write: ["/home/anna/.cache/go-build", "~/.npm"],
  sites: ["github.com", "*.githubusercontent.com"],
  ports: [5432],
};
const ownSettings = settings({ sandbox: own });
const sandboxed = (more: Partial<Chat> = {}): Event[] =>
  sidebarChats.flatMap(({ chat }) =>
    chat?.id === "refresh"
      ? [{ chat: { ...chat, permissionMode: "accept_edits" as const, sandbox: { on: true }, ...more } }]
      : [],
  );

const talk = () =>
  new Story()
    .turn()
    .session()
    .user("14:02", request)
    .says("14:02", plan)
    .done("auth-bug-fix")
    .says("14:03", fixed);
const idle: Partial<Chat> = { turnState: "done", detail: "", turnSince: undefined };

const openPicker = async (page: Page) => {
  await page.getByRole("button", { name: /^Permissions/ }).click();
  await page.getByRole("dialog", { name: "Permissions" }).waitFor();
};
const picker = (name: string, chat: Partial<Chat>, events: Event[], more: Partial<Shot> = {}): Shot =>
  shot(
    name,
    { story: talk(), more: [status(), ownSettings, ...sandboxed({ ...idle, ...chat }), ...events] },
    { reference: "25-sandbox-picker", act: openPicker, ...more },
  );
const problem = message("The sandbox needs bubblewrap, but %s won't start.", "/usr/bin/bwrap");

/** A session whose commands run in the sandbox, and its pending request. */
const blocked = (ask: Partial<Permission>, command = "curl -sO https://get.example.dev/setup.sh") => {
  const story = new Story().turn({ state: "running", startedAt: now - 18_000 }).session();
  story.user("14:02", request);
  const inside = story.block("auth-bug-fix", now - 18_000, "running");
  story.tool("execute", { command: "go test ./internal/auth", sandboxed: true, took: 1900, item: inside });
  story.tool("execute", {
    command: "curl -sO https://tools.example.dev/lint.sh",
    sandboxed: true,
    status: "failed",
    exitCode: 56,
    blocked: ["tools.example.dev:443"],
    item: inside,
  });
  const row = story.tool("execute", {
    command,
    sandboxed: ask.sandbox === "site",
    status: "pending",
    item: inside,
  });
  if (ask.kind === "execute") {
    const content = story.content(row, "command", command);
    ask.contentId = content.id;
  }
  return story.ask({
    session: "auth-bug-fix",
    turnId: inside.turnId,
    itemId: row.id,
    options: [
      { id: "allow_once", kind: "allow_once", name: "Allow once" },
      { id: "reject_once", kind: "reject_once", name: "Reject" },
    ],
    ...ask,
  });
};
const site: Partial<Permission> = { kind: "fetch", command: "get.example.dev", sandbox: "site" };
const runs = "./scripts/deploy.sh --stage";
const leaves: Partial<Permission> = {
  kind: "execute",
  command: runs,
  sandbox: "leaves",
  earlier: message("This command ran in the sandbox %d min ago and exited with code %d.", "2", "1"),
};
const inside: Partial<Permission> = { kind: "execute", command: runs, sandbox: "inside" };
const asking = (name: string, story: Story, more: Partial<Shot> = {}): Shot =>
  shot(
    name,
    { story, running: true, more: [status(), ownSettings, ...sandboxed()] },
    { reference: "25b-sandbox-blocked", ...more },
  );

/** Commands of the main session in the sandbox: passed, failed, blocked. */
const rows = () => {
  const story = new Story().turn().session();
  story.user("14:02", "Run the linter of the team on the whole repository.");
  story.says("14:02", "First the tests, then the linter.");
  story.tool("execute", { command: "go test ./...", sandboxed: true, took: 41_000 });
  story.says("14:03", "The tests pass. Now the linter.");
  const failed = story.tool("execute", {
    command: "make lint",
    sandboxed: true,
    status: "failed",
    exitCode: 2,
    took: 2400,
    blocked: ["tools.example.dev:443", "mirror.example.dev:8443"],
  });
  story.content(
    failed,
    "terminal",
    "curl: (56) CONNECT tunnel failed, response 403\nmake: *** [lint] Error 2\n",
  );
  story.says("14:03", "The linter couldn't be downloaded, because the sandbox blocked tools.example.dev.");
  return story;
};

const openPage = async (page: Page) => {
  await page.keyboard.press("Control+,");
  await page.getByRole("link", { name: "Sandbox", exact: true }).click();
  await page.getByRole("heading", { name: "Sandbox" }).waitFor();
};
const page = (name: string, events: Event[], more: Partial<Shot> = {}): Shot => ({
  name,
  reference: "25c-settings-sandbox",
  app: [...home, status(), ownSettings, ...events],
  act: openPage,
  ...more,
});

export const shots: Shot[] = [
  picker("25-sandbox-picker", {}, []),
  picker("25-sandbox-picker-narrow", {}, [], { size: narrow }),
  picker("25-sandbox-picker-off", { sandbox: {} }, []),
  picker("25-sandbox-picker-everything", { permissionMode: "bypass" }, []),
  picker("25-sandbox-picker-unavailable", { sandbox: {} }, [status({ state: "unavailable", problem })]),
  picker("25-sandbox-picker-refused", {}, [status({ state: "unavailable", problem })]),
  {
    name: "25a-sandbox-new-chat",
    app: [...home, status(), ownSettings],
    folders,
    act: openPicker,
  },
  {
    name: "25a-sandbox-first-run",
    reference: "05c-first-run-folder",
    app: [cli(), storage, settings({ setupDone: false }), account(), status()],
    folders,
    act: async (page) => {
      await page.getByRole("button", { name: "Continue as octocat" }).click();
      await page.getByRole("combobox", { name: "Folder", exact: true }).fill(root);
      await page.getByRole("combobox", { name: "Folder", exact: true }).press("Enter");
      await page.getByText("Git, branch main").waitFor();
    },
  },
  asking("25b-sandbox-blocked", blocked(site)),
  asking("25b-sandbox-blocked-narrow", blocked(site), {
    size: narrow,
    reference: "25b-sandbox-blocked-narrow",
  }),
  asking("25b2-sandbox-leaves", blocked(leaves, runs)),
  asking("25b2-sandbox-leaves-narrow", blocked(leaves, runs), {
    size: narrow,
    reference: "25b-sandbox-blocked-narrow",
  }),
  asking("25b3-sandbox-inside", blocked(inside, runs)),
  shot(
    "25b4-sandbox-rows",
    { story: rows(), more: [status(), ownSettings, ...sandboxed(idle)] },
    { act: (page) => page.locator(".ln[data-status=failed]").click() },
  ),
  page("25c-settings-sandbox", []),
  page("25c-settings-sandbox-narrow", [], { size: narrow }),
  page("25c2-settings-sandbox-unavailable", [
    status({
      state: "unavailable",
      problem,
      program: "",
      fix: "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
    }),
    settings(),
  ]),
  page("25c3-settings-sandbox-limits", [
    status({
      limits: [
        message(
          "With full network access, commands can connect to programs on your desktop because the kernel is older than 6.12 or lacks Landlock.",
        ),
      ],
    }),
    settings({
      sandbox: { ...own, readable: ["~/.aws"], hidden: ["/srv/keys"], blockedSites: ["sums.example.dev"] },
    }),
  ]),
  page(
    "25c5-settings-sandbox-hidden",
    [status({ hidden: Array.from({ length: 160 }, (_, n) => `~/.config/app${n}/credentials`) })],
    {
      act: async (page) => {
        await openPage(page);
        await page.getByRole("button", { name: "Show all 160" }).click();
      },
    },
  ),
  page("25c4-settings-sandbox-invalid", [], {
    act: async (page) => {
      await openPage(page);
      await page.getByRole("textbox", { name: "Add a site" }).fill("https://example.org/");
      await page.getByRole("textbox", { name: "Add a site" }).press("Enter");
      await page.getByRole("textbox", { name: "Add a port" }).scrollIntoViewIfNeeded();
    },
  }),
];
