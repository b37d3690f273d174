import { screen as page, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { forgetCommits } from "../../state/reviewCommitInput";
import { FakeReview, fakeFile, openScreen } from "./testing";

const user = userEvent.setup();

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  forgetCommits();
});

/** held returns a promise and the function that resolves it. */
function held<T>() {
  let release: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    release = resolve;
  });
  return { promise, release };
}

const inFile = () => within(page.getByRole("region", { name: "Diff of a.txt" }));
const button = (name: string) => inFile().getByRole("button", { name });
const announcement = () => document.querySelector(".rv-main > .sr")?.textContent;

/** open opens the review of a file whose lines 11, 31 and 51 have uncommitted changes, and of a second file. */
async function open(answers: Parameters<typeof openScreen>[0] = {}) {
  const file = fakeFile("a.txt", [10, 30, 50]);
  const review = new FakeReview(file, fakeFile("b.txt", [10]));
  const shown = openScreen(answers, "working");
  const diff = await page.findByRole("region", { name: "Diff of a.txt" });
  await within(diff).findByText("changed 11");
  await page.findByRole("textbox", { name: "Commit message" });
  return { ...shown, review, file };
}

/** withoutFirst returns a.txt as it is once its first change, which added a line, has been reverted. */
const withoutFirst = () => {
  const now = fakeFile("a.txt", [30, 50], { version: "2 a.txt" });
  now.diff.blocks = [
    [30, 1, 29, 1],
    [50, 1, 49, 1],
  ];
  return now;
};

describe("actions during another one", () => {
  test("follow it, on the lines that they were chosen for", async () => {
    const first = held<{ id: string }>();
    let calls = 0;
    const { app, review } = await open({
      ReviewPutBack: () => (calls++ === 0 ? first.promise : Promise.resolve({ id: `p${calls}` })),
    });
    await user.click(button("Keep change 3"));
    await user.click(button("Revert change 1"));
    await user.click(button("Revert change 1")); // it is already waiting
    await user.click(button("Stage change 2"));
    await user.click(button("Revert change 2"));
    expect(app.of("ReviewPutBack")).toHaveLength(1);
    expect(app.of("ReviewStage")).toEqual([]);
    const rest = held<void>();
    review.rest = rest.promise;
    review.files = [withoutFirst(), ...review.files.slice(1)];
    first.release({ id: "p1" });
    await waitFor(() => expect(app.of("ReviewPutBack")).toHaveLength(1));
    rest.release();
    await waitFor(() => expect(app.of("ReviewPutBack")).toHaveLength(2));
    expect(app.of("ReviewStage")).toEqual([["c", "a.txt", "2 a.txt", [[30, 1, 29, 1]], true]]);
    expect(app.of("ReviewPutBack")[1]?.[1]).toMatchObject({ version: "2 a.txt", blocks: [[30, 1, 29, 1]] });
    expect(page.queryByRole("button", { name: "Show new version" })).toBeNull();
    await inFile().findByRole("button", { name: "Kept, change 2" });
  });

  test("are given in the version that was shown if the file has changed otherwise", async () => {
    const first = held<{ id: string; merged: boolean }>();
    let calls = 0;
    const { app, review } = await open({
      ReviewPutBack: () => (calls++ === 0 ? first.promise : Promise.resolve({ id: "p2" })),
    });
    await user.click(button("Revert change 1"));
    await user.click(button("Revert change 2"));
    review.files = [withoutFirst(), ...review.files.slice(1)];
    first.release({ id: "p1", merged: true });
    await waitFor(() => expect(app.of("ReviewPutBack")).toHaveLength(2));
    expect(app.of("ReviewPutBack")[1]?.[1]).toMatchObject({ version: "1 a.txt", blocks: [[30, 1, 30, 1]] });
  });

  test("include its undo", async () => {
    const first = held<{ id: string }>();
    const { app } = await open({ ReviewPutBack: () => first.promise, ReviewRedo: async () => ({}) });
    await user.keyboard("nr{Control>}z{/Control}");
    expect(app.of("ReviewRedo")).toEqual([]);
    first.release({ id: "p1" });
    await waitFor(() => expect(app.of("ReviewRedo")).toEqual([["c", "p1"]]));
    await waitFor(() => expect(announcement()).toBe("The change was restored."));
  });

  test("aren't repeated by a held key", async () => {
    const { app } = await open({ ReviewPutBack: async () => ({ id: "p" }) });
    await user.keyboard("n{r>3/}");
    await waitFor(() => expect(announcement()).toMatch(/reverted/));
    expect(app.of("ReviewPutBack")).toHaveLength(1);
  });
});

