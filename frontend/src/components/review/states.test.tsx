import { readFileSync } from "node:fs";
import { screen as page, waitFor, within } from "@solidjs/testing-library";
import user from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { leaveReview, openReview } from "../../state/reviewScreen";
import { go } from "../../state/screen";
import type { ReviewDiff, ReviewFile } from "../../state/types";
import { applyEvents, chatEvent } from "../../testing";
import { type FakeFile, FakeReview, fakeFile, openScreen } from "./testing";

beforeEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
});

const diff = (path: string) => page.findByRole("region", { name: `Diff of ${path}` });

/** withoutLines returns a changed file whose diff has no lines. */
const withoutLines = (
  path: string,
  more: Partial<FakeFile["file"]>,
  of: FakeFile["diff"] = {},
): FakeFile => ({
  ...fakeFile(path, [], { added: 0, removed: 0, ...more }),
  diff: of,
});

test("a review without changes says so", async () => {
  new FakeReview();
  openScreen();
  expect(await page.findByText("No changes in this chat yet")).toBeInTheDocument();
  expect(page.queryByRole("tree")).toBeNull();
});

test("a failure to load is shown, and loading can be tried again", async () => {
  const review = new FakeReview(fakeFile("a.txt", [10]));
  review.failures.set("review-files", { code: "unavailable", message: "Git isn't installed." });
  openScreen();
  expect(await page.findByRole("alert")).toHaveTextContent("Couldn't load the changes.Git isn't installed.");
  review.failures.clear();
  await user.click(page.getByRole("button", { name: "Try again" }));
  await within(await diff("a.txt")).findByText("changed 11");
  expect(page.queryByRole("alert")).toBeNull();
});

test("a list that takes long says why, and then shows the files", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    new FakeReview(fakeFile("a.txt", [10]));
    const answer = globalThis.fetch as unknown as (input: string) => Promise<Response>;
    let list = () => {};
    const held = new Promise<void>((done) => {
      list = done;
    });
    vi.stubGlobal("fetch", async (input: string) => {
      if (input.includes("/data/review-files")) await held;
      return answer(input);
    });
    openScreen();
    expect(page.queryByRole("status")).toBeNull();
    vi.advanceTimersByTime(300);
    expect(page.getByText("Loading changes…")).toBeInTheDocument();
    vi.advanceTimersByTime(2700);
    expect(
      page.getByText(/^Still loading changes\. In a folder with a large number of files/),
    ).toBeInTheDocument();
    vi.useRealTimers();
    list();
    await within(await diff("a.txt")).findByText("changed 11");
    expect(page.queryByText(/^Still loading changes/)).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

test("the first files are shown before the lines of the others are counted", async () => {
  const review = new FakeReview(fakeFile("a.txt", [10]), fakeFile("b.txt", [20, 30]));
  review.complete = 1;
  let count = () => {};
  review.rest = new Promise((done) => {
    count = done;
  });
  openScreen();
  await within(await diff("a.txt")).findByText("changed 11");
  expect(page.getByRole("treeitem", { name: "a.txt, edited, 1 added, 1 removed" })).toBeInTheDocument();
  const later = page.getByRole("treeitem", { name: "b.txt, edited, lines not counted yet" });
  expect(later).not.toHaveTextContent(/\d/);
  await within(await diff("b.txt")).findByText("changed 21");
  const total = () => page.getByRole("banner").querySelector(".pm")?.textContent;
  expect(total()).toBeUndefined();
  // Requests that make the app run Git or the GitHub CLI are sent later.
  for (const route of ["review-sources", "review-commit"]) expect(review.count(route)).toBe(0);
  count();
  expect(await page.findByRole("treeitem", { name: "b.txt, edited, 2 added, 2 removed" })).toBe(later);
  await waitFor(() => expect(total()).toBe("+3\u22123"));
  expect(page.getByText("changed 21")).toBeInTheDocument();
  await waitFor(() => expect(review.count("review-commit")).toBe(1));
});

test("a list that is still being compared says how many files are left", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const review = new FakeReview(fakeFile("a.txt", [10]), fakeFile("b.txt", [20, 30]));
    review.complete = 1;
    let count = () => {};
    review.rest = new Promise((done) => {
      count = done;
    });
    openScreen({}, "working");
    vi.advanceTimersByTime(3000);
    vi.useRealTimers();
    await within(await diff("a.txt")).findByText("changed 11");
    expect(await page.findByText("Still comparing 1 file…")).toBeInTheDocument();
    count();
    await waitFor(() => expect(page.queryByText("Still comparing 1 file…")).toBeNull());
  } finally {
    vi.useRealTimers();
  }
});

