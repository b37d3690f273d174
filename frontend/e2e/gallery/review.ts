// Screens of the review of a chat's changes.

import type { Page } from "playwright-core";
import type { ReviewComment } from "../../src/state/types";
import { commented, type FakeFile, file, reviewData, sample } from "./reviewData";
import { narrow } from "./shell";
import { now, type Shot } from "./shot";
import { shot, streaming } from "./transcript";
import { turn } from "./undo";

const open = async (page: Page) => {
  await page.locator(".transcript :is(.msg, .banner, details)").first().waitFor();
  await page.keyboard.press("Control+Shift+R");
  await page.getByRole("main", { name: /^Review of/ }).waitFor();
};
/** opened opens the review and waits for its first lines. */
export const opened = async (page: Page) => {
  await open(page);
  await page.locator(".rv-rows :is(.dl, .sl, .rv-insert)").first().waitFor();
};
/** stub makes a method of the app return `result`, and every other method return undefined. */
const stub = (page: Page, method: string, result: unknown) =>
  page.evaluate(
    ([name, value]) => {
      const app = window.go?.main.App;
      window.go = {
        main: {
          App: new Proxy({} as NonNullable<typeof app>, {
            get: (_, key: string) => () => Promise.resolve(key === name ? value : undefined),
          }),
        },
      };
    },
    [method, result] as const,
  );

const review = (name: string, files: () => FakeFile[], more: Partial<Shot> = {}, running = false): Shot =>
  shot(
    name,
    { story: running ? streaming() : turn(), running },
    { data: reviewData(files), act: opened, ...more },
  );

let isReverted = false;
/** main puts the Review screen into a state with a kept change, a current change, reverted lines and a new comment. */
const main = async (page: Page) => {
  isReverted = false;
  await opened(page);
  await stub(page, "ReviewPutBack", { id: "p1" });
  for (let at = 0; at < 3; at++) await page.keyboard.press("n");
  await page.locator(".dl.h.on").waitFor();
  isReverted = true;
  await page.keyboard.press("r");
  await page.locator(".dl.gone").waitFor();
  await page.locator(".dl.h.on", { hasText: "exchange" }).waitFor();
  await page.keyboard.press("k");
  await page.keyboard.press("p");
  await page.getByRole("button", { name: "Keep change 1" }).first().waitFor();
  await page.locator(".rv-scroll").evaluate((element) => element.dispatchEvent(new Event("scroll")));
  await page.getByText("return v.(Token), nil").hover();
  await page.getByRole("button", { name: "Comment on line 47" }).click();
  await page.getByRole("textbox", { name: "Comment for line 47" }).fill("Say why a cast is safe here");
};

export const comment = (more: Partial<ReviewComment> = {}): ReviewComment => ({
  id: "k1",
  chatId: "refresh",
  path: "internal/auth/refresh.go",
  side: "new",
  start: 40,
  end: 41,
  text: "If the first caller gives up, every waiter fails with it. Use a context that outlives the caller, with a 10 s limit.",
  quote: "\tv, err, _ := s.flight.Do(id, func() (any, error) {\n\t\treturn s.exchange(ctx, id)",
  state: "draft",
  origin: "user",
  createdAt: now,
  ...more,
});
const drafts = [
  comment(),
  comment({ id: "k2", start: 68, end: 68, text: "Retry once, not for ever." }),
  comment({ id: "k3", path: "internal/auth/store.go", start: 14, end: 14, text: "Say what it shares." }),
];

