import { render, screen, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { createRoot } from "solid-js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { App } from "../../calls";
import { sink } from "../../state/store";
import type { Option, Permission } from "../../state/words";
import { wantOf } from "../transcript/tool";
import { aChat, know, learn, standInForBrowser } from "../ui/testing";
import { createGuard, guardMillis } from "./guard";
import { answersOf } from "./options";
import { PermissionCard } from "./PermissionCard";

const option = (kind: string, id = kind, name = kind): Option => ({ id, kind: kind as Option["kind"], name });

function ask(more: Partial<Permission> = {}): Permission {
  return {
    id: "p",
    chatId: "c",
    session: "main",
    state: "open",
    title: "Edit a.go",
    kind: "edit",
    path: "/code/orbit/a.go",
    options: [option("allow_once"), option("allow_always"), option("reject_once", "reject_once", "Deny")],
    scope: { kind: "edits", folder: "/code/orbit" },
    createdAt: 1,
    ...more,
  };
}

describe("the buttons of a request", () => {
  const labels = (p: Permission) => answersOf(p).map((answer) => `${answer.label}=${answer.optionId}`);

  test("are chosen by the kind of an option and not by its name", () => {
    expect(labels(ask())).toEqual(["Allow once=allow_once", "Always allow=allow_once", "Reject=reject_once"]);
  });

  test("leave out what cannot be promised", () => {
    expect(labels(ask({ scope: undefined }))).toEqual(["Allow once=allow_once", "Reject=reject_once"]);
  });

  test("offer nothing for good where several files are asked for", () => {
    const files = [{ path: "/code/orbit/a.go" }, { path: "/code/orbit/b.go" }];
    expect(labels(ask({ files }))).toEqual(["Allow once=allow_once", "Reject=reject_once"]);
  });

  test("show an option of an unknown kind under the agent's own name", () => {
    const p = ask({
      options: [option("allow_once"), option("ask_later", "x", "Ask me later"), option("reject_always")],
    });
    expect(labels(p)).toEqual([
      "Allow once=allow_once",
      "Always allow=allow_once",
      "Ask me later=x",
      "Always reject=reject_always",
    ]);
  });

  test("keep two options of one kind apart", () => {
    const p = ask({
      scope: undefined,
      options: [option("allow_once", "1"), option("allow_once", "2", "Allow in a copy")],
    });
    expect(labels(p)).toEqual(["Allow once=1", "Allow in a copy=2"]);
  });
});

describe("the guard of a card", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("takes no input for a moment after the card appears or moves", async () => {
    let time = 0;
    let y = 100;
    const element = { getBoundingClientRect: () => ({ x: 0, y }) } as HTMLElement;
    const { ready, dispose } = createRoot((end) => ({
      ready: createGuard({ element: () => element, now: () => time }),
      dispose: end,
    }));
    await vi.advanceTimersByTimeAsync(0);
    expect(ready()).toBe(false);
    time += guardMillis;
    expect(ready()).toBe(true);
    y = 60;
    expect(ready()).toBe(false);
    time += guardMillis - 1;
    expect(ready()).toBe(false);
    time += 1;
    expect(ready()).toBe(true);
    dispose();
  });
});

