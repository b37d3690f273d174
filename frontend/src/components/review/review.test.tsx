import { fireEvent, screen as page, waitFor, within } from "@solidjs/testing-library";
import user from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { screen } from "../../state/screen";
import { FakeReview, fakeFile, openScreen } from "./testing";

beforeEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
});

const diff = (path: string) => page.findByRole("region", { name: `Diff of ${path}` });
const current = () => document.querySelector(".dl.h.on")?.textContent ?? "";
const press = (keys: string) => user.keyboard(keys);

describe("the diffs", () => {
  test("show the lines around a change, for eyes and screen readers", async () => {
    new FakeReview(fakeFile("src/a.txt", [10]));
    openScreen();
    const section = await diff("src/a.txt");
    await within(section).findByText("changed 11");
    const group = within(section).getByRole("group", { name: "Change 1, line 11" });
    expect(group).toHaveTextContent("func part11()");
    const rows = [...group.querySelectorAll(".dl:not(.h)")].map((row) => row.textContent);
    expect(rows).toEqual([
      "line 888line 8",
      "line 999line 9",
      "line 101010line 10",
      "removed, line 1111\u2212line 11",
      "added, line 1111+changed 11",
      "line 121212line 12",
      "line 131313line 13",
      "line 141414line 14",
    ]);
    expect(within(section).queryByText("line 20")).toBeNull();
  });

  test("open the lines between changes", async () => {
    new FakeReview(fakeFile("a.txt", [10, 50]));
    openScreen();
    const section = await diff("a.txt");
    await within(section).findByText("changed 51");
    fireEvent.click(within(section).getByRole("button", { name: "Show 20 lines below" }));
    expect(await within(section).findByText("line 34", { selector: ".c" })).toBeInTheDocument();
    expect(within(section).queryByText("line 35")).toBeNull();
    fireEvent.click(within(section).getAllByRole("button", { name: "Show all 13 lines" })[0] as HTMLElement);
    expect(await within(section).findByText("line 35", { selector: ".c" })).toBeInTheDocument();
  });

  test("have both sides if the user wants", async () => {
    new FakeReview(fakeFile("a.txt", [10]));
    openScreen();
    await within(await diff("a.txt")).findByText("changed 11");
    await press("u");
    await waitFor(() => expect(document.querySelectorAll(".sl").length).toBeGreaterThan(0));
    expect(page.getByRole("radio", { name: "Split" })).toBeChecked();
    // CSS draws the signs, so they aren't part of copied text.
    const signs = () =>
      [...document.querySelectorAll<HTMLElement>(".sl > .n")].map((cell) => cell.dataset.sign);
    await waitFor(() => expect(signs()).toContain("+"));
    expect(signs().slice(6, 10)).toEqual(["\u2212", "+", "", ""]);
    await press("u");
    await waitFor(() => expect(document.querySelectorAll(".sl").length).toBe(0));
  });

  test("wrap long lines if the user wants, and next time too", async () => {
    new FakeReview(fakeFile("a.txt", [10]));
    const { unmount } = openScreen();
    await within(await diff("a.txt")).findByText("changed 11");
    const wraps = () => document.querySelector(".rv-area")?.classList.contains("wraps");
    expect(wraps()).toBe(false);
    await user.click(page.getByRole("button", { name: "Review options" }));
    await user.click(await page.findByRole("menuitem", { name: "Wrap long lines" }));
    await waitFor(() => expect(wraps()).toBe(true));
    unmount();
    openScreen();
    await within(await diff("a.txt")).findByText("changed 11");
    expect(wraps()).toBe(true);
  });

  test("leave out whitespace changes, also when a change is reverted or staged", async () => {
    const file = fakeFile("a.txt", [10, 50]);
    file.hidden = { blocks: [[50, 1, 50, 1]] };
    new FakeReview(file);
    const { app } = openScreen({ ReviewPutBack: async () => ({ id: "p" }) }, "working");
    const section = await diff("a.txt");
    await within(section).findByText("changed 11");
    await user.click(page.getByRole("button", { name: "Review options" }));
    await user.click(await page.findByRole("menuitem", { name: "Hide whitespace changes" }));
    await within(section).findByRole("group", { name: "Change 1, line 51" });
    expect(within(section).queryByText("changed 11")).toBeNull();
    await press("nsr");
    await waitFor(() => expect(app.of("ReviewPutBack")).toHaveLength(1));
    expect(app.of("ReviewStage")).toEqual([["c", "a.txt", "1 a.txt", [[50, 1, 50, 1]], true]]);
    expect(app.of("ReviewPutBack")[0]?.[1]).toMatchObject({ path: "a.txt", blocks: [[50, 1, 50, 1]] });
  });

  test("draw only rows near the view of a file with 100,000 changed lines", async () => {
    const large = fakeFile("big.txt", [], { added: 100_000, removed: 0 }, 0);
    large.new = Array.from({ length: 100_000 }, (_, at) => `row ${at}`);
    large.diff = { blocks: [[0, 0, 0, 100_000]] };
    const review = new FakeReview(large);
    openScreen();
    const section = await diff("big.txt");
    await within(section).findByText("row 0");
    expect(section.querySelectorAll(".dl").length).toBeLessThan(120);
    expect(review.count("review-lines")).toBe(1);
    const scroller = document.querySelector(".rv-scroll") as HTMLElement;
    scroller.scrollTop = 18 * 70_000;
    scroller.dispatchEvent(new Event("scroll"));
    expect(await within(section).findByText("row 70000")).toBeInTheDocument();
    expect(section.querySelectorAll(".dl").length).toBeLessThan(150);
    expect(within(section).queryByText("row 0")).toBeNull();
    // Rows that were reused for other lines are in order and have these lines' texts.
    const rows = [...section.querySelectorAll<HTMLElement>(".dl")].map((row) => [
      Number(row.dataset.row),
      row.querySelector(".c")?.textContent,
    ]);
    const first = Number(rows[0]?.[0]);
    await waitFor(() => expect(rows.length).toBeGreaterThan(40));
    expect(rows.map(([index]) => index)).toEqual(rows.map((_, at) => first + at));
    expect(
      rows.filter(([, text]) => text).every(([index, text]) => text === `row ${Number(index) - 1}`),
    ).toBe(true);
    // The selection ends with its row: it must not move to the text of another one.
    getSelection()?.selectAllChildren(within(section).getByText("70001"));
    scroller.scrollTop = 18 * 20_000;
    scroller.dispatchEvent(new Event("scroll"));
    expect(await within(section).findByText("row 20000")).toBeInTheDocument();
    expect(getSelection()?.toString()).toBe("");
    getSelection()?.removeAllRanges();
  });
});