test("a list that can't be completed is also that of the commit", async () => {
  const review = new FakeReview(fakeFile("a.txt", [10]), fakeFile("b.txt", [], { added: 0, pending: true }));
  review.list = { partial: true } as never;
  openScreen({}, "working");
  await page.findByRole("button", { name: "Files in the commit: All 2 files" });
  expect(review.count("review-files")).toBe(2); // with the first files compared, and with all of them
});

test("an incomplete list says why, and names the files without counts", async () => {
  const review = new FakeReview(fakeFile("a.txt", [10]), fakeFile("b.txt", [], { added: 0, pending: true }));
  const message = "VoxPilot ran out of time to count the lines of 1 file.";
  review.list = { partial: true, message } as never;
  openScreen();
  expect((await page.findByText(message)).closest("[role=status]")).toBeTruthy();
  expect(page.getByRole("treeitem", { name: "b.txt, edited, lines not counted yet" })).toBeInTheDocument();
  expect(page.getByRole("banner").querySelector(".pm")).toBeNull();
});

test("the first file of a long list is shown before the list is drawn", async () => {
  const { requestAnimationFrame: run } = globalThis;
  const held: FrameRequestCallback[] = [];
  vi.stubGlobal("requestAnimationFrame", (frame: FrameRequestCallback) => held.push(frame));
  const files = Array.from({ length: 40 }, (_, at) => fakeFile(`f${10 + at}.txt`, [10], { viewed: at < 2 }));
  const review = new FakeReview(...files);
  openScreen();
  await within(await diff("f12.txt")).findByText("changed 11");
  expect(page.queryByRole("tree")).toBeNull();
  expect(page.queryByRole("region", { name: "Diff of f10.txt" })).toBeNull();
  vi.stubGlobal("requestAnimationFrame", run);
  for (const frame of held) run(frame);
  expect(await page.findByRole("treeitem", { name: /^f10.txt/ })).toBeInTheDocument();
  await waitFor(() => expect(page.getByRole("treeitem", { selected: true })).toHaveTextContent("f12.txt"));
  expect(within(await diff("f12.txt")).getByText("changed 11")).toBeInTheDocument();
  const read = review.asked.filter(
    ({ searchParams: of, pathname }) => pathname.endsWith("review-diff") && of.get("path") === "f12.txt",
  );
  expect(read).toHaveLength(1);
});

test("a file that can't be read is named, and can be read again", async () => {
  const review = new FakeReview(fakeFile("a.txt", [10]));
  review.failures.set("review-diff", { code: "unavailable", message: "The file is locked." });
  openScreen();
  expect(await page.findByRole("alert")).toHaveTextContent("The file is locked.");
  review.failures.clear();
  await user.click(page.getByRole("button", { name: "Try again" }));
  expect(await page.findByText("changed 11")).toBeInTheDocument();
});

/** A file whose diff has no lines, and the app's answer to the request for the diff. */
interface Answer {
  file: ReviewFile;
  diff: ReviewDiff;
}

describe("a file without lines", () => {
  /** The app's own answers, which its tests write. */
  const answers: Answer[] = JSON.parse(readFileSync("../backend/review/testdata/nolines.json", "utf8"));

  test.each<[string, string]>([
    ["added.bin", "Size: 0 B before, 1 B after."],
    ["binary.bin", "Size: 3 B before, 5 B after."],
    ["empty-mode.sh", "Only the file mode changed, from 100644 to 100755."],
    ["empty.txt", "The file is empty."],
    ["large.txt", "This file is 6.3 MB. VoxPilot doesn't compare files over 5 MB."],
    ["mode.sh", "Only the file mode changed, from 100644 to 100755."],
    ["moved.txt", "This file was moved from from.txt without other changes."],
    ["pipe.txt", "VoxPilot has no saved copy of this file to compare."],
  ])("%s", async (path, text) => {
    const answer = answers.find(({ file }) => file.path === path) as Answer;
    new FakeReview({ ...answer, old: [], new: [] });
    openScreen();
    await waitFor(async () => expect(await diff(path)).toHaveTextContent(text));
  });

  test("each answer of the app is tested", () => expect(answers).toHaveLength(8));

  test("image: both sides are shown", async () => {
    new FakeReview(
      withoutLines("a.png", { binary: true }, { image: { old: "/data/x?1", new: "/data/x?2" } }),
    );
    openScreen();
    const section = await diff("a.png");
    expect(await within(section).findByAltText("Before")).toHaveAttribute("src", "/data/x?1");
    expect(within(section).getByAltText("After")).toHaveAttribute("src", "/data/x?2");
  });
});

