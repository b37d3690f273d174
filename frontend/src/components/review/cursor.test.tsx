import { screen as page, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { forgetCommits } from "../../state/reviewCommitInput";
import { screen } from "../../state/screen";
import { type FakeFile, FakeReview, fakeFile, openScreen } from "./testing";

const user = userEvent.setup();

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  forgetCommits();
});

const diff = (path: string) => page.findByRole("region", { name: `Diff of ${path}` });
const announcement = () => document.querySelector(".rv-main > .sr")?.textContent;
const selected = () => page.getAllByRole("treeitem", { selected: true }).map((row) => row.title);

/** Opens the review of files. Reverting a file's change removes the file; undoing the revert adds it again. */
async function open(...files: FakeFile[]) {
  const review = new FakeReview(...files);
  let reverted = "";
  const shown = openScreen(
    {
      ReviewPutBack: async (_chat, { path }) => {
        reverted = path;
        review.files = files.filter((each) => each.file.path !== path);
        return { id: "p" };
      },
      ReviewRedo: async () => {
        const again = files.map((each) =>
          each.file.path === reverted ? fakeFile(reverted, [10], { version: "3" }) : each,
        );
        review.files = again;
        return {};
      },
    },
    "working",
  );
  await within(await diff(files[0]?.file.path ?? "")).findByText("changed 11");
  return { ...shown, review };
}

describe("the current change", () => {
  test("stays where it was after a revert and its undo", async () => {
    await open(...["a.txt", "b.txt", "c.txt"].map((path) => fakeFile(path, [10])));
    await user.keyboard("nn");
    await waitFor(() => expect(announcement()).toMatch(/^Change 1 of 1 in b\.txt/));
    await user.keyboard("r");
    await waitFor(() => expect(announcement()).toMatch(/reverted/));
    await user.keyboard("{Control>}z{/Control}");
    await waitFor(() => expect(announcement()).toMatch(/restored/));
    await user.keyboard("n");
    await waitFor(() => expect(announcement()).toMatch(/^Change 1 of 1 in c\.txt/));
    await user.keyboard("p");
    await waitFor(() => expect(announcement()).toMatch(/^Change 1 of 1 in b\.txt/));
  });

  test("is followed by that of the next file if its file has no changes left", async () => {
    await open(...["a.txt", "b.txt", "c.txt"].map((path) => fakeFile(path, [10])));
    await user.keyboard("nn");
    await waitFor(() => expect(announcement()).toMatch(/^Change 1 of 1 in b\.txt/));
    await user.keyboard("r");
    await waitFor(() => expect(announcement()).toMatch(/reverted/));
    await user.keyboard("n");
    await waitFor(() => expect(announcement()).toMatch(/^Change 1 of 1 in c\.txt/));
  });

  test("is reverted line by line after the layout was chosen with the pointer", async () => {
    const { app } = await open(fakeFile("a.txt", [10, 11, 12]));
    await user.click(page.getByRole("radio", { name: "Split" }));
    await user.keyboard("n{Shift>}{ArrowDown}{/Shift}");
    expect(page.getByRole("radio", { name: "Split" })).toBeChecked();
    await user.keyboard("r");
    await waitFor(() => expect(app.of("ReviewPutBack")).toHaveLength(1));
    expect(app.of("ReviewPutBack")[0]?.[1]).toMatchObject({ blocks: [[10, 1, 10, 1]] });
  });

  test("is marked in the header of its file while the file is folded", async () => {
    await open(fakeFile("a.txt", [10]), fakeFile("b.txt", [10]));
    const bar = async (path: string) => (await diff(path)).querySelector(".rv-bar");
    await user.keyboard("n");
    expect(await bar("a.txt")).not.toHaveClass("on");
    await user.keyboard("v");
    await waitFor(async () => expect(await bar("a.txt")).toHaveClass("on"));
    await user.keyboard("n");
    await waitFor(async () => expect(await bar("a.txt")).not.toHaveClass("on"));
  });
});

