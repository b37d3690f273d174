import { screen as page, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { forgetCommits } from "../../state/reviewCommitInput";
import { applyEvents } from "../../testing";
import { FakeReview, fakeFile, openScreen } from "./testing";

const user = userEvent.setup();

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  forgetCommits();
});

const files = (name: string) => page.findByRole("button", { name: `Files in the commit: ${name}` });
const message = () => page.getByRole<HTMLTextAreaElement>("textbox", { name: "Commit message" });

/** Opens the uncommitted changes of a.txt and b.txt, with a commit box that suggests a message for both. */
async function open(answers: Parameters<typeof openScreen>[0] = {}) {
  const review = new FakeReview(fakeFile("a.txt", [10]), fakeFile("b.txt", [10]));
  review.commit = { suggestion: "Update a.txt and b.txt" };
  const shown = openScreen(answers, "working");
  await files("All 2 files");
  await waitFor(() => expect(message().value).toBe("Update a.txt and b.txt"));
  /** Reverts a.txt on disk, as the app does. */
  const revert = () => {
    review.files = review.files.slice(1);
    review.commit = { suggestion: "Update b.txt" };
  };
  return { ...shown, review, revert };
}

describe("the files of the commit", () => {
  test("and the suggested message follow a revert and its undo at once", async () => {
    let revert = () => {};
    let restore = () => {};
    const opened = await open({
      ReviewPutBack: async () => {
        revert();
        return { id: "p" };
      },
      ReviewRedo: async () => {
        restore();
        return {};
      },
    });
    const before = [...opened.review.files];
    revert = opened.revert;
    restore = () => {
      opened.review.files = before;
      opened.review.commit = { suggestion: "Update a.txt and b.txt" };
    };
    await user.keyboard("nr");
    await files("1 file");
    await waitFor(() => expect(message().value).toBe("Update b.txt"));
    await user.keyboard("{Control>}z{/Control}");
    await files("All 2 files");
    await waitFor(() => expect(message().value).toBe("Update a.txt and b.txt"));
  });

  test("and the suggested message change together", async () => {
    const { review, revert } = await open();
    let respond = () => {};
    const responded = new Promise<void>((resolve) => {
      respond = resolve;
    });
    const { fetch } = globalThis;
    const asked: string[] = [];
    globalThis.fetch = async (input) => {
      asked.push(String(input));
      if (String(input).includes("/review-commit")) await responded;
      return fetch(input);
    };
    revert();
    review.disk = "2";
    window.dispatchEvent(new Event("focus"));
    await waitFor(() => expect(asked.some((url) => url.includes("/review-commit"))).toBe(true));
    await files("All 2 files");
    expect(message().value).toBe("Update a.txt and b.txt");
    respond();
    await files("1 file");
    expect(message().value).toBe("Update b.txt");
  });

  test("are sent with the commit, and shown again if the app refuses it because they have changed", async () => {
    const { app, revert } = await open({
      ReviewCommit: async () => {
        revert();
        throw { code: "stale", message: "The files of this commit have changed." };
      },
    });
    await user.click(page.getByRole("button", { name: "Commit" }));
    const versions = { "a.txt": "1 a.txt", "b.txt": "1 b.txt" };
    expect(app.of("ReviewCommit")).toEqual([
      ["c", { message: "Update a.txt and b.txt", files: "all", versions }],
    ]);
    await page.findByText("The files of this commit have changed.");
    await files("1 file");
    await waitFor(() => expect(message().value).toBe("Update b.txt"));
  });

  test("are counted by Git after the commit", async () => {
    const { review } = await open();
    review.commit = { last: { sha: "abc123", subject: "Add b", message: "Add b", pushed: false } };
    const commit = { sha: "abc123", short: "abc", subject: "Add b", files: 3 };
    applyEvents({ reviewJob: { id: "j", chatId: "c", state: "done", step: "commit", output: "", commit } });
    await page.findByText("3 files to topic");
  });

  test("have a new suggested message when the user views another file", async () => {
    const { review } = await open();
    await user.keyboard("nv");
    await user.click(await files("All 2 files"));
    await user.click(page.getByRole("option", { name: /^1 file viewed/ }));
    await files("1 file viewed");
    review.commit = { suggestion: "Update both" };
    (document.querySelector(".rv-scroll") as HTMLElement).focus();
    await user.keyboard("]v");
    await files("2 files viewed");
    await waitFor(() => expect(message().value).toBe("Update both"));
  });
});

