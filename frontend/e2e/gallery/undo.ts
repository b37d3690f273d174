// Screens that show undoing a turn's changes: the last row of the turn, the sheet, and the line with Redo.

import type { Page } from "playwright-core";
import type { Event, TurnUndo, UndoComparison, UndoFile, UndoPreview } from "../../src/state/types";
import { narrow } from "./shell";
import { now, type Shot } from "./shot";
import { at, chatId, fixed, plan, request, Story, shot } from "./transcript";

const passed =
  "The logger is now passed in from `main.go`; the field names did not change and the whole suite passes. Look at `refresh.go` first, that is where the behaviour changed.";

const undoOf = (more: Partial<TurnUndo> = {}): Event => ({
  undo: { turnId: "t1", chatId, state: "available", files: 9, added: 144, removed: 53, ...more },
});

/** logger adds a delegated session that replaces the logger: +96 −41 in 8 files. */
function logger(story: Story): Story {
  const inside = story.block("refactor-logger", now - 126_000, "done");
  for (const [at, path] of ["logger", "global", "main", "routes", "store", "server", "audit"].entries())
    story.edit(`internal/log/${path}.go`, at === 0 ? 36 : 9, at === 0 ? 5 : 6, inside);
  story.edit("internal/auth/refresh.go", 6, 0, inside);
  for (const command of ["go build ./...", "go test ./...", "go vet ./..."])
    story.tool("execute", { command, item: inside });
  return story;
}

/** turn returns a story with one finished turn, which changed nine files. */
export function turn(undo: Partial<TurnUndo> = {}): Story {
  const story = new Story().turn({ startedAt: at("14:02"), endedAt: at("14:06") }).session();
  story.user("14:02", request).says("14:02", plan).done("auth-bug-fix").says("14:03", fixed);
  logger(story).says("14:06", passed);
  story.events.push(undoOf(undo));
  return story;
}

/** undone returns a story with a turn whose changes were undone, and the turn after it. */
function undone(): Story {
  const story = turn({ state: "undone", files: 8, at: at("14:24") });
  story.item({ kind: "banner", session: "", banner: { kind: "undone" } });
  story.turn({ id: "t2", startedAt: at("14:25"), endedAt: at("14:26") });
  story.user("14:25", "Try again without touching the logger. Only @internal/auth/refresh.go.");
  const inside = story.block("auth-bug-fix", now - 28_000, "done");
  story.edit("internal/auth/refresh.go", 15, 6, inside).edit("internal/auth/refresh_test.go", 7, 0, inside);
  story.tool("execute", { command: "go test ./internal/auth", item: inside });
  story.says("14:26", "Done in `refresh.go` and its test. Both tests pass.");
  story.events.push(undoOf({ turnId: "t2", files: 2, added: 22, removed: 6 }));
  return story;
}

export const file = (path: string, more: Partial<UndoFile> = {}): UndoFile => ({
  path,
  effect: "restores",
  choice: "take",
  added: 6,
  removed: 16,
  ...more,
});
export const byHand = (path: string, more: Partial<UndoFile> = {}): UndoFile =>
  file(path, {
    choice: "keep",
    changed: true,
    merge: true,
    reason: "Edited outside VoxPilot.",
    changedLines: 4,
    changedAt: at("14:19"),
    ...more,
  });
export const preview = (more: Partial<UndoPreview> = {}): UndoPreview => ({
  turnId: "t1",
  since: at("14:02"),
  files: [
    byHand("internal/auth/refresh.go"),
    byHand("internal/server/routes.go", { merge: false, changedLines: 0, changedAt: at("14:22") }),
    file("internal/auth/refresh_test.go", { effect: "removes", added: 0, removed: 33 }),
    file("cmd/orbitd/main.go"),
    file("internal/auth/store.go"),
    file("internal/log/global.go", { effect: "returns", added: 6, removed: 0 }),
    file("internal/log/logger.go", { effect: "moves", from: "internal/log/log.go" }),
    file("internal/server/audit.go"),
    file("internal/server/server.go"),
  ],
  total: 9,
  ready: 7,
  changed: 2,
  notUndone: [],
  ...more,
});