describe("the keys", () => {
  test("announce the lines that they select", async () => {
    new FakeReview(fakeFile("a.txt", [10]));
    openScreen();
    await within(await diff("a.txt")).findByText("changed 11");
    const announcement = () => document.querySelector(".rv-main > .sr")?.textContent;
    await press("n{Alt>}{ArrowDown}{/Alt}");
    await waitFor(() => expect(announcement()).toBe("removed, line 11: line 11"));
    await press("{Alt>}{ArrowDown}{/Alt}");
    expect(announcement()).toBe("added, line 11: changed 11");
    await press("{Alt>}{ArrowDown}{/Alt}");
    expect(announcement()).toBe("line 12: line 12");
    await press("{Shift>}{ArrowUp}{/Shift}");
    expect(announcement()).toBe("Lines 11 to 12 selected. added, line 11: changed 11");
    await press("{Shift>}{ArrowUp}{/Shift}");
    expect(announcement()).toBe("Lines 11 to 12 selected. removed, line 11: line 11");
  });

  test("move between changes and files", async () => {
    new FakeReview(fakeFile("a.txt", [10, 50]), fakeFile("b.txt", [20]));
    openScreen();
    await within(await diff("a.txt")).findByText("changed 11");
    expect(current()).toBe("");
    await press("n");
    await waitFor(() => expect(current()).toContain("part11()"));
    await press("n");
    await waitFor(() => expect(current()).toContain("part51()"));
    await press("n");
    await waitFor(() => expect(current()).toContain("part21()"));
    await press("p");
    await waitFor(() => expect(current()).toContain("part51()"));
    await press("]");
    await waitFor(() => expect(current()).toContain("part21()"));
    await press("[[");
    await waitFor(() => expect(current()).toContain("part11()"));
    await press("n");
    expect(
      await page.findByText(/^Change 2 of 2 in a.txt. func part51\(\). 1 line added, 1 line removed$/),
    ).toBeInTheDocument();
  });

  test("select one line in the middle of a change", async () => {
    new FakeReview(fakeFile("a.txt", [10, 11, 12]));
    const { app } = openScreen({ ReviewPutBack: () => Promise.resolve({ id: "p1" }) });
    await within(await diff("a.txt")).findByText("changed 12");
    await press("n");
    await press("{Alt>}{ArrowDown}{ArrowDown}{/Alt}");
    await press("{Shift>}{ArrowDown}{/Shift}{Alt>}{ArrowDown}{/Alt}");
    await press("r");
    await waitFor(() => expect(app.of("ReviewPutBack")).toHaveLength(1));
    const [, part] = app.of("ReviewPutBack")[0] as [string, { blocks: number[][] }];
    expect(part.blocks).toHaveLength(1);
    const [, removed = 0, , added = 0] = part.blocks[0] ?? [];
    expect(removed + added).toBe(1);
  });

  test("put nothing back without a current change", async () => {
    new FakeReview(fakeFile("a.txt", [10]));
    const { app } = openScreen();
    await within(await diff("a.txt")).findByText("changed 11");
    await press("rk");
    expect(app.of("ReviewPutBack")).toEqual([]);
    expect(app.of("ReviewViewed")).toEqual([]);
  });

  test("lead to the filter and back to the chat", async () => {
    new FakeReview(fakeFile("a.txt", [10]), fakeFile("lib/b.txt", [20]));
    openScreen();
    await within(await diff("a.txt")).findByText("changed 11");
    await press("/");
    await waitFor(() => expect(page.getByRole("searchbox", { name: "Filter files" })).toHaveFocus());
    await press("lib");
    await waitFor(() => expect(page.getAllByRole("treeitem")).toHaveLength(1));
    await press("{Escape}");
    expect(page.getAllByRole("treeitem")).toHaveLength(2);
    expect(screen().name).toBe("review");
    await press("{Escape}");
    expect(page.getByRole("region", { name: "Changes" })).toHaveFocus();
    await press("{Escape}");
    expect(screen()).toEqual({ name: "chat", id: "c" });
  });
});

