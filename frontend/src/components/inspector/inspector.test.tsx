import { render, screen, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { App } from "../../calls";
import { createCommandKeys } from "../../state/commands";
import { clampInspector, isOpen, setInspectorTab, setOpen } from "../../state/inspector";
import { sink } from "../../state/store";
import { requestedView, requestView } from "../../state/transcriptView";
import type { Chat, Event, Process, Session, SessionStats, Turn } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { Inspector, InspectorButton } from "./Inspector";

const session = (name: string, more: Partial<Session> = {}): Event => ({
  session: {
    chatId: "c",
    name,
    acpId: `acp-${name}`,
    cwd: "/",
    state: "loaded",
    hadPrompt: true,
    createdAt: 1,
    usedAt: 2,
    ...more,
  },
});
const running = (name: string, more: Partial<Turn> = {}): Event[] => [
  {
    turn: {
      id: `t-${name}`,
      chatId: "c",
      session: name,
      blockId: `b-${name}`,
      state: "running",
      startedAt: Date.now() - 72_000,
      ...more,
    },
  },
  {
    item: {
      id: `b-${name}`,
      chatId: "c",
      pos: 1,
      kind: "block",
      session: name,
      createdAt: 1,
      open: true,
      block: { toolCallId: "call", sessionName: name, turnId: `t-${name}`, prompt: "" },
    },
  },
];

let responses: Record<string, unknown> = {};
/** setResponses sets the responses to /data/… requests; tests may add more. */
function setResponses(sessions: SessionStats[], processes: Partial<Process>[] = []) {
  responses = {
    sessions: { sessions },
    processes,
    changes: { files: [], added: 0, removed: 0, sessions: 0 },
    commands: { commands: [] },
    protocol: { frames: [] },
    "agent-sessions": { sessions: [] },
  };
  vi.stubGlobal("fetch", (path: string) => {
    const answer = responses[/^\/data\/([a-z-]+)/.exec(path)?.[1] ?? ""];
    return Promise.resolve(
      answer === undefined
        ? new Response(JSON.stringify({ code: "storage", message: "The disk is gone." }), { status: 500 })
        : Response.json(answer),
    );
  });
}

function show(events: Event[], app: Partial<App> = {}) {
  const calls = stubApp(app);
  const chat = chatEvent("c");
  resetState(chat, { connection: { chatId: "c", state: "ready", since: 1, pid: 7 } });
  sink.open("c", events, 0, []);
  render(() => <Inspector chat={chat.chat as Chat} overlay={false} width={420} max={600} />);
  return { app: calls, user: userEvent.setup() };
}
const list = () => within(screen.getByRole("list", { name: "Copilot sessions" }));
const row = (at = 0) => within(list().getAllByRole("listitem")[at] as HTMLElement);
async function choose(user: ReturnType<typeof userEvent.setup>, entry: string) {
  await user.click(row().getByRole("button", { name: "Session actions" }));
  await user.click(await screen.findByRole("menuitem", { name: entry }));
}

beforeEach(() => {
  stubBrowser();
  setResponses([]);
  requestView(undefined);
  setInspectorTab("sessions");
});

describe("the list of sessions", () => {
  test("shows an empty state", () => {
    show([session("main", { hadPrompt: false })]);
    expect(screen.getByText("Copilot hasn't been used in this chat.")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Restart Copilot" })).toBeNull();
  });

  test("shows each session's status, use count and running time", async () => {
    setResponses(
      [
        { name: "auth", turns: 2, workMillis: 41_000 },
        { name: "logger", turns: 1, workMillis: 0 },
      ],
      [
        { chatId: "c", memory: 214_000_000, isAgent: true },
        { chatId: "other", memory: 999_000_000, isAgent: true },
      ],
    );
    show([
      session("auth"),
      session("logger", { createdAt: 2 }),
      session("gone", { createdAt: 3, state: "lost" }),
      ...running("logger"),
      ...running("docs"),
      {
        permission: {
          id: "p",
          chatId: "c",
          session: "docs",
          state: "open",
          title: "Edit",
          kind: "edit",
          path: "/home/anna/code/orbit-api/README.md",
          options: [],
          createdAt: 1,
        },
      },
    ]);
    // The time of the last use includes the date, because it isn't today.
    await screen.findByText(/^2 turns · 41 s of work · last used \d+ \w+ \d{4}, \d\d:\d\d$/);
    const rows = list().getAllByRole("listitem");
    expect(rows.map((each) => each.querySelector(".session-name")?.textContent)).toEqual([
      "authIdle",
      "loggerRunning",
      "goneCouldn't be restored",
      "docsNeeds you",
    ]);
    expect(rows[1]).toHaveTextContent(/1 turn · 1 min 1\d s/);
    expect(rows[3]).toHaveTextContent("wants to edit README.md");
    expect(screen.getByText("One Copilot process, 4 sessions, 214 MB")).toBeVisible();
    expect(screen.getByRole("tab", { name: "Sessions" })).toHaveTextContent("4");
  });

  test("stops one session's work and no other", async () => {
    const { app, user } = show([session("auth"), ...running("auth")]);
    await user.click(row().getByRole("button", { name: "Stop auth" }));
    expect(app.of("StopBlock")).toEqual([["b-auth"]]);
  });

  test("scrolls the transcript to a session's newest block", async () => {
    const { user } = show([session("auth")]);
    await user.click(row().getByRole("button", { name: "Show in chat" }));
    expect(requestedView()).toEqual({ chatId: "c", session: "auth" });
  });

  test("sends to a session and scrolls to the coming block", async () => {
    const { app, user } = show([session("auth"), ...running("auth", { state: "done" })]);
    await choose(user, "Send message");
    const field = await screen.findByRole("textbox", { name: "Message to auth" });
    await waitFor(() => expect(field).toHaveFocus());
    await user.type(field, "Also name{Shift>}{Enter}{/Shift}the test{Enter}");
    await waitFor(() => expect(app.of("SendTo")).toEqual([["c", "auth", "Also name\nthe test"]]));
    await waitFor(() => expect(screen.queryByRole("textbox")).toBeNull());
    expect(requestedView()).toEqual({ chatId: "c", session: "auth", after: "b-auth" });
  });

  test("scrolls to the coming block even if none is loaded", async () => {
    const { user } = show([session("auth")]);
    await choose(user, "Send message");
    await user.type(await screen.findByRole("textbox", { name: "Message to auth" }), "hello{Enter}");
    await waitFor(() => expect(requestedView()).toEqual({ chatId: "c", session: "auth", after: "" }));
  });

  test("keeps text that couldn't be sent", async () => {
    const { user } = show([session("auth")], {
      SendTo: () => Promise.reject({ code: "unavailable", message: "VoxPilot is closing." }),
    });
    await choose(user, "Send message");
    await user.type(await screen.findByRole("textbox", { name: "Message to auth" }), "hello{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("VoxPilot is closing.");
    expect(screen.getByRole("textbox", { name: "Message to auth" })).toHaveValue("hello");
  });

  test("renames a session inline and reports why it can't", async () => {
    const { app, user } = show([session("auth")], {
      RenameSession: () => Promise.reject({ code: "invalid", message: "There is one called that already." }),
    });
    row().getByRole("button", { name: "Show in chat" }).focus();
    await user.keyboard("{F2}");
    const field = screen.getByRole("textbox", { name: "Session name" });
    await user.clear(field);
    await user.type(field, "tests{Enter}");
    expect(app.of("RenameSession")).toEqual([["c", "auth", "tests"]]);
    expect(await screen.findByRole("alert")).toHaveTextContent("There is one called that already.");
  });

  test("closes a session only after confirmation", async () => {
    const { app, user } = show([session("auth")]);
    await choose(user, "Close…");
    const dialog = await screen.findByRole("dialog", { name: "Close “auth”?" });
    expect(app.of("CloseSession")).toEqual([]);
    await user.click(within(dialog).getByRole("button", { name: "Close" }));
    expect(app.of("CloseSession")).toEqual([["c", "auth"]]);
    applyEvents({ sessionGone: { id: "auth", chatId: "c" } });
    expect(screen.getByText("Copilot hasn't been used in this chat.")).toBeVisible();
  });

  test("restarts an idle session at once, and a running one after confirmation", async () => {
    const { app, user } = show([session("auth")]);
    await choose(user, "Restart");
    await waitFor(() => expect(app.of("RestartSession")).toEqual([["c", "auth"]]));
    applyEvents(...running("auth"));
    await choose(user, "Restart");
    const dialog = await screen.findByRole("dialog", { name: "Restart “auth”?" });
    expect(app.of("RestartSession")).toHaveLength(1);
    await user.click(within(dialog).getByRole("button", { name: "Restart" }));
    await waitFor(() => expect(app.of("RestartSession")).toHaveLength(2));
  });

  test("restarts Copilot by stopping and starting it", async () => {
    const { app, user } = show([session("auth")]);
    await user.click(screen.getByRole("button", { name: "Restart Copilot" }));
    await waitFor(() => expect(app.of("Reconnect")).toEqual([["c"]]));
    const asked = app.calls.map((call) => call.method);
    expect(asked.indexOf("StopAgent")).toBeLessThan(asked.indexOf("Reconnect"));
    expect(app.of("StopAgent")).toEqual([["c"]]);
  });

  test("stops a process, asking first only if the agent is running", async () => {
    const processes = [
      { chatId: "c", id: "a1", pid: 7, parentPid: 1, command: "copilot --acp", memory: 1, isAgent: true },
      { chatId: "c", id: "term_1", pid: 8, parentPid: 1, command: "npm run dev", memory: 1 },
      { chatId: "c", pid: 9, parentPid: 8, command: "node server.js", memory: 1 },
    ];
    setResponses([], processes);
    const { app, user } = show([session("auth")]);
    const head = await screen.findByRole("button", { name: /^Processes/ });
    head.focus();
    await user.keyboard("{Enter}");
    const table = within(screen.getByRole("table", { name: "Copilot processes" }));
    // Children of the agent or of a command end with their parent, so they have no button.
    expect(table.getAllByRole("button").map((each) => each.getAttribute("aria-label"))).toEqual([
      "Stop Copilot",
      "Stop npm run dev",
    ]);

    setResponses([], processes.slice(0, 1));
    await user.tab();
    await user.tab();
    expect(table.getByRole("button", { name: "Stop npm run dev" })).toHaveFocus();
    await user.keyboard("{Enter}");
    expect(app.of("StopProcess")).toEqual([["c", "term_1"]]);
    await waitFor(() => expect(table.queryByRole("button", { name: "Stop npm run dev" })).toBeNull());
    expect(head).toHaveFocus();

    await user.click(table.getByRole("button", { name: "Stop Copilot" }));
    expect(app.of("StopProcess").slice(1)).toEqual([["c", "a1"]]);

    applyEvents(...running("auth"));
    await user.click(await screen.findByRole("button", { name: "Stop Copilot" }));
    const dialog = await screen.findByRole("dialog", { name: "Stop Copilot?" });
    expect(app.of("StopProcess")).toHaveLength(2);
    setResponses([]);
    await user.click(within(dialog).getByRole("button", { name: "Stop" }));
    await waitFor(() => expect(app.of("StopProcess").slice(2)).toEqual([["c", "a1"]]));
    await waitFor(() => expect(screen.getByRole("tab", { name: "Sessions" })).toHaveFocus());
    expect(screen.queryByRole("button", { name: /^Processes/ })).toBeNull();
  });

  test("asks before stopping an agent with a running command", async () => {
    setResponses(
      [],
      [{ chatId: "c", id: "a1", pid: 7, command: "copilot", memory: 1, isAgent: true, works: true }],
    );
    const { app, user } = show([session("auth")]);
    await user.click(await screen.findByRole("button", { name: /^Processes/ }));
    await user.click(screen.getByRole("button", { name: "Stop Copilot" }));
    const dialog = await screen.findByRole("dialog", { name: "Stop Copilot?" });
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(app.of("StopProcess")).toEqual([]);
    await waitFor(() => expect(screen.getByRole("button", { name: "Stop Copilot" })).toHaveFocus());
  });

  test("hides actions for named sessions on the main session", async () => {
    const { user } = show([session("main")]);
    await user.click(row().getByRole("button", { name: "Session actions" }));
    const entries = await screen.findAllByRole("menuitem");
    expect(entries.map((entry) => entry.textContent)).toEqual(["Restart"]);
    expect(row().getByRole("button", { name: "Copy session ID" })).toHaveAttribute("title", "acp-main");
  });
});

describe("the inspector", () => {
  test("opens and closes with its button and keys, and is remembered only beside the chat", async () => {
    stubApp();
    const user = userEvent.setup();
    setOpen(false, false);
    render(() => {
      createCommandKeys(() => true);
      return <InspectorButton overlay={false} />;
    });
    const button = screen.getByRole("button", { name: "Inspector" });
    expect(button).toHaveAttribute("aria-expanded", "false");
    await user.keyboard("{Control>}j{/Control}");
    expect(button).toHaveAttribute("aria-expanded", "true");
    expect(localStorage.getItem("voxpilot.inspector")).toBe("sessions");
    expect(isOpen(true)).toBe(false);
    await user.click(button);
    expect(isOpen(false)).toBe(false);
    await waitFor(() => expect(button).toHaveFocus());
  });

  test("traps the focus over the chat and closes with Escape", async () => {
    stubApp();
    const user = userEvent.setup();
    const chat = chatEvent("c");
    resetState(chat);
    sink.open("c", [], 0, []);
    setOpen(true, true);
    render(() => (
      <>
        <button type="button">under it</button>
        <Inspector chat={chat.chat as Chat} overlay width={420} max={600} />
      </>
    ));
    const close = screen.getByRole("button", { name: "Close inspector" });
    close.focus();
    const tab = screen.getByRole("tab", { name: "Sessions" });
    await user.tab({ shift: true });
    expect(tab).toHaveFocus();
    await user.tab({ shift: true });
    expect(screen.getByRole("button", { name: "Continue another session…" })).toHaveFocus();
    await user.tab();
    expect(tab).toHaveFocus();
    await user.keyboard("{Escape}");
    expect(isOpen(true)).toBe(false);
  });

  test("leaves the chat enough room and takes no more than it needs", () => {
    expect(clampInspector(0, 1280, 264)).toBe(420);
    setInspectorTab("changes");
    expect(clampInspector(0, 1280, 264)).toBe(572);
    expect(clampInspector(900, 1280, 264)).toBe(576);
    expect(clampInspector(100, 1280, 264)).toBe(340);
    expect(clampInspector(5000, 2000, 264)).toBe(1200);
  });
});
