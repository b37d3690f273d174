// Screens of the window's shell: first run, new chat, settings, sidebar, connection pill and dialogs.

import { defaultSettings } from "../../src/state/state";
import type {
  Account,
  Chat,
  CLI,
  Component,
  Connection,
  Desktop,
  Doctor,
  Event,
  Permission,
  Provider,
  Rule,
  Settings,
} from "../../src/state/types";
import { message } from "./message";
import { ago, now, type Shot } from "./shot";

export const settings = (more: Partial<Settings> = {}): Event => ({
  settings: { ...defaultSettings, motion: "reduced", setupDone: true, ...more },
});
const cliFound: CLI = {
  state: "found",
  path: "/usr/local/bin/copilot",
  version: "1.0.102",
  min: "1.0.78",
};
export const cli = (more: Partial<CLI> = {}): Event => ({ cli: { ...cliFound, ...more } });
export const storage: Event = {
  storage: { state: "ok", path: "/home/anna/.local/share/voxpilot/voxpilot.db" },
};

/** account returns an event with the account that the reference pictures show as signed in. */
export const account = (more: Partial<Account> = {}): Event => ({
  account: {
    state: "valid",
    host: "github.com",
    login: "octocat",
    name: "The Octocat",
    source: "stored",
    kind: "device",
    key: "keychain",
    keychain: "Secret Service",
    checkedAt: ago(2),
    deviceFlow: true,
    found: ["stored"],
    ...more,
  },
});
/** nobody returns an event for an account state in which no user is signed in. */
export const nobody = (more: Partial<Account> = {}): Event => ({
  account: { state: "signed_out", host: "github.com", deviceFlow: true, ...more },
});

const chat = (
  id: string,
  title: string,
  folder: string,
  updatedAt: number,
  more: Partial<Chat> = {},
): Event => ({
  chat: {
    id,
    title,
    folder,
    providerId: "copilot",
    permissionMode: "ask",
    createdAt: updatedAt,
    updatedAt,
    ...more,
  },
});
const days = 24 * 60;

/** The sidebar's chats in the reference pictures. */
export const sidebarChats: Event[] = [
  chat("refresh", "Fix token refresh race", "/home/anna/code/orbit-api", ago(0), {
    turnState: "running",
    turnSince: now - 72_000,
    detail: message("Running %s", "go build ./..."),
  }),
  chat("billing", "Rename billing webhooks", "/home/anna/code/orbit-api", ago(6), {
    turnState: "done",
    unread: true,
    detail: message("Finished. %d files changed", "9"),
  }),
  chat("flaky", "Flaky upload test", "/home/anna/code/orbit-api", ago(62), {
    turnState: "failed",
    detail: "Copilot stopped unexpectedly",
  }),
  chat("retry", "Explain the retry budget", "/home/anna/code/orbit-api", ago(2 * days)),
  chat("dark", "Dark mode for invoices", "/home/anna/code/harbor-web", now - 1000, {
    turnState: "running",
    turnSince: now - 8_000,
    detail: message("Running %s", "npm test"),
  }),
  chat("bundle", "Bundle size audit", "/home/anna/code/harbor-web", ago(days)),
  chat("date", "Replace date picker", "/home/anna/code/harbor-web", ago(3 * days)),
  chat("notes", "Release notes for 2.4", "/home/anna/docs/field-notes", ago(8 * days)),
  chat("glossary", "Tidy the glossary", "/home/anna/docs/field-notes", ago(11 * days)),
];

