// Screens of the account: first run, sign-in and its banners, the settings page, and the sidebar row.

import type { Page } from "playwright-core";
import type { Account, Connection, Event, SignIn } from "../../src/state/types";
import {
  account,
  cli,
  folders,
  home,
  installers,
  narrow,
  nobody,
  ollama,
  openChat,
  openSettings,
  ready,
  settings,
  storage,
} from "./shell";
import { ago, now, type Shot } from "./shot";
import { failedWith, Story } from "./transcript";

const signIn = (more: Partial<SignIn> = {}): Event => ({
  signIn: {
    state: "waiting",
    code: "7K4P-QX2M",
    url: "https://github.com/login/device",
    expiresAt: now + (14 * 60 + 32) * 1000,
    ...more,
  },
});
const setUp = [cli(), storage, settings({ setupDone: false })];
const fresh = [...setUp, nobody(), signIn()];
const longLogin = "a-contractor-with-a-very-long-name_acme";

/** A PNG of 2×2 pixels as the avatar. */
const picture =
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGNQ7TJgYGBgYmBgYGBgAAAIYgDAWLxhHQAAAABJRU5ErkJggg==";

const intoFolder = async (page: Page) => {
  await page.getByLabel("Folder", { exact: true }).fill("/home/anna/code/orbit-api");
  await page.getByLabel("Folder", { exact: true }).press("Enter");
  await page.getByText("Git, branch main").waitFor();
};
const press = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).click();

const firstRun: Shot[] = [
  { name: "05-first-run", app: fresh, folders },
  {
    name: "05b-first-run-cli-missing",
    app: [
      cli({
        state: "missing",
        path: "",
        version: "",
        searched: [
          "PATH",
          "PATH of /bin/bash",
          "/usr/local/bin/copilot",
          "/home/anna/.npm-global/bin/copilot",
        ],
      }),
      storage,
      settings({ setupDone: false }),
    ],
  },
  {
    name: "05b2-first-run-install",
    reference: "05b-first-run-cli-missing",
    app: [
      cli({
        state: "missing",
        path: "",
        version: "",
        installers,
        install: { how: "npm", running: true, output: "npm http fetch GET 200 @github/copilot 412ms\n" },
      }),
      storage,
      settings({ setupDone: false }),
    ],
  },
  {
    name: "05d-first-run-too-old",
    app: [cli({ state: "too_old", version: "0.0.339" }), storage, settings({ setupDone: false })],
  },
  {
    name: "05c-first-run-folder",
    app: [...setUp, account()],
    folders,
    act: async (page) => {
      await page.getByRole("button", { name: "Continue as octocat" }).click();
      await intoFolder(page);
    },
  },
  {
    name: "05e-first-run-own-model",
    app: fresh,
    act: (page) => page.getByRole("button", { name: "Use your own model" }).click(),
  },
];

const ended = (name: string, how: Partial<SignIn>): Shot => ({
  name: `05f-first-run-${name}`,
  reference: "05-first-run",
  // The first run requests a code automatically, so the event that ends the sign-in comes later.
  app: [...setUp, nobody(), signIn()],
  later: [signIn({ code: "", url: "", expiresAt: 0, ...how })],
});

const signIns: Shot[] = [
  ended("code-expired", { state: "expired" }),
  ended("code-denied", { state: "denied" }),
  ended("code-unreachable", { state: "unreachable" }),
  ended("code-failed", {
    state: "failed",
    message:
      "This client ID can't be used to sign in with a code. Check it in Settings, or sign in another way.",
  }),
  { ...ended("code-starting", { state: "starting" }) },
  {
    name: "05g-first-run-found",
    reference: "05c-first-run-folder",
    app: [...setUp, account({ source: "env", variable: "GH_TOKEN", kind: undefined, key: undefined })],
  },
  {
    name: "05g-first-run-found-own",
    reference: "05c-first-run-folder",
    app: [...setUp, nobody({ state: "own", source: "cli" })],
  },
  {
    name: "05g-first-run-memory",
    reference: "05c-first-run-folder",
    app: [...setUp, account({ key: "memory" })],
    act: press("Continue as octocat"),
  },
  {
    name: "05h-first-run-no-code",
    reference: "05-first-run",
    app: [...setUp, nobody({ deviceFlow: false, found: ["gh"] })],
  },
  { name: "05h-first-run-token", reference: "05-first-run", app: fresh, act: press("Paste a token") },
  {
    name: "05h-first-run-token-classic",
    reference: "05-first-run",
    app: fresh,
    act: async (page) => {
      await press("Paste a token")(page);
      await page.getByLabel("Token").fill("ghp_abcdefgh");
      await page.getByLabel("Token").press("Enter");
    },
  },
  {
    name: "05h-first-run-cli",
    reference: "05-first-run",
    app: [
      ...setUp,
      nobody(),
      {
        signIn: {
          state: "waiting",
          cli: true,
          code: "7K4P-QX2M",
          url: "https://github.com/login/device",
          output:
            "To authenticate, visit https://github.com/login/device and enter code 7K4P-QX2M.\nWaiting for authorization...",
        },
      },
    ],
  },
  {
    name: "05i-first-run-locked",
    reference: "05-first-run",
    app: [...setUp, nobody({ state: "locked", source: "stored" })],
  },
  {
    name: "05i-first-run-refused",
    reference: "05-first-run",
    app: [
      ...setUp,
      nobody({
        state: "expired",
        source: "env",
        variable: "GH_TOKEN",
        message:
          "GitHub no longer accepts the token in the environment variable GH_TOKEN. Replace it and restart VoxPilot, or sign in here.",
      }),
      signIn(),
    ],
  },
  { name: "10g-narrow-first-run", size: narrow, app: fresh },
  {
    name: "05j-sign-in-dialog",
    reference: "03c-reconnect-sign-in",
    app: [...home, ready("refresh"), account({ state: "expired" }), signIn()],
    localStorage: openChat("refresh"),
    chats: { refresh: [] },
    folders,
    act: async (page) => {
      await page.getByRole("button", { name: /^Account:/ }).click();
      await page.getByRole("menuitem", { name: "Sign in to GitHub…" }).click();
      await page.getByRole("status", { name: "Sign-in status" }).waitFor();
    },
  },
  {
    name: "10k-narrow-sign-in-dialog",
    reference: "10g-narrow-first-run",
    size: narrow,
    app: [...home, account({ state: "no_access", host: "acme.ghe.com", login: longLogin }), signIn()],
    folders,
    act: async (page) => {
      await page.keyboard.press("Control+,");
      await page.getByRole("button", { name: "Use another account" }).click();
      await page.getByRole("status", { name: "Sign-in status" }).waitFor();
    },
  },
];