const image = (color: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="96" height="56"><rect width="96" height="56" rx="8" fill="${color}"/></svg>`)}`;
const states = (): FakeFile[] => [
  {
    file: file("a/photo.raw", 0, 0, { binary: true }),
    hunks: [],
    diff: { binary: true, oldSize: 12_400, newSize: 9100 },
  },
  {
    file: file("a/web/logo.png", 0, 0, { binary: true }),
    hunks: [],
    diff: { binary: true, image: { old: image("gray"), new: image("teal") }, oldSize: 12_400, newSize: 9100 },
  },
  { file: file("package-lock.json", 4812, 3977, { generated: true, large: true }), hunks: [] },
  { file: file("run.sh", 0, 0, { kind: "mode", mode: ["100644", "100755"] }), hunks: [] },
  {
    file: file("server/data.sql", 0, 0, { large: true, tooLarge: true, size: 7_200_000 }),
    hunks: [],
    diff: { tooLarge: true, oldSize: 6_900_000, newSize: 7_200_000 },
  },
  { file: file("server/new.go", 0, 0, { kind: "moved", from: "server/old.go" }), hunks: [] },
  { file: file("third_party/lib", 1, 1, { kind: "submodule" }), hunks: [] },
];
const conflict = (): FakeFile[] => [
  {
    file: file("internal/auth/store.go", 4, 0, { conflict: 1 }),
    hunks: [
      {
        at: 1,
        lines: [
          " type Store struct {",
          "+<<<<<<< HEAD",
          " \tcalls map[string]*call",
          "+=======",
          "+\tflight singleflight.Group",
          "+>>>>>>> copilot/token-refresh",
          " }",
        ],
      },
    ],
    diff: {
      conflicts: [{ start: 1, base: -1, middle: 3, end: 5, ours: "main", theirs: "copilot/token-refresh" }],
    },
    tail: 40,
  },
];
let isNewer = false;

export const shots: Shot[] = [
  review("16-review", () => sample(isReverted), {
    act: main,
    data: { ...reviewData(() => sample(isReverted)), ...commented(drafts) },
  }),
  review("16c-review-comments", () => sample(), {
    reference: "16c-review-states",
    data: {
      ...reviewData(() => sample()),
      ...commented([
        comment({
          text: "If the first caller gives up, every waiter fails with it.",
          state: "answered",
          answeredAt: now,
          turnId: "t2",
        }),
        comment({
          id: "k2",
          start: 46,
          end: 46,
          state: "resolved",
          resolvedAt: now,
          text: "Say why a cast is safe here",
        }),
        comment({ id: "k3", start: -1, end: -1, outdated: true, state: "sent" }),
        comment({ id: "k4", path: "internal/log/audit.go", start: -1, end: -1, gone: true }),
      ]),
    },
    act: async (page) => {
      await opened(page);
      await page.getByText("was removed. Your comment will be sent").waitFor();
      await page.getByRole("article", { name: "Comment on changed lines" }).waitFor();
    },
  }),
  review("16b-review-split", () => sample(), {
    act: async (page) => {
      await opened(page);
      await page.getByRole("radio", { name: "Split" }).click();
      await page.keyboard.press("n");
      await page.locator(".sl").first().waitFor();
    },
  }),
  review("16-review-narrow", () => sample(), {
    size: narrow,
    act: async (page) => {
      await opened(page);
      await page.keyboard.press("n");
    },
  }),
  review("16e-review-files-narrow", () => sample(), {
    size: narrow,
    act: async (page) => {
      await opened(page);
      await page.keyboard.press("n");
      await page.getByRole("button", { name: "Files: 9, 4 viewed" }).click();
      await page.getByRole("dialog", { name: "Files and commit" }).waitFor();
    },
  }),
  review("16c-review-states", states, { reference: "16c-review-states" }),
  review("16c-review-states-narrow", states, { reference: "16c-review-states", size: narrow }),
  review("16c-review-nothing", () => [], {
    reference: "16c-review-states",
    act: async (page) => {
      await open(page);
      await page.getByText("No changes in this chat yet").waitFor();
    },
  }),
  review("16c-review-changed", () => sample(!isNewer), {
    reference: "16c-review-states",
    act: async (page) => {
      isNewer = false;
      await opened(page);
      isNewer = true;
      await page.evaluate(() => window.dispatchEvent(new Event("focus")));
      await page.getByRole("status", { name: "Changed on disk" }).waitFor();
    },
  }),
  review("16c-review-conflict", conflict, { reference: "16c-review-states" }),
  review("16c-review-conflict-narrow", conflict, { reference: "16c-review-states", size: narrow }),
  review("16c-review-working", () => sample(), { reference: "16c-review-states" }, true),
  review(
    "16c-review-seen",
    () => sample().map((each) => ({ ...each, file: { ...each.file, viewed: true } })),
    {
      reference: "16c-review-states",
      act: async (page) => {
        await open(page);
        await page.getByText("You have seen all 9 files.").waitFor();
      },
    },
  ),
  review("16-review-wrap", () => sample(), {
    reference: "16-review",
    localStorage: { "voxpilot.chat": "refresh", "voxpilot.review-wrap": "on" },
  }),
  review("16-review-find", () => sample(), {
    reference: "16-review",
    data: {
      ...reviewData(() => sample()),
      "review-find": {
        total: 2,
        matches: [
          { path: "internal/auth/refresh.go", side: "old", line: 39, start: 21, end: 29, text: "" },
          { path: "internal/auth/refresh.go", side: "new", line: 41, start: 11, end: 19, text: "" },
        ],
      },
    },
    act: async (page) => {
      await opened(page);
      await page.keyboard.press("Control+F");
      await page.getByRole("searchbox", { name: "Find" }).fill("exchange");
      await page.getByText("1 of 2").waitFor();
    },
  }),
];
