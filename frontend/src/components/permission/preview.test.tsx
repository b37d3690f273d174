import { render, screen, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { sink } from "../../state/store";
import type { Permission } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubBrowser } from "../../testing";
import { requestSummary } from "../transcript/tool";
import { PermissionCard } from "./PermissionCard";
import { request } from "./testing";

describe("the preview of a card", () => {
  const bodies: Record<string, string> = {};
  const pulled = () =>
    vi.mocked(fetch).mock.calls.map(([input]) => new URL(String(input), "http://app").searchParams.get("id"));

  beforeEach(() => {
    stubBrowser();
    for (const id of Object.keys(bodies)) delete bodies[id];
    vi.stubGlobal(
      "fetch",
      vi.fn((input: string) => {
        const { searchParams } = new URL(input, "http://app");
        const [from, limit] = ["offset", "limit"].map((name) => Number(searchParams.get(name) ?? 0));
        const body = new TextEncoder().encode(bodies[searchParams.get("id") ?? ""] ?? "");
        return Promise.resolve(
          new Response(body.slice(from, (from ?? 0) + (limit ?? 0)), {
            headers: { "X-Size": String(body.length), "X-Version": "1" },
          }),
        );
      }),
    );
  });

  /** show renders the card of a request that changes files with the given diffs. */
  function show(diffs: Record<string, string | undefined>, more: Partial<Permission> = {}) {
    const files = Object.entries(diffs).map(([path, diff]) => {
      if (diff !== undefined) bodies[path] = diff;
      return { path: `/code/orbit/${path}`, ...(diff !== undefined && { contentId: path }) };
    });
    resetState(chatEvent("c"));
    const known = Object.entries(bodies).map(([id, diff]) => ({
      content: {
        id,
        itemId: "i",
        chatId: "c",
        type: id === "command" ? ("command" as const) : ("diff" as const),
        version: 1,
        size: diff.length,
        added: diff.split("\n+").length - 1,
        removed: diff.split("\n-").length - 1,
      },
    }));
    sink.open("c", known, 0, []);
    const [first] = files;
    const several = files.length > 1 ? { files } : {};
    const it = request({ path: first?.path, contentId: first?.contentId, ...several, ...more });
    render(() => <PermissionCard request={it} folder="/code/orbit" waiting={1} />);
    return it;
  }
  const edit = (n: number) => `@@ -1 +1 @@\n-was ${n}\n+is ${n}\n`;
  const lines = (n: number) => `@@ -0,0 +1,${n} @@\n${"+x\n".repeat(n)}`;

  const file = (name: string) => screen.findByRole("region", { name });
  const shownRows = (region: HTMLElement) =>
    [...region.querySelectorAll(".dl")].map((row) => row.textContent);

  test("has a part for each file, starting at its first change", async () => {
    const context = `@@ -1,5 +1,5 @@\n one\n two\n three\n-was\n+is\n four\n`;
    const files = [
      { path: "/code/orbit/a.go", contentId: "a.go" },
      { path: "/code/orbit/b/c.go", contentId: "b/c.go", creates: true },
      { path: "/code/orbit/d.png", deletes: true },
    ];
    const it = show({ "a.go": context, "b/c.go": lines(2), "d.png": undefined }, { files });
    expect(screen.getByRole("group", { name: "Permission request: Change 3 files" })).toHaveTextContent(
      "in orbit: 1 edit, 1 new file, 1 deletion",
    );
    expect(requestSummary({ ...it })).toBe("change 3 files");
    expect(shownRows(await file("Proposed change to a.go"))).toEqual(["4−was", "4+is", "5four"]);
    expect(shownRows(await file("Proposed change to b/c.go"))).toEqual(["1+x", "2+x"]);
    expect(await file("Create b/c.go")).toHaveTextContent("Create");
    expect(await file("Delete d.png")).toHaveTextContent("VoxPilot can't preview what will be deleted.");
    expect(screen.queryByRole("button", { name: /more line|^Show all/ })).toBeNull();
    expect(screen.queryByText(/“Always allow” creates a rule/)).toBeNull();
    expect(screen.getByText(/^“Allow once” covers these 3 files as shown/)).toBeVisible();
  });

  test("shows a command with its changes", async () => {
    bodies.command = "rm -rf out";
    const files = [{ path: "/code/orbit/a.go", contentId: "a.go" }];
    const marks = [{ kind: "delete" as const, start: 0, end: 10, part: "rm -rf", of: ["out"] }];
    show({ "a.go": edit(1) }, { kind: "other", contentId: "command", title: "Both", files, marks });
    expect(await file("Command")).toHaveTextContent("$ rm -rf out");
    expect(shownRows(await file("Proposed change to a.go"))).toEqual(["1−was 1", "1+is 1"]);
    expect(screen.getByText("a.go", { selector: ".mono" })).toBeVisible();
    expect(screen.getByText(/deletes/i)).toBeVisible();
  });

  test("opens one of several files in place, or all of them", async () => {
    show({ "a.txt": lines(40), "b.txt": lines(30) });
    const first = await file("Proposed change to a.txt");
    const share = shownRows(first).length;
    expect(share).toBeGreaterThanOrEqual(3);
    await userEvent.click(screen.getByRole("button", { name: `Show ${40 - share} more lines of a.txt` }));
    await waitFor(() => expect(shownRows(first)).toHaveLength(40));
    expect(first).toHaveFocus();
    expect(shownRows(await file("Proposed change to b.txt"))).toHaveLength(share);
    await userEvent.click(screen.getByRole("button", { name: "Show all 70 lines" }));
    await waitFor(async () => expect(shownRows(await file("Proposed change to b.txt"))).toHaveLength(30));
    expect(screen.queryByRole("button", { name: /more lines|^Show all/ })).toBeNull();
  });

  test("collapses files from the fifth on", async () => {
    show(Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`f${n}.txt`, lines(2)])));
    await file("Proposed change to f3.txt");
    expect(screen.queryByRole("region", { name: "Proposed change to f4.txt" })).toBeNull();
    const head = screen.getByRole("button", { name: "Show f4.txt" });
    expect(head).toHaveAttribute("aria-expanded", "false");
    await userEvent.click(head);
    expect(shownRows(await file("Proposed change to f4.txt"))).toHaveLength(2);
    expect(screen.queryByRole("region", { name: "Proposed change to f5.txt" })).toBeNull();
  });

  test("counts files beyond the list limit and then names them", async () => {
    bodies.rest = "/code/orbit/d.go\n/code/orbit/sub/e.go\n";
    const files = [
      { path: "/code/orbit/a.go", contentId: "a.go" },
      { path: "/code/orbit/b.go", contentId: "b.go" },
      { path: "", contentId: "rest", more: 2 },
    ];
    const it = show({ "a.go": edit(1), "b.go": edit(2) }, { files });
    expect(screen.getByRole("group", { name: "Permission request: Change 4 files" })).toBeVisible();
    expect(requestSummary(it)).toBe("change 4 files");
    expect(
      screen.getByText(
        /^“Allow once” covers all 4 files, including those without a preview\. “Always allow”/,
      ),
    ).toBeVisible();
    const list = await file("2 more files have no preview.");
    const rows = () => [...list.querySelectorAll(".rows-one")].map((row) => row.textContent);
    expect(rows()).toEqual(["2 more files have no preview."]);
    await userEvent.click(screen.getByRole("button", { name: "Show all 4 files" }));
    await waitFor(() => expect(rows()).toEqual(["2 more files have no preview.", "d.go", "sub/e.go"]));
    expect(screen.queryByRole("button", { name: /^Show all/ })).toBeNull();
  });

  test("of one file offers to show all only if lines are hidden", async () => {
    show({ "a.go": `@@ -1,40 +1,40 @@\n${" same\n".repeat(30)}-was\n+is\n${" same\n".repeat(9)}` });
    const list = await file("Proposed change to a.go");
    expect(shownRows(list).slice(0, 3)).toEqual(["30same", "31−was", "31+is"]);
    expect(screen.queryByRole("button", { name: /^Show all/ })).toBeNull();
  });

  test("shows the agent's own text with invisible characters named", async () => {
    bodies.says = "Send the report.\n\nTo a\u202Eb.";
    show({}, { kind: "other", title: "Report", path: undefined, textId: "says" });
    const said = await file("Explanation from Copilot");
    expect(said).toHaveTextContent("Send the report. To aU+202Eb.");
    expect(screen.queryByText("Copilot didn't provide a preview.")).toBeNull();
  });

  test("renders a long agent text in rows", async () => {
    bodies.says = "a line of it\n".repeat(50_000);
    show({}, { kind: "other", title: "Report", path: undefined, textId: "says" });
    const said = await file("Explanation from Copilot");
    expect(said.querySelectorAll(".dl").length).toBeLessThan(300);
    expect(said).toHaveTextContent("a line of it");
  });

  test("scrolls to every line of a long change, rendering only a few", async () => {
    show({ "a.txt": lines(100_000) });
    const list = await screen.findByRole("region", { name: "Proposed change to a.txt" });
    expect(list.querySelectorAll(".dl")).toHaveLength(10);
    const before = pulled().length;
    await userEvent.click(await screen.findByRole("button", { name: /^Show all \d+ KB$/ }));
    await waitFor(() => expect(list.querySelector(".rows-all")).toHaveStyle({ height: "1800000px" }));
    expect(pulled().length).toBeGreaterThan(before);
    expect(list.querySelectorAll(".dl").length).toBeLessThan(200);
  });

  test("truncates no line and hides nothing in one", async () => {
    const long = `${"a".repeat(4500)}\u202E${"\u{1F600}".repeat(1500)}`;
    show({ "a.txt": `@@ -0,0 +1 @@\n+${long}\n` });
    const list = await screen.findByRole("region", { name: "Proposed change to a.txt" });
    const code = [...list.querySelectorAll(".dl > .c")].map((piece) => piece.textContent ?? "");
    expect(code.length).toBeGreaterThan(3);
    expect(code.every((piece) => piece.length < 2100)).toBe(true);
    expect(code.join("")).toBe(long.replace("\u202E", "U+202E"));
    expect(list.querySelector(".unseen")).toHaveTextContent("U+202E");
    expect([...list.querySelectorAll(".dl > .n")].map((n) => n.textContent).join("")).toBe("1");
  });

  test("is not fetched again if the same request is repeated", async () => {
    const it = show({ "a.go": edit(1), "b.go": edit(2) });
    await file("Proposed change to b.go");
    expect(pulled()).toEqual(["a.go", "b.go"]);
    applyEvents({ permission: { ...it } });
    await Promise.resolve();
    expect(pulled()).toEqual(["a.go", "b.go"]);
  });
});