test("a list that replaces another one shows no new version of a file that the review has changed", async () => {
  const { review } = await open({ ReviewPutBack: async () => ({ id: "p" }) });
  const rest = held<void>();
  review.rest = rest.promise;
  review.files = [withoutFirst(), ...review.files.slice(1)];
  await user.click(button("Revert change 1"));
  window.dispatchEvent(new Event("focus")); // loads the list again
  rest.release();
  await waitFor(() => expect(announcement()).toMatch(/reverted/));
  expect(page.queryByRole("button", { name: "Show new version" })).toBeNull();
  expect(inFile().queryByRole("button", { name: "Revert change 3" })).toBeNull();
});

test("a button that is rendered again while it is pressed acts on its lines, and only on these", async () => {
  const { app, review } = await open();
  const press = (name: string) => user.pointer({ target: button(name), keys: "[MouseLeft>]" });
  const release = () => user.pointer({ target: document.body, keys: "[/MouseLeft]" });
  /** Renders the changes of a.txt again while a button is pressed. */
  const whilePressed = async (name: string, change: () => void) => {
    const pressed = button(name);
    await press(name);
    change();
    window.dispatchEvent(new Event("focus"));
    await waitFor(() => expect(pressed.isConnected).toBe(false));
    await release();
  };
  await whilePressed("Stage change 2", () => {
    const [file] = review.files;
    if (!file) return;
    file.file = { ...file.file, index: "part:1" };
    file.diff = { ...file.diff, index: "part:1", staged: { old: [[30, 1]], new: [[30, 1]] } };
  });
  await waitFor(() => expect(app.of("ReviewStage")).toHaveLength(1));
  expect(app.of("ReviewStage")[0]?.slice(1)).toEqual(["a.txt", "1 a.txt", [[30, 1, 30, 1]], false]);
});

describe("Ctrl Shift K", () => {
  test.each(["before the folder is known", "before the form is loaded"])(
    "focuses the message once it is there: %s",
    async (when) => {
      const review = new FakeReview(fakeFile("a.txt", [10]));
      const form = held<void>();
      const fetching = globalThis.fetch;
      globalThis.fetch = async (input, init) => {
        const route = when.includes("folder") ? "review-sources" : "review-commit";
        if (String(input).includes(route)) await form.promise;
        return fetching(input, init);
      };
      openScreen({}, "working");
      await page.findByText("changed 11");
      if (!when.includes("folder")) await page.findByRole("region", { name: "Commit" });
      await user.keyboard("{Control>}{Shift>}k{/Shift}{/Control}");
      expect(page.queryByRole("textbox", { name: "Commit message" })).toBeNull();
      form.release();
      await waitFor(() => expect(page.getByRole("textbox", { name: "Commit message" })).toHaveFocus());
      expect(review.count("review-commit")).toBeGreaterThan(0);
    },
  );

  test("doesn't take the focus from where the user has moved it", async () => {
    new FakeReview(fakeFile("a.txt", [10]));
    const form = held<void>();
    const fetching = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      if (String(input).includes("review-commit")) await form.promise;
      return fetching(input, init);
    };
    openScreen({}, "working");
    await page.findByRole("region", { name: "Commit" });
    await user.keyboard("{Control>}{Shift>}k{/Shift}{/Control}");
    const filter = page.getByRole("searchbox", { name: "Filter files" });
    filter.focus();
    form.release();
    await page.findByRole("textbox", { name: "Commit message" });
    expect(filter).toHaveFocus();
  });
});