const start = (page: Page) => page.getByRole("button", { name: /^Undo this turn's changes/ }).click();
const sheet = (page: Page) => page.getByRole("dialog", { name: /this turn's changes\?$/ });
const confirm = (name: string, data: UndoPreview, more: Partial<Shot> = {}): Shot =>
  shot(
    name,
    { story: turn() },
    {
      reference: "17b-undo-confirm",
      data: { undo: data },
      ...more,
      act: async (page) => {
        await start(page);
        await sheet(page).waitFor();
        await more.act?.(page);
      },
    },
  );
const goBack = (page: Page) =>
  page
    .getByRole("radiogroup", { name: "internal/server/routes.go" })
    .getByRole("radio", { name: "Restore" })
    .click();

const rest: UndoPreview["notUndone"] = [
  {
    what: "git push origin main",
    isCommand: true,
    reason: "VoxPilot can't remove data sent to other computers.",
  },
  { what: "npm publish", isCommand: true, reason: "VoxPilot can't remove data sent to other computers." },
  { what: "/home/anna/.npmrc", reason: "This file isn't in the chat's folder." },
  {
    what: "git commit -m wip",
    isCommand: true,
    reason: "Git's commits, branches and index stay as they are.",
  },
];
const many = (changed: number, ready: number): UndoPreview => {
  const name = (at: number) => `packages/${"deep/".repeat(at % 4)}part-${at}/index.ts`;
  return preview({
    files: [
      ...Array.from({ length: changed }, (_, at) => byHand(name(at))),
      ...Array.from({ length: Math.min(ready, 500 - changed) }, (_, at) => file(name(changed + at))),
    ],
    total: changed + ready,
    ready,
    changed,
  });
};
const comparison: UndoComparison = {
  path: "internal/auth/refresh.go",
  diff: "--- internal/auth/refresh.go\n+++ internal/auth/refresh.go\n@@ -41,4 +41,4 @@\n func (r *Refresher) Token() string {\n-\treturn r.shared.Do(r.load)\n+\treturn r.shared.DoOnce(r.load)\n }\n \n",
};
const showAll = (page: Page) => page.getByRole("button", { name: /^Show \d+ more$/ }).click();

export const shots: Shot[] = [
  shot("17-undo-footer", { story: turn() }),
  shot("17-undo-narrow", { story: turn() }, { reference: "17-undo-footer", size: narrow }),
  shot(
    "17-undo-unavailable",
    {
      story: turn({
        state: "unavailable",
        reason: "The folder has too many files for VoxPilot to copy.",
      }),
    },
    {
      reference: "17-undo-footer",
      act: async (page) => {
        await start(page);
        await sheet(page).waitFor();
      },
    },
  ),
  confirm("17b-undo-confirm", preview(), { act: goBack }),
  confirm("17b-undo-confirm-narrow", preview(), {
    reference: "17b-undo-confirm-narrow",
    size: narrow,
    act: goBack,
  }),
  confirm("17b-undo-compare", preview(), {
    data: { undo: preview(), "undo-file": comparison },
    act: async (page) => {
      await page.getByRole("button", { name: "Compare internal/auth/refresh.go" }).click();
      await page.getByRole("region", { name: /^Later changes to/ }).waitFor();
    },
  }),
  confirm("17b-undo-rest", preview({ notUndone: rest, edgesOnly: true })),
  confirm("17b-undo-meanwhile", preview({ meanwhile: 2 })),
  confirm("17b-undo-blocked", preview({ blocked: "Another chat is working in this folder." })),
  confirm("17b-undo-nothing", preview({ files: [], total: 0, ready: 0, changed: 0 })),
  confirm("17b-undo-many", many(0, 3000), { act: showAll }),
  confirm("17b-undo-many-changed", many(120, 300)),
  shot("17c-undo-done", { story: undone() }),
  shot("17c-undo-done-narrow", { story: undone() }, { reference: "17c-undo-done", size: narrow }),
];
