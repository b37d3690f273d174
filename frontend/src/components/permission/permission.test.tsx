import { fireEvent, render, screen, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { createRoot, createSignal, Show } from "solid-js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { App } from "../../calls";
import type { CustomAgent, Permission } from "../../state/types";
import { applyEvents, chatEvent, resetState } from "../../testing";
import { createClickGuard, guardMillis } from "./clickGuard";
import { buttonsOf } from "./options";
import { type CardControl, PermissionCard } from "./PermissionCard";
import { commandContext } from "./parts";
import { option, request } from "./testing";

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
    expect(card).toHaveTextContent(/Requested by Copilot in orbit/);
    expect(card).toHaveTextContent("Request 1 of 2");
    expect(card).toHaveTextContent(
      "“Always allow” creates a rule that covers all edits and new files in orbit, but not deletions or moves. You can remove it in Settings > Permissions.",
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
      screen.getByText(
        /^“Always allow” creates a rule that covers all web addresses on pkg\.go\.dev for chats in orbit\. You can remove it/,
      ),
    ).toBeVisible();
  });

  test.each([
    ["prefix", "npm test", "commands in orbit that start with “npm test”."],
    ["glob", "npm *", "commands in orbit that match “npm *”."],
  ] as const)("sets the text of a %s rule apart from the folder", (kind, command, covered) => {
    const scope = { kind, folder: "/code/orbit", command };
    render(() => (
      <PermissionCard
        request={request({ kind: "execute", command: "npm test", scope })}
        folder="/code/orbit"
        waiting={1}
      />
    ));
    expect(screen.getByText(/^“Always allow” creates a rule that covers /)).toHaveTextContent(covered);
  });

  test("separates the place from the note that a file is outside the folder", () => {
    render(() => (
      <PermissionCard
        request={request({ kind: "read", path: "/etc/hosts", outside: true })}
        folder="/code/orbit"
        waiting={1}
      />
    ));
    expect(screen.getByRole("group")).toHaveTextContent(
      "in orbit · Accesses files outside this chat's folder",
    );
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
    expect(screen.getByText("Protected: this file can run code when the next session starts")).toBeVisible();
    expect(
      screen.getByText(/^“Always allow” creates a rule that covers only edits to \.mcp\.json\./),
    ).toBeVisible();
  });

  test("says that one of several files is protected", () => {
    const files = [{ path: "/code/orbit/.mcp.json" }, { path: "/code/orbit/main.go" }];
    render(() => (
      <PermissionCard
        request={request({ path: "/code/orbit/.mcp.json", protected: "session", files })}
        folder="/code/orbit"
        waiting={1}
      />
    ));
    expect(
      screen.getByText("Includes a protected file that can run code when the next session starts"),
    ).toBeVisible();
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
    expect(
      screen.getByText(/^Your text is sent to Copilot as your next message, and Copilot continues/),
    ).toBeVisible();
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

  test.each([
    ["outside" as const, "cd -", "Accesses files outside this chat's folder."],
    ["rights" as const, "chmod -R 777", "Changes file permissions."],
    ["owner" as const, "chown -R me", "Changes the owner or group of files."],
    [
      "history" as const,
      "git filter-repo",
      "Rewrites the repository's history. The original commits may be lost.",
    ],
  ])("claims no more than is known about a part without a path: %s", (kind, command, risk) => {
    const marks = [{ kind, start: 0, end: command.length, part: command }];
    render(() => (
      <PermissionCard
        request={request({ kind: "execute", command, marks })}
        folder="/code/orbit"
        waiting={1}
      />
    ));
    const row = within(screen.getByRole("list", { name: "Risks" })).getByRole("listitem");
    expect(row.textContent?.trim()).toBe(`${command}${risk}`);
  });

  test.each([
    [["src"], "src and everything in it."],
    [["."], "the current folder and everything in it."],
    [["src", ".."], "src and the parent folder, including everything in them."],
  ])("names the folders whose permissions a command changes: %s", (of, risk) => {
    const command = "chmod -R 777";
    const marks = [{ kind: "rights" as const, start: 0, end: command.length, part: "chmod -R", of }];
    render(() => (
      <PermissionCard
        request={request({ kind: "execute", command, marks })}
        folder="/code/orbit"
        waiting={1}
      />
    ));
    const row = within(screen.getByRole("list", { name: "Risks" })).getByRole("listitem");
    expect(row).toHaveTextContent(`chmod -RChanges file permissions: ${risk}`);
  });

  test.each([
    [
      { kind: "delete", of: ["x.txt"], files: 1 },
      "Permanently deletes: x.txt (1 file). Undo can't restore it.",
    ],
    [{ kind: "delete", of: ["x.txt"], files: 1, canRestore: true }, "Deletes: x.txt (1 file)."],
    [{ kind: "delete", of: ["src"], files: 3, canRestore: true }, "Deletes files: src (3 files)."],
    [
      { kind: "publish", at: "Docker" },
      "Publishes or changes data on the container registry. This affects other people immediately, and VoxPilot can't undo it.",
    ],
    [
      { kind: "publish", at: "constructor" },
      "Publishes or changes data on constructor. This affects other people immediately, and VoxPilot can't undo it.",
    ],
    [
      { kind: "unclear", of: ["true"] },
      "VoxPilot can't tell what this field of the request does. Value: true.",
    ],
    [
      { kind: "unclear", of: ['"/a"', '"/b"'] },
      'VoxPilot can\'t tell what this field of the request does. Conflicting values: "/a" and "/b".',
    ],
  ] as const)("describes the risk %j", (mark, risk) => {
    const marks = [{ start: 0, end: 0, part: "part", ...mark, of: [...("of" in mark ? mark.of : [])] }];
    render(() => (
      <PermissionCard request={request({ kind: "execute", marks })} folder="/code/orbit" waiting={1} />
    ));
    const row = within(screen.getByRole("list", { name: "Risks" })).getByRole("listitem");
    expect(row.textContent?.trim()).toBe(`part${risk}`);
    expect(
      screen.getByText(
        "Because of the risks above, “Allow once” has no keyboard shortcut and “Always allow” isn't available.",
      ),
    ).toBeVisible();
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
    const row = within(screen.getByRole("list", { name: "Risks" })).getByRole("listitem");
    expect(row).toHaveTextContent(
      "rm -rfPermanently deletes files: dist (214 files). Undo can't restore them.",
    );
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
    expect(screen.getByRole("group")).toHaveTextContent(/Requested by Qwen Code \[docs\] in orbit/);
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
