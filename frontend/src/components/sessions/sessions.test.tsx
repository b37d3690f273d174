import { fireEvent, render, screen as ui, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { isOfText } from "../../state/cliSessions";
import { go, screen } from "../../state/screen";
import { answerSessions, resetSessions, session } from "../../state/sessionsTesting";
import type { CLISession } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { SessionsScreen } from "./SessionsScreen";

const wide = (matches: boolean) =>
  vi.stubGlobal("matchMedia", (media: string) => ({
    media,
    matches,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
const field = () => ui.getByRole("searchbox", { name: "Search Copilot sessions" });
const list = () => ui.getByRole("region", { name: "Sessions" });
const preview = () => ui.getByRole("region", { name: "Preview" });
const row = (name: string) => within(list()).findByRole("button", { name });
const current = () => list().querySelector("[aria-current]")?.getAttribute("aria-label");
const press = (key: string, on: Element = document.activeElement as Element) =>
  fireEvent.keyDown(on, { key });
const made = (id: string) => Promise.resolve({ id } as never);

function show(sessions: CLISession[], more: Partial<Parameters<typeof answerSessions>[0]> = {}) {
  const asked = answerSessions({ list: () => ({ sessions }), ...more });
  render(() => <SessionsScreen />);
  return asked;
}

beforeEach(() => {
  stubBrowser();
  wide(true);
  answerSessions({ list: () => ({ sessions: [] }) });
  resetState(chatEvent("c"));
  resetSessions();
  go({ name: "chat", id: "c" });
  go({ name: "sessions" });
});

describe("the list of sessions", () => {
  test("shows marks, counts and sizes, and says how many are in VoxPilot", async () => {
    stubApp();
    show([
      session("a", { holder: { pid: 1, terminal: "pts/3" } }),
      session("b", { messages: -1, damage: "cut_off" }),
      session("c", { chatId: "c", folderGone: true }),
    ]);
    expect(await row("Session a, open in a terminal")).toHaveTextContent("6 messages · 84 KB");
    const damaged = await row("Session b, damaged");
    expect(damaged).toHaveTextContent("84 KB");
    expect(damaged).not.toHaveTextContent("message");
    await row("Session c, folder not found, in VoxPilot");
    expect(ui.getByRole("status", { name: "Result count" })).toHaveTextContent(
      "3 sessions, 1 already in VoxPilot",
    );
    expect(within(list()).getByRole("heading", { name: /Today|Yesterday/ })).toBeVisible();
    expect(ui.queryByRole("button", { name: /^Agent:/ })).toBeNull();
  });

  test("renders only the rows near the view", async () => {
    stubApp();
    show(Array.from({ length: 5000 }, (_, n) => session(`s${n}`)));
    await row("Session s0");
    expect(within(list()).getAllByRole("button").length).toBeLessThan(100);
    expect(ui.getByRole("status", { name: "Result count" })).toHaveTextContent("5,000 sessions");
  });

  test("continues the selected session with Enter from the field, and F in the list forks it", async () => {
    const app = stubApp({ OpenCLISession: () => made("new"), ForkCLISession: () => made("copy") });
    show([session("a"), session("b", { home: "/home/anna/.qwen" })]);
    await row("Session a");
    expect(field()).toHaveFocus();
    press("ArrowDown");
    expect(current()).toBe("Session b");
    // In the field, F is a letter.
    press("f");
    press("Enter");
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "new" }));
    expect(app.of("OpenCLISession")).toEqual([["/home/anna/.qwen", "b"]]);
    expect(app.of("ForkCLISession")).toEqual([]);
    go({ name: "sessions" });
    (await row("Session a")).focus();
    press("f");
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "copy" }));
    expect(app.of("ForkCLISession")).toEqual([["", "a"]]);
  });

  test("Enter waits for the results of the typed text", async () => {
    const app = stubApp({ OpenCLISession: () => made("new") });
    show([session("a")]);
    await row("Session a");
    fireEvent.input(field(), { target: { value: "redis" } });
    press("Enter", field());
    expect(app.of("OpenCLISession")).toEqual([]);
    // Text that is typed afterward needs its own Enter.
    fireEvent.input(field(), { target: { value: "redis cache" } });
    await waitFor(() => expect(isOfText()).toBe(true));
    expect(app.of("OpenCLISession")).toEqual([]);
    fireEvent.input(field(), { target: { value: "redis" } });
    press("Enter", field());
    expect(app.of("OpenCLISession")).toEqual([]);
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "new" }));
    expect(app.of("OpenCLISession")).toEqual([["", "a"]]);
  });

  test("opens the chat that has the session instead of the session", async () => {
    const app = stubApp();
    show([session("a", { chatId: "c" })]);
    await row("Session a, in VoxPilot");
    expect(within(preview()).queryByRole("button", { name: "Fork" })).toBeNull();
    fireEvent.click(within(preview()).getByRole("button", { name: "Open chat" }));
    expect(screen()).toEqual({ name: "chat", id: "c" });
    expect(app.of("OpenCLISession")).toEqual([]);
  });

  test("Fork is the primary button while another program has the session", async () => {
    stubApp();
    show([
      session("a", { holder: { pid: 1, terminal: "pts/3" } }),
      session("b", { holder: { pid: 2, program: "node" } }),
    ]);
    await row("Session a, open in a terminal");
    expect(within(preview()).getByRole("button", { name: "Fork" })).toHaveClass("primary");
    expect(within(preview()).getByRole("button", { name: "Continue here" })).not.toHaveClass("primary");
    expect(preview()).toHaveTextContent("from a terminal (pts/3)");
    fireEvent.click(await row("Session b, open in another program"));
    expect(preview()).toHaveTextContent("from another program (node)");
  });

  test("reports a failure and stays", async () => {
    const failed = { code: "unavailable", message: "The session's folder can't be read." };
    stubApp({ OpenCLISession: () => Promise.reject(failed) });
    show([session("a")]);
    await row("Session a");
    fireEvent.click(within(preview()).getByRole("button", { name: "Continue here" }));
    expect(await within(preview()).findByRole("alert")).toHaveTextContent(
      "The session's folder can't be read.",
    );
    expect(screen()).toEqual({ name: "sessions" });
    expect(within(preview()).getByRole("button", { name: "Continue here" })).toBeEnabled();
  });

  test("a session is opened once, however often the button is pressed", async () => {
    let release = (_: { id: string }) => {};
    const app = stubApp({
      OpenCLISession: () => new Promise((answer) => (release = answer as never)),
    });
    show([session("a")]);
    await row("Session a");
    for (let n = 0; n < 3; n++)
      fireEvent.click(within(preview()).getByRole("button", { name: "Continue here" }));
    release({ id: "new" });
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "new" }));
    expect(app.of("OpenCLISession")).toHaveLength(1);
  });

  test("Escape clears the field, then leaves the list", async () => {
    stubApp();
    show([session("a")]);
    (await row("Session a")).focus();
    press("Escape");
    expect(field()).toHaveFocus();
    fireEvent.input(field(), { target: { value: "redis" } });
    press("Escape");
    expect(field()).toHaveValue("");
    press("Escape");
    expect(screen()).toEqual({ name: "chat", id: "c" });
  });

  test("says how sessions come if there are none, and offers to try again after a failure", async () => {
    stubApp();
    let broken = true;
    show([], {
      list: () => {
        if (broken) throw new Error("The disk is gone.");
        return { sessions: [] };
      },
    });
    expect(await ui.findByRole("alert")).toHaveTextContent("Couldn't load the sessions.The disk is gone.");
    broken = false;
    fireEvent.click(ui.getByRole("button", { name: "Try again" }));
    await ui.findByText("No sessions on this computer yet");
    expect(ui.queryByRole("alert")).toBeNull();
  });
});

