import { fireEvent, render, screen, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { createRoot, createSignal, Show } from "solid-js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { App } from "../../calls";
import { sink } from "../../state/store";
import type { CustomAgent, Option, Permission } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubBrowser } from "../../testing";
import { requestSummary } from "../transcript/tool";
import { createClickGuard, guardMillis } from "./clickGuard";
import { buttonsOf } from "./options";
import { type CardControl, PermissionCard } from "./PermissionCard";
import { commandContext } from "./parts";

const option = (kind: string, id = kind, name = kind): Option => ({ id, kind: kind as Option["kind"], name });

function request(more: Partial<Permission> = {}): Permission {
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
  const labels = (p: Permission) => buttonsOf(p).map((answer) => `${answer.label}=${answer.optionId}`);

  test("follow an option's kind, not its name", () => {
    expect(labels(request())).toEqual([
      "Allow once=allow_once",
      "Always allow=allow_once",
      "Reject=reject_once",
    ]);
  });

  test("omit options that can't be guaranteed", () => {
    expect(labels(request({ scope: undefined }))).toEqual(["Allow once=allow_once", "Reject=reject_once"]);
  });

  test("offer nothing permanent for several files", () => {
    const files = [{ path: "/code/orbit/a.go" }, { path: "/code/orbit/b.go" }];
    expect(labels(request({ files }))).toEqual(["Allow once=allow_once", "Reject=reject_once"]);
  });

  test("show an unknown kind with the agent's label", () => {
    const p = request({
      options: [
        option("allow_once"),
        option("ask_later", "x", "Ask me \u202Elater"),
        option("reject_always"),
      ],
    });
    expect(labels(p)).toEqual([
      "Allow once=allow_once",
      "Always allow=allow_once",
      "Ask me [U+202E]later=x",
      "Reject=",
      "Always reject=reject_always",
    ]);
  });

  test("keep two options of one kind apart", () => {
    const p = request({
      scope: undefined,
      options: [option("allow_once", "1"), option("allow_once", "2", "Allow in a copy")],
    });
    expect(labels(p)).toEqual(["Allow once=1", "Allow in a copy=2", "Reject="]);
  });
});

test("an agent's own always is offered if nothing else allows", () => {
  const p = request({ options: [option("allow_always", "aa"), option("reject_once", "no")] });
  expect(buttonsOf(p).map((answer) => `${answer.label}=${answer.optionId}`)).toEqual([
    "Allow and don't ask again=aa",
    "Reject=no",
  ]);
  expect(buttonsOf(p).some((answer) => answer.role === "once")).toBe(false);
});

test("a command's folder and variables are parsed from its text", () => {
  for (const [text, folder, variables] of [
    ["npm test", "", []],
    ["cd /code/orbit/vendor && npm test", "/code/orbit/vendor", []],
    ["cd '/code/my app' && A='x y' B=1 env; pwd", "/code/my app", ["A=x y", "B=1"]],
    [String.raw`cd '/it'\''s' && PATH=./evil:/bin git log`, "/it's", ["PATH=./evil:/bin"]],
    ["git log --format=A=1 x", "", []],
    ["A= make", "", ["A="]],
    ["cd sub; make", "", []],
  ] as const)
    expect(commandContext(text)).toEqual({ folder, variables });
});

test("no rule is offered for deletions or harmful actions", () => {
  const labels = (p: Permission) => buttonsOf(p).map((answer) => answer.label);
  for (const kind of ["delete", "move"] as const)
    expect(labels(request({ kind }))).toEqual(["Allow once", "Reject"]);
  const marks = [{ kind: "delete" as const, start: 0, end: 6, part: "rm -rf" }];
  expect(labels(request({ kind: "execute", marks }))).toEqual(["Allow once", "Reject"]);
});

