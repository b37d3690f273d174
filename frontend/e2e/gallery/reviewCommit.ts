// Screens of the commit box of a review.

import type { Page } from "playwright-core";
import type {
  Event,
  MessageDraft,
  ReviewCommitForm,
  ReviewJob,
  ReviewPull,
  ReviewPullForm,
} from "../../src/state/types";
import { opened } from "./review";
import { type FakeFile, file, reviewData, sample, staged } from "./reviewData";
import { narrow } from "./shell";
import { now, type Shot } from "./shot";
import { chatId, shot } from "./transcript";
import { turn } from "./undo";

export const form = (more: Partial<ReviewCommitForm> = {}): ReviewCommitForm => ({
  branch: "copilot/token-refresh",
  author: "Anna Berg <anna@example.org>",
  hooks: ["pre-commit", "commit-msg"],
  suggestion:
    "Share one token exchange per account\n\nLate callers wait for the first one. The logger is passed in from main.",
  staged: 0,
  last: {
    sha: "3f2a91c0",
    subject: "Share one token exchange per account",
    message: "Share one token exchange per account",
    pushed: false,
  },
  remotes: ["origin"],
  remote: "origin",
  ahead: 1,
  behind: 0,
  ...more,
});
const job = (more: Partial<ReviewJob>): Event => ({
  reviewJob: { id: "j1", chatId, state: "running", step: "hooks", output: "", ...more },
});
const draft = (more: Partial<MessageDraft>): Event => ({
  messageDraft: { id: "d1", chatId, state: "running", text: "", ...more },
});
const drafted =
  "auth: share one token exchange per account\n\nTwo tabs refreshed the same token, and the slower one was signed out.";
const commit = { sha: "3f2a91c0", short: "3f2a91c", subject: "Share one token exchange per account" };
const pushedCommit = {
  ...commit,
  message: commit.subject,
  pushed: true,
  pushedTo: "origin/copilot/token-refresh",
};
const output = [
  "go vet ./...",
  "go test ./internal/auth ./internal/log",
  "ok  \tinternal/log\t0.21s",
  "--- FAIL: TestRefreshIsShared (0.02s)",
  "    refresh_test.go:41: want 1 exchange, got 2",
  "FAIL\tinternal/auth\t0.34s",
  "",
].join("\n");

const box = (
  name: string,
  files: () => FakeFile[],
  of: ReviewCommitForm,
  events: Event[],
  more: Partial<Shot> = {},
  uncommitted: () => FakeFile[] = files,
): Shot => {
  const shown = reviewData(files);
  const working = reviewData(uncommitted)["review-files"] as (query: URLSearchParams) => unknown;
  const listed = shown["review-files"] as (query: URLSearchParams) => unknown;
  const done: Shot = shot(
    name,
    { story: turn() },
    {
      reference: "16d-review-pull-request",
      act: async (page: Page) => {
        await opened(page);
        await page.getByRole("region", { name: "Commit" }).waitFor();
        await page.locator(".commit :is(textarea, .commit-state, .commit-line)").first().waitFor();
      },
      ...more,
      data: {
        ...shown,
        "review-files": (query: URLSearchParams) =>
          (query.get("source") === "working" ? working : listed)(query),
        "review-commit": of,
        ...more.data,
      },
    },
  );
  return { ...done, app: [...done.app, ...events] };
};

const compareURL = "https://github.com/acme/orbit/compare/main...copilot/token-refresh?expand=1";
const pullForm = (more: Partial<ReviewPullForm> = {}): ReviewPullForm => ({
  branch: "copilot/token-refresh",
  bases: ["main", "release/2.4"],
  base: "main",
  title: "Share one token exchange per account",
  body: [
    "Two tabs refreshed the same token; the slower one was signed out.",
    "Calls for one account now share a single exchange. The logger is passed in from main.go, the field names are the same.",
    "Tests: TestRefreshIsShared, go test ./...",
  ].join("\n\n"),
  fromCommits: true,
  commits: 1,
  pushes: true,
  push: 1,
  remote: "origin",
  host: "github.com",
  login: "octocat",
  ...more,
});
const openPull = (more: Partial<ReviewPull> = {}): ReviewPull => ({
  available: true,
  number: 1284,
  url: "https://github.com/acme/orbit/pull/1284",
  title: "Share one token exchange per account",
  state: "open",
  checks: [
    { name: "test", state: "passed" },
    { name: "lint", state: "passed" },
    { name: "e2e", state: "failed" },
    { name: "deploy", state: "pending" },
  ],
  ...more,
});
/** inBar returns a shot with the state of the branch's pull request in the bar. */
const inBar = (name: string, pull: ReviewPull, act: (page: Page) => Promise<void>): Shot =>
  box(
    name,
    () => sample(),
    form({
      ahead: 0,
      upstream: "origin/copilot/token-refresh",
      last: pushedCommit,
      compareURL,
    }),
    [job({ state: "done", step: "push", commit, pushed: true })],
    {
      act: async (page: Page) => {
        await opened(page);
        await act(page);
      },
      data: { "review-pull": pull },
    },
    () => [],
  );
const sources = {
  ...(reviewData(() => sample())["review-sources"] as object),
  turns: [
    {
      id: "t1",
      text: "Two tabs refresh the same token at once, and the slower one is signed out. Fix that.",
      at: now,
      files: 9,
      added: 144,
      removed: 53,
    },
  ],
};