describe("what is kept and reverted", () => {
  test("a file whose changes are all kept has been viewed", async () => {
    new FakeReview(fakeFile("a.txt", [10, 50]));
    const { app } = openScreen();
    await within(await diff("a.txt")).findByText("changed 11");
    await press("nk");
    expect(await page.findByRole("button", { name: "Kept, change 1" })).toBeInTheDocument();
    expect(app.of("ReviewViewed")).toEqual([]);
    await press("nk");
    await waitFor(() => expect(app.of("ReviewViewed")).toEqual([["c", "chat", "a.txt", "1 a.txt", true]]));
    expect(page.getByRole("status", { name: "Viewed files" })).toHaveTextContent("1 of 1 viewed");
    expect(await page.findByText("changed 51")).toBeInTheDocument();
  });

  test("a change goes back at once, and returns with Undo", async () => {
    const review = new FakeReview(fakeFile("a.txt", [10, 50]));
    const { app } = openScreen({
      ReviewPutBack: () => {
        review.files = [fakeFile("a.txt", [50], { version: "2" })];
        return Promise.resolve({ id: "p1" });
      },
      ReviewRedo: () => {
        review.files = [fakeFile("a.txt", [10, 50], { version: "3" })];
        return Promise.resolve({});
      },
    });
    await within(await diff("a.txt")).findByText("changed 11");
    await press("nr");
    const note = () => document.querySelector(".dl.gone")?.textContent ?? "";
    await waitFor(() => expect(note()).toContain("2 lines reverted in part11()"));
    expect(app.of("ReviewPutBack")).toEqual([
      ["c", { source: "chat", path: "a.txt", version: "1 a.txt", blocks: [[10, 1, 10, 1]] }],
    ]);
    await waitFor(() => expect(page.queryByText("changed 11")).toBeNull());
    await press("{Control>}z{/Control}");
    expect(await page.findByText("changed 11")).toBeInTheDocument();
    expect(app.of("ReviewRedo")).toEqual([["c", "p1"]]);
    expect(note()).toBe("");
  });

  test("selected lines go back alone", async () => {
    new FakeReview(fakeFile("a.txt", [10]));
    const { app } = openScreen({ ReviewPutBack: () => Promise.resolve({ id: "p1" }) });
    await within(await diff("a.txt")).findByText("changed 11");
    await press("n{Shift>}{ArrowDown}{/Shift}");
    await user.click(await page.findByRole("button", { name: "Revert 1 line" }));
    await waitFor(() => expect(app.of("ReviewPutBack")).toHaveLength(1));
    expect(app.of("ReviewPutBack")[0]?.[1]).toMatchObject({ blocks: [[10, 1, 10, 0]] });
  });

  test("later changes in the same place are shown, and nothing is reverted", async () => {
    new FakeReview(fakeFile("a.txt", [10]));
    openScreen({
      ReviewPutBack: () => Promise.resolve({ diff: "@@ -11 +11 @@\n-mine\n+line 11\n" }),
    });
    await within(await diff("a.txt")).findByText("changed 11");
    await press("nr");
    const dialog = await page.findByRole("dialog", { name: "a.txt has later changes in the same place" });
    expect(dialog).toHaveTextContent("mine");
    expect(page.queryByText(/reverted/)).toBeNull();
  });

  test("a failure is shown", async () => {
    new FakeReview(fakeFile("a.txt", [10]));
    openScreen({
      ReviewPutBack: () => Promise.reject({ code: "unavailable", message: "The folder is in use." }),
    });
    await within(await diff("a.txt")).findByText("changed 11");
    await press("nr");
    expect(await page.findByRole("alert")).toHaveTextContent("The folder is in use.");
  });

  test("a commit's changes can be reverted, too", async () => {
    new FakeReview(fakeFile("a.txt", [10]));
    const { app } = openScreen({ ReviewPutBack: () => Promise.resolve({ id: "p1" }) }, "commit:abc");
    await within(await diff("a.txt")).findByText("changed 11");
    await user.click(page.getByRole("button", { name: "Revert change 1" }));
    await waitFor(() => expect(app.of("ReviewPutBack")[0]).toMatchObject(["c", { source: "commit:abc" }]));
  });

  test("a viewed file's changes are kept, and one of them can be taken out", async () => {
    new FakeReview(fakeFile("a.txt", [10, 50]));
    openScreen();
    await within(await diff("a.txt")).findByText("changed 11");
    await press("v");
    await waitFor(() => expect(page.queryByText("changed 11")).toBeNull());
    await user.click(page.getByRole("button", { name: "Unfold a.txt" }));
    expect(await page.findByRole("button", { name: "Kept, change 2" })).toBeInTheDocument();
    await press("n");
    await press("k");
    expect(await page.findByRole("button", { name: "Keep change 1" })).toBeInTheDocument();
    expect(await page.findByRole("button", { name: "Kept, change 2" })).toBeInTheDocument();
    expect(page.getByRole("checkbox", { name: "Viewed" })).not.toBeChecked();
  });

  test("a kept change that was rewritten is no longer kept", async () => {
    const review = new FakeReview(fakeFile("a.txt", [10, 50]));
    openScreen();
    await within(await diff("a.txt")).findByText("changed 11");
    await press("nk");
    expect(await page.findByRole("button", { name: "Kept, change 1" })).toBeInTheDocument();
    review.files = [fakeFile("a.txt", [10, 50], { version: "2" })];
    window.dispatchEvent(new Event("focus"));
    await user.click(await page.findByRole("button", { name: "Show new version" }));
    expect(await page.findByRole("button", { name: "Keep change 1" })).toBeInTheDocument();
  });

  test("a file has been viewed when its last change is reverted and the others are kept", async () => {
    const review = new FakeReview(fakeFile("a.txt", [10, 50]));
    const { app } = openScreen({
      ReviewPutBack: () => {
        review.files = [fakeFile("a.txt", [10], { version: "2" })];
        return Promise.resolve({ id: "p1" });
      },
    });
    await within(await diff("a.txt")).findByText("changed 11");
    await press("nk");
    await user.click(page.getByRole("button", { name: "Revert change 2" }));
    await waitFor(() => expect(app.of("ReviewViewed")).toEqual([["c", "chat", "a.txt", "2", true]]));
    expect(page.getByRole("button", { name: "Kept, change 1" })).toBeInTheDocument();
  });
});

