import { fireEvent, screen as page, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { forgetCommits } from "../../state/reviewCommitInput";
import { compareAddress, forgetPulls } from "../../state/reviewPull";
import type { ReviewJob, ReviewPull } from "../../state/types";
import { applyEvents } from "../../testing";
import { FakeReview, fakeFile, openScreen } from "./testing";

const compareURL = "https://github.com/ann/tool/compare/main...topic?expand=1";
const pullURL = "https://github.com/ann/tool/pull/7";
const user = userEvent.setup();

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  forgetCommits();
  forgetPulls();
});

/** fakeBranch returns a review of a branch with nothing to commit and one commit to push. */
function fakeBranch(): FakeReview {
  const review = new FakeReview(fakeFile("a.txt", [10]));
  review.commit = { remotes: ["origin"], remote: "origin", ahead: 1, compareURL };
  review.uncommitted = [];
  return review;
}

const job = (more: Partial<ReviewJob>) =>
  applyEvents({ reviewJob: { id: "j1", chatId: "c", state: "running", output: "", ...more } });

const opener = () => page.findByRole("button", { name: "Pull request…" });
const sheet = () => page.findByRole("dialog", { name: "Open a pull request" });
const title = () => page.getByRole<HTMLInputElement>("textbox", { name: "Title" });
const description = () => page.getByRole<HTMLTextAreaElement>("textbox", { name: "Description" });

/** Opens the Review screen and its sheet for a pull request. */
async function openSheet(answers: Parameters<typeof openScreen>[0] = {}) {
  const shown = openScreen({ ReviewOpenPull: async () => "j1", ReviewPush: async () => "j1", ...answers });
  await user.click(await opener());
  const dialog = await sheet();
  await waitFor(() => expect(within(dialog).queryByText("Checking the branch…")).toBeNull());
  return { ...shown, dialog };
}

