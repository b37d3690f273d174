// Tests of undo and redo of a turn's changes: the button, undo without the sheet, and each state of the sheet.

import { fireEvent, render, screen, waitFor, within } from "@solidjs/testing-library";
import { createRoot } from "solid-js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { App } from "../../calls";
import { createCommandKeys } from "../../state/commands";
import { dismiss, notices } from "../../state/notices";
import { go } from "../../state/screen";
import { sink } from "../../state/store";
import type { Banner, Event, TurnUndo, UndoComparison, UndoFile, UndoPreview } from "../../state/types";
import { closeUndo } from "../../state/undo";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { Notices } from "../shell/Notices";
import { call, diff, mainTurn, root, showTranscript, textItem } from "../transcript/testing";
import { UndoSheet } from "./UndoSheet";

const undo = (more: Partial<TurnUndo> = {}): Event => ({
  undo: { turnId: "t", chatId: "c", state: "available", files: 2, added: 5, removed: 1, ...more },
});
const file = (path: string, more: Partial<UndoFile> = {}): UndoFile => ({
  path,
  effect: "restores",
  choice: "take",
  ...more,
});
const changed = (path: string, more: Partial<UndoFile> = {}): UndoFile =>
  file(path, { choice: "keep", changed: true, reason: "Edited by hand", ...more });
const preview = (files: UndoFile[], more: Partial<UndoPreview> = {}): UndoPreview => ({
  turnId: "t",
  since: new Date("2025-11-20T14:02:00").getTime(),
  files,
  total: files.length,
  ready: files.filter((each) => !each.changed).length,
  changed: files.filter((each) => each.changed).length,
  notUndone: [],
  ...more,
});
const two = [file("a.go"), file("b.go")];
const mixed = [
  changed("auth/refresh.go", { merge: true, changedLines: 4 }),
  changed("routes.go"),
  ...["a.go", "b.go", "c.go"].map((path) => file(path)),
];

/** The response of /data/undo. */
let answer: () => Promise<UndoPreview> = () => Promise.reject(new Error("nothing was asked"));
let asked: string[] = [];
/** The response of /data/undo-file. */
let comparison: Partial<UndoComparison> = {};

/** open shows a chat whose only turn has an undo. */
function open(state: Event = undo(), calls: Partial<App> = {}) {
  const { user } = showTranscript(
    0,
    mainTurn("done", { endedAt: 5000 }),
    ...textItem("u", 1, "user", "do it"),
    ...textItem("m", 2, "message", "Done."),
    state,
  );
  const app = stubApp(calls);
  render(() => (
    <>
      <UndoSheet />
      <Notices />
    </>
  ));
  return { user, app };
}
const button = (files = 2) =>
  screen.getByRole("button", { name: `Undo this turn's changes, ${files} files` });
const sheet = () => screen.findByRole("dialog", { name: "Undo this turn's changes?" });
const noSheet = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

beforeEach(() => {
  stubBrowser();
  asked = [];
  vi.stubGlobal("fetch", async (input: string) => {
    const url = new URL(input, "http://app");
    if (url.pathname === "/data/undo-file") {
      asked.push(`${url.searchParams.get("turn")} ${url.searchParams.get("path")}`);
      return Response.json(comparison);
    }
    if (url.pathname !== "/data/undo") throw new Error("nothing is pulled here");
    asked.push(url.searchParams.get("turn") ?? "");
    return Response.json(await answer());
  });
  resetState(chatEvent("c", { turnState: "done" }));
  go({ name: "chat", id: "c" });
});
afterEach(() => {
  closeUndo();
  for (const { id } of notices()) dismiss(id);
  vi.restoreAllMocks();
  sink.reset([]);
});

