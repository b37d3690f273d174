import { screen as page, waitFor, within } from "@solidjs/testing-library";
import user from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { composer } from "../../state/composer";
import { screen } from "../../state/screen";
import type { ReviewConflict } from "../../state/types";
import { type FakeFile, FakeReview, fakeFile, openScreen } from "./testing";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

/** merged returns a file with a merge conflict of five lines at each of the given 0-based lines. */
const merged = (starts: number[], more: Partial<ReviewConflict> = {}): FakeFile => {
  const file = fakeFile("src/store.txt", [], { added: 5, conflict: starts.length });
  for (const at of starts)
    file.new.splice(at, 0, "<<<<<<< HEAD", "mine", "=======", "theirs", ">>>>>>> topic");
  file.diff = {
    blocks: starts.map((at, n) => [at - 5 * n, 0, at, 5]),
    conflicts: starts.map((start) => ({
      start,
      base: -1,
      middle: start + 2,
      end: start + 4,
      ours: "main",
      theirs: "topic",
      ...more,
    })),
  };
  return file;
};

const conflict = (n: number, of: number) =>
  page.findAllByRole("group", { name: `Conflict ${n} of ${of}` }) as Promise<HTMLElement[]>;
const button = (name: string) => page.findByRole("button", { name });
const done = { id: "p1" };

describe("a conflict", () => {
  test("shows both sides in the order of the file, below their markers", async () => {
    new FakeReview(merged([3]));
    openScreen();
    const bars = await conflict(1, 1);
    expect(bars.map((bar) => bar.textContent)).toEqual([
      "Current, mainUse this",
      "Incoming, topicUse this",
      "Use bothOpen in editorAsk Copilot to resolve",
    ]);
    await page.findByText("<<<<<<< HEAD");
    await page.findByText(">>>>>>> topic");
    const rows = [...document.querySelectorAll(".rv-rows [data-row]")].map((row) => row.textContent ?? "");
    expect(rows.findIndex((text) => text.startsWith("Current, main"))).toBe(
      rows.findIndex((text) => text.includes("<<<<<<< HEAD")) + 1,
    );
    expect(rows.findIndex((text) => text.startsWith("Use both"))).toBe(
      rows.findIndex((text) => text.includes(">>>>>>> topic")) + 1,
    );
  });

  test("names the common ancestor, and sides without labels", async () => {
    new FakeReview(merged([3], { base: 4, ours: "", theirs: "" }));
    openScreen();
    const texts = (await conflict(1, 1)).map((bar) => bar.textContent);
    expect(texts.slice(0, 3)).toEqual(["CurrentUse this", "Common ancestor", "IncomingUse this"]);
  });

  test.each([
    ["Use this: Current, main", "ours", "Conflict resolved: Current, main"],
    ["Use this: Incoming, topic", "theirs", "Conflict resolved: Incoming, topic"],
    ["Use both, conflict 1", "both", "Conflict resolved: both sides"],
  ])("%s replaces it, and Undo brings it back", async (name, use, text) => {
    const review = new FakeReview(merged([3]));
    const { app } = openScreen({
      ReviewResolve: () => Promise.resolve(done),
      ReviewRedo: () => Promise.resolve({}),
    });
    const before = merged([3]);
    await conflict(1, 1);
    review.files = [fakeFile("src/store.txt", [3], { version: "2" })];
    (await button(name)).focus();
    await user.keyboard("{Enter}");
    await waitFor(() =>
      expect(app.of("ReviewResolve")).toEqual([
        ["c", { source: "chat", path: "src/store.txt", version: "1 src/store.txt", start: 3, use }],
      ]),
    );
    await waitFor(() => expect(page.queryByRole("group", { name: "Conflict 1 of 1" })).toBeNull());
    expect((await page.findAllByText(text)).length).toBeGreaterThan(0);
    review.files = [before];
    await user.keyboard("{Control>}z{/Control}");
    await conflict(1, 1);
    expect(app.of("ReviewRedo")).toEqual([["c", "p1"]]);
    expect(page.queryByRole("button", { name: /^Undo: conflict resolved/ })).toBeNull();
  });

  test("isn't counted as a reverted change", async () => {
    const review = new FakeReview(merged([3]));
    openScreen({ ReviewResolve: () => Promise.resolve(done) });
    const use = await button("Use both, conflict 1");
    review.files = [fakeFile("src/store.txt", [3], { version: "2", viewed: true })];
    await user.click(use);
    expect(await page.findByText("You have seen the only file.")).toBeInTheDocument();
    expect(page.queryByText(/reverted\./)).toBeNull();
  });

  test("stays if the file has changed meanwhile, and the reason is shown", async () => {
    new FakeReview(merged([3]));
    openScreen({
      ReviewResolve: () =>
        Promise.reject({ code: "stale", message: "This file has changed since it was shown." }),
    });
    await user.click(await button("Use both, conflict 1"));
    expect(await page.findByRole("alert")).toHaveTextContent("This file has changed since it was shown.");
    expect(await conflict(1, 1)).toHaveLength(3);
  });

  test("opens in the editor at its first line", async () => {
    new FakeReview(merged([3, 30]));
    const { app } = openScreen({ OpenInEditor: () => Promise.resolve() });
    await user.click(await button("Open in editor, conflict 2"));
    expect(app.of("OpenInEditor").map(([, path, line]) => [path, line])).toEqual([
      [expect.stringMatching(/\/src\/store\.txt$/), 31],
    ]);
  });

  test("goes to the composer as a message, which isn't sent", async () => {
    new FakeReview(merged([3]));
    const { app } = openScreen();
    await user.click(await button("Ask Copilot to resolve conflict 1"));
    expect(composer.draft("c").text).toBe(
      "Resolve the merge conflict in src/store.txt, lines 4 to 8. Keep the intent of both sides.",
    );
    expect(screen()).toMatchObject({ name: "chat", id: "c" });
    expect(app.of("Send")).toEqual([]);
  });

  test("keeps its marker's line in two columns", async () => {
    localStorage.setItem("voxpilot.review-layout", "split");
    new FakeReview(merged([3]));
    openScreen();
    for (const bar of await conflict(1, 1)) expect(bar).toHaveClass("below");
    const region = await page.findByRole("region", { name: "Diff of src/store.txt" });
    expect(await within(region).findByText("<<<<<<< HEAD")).toBeInTheDocument();
  });
});

test("a file whose markers are malformed has no buttons", async () => {
  const file = merged([3]);
  file.diff.conflicts = [];
  new FakeReview(file);
  openScreen();
  expect(await page.findAllByText("1 conflict")).not.toHaveLength(0);
  await page.findByText("<<<<<<< HEAD");
  expect(page.queryByRole("button", { name: /^Use / })).toBeNull();
});

test("when all files are viewed, Commit… moves the focus to the commit box", async () => {
  new FakeReview(fakeFile("a.txt", [10], { viewed: true }));
  openScreen();
  const commit = await button("Commit…");
  await user.click(commit);
  const box = page.getByRole("region", { name: "Commit" });
  expect(box).toContainElement(document.activeElement as HTMLElement);
});