describe("the sheet for a pull request", () => {
  test("suggests all fields, says what happens and opens what was typed", async () => {
    fakeBranch();
    const { app, dialog } = await openSheet();
    expect(dialog).toHaveTextContent(
      "VoxPilot pushes 1 commit to origin first. The pull request opens on github.com as octocat.",
    );
    expect(within(dialog).getByText("Nothing else is sent to GitHub.")).toBeTruthy();
    const start = within(dialog).getByRole("button", { name: "Push and open pull request" });
    expect(start).toHaveFocus();
    expect(title().value).toBe("Fix the race");
    expect(description().value).toBe("Late callers wait.");
    expect(page.getByRole<HTMLInputElement>("textbox", { name: "From" }).value).toBe("topic");
    await user.type(title(), " at once");
    await user.click(page.getByRole("checkbox", { name: "Open as a draft" }));
    await user.selectOptions(page.getByRole("combobox", { name: "Into" }), "release");
    await user.click(start);
    expect(app.of("ReviewOpenPull")).toEqual([
      ["c", { title: "Fix the race at once", body: "Late callers wait.", base: "release", draft: true }],
    ]);
    job({ step: "push" });
    expect(await within(dialog).findByText("Pushing…")).toBeTruthy();
    job({ step: "pull", pushed: true, state: "done", url: pullURL });
    await waitFor(() => expect(page.queryByRole("dialog")).toBeNull());
    expect(page.getByText("The pull request is open.")).toBeTruthy();
  });

  test("adds the chat's requests on a tick, and on its own if the commit says nothing", async () => {
    const review = fakeBranch();
    review.pullForm = { body: "" };
    await openSheet();
    const tick = () => page.getByRole<HTMLInputElement>("checkbox", { name: "Add a summary of this chat" });
    expect(tick().checked).toBe(true);
    expect(description().value).toBe("> Fix it");
    await user.click(tick());
    expect(description().value).toBe("");
    await user.type(description(), "Mine");
    await user.click(tick());
    expect(description().value).toBe("Mine\n\n> Fix it");
    await user.click(page.getByRole("button", { name: "Suggest another description" }));
    await waitFor(() => expect(description().value).toBe("> Fix it"));
    await user.click(page.getByRole("button", { name: "Restore your text" }));
    expect(description().value).toBe("Mine\n\n> Fix it");
  });

  test.each([
    [{ fromCommits: true }, "Based on the commit"],
    [{ fromCommits: true, fromTemplate: true }, "Based on the commit and the template"],
    [{ fromCommits: true, commits: 3 }, "Based on the commits and the chat"],
    [{ fromCommits: false, fromTemplate: true, body: "## Tests" }, "From the repository's template"],
    [{ fromCommits: false, body: "" }, "Based on the chat"],
  ])("says where the description comes from: %o", async (form, text) => {
    const review = fakeBranch();
    review.pullForm = form;
    const { dialog } = await openSheet();
    expect(within(dialog).getByText(text)).toBeTruthy();
  });

  test("keeps what was typed when it is closed, and returns the focus", async () => {
    fakeBranch();
    const { app } = await openSheet();
    await user.clear(title());
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(app.of("ReviewOpenPull")).toEqual([]);
    expect(page.getByRole("alert")).toHaveTextContent("Enter a title for the pull request.");
    expect(title()).toHaveAttribute("aria-invalid", "true");
    await user.type(title(), "Mine");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(page.queryByRole("dialog")).toBeNull());
    await waitFor(async () => expect(await opener()).toHaveFocus());
    await user.keyboard("{Enter}");
    await sheet();
    await waitFor(() => expect(title().value).toBe("Mine"));
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(app.of("ReviewOpenPull")).toHaveLength(1);
  });

  test("says that the branch was pushed if GitHub CLI then fails", async () => {
    fakeBranch();
    const { app, dialog } = await openSheet();
    await user.click(within(dialog).getByRole("button", { name: "Push and open pull request" }));
    job({
      step: "pull",
      pushed: true,
      state: "failed",
      message: "Couldn't open the pull request: no access",
    });
    expect(await within(dialog).findByRole("alert")).toHaveTextContent(
      "The branch was pushed to origin, but the pull request wasn't opened. Couldn't open the pull request: no access",
    );
    await user.click(within(dialog).getByRole("button", { name: "Push and open pull request" }));
    expect(app.of("ReviewOpenPull")).toHaveLength(2);
  });

  test("shows why a push was rejected, with Git's output", async () => {
    fakeBranch();
    const { dialog } = await openSheet();
    await user.click(within(dialog).getByRole("button", { name: "Push and open pull request" }));
    job({
      step: "push",
      state: "failed",
      message: "The remote declined the push: no",
      output: "hook says no",
    });
    expect(await within(dialog).findByRole("alert")).toHaveTextContent(/^The remote declined the push: no$/);
    expect(within(dialog).getByRole("log", { name: "Git output" })).toHaveTextContent("hook says no");
  });

  test("cancels the running job", async () => {
    fakeBranch();
    const { app, dialog } = await openSheet();
    await user.click(within(dialog).getByRole("button", { name: "Push and open pull request" }));
    job({ step: "push" });
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(app.of("ReviewCancelJob")).toEqual([["j1"]]);
    job({ step: "push", state: "cancelled" });
    expect(await within(dialog).findByText("Canceled.")).toBeTruthy();
  });

  test("shows an error of the call", async () => {
    fakeBranch();
    const { dialog } = await openSheet({
      ReviewOpenPull: () => Promise.reject({ code: "untrusted", message: "Trust this folder first." }),
    });
    await user.click(within(dialog).getByRole("button", { name: "Push and open pull request" }));
    expect(await within(dialog).findByRole("alert")).toHaveTextContent("Trust this folder first.");
  });

  test("without GitHub CLI, pushes and opens the compare page with the texts", async () => {
    const review = fakeBranch();
    review.pullForm = { message: "Install it, or use the compare page.", compareURL };
    const { app, dialog } = await openSheet();
    expect(within(dialog).getByText("Install it, or use the compare page.")).toBeTruthy();
    expect(dialog).toHaveTextContent("The compare page of github.com then opens in your browser.");
    expect(page.queryByRole("checkbox", { name: "Open as a draft" })).toBeNull();
    await user.click(within(dialog).getByRole("button", { name: "Push and open compare page" }));
    expect(app.of("ReviewPush")).toEqual([["c", {}]]);
    expect(app.of("OpenURL")).toEqual([]);
    job({ step: "push", state: "done", pushed: true });
    await waitFor(() =>
      expect(app.of("OpenURL")).toEqual([[`${compareURL}&title=Fix+the+race&body=Late+callers+wait.`]]),
    );
    await waitFor(() => expect(page.queryByRole("dialog")).toBeNull());
  });

  test.each([
    "Can't reach github.com. Check your connection, then try again.",
    "You're on main, the default branch. Create a branch for the pull request.",
    "The remote isn't on GitHub, so VoxPilot can't open a pull request.",
  ])("says why it can't open one: %s", async (message) => {
    const review = fakeBranch();
    review.pullForm = { message };
    const { dialog } = await openSheet();
    expect(within(dialog).getByRole("alert")).toHaveTextContent(message);
    expect(page.queryByRole("textbox", { name: "Title" })).toBeNull();
    review.pullForm = {};
    await user.click(within(dialog).getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(title().value).toBe("Fix the race"));
    expect(within(dialog).getByRole("button", { name: "Push and open pull request" })).toHaveFocus();
  });

  test("shows a pull request that the branch already has", async () => {
    const review = fakeBranch();
    review.pullForm = { pull: { available: true, number: 7, url: pullURL, state: "open" } };
    const { app, dialog } = await openSheet();
    expect(dialog).toHaveTextContent("This branch already has pull request #7");
    await user.click(within(dialog).getByRole("button", { name: "Show on GitHub" }));
    expect(app.of("OpenURL")).toEqual([[pullURL]]);
  });

  test("states that the branch couldn't be checked", async () => {
    const review = fakeBranch();
    review.failures.set("review-pull-form", { code: "unavailable", message: "No answer." });
    const { dialog } = await openSheet();
    expect(within(dialog).getByRole("alert")).toHaveTextContent("Couldn't check the branchNo answer.");
  });

  test("opens after a commit that was made for it", async () => {
    const review = fakeBranch();
    review.uncommitted = undefined;
    review.commit = { ...review.commit, suggestion: "Fix" };
    const { app } = openScreen({ ReviewCommit: async () => "j1" });
    await user.click(await page.findByRole("button", { name: "More ways to commit" }));
    await user.click(await page.findByRole("menuitem", { name: "Commit, push and open pull request…" }));
    await waitFor(() =>
      expect(app.of("ReviewCommit")[0]?.[1]).toMatchObject({ message: "Fix", files: "all" }),
    );
    job({ step: "commit" });
    expect(page.queryByRole("dialog")).toBeNull();
    job({ step: "commit", state: "done", commit: { sha: "abc", short: "abc", subject: "Fix" } });
    await sheet();
  });

  test("doesn't open after a commit that failed", async () => {
    const review = fakeBranch();
    review.uncommitted = undefined;
    review.commit = { ...review.commit, suggestion: "Fix" };
    const { app } = openScreen({ ReviewCommit: async () => "j1" });
    await user.click(await page.findByRole("button", { name: "More ways to commit" }));
    await user.click(await page.findByRole("menuitem", { name: "Commit, push and open pull request…" }));
    await waitFor(() => expect(app.of("ReviewCommit")).toHaveLength(1));
    job({ step: "hooks", state: "failed", message: "The pre-commit hook stopped the commit." });
    await page.findByText("The pre-commit hook stopped the commit.");
    expect(page.queryByRole("dialog")).toBeNull();
  });
});