/** pull returns a shot of the sheet for a pull request, opened after a commit. */
const pull = (
  name: string,
  of: Partial<ReviewPullForm>,
  more: Partial<Shot> = {},
  events: Event[] = [],
): Shot =>
  box(
    name,
    () => sample(),
    form({ compareURL }),
    [job({ state: "done", step: "commit", commit }), ...events],
    {
      act: async (page: Page) => {
        await opened(page);
        await page.getByRole("button", { name: "Pull request…" }).click();
        await page.getByRole("dialog", { name: "Open a pull request" }).waitFor();
        await page.getByText("Checking the branch…").waitFor({ state: "detached" });
      },
      ...more,
      data: { "review-pull-form": pullForm(of), "review-sources": sources, ...more.data },
    },
    () => [],
  );

export const shots: Shot[] = [
  pull("16d-review-pull-request", {}),
  pull(
    "16d-review-pull-narrow",
    {},
    {
      size: narrow,
      act: async (page: Page) => {
        await opened(page);
        await page.getByRole("button", { name: /^Files: / }).click();
        await page.getByRole("button", { name: "Pull request…" }).click();
        await page.getByRole("dialog", { name: "Open a pull request" }).waitFor();
        await page.getByRole("textbox", { name: "Title" }).waitFor();
        await page.getByRole("dialog", { name: "Files and commit" }).waitFor({ state: "detached" });
      },
    },
  ),
  pull("16d-review-pull-compare", {
    message:
      "GitHub CLI isn't installed. Install it and run gh auth login in a terminal, or use the compare page.",
    compareURL,
    login: "",
  }),
  pull("16d-review-pull-blocked", {
    message: "Can't reach github.com. Check your connection, then try again.",
  }),
  pull("16d-review-pull-already", { pull: openPull() }),
  inBar("16d-review-pull-open", openPull(), async (page) => {
    await page.getByRole("link", { name: /^Pull request #1284/ }).waitFor();
  }),
  inBar(
    "16d-review-pull-checks",
    openPull({ checks: [...(openPull().checks ?? []), { name: "docs", state: "skipped" }] }),
    async (page) => {
      await page.getByRole("button", { name: /^Checks: / }).click();
      await page.getByRole("menuitem", { name: /^docs/ }).waitFor();
    },
  ),
  inBar(
    "16d-review-pull-offline",
    { available: false, message: "Can't reach github.com. Check your connection, then try again." },
    async (page) => {
      await page.getByText(/^Can't reach/).waitFor();
    },
  ),
  box(
    "16d-review-committed",
    () => sample(),
    form({ compareURL }),
    [job({ state: "done", step: "commit", commit })],
    {},
    () => [],
  ),
  box(
    "16d-review-pushed",
    () => sample(),
    form({
      ahead: 0,
      upstream: "origin/copilot/token-refresh",
      last: pushedCommit,
      compareURL,
    }),
    [job({ state: "done", step: "push", commit })],
    {},
    () => [],
  ),
  box("16-review-hooks", () => sample(), form(), [job({ output: output.slice(0, 80) })], {
    reference: "16-review",
  }),
  box(
    "16-review-hook-failed",
    () => sample(),
    form(),
    [
      job({
        state: "failed",
        output,
        message: "The pre-commit hook stopped the commit. See its output for the reason.",
      }),
    ],
    { reference: "16-review" },
  ),
  box("16-review-drafting", () => sample(), form(), [draft({})], { reference: "16-review" }),
  box(
    "16-review-drafted",
    () => sample(),
    form({ suggestion: drafted }),
    [
      draft({
        state: "done",
        text: drafted,
        model: "Claude Sonnet 4.5",
        usage: { input: 17_200, output: 96 },
      }),
    ],
    { reference: "16-review" },
  ),
  box(
    "16-review-draft-ready",
    () => sample(),
    form(),
    [draft({ state: "done", text: drafted, model: "Claude Sonnet 4.5" })],
    { reference: "16-review" },
  ),
  box(
    "16-review-draft-failed",
    () => sample(),
    form(),
    [
      draft({
        state: "failed",
        message: "Can't draft a message because you're offline. Check your connection, then try again.",
      }),
    ],
    { reference: "16-review" },
  ),
  box(
    "16-review-choose",
    () => sample(),
    form({
      note: "You're on main, the default branch. Others may base their work on it.",
      branch: "main",
      staged: 2,
    }),
    [],
    {
      reference: "16-review",
      act: async (page) => {
        await opened(page);
        await page.getByRole("button", { name: "Files in the commit: All 9 files" }).click();
        await page.getByRole("option", { name: /Choose/ }).click();
        await page.locator(".rv-tick").nth(1).click();
        await page.getByText("8 files chosen").waitFor();
      },
    },
  ),
  box(
    "16-review-cannot-commit",
    () => sample(),
    form({ message: "A rebase is in progress. Continue or abort it in a terminal first.", branch: "" }),
    [],
    { reference: "16-review" },
  ),
  box(
    "16-review-staged",
    () => [
      staged({ ...(sample()[1] as FakeFile), file: file("internal/auth/refresh.go", 31, 6) }, 3),
      staged({ ...(sample()[3] as FakeFile), file: file("internal/auth/store.go", 6, 6) }),
    ],
    form({ staged: 2, remotes: ["fork", "origin"], remote: "" }),
    [],
    {
      reference: "16-review",
      localStorage: {
        "voxpilot.chat": chatId,
      },
      act: async (page) => {
        await opened(page);
        await page.getByRole("button", { name: "Show changes: This chat" }).click();
        await page.getByRole("option", { name: "Uncommitted changes" }).click();
        await page.getByRole("button", { name: "Unstage change 1" }).first().waitFor();
        await page.keyboard.press("n");
      },
    },
  ),
];
