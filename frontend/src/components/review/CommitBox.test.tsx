import { screen as page, render, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DraftModel } from "../../state/messageDraft";
import { ReviewModel } from "../../state/review";
import { CommitModel } from "../../state/reviewCommit";
import { forgetCommits } from "../../state/reviewCommitInput";
import { forgetPulls, PullModel } from "../../state/reviewPull";
import { useStore } from "../../state/store";
import { closeTrust, reviewed } from "../../state/trustSheet";
import type {
  ReviewCommitForm,
  ReviewCommitRequest,
  ReviewFile,
  ReviewJob,
  ReviewSources,
} from "../../state/types";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { guardMillis } from "../permission/clickGuard";
import { CommitBox, type CommitControl } from "./CommitBox";
import { outputEnd } from "./CommitJob";

const file = (path: string, more: Partial<ReviewFile> = {}): ReviewFile => ({
  path,
  kind: "edited",
  added: 1,
  removed: 0,
  version: "v1",
  size: 10,
  ...more,
});
const form = (more: Partial<ReviewCommitForm> = {}): ReviewCommitForm => ({
  branch: "topic",
  author: "Anna <anna@example.org>",
  hooks: [],
  suggestion: "Fix a.go",
  staged: 0,
  remotes: ["origin"],
  remote: "origin",
  ahead: 0,
  behind: 0,
  ...more,
});
const last = (more: Partial<NonNullable<ReviewCommitForm["last"]>> = {}) => ({
  sha: "abc123",
  subject: "Add b",
  message: "Add b\n\nWith a body.\n",
  pushed: false,
  ...more,
});

/** A fake of the app's data routes: its responses, and the queries with which the commit form was requested. */
const server = {
  form: form(),
  files: [] as ReviewFile[],
  /** Returns the files of a source; if undefined, all sources have the same `files`. */
  listed: undefined as ((source: string) => ReviewFile[]) | undefined,
  repository: true,
  nested: "",
  unlisted: 0,
  asked: [] as URLSearchParams[],
};

function listen(): void {
  const files = [file("a.go"), file("b.go")];
  Object.assign(server, {
    form: form(),
    files,
    listed: undefined,
    repository: true,
    nested: "",
    unlisted: 0,
    asked: [],
  });
  vi.stubGlobal("fetch", async (input: string) => {
    const url = new URL(input, "http://app");
    const route = url.pathname.replace("/data/", "");
    if (route === "review-sources")
      return Response.json({ repository: server.repository } as Partial<ReviewSources>);
    if (route === "review-commit") {
      server.asked.push(url.searchParams);
      return Response.json(server.form);
    }
    const files = server.listed?.(url.searchParams.get("source") ?? "") ?? server.files;
    const list = {
      source: "",
      version: "1",
      files,
      total: files.length + server.unlisted,
      added: 0,
      removed: 0,
      viewed: 0,
      nested: server.nested,
    };
    return Response.json(list);
  });
}

/** Opens the review of a chat's changes and shows the commit box. */
async function open(source = "working") {
  let control: CommitControl = { focus: () => {} };
  let model: CommitModel | undefined;
  let pull: PullModel | undefined;
  const shown = render(() => {
    const state = useStore();
    const review = new ReviewModel("c1", source);
    model = new CommitModel(review, () => state.reviewJobs);
    pull = new PullModel(model, () => state.reviewJobs);
    const draft = new DraftModel(model, () => state.messageDrafts);
    void review.reload().then(() => model?.load());
    return (
      <CommitBox
        model={model}
        draft={draft}
        pull={pull}
        primary
        control={(own) => {
          control = own;
        }}
      />
    );
  });
  if (server.repository) {
    await page.findByRole("region", { name: "Commit" });
    await waitFor(() => expect(page.queryByText("Loading the commit…")).toBeNull());
  }
  return { ...shown, model: model as CommitModel, pull: pull as PullModel, focus: () => control.focus() };
}