describe("the card", () => {
  const answer = vi.fn<App["Answer"]>(() => Promise.resolve());
  let clock = 0;

  beforeEach(() => {
    answer.mockReset();
    answer.mockResolvedValue();
    window.go = { main: { App: { Answer: answer } as unknown as App } };
    clock = 0;
    vi.spyOn(performance, "now").mockImplementation(() => clock);
  });

  test("says what will happen, who asks and where, and gives the answer once", async () => {
    render(() => <PermissionCard ask={ask()} folder="/code/orbit" waiting={2} />);
    const card = screen.getByRole("group", { name: "Permission request: Edit a.go" });
    expect(card).toHaveTextContent("Asked by Copilot [main] in orbit");
    expect(card).toHaveTextContent("1 of 2 waiting");
    expect(card).toHaveTextContent("Always allow covers every file edit in orbit.");
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Allow once" }));
    expect(answer).not.toHaveBeenCalled();
    clock += guardMillis;
    await user.dblClick(screen.getByRole("button", { name: "Always allow" }));
    expect(answer.mock.calls).toEqual([["p", "allow_once", true]]);
  });

  test("says word for word what a rule would cover", () => {
    const scope = { kind: "host" as const, folder: "/code/orbit", command: "pkg.go.dev" };
    render(() => <PermissionCard ask={ask({ kind: "fetch", scope })} folder="/code/orbit" waiting={1} />);
    expect(
      screen.getByText(/^Always allow covers web addresses of pkg\.go\.dev in orbit\. You can take it back/),
    ).toBeVisible();
  });

  test("can be answered again where the answer could not be saved", async () => {
    answer.mockRejectedValueOnce({ code: "storage", message: "Your answer could not be saved." });
    render(() => <PermissionCard ask={ask()} folder="/code/orbit" waiting={1} />);
    clock += guardMillis;
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Reject" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Your answer could not be saved.");
    await user.click(screen.getByRole("button", { name: "Reject" }));
    expect(answer.mock.calls).toEqual([
      ["p", "reject_once", false],
      ["p", "reject_once", false],
    ]);
  });

  test("names a file with what cannot be seen in its name", () => {
    const path = "/code/orbit/a\u202Etxt.exe";
    render(() => <PermissionCard ask={ask({ kind: "edit", path })} folder="/code/orbit" waiting={1} />);
    expect(screen.getByRole("group", { name: "Permission request: Edit a[U+202E]txt.exe" })).toBeVisible();
  });

  test("shows a command whole, with what cannot be seen in it", () => {
    const command = `echo a\u202Eb && ${"x".repeat(250)}`;
    render(() => <PermissionCard ask={ask({ kind: "execute", command })} folder="/code/orbit" waiting={1} />);
    expect(screen.getByRole("region", { name: "Command" })).toHaveTextContent(
      `$ echo aU+202Eb && ${"x".repeat(250)}`,
    );
  });
});