const page06 = (name: string, more: Partial<Account>, extra: Partial<Shot> = {}): Shot => ({
  name,
  reference: "06a-settings-account",
  app: [...home, account(more)],
  act: openSettings("Account"),
  ...extra,
});

const pages: Shot[] = [
  {
    name: "06a-settings-account",
    app: [...home, { provider: ollama }, settings({ mainId: ollama.id })],
    act: openSettings("Account"),
  },
  page06("06h-account-picture", { avatar: "1", expiresAt: now + 6 * 3_600_000 }, { avatar: picture }),
  page06("06h-account-variable", {
    source: "env",
    variable: "COPILOT_GITHUB_TOKEN",
    key: undefined,
    found: ["env", "stored", "gh", "cli"],
    state: "unverified",
    message: "Can't reach GitHub. VoxPilot will check your sign-in before it starts Copilot.",
  }),
  page06("06h-account-memory", { key: "memory", login: longLogin, host: "acme.ghe.com" }),
  page06("06h-account-nobody", {
    ...(nobody({ deviceFlow: false }).account as Account),
    login: "",
    source: undefined,
  }),
  page06("06h-account-locked", { state: "locked", login: "" }),
  page06("06h-account-own", { state: "own", source: "cli", login: "", key: undefined, found: ["cli"] }),
  page06("06h-account-refused", {
    state: "expired",
    source: "gh",
    program: "/usr/bin/gh",
    key: undefined,
    message:
      "GitHub no longer accepts the token from gh. Run “gh auth login” in a terminal and check again, or sign in here.",
  }),
  page06(
    "06i-sign-out",
    {},
    {
      act: async (page) => {
        await openSettings("Account")(page);
        await press("Sign out")(page);
      },
    },
  ),
  page06(
    "06i-sign-out-gh",
    { source: "gh", program: "/usr/bin/gh", key: undefined },
    {
      act: async (page) => {
        await openSettings("Account")(page);
        await press("Sign out")(page);
      },
    },
  ),
  {
    name: "10e-narrow-settings",
    size: narrow,
    app: [...home, { provider: ollama }],
    act: async (page) => {
      await page.keyboard.press("Control+,");
      await page.getByRole("button", { name: "Check now" }).waitFor();
    },
  },
];

const waits: Partial<Connection> = { state: "needs_login", cause: "not_signed_in" };
const banners: Shot[] = [
  failedWith("03c-reconnect-sign-in", waits, [account({ state: "expired" })], {
    later: new Story().queued("Go on with the logger, and keep the JSON field names").events,
  }),
  failedWith("14-sign-in-first", waits, [nobody()]),
  failedWith("14-sign-in-variable", waits, [
    account({ state: "expired", source: "env", variable: "GH_TOKEN", checkedAt: ago(0) }),
  ]),
  failedWith("14-no-access", { state: "needs_login", cause: "no_access" }, [account({ state: "no_access" })]),
  failedWith("14-offline", { state: "waiting", cause: "offline" }, [account({ state: "unverified" })]),
  failedWith("14-locked", { state: "needs_login", cause: "locked" }, [
    nobody({ state: "locked", source: "stored" }),
  ]),
  failedWith("10l-narrow-sign-in", waits, [account({ state: "expired" })], { size: narrow }),
  {
    name: "01j-account-menu",
    reference: "01-chat-streaming",
    app: [...home, ready("refresh")],
    localStorage: openChat("refresh"),
    chats: { refresh: [] },
    folders,
    act: press("Account: octocat"),
  },
  {
    name: "01k-connection-sign-in",
    reference: "03c-reconnect-sign-in",
    app: [...home, ready("refresh", { ...waits, pid: 0 }), account({ state: "expired", login: longLogin })],
    localStorage: openChat("refresh"),
    chats: { refresh: [] },
    folders,
    act: press("Connection: Sign-in needed"),
  },
];

export const shots: Shot[] = [...firstRun, ...signIns, ...pages, ...banners];
