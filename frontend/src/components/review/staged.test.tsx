import { screen as page, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { isStaged, stagedIn } from "../../state/reviewStaged";
import type { ReviewDiff } from "../../state/types";
import { FakeReview, fakeFile, openScreen } from "./testing";

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

/** Opens the review of a.go, whose lines 11, 31 and 32 have uncommitted changes. Lines 11 and 31 are staged. */
async function open(more: Parameters<typeof fakeFile>[2] = {}) {
  const file = fakeFile("a.go", [10, 30, 31], { staged: "part", index: "part:1", ...more });
  file.diff.blocks = [
    [10, 1, 10, 1],
    [30, 2, 30, 2],
  ];
  file.diff.index = "part:1";
  file.diff.staged = {
    old: [
      [10, 1],
      [30, 1],
    ],
    new: [
      [10, 1],
      [30, 1],
    ],
  };
  const review = new FakeReview(file);
  const shown = openScreen({}, "working");
  await page.findByText("changed 11");
  return { ...shown, review, file, user: userEvent.setup() };
}

const change = (name: string | RegExp) => page.getByRole("group", { name });

describe("staged changes", () => {
  test("are named in the heads of changes and before the lines", async () => {
    await open();
    const first = change("Change 1, line 11");
    expect(within(first).getByText("Staged")).toBeTruthy();
    expect(within(first).getByRole("button", { name: "Unstage change 1" })).toBeTruthy();
    expect(within(first).getByText("removed, line 11, staged")).toBeTruthy();
    expect(within(first).getByText("added, line 11, staged")).toBeTruthy();
    const second = change("Change 2, lines 31 to 32");
    expect(within(second).getByText("Partly staged")).toBeTruthy();
    expect(within(second).getByRole("button", { name: "Stage change 2" })).toBeTruthy();
    expect(within(second).getByText("added, line 31, staged")).toBeTruthy();
    expect(within(second).getByText("added, line 32")).toBeTruthy();
    expect(second.querySelectorAll(".dl.st")).toHaveLength(2);
  });

  test("are unstaged by S, and the new state replaces only what depends on it", async () => {
    const { user, app, review, file } = await open();
    await user.keyboard("n");
    await waitFor(() => expect(page.getByText(/Change 1 of 2 in a\.go\..* Staged$/)).toBeTruthy());
    const line = page.getByText("changed 11");
    const reads = review.count("review-lines");
    file.file = { ...file.file, index: "part:2" };
    file.diff = { ...file.diff, index: "part:2", staged: { old: [[30, 1]], new: [[30, 1]] } };
    await user.keyboard("s");
    expect(app.of("ReviewStage")).toEqual([["c", "a.go", "1 a.go", [[10, 1, 10, 1]], false]]);
    await page.findByRole("button", { name: "Stage change 1" });
    expect(page.getByText("Change 1 unstaged")).toBeTruthy();
    expect(within(change("Change 1, line 11")).queryByText("Staged")).toBeNull();
    await waitFor(() => expect(page.getByText("added, line 11")).toBeTruthy());
    expect(page.getByText("changed 11")).toBe(line);
    expect(review.count("review-lines")).toBe(reads);
  });

  test("are staged line by line, and a button acts on its own change", async () => {
    const { user, app } = await open();
    await user.keyboard("nn");
    await user.keyboard("{Shift>}{ArrowDown}{ArrowDown}{/Shift}");
    await page.findByRole("button", { name: "Stage 2 lines" });
    await user.keyboard("s");
    expect(app.of("ReviewStage").at(-1)?.slice(3)).toEqual([[[30, 2, 30, 0]], true]);
    await waitFor(() => expect(page.getByText("2 lines staged")).toBeTruthy());
    await user.click(page.getByRole("button", { name: "Unstage change 1" }));
    await waitFor(() => expect(app.of("ReviewStage")).toHaveLength(2));
    expect(app.of("ReviewStage").at(-1)?.slice(3)).toEqual([[[10, 1, 10, 1]], false]);
  });

  test("are staged as a whole for a moved file, and nowhere but in uncommitted changes", async () => {
    const { user, app, unmount } = await open({ kind: "moved", from: "b.go" });
    expect(page.queryByRole("button", { name: /stage change/i })).toBeNull();
    await user.keyboard("ns");
    expect(app.of("ReviewStage")).toEqual([["c", "a.go", "1 a.go", [], true]]);
    unmount();
    new FakeReview(fakeFile("a.go", [10]));
    openScreen();
    await page.findByText("changed 11");
    expect(page.queryByRole("button", { name: /stage/i })).toBeNull();
  });
});

test("a file with an unresolved conflict can't be staged, and a resolved one only as a whole", async () => {
  const { user, app, unmount } = await open({ staged: undefined, unmerged: true, conflict: 1 });
  expect(page.queryByRole("button", { name: /stage/i })).toBeNull();
  await user.keyboard("ns");
  expect(app.of("ReviewStage")).toEqual([]);
  unmount();
  await open({ staged: undefined, unmerged: true });
  expect(page.getByRole("button", { name: "Stage a.go" })).toBeTruthy();
  expect(page.queryByRole("button", { name: /stage change/i })).toBeNull();
});

test.each([
  ["Stage", true],
  ["no button to stage it", false],
])("a file resolved with the text of HEAD is still listed, with %s", async (_, unmerged) => {
  const message = "The conflicts have been resolved with the text from the last commit.";
  const file = fakeFile("a.go", [], { unmerged, resolved: true });
  file.diff.message = message;
  new FakeReview(file);
  openScreen({}, "working");
  expect(await page.findByText(message)).toBeInTheDocument();
  expect(page.getByText("Resolved")).toBeInTheDocument();
  expect(page.queryAllByRole("button", { name: "Stage a.go" })).toHaveLength(unmerged ? 1 : 0);
  expect(page.queryByRole("button", { name: "Revert file a.go" })).toBeNull();
});

test("staged lines are found in ranges", () => {
  const diff = {
    staged: {
      old: [[4, 2]],
      new: [
        [4, 1],
        [8, 3],
      ],
    },
  } as unknown as ReviewDiff;
  expect([3, 4, 5, 6].map((at) => isStaged(diff, { side: "old", at }))).toEqual([false, true, true, false]);
  expect(stagedIn(diff, [[4, 2, 4, 1]])).toBe("all");
  expect(stagedIn(diff, [[4, 3, 4, 1]])).toBe("part");
  expect(stagedIn(diff, [[7, 0, 9, 2]])).toBe("all");
  expect(
    stagedIn(diff, [
      [0, 1, 0, 0],
      [20, 1, 11, 1],
    ]),
  ).toBe("");
  expect(stagedIn(undefined, [[0, 1, 0, 1]])).toBe("");
});
