import { fireEvent, render, screen as ui, waitFor, within } from "@solidjs/testing-library";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { chatToDelete } from "../../state/chatActions";
import { go, screen } from "../../state/screen";
import { sink } from "../../state/store";
import { Stream } from "../../state/stream";
import type { Event, SessionImport, SessionUse } from "../../state/types";
import { applyEvents, chatEvent, cliFound, resetState, stubApp, stubBrowser } from "../../testing";
import { Dock } from "../composer/Dock";
import { Reading } from "./Reading";

const main: Event = {
  session: {
    chatId: "c",
    name: "main",
    acpId: "acp-1",
    home: "/home/anna/.qwen",
    cwd: "/w",
    state: "away",
    createdAt: 1,
    usedAt: 1,
  },
};
const used = (more: Partial<SessionUse> = {}): Event => ({
  sessionUse: {
    chatId: "c",
    holder: { pid: 7, startedAt: 3, program: "copilot", terminal: "pts/3" },
    ...more,
  },
});
const imported = (more: Partial<SessionImport>): Event => ({
  sessionImport: { chatId: "c", state: "reading", read: 42_000_000, size: 100_000_000, ...more },
});
const field = () => ui.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
const button = (name: string) => ui.getByRole("button", { name });
const made = (id: string) => Promise.resolve({ id } as never);

function show(...events: Event[]) {
  resetState(cliFound, chatEvent("c"), ...events);
  sink.open("c", [main], 0, []);
  render(() => (
    <>
      <Reading chatId="c" />
      <Dock chatId="c" />
    </>
  ));
}

beforeEach(() => {
  stubBrowser();
  go({ name: "chat", id: "c" });
});

describe("a session that another program has open", () => {
  test("can't be written to until the program has ended", async () => {
    const app = stubApp();
    show(used());
    expect(ui.getByRole("alert", { name: "Also open in a terminal" })).toHaveTextContent(
      "This session is also open in a terminal. VoxPilot shows the session's new messages.",
    );
    expect(field()).toHaveAttribute("placeholder", "Read-only while the terminal uses this session");
    expect(field().readOnly).toBe(true);
    expect(button("Attach image")).toBeDisabled();
    fireEvent.submit(ui.getByRole("form", { name: "Composer" }));
    fireEvent.keyDown(field(), { key: "Enter" });
    expect(app.of("Send")).toEqual([]);
    applyEvents(used({ holder: undefined }));
    expect(ui.queryByRole("alert")).toBeNull();
    expect(field().readOnly).toBe(false);
    expect(button("Attach image")).toBeEnabled();
  });

  test("warns that taking over stops an answer that is running there", () => {
    stubApp();
    show(used());
    const banner = ui.getByRole("alert", { name: "Also open in a terminal" });
    expect(banner).not.toHaveTextContent("stops the answer");
    applyEvents(chatEvent("c", { turnState: "running" }));
    expect(banner).toHaveTextContent("Taking over stops the answer in progress.");
  });

  test("keeps a typed message and says why it can't be sent", () => {
    const app = stubApp();
    show();
    fireEvent.input(field(), { target: { value: "and the tests?" } });
    applyEvents(used());
    expect(field()).toHaveValue("and the tests?");
    expect(ui.getByText("Read-only while the terminal uses this session")).toBeVisible();
    expect(button("Send")).toBeDisabled();
    fireEvent.keyDown(field(), { key: "Enter" });
    expect(app.of("Send")).toEqual([]);
    applyEvents(used({ holder: undefined }));
    expect(button("Send")).toBeEnabled();
    fireEvent.input(field(), { target: { value: "" } });
  });

  test("names the program if it has no terminal", () => {
    stubApp();
    show(used({ holder: { pid: 7, program: "node" } }));
    expect(ui.getByRole("alert", { name: "Also open in another program" })).toHaveTextContent(
      "This session is also open in another program (node).",
    );
    expect(field()).toHaveAttribute("placeholder", "Read-only while another program uses this session");
  });

  test("is taken over: the button shows the wait, and the banner shows that the terminal stayed", async () => {
    const app = stubApp();
    show(used());
    fireEvent.click(button("Take over"));
    expect(app.of("TakeOverSession")).toEqual([["c"]]);
    applyEvents(used({ closing: true }));
    await waitFor(() =>
      expect(button("Waiting for the terminal to close…")).toHaveAttribute("aria-busy", "true"),
    );
    fireEvent.click(button("Waiting for the terminal to close…"));
    expect(app.of("TakeOverSession")).toHaveLength(1);
    applyEvents(used({ stayed: true }));
    expect(ui.getByRole("alert")).toHaveTextContent(
      "The terminal didn't close. It may still be busy. Fork the session to continue here.",
    );
    expect(ui.queryByRole("button", { name: "Take over" })).toBeNull();
    expect(button("Fork")).toHaveClass("primary");
  });

  test("a failed request to take over is reported", async () => {
    stubApp({ TakeOverSession: () => Promise.reject({ code: "unavailable", message: "Close it by hand." }) });
    show(used());
    fireEvent.click(button("Take over"));
    expect(await ui.findByText("Close it by hand.")).toBeVisible();
    expect(button("Take over")).toBeEnabled();
  });

  test("is forked with the ID and the home of the chat's main session", async () => {
    const app = stubApp({ ForkCLISession: () => made("copy") });
    show(used());
    fireEvent.click(button("Fork"));
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "copy" }));
    expect(app.of("ForkCLISession")).toEqual([["/home/anna/.qwen", "acp-1"]]);
  });

  test("Keep reading folds the banner until another program comes", async () => {
    stubApp();
    show(used({ holder: { pid: 8, startedAt: 4, terminal: "pts/4" } }));
    fireEvent.click(button("Keep reading"));
    expect(ui.queryByRole("alert")).toBeNull();
    expect(ui.getByRole("status", { name: "Also open in a terminal" })).toBeVisible();
    await waitFor(() => expect(button("Show options")).toHaveFocus());
    expect(field().readOnly).toBe(true);
    fireEvent.click(button("Show options"));
    expect(button("Take over")).toBeVisible();
    fireEvent.click(button("Keep reading"));
    applyEvents(used({ holder: { pid: 9, startedAt: 5, terminal: "pts/4" } }));
    expect(ui.getByRole("alert")).toBeVisible();
  });

  test("comes after a missing folder and before a lost connection", () => {
    stubApp();
    show(used(), { connection: { chatId: "c", state: "failed", cause: "exited", since: 1 } });
    expect(ui.getByRole("alert", { name: "Also open in a terminal" })).toBeVisible();
    applyEvents({ connection: { chatId: "c", state: "failed", cause: "folder_gone", since: 1 } });
    expect(ui.queryByRole("alert", { name: "Also open in a terminal" })).toBeNull();
    expect(field()).toHaveAttribute("placeholder", "Read-only while the terminal uses this session");
  });
});

