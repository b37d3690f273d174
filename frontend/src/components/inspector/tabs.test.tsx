import { render, screen, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { App } from "../../calls";
import { isOpen, openInspector, setInspectorTab, setOpen } from "../../state/inspector";
import { sink } from "../../state/store";
import type {
  ChangedFile,
  Chat,
  Event,
  FileDiff,
  PartResult,
  ProtocolMessage,
  RanCommand,
} from "../../state/types";
import { chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { Inspector } from "./Inspector";

const file = (name: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
  path: `/home/anna/code/orbit-api/${name}`,
  name,
  added: 1,
  removed: 1,
  kind: "edited",
  edits: 1,
  at: 1,
  ...more,
});
const diffOf = (name: string, diff: string, more: Partial<FileDiff> = {}): FileDiff => ({
  ...file(name),
  net: true,
  diff,
  size: diff.length,
  ...more,
});
const command = (itemId: string, more: Partial<RanCommand> = {}): RanCommand => ({
  itemId,
  session: "main",
  command: `run ${itemId}`,
  status: "completed",
  exitCode: 0,
  contentId: `k-${itemId}`,
  size: 5,
  lines: 1,
  startedAt: 1,
  endedAt: 2,
  ...more,
});
const frame = (seq: number, more: Partial<ProtocolMessage>): ProtocolMessage => ({
  seq,
  at: 1,
  size: 10,
  body: "{}",
  ...more,
});

/** Responses to /data/… requests, by name and requested path or ID; undefined makes the request fail. */
let responses: Record<string, unknown>;
let requestedPaths: string[];

beforeEach(() => {
  stubBrowser();
  requestedPaths = [];
  responses = {
    changes: { files: [], added: 0, removed: 0, sessions: 0 },
    commands: { commands: [] },
    protocol: { frames: [] },
    sessions: { sessions: [] },
    processes: [],
  };
  vi.stubGlobal("fetch", (input: string) => {
    requestedPaths.push(input);
    const url = new URL(input, "http://app");
    const kind = url.pathname.slice("/data/".length);
    if (kind === "content") {
      const text = String(responses[`content ${url.searchParams.get("id")}`] ?? "");
      return Promise.resolve(
        new Response(text.slice(Number(url.searchParams.get("offset"))), {
          headers: { "X-Size": String(text.length) },
        }),
      );
    }
    const answer = responses[`${kind} ${url.searchParams.get("path")}`] ?? responses[kind];
    const failure = new Response(JSON.stringify({ code: "storage", message: "The disk is gone." }), {
      status: 500,
    });
    return Promise.resolve(answer === undefined ? failure : Response.json(answer));
  });
});

function show(tab: Parameters<typeof setInspectorTab>[0], events: Event[] = [], app: Partial<App> = {}) {
  const calls = stubApp(app);
  const chat = chatEvent("c");
  resetState(chat);
  sink.open("c", events, 0, []);
  setInspectorTab(tab);
  render(() => <Inspector chat={chat.chat as Chat} overlay={false} width={420} max={600} />);
  return { app: calls, user: userEvent.setup() };
}

describe("changes", () => {
  const [a, b] = [file("src/a.go"), file("b.md", { kind: "added", added: 2, removed: 0 })];
  const two = () => {
    responses.changes = { files: [a, b], added: 3, removed: 1, sessions: 2 };
    responses[`diff ${a.path}`] = diffOf(a.name, "@@ -1,1 +1,1 @@\n-old line\n+new line\n");
    responses[`diff ${b.path}`] = diffOf(b.name, "@@ -0,0 +1,2 @@\n+one\n+two\n");
  };

  test("states that command changes are not listed, if commands ran", async () => {
    responses.commands = { commands: [command("one")] };
    show("changes");
    expect(await screen.findByText("Changes made by commands aren't listed.")).toBeVisible();
  });

  test("shows an empty state", async () => {
    show("changes");
    expect(await screen.findByText("No changes in this chat yet.")).toBeVisible();
    expect(screen.queryByText("Changes made by commands aren't listed.")).toBeNull();
  });

  test("reports why they couldn't be loaded and retries", async () => {
    responses.changes = undefined;
    const { user } = show("changes");
    expect(await screen.findByRole("alert")).toHaveTextContent("Couldn't load this. The disk is gone.");
    two();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("tree", { name: "Changed files" })).toBeVisible();
  });

  test("lists the files and moves between them, into a diff and back", async () => {
    two();
    const { user } = show("changes");
    const first = await screen.findByRole("treeitem", { name: "src/a.go, 1 added, 1 removed" });
    expect(first).toHaveAttribute("aria-selected", "true");
    expect(screen.getByText("2 files in 2 sessions")).toBeVisible();
    expect(screen.getByRole("tab", { name: "Changes" })).toHaveTextContent("2");
    first.focus();
    await user.keyboard("{ArrowDown}");
    const second = screen.getByRole("treeitem", { name: "b.md, 2 added, 0 removed" });
    await waitFor(() => expect(second).toHaveFocus());
    const diff = await screen.findByRole("region", { name: "Diff of b.md" });
    expect(diff).toHaveTextContent("one");
    await user.keyboard("{ArrowRight}");
    expect(diff).toHaveFocus();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(second).toHaveFocus());
  });

  test("marks differing words and opens the file at the first one", async () => {
    two();
    const { app, user } = show("changes");
    const diff = await screen.findByRole("region", { name: "Diff of src/a.go" });
    expect([...diff.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual(["old", "new"]);
    await user.click(screen.getByRole("button", { name: "Open in editor" }));
    expect(app.of("OpenInEditor")).toEqual([["c", a.path, 1]]);
    await user.click(screen.getByRole("button", { name: "Copy path" }));
    expect(app.of("Copy")).toEqual([[a.path]]);
  });

  test("explains a diff without lines", async () => {
    responses.changes = { files: [a], added: 1, removed: 1 };
    responses[`diff ${a.path}`] = diffOf(a.name, "", { net: false, message: "This is not a text file." });
    show("changes");
    expect(await screen.findByText("This is not a text file.")).toBeVisible();
  });

  test("renders only the part of a long diff near the viewport, with nothing hidden", async () => {
    responses.changes = { files: [a], added: 50_000, removed: 0 };
    const lines = Array.from({ length: 50_000 }, (_, n) => `+line ${n} \u202E\n`).join("");
    responses[`diff ${a.path}`] = diffOf(a.name, `@@ -0,0 +1,50000 @@\n${lines}`, {
      cut: true,
      size: 9_000_000,
    });
    show("changes");
    const diff = await screen.findByRole("region", { name: "Diff of src/a.go" });
    await within(diff).findAllByText("U+202E");
    expect(diff.querySelectorAll(".dl").length).toBeLessThan(200);
    expect(screen.getByText(/^Showing the first .* of 9\.0 MB\.$/)).toBeVisible();
  });

  test("puts a hunk or the file back, and redoes that", async () => {
    const hunks = ["@@ -1 +1 @@\n-old line\n+new line\n", "@@ -9,2 +9,2 @@\n same\n-x\n+y\n"];
    const head = "--- src/a.go\n+++ src/a.go\n";
    const whole = head + hunks.join("");
    responses.changes = { files: [a], added: 2, removed: 2, sessions: 1 };
    responses[`diff ${a.path}`] = diffOf(a.name, whole);
    responses["put-back"] = { parts: [] };
    const { app, user } = show("changes", [], { PutBack: async () => ({}) });
    await screen.findByRole("region", { name: "Diff of src/a.go" });
    responses["put-back"] = { parts: [{ id: "p1", path: "src/a.go", at: 1, added: 1, removed: 1 }] };
    await user.click(screen.getByRole("button", { name: "Undo lines 9 to 10" }));
    await user.click(await screen.findByRole("button", { name: "Redo the change to src/a.go" }));
    await user.click(screen.getByRole("button", { name: "Undo the change to src/a.go" }));
    expect(app.of("PutBack")).toEqual([
      ["c", { path: a.path, diff: head + hunks[1], whole: false }],
      ["c", { redo: "p1" }],
      ["c", { path: a.path, diff: whole, whole: true }],
    ]);
    expect(await screen.findByText("The change was undone.")).toBeInTheDocument();
  });

  test("shows both sides of a hunk that later changes overlap, and why one can't be put back", async () => {
    two();
    let answer: () => Promise<PartResult> = async () => ({
      diff: "--- a\n+++ a\n@@ -1 +1 @@\n-mine\n+theirs\n",
    });
    const { user } = show("changes", [], { PutBack: () => answer() });
    const back = await screen.findByRole("button", { name: "Undo line 1" });
    await user.click(back);
    const dialog = await screen.findByRole("dialog", {
      name: "src/a.go has later changes in the same place",
    });
    expect(dialog).toHaveTextContent("VoxPilot didn't change the file.");
    expect(dialog).toHaveTextContent(/mine.*theirs/);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(back).toHaveFocus());
    answer = () => Promise.reject(new Error("This chat is still working."));
    await user.click(back);
    expect(await screen.findByRole("alert")).toHaveTextContent("This chat is still working.");
  });

  test("offers no way back for a file outside of the folder", async () => {
    const outside = file("/etc/hosts", { path: "/etc/hosts" });
    responses.changes = { files: [outside], added: 1, removed: 1 };
    responses["diff /etc/hosts"] = diffOf(outside.name, "@@ -1 +1 @@\n-old\n+new\n");
    show("changes");
    await screen.findByRole("region", { name: "Diff of /etc/hosts" });
    expect(screen.queryByRole("button", { name: /^Undo (line|the change)/ })).toBeNull();
  });

  test("of one session are requested when opened that way", async () => {
    two();
    show("sessions");
    openInspector("changes", "auth");
    await screen.findByRole("region", { name: "Diff of src/a.go" });
    expect(requestedPaths).toContain("/data/changes?chat=c&session=auth");
    expect(requestedPaths).toContain(`/data/diff?chat=c&path=${encodeURIComponent(a.path)}&session=auth`);
  });
});