describe("the list of files", () => {
  const marked = () => page.queryAllByRole("treeitem", { name: /, in the commit$/ }).map((row) => row.title);

  test("marks the files in the commit if it doesn't contain all of them", async () => {
    const review = new FakeReview(fakeFile("a.txt", [10]), fakeFile("b.txt", [10]), fakeFile("c.txt", [10]));
    review.uncommitted = review.files.slice(1).map((each) => each.file);
    openScreen({}, "chat");
    await files("All 2 files");
    expect(marked()).toEqual(["b.txt", "c.txt"]);
    await user.click(await files("All 2 files"));
    await user.click(page.getByRole("option", { name: /^Choose/ }));
    expect(marked()).toEqual([]);
  });

  test("marks nothing if all files will be committed", async () => {
    await open();
    expect(marked()).toEqual([]);
  });
});

describe("staging", () => {
  test("selects the staged files unless the user has chosen others", async () => {
    const { review } = await open();
    review.commit = { staged: 1, stagedVersion: "s1", suggestion: "Update a.txt" };
    await user.keyboard("ns");
    await files("1 file staged");
    await user.click(await files("1 file staged"));
    await user.click(page.getByRole("option", { name: /^All 2 files/ }));
    await files("All 2 files");
    await user.keyboard("{Escape}");
    (document.querySelector(".rv-scroll") as HTMLElement).focus();
    await user.keyboard("s");
    await files("All 2 files");
  });

  test("makes a commit wait until the box shows the staged files", async () => {
    const { app, review } = await open();
    let respond = () => {};
    const responded = new Promise<void>((resolve) => {
      respond = resolve;
    });
    const { fetch } = globalThis;
    globalThis.fetch = async (input) => {
      if (String(input).includes("/review-commit")) await responded;
      return fetch(input);
    };
    review.commit = { staged: 1, stagedVersion: "s1", suggestion: "Update a.txt" };
    await user.keyboard("ns");
    await waitFor(() => expect(app.of("ReviewStage")).toHaveLength(1));
    await waitFor(() => expect(page.getByRole("button", { name: "Commit" })).toBeDisabled());
    await user.type(message(), "{Control>}{Enter}{/Control}");
    expect(app.of("ReviewCommit")).toEqual([]);
    respond();
    await waitFor(() => expect(page.getByRole("button", { name: "Commit" })).toBeEnabled());
    await user.type(message(), "{Control>}{Enter}{/Control}");
    expect(app.of("ReviewCommit")[0]?.[1]).toMatchObject({ files: "staged", stagedVersion: "s1" });
  });

  test("is what a commit of staged files had, and so is the selection after it is undone", async () => {
    const { app, review } = await open({
      ReviewCommit: async () => "j",
      ReviewUndoCommit: async () => false,
    });
    review.commit = { staged: 1, stagedVersion: "s1", suggestion: "Update a.txt" };
    await user.keyboard("ns");
    await files("1 file staged");
    await waitFor(() => expect(message().value).toBe("Update a.txt"));
    await user.click(page.getByRole("button", { name: "Commit" }));
    expect(app.of("ReviewCommit")).toEqual([
      ["c", { message: "Update a.txt", files: "staged", stagedVersion: "s1" }],
    ]);
    const commit = { sha: "abc123", short: "abc", subject: "Update a.txt", files: 1 };
    const last = { sha: "abc123", subject: "Update a.txt", message: "Update a.txt", pushed: false };
    review.commit = { last };
    applyEvents({ reviewJob: { id: "j", chatId: "c", state: "done", step: "commit", output: "", commit } });
    await files("All 2 files");
    const undo = await page.findByRole("button", { name: "Undo commit" });
    review.commit = { staged: 1, stagedVersion: "s1", suggestion: "Update a.txt" };
    await user.click(undo);
    await files("1 file staged");
    expect(message().value).toBe("Update a.txt");
  });
});