test("a large file is read only when the user asks", async () => {
  const review = new FakeReview(fakeFile("a.txt", [10], { large: true, added: 4000, removed: 10 }));
  openScreen();
  expect(await page.findByText(/^4,010 changed lines\./)).toBeInTheDocument();
  expect(review.count("review-diff")).toBe(0);
  const head = document.querySelector("header") as HTMLElement;
  expect(head).not.toHaveTextContent("4,000");
  await user.click(page.getByRole("button", { name: "Show diff" }));
  expect(await page.findByText("changed 11")).toBeInTheDocument();
  expect(head).toHaveTextContent("+4,000");
});

describe("a file that changed on disk meanwhile", () => {
  test("is noticed without the window getting the focus", async () => {
    const review = new FakeReview(fakeFile("a.txt", [10]));
    openScreen();
    await within(await diff("a.txt")).findByText("changed 11");
    await waitFor(() => expect(review.count("review-disk")).toBe(1));
    review.files = [fakeFile("a.txt", [12], { version: "2" })];
    review.disk = "2";
    document.dispatchEvent(new Event("visibilitychange"));
    await page.findByRole("status", { name: "Changed on disk" });
  });

  test("stays as it is until the user asks for the new version", async () => {
    const review = new FakeReview(fakeFile("a.txt", [10]));
    openScreen();
    await within(await diff("a.txt")).findByText("changed 11");
    review.files = [fakeFile("a.txt", [12], { version: "2" })];
    window.dispatchEvent(new Event("focus"));
    const note = await page.findByRole("status", { name: "Changed on disk" });
    expect(page.getByText("changed 11")).toBeInTheDocument();
    await user.click(within(note).getByRole("button", { name: "Show new version" }));
    expect(await page.findByText("changed 13")).toBeInTheDocument();
    expect(page.queryByText("changed 11")).toBeNull();
    expect(page.queryByRole("status", { name: "Changed on disk" })).toBeNull();
  });

  test("is named if it has no changes left", async () => {
    const review = new FakeReview(fakeFile("a.txt", [10]), fakeFile("b.txt", [20]));
    openScreen();
    await within(await diff("a.txt")).findByText("changed 11");
    review.files = review.files.slice(1);
    window.dispatchEvent(new Event("focus"));
    expect(await page.findByText("This file has no changes left.")).toBeInTheDocument();
    expect(document.querySelector("header")).toHaveTextContent("1 file");
  });
});

test("the agent's work is named while it goes on", async () => {
  new FakeReview(fakeFile("a.txt", [10]));
  openScreen();
  applyEvents(chatEvent("c", { turnState: "running" }));
  expect(await page.findByText(/is still working\. New changes appear below/)).toBeInTheDocument();
  applyEvents(chatEvent("c", { turnState: "done" }));
  await waitFor(() => expect(page.queryByText(/is still working/)).toBeNull());
});

test("the agent isn't working while its chat waits for trust in the folder", async () => {
  new FakeReview(fakeFile("a.txt", [10]));
  openScreen();
  applyEvents(chatEvent("c", { turnState: "running" }));
  await page.findByText(/is still working/);
  applyEvents({ connection: { chatId: "c", state: "needs_trust", cause: "untrusted", since: 1 } });
  await waitFor(() => expect(page.queryByText(/is still working/)).toBeNull());
});

test("the sources are those of the chat's repository", async () => {
  new FakeReview(fakeFile("a.txt", [10]));
  openScreen();
  await diff("a.txt");
  await user.click(page.getByRole("button", { name: "Show changes: This chat" }));
  const names = (await page.findAllByRole("option")).map((option) => option.textContent);
  expect(names.slice(0, 3)).toEqual(["This chat", "Uncommitted changes", "Branch against main"]);
  expect(names[3]).toContain("Fix it, 2 files");
  expect(names[4]).toContain("abc Start");
});

test("leaving puts the focus back on the button that opened the review", async () => {
  const entry = () => {
    const element = document.createElement("div");
    element.innerHTML = `<div class="entry" data-key="t1"><button aria-label="Review this turn's changes"></button></div>`;
    document.body.append(element);
    return element;
  };
  go({ name: "chat", id: "c" });
  const first = entry();
  first.querySelector("button")?.focus();
  openReview("c", "turn:t1");
  first.remove();
  leaveReview();
  const second = entry();
  await waitFor(() => expect(second.querySelector("button")).toHaveFocus());
  second.remove();
});