export const ready = (chatId: string, more: Partial<Connection> = {}): Event => ({
  connection: {
    chatId,
    state: "ready",
    since: ago(4),
    pid: 48213,
    startedAt: now - 261_000,
    path: "/usr/local/bin/copilot",
    version: "1.0.102",
    ...more,
  },
});
const permissionFor = (chatId: string, id = `p-${chatId}`): Permission => ({
  id,
  chatId,
  session: "main",
  state: "open",
  title: "Edit internal/auth/refresh.go",
  kind: "edit",
  path: "/home/anna/code/orbit-api/internal/auth/refresh.go",
  options: [
    { id: "allow_once", kind: "allow_once", name: "Allow once" },
    { id: "reject_once", kind: "reject_once", name: "Deny" },
  ],
  createdAt: ago(1),
});
export const rule = (id: string, folder: string, createdAt: string, command?: string): Event => {
  const made: Rule = {
    id,
    effect: "allow",
    scope: command ? { kind: "command", folder, command } : { kind: "edits", folder },
    createdAt: new Date(`${createdAt}T12:00:00`).getTime(),
  };
  return { rule: made };
};
const decidedRequest = (id: string, more: Partial<Permission>): Permission => ({
  id,
  chatId: "refresh",
  session: "main",
  state: "decided",
  title: "",
  kind: "other",
  options: [],
  createdAt: ago(4),
  ...more,
});
export const ollama: Provider = {
  id: "ollama",
  name: "Ollama",
  baseUrl: "http://localhost:11434/v1",
  model: "qwen3:8b",
  models: ["qwen3:8b", "llama3.3:70b", "gpt-oss:20b"],
  checkedAt: ago(12),
  createdAt: ago(2000),
};
const azure: Provider = {
  id: "azure",
  name: "Azure AI Foundry",
  baseUrl: "https://team-blue.services.ai.azure.com/openai/v1",
  model: "gpt-4.1",
  headers: { "X-Team": "blue" },
  key: "keychain",
  check: "The server responded with 401 Unauthorized. Check the API key.",
  checkedAt: ago(3),
  createdAt: ago(1000),
};
const doctor: Doctor = {
  at: ago(0),
  version: "0.1.0",
  text: "VoxPilot 0.1.0",
  checks: [
    { name: "VoxPilot", state: "ok", detail: "0.1.0", hint: "" },
    { name: "System", state: "ok", detail: "Debian GNU/Linux 13, wayland (linux/amd64, go1.26)", hint: "" },
    {
      name: "Copilot CLI",
      state: "ok",
      detail: message("%s, found at %s", "1.0.102", "/usr/local/bin/copilot"),
      hint: "",
    },
    {
      name: "GitHub sign-in",
      state: "ok",
      detail: message(
        "%s: valid, checked %s",
        message("%s, using %s", "github.com", message("a sign-in with a code, stored in the keychain")),
        "13:58 UTC",
      ),
      hint: "",
    },
    {
      name: "Data folder",
      state: "ok",
      detail: message(
        "%s free on the disk that contains %s",
        message("%.1f %s", 12.3, "GB"),
        "~/.local/share/voxpilot",
      ),
      hint: "",
    },
    { name: "Database", state: "ok", detail: "~/.local/share/voxpilot/voxpilot.db", hint: "" },
    {
      name: "Keychain",
      state: "warn",
      detail: "org.freedesktop.secrets was not provided by any .service files",
      hint: message(
        "API keys are kept in memory and forgotten when you quit VoxPilot. To save them, unlock the keychain. On Linux, install gnome-keyring or KWallet if you have neither.",
      ),
    },
    {
      name: "Login shell",
      state: "ok",
      detail: message(
        "PATH read from %s in %s; no other variables were needed",
        "/bin/zsh",
        message("%.1f s", 0.3),
      ),
      hint: "",
    },
    {
      name: "Agent",
      state: "ok",
      detail: message(
        "%s can %s. It can't %s.",
        "Copilot 1.0.102",
        message(
          "%s and %s",
          message("%s, %s", message("load sessions"), message("list sessions")),
          message("accept images"),
        ),
        message("%s or %s", message("fork sessions"), message("accept audio")),
      ),
      hint: "",
    },
  ],
  log: [
    'time=2025-11-20T14:01:02.101+01:00 level=INFO msg="started" version=0.1.0',
    'time=2025-11-20T14:01:02.160+01:00 level=INFO msg="database opened" migrations=3',
    'time=2025-11-20T14:02:07.402+01:00 level=INFO msg="agent ready" chat=refresh pid=48213',
    'time=2025-11-20T14:02:31.007+01:00 level=WARN msg="keychain unavailable" err="no such service"',
  ],
};

export const folders = {
  "/home/anna/code/orbit-api": {
    path: "/home/anna/code/orbit-api",
    name: "orbit-api",
    exists: true,
    branch: "main",
    changed: 3,
  },
  "/home/anna/code/harbor-web": {
    path: "/home/anna/code/harbor-web",
    name: "harbor-web",
    exists: true,
    branch: "main",
    changed: 0,
  },
  "/home/anna/docs/field-notes": { path: "/home/anna/docs/field-notes", name: "field-notes", exists: true },
};

const licenses: Component[] = [
  ["@kobalte/core", "0.13.14", "MIT"],
  ["dompurify", "3.4.18", "MPL-2.0 OR Apache-2.0"],
  ["github.com/coder/acp-go-sdk", "v0.13.0", "Apache-2.0"],
  ["github.com/wailsapp/wails/v2", "v2.9.2", "MIT"],
  ["gorm.io/gorm", "v1.31.1", "MIT"],
  ["shiki", "4.6.0", "MIT"],
].map(([name = "", version = "", license = ""]) => ({
  name,
  version,
  licence: license,
  text: `${license}\n\nPermission is hereby granted, free of charge, to any person obtaining a copy.\n`,
}));