const message = () => page.getByRole<HTMLTextAreaElement>("textbox", { name: "Commit message" });
const commitButton = (name: string) => page.getByRole<HTMLButtonElement>("button", { name });
const commit = () => commitButton("Commit");
const job = (more: Partial<ReviewJob>) =>
  applyEvents({
    reviewJob: { id: "j1", chatId: "c1", state: "running", step: "commit", output: "", ...more },
  });
const made = { sha: "abc123", short: "abc", subject: "Add b", files: 2 };

/** Lets the time pass in which a new Cancel button ignores clicks. */
function passGuard(): void {
  const now = performance.now();
  vi.spyOn(performance, "now").mockReturnValue(now + guardMillis);
}

afterEach(() => {
  vi.restoreAllMocks();
  closeTrust();
});

beforeEach(() => {
  stubBrowser();
  sessionStorage.clear();
  forgetCommits();
  forgetPulls();
  resetState(chatEvent("c1"));
  listen();
});

describe("the commit box", () => {
  test("suggests a message and commits all files with it", async () => {
    const app = stubApp({ ReviewCommit: async () => "j1" });
    await open();
    expect(message().value).toBe("Fix a.go");
    expect(page.getByText("Based on the changes")).toBeTruthy();
    expect(page.getByRole("button", { name: "Files in the commit: All 2 files" })).toBeTruthy();
    await userEvent.setup().click(commit());
    const versions = { "a.go": "v1", "b.go": "v1" };
    expect(app.of("ReviewCommit")).toEqual([["c1", { message: "Fix a.go", files: "all", versions }]]);
  });

  test("is not shown outside of a repository", async () => {
    server.repository = false;
    const { model } = await open();
    await model.load();
    expect(page.queryByRole("region", { name: "Commit" })).toBeNull();
  });

  test("never overwrites a typed message, not even when the box is opened again", async () => {
    stubApp();
    const user = userEvent.setup();
    const first = await open();
    await user.clear(message());
    await user.type(message(), "My own words");
    server.form = form({ suggestion: "Something else" });
    await first.model.load();
    expect(message().value).toBe("My own words");
    first.unmount();
    await open();
    expect(message().value).toBe("My own words");
    await user.click(page.getByRole("button", { name: "Suggest another message" }));
    await waitFor(() => expect(message().value).toBe("Something else"));
    await user.click(page.getByRole("button", { name: "Restore your text" }));
    expect(message().value).toBe("My own words");
  });

  test("restores a typed message after the window was reloaded", async () => {
    stubApp();
    const first = await open();
    await userEvent.setup().type(message(), "!");
    first.unmount();
    forgetCommits();
    await open();
    expect(message().value).toBe("Fix a.go!");
  });

  test("commits only the chosen files, and both paths of a moved one", async () => {
    const app = stubApp();
    server.files = [file("a.go", { from: "old.go", kind: "moved" }), file("b.go")];
    const { model } = await open();
    model.files.select("chosen");
    model.files.toggle("b.go");
    await page.findByRole("button", { name: "Files in the commit: 1 file chosen" });
    await waitFor(() => expect(server.asked.at(-1)?.getAll("path")).toEqual(["a.go", "old.go"]));
    await userEvent.setup().click(commit());
    expect(app.of("ReviewCommit")[0]?.[1]).toEqual({
      message: "Fix a.go",
      files: "chosen",
      paths: ["a.go", "old.go"],
      versions: { "a.go": "v1" },
    });
  });

  test("commits viewed files in the versions that were shown, and loads the files again if they have changed", async () => {
    const app = stubApp({
      ReviewCommit: () => Promise.reject({ code: "stale", message: "a.go has changed since it was shown." }),
    });
    server.files = [file("a.go", { viewed: true, version: "7" }), file("b.go")];
    const { model } = await open();
    model.files.select("viewed");
    await page.findByRole("button", { name: "Files in the commit: 1 file viewed" });
    server.files = [file("a.go", { version: "8" }), file("b.go")];
    await userEvent.setup().click(commit());
    expect(app.of("ReviewCommit")[0]?.[1]).toMatchObject({ paths: ["a.go"], versions: { "a.go": "7" } });
    await page.findByText("a.go has changed since it was shown.");
    await waitFor(() => expect(model.files.count("viewed")).toBe(0));
  });

  test("counts files that were viewed in another source only if their changes are the same", async () => {
    stubApp();
    const { model, unmount } = await open("chat");
    const viewed = { viewed: true };
    const list = (source: string) => [
      file("a.go", source === "working" ? { version: "2" } : viewed),
      file("b.go", source === "working" ? {} : viewed),
      file("c.go", source === "working" ? viewed : {}),
    ];
    server.listed = list;
    await model.review.reload();
    await model.load();
    expect(model.files.filesOf("viewed").map((each) => each.path)).toEqual(["b.go", "c.go"]);
    unmount();
  });

  test("offers viewed and staged files only if there are some", async () => {
    stubApp();
    const { model, unmount } = await open();
    const values = async () => (await import("./CommitBox")).fileChoices(model).map((each) => each.value);
    expect(await values()).toEqual(["all", "chosen"]);
    unmount();
    server.files = [file("a.go", { viewed: true }), file("b.go")];
    server.form = form({ staged: 1 });
    const again = await open();
    const choices = (await import("./CommitBox")).fileChoices(again.model);
    expect(choices.map((each) => each.label)).toEqual([
      "All 2 files",
      "1 file viewed",
      "1 file staged",
      "Choose…",
    ]);
  });

  test("names the hooks and warnings, and says why nothing can be committed", async () => {
    stubApp();
    server.form = form({
      message: "A rebase is in progress.",
      note: "You're on topic, the default branch.",
      hooks: ["pre-commit"],
      signing: true,
    });
    await open();
    expect(page.getByText("A rebase is in progress.")).toBeTruthy();
    expect(page.getByText("You're on topic, the default branch.")).toBeTruthy();
    expect(page.getByText("By Anna <anna@example.org> · Runs pre-commit · Signed")).toBeTruthy();
    expect(commit().disabled).toBe(true);
  });

  test.each<[string, Partial<ReviewCommitForm>, string | RegExp]>([
    ["why nothing can be committed", { message: "A rebase is in progress." }, "A rebase is in progress."],
    [
      "that no branch is checked out",
      { branch: "", note: "No branch is checked out." },
      "No branch is checked out.",
    ],
    ["that the branch is behind", { behind: 2 }, "The remote branch has 2 commits that you don't have."],
  ])("says %s, even if everything is committed", async (_, more, text) => {
    stubApp();
    Object.assign(server, { files: [], form: form({ ...more, last: last() }) });
    await open();
    expect(page.getByText("Everything is committed.")).toBeTruthy();
    expect(page.getByText(text)).toBeTruthy();
  });

  test("counts files that the list leaves out, and says that they are in the commit", async () => {
    stubApp();
    server.unlisted = 7_345;
    const { model } = await open();
    expect(page.getByRole("button", { name: /Files in the commit.*All 7,347 files/ })).toBeTruthy();
    const warning = "7,345 more changed files aren't listed, but are included in the commit.";
    expect(page.getByText(warning)).toBeTruthy();
    model.files.select("viewed");
    await waitFor(() => expect(page.queryByText(warning)).toBeNull());
  });

  test("names repositories inside the folder that aren't committed", async () => {
    stubApp();
    Object.assign(server, {
      files: [],
      nested: "The repository in sub has uncommitted changes.",
      form: form(),
    });
    await open();
    expect(page.getByText("The repository in sub has uncommitted changes.")).toBeTruthy();
  });

  test("warns of the default branch only if there is something to commit or push", async () => {
    stubApp();
    const note = "You're on main, the default branch.";
    Object.assign(server, { files: [], form: form({ protected: true, note, last: last() }) });
    const { model } = await open();
    expect(page.queryByText(note)).toBeNull();
    server.form = form({ protected: true, note, last: last(), ahead: 1 });
    await model.load();
    expect(page.getByText(note)).toBeTruthy();
  });

  test("amends the last commit with its message", async () => {
    const app = stubApp();
    server.form = form({ last: last({ pushed: true }) });
    const { model } = await open();
    model.amend(true);
    await waitFor(() => expect(message().value).toBe("Add b\n\nWith a body."));
    await waitFor(() => expect(server.asked.at(-1)?.get("amend")).toBe("1"));
    expect(page.getByText(/was pushed/)).toBeTruthy();
    await userEvent.setup().click(page.getByRole("button", { name: "Amend commit" }));
    expect(app.of("ReviewCommit")[0]?.[1]).toMatchObject({ amend: true, message: "Add b\n\nWith a body." });
  });

  test("says everywhere that it amends, until the user ends that", async () => {
    stubApp();
    const user = userEvent.setup();
    server.form = form({ last: last() });
    await open();
    const item = async (name: string) => {
      await user.click(page.getByRole("button", { name: "More ways to commit" }));
      return page.findByRole("menuitem", { name });
    };
    await user.click(await item("Amend last commit"));
    await page.findByText("Amending “Add b”");
    const amends = await item("Amend last commit");
    expect(amends.querySelector("svg:not(.hid)")).toBeTruthy();
    expect(page.getByRole("menuitem", { name: "Amend and push" })).toBeTruthy();
    expect(page.getByRole("menuitem", { name: /^Amend, push and open/ })).toBeTruthy();
    await user.keyboard("{Escape}");
    await user.click(page.getByRole("button", { name: "Don't amend" }));
    expect(commit()).toBeTruthy();
    expect((await item("Amend last commit")).querySelector("svg:not(.hid)")).toBeNull();
    await user.click(page.getByRole("menuitem", { name: "Amend last commit" }));
    await user.click(message());
    await user.keyboard("{Escape}");
    expect(commit()).toBeTruthy();
    expect(message()).toHaveFocus();
  });

  test("asks for trust in the folder if no request for it is open", async () => {
    const app = stubApp({
      ReviewTrust: async () => {
        const folder = { key: "/f", folder: "/f", root: "/f", agent: "Copilot", runs: [], steers: [] };
        applyEvents({ trust: { id: "t1", chatIds: ["c1"], ...folder } });
      },
    });
    server.form = form({ message: "Trust this folder first.", untrusted: true });
    await open();
    await userEvent.setup().click(page.getByRole("button", { name: "Review folder trust…" }));
    await waitFor(() => expect(reviewed()).toBe("c1"));
    closeTrust();
    await userEvent.setup().click(page.getByRole("button", { name: "Review folder trust…" }));
    expect(reviewed()).toBe("c1");
    expect(app.of("ReviewTrust")).toEqual([["c1"]]);
    server.form = form();
    applyEvents({ trustGone: { id: "/f" } });
    await waitFor(() => expect(page.queryByText("Trust this folder first.")).toBeNull());
    expect(commit().disabled).toBe(false);
  });

  test("amends the last commit if everything is committed", async () => {
    const app = stubApp();
    const user = userEvent.setup();
    Object.assign(server, { files: [], form: form({ last: last(), suggestion: "" }) });
    await open();
    await user.click(page.getByRole("button", { name: "More ways to commit" }));
    await user.click(page.getByRole("menuitem", { name: "Amend last commit" }));
    await waitFor(() => expect(message().value).toBe("Add b\n\nWith a body."));
    await waitFor(() => expect(document.activeElement).toBe(message()));
    await user.click(page.getByRole("button", { name: "Amend commit" }));
    expect(app.of("ReviewCommit")[0]?.[1]).toMatchObject({ amend: true, message: "Add b\n\nWith a body." });
  });

  test("shows the hooks' output with its hidden characters, and cancels", async () => {
    const app = stubApp();
    await open();
    job({ step: "hooks", output: "lint\u202e ok\n" });
    expect(page.getByText("Committing and running hooks…")).toBeTruthy();
    expect(page.getByRole("log", { name: "Git output" }).textContent).toContain("lint[U+202E] ok");
    passGuard();
    await userEvent.setup().click(page.getByRole("button", { name: "Cancel" }));
    expect(app.of("ReviewCancelJob")).toEqual([["j1"]]);
    expect(page.getByText("Committing and running hooks…")).toBeTruthy();
    job({ step: "hooks", state: "cancelled" });
    await waitFor(() => expect(page.getByText("Canceled. Nothing was committed.")).toBeTruthy());
    expect(message().value).toBe("Fix a.go");
  });

  test("isn't canceled by the second half of a double click on Commit", async () => {
    const app = stubApp({ ReviewCommit: async () => "j1" });
    const user = userEvent.setup();
    await open();
    await user.click(commit());
    job({ step: "hooks" });
    await user.click(page.getByRole("button", { name: "Cancel" }));
    expect(app.of("ReviewCancelJob")).toEqual([]);
    passGuard();
    await user.click(page.getByRole("button", { name: "Cancel" }));
    expect(app.of("ReviewCancelJob")).toEqual([["j1"]]);
  });

  test("shows a failed hook with its output and returns to the message", async () => {
    stubApp();
    const user = userEvent.setup();
    await open();
    await user.type(message(), "!");
    job({ state: "failed", output: "boom", message: "The pre-commit hook stopped the commit." });
    const alert = page.getByRole("alert");
    expect(within(alert).getByText("The pre-commit hook stopped the commit.")).toBeTruthy();
    expect(page.getByRole("log").textContent).toBe("boom");
    await user.click(page.getByRole("button", { name: "Back to the commit message" }));
    expect(message().value).toBe("Fix a.go!");
  });

  test("says before a push that the upstream changes if it has another name", async () => {
    stubApp({ ReviewCommit: async () => "j1" });
    await open();
    await userEvent.setup().click(commit());
    const pushed = form({
      last: last(),
      ahead: 1,
      suggestion: "",
      upstream: "origin/main",
      setsUpstream: true,
    });
    Object.assign(server, { files: [], form: pushed });
    job({ state: "done", commit: made });
    expect(
      await page.findByText("Pushes to origin/topic and sets it as the upstream branch."),
    ).toBeInTheDocument();
  });

  test("shows the commit with Undo until it is pushed", async () => {
    const app = stubApp({ ReviewCommit: async () => "j1" });
    const user = userEvent.setup();
    await open();
    await user.type(message(), "!");
    await user.click(commit());
    Object.assign(server, { files: [], form: form({ last: last(), ahead: 1, suggestion: "" }) });
    job({ state: "done", commit: made });
    expect(await page.findByText("2 files to topic")).toBeTruthy();
    expect(page.getByText("abc")).toBeTruthy();
    expect(sessionStorage).toHaveLength(0);
    await user.click(page.getByRole("button", { name: "Push 1 commit" }));
    expect(app.of("ReviewPush")).toEqual([["c1", { setUpstream: true }]]);

    server.files = [file("a.go")];
    await user.click(page.getByRole("button", { name: "Undo commit" }));
    expect(app.of("ReviewUndoCommit")).toEqual([["c1", "abc123"]]);
    await waitFor(() => expect(message().value).toBe("Add b\n\nWith a body."));

    server.form = form({ last: last({ pushed: true, pushedTo: "fork/topic" }), upstream: "origin/main" });
    job({ id: "j2", step: "push", state: "done" });
    await waitFor(() => expect(page.queryByRole("button", { name: "Undo commit" })).toBeNull());
    expect(await page.findByText("Pushed to fork/topic")).toBeInTheDocument();
  });

  test.each<[string, boolean, string]>([
    ["amends again after an amend is undone", true, "Amend commit"],
    ["makes a new commit after a commit is undone", false, "Commit"],
  ])("%s", async (_, amended, name) => {
    const app = stubApp({ ReviewCommit: async () => "j1", ReviewUndoCommit: async () => amended });
    const user = userEvent.setup();
    const { model } = await open();
    model.amend(amended);
    await user.clear(message());
    await user.type(message(), "Mine");
    await user.click(commitButton(name));
    Object.assign(server, { files: [], form: form({ last: last({ message: "Mine\n" }), ahead: 1 }) });
    job({ state: "done", commit: made });
    const undo = await page.findByRole("button", { name: "Undo commit" });
    Object.assign(server, {
      files: amended ? [] : [file("a.go")],
      form: form({ last: last({ sha: "old" }) }),
    });
    await user.click(undo);
    await waitFor(() => expect(message().value).toBe("Mine"));
    await waitFor(() => expect(commitButton(name)).toBeEnabled());
    await user.click(commitButton(name));
    expect(
      app.of("ReviewCommit").map(([, request]) => (request as ReviewCommitRequest).amend ?? false),
    ).toEqual([amended, amended]);
  });

  test("names the hook of a push, and keeps the output of hooks that passed", async () => {
    stubApp({ ReviewCommit: async () => "j1" });
    const user = userEvent.setup();
    await open();
    await user.type(message(), "!");
    await user.click(commit());
    Object.assign(server, {
      files: [],
      form: form({
        last: last(),
        ahead: 1,
        suggestion: "",
        hooks: ["pre-commit", "pre-push (scan)", "pre-push"],
      }),
    });
    job({ state: "done", commit: made, output: "3 tests passed\n" });
    expect(await page.findByText("Runs pre-push (scan), pre-push")).toBeTruthy();
    expect(page.getByRole("log").textContent).toBe("3 tests passed");
  });

  test("says that a file has conflict markers, which git would commit", async () => {
    stubApp();
    server.files = [file("a.go", { conflict: 2 }), file("b.go")];
    await open();
    expect(page.getByText("1 file contains conflict markers.")).toBeTruthy();
    expect(commit().disabled).toBe(false);
  });

  test("doesn't warn of conflict markers in files that aren't in the commit", async () => {
    stubApp();
    server.files = [file("a.go", { conflict: 2 }), file("b.go", { staged: "all" })];
    const { model } = await open();
    const warning = () => page.queryByText("1 file contains conflict markers.");
    model.files.select("staged");
    await waitFor(() => expect(warning()).toBeNull());
    model.files.select("chosen"); // at first, all files
    await waitFor(() => expect(warning()).toBeTruthy());
    for (const path of ["a.go", "b.go"]) {
      model.files.toggle(path);
      expect(model.files.isChosen(path)).toBe(false);
      await waitFor(() => expect(warning()).toBeNull());
    }
  });

  test("shows no earlier job once the newest is closed", async () => {
    stubApp();
    const { model } = await open();
    job({ id: "j1", state: "failed", message: "first" });
    job({ id: "j2", state: "failed", message: "second" });
    expect(model.jobs.newest()?.id).toBe("j2");
    model.jobs.close();
    expect(model.jobs.newest()).toBeUndefined();
    job({ id: "j3" });
    expect(model.jobs.newest()?.id).toBe("j3");
  });

  test("commits and pushes to the remote that the user chose", async () => {
    const app = stubApp({ ReviewCommit: async () => "j1" });
    const user = userEvent.setup();
    server.form = form({ remote: "", remotes: ["fork", "origin"] });
    const { model } = await open();
    model.setRemote("fork");
    await user.click(page.getByRole("button", { name: "More ways to commit" }));
    await user.click(page.getByRole("menuitem", { name: "Commit and push" }));
    await waitFor(() =>
      expect(app.of("ReviewCommit")[0]).toMatchObject(["c1", { push: true, remote: "fork" }]),
    );
  });

  test("asks for a remote if several are possible", async () => {
    const app = stubApp();
    const user = userEvent.setup();
    Object.assign(server, {
      files: [],
      form: form({ remote: "", remotes: ["fork", "origin"], ahead: 2, last: last() }),
    });
    await open();
    const push = () => page.getByRole<HTMLButtonElement>("button", { name: "Push 2 commits" });
    expect(push().disabled).toBe(true);
    await user.selectOptions(page.getByRole("combobox", { name: "Push to" }), "fork");
    await user.click(push());
    expect(app.of("ReviewPush")).toEqual([["c1", { setUpstream: true, remote: "fork" }]]);
  });

  test("says that there is no remote to push to", async () => {
    stubApp();
    Object.assign(server, { files: [], form: form({ remote: "", remotes: [], ahead: 2, last: last() }) });
    await open();
    expect(page.getByText("This repository has no remote to push to. Add one in a terminal.")).toBeTruthy();
    expect(page.queryByRole("button", { name: "Push 2 commits" })).toBeNull();
  });

  test("offers a pull request for a branch on GitHub, not before the branch is known there", async () => {
    stubApp();
    const compareURL = "https://github.com/ann/tool/compare/main...topic?expand=1";
    Object.assign(server, { files: [], form: form({ ahead: 1, last: last(), compareURL }) });
    const { pull } = await open();
    const button = page.getByRole("button", { name: "Pull request…" });
    expect(button.classList).toContain("primary");
    await userEvent.setup().click(button);
    expect(pull.isOpen()).toBe(true);
    server.form = form({ ahead: 1, last: last() });
    job({ state: "done", commit: made });
    await waitFor(() => expect(page.queryByRole("button", { name: "Pull request…" })).toBeNull());
  });

  test("tells that a pull request is open, or wasn't opened", async () => {
    stubApp();
    const { model } = await open();
    job({ id: "j2", step: "pull" });
    job({ id: "j2", step: "pull", state: "done", url: "https://github.com/ann/tool/pull/7" });
    await waitFor(() => expect(model.review.announcement()).toBe("The pull request is open."));
    job({ id: "j3", step: "pull" });
    job({ id: "j3", step: "pull", state: "cancelled" });
    await waitFor(() =>
      expect(model.review.announcement()).toBe("Canceled. The pull request wasn't opened."),
    );
    job({ id: "j4", step: "pull", state: "failed", pushed: true, message: "No access." });
    expect(page.getByRole("alert")).toHaveTextContent(
      "Couldn't open the pull request.The branch was pushed to origin, but the pull request wasn't opened.No access.",
    );
  });

  test("states errors of actions and of loading", async () => {
    const text = "Trust this folder first.";
    stubApp({ ReviewCommit: () => Promise.reject({ code: "untrusted", message: text }) });
    await open();
    await userEvent.setup().click(commit());
    await waitFor(() => expect(page.getByRole("alert").textContent).toBe(text));
    expect(message().value).toBe("Fix a.go");
  });

  test("gets the focus, and keeps it when its content changes", async () => {
    stubApp();
    const { focus } = await open();
    focus();
    expect(document.activeElement).toBe(message());
    job({});
    await waitFor(() => expect(document.activeElement).toBe(page.getByRole("button", { name: "Cancel" })));
  });

  test("stages a file or one change, and takes it out again", async () => {
    const app = stubApp();
    const { model } = await open();
    const view = model.review.file("a.go");
    if (!view) throw new Error("no file");
    await model.stage(view);
    server.files = [file("a.go", { staged: "all" })];
    await model.review.reload();
    await model.stage(view);
    expect(app.of("ReviewStage")).toEqual([
      ["c1", "a.go", "v1", [], true],
      ["c1", "a.go", "v1", [], false],
    ]);
    expect(model.review.announcement()).toBe("a.go unstaged");
  });
});

test("long output is shown from its end", () => {
  const output = Array.from({ length: 500 }, (_, at) => `line ${at}`).join("\n");
  const { text, before } = outputEnd(`${output}\n\u001b[31mred\u001b[0m\n`);
  expect(before).toBe(101);
  expect(text.startsWith("line 101\n")).toBe(true);
  expect(text.endsWith("\nred")).toBe(true);
});