describe("the guard of a card", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("ignores input for a moment after the card appears or moves", async () => {
    let time = 0;
    let y = 100;
    const element = { getBoundingClientRect: () => ({ x: 0, y }) } as HTMLElement;
    const { ready, dispose } = createRoot((end) => ({
      ready: createClickGuard({ element: () => element, now: () => time }),
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
  const reject = vi.fn<App["Reject"]>(() => Promise.resolve());
  let clock = 0;

  beforeEach(() => {
    answer.mockReset();
    answer.mockResolvedValue();
    reject.mockReset();
    reject.mockResolvedValue();
    window.go = { main: { App: { Answer: answer, Reject: reject } as unknown as App } };
    clock = 0;
    vi.spyOn(performance, "now").mockImplementation(() => clock);
  });

  test("states the action, requester and place, and sends the answer once", async () => {
    render(() => <PermissionCard request={request()} folder="/code/orbit" waiting={2} />);
    const card = screen.getByRole("group", { name: "Permission request: Edit a.go" });
    expect(card).toHaveTextContent(/Asked by Copilot in orbit/);
    expect(card).toHaveTextContent("1 of 2 waiting");
    expect(card).toHaveTextContent(
      "Always allow covers all edits and new files in orbit, but not deletions or moves.",
    );
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Allow once" }));
    expect(answer).not.toHaveBeenCalled();
    clock += guardMillis;
    await user.dblClick(screen.getByRole("button", { name: "Always allow" }));
    expect(answer.mock.calls).toEqual([["p", "allow_once", true]]);
  });

  test("quotes the exact scope of a rule", () => {
    const scope = { kind: "host" as const, folder: "/code/orbit", command: "pkg.go.dev" };
    render(() => (
      <PermissionCard request={request({ kind: "fetch", scope })} folder="/code/orbit" waiting={1} />
    ));
    expect(
      screen.getByText(/^Always allow covers web addresses on pkg\.go\.dev in orbit\. You can take it back/),
    ).toBeVisible();
  });

  test("explains why editing a startup file asks in every mode, and a rule's scope", () => {
    const scope = { kind: "edits" as const, folder: "/code/orbit", command: "/code/orbit/.mcp.json" };
    const path = "/code/orbit/.mcp.json";
    render(() => (
      <PermissionCard
        request={request({ path, protected: "session", scope })}
        folder="/code/orbit"
        waiting={1}
      />
    ));
    expect(screen.getByText("Runs when the next session starts")).toBeVisible();
    expect(screen.getByText(/^Always allow only covers edits to \.mcp\.json\./)).toBeVisible();
  });

  test("can be answered again if saving the answer failed", async () => {
    answer.mockRejectedValueOnce({ code: "storage", message: "Your answer could not be saved." });
    render(() => <PermissionCard request={request()} folder="/code/orbit" waiting={1} />);
    clock += guardMillis;
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Allow once" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Your answer could not be saved.");
    await user.click(screen.getByRole("button", { name: "Allow once" }));
    expect(answer.mock.calls).toEqual([
      ["p", "allow_once", false],
      ["p", "allow_once", false],
    ]);
  });

  test("is rejected with a reason typed in its footer", async () => {
    render(() => <PermissionCard request={request()} folder="/code/orbit" waiting={1} />);
    clock += guardMillis;
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Reject" }));
    const line = screen.getByRole("textbox", { name: "What should Copilot do instead?" });
    expect(line).toHaveFocus();
    expect(screen.queryByRole("button", { name: "Allow once" })).toBeNull();
    expect(screen.getByText(/^Copilot gets this as your next message and goes on/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Reject" })).toBeVisible();
    await user.keyboard("Use subtests");
    expect(screen.getByRole("button", { name: "Reject and send" })).toBeVisible();
    await user.keyboard("{Escape}");
    expect(screen.getByRole("button", { name: "Reject" })).toHaveFocus();
    expect(screen.getByRole("button", { name: "Allow once" })).toBeVisible();
    clock += guardMillis;
    await user.keyboard("{Enter}");
    expect(screen.getByRole("textbox")).toHaveValue("Use subtests");
    clock += guardMillis;
    await user.keyboard("{Enter}");
    expect(reject.mock.calls).toEqual([["p", "Use subtests"]]);
    expect(answer).not.toHaveBeenCalled();
  });

  test("keeps a typed reason while it is unmounted", async () => {
    const asked = request({ id: "far" });
    resetState(chatEvent("c"), { permission: asked });
    const [here, setHere] = createSignal(true);
    render(() => (
      <main>
        <Show when={here()}>
          <PermissionCard request={asked} folder="/code/orbit" waiting={1} />
        </Show>
        <div class="composer">
          <textarea aria-label="Message" />
        </div>
      </main>
    ));
    await userEvent.click(screen.getByRole("button", { name: "Reject" }));
    await userEvent.keyboard("Use subtests");
    setHere(false);
    await Promise.resolve();
    expect(screen.getByRole("textbox", { name: "Message" })).not.toHaveFocus();
    setHere(true);
    await userEvent.click(screen.getByRole("button", { name: "Reject" }));
    expect(screen.getByRole("textbox", { name: /instead/ })).toHaveValue("Use subtests");
    applyEvents({ permission: { ...asked, state: "decided" } });
    setHere(false);
    await Promise.resolve();
    expect(screen.getByRole("textbox", { name: "Message" })).toHaveFocus();
  });

  test("is rejected without a reason by an empty line, and at once by its key", async () => {
    const controls: CardControl[] = [];
    render(() => (
      <PermissionCard
        request={request({ options: [option("allow_once")] })}
        folder="/code/orbit"
        waiting={1}
        control={(control) => control && controls.push(control)}
      />
    ));
    clock += guardMillis;
    reject.mockRejectedValueOnce({ code: "storage", message: "Your answer could not be saved." });
    await userEvent.click(screen.getByRole("button", { name: "Reject" }));
    controls[0]?.allowOnce();
    expect(answer).not.toHaveBeenCalled();
    clock += guardMillis;
    await userEvent.keyboard("{Enter}");
    await screen.findByRole("alert");
    controls[0]?.reject();
    expect(reject.mock.calls).toEqual([
      ["p", ""],
      ["p", ""],
    ]);
  });

  test("is not rejected by a held key or one that ends a composition", async () => {
    render(() => <PermissionCard request={request()} folder="/code/orbit" waiting={1} />);
    clock += guardMillis;
    await userEvent.click(screen.getByRole("button", { name: "Reject" }));
    clock += guardMillis;
    const line = screen.getByRole("textbox");
    fireEvent.keyDown(line, { key: "Enter", repeat: true });
    fireEvent.keyDown(line, { key: "Enter", keyCode: 229 });
    expect(reject).not.toHaveBeenCalled();
    fireEvent.keyDown(line, { key: "Enter" });
    expect(reject.mock.calls).toEqual([["p", ""]]);
  });

  test("ignores the second half of a double-click for rejecting and for its replacement", async () => {
    render(() => <PermissionCard request={request()} folder="/code/orbit" waiting={1} />);
    clock += guardMillis;
    const button = (name: string) => screen.getByRole("button", { name });
    await userEvent.click(button("Reject"));
    await userEvent.click(button("Reject"));
    expect(reject).not.toHaveBeenCalled();
    expect(screen.getByRole("textbox")).toBeVisible();
    await userEvent.click(button("Cancel"));
    await userEvent.click(button("Allow once"));
    expect(answer).not.toHaveBeenCalled();
    await userEvent.click(button("Reject"));
    clock += guardMillis;
    await userEvent.click(button("Reject"));
    expect(reject.mock.calls).toEqual([["p", ""]]);
  });

  test("keeps the focus in the reason when the allow key is pressed", async () => {
    const controls: CardControl[] = [];
    const marks = [{ kind: "delete" as const, start: 0, end: 6, part: "rm -rf" }];
    render(() => (
      <PermissionCard
        request={request({ kind: "execute", command: "rm -rf dist", marks })}
        folder="/code/orbit"
        waiting={1}
        control={(control) => control && controls.push(control)}
      />
    ));
    clock += guardMillis;
    await userEvent.click(screen.getByRole("button", { name: "Reject" }));
    controls[0]?.allowOnce();
    expect(screen.getByRole("textbox")).toHaveFocus();
  });

  test("claims no more than is known about a part without a path", () => {
    const marks = [{ kind: "outside" as const, start: 0, end: 4, part: "cd -" }];
    render(() => (
      <PermissionCard
        request={request({ kind: "execute", command: "cd -", marks })}
        folder="/code/orbit"
        waiting={1}
      />
    ));
    const row = within(screen.getByRole("list", { name: "What can do harm" })).getByRole("listitem");
    expect(row).toHaveTextContent(/^cd -Reaches outside the folder\.$/);
  });

  test("of a harmful command names the harm and ignores the allow key", () => {
    const controls: CardControl[] = [];
    const command = "make && rm -rf dist";
    const marks = [{ kind: "delete" as const, start: 8, end: 19, part: "rm -rf", of: ["dist"], files: 214 }];
    render(() => (
      <PermissionCard
        request={request({
          kind: "execute",
          command,
          marks,
          scope: { kind: "command", folder: "/code/orbit", command },
        })}
        folder="/code/orbit"
        waiting={1}
        control={(control) => control && controls.push(control)}
      />
    ));
    clock += guardMillis;
    expect(screen.getByRole("region", { name: "Command" }).querySelector("mark")).toHaveTextContent(
      "rm -rf dist",
    );
    const row = within(screen.getByRole("list", { name: "What can do harm" })).getByRole("listitem");
    expect(row).toHaveTextContent("rm -rfDeletes for good. dist, 214 files. Undo does not bring them back.");
    expect(screen.queryByRole("button", { name: "Always allow" })).toBeNull();
    const once = screen.getByRole("button", { name: "Allow once" });
    expect(once).not.toHaveClass("primary");
    expect(once).not.toHaveAttribute("aria-keyshortcuts");
    controls[0]?.allowOnce();
    expect(answer).not.toHaveBeenCalled();
    expect(screen.getByRole("group", { name: "Permission request: Run a command" })).toHaveFocus();
  });

  test("names a delegated session and an agent other than Copilot", () => {
    const profile = { id: "q", name: "Qwen Code", command: "qwen", createdAt: 1 } as CustomAgent;
    resetState(chatEvent("c", { providerId: "q" }), { profile });
    render(() => <PermissionCard request={request({ session: "docs" })} folder="/code/orbit" waiting={1} />);
    expect(screen.getByRole("group")).toHaveTextContent(/Asked by Qwen Code \[docs\] in orbit/);
  });

  test("shows invisible characters in a file name", () => {
    const path = "/code/orbit/a\u202Etxt.exe";
    render(() => (
      <PermissionCard request={request({ kind: "edit", path })} folder="/code/orbit" waiting={1} />
    ));
    expect(screen.getByRole("group", { name: "Permission request: Edit a[U+202E]txt.exe" })).toBeVisible();
  });

  test("shows a command in full with invisible characters named", () => {
    const command = `echo a\u202Eb && ${"x".repeat(250)}`;
    render(() => (
      <PermissionCard request={request({ kind: "execute", command })} folder="/code/orbit" waiting={1} />
    ));
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

  /** show draws the card of a request about files with these diffs. */
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
    expect(screen.queryByText(/Always allow covers/)).toBeNull();
    expect(screen.getByText(/^Allow once covers these 3 files as shown/)).toBeVisible();
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
    const list = await file("And 2 more files, without a preview.");
    const rows = () => [...list.querySelectorAll(".rows-one")].map((row) => row.textContent);
    expect(rows()).toEqual(["And 2 more files, without a preview."]);
    await userEvent.click(screen.getByRole("button", { name: "Show all 4 files" }));
    await waitFor(() => expect(rows()).toEqual(["And 2 more files, without a preview.", "d.go", "sub/e.go"]));
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
