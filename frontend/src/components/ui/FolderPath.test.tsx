import { screen as page, render } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { createSignal } from "solid-js";
import { beforeEach, describe, expect, test } from "vitest";
import { AppError } from "../../bridge";
import { stubApp, stubBrowser } from "../../testing";
import { commonPrefix, FolderPath } from "./FolderPath";

beforeEach(() => stubBrowser());

const tree: Record<string, string[]> = {
  "~": ["~/"],
  "~/": ["~/code/", "~/docs/"],
  "~/co": ["~/code/"],
  "~/code": ["~/code/"],
  "~/code/": ["~/code/orbit-api/", "~/code/orbit-web/"],
  "~/code/o": ["~/code/orbit-api/", "~/code/orbit-web/"],
  "~/code/orbit-": ["~/code/orbit-api/", "~/code/orbit-web/"],
};

function show(onDone?: (path: string) => void) {
  const app = stubApp({
    FoldersAt: (typed: string) =>
      typed.startsWith("/gone")
        ? Promise.reject(new AppError({ code: "not_found", message: "The folder /gone doesn't exist." }))
        : Promise.resolve(tree[typed] ?? []),
  });
  const [path, setPath] = createSignal("");
  render(() => (
    <>
      <label for="f">Path</label>
      <FolderPath id="f" placeholder="" value={path()} onInput={setPath} onDone={onDone} />
      <button type="button">Next</button>
    </>
  ));
  return { app, path, user: userEvent.setup(), field: page.getByRole("combobox", { name: "Path" }) };
}

describe("the path of a folder", () => {
  test("is completed by Tab, first to the common prefix", async () => {
    const { path, user, field } = show();
    await user.type(field, "~/co");
    await page.findByRole("option");
    await user.tab();
    expect(path()).toBe("~/code/");
    await user.type(field, "o");
    await expect.poll(() => page.queryAllByRole("option")).toHaveLength(2);
    await user.tab();
    expect(path()).toBe("~/code/orbit-");
    await expect.poll(() => page.queryAllByRole("option")).toHaveLength(2);
    await user.tab();
    expect(path()).toBe("~/code/orbit-api/");
    expect(field).toHaveFocus();
  });

  test("lets Tab move on if the folder is complete", async () => {
    const { user, field } = show();
    await user.type(field, "~/");
    await expect.poll(() => page.queryAllByRole("option")).toHaveLength(2);
    await user.tab();
    expect(page.getByRole("button", { name: "Next" })).toHaveFocus();
    expect(page.queryByRole("option")).toBeNull();
  });

  test("is chosen with arrow keys and clicks, and Enter without a choice confirms the typed path", async () => {
    const done: string[] = [];
    const { path, user, field } = show((each) => done.push(each));
    await user.type(field, "~/");
    await expect.poll(() => page.queryAllByRole("option")).toHaveLength(2);
    await user.keyboard("{ArrowDown}{ArrowDown}");
    expect(page.getByRole("option", { selected: true })).toHaveTextContent("~/docs/");
    await user.keyboard("{Enter}");
    expect([path(), done]).toEqual(["~/docs/", []]);
    await user.keyboard("{Enter}");
    expect(done).toEqual(["~/docs/"]);
    await user.clear(field);
    await user.type(field, "~/co");
    await user.click(await page.findByRole("option", { name: "~/code/" }));
    expect(path()).toBe("~/code/");
    expect(field).toHaveFocus();
  });

  test("is completed by Enter if it isn't a folder yet", async () => {
    const done: string[] = [];
    const { path, user, field } = show((each) => done.push(each));
    await user.type(field, "~/co");
    await page.findByRole("option");
    await user.keyboard("{Enter}");
    expect([path(), done]).toEqual(["~/code/", []]);
    await user.keyboard("{Backspace}{Enter}");
    await expect.poll(() => done).toEqual(["~/code"]);
  });

  test("hides its list on Escape without passing it on", async () => {
    const { user, field } = show();
    const heard: string[] = [];
    const onKeyDown = (event: KeyboardEvent) => heard.push(event.key);
    window.addEventListener("keydown", onKeyDown);
    await user.type(field, "~/co");
    await page.findByRole("option");
    heard.length = 0;
    await user.keyboard("{Escape}");
    expect(page.queryByRole("option")).toBeNull();
    expect(heard).toEqual([]);
    await user.keyboard("{Escape}");
    expect(heard).toEqual(["Escape"]);
    window.removeEventListener("keydown", onKeyDown);
  });

  test("keeps a list that has its own space, so that a click beside it lands", async () => {
    stubApp({ FoldersAt: () => Promise.resolve(["~/code/"]) });
    const user = userEvent.setup();
    render(() => {
      const [path, setPath] = createSignal("");
      return (
        <>
          <FolderPath id="i" inline placeholder="" value={path()} onInput={setPath} />
          <button type="button">Use</button>
        </>
      );
    });
    await user.type(page.getByRole("combobox"), "~/c");
    await page.findByRole("option");
    await user.click(page.getByRole("button", { name: "Use" }));
    expect(page.getByRole("option")).toBeVisible();
  });

  test("shows why a folder can't be listed", async () => {
    const { user, field } = show();
    await user.type(field, "/gone/x");
    await expect.poll(() => page.queryAllByText("The folder /gone doesn't exist.").length).toBeGreaterThan(0);
    expect(field).toHaveAttribute("aria-invalid", "true");
  });

  test("finds the common prefix", () => {
    expect(commonPrefix(["/a/Orbit/", "/a/orchard/"])).toBe("/a/Or");
    expect(commonPrefix([])).toBe("");
  });
});