describe("the last row of a turn", () => {
  test("offers undo with the recorded counts, even if only commands changed files", () => {
    open(undo({ files: 9, added: 144, removed: 53 }));
    const foot = screen.getByRole("group", { name: "This turn's changes" });
    expect(foot).toHaveTextContent(/^9 files changed\+144 −53.*ReviewUndo this turn's changes$/);
    expect(within(foot).getByRole("button", { name: "Review this turn's changes" })).toBeVisible();
  });

  test.each(["nothing", "recording"] as const)("offers nothing in the state %s", (state) => {
    open(undo({ state, files: 0 }));
    expect(screen.queryByRole("button", { name: /Undo this turn/ })).toBeNull();
  });

  test("is a rule with Redo once undone, and back after a redo", () => {
    open(undo({ state: "undone", files: 8 }));
    const rule = screen.getByRole("status", { name: "This turn's changes were undone" });
    expect(rule).toHaveTextContent("This turn's changes were undone, 8 filesRedo");
    expect(within(rule).getByRole("button", { name: "Redo this turn's changes" })).toBeVisible();
    expect(screen.queryByRole("group", { name: "This turn's changes" })).toBeNull();
    applyEvents(undo());
    expect(button()).toBeVisible();
  });

  test("says that a large folder was recorded only before and after the turn", () => {
    open(undo({ edgesOnly: true }));
    expect(button()).toHaveAccessibleDescription(
      "This folder is large, so VoxPilot saved its files only before and after this turn. If VoxPilot quit during the turn, some of the changes may be your own.",
    );
    expect(button()).toHaveAttribute("title", expect.stringContaining("This folder is large"));
    applyEvents(undo());
    expect(button()).not.toHaveAccessibleDescription();
    expect(button()).not.toHaveAttribute("title");
  });

  test("says why a turn can't be undone", async () => {
    const { user } = open(undo({ state: "unavailable", reason: "The disk was full." }));
    expect(button()).toHaveAccessibleDescription("The disk was full.");
    await user.click(button());
    const dialog = await sheet();
    expect(within(dialog).getByRole("alert")).toHaveTextContent("Can't undo this turn. The disk was full.");
    expect(within(dialog).queryByRole("button", { name: "Try again" })).toBeNull();
    expect(asked).toEqual([]);
  });
});

test("a turn that wasn't recorded shows the reason if its calls changed files", () => {
  showTranscript(
    0,
    mainTurn("done", { endedAt: 5000 }),
    ...textItem("u", 1, "user", "do it"),
    call("e", 2, { callId: "e", kind: "edit", path: `${root}/a.go` }),
    diff("e", `${root}/a.go`, 5, 1),
    undo({
      state: "unavailable",
      files: 0,
      reason: "The folder has too many files for VoxPilot to copy.",
    }),
  );
  expect(screen.getByRole("button", { name: "Undo this turn's changes" })).toHaveAccessibleDescription(
    "The folder has too many files for VoxPilot to copy.",
  );
});

describe("undo at once", () => {
  test("needs no sheet for a general remark without a command or path", async () => {
    answer = () =>
      Promise.resolve(
        preview(two, { notUndone: [{ reason: "VoxPilot keeps no copies of ignored files." }] }),
      );
    const { user, app } = open(undo(), {
      UndoTurn: async () => applyEvents(undo({ state: "undone" })),
    });
    await user.click(button());
    await waitFor(() => expect(app.of("UndoTurn")).toEqual([["t", {}]]));
  });

  test("needs no sheet for a few unchanged files, says the result and moves the focus to Redo", async () => {
    answer = () => Promise.resolve(preview(two));
    const { user, app } = open(undo(), {
      UndoTurn: async () => applyEvents(undo({ state: "undone" })),
    });
    await user.click(button());
    await waitFor(() => expect(app.of("UndoTurn")).toEqual([["t", {}]]));
    expect(asked).toEqual(["t"]);
    expect(await screen.findByText("This turn's changes were undone.")).toBeInTheDocument();
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Redo this turn's changes" })).toHaveFocus(),
    );
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("redoes an undone turn", async () => {
    answer = () => Promise.resolve(preview(two, { redo: true }));
    const { user, app } = open(undo({ state: "undone" }), { RedoTurn: async () => applyEvents(undo()) });
    await user.click(screen.getByRole("button", { name: "Redo this turn's changes" }));
    await waitFor(() => expect(app.of("RedoTurn")).toEqual([["t", {}]]));
    expect(await screen.findByText("This turn's changes were redone.")).toBeInTheDocument();
    await waitFor(() => expect(button()).toHaveFocus());
  });

  test("reports a failure in a notice", async () => {
    answer = () => Promise.resolve(preview(two));
    const { user } = open(undo(), { UndoTurn: () => Promise.reject(new Error("The disk is full.")) });
    await user.click(button());
    expect(await screen.findByText("Couldn't undo the changes.")).toBeVisible();
    expect(screen.getByText("The disk is full.")).toBeVisible();
    expect(button()).toBeVisible();
  });

  test("runs only once", async () => {
    let done = () => {};
    answer = () => Promise.resolve(preview(two));
    const { user, app } = open(undo(), {
      UndoTurn: () =>
        new Promise((resolve) => {
          done = resolve;
        }),
    });
    await user.click(button());
    await waitFor(() => expect(app.of("UndoTurn")).toHaveLength(1));
    expect(button()).toHaveAttribute("aria-busy", "true");
    await user.click(button());
    expect(asked).toHaveLength(1);
    done();
    await waitFor(() => expect(button()).toHaveAttribute("aria-busy", "false"));
  });
});

describe("the sheet", () => {
  test("keeps changed files unless the user chooses otherwise", async () => {
    answer = () => Promise.resolve(preview(mixed));
    const { user, app } = open();
    await user.click(button());
    const dialog = await sheet();
    expect(dialog).toHaveTextContent(
      "Files will be restored to how they were at 14:02, before your message.",
    );
    expect(dialog).toHaveTextContent("2 files have later changes");
    expect(dialog).toHaveTextContent("4 lines · Edited by hand");
    expect(within(dialog).getByRole("group", { name: "auth/refresh.go" })).toBeVisible();
    const choices = within(dialog).getByRole("radiogroup", { name: "auth/refresh.go" });
    expect(within(choices).getByRole("radio", { name: "Keep current" })).toBeChecked();
    const routes = within(dialog).getByRole("radiogroup", { name: "routes.go" });
    expect(within(routes).queryByRole("radio", { name: "Merge" })).toBeNull();
    const confirm = within(dialog).getByRole("button", { name: "Undo changes to 3 files" });
    await waitFor(() => expect(within(choices).getByRole("radio", { name: "Keep current" })).toHaveFocus());
    expect(confirm).toBeVisible();
    await user.click(within(choices).getByRole("radio", { name: "Merge" }));
    await user.click(within(routes).getByRole("radio", { name: "Restore" }));
    await user.click(within(dialog).getByRole("button", { name: "Undo changes to 5 files" }));
    expect(app.of("UndoTurn")).toEqual([["t", { "auth/refresh.go": "merge", "routes.go": "take" }]]);
    await noSheet();
  });

  test("names the chat of a later change once", async () => {
    const reason = "Changed in the chat “Fix tests”.";
    answer = () => Promise.resolve(preview([changed("a.go", { reason, byChatId: "c", changedLines: 12 })]));
    const { user } = open();
    await user.click(button());
    const row = within(await sheet()).getByRole("group", { name: "a.go" });
    expect(row.querySelector(".ds")).toHaveTextContent(/^12 lines · Changed in the chat “Fix tests”\.$/);
  });

  test("is operated with the arrow keys and Enter", async () => {
    answer = () => Promise.resolve(preview(mixed));
    const { user, app } = open();
    await user.click(button());
    const dialog = await sheet();
    const radio = (path: string, name: string) =>
      within(within(dialog).getByRole("radiogroup", { name: path })).getByRole("radio", { name });
    radio("auth/refresh.go", "Keep current").focus();
    await user.keyboard("{ArrowDown}");
    await waitFor(() => expect(radio("routes.go", "Keep current")).toHaveFocus());
    await user.keyboard("{ArrowDown}{ArrowRight}");
    expect(radio("routes.go", "Restore")).toBeChecked();
    await user.keyboard("{ArrowUp}");
    await waitFor(() => expect(radio("auth/refresh.go", "Keep current")).toHaveFocus());
    await user.keyboard("{Enter}");
    expect(app.of("UndoTurn")).toEqual([["t", { "routes.go": "take" }]]);
  });

  test("takes the arrow keys as soon as it opens", async () => {
    answer = () => Promise.resolve(preview(mixed));
    const { user, app } = open();
    await user.click(button());
    const dialog = await sheet();
    const first = within(dialog).getByRole("radiogroup", { name: "auth/refresh.go" });
    await waitFor(() => expect(dialog).toContainElement(document.activeElement as HTMLElement));
    await user.keyboard("{ArrowRight}");
    expect(within(first).getByRole("radio", { name: "Merge" })).toBeChecked();
    await user.keyboard("{ArrowDown}{ArrowRight}{Enter}");
    expect(app.of("UndoTurn")).toEqual([["t", { "auth/refresh.go": "merge", "routes.go": "take" }]]);
  });

  test("takes the arrow keys after a slow check", async () => {
    let arrive = (_: UndoPreview) => {};
    answer = () =>
      new Promise((resolve) => {
        arrive = resolve;
      });
    const { user } = open();
    await user.click(button());
    const dialog = await sheet();
    await waitFor(() => expect(dialog).toContainElement(document.activeElement as HTMLElement));
    arrive(preview(mixed));
    const first = await within(dialog).findByRole("radiogroup", { name: "auth/refresh.go" });
    await waitFor(() => expect(within(first).getByRole("radio", { name: "Keep current" })).toHaveFocus());
  });

  test.each([
    [false, ["restores", "restores"], "2 files will be restored"],
    [false, ["removes"], "1 file will be removed"],
    [false, ["removes", "restores", "returns"], "2 files will be restored, 1 removed"],
    [true, ["removes", "restores"], "1 file will be changed again, 1 removed again"],
    [true, ["removes", "removes"], "2 files will be removed again"],
  ] as const)("says what will happen (redo %s, %j)", async (redo, effects, heading) => {
    const files = effects.map((effect, at) => file(`${at}.go`, { effect, added: 1200, removed: 34567 }));
    const rest = [{ what: "git push", isCommand: true, reason: "Runs outside" }];
    answer = () => Promise.resolve(preview(files.slice(0, effects.length), { redo, notUndone: rest }));
    const { user } = open(undo({ state: redo ? "undone" : "available" }));
    await user.click(redo ? screen.getByRole("button", { name: "Redo this turn's changes" }) : button());
    const dialog = await screen.findByRole("dialog");
    const title = within(dialog).getByRole("heading", { name: heading });
    const sum = (n: number) => (n * effects.length).toLocaleString("en");
    expect(title.parentElement).toHaveTextContent(`${heading}+${sum(1200)} −${sum(34567)}`);
  });

  test("lists effects and what isn't undone", async () => {
    answer = () =>
      Promise.resolve(
        preview(
          [
            file("new.go", { effect: "removes" }),
            file("gone.go", { effect: "returns" }),
            file("old/name.go", { effect: "moves", from: "new/name.go" }),
          ],
          {
            notUndone: [
              { what: "git push", isCommand: true, reason: "Runs outside" },
              { reason: "2 commits stay" },
            ],
          },
        ),
      );
    const { user } = open();
    await user.click(button());
    const dialog = await sheet();
    const rows = within(dialog)
      .getAllByRole("listitem")
      .map((row) => row.textContent);
    expect(rows).toEqual([
      "new.gowill be removed (it was new)",
      "gone.gowill be recreated",
      "new/name.gowill move back to old/name.go",
      "git pushRuns outside",
      "2 commits stay",
    ]);
    expect(dialog).toHaveTextContent("Files changed by these commands will still be restored.");
    expect(dialog).not.toHaveTextContent("saved its files only before and after this turn");
  });

  test("mentions the files of commands only in an undo that lists a command", async () => {
    const outside = { what: "/home/me/.npmrc", reason: "This file isn't in the chat's folder." };
    answer = () => Promise.resolve(preview([file("a.go")], { notUndone: [outside] }));
    const { user } = open();
    await user.click(button());
    const dialog = await sheet();
    expect(within(dialog).getByRole("heading", { name: "Not undone" })).toBeVisible();
    expect(dialog).not.toHaveTextContent("Files changed by these commands");
  });

  test("lists what isn't redone", async () => {
    const push = { what: "git push", isCommand: true, reason: "Runs outside" };
    answer = () => Promise.resolve(preview([file("a.go")], { redo: true, notUndone: [push] }));
    const { user } = open(undo({ state: "undone" }));
    await user.click(screen.getByRole("button", { name: "Redo this turn's changes" }));
    const dialog = await screen.findByRole("dialog", { name: "Redo this turn's changes?" });
    expect(within(dialog).getByRole("heading", { name: "Not redone" })).toBeVisible();
    expect(dialog).not.toHaveTextContent("Files changed by these commands");
  });

  test("says that a large folder was recorded only before and after the turn", async () => {
    answer = () => Promise.resolve({ ...preview([changed("a.go")]), edgesOnly: true });
    const { user } = open();
    await user.click(button());
    expect(await sheet()).toHaveTextContent(
      "Every file stays as it is. This folder is large, so VoxPilot saved its files only before and after this turn. If VoxPilot quit during the turn, some of the changes may be your own.",
    );
  });

  test("asks before it undoes files that the user may have edited while a command was running", async () => {
    answer = () => Promise.resolve(preview([file("a.go"), file("b.go")], { meanwhile: 1 }));
    const { user } = open();
    await user.click(button());
    expect(await sheet()).toHaveTextContent(
      "A command was running when 1 of these files changed. If you edited it at the time, your edits will be undone, too.",
    );
  });

  test("does nothing if every file is kept", async () => {
    answer = () => Promise.resolve(preview([changed("a.go")]));
    const { user, app } = open();
    await user.click(button());
    const dialog = await sheet();
    const confirm = within(dialog).getByRole("button", { name: "Undo changes to 0 files" });
    expect(confirm).toHaveAttribute("aria-disabled", "true");
    await user.click(confirm);
    expect(dialog).toHaveTextContent("Every file stays as it is.");
    expect(app.of("UndoTurn")).toEqual([]);
  });

  test("says why undo is blocked, and checks again", async () => {
    answer = () => Promise.resolve(preview(two, { blocked: "Another chat is working in this folder." }));
    const { user } = open();
    await user.click(button());
    const dialog = await sheet();
    expect(within(dialog).getByRole("alert")).toHaveTextContent(
      "Can't undo this now. Another chat is working in this folder.",
    );
    expect(within(dialog).queryByRole("button", { name: /^Undo/ })).toBeNull();
    answer = () => Promise.resolve(preview(mixed));
    await user.click(within(dialog).getByRole("button", { name: "Try again" }));
    expect(await within(dialog).findByRole("button", { name: "Undo changes to 3 files" })).toBeVisible();
  });

  test("says that there is nothing to undo", async () => {
    answer = () => Promise.resolve(preview([]));
    const { user } = open();
    await user.click(button());
    expect(within(await sheet()).getByRole("status")).toHaveTextContent("This wouldn't change any files.");
    await user.keyboard("{Escape}");
    await noSheet();
    await waitFor(() => expect(button()).toHaveFocus());
  });

  test("opens while a slow check continues, and ignores its result once closed", async () => {
    let arrive = (_: UndoPreview) => {};
    answer = () =>
      new Promise((resolve) => {
        arrive = resolve;
      });
    const { user, app } = open();
    await user.click(button());
    expect(within(await sheet()).getByRole("status")).toHaveTextContent("Checking the files…");
    await user.keyboard("{Escape}");
    await noSheet();
    arrive(preview(two));
    await waitFor(() => expect(button()).toHaveAttribute("aria-busy", "false"));
    expect(app.of("UndoTurn")).toEqual([]);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("shows a check that failed, and a failed undo", async () => {
    answer = () => Promise.reject(new Error("offline"));
    const { user } = open(undo(), { UndoTurn: () => Promise.reject(new Error("A file is read-only.")) });
    await user.click(button());
    const dialog = await sheet();
    expect(within(dialog).getByRole("alert")).toHaveTextContent("Couldn't check the files.");
    answer = () => Promise.resolve(preview(mixed));
    await user.click(within(dialog).getByRole("button", { name: "Try again" }));
    await user.click(await within(dialog).findByRole("button", { name: "Undo changes to 3 files" }));
    expect(await within(dialog).findByRole("alert")).toHaveTextContent("A file is read-only.");
    expect(notices()).toEqual([]);
  });

  test("compares a file with what the turn left, and returns to the choice", async () => {
    answer = () => Promise.resolve(preview(mixed));
    comparison = { path: "auth/refresh.go", diff: "--- a\n+++ b\n@@ -1 +1 @@\n-theirs\n+mine\n" };
    const { user } = open();
    await user.click(button());
    const compare = within(await sheet()).getByRole("button", { name: "Compare auth/refresh.go" });
    await user.click(compare);
    const dialog = await screen.findByRole("dialog", { name: "Later changes to auth/refresh.go" });
    await waitFor(() => expect(dialog).toHaveTextContent("theirs"));
    expect(dialog).toHaveTextContent("mine");
    expect(asked).toEqual(["t", "t auth/refresh.go"]);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(compare).toHaveFocus());
    expect(await sheet()).toBeVisible();
    comparison = { path: "routes.go", reason: "Only the permissions differ." };
    await user.click(within(await sheet()).getByRole("button", { name: "Compare routes.go" }));
    const other = await screen.findByRole("dialog", { name: "Later changes to routes.go" });
    await waitFor(() => expect(within(other).getByRole("status")).toHaveTextContent("Only the permissions"));
  });

  test("renders only the visible ones of very many files", async () => {
    const files = Array.from({ length: 500 }, (_, at) => file(`part-${at}.ts`));
    answer = () => Promise.resolve(preview(files, { total: 3000, ready: 3000 }));
    const { user } = open();
    await user.click(button());
    const dialog = await sheet();
    expect(within(dialog).getAllByRole("listitem")).toHaveLength(4);
    await user.click(within(dialog).getByRole("button", { name: "Show 496 more" }));
    const rows = within(dialog).getAllByRole("listitem");
    expect(rows.length).toBeLessThan(100);
    expect(rows[0]).toHaveAttribute("aria-setsize", "500");
    expect(dialog).toHaveTextContent("and 2,500 more files");
    expect(within(dialog).getByRole("list", { name: "3,000 files will be restored" })).toHaveFocus();
    expect(within(dialog).getByRole("button", { name: "Undo changes to 3,000 files" })).toBeVisible();
  });
});

describe("the shortcut", () => {
  const press = (on: EventTarget = document.body) =>
    fireEvent.keyDown(on as Element, { key: "Z", ctrlKey: true, shiftKey: true });

  test("undoes the last turn from an empty message box that has nothing to redo", async () => {
    answer = () => Promise.resolve(preview(two));
    let canRedo = true;
    document.queryCommandEnabled = (command) => command === "redo" && canRedo;
    const { app } = open();
    await createRoot(async (dispose) => {
      createCommandKeys(() => true);
      const main = document.body.appendChild(document.createElement("div"));
      main.innerHTML = '<div class="main"><form class="composer"><textarea></textarea></form></div>';
      const field = main.querySelector("textarea") as HTMLTextAreaElement;
      press(field);
      canRedo = false;
      field.value = "typed";
      press(field);
      field.value = "";
      fireEvent.keyDown(field, { key: "z", ctrlKey: true });
      expect(asked).toEqual([]);
      press(field);
      main.remove();
      await waitFor(() => expect(app.of("UndoTurn")).toEqual([["t", {}]]));
      dispose();
    });
    // @ts-expect-error: the test environment doesn't have it
    delete document.queryCommandEnabled;
  });

  test("undoes the last turn, but not from a text field", async () => {
    answer = () => Promise.resolve(preview(two));
    const { app } = open();
    await createRoot(async (dispose) => {
      createCommandKeys(() => true);
      const field = document.body.appendChild(document.createElement("textarea"));
      press(field);
      field.remove();
      expect(asked).toEqual([]);
      press();
      await waitFor(() => expect(app.of("UndoTurn")).toEqual([["t", {}]]));
      dispose();
    });
  });
});

describe("the transcript", () => {
  const banner = (id: string, pos: number, more: Partial<Banner> = {}): Event => ({
    item: {
      id,
      chatId: "c",
      turnId: "t",
      session: "",
      pos,
      kind: "banner",
      createdAt: new Date("2025-11-20T14:24:00").getTime(),
      banner: { kind: "undone", detail: "Undid the changes to 8 files.", ...more },
    },
  });

  test("notes an undo of an earlier turn, but not next to the turn itself", () => {
    open(undo({ state: "undone" }));
    applyEvents(banner("b1", 3));
    expect(screen.queryByRole("status", { name: "Changes undone" })).toBeNull();
    applyEvents(banner("b0", 3.5, { note: "Couldn't change a.go.", skipped: 1 }));
    expect(screen.getByRole("status", { name: "Changes undone" })).toHaveTextContent("Couldn't change a.go.");
    applyEvents(banner("b0", 3.5));
    applyEvents(
      { turn: { id: "t2", chatId: "c", session: "main", state: "done", startedAt: 9000 } },
      {
        item: { id: "u2", chatId: "c", turnId: "t2", session: "main", pos: 4, kind: "user", createdAt: 9000 },
      },
      banner("b2", 5),
    );
    expect(screen.getByRole("status", { name: "Changes undone" })).toHaveTextContent(
      /^(An earlier turn's changes|The changes of the turn at [\d:]+) were undone at 14:24$/,
    );
  });
});