describe("a file without changed lines", () => {
  const whole = (path: string, more: Partial<FakeFile["file"]>, diff: FakeFile["diff"] = {}) => {
    const file = fakeFile(path, [], { added: 0, removed: 0, ...more });
    file.diff = { blocks: [], ...diff };
    return file;
  };
  const image = "data:image/png;base64,iVBORw0KGgo=";
  const large = fakeFile("b.js", [10], { generated: true });
  test.each([
    [
      "with another mode",
      whole("b.sh", { kind: "mode", mode: ["100644", "100755"] }),
      /^b\.sh\. Only the file mode/,
    ],
    [
      "that was moved",
      whole("b.go", { kind: "moved", from: "z.go" }),
      /^b\.go\. This file was moved from z\.go/,
    ],
    [
      "that is binary",
      whole("b.bin", { binary: true }, { binary: true }),
      /^b\.bin\. VoxPilot can't compare/,
    ],
    ["that is a picture", whole("b.png", { binary: true }, { image: { new: image } }), /^b\.png\. Image/],
    [
      "that is too large",
      whole("b.csv", { tooLarge: true, large: true }, { tooLarge: true }),
      /^b\.csv\. This file is/,
    ],
    ["that is generated", large, /^b\.js\. 2 changed lines/],
  ])("%s is reached, kept, staged and reverted by keys", async (_, file, heard) => {
    const { path } = file.file;
    const { app } = await open(fakeFile("a.txt", [10]), file, fakeFile("c.txt", [10]));
    await user.keyboard("nn");
    await waitFor(() => expect(announcement()).toMatch(heard));
    const bar = async () => (await diff(path)).querySelector(".rv-bar");
    await waitFor(async () => expect(await bar()).toHaveClass("on"));
    await user.keyboard("n");
    await waitFor(() => expect(announcement()).toMatch(/^Change 1 of 1 in c\.txt/));
    await user.keyboard("p");
    await waitFor(() => expect(announcement()).toMatch(heard));
    await user.keyboard("s");
    await waitFor(() => expect(app.of("ReviewStage")).toEqual([["c", path, file.file.version, [], true]]));
    await user.keyboard("k");
    await waitFor(() =>
      expect(app.of("ReviewViewed")).toEqual([["c", "working", path, file.file.version, true]]),
    );
    expect(await diff(path)).not.toHaveClass("folded");
    await user.keyboard("r");
    await waitFor(() => expect(app.of("ReviewPutBack")).toHaveLength(1));
    expect(app.of("ReviewPutBack")[0]?.[1]).not.toHaveProperty("blocks");
    await waitFor(() => expect(announcement()).toMatch(/reverted/));
    expect(announcement()).not.toMatch(/^0 lines/);
  });

  test("isn't reverted by keys while it is folded because it was viewed", async () => {
    const { app } = await open(fakeFile("a.txt", [10]), whole("b.bin", { binary: true }, { binary: true }));
    await user.keyboard("nnv");
    await waitFor(() => expect(announcement()).toBe("b.bin viewed"));
    await user.keyboard("r");
    expect(app.of("ReviewPutBack")).toEqual([]);
  });

  test("has its buttons in a narrow window too, with their names as tooltips", async () => {
    await open(fakeFile("a.txt", [10]), whole("b.bin", { binary: true }, { binary: true }));
    const buttons = within(await diff("b.bin"));
    expect(buttons.getByRole("button", { name: "Stage b.bin" })).toHaveAttribute("title", "Stage b.bin");
    expect(buttons.getByRole("button", { name: "Revert file b.bin" })).toHaveAttribute(
      "title",
      "Revert file b.bin",
    );
  });
});

describe("the list of files", () => {
  const scrollTo = (top: number) => {
    const scroller = document.querySelector(".rv-scroll") as HTMLElement;
    scroller.scrollTop = top;
    scroller.dispatchEvent(new Event("scroll"));
  };

  test("selects the file of the current change, even if another file is at the top", async () => {
    await open(fakeFile("a.txt", [10]), fakeFile("b.txt", [10]), fakeFile("c.txt", [10]));
    await waitFor(() => expect(selected()).toEqual(["a.txt"]));
    await user.keyboard("nn");
    await waitFor(() => expect(selected()).toEqual(["b.txt"]));
    await user.keyboard("]");
    await waitFor(() => expect(selected()).toEqual(["c.txt"]));
  });

  test("selects the files in view while the user scrolls, up to the last one", async () => {
    const all = Array.from({ length: 9 }, (_, at) => fakeFile(`${at}.txt`, [10, 50]));
    await open(...all);
    await user.keyboard("n");
    await waitFor(() => expect(selected()).toEqual(["0.txt"]));
    const height = () => Number.parseFloat((document.querySelector(".rv-area") as HTMLElement).style.height);
    const seen = new Set<string>();
    for (let top = 0; top <= height() - 800; top += 20) {
      scrollTo(top);
      await waitFor(() => expect(selected()).toHaveLength(1));
      await new Promise(requestAnimationFrame);
      for (const path of selected()) seen.add(path);
    }
    scrollTo(height() - 800);
    await waitFor(() => expect(selected()).toEqual(["8.txt"]));
    expect([...seen]).toEqual(all.map(({ file }) => file.path));
  });
});

describe("amending", () => {
  test("ends with Escape before the review does, and when the review is left", async () => {
    const shown = await open(fakeFile("a.txt", [10]));
    shown.review.commit = { last: { sha: "a1", subject: "Start", message: "Start", pushed: false } };
    window.dispatchEvent(new Event("focus"));
    const amend = async () => {
      await user.click(await page.findByRole("button", { name: "More ways to commit" }));
      const item = await page.findByRole("menuitem", { name: "Amend last commit" });
      if (item.ariaDisabled !== "true") await user.click(item);
      await page.findByText("Amending “Start”");
      (document.querySelector(".rv-scroll") as HTMLElement).focus();
    };
    await waitFor(() => expect(shown.review.count("review-commit")).toBe(2));
    await amend();
    await user.keyboard("{Escape}");
    expect(screen().name).toBe("review");
    expect(page.getByRole("button", { name: "Commit" })).toBeTruthy();
    await amend();
    shown.unmount();
    await open(fakeFile("a.txt", [10]));
    expect(await page.findByRole("button", { name: "Commit" })).toBeTruthy();
  });
});
