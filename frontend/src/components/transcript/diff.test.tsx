import { screen as page, render, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { parseDiff } from "../../lib/diff";
import { raw } from "../../state/store";
import type { Content } from "../../state/types";
import { applyEvents, resetState, stubApp, stubBrowser } from "../../testing";
import { ContentView } from "./ContentView";
import { Diff } from "./Diff";

beforeEach(() => {
  stubBrowser();
  stubApp();
  resetState();
});

test("long diff lines wrap if enabled", () => {
  const rows = parseDiff("@@ -1 +1 @@\n-one\n+two\n");
  render(() => <Diff rows={rows} path="/a/f.txt" label="Proposed change" />);
  const diff = page.getByRole("region", { name: "Proposed change" });
  expect(diff).not.toHaveClass("wraps");
  applyEvents({ settings: { ...raw().settings, wrapDiff: true } });
  expect(diff).toHaveClass("wraps");
});

test("an endless line arrives in parts", async () => {
  const long = `${"a".repeat(30_000)}\u202E`;
  const rows = parseDiff(`@@ -1 +1 @@\n-one\n+${long}\n`);
  render(() => <Diff rows={rows} path="/a/f.txt" label="Proposed change" />);
  const diff = page.getByRole("region", { name: "Proposed change" });
  const code = () => diff.querySelectorAll(".c")[1]?.textContent ?? "";
  expect(code().length).toBeLessThan(2100);
  await userEvent.click(page.getByRole("button", { name: "… 28,001 more characters" }));
  await userEvent.click(page.getByRole("button", { name: "… 8,001 more characters" }));
  expect(code()).toBe(`${"a".repeat(30_000)}U+202E`);
});

describe("the diff of a call", () => {
  /**
   * Path of the file whose diff `show` renders. The function `answers` that is passed to `show` returns
   * false for offsets from which loading the diff fails.
   */
  let path = "/w/f.txt";
  function show(diff: string, answers: (offset: number) => boolean = () => true, name = "Diff of f.txt") {
    const body = new TextEncoder().encode(diff);
    vi.stubGlobal("fetch", (input: string) => {
      const asked = new URL(input, "http://app").searchParams;
      const [offset, limit] = [Number(asked.get("offset")), Number(asked.get("limit"))];
      if (!answers(offset)) return Promise.reject(new Error("The disk is gone."));
      return Promise.resolve(
        new Response(body.slice(offset, offset + limit), { headers: { "X-Size": String(body.length) } }),
      );
    });
    const content: Content = {
      id: "k",
      itemId: "i",
      chatId: "c",
      type: "diff",
      path,
      size: body.length,
      version: 1,
    };
    render(() => (
      <div class="tool-out">
        <ContentView content={content} folder="/w" of="f.txt" />
      </div>
    ));
    return page.findByRole("region", { name });
  }
  const list = () => page.getByRole("region", { name: "Diff of f.txt" });
  const added = (n: number) =>
    `@@ -0,0 +1,${n} @@\n${Array.from({ length: n }, (_, at) => `+line ${at}\n`).join("")}`;
  const lineHeight = 18;

  test("shows its file name with invisible characters named", async () => {
    path = "/w/a\u202Etxt.go";
    await show(added(1), () => true, "Diff of a[U+202E]txt.go");
    path = "/w/f.txt";
  });

  test("is complete if short", async () => {
    const diff = await show(added(400));
    expect(diff.querySelectorAll(".dl")).toHaveLength(400);
    expect(page.queryByRole("button")).toBeNull();
  });

  test("of many lines shows all of them, navigable by keyboard", async () => {
    await show(added(3000));
    page.getByRole("button", { name: "Show all 3,000 lines" }).focus();
    await userEvent.keyboard("{Enter}");
    expect(list().querySelector(".rows-all")).toHaveStyle({ height: `${3000 * lineHeight}px` });
    expect(list().querySelectorAll(".dl").length).toBeLessThan(200);
    expect(list()).toHaveFocus();
    expect(page.queryByRole("button")).toBeNull();
  });

  test("of several megabytes scrolls to its last line, rendering few", async () => {
    const lines = 300_000;
    await show(added(lines));
    await userEvent.click(page.getByRole("button", { name: /^Show all \d.* MB$/ }));
    const whole = `${lines * lineHeight}px`;
    await waitFor(() => expect(list().querySelector(".rows-all")).toHaveStyle({ height: whole }));
    expect(list().querySelectorAll(".dl").length).toBeLessThan(200);
    expect(page.queryByText("Loading…")).toBeNull();
  });

  test("that couldn't be fully loaded says so and can be retried", async () => {
    let isThere = false;
    await show(added(300_000), (offset) => isThere || offset < 1_000_000);
    await userEvent.click(page.getByRole("button", { name: /^Show all/ }));
    expect(await page.findByText("The disk is gone.")).toBeVisible();
    isThere = true;
    await userEvent.click(page.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(page.queryByText("The disk is gone.")).toBeNull());
    expect(list().querySelector(".rows-all")).toHaveStyle({ height: `${300_000 * lineHeight}px` });
  });

  test("wraps long lines or not, even when fully shown", async () => {
    await show(`@@ -0,0 +1,500 @@\n${"+x\n".repeat(499)}+${"y".repeat(5000)}\n`);
    await userEvent.click(page.getByRole("button", { name: "Show all 500 lines" }));
    expect(list()).not.toHaveClass("wraps");
    expect(list().querySelector<HTMLElement>(".rows-all")?.style.minWidth).toMatch(/^calc\(.*2000ch/);
    applyEvents({ settings: { ...raw().settings, wrapDiff: true } });
    expect(list()).toHaveClass("wraps");
    expect(list().querySelector<HTMLElement>(".rows-all")?.style.minWidth).toBe("");
  });
});