describe("the terminal", () => {
  test("shows an empty state", async () => {
    show("terminal");
    expect(await screen.findByText("No commands yet.")).toBeVisible();
  });

  test("shows the newest command last and the selected output", async () => {
    responses.commands = { commands: [command("two", { exitCode: 1 }), command("one")] };
    responses["content k-one"] = "\u001b[32mfine\u001b[0m";
    responses["content k-two"] = "broken";
    const { app, user } = show("terminal");
    const list = within(await screen.findByRole("tablist", { name: "Terminals" }));
    expect(list.getAllByRole("tab").map((tab) => tab.getAttribute("aria-label"))).toEqual([
      "run one, exit 0",
      "run two, exit 1",
    ]);
    const second = list.getByRole("tab", { name: "run two, exit 1" });
    expect(second).toHaveAttribute("aria-selected", "true");
    second.focus();
    await user.keyboard("{ArrowUp}");
    const output = await screen.findByRole("region", { name: "Terminal output: run one" });
    expect(await within(output).findByText("fine")).toHaveClass("a-green");
    await user.click(screen.getByRole("button", { name: "Copy output" }));
    await waitFor(() => expect(app.of("Copy")).toEqual([["fine"]]));
    expect(screen.queryByRole("button", { name: "Stop command" })).toBeNull();
  });

  test("stops the block of a command and reports it", async () => {
    responses.commands = {
      commands: [command("one", { session: "auth", status: "in_progress", exitCode: undefined })],
    };
    const tool = { callId: "x", title: "", kind: "execute" as const, status: "in_progress" as const };
    const { app, user } = show("terminal", [
      { item: { id: "b", chatId: "c", pos: 1, kind: "block", createdAt: 1, session: "auth" } },
      {
        item: { id: "one", chatId: "c", pos: 2, kind: "tool", parentId: "b", open: true, createdAt: 1, tool },
      },
    ]);
    const stop = await screen.findByRole("button", { name: "Stop command" });
    expect(stop).toHaveAttribute("title", "Stops everything auth is doing");
    await user.click(stop);
    expect(app.of("StopBlock")).toEqual([["b"]]);
  });
});