describe("the preview of a card", () => {
  const bodies: Record<string, string> = {};
  const pulled = () =>
    vi.mocked(fetch).mock.calls.map(([input]) => new URL(String(input), "http://app").searchParams.get("id"));

  beforeEach(() => {
    standInForBrowser();
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

  /** show draws the card of a request about files with these diffs. */
  function show(diffs: Record<string, string | undefined>, more: Partial<Permission> = {}) {
    const files = Object.entries(diffs).map(([path, diff]) => {
      if (diff !== undefined) bodies[path] = diff;
      return { path: `/code/orbit/${path}`, ...(diff !== undefined && { contentId: path }) };
    });
    know(aChat("c"));
    const known = Object.entries(bodies).map(([id, diff]) => ({
      content: {
        id,
        itemId: "i",
        chatId: "c",
        type: "diff" as const,
        version: 1,
        size: diff.length,
        added: diff.split("\n+").length - 1,
        removed: diff.split("\n-").length - 1,
      },
    }));
    sink.open("c", known, 0, []);
    const [first] = files;
    const several = files.length > 1 ? { files } : {};
    const it = ask({ path: first?.path, contentId: first?.contentId, ...several, ...more });
    render(() => <PermissionCard ask={it} folder="/code/orbit" waiting={1} />);
    return it;
  }
  const edit = (n: number) => `@@ -1 +1 @@\n-was ${n}\n+is ${n}\n`;
  const lines = (n: number) => `@@ -0,0 +1,${n} @@\n${"+x\n".repeat(n)}`;

  test("names every file, with the change of each below its name", async () => {
    const it = show({ "a.go": edit(1), "b/c.go": edit(2), "d.png": undefined });
    expect(
      screen.getByRole("group", { name: "Permission request: Edit a.go and 2 more files" }),
    ).toBeVisible();
    expect(wantOf({ ...it, path: "/code/orbit/deep/a.go" })).toBe("edit a.go and 3 more files");
    const list = await screen.findByRole("region", { name: "Proposed changes to 3 files" });
    expect(
      within(list)
        .getAllByRole("heading")
        .map((head) => head.textContent),
    ).toEqual(["a.go", "b/c.go", "d.png"]);
    const rows = [...list.querySelectorAll(".rows-one")].map((row) => row.textContent);
    expect(rows).toEqual([
      "a.go+1 −1",
      "1−was 1",
      "1+is 1",
      "b/c.go+1 −1",
      "1−was 2",
      "1+is 2",
      "d.png",
      "Copilot gave no preview of this.",
    ]);
    expect(screen.queryByText(/Always allow/)).toBeNull();
  });

  test("shows how each of many files begins, and then all of every one", async () => {
    const all = Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`f${n}.txt`, lines(4)]));
    show(all);
    const list = await screen.findByRole("region", { name: "Proposed changes to 5 files" });
    expect(within(list).getAllByRole("heading")).toHaveLength(5);
    expect(list.querySelectorAll(".dl")).toHaveLength(10);
    await userEvent.click(screen.getByRole("button", { name: "Show all 20 lines" }));
    await waitFor(() => expect(list.querySelectorAll(".dl")).toHaveLength(20));
    expect(list).toHaveFocus();
    expect(screen.queryByRole("button", { name: /^Show all/ })).toBeNull();
  });

  test("says how many files are too many to be listed, and then names them", async () => {
    bodies.rest = "/code/orbit/d.go\n/code/orbit/sub/e.go\n";
    const files = [
      { path: "/code/orbit/a.go", contentId: "a.go" },
      { path: "/code/orbit/b.go", contentId: "b.go" },
      { path: "", contentId: "rest", more: 2 },
    ];
    const it = show({ "a.go": edit(1), "b.go": edit(2) }, { files });
    const title = "Permission request: Edit a.go and 3 more files";
    expect(screen.getByRole("group", { name: title })).toBeVisible();
    expect(wantOf(it)).toBe("edit a.go and 3 more files");
    const list = await screen.findByRole("region", { name: "Proposed changes to 4 files" });
    const rows = () => [...list.querySelectorAll(".rows-one")].slice(6).map((row) => row.textContent);
    expect(rows()).toEqual(["And 2 more files, without a preview."]);
    await userEvent.click(screen.getByRole("button", { name: "Show all 4 files" }));
    await waitFor(() => expect(rows()).toEqual(["And 2 more files, without a preview.", "d.go", "sub/e.go"]));
    expect(list).toHaveFocus();
    expect(screen.queryByRole("button", { name: /^Show all/ })).toBeNull();
  });

  test("has every line of a long change to be scrolled to, and only a few in the page", async () => {
    show({ "a.txt": lines(100_000) });
    const list = await screen.findByRole("region", { name: "Proposed change to a.txt" });
    expect(list.querySelectorAll(".dl")).toHaveLength(10);
    const before = pulled().length;
    await userEvent.click(await screen.findByRole("button", { name: /^Show all \d+ KB$/ }));
    await waitFor(() => expect(list.querySelector(".rows-all")).toHaveStyle({ height: "1800000px" }));
    expect(pulled().length).toBeGreaterThan(before);
    expect(list.querySelectorAll(".dl").length).toBeLessThan(200);
  });

  test("cuts no line off, and hides nothing in one", async () => {
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

  test("is not pulled again by a request that comes again as it was", async () => {
    const it = show({ "a.go": edit(1), "b.go": edit(2) });
    await screen.findByRole("region", { name: "Proposed changes to 2 files" });
    expect(pulled()).toEqual(["a.go", "b.go"]);
    learn({ permission: { ...it } });
    await Promise.resolve();
    expect(pulled()).toEqual(["a.go", "b.go"]);
  });
});