describe("the preview", () => {
  test("shows messages without links and asks again after a failure", async () => {
    stubApp();
    let broken = true;
    show([session("a")], {
      preview: () =>
        broken
          ? Response.json({ code: "storage", message: "Gone." }, { status: 500 })
          : {
              first: "Move it",
              last: "And the tests?",
              answer: "Done, see [here](https://example.com) <img src=x onerror=alert(1)>",
              files: 2,
              added: 3,
              commands: 1,
            },
    });
    expect(await ui.findByRole("alert")).toHaveTextContent("Couldn't load the preview.");
    broken = false;
    fireEvent.click(within(preview()).getByRole("button", { name: "Try again" }));
    expect(await ui.findByRole("article", { name: "Your first message" })).toHaveTextContent("Move it");
    expect(ui.getByRole("article", { name: "Your last message" })).toHaveTextContent("And the tests?");
    const answer = ui.getByRole("article", { name: "The last answer" });
    expect(answer).toHaveTextContent("Done, see here");
    expect(answer.querySelector("a[href], img")).toBeNull();
    expect(preview()).toHaveTextContent("+3 in 2 files · 1 command");
    expect(preview()).toHaveTextContent("6 messages, 2 files changed");
  });

  test("a damaged session is rescued from a sheet that says what was found", async () => {
    const app = stubApp({ RescueCLISession: () => made("saved") });
    const damaged = session("a", { damage: "invalid", size: 4_200_000 });
    show([damaged], {
      preview: () => ({
        session: damaged,
        report: {
          messages: 112,
          toolCalls: 214,
          fileChanges: 31,
          checkpoints: 0,
          invalid: 1,
          part: '{"type":',
          line: 1874,
        },
      }),
    });
    (await row("Session a, damaged")).focus();
    press("f");
    expect(app.of("ForkCLISession")).toEqual([]);
    press("Enter");
    const sheet = await ui.findByRole("dialog", { name: "Rescue “Session a”" });
    expect(sheet).toHaveTextContent("because an entry isn't valid");
    expect(await within(sheet).findByText("all readable")).toBeVisible();
    expect(sheet).toHaveTextContent("1 entry isn't valid");
    expect(within(sheet).queryByText('{"type":')).toBeNull();
    fireEvent.click(within(sheet).getByRole("button", { name: "Show the damaged part" }));
    expect(within(sheet).getByRole("region", { name: "Damaged part" })).toHaveTextContent('{"type":');
    fireEvent.click(within(sheet).getByRole("button", { name: "Rescue a copy" }));
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "saved" }));
    expect(app.of("RescueCLISession")).toEqual([["", "a"]]);
    expect(app.of("OpenCLISession")).toEqual([]);
  });

  test("Escape closes the sheet, and other keys in it don't reach the list", async () => {
    const user = userEvent.setup();
    stubApp();
    show([session("a", { damage: "invalid" }), session("b")]);
    (await row("Session a, damaged")).focus();
    await user.keyboard("{Enter}");
    const sheet = await ui.findByRole("dialog");
    await user.keyboard("{ArrowDown}");
    expect(document.querySelector("#cli-sessions [aria-current]")).toHaveAttribute(
      "aria-label",
      "Session a, damaged",
    );
    expect(sheet).toContainElement(document.activeElement as HTMLElement);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(ui.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(document.activeElement).toHaveAccessibleName("Session a, damaged"));
  });

  test("a session without a readable message isn't rescued", async () => {
    stubApp();
    show([session("e", { damage: "no_start", messages: 0 })]);
    (await row("Session e, damaged")).focus();
    press("Enter");
    expect(preview()).toHaveTextContent("None of this session's messages can be read.");
    expect(within(preview()).queryByRole("button", { name: "Rescue…" })).toBeNull();
    expect(ui.queryByRole("dialog")).toBeNull();
  });

  test("a failed rescue is reported in the sheet", async () => {
    stubApp({ RescueCLISession: () => Promise.reject({ code: "invalid", message: "Nothing is readable." }) });
    show([session("a", { damage: "no_start" })]);
    (await row("Session a, damaged")).focus();
    press("Enter");
    const sheet = await ui.findByRole("dialog");
    fireEvent.click(within(sheet).getByRole("button", { name: "Rescue a copy" }));
    expect(await within(sheet).findByRole("alert")).toHaveTextContent("Nothing is readable.");
  });

  test("in a narrow window, it is a page with a way back", async () => {
    wide(false);
    const app = stubApp({ OpenCLISession: () => made("new") });
    show([session("a"), session("b")]);
    await row("Session a");
    expect(ui.queryByRole("region", { name: "Preview" })).toBeNull();
    (await row("Session b")).focus();
    press("Enter");
    expect(within(preview()).getByRole("heading", { name: "Session b" })).toBeVisible();
    expect(within(preview()).getByRole("button", { name: "Continue here" })).toHaveFocus();
    press("Escape");
    expect(ui.queryByRole("region", { name: "Preview" })).toBeNull();
    expect(await row("Session b")).toHaveFocus();
    expect(screen()).toEqual({ name: "sessions" });
    press("Enter");
    fireEvent.click(within(preview()).getByRole("button", { name: "Continue here" }));
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "new" }));
    expect(app.of("OpenCLISession")).toEqual([["", "b"]]);
  });
});