describe("the protocol log", () => {
  test("shows an empty state and can be saved", async () => {
    const { app, user } = show("protocol");
    expect(await screen.findByText("Nothing sent yet.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Save log" }));
    expect(app.of("SaveProtocol")).toEqual([["c"]]);
  });

  test("filters, opens a message and pauses", async () => {
    responses.protocol = {
      frames: [
        frame(1, { out: true, method: "initialize", id: "1" }),
        frame(2, { id: "1", body: '{"agent":"copilot"}' }),
      ],
    };
    const { user } = show("protocol");
    const table = within(await screen.findByRole("table", { name: "Protocol log" }));
    await user.click(table.getByRole("button", { name: "initialize result" }));
    expect(table.getByText('"copilot"')).toHaveClass("a-green");
    await user.type(screen.getByRole("searchbox", { name: "Filter messages" }), "nothing like it");
    expect(screen.getByText("No messages match “nothing like it”.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Pause log" }));
    expect(screen.getByRole("button", { name: "Resume log" })).toBeVisible();
  });
});

describe("manually started sessions", () => {
  const main: Event = {
    session: { chatId: "c", name: "auth", acpId: "a1", cwd: "/", state: "loaded", createdAt: 1, usedAt: 1 },
  };

  test("continue from the terminal under a name", async () => {
    responses["agent-sessions"] = {
      sessions: [
        { acpId: "a1", title: "Auth", cwd: "/", updatedAt: 1, known: "auth" },
        { acpId: "a2", title: "Fix the Übung!", cwd: "/", updatedAt: 1 },
      ],
    };
    const { app, user } = show("sessions", [main]);
    await user.click(await screen.findByRole("button", { name: "Continue another session…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Continue a session" }));
    expect((await dialog.findAllByRole("radio")).map((each) => each.textContent)).toHaveLength(1);
    const name = dialog.getByRole("textbox", { name: "New session name" });
    expect(name).toHaveValue("fix-the-ubung");
    await user.clear(name);
    await user.type(name, "practice{Enter}");
    await waitFor(() => expect(app.of("ContinueSession")).toEqual([["c", "a2", "practice"]]));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test("are forked only if supported, and the dialog stays open on failure", async () => {
    const { user } = show("sessions", [main], {
      ForkSession: () => Promise.reject({ code: "invalid", message: "There is one called that already." }),
    });
    const actionsOf = () => screen.getByRole("button", { name: "Session actions" });
    await user.click(actionsOf());
    expect(screen.queryByRole("menuitem", { name: "Fork…" })).toBeNull();
    await user.keyboard("{Escape}");
    sink.apply([{ connection: { chatId: "c", state: "ready", since: 1, can: { fork: true, list: true } } }]);
    await user.click(actionsOf());
    await user.click(await screen.findByRole("menuitem", { name: "Fork…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Fork “auth”" }));
    expect(dialog.getByRole("textbox")).toHaveValue("auth-2");
    await user.click(dialog.getByRole("button", { name: "Fork" }));
    expect(await dialog.findByRole("alert")).toHaveTextContent("There is one called that already.");
  });
});

test("the arrow keys move through the tabs, and the open one is remembered", async () => {
  const { app, user } = show("changes");
  setOpen(false, true);
  screen.getByRole("tab", { name: "Changes" }).focus();
  await user.keyboard("{ArrowLeft}");
  expect(screen.getByRole("tab", { name: "Protocol" })).toHaveFocus();
  expect(screen.getByRole("tabpanel", { name: "Protocol" })).toBeVisible();
  await user.keyboard("{Home}{ArrowRight}");
  expect(screen.getByRole("tab", { name: "Sessions" })).toHaveFocus();
  const saved = app.of("SaveSettings").at(-1)?.[0];
  expect(saved).toMatchObject({ inspectorTab: "sessions" });
  expect(isOpen(false)).toBe(true);
});