describe("ticks", () => {
  test("fold a file, and fall when the file changes", async () => {
    const review = new FakeReview(fakeFile("a.txt", [10]), fakeFile("b.txt", [20]));
    const { app } = openScreen();
    await within(await diff("a.txt")).findByText("changed 11");
    await press("v");
    expect(app.of("ReviewViewed")).toEqual([["c", "chat", "a.txt", "1 a.txt", true]]);
    await waitFor(() => expect(page.queryByText("changed 11")).toBeNull());
    expect(
      page.getByRole("treeitem", { name: "a.txt, edited, 1 added, 1 removed, viewed" }),
    ).toBeInTheDocument();
    review.files = [fakeFile("a.txt", [10, 40], { version: "2" }), fakeFile("b.txt", [20])];
    window.dispatchEvent(new Event("focus"));
    expect(await page.findByText("changed 41")).toBeInTheDocument();
    expect(page.getByRole("treeitem", { name: "a.txt, edited, 2 added, 2 removed" })).toBeInTheDocument();
  });

  test("return if they can't be stored", async () => {
    new FakeReview(fakeFile("a.txt", [10]));
    openScreen({ ReviewViewed: () => Promise.reject({ code: "storage", message: "The disk is full." }) });
    await within(await diff("a.txt")).findByText("changed 11");
    await user.click(page.getByRole("checkbox", { name: "Viewed" }));
    expect(await page.findByRole("alert")).toHaveTextContent("The disk is full.");
    expect(page.getByRole("checkbox", { name: "Viewed" })).not.toBeChecked();
  });
});

test("find goes through all files, into folded ones and hidden lines", async () => {
  const review = new FakeReview(fakeFile("a.txt", [10]), fakeFile("b.txt", [20], { viewed: true }));
  review.matches = {
    total: 2,
    matches: [
      { path: "a.txt", side: "new", line: 40, start: 0, end: 4, text: "line 41" },
      { path: "b.txt", side: "old", line: 20, start: 0, end: 4, text: "line 21" },
    ],
  };
  openScreen();
  await within(await diff("a.txt")).findByText("changed 11");
  await press("{Control>}f{/Control}");
  await user.type(await page.findByRole("searchbox", { name: "Find" }), "line");
  expect(await page.findByText("1 of 2")).toBeInTheDocument();
  const marked = () => document.querySelector(".fnd.now")?.closest(".dl")?.textContent ?? "";
  await waitFor(() => expect(marked()).toContain("line 41"));
  await press("{Enter}");
  expect(await page.findByText("2 of 2")).toBeInTheDocument();
  await waitFor(() => expect(marked()).toContain("line 21"));
  await press("{Escape}");
  expect(page.queryByRole("searchbox", { name: "Find" })).toBeNull();
  await waitFor(() => expect(marked()).toBe(""));
});