test("the compare page's address stays short enough for GitHub", () => {
  const address = compareAddress(compareURL, "T", "ü".repeat(5000));
  expect(address.length).toBeLessThanOrEqual(7000);
  expect(address).toContain("&title=T&body=%C3%BC%C3%BC");
});

describe("the branch's pull request", () => {
  const open: ReviewPull = {
    available: true,
    number: 7,
    url: pullURL,
    title: "Fix the race",
    state: "open",
    draft: true,
    checks: [
      { name: "a", state: "passed" },
      { name: "b", state: "passed" },
      { name: "c", state: "failed" },
      { name: "d", state: "pending" },
      { name: "e", state: "skipped" },
    ],
  };
  const link = () => page.findByRole("link", { name: "Pull request #7, Draft" });

  test("is in the bar with its checks, opens in the browser and reloads on request", async () => {
    const review = fakeBranch();
    review.pull = open;
    const { app } = openScreen();
    await user.click(await link());
    expect(app.of("OpenURL")).toEqual([[pullURL]]);
    expect(page.queryByRole("button", { name: "Pull request…" })).toBeNull();
    const count = review.count("review-pull");
    review.pull = { ...open, state: "merged", checks: [] };
    await user.click(page.getByRole("button", { name: "Reload pull request" }));
    await page.findByRole("link", { name: "Pull request #7, Merged" });
    expect(review.count("review-pull")).toBe(count + 1);
    await opener();
  });

  test("lists its checks, which open in the browser", async () => {
    const review = fakeBranch();
    const url = "https://github.com/ann/tool/runs/1";
    const checks = open.checks?.map((check) => (check.name === "c" ? { ...check, url } : check));
    review.pull = { ...open, checks };
    const { app } = openScreen();
    const button = await page.findByRole("button", {
      name: "Checks: 2 checks passed, 1 check failed, 1 check running",
    });
    button.focus();
    await user.keyboard("{Enter}");
    const entries = () => page.getAllByRole("menuitem").map((entry) => entry.textContent);
    await waitFor(() => expect(entries()).toEqual(["cFailed", "dRunning", "aPassed", "bPassed", "eSkipped"]));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(app.of("OpenURL")).toEqual([[url]]));
    await waitFor(() => expect(button).toHaveFocus());
    await user.keyboard("{Enter}{ArrowDown}{Enter}");
    await waitFor(() => expect(app.of("OpenURL").at(-1)).toEqual([`${pullURL}/checks`]));
  });

  test("is loaded again after a push, and not when the window gets the focus", async () => {
    const review = fakeBranch();
    openScreen();
    await opener();
    expect(review.count("review-pull")).toBe(1);
    fireEvent.focus(window);
    job({ step: "push" });
    review.pull = open;
    expect(review.count("review-pull")).toBe(1);
    job({ step: "push", state: "done", pushed: true });
    await link();
    expect(review.count("review-pull")).toBe(2);
  });

  test.each<[string, (review: FakeReview) => void]>([
    [
      "isn't reachable",
      (review) => {
        review.pull = { available: false, message: "Can't reach github.com." };
      },
    ],
    [
      "doesn't answer",
      (review) => {
        review.failures.set("review-pull", { code: "unavailable", message: "Can't reach github.com." });
      },
    ],
  ])("is replaced with the reason and Try again if GitHub %s", async (_, fail) => {
    const review = fakeBranch();
    fail(review);
    const { unmount } = openScreen();
    const status = () => page.findByText("Can't reach github.com.");
    expect((await status()).closest("[role=status]")).not.toBeNull();
    unmount();
    openScreen();
    await status();
    expect(review.count("review-pull")).toBe(2);
    review.failures.clear();
    review.pull = open;
    await user.click(page.getByRole("button", { name: "Try again" }));
    await link();
    expect(page.queryByText("Can't reach github.com.")).toBeNull();
  });
});