/** desktop returns an event for a desktop that supports every feature. */
const desktop = (more: Partial<Desktop> = {}): Event => ({
  desktop: {
    tray: true,
    startAtLogin: true,
    actions: true,
    shortcut: { keys: "Ctrl+Shift+Space", state: "active", command: "voxpilot quick" },
    ...more,
  },
});

export const home = [...sidebarChats, cli(), storage, settings(), account()];
/** The available installers of the Copilot CLI. */
export const installers = [
  { id: "npm", name: "npm", description: "npm install -g @github/copilot" },
  { id: "brew", name: "Homebrew", description: "brew install copilot-cli" },
];

export const narrow = [720, 480] as const;
export const openChat = (id: string) => ({ "voxpilot.chat": id });
export const openSettings = (name: string) => async (page: import("playwright-core").Page) => {
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("link", { name, exact: true }).click();
};
const manyChats: Event[] = Array.from({ length: 1000 }, (_, i) =>
  chat(`c${i}`, `Chat number ${i + 1}`, `/home/anna/code/project-${i % 25}`, ago(i * 7)),
);

/** pickers locates the pickers in the composer: mode, model, permissions. */
const pickers = (page: import("playwright-core").Page) => page.locator(".composer .pick");

export const shots: Shot[] = [
  {
    name: "06a-settings-model",
    reference: "06a-settings-account",
    app: [...home, { provider: ollama }, { provider: azure }],
    act: openSettings("Your own model"),
  },
  {
    name: "06a2-settings-model-edit",
    reference: "06a-settings-account",
    app: [...home, { provider: ollama }],
    act: async (page) => {
      await openSettings("Your own model")(page);
      await page.getByRole("button", { name: "Edit" }).click();
    },
  },
  { name: "06b-settings-agent", app: home, act: openSettings("Agent") },
  {
    name: "06b2-settings-agent-missing",
    reference: "06b-settings-agent",
    app: [
      ...sidebarChats,
      cli({ state: "missing", path: "", version: "", searched: ["PATH", "/usr/local/bin"] }),
      storage,
      settings(),
    ],
    act: openSettings("Agent"),
  },
  {
    name: "06c-settings-permissions",
    app: [
      ...home,
      rule("r1", "/home/anna/code/orbit-api", "2025-11-20"),
      rule("r2", "/home/anna/code/orbit-api", "2025-11-20", "go test ./..."),
      rule("r3", "/home/anna/code/harbor-web", "2025-11-14", "npm run lint"),
    ],
    act: openSettings("Permissions"),
  },
  {
    name: "06c3-settings-requests",
    reference: "06c-settings-permissions",
    app: home,
    audit: [
      decidedRequest("p2", {
        kind: "execute",
        command: "go test ./...",
        decision: "auto_allowed",
        mode: "bypass",
      }),
      decidedRequest("p1", { kind: "edit", path: "/home/anna/code/orbit-api/main.go", decision: "rejected" }),
    ],
    act: async (page) => {
      await openSettings("Permissions")(page);
      await page.getByText("Request history").click();
      await page.getByRole("table", { name: "Request history" }).waitFor();
    },
  },
  {
    name: "06c4-settings-rules-many",
    reference: "06c-settings-permissions",
    app: [
      ...home,
      ...Array.from({ length: 12 }, (_, i) =>
        rule(`m${i}`, `/home/anna/code/project-${i}`, "2025-11-20", `make target-${i}`),
      ),
    ],
    act: async (page) => {
      await openSettings("Permissions")(page);
      await page.getByRole("searchbox", { name: "Search rules" }).fill("target-1");
    },
  },
  {
    name: "06c2-settings-rule",
    reference: "06c-settings-permissions",
    app: [
      ...home,
      {
        rule: {
          id: "d",
          effect: "deny",
          scope: { kind: "prefix", folder: "", command: "git push" },
          createdAt: ago(90),
          expiresAt: now + 3_600_000,
        },
      },
    ],
    act: async (page) => {
      await openSettings("Permissions")(page);
      await page.getByRole("button", { name: "Add a rule" }).click();
    },
  },
  {
    name: "06b3-settings-other-agents",
    reference: "06b-settings-agent",
    app: [
      ...home,
      {
        profile: {
          id: "q",
          name: "Qwen Code",
          command: "qwen",
          args: ["--acp"],
          env: ["OPENAI_API_KEY"],
          key: "keychain",
          createdAt: 1,
        },
      },
    ],
    act: async (page) => {
      await openSettings("Agent")(page);
      await page.getByRole("button", { name: "Add an agent" }).click();
      await page.locator(".set > main").evaluate((main) => main.scrollTo(0, 9999));
    },
  },
  { name: "06d-settings-appearance", app: home, act: openSettings("Appearance") },
  { name: "06e-settings-shortcuts", app: [...home, desktop()], act: openSettings("Shortcuts") },
  {
    name: "06f-settings-desktop",
    reference: "06d-settings-appearance",
    app: [...home, desktop()],
    act: openSettings("Desktop"),
  },
  {
    name: "06f2-settings-desktop-little",
    reference: "06d-settings-appearance",
    app: [
      ...home,
      settings({
        shortcut: "Ctrl+Alt+V",
        notify: { ...defaultSettings.notify, quietFrom: "22:00", quietTo: "07:00" },
      }),
      desktop({
        tray: false,
        actions: false,
        shortcut: {
          keys: "Ctrl+Alt+V",
          state: "taken",
          message: message(
            "Another program is using %s. Choose another shortcut, or quit that program and try again.",
            "Ctrl+Alt+V",
          ),
          command: "voxpilot quick",
        },
      }),
    ],
    act: openSettings("Desktop"),
  },
  {
    name: "06f3-settings-desktop-impossible",
    reference: "06d-settings-appearance",
    app: [
      ...home,
      settings({ notify: { ...defaultSettings.notify, muted: true } }),
      desktop({
        notifications: message(
          "This desktop has no notification service. Install one, such as dunst or mako.",
        ),
        shortcut: {
          keys: "Ctrl+Shift+Space",
          state: "impossible",
          message: message(
            "VoxPilot can't register a global shortcut on this Wayland desktop. In the desktop's keyboard settings, assign a shortcut to VoxPilot's command.",
          ),
          command: "/home/anna/Downloads/voxpilot-0.1.0/voxpilot quick",
        },
      }),
    ],
    act: async (page) => {
      await openSettings("Desktop")(page);
      await page.getByRole("button", { name: /^Change the global shortcut/ }).click();
    },
  },
  {
    name: "10f-narrow-settings-desktop",
    reference: "10e-narrow-settings",
    size: narrow,
    app: [...home, desktop()],
    act: async (page) => {
      await page.keyboard.press("Control+,");
      await page.getByRole("link", { name: "Desktop" }).click();
    },
  },
  { name: "06f-settings-doctor", app: home, doctor, act: openSettings("Doctor") },
  { name: "06g-settings-about", app: home, doctor, licenses, act: openSettings("About") },
  {
    name: "06g2-settings-license",
    app: home,
    doctor,
    licenses,
    act: async (page) => {
      await openSettings("About")(page);
      await page.getByRole("searchbox", { name: "Search by name or license" }).fill("github");
      await page.getByText("acp-go-sdk").click();
    },
  },
  {
    name: "06f2-settings-doctor-install",
    reference: "06f-settings-doctor",
    app: [
      ...sidebarChats,
      cli({
        state: "too_old",
        version: "1.0.40",
        installers,
        install: { how: "npm", running: true, output: "npm notice\nadded 1 package in 2s\n" },
      }),
      storage,
      settings(),
    ],
    doctor,
    act: openSettings("Doctor"),
  },
  {
    name: "06f3-settings-doctor-install-failed",
    reference: "06f-settings-doctor",
    app: [
      ...sidebarChats,
      cli({
        state: "missing",
        path: "",
        version: "",
        installers,
        install: {
          how: "npm",
          output: "npm error code EACCES\nnpm error path /usr/lib/node_modules\n",
          message: "Couldn't install Copilot CLI. See the output for details, then try again.",
        },
      }),
      storage,
      settings(),
    ],
    doctor,
    act: openSettings("Doctor"),
  },
  { name: "09-new-chat", app: home, folders },
  {
    name: "09b-new-chat-folder",
    reference: "09-new-chat",
    app: home,
    folders,
    act: (page) => page.getByRole("button", { name: "Folder: orbit-api" }).click(),
  },
  {
    name: "09c-new-chat-answers",
    reference: "09-new-chat",
    app: [...home, { provider: ollama }],
    folders,
    act: (page) => pickers(page).nth(1).click(),
  },
  {
    name: "09d-new-chat-practice",
    reference: "09-new-chat",
    app: home,
    folders,
    act: async (page) => {
      await pickers(page).nth(1).click();
      await page.getByRole("option", { name: /^Practice/ }).click();
    },
  },
  { name: "09e-new-chat-empty", reference: "09-new-chat", app: [cli(), storage, settings()] },
  {
    name: "01b-sidebar-many",
    app: [...manyChats, cli(), storage, settings()],
    localStorage: openChat("c700"),
    chats: { c700: [] },
    folders,
  },
  {
    name: "02c-sidebar-needs-you",
    reference: "02-permission",
    app: [
      ...sidebarChats.map((event) =>
        event.chat?.id === "billing"
          ? {
              chat: { ...event.chat, turnState: "running" as const, detail: "Edit internal/auth/refresh.go" },
            }
          : event,
      ),
      { permission: permissionFor("billing") },
      ready("refresh"),
      cli(),
      storage,
      settings(),
    ],
    localStorage: openChat("refresh"),
    chats: { refresh: [] },
    folders,
  },
  {
    name: "01c-connection",
    reference: "01-chat-streaming",
    app: [...home, ready("refresh")],
    localStorage: openChat("refresh"),
    chats: { refresh: [] },
    folders,
    act: (page) => page.getByRole("button", { name: "Connection: Connected" }).click(),
  },
  {
    name: "01d-connection-failed",
    reference: "03d-reconnecting",
    app: [
      ...home,
      ready("refresh", {
        state: "failed",
        cause: "exited_start",
        message:
          "Copilot exited right after starting, 3 times in one minute (exit code 1). Check its output, then choose “Try again”.",
        pid: 0,
        startedAt: 0,
        exitCode: 1,
        stderr:
          "Error: Cannot find module '@github/copilot-linux-x64'\n    at Module._resolveFilename (node:internal)",
      }),
    ],
    localStorage: openChat("refresh"),
    chats: { refresh: [] },
    folders,
    act: (page) => page.getByRole("button", { name: "Connection: Stopped" }).click(),
  },
  {
    name: "01e-practice",
    reference: "01-chat-streaming",
    app: [
      chat("try", "Say hello", "/home/anna/.local/share/voxpilot/practice", ago(0), {
        providerId: "practice",
      }),
      ...home,
    ],
    localStorage: openChat("try"),
    chats: { try: [] },
    folders,
  },
  {
    name: "01f-delete",
    reference: "01-chat-streaming",
    app: home,
    localStorage: openChat("refresh"),
    chats: { refresh: [] },
    folders,
    act: async (page) => {
      await page.getByRole("button", { name: "Chat actions" }).click();
      await page.getByRole("menuitem", { name: "Delete…" }).click();
    },
  },
  {
    name: "01g-storage-in-use",
    app: [
      cli(),
      {
        storage: {
          state: "in_use",
          path: "/home/anna/.local/share/voxpilot/voxpilot.db",
          message: "Process 4711 is using it.",
        },
      },
      settings(),
    ],
  },
  {
    name: "01h-storage-failing",
    reference: "14-banners",
    app: [
      ...home.filter((event) => !event.storage),
      {
        storage: {
          state: "failing",
          path: "/home/anna/.local/share/voxpilot/voxpilot.db",
          message: "No space left on device.",
        },
      },
    ],
    folders,
  },
  {
    name: "01i-rename",
    reference: "01-chat-streaming",
    app: home,
    localStorage: openChat("refresh"),
    chats: { refresh: [] },
    folders,
    act: (page) => page.getByRole("heading", { name: "Fix token refresh race" }).dblclick(),
  },
  {
    name: "10a-narrow-chat",
    reference: "10-narrow",
    size: narrow,
    app: [...home, ready("refresh")],
    localStorage: openChat("refresh"),
    chats: { refresh: [] },
    folders,
  },
  {
    name: "10b-narrow-sidebar",
    size: narrow,
    app: [...home, ready("refresh")],
    localStorage: openChat("refresh"),
    chats: { refresh: [] },
    folders,
    act: (page) => page.getByRole("button", { name: "Show sidebar" }).click(),
  },
  {
    name: "10e2-narrow-settings-model",
    reference: "10e-narrow-settings",
    size: narrow,
    app: [...home, { provider: ollama }],
    act: async (page) => {
      await page.keyboard.press("Control+,");
      await page.getByRole("link", { name: "Your own model" }).click();
    },
  },
  { name: "10h-narrow-new-chat", size: narrow, app: home, folders },
];