describe("a session that is being read", () => {
  test("is loaded into an empty page once, and at the end", () => {
    stubApp();
    const reload = vi.spyOn(Stream.prototype, "reload").mockReturnValue();
    const message = (id: string, pos: number): Event => ({
      item: { id, chatId: "c", pos, kind: "message", createdAt: pos },
    });
    show();
    applyEvents(imported({}));
    expect(reload.mock.calls).toEqual([["c"]]);
    sink.open("c", [main, message("a", 1), message("b", 2)], 0, []);
    applyEvents(imported({ read: 50_000_000 }));
    expect(reload).toHaveBeenCalledTimes(1);
    applyEvents(imported({ state: "done" }));
    expect(reload.mock.calls).toEqual([["c"], ["c"]]);
    // A snapshot may be older than the end of the import.
    sink.open("c", [main, message("a", 1), message("b", 2)], 0, [imported({ state: "done" })]);
    expect(reload).toHaveBeenCalledTimes(3);
    reload.mockRestore();
  });

  test("shows the progress, can't be written to, and can be cancelled", async () => {
    const app = stubApp();
    show(imported({}));
    const line = ui.getByRole("group", { name: "Reading the session" });
    expect(line).toHaveTextContent("Reading the session, 42%");
    expect(line).toHaveTextContent("42 MB of 100 MB");
    expect(within(line).getByRole("progressbar")).toHaveAttribute("aria-valuenow", "42");
    expect(field()).toHaveAttribute("placeholder", "You can send messages once the session has been read");
    // Text typed in the meantime is kept as a draft.
    expect(field()).not.toHaveAttribute("readonly");
    fireEvent.input(field(), { target: { value: "say after" } });
    fireEvent.keyDown(field(), { key: "Enter" });
    fireEvent.submit(field().closest("form") as HTMLFormElement);
    expect(app.of("Send")).toEqual([]);
    expect(field()).toHaveValue("say after");
    expect(ui.getByText("You can send messages once the session has been read")).toBeVisible();
    applyEvents(imported({ read: 99_999_999 }));
    expect(line).toHaveTextContent("99%");
    fireEvent.click(within(line).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen()).toEqual({ name: "sessions" }));
    expect(app.of("CancelSessionImport")).toEqual([["c"]]);
  });

  test("shows nothing once it is read", () => {
    stubApp();
    show(imported({ state: "done" }));
    expect(ui.queryByRole("group", { name: "Reading the session" })).toBeNull();
    expect(field().readOnly).toBe(false);
  });

  test("a failure offers to try again or to delete the chat", async () => {
    const app = stubApp({ OpenCLISession: () => made("c") });
    show(imported({ state: "failed", message: "The log was deleted." }));
    const alert = ui.getByRole("alert", { name: "The session wasn't read" });
    expect(alert).toHaveTextContent("Couldn't read the session. The log was deleted.");
    expect(field().readOnly).toBe(true);
    fireEvent.click(within(alert).getByRole("button", { name: "Try again" }));
    expect(app.of("OpenCLISession")).toEqual([["/home/anna/.qwen", "acp-1"]]);
    fireEvent.click(within(alert).getByRole("button", { name: "Delete chat" }));
    expect(chatToDelete()?.id).toBe("c");
  });

  test("a failed cancel is reported", async () => {
    stubApp({ CancelSessionImport: () => Promise.reject({ code: "storage", message: "The disk is full." }) });
    show(imported({}));
    fireEvent.click(button("Cancel"));
    expect(await ui.findByRole("alert")).toHaveTextContent("Couldn't cancel. The disk is full.");
    expect(screen()).toEqual({ name: "chat", id: "c" });
  });
});