test("conversations of other programs are listed and opened, but not forked", async () => {
  const app = stubApp({ OpenOtherConversation: () => made("other") });
  const others = {
    conversations: [
      {
        program: "codex" as const,
        id: "one",
        title: "Fix the build",
        folder: "/home/anna/shop",
        updatedAt: 3,
      },
      { program: "codex" as const, id: "two", title: "Rename it", folder: "/home/anna/orbit", updatedAt: 2 },
      { program: "claude-code" as const, id: "three", title: "Add a test", updatedAt: 1 },
    ],
    programs: [
      { program: "claude-code" as const, name: "Claude Code", conversations: 1 },
      { program: "codex" as const, name: "Codex CLI", conversations: 2 },
    ],
  };
  const user = userEvent.setup();
  show([session("a")], { others });
  await row("Session a");
  await user.click(await ui.findByRole("button", { name: /^Agent:/ }));
  await user.click(await ui.findByRole("option", { name: "Codex CLI" }));
  const second = await row("Rename it");
  expect(ui.getByRole("status", { name: "Result count" })).toHaveTextContent("2 sessions");
  second.focus();
  expect(within(preview()).queryByRole("button", { name: "Fork" })).toBeNull();
  press("f");
  press("Enter");
  await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "other" }));
  expect(app.of("OpenOtherConversation")).toEqual([["codex", "two"]]);
  expect(app.of("ForkCLISession")).toEqual([]);
});

test("a chat's session that is gone from VoxPilot is opened like any other", async () => {
  const app = stubApp({ OpenCLISession: () => made("again") });
  show([session("a", { chatId: "deleted" })]);
  await row("Session a, in VoxPilot");
  applyEvents(chatEvent("deleted", { deletedAt: 1 }));
  fireEvent.click(within(preview()).getByRole("button", { name: "Open chat" }));
  await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "again" }));
  expect(app.of("OpenCLISession")).toEqual([["", "a"]]);
});
