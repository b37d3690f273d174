import { fireEvent, screen as page, render, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { createSignal } from "solid-js";
import { beforeEach, describe, expect, test } from "vitest";
import { messages } from "../../i18n";
import { askDelete, chatToDelete } from "../../state/chatActions";
import { go, screen } from "../../state/screen";
import { UndoMillis } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { ChatList } from "./ChatList";
import { DeleteQuestion, Notices } from "./Notices";

beforeEach(() => {
  stubBrowser();
  go({ name: "new" });
});

describe("the chat list", () => {
  test("describes the state of every chat", () => {
    resetState(
      chatEvent("a", { title: "Fix token refresh race", turnState: "running", updatedAt: 5 }),
      chatEvent("b", { title: "Rename billing webhooks", turnState: "done", unread: true, updatedAt: 4 }),
      chatEvent("c", { title: "Flaky upload test", turnState: "failed", updatedAt: 3 }),
      chatEvent("d", { title: "Bundle size audit", turnState: "done", updatedAt: 2 }),
      chatEvent("e", { title: "Say hello", providerId: "practice" }),
    );
    render(() => <ChatList />);
    expect(page.getAllByRole("link").map((row) => row.getAttribute("aria-label"))).toEqual([
      "Fix token refresh race, running",
      "Rename billing webhooks, new reply",
      "Flaky upload test, failed",
      "Bundle size audit",
      "Say hello, practice",
    ]);
    expect(page.getByRole("region", { name: "orbit-api" })).toBeVisible();
    applyEvents({
      permission: {
        id: "p",
        chatId: "d",
        session: "main",
        state: "open",
        title: "Edit a.go",
        kind: "edit",
        options: [],
        createdAt: 1,
      },
    });
    expect(page.getByRole("link", { name: "Bundle size audit, needs you" })).toHaveAttribute(
      "data-state",
      "attn",
    );
  });

  test("shows whether an agent is restarting or was interrupted", () => {
    resetState(chatEvent("a", { turnState: "interrupted" }), chatEvent("b", { turnState: "done" }));
    render(() => <ChatList />);
    const row = (name: string) => page.getByRole("link", { name });
    expect(row("a, failed")).toHaveTextContent("Interrupted");
    for (const state of ["waiting", "starting", "restoring"] as const) {
      for (const chatId of ["a", "b"])
        applyEvents({ connection: { chatId, state, cause: "exited", since: 1 } });
      expect(row("a, running")).toHaveTextContent(messages.shell.connection.state(state));
      expect(row(state === "waiting" ? "b, running" : "b")).toBeVisible();
    }
    applyEvents({ connection: { chatId: "a", state: "waiting", cause: "offline", since: 1 } });
    expect(row("a, failed")).toHaveTextContent("Interrupted");
  });

  test("moves with the arrow keys, and Enter opens", async () => {
    const user = userEvent.setup();
    resetState(
      chatEvent("a", { updatedAt: 3 }),
      chatEvent("b", { updatedAt: 2 }),
      chatEvent("c", { updatedAt: 1, folder: "/else" }),
    );
    render(() => <ChatList />);
    await user.tab();
    expect(page.getByRole("link", { name: "a" })).toHaveFocus();
    await user.keyboard("{ArrowDown}{ArrowDown}");
    expect(page.getByRole("link", { name: "c" })).toHaveFocus();
    await user.keyboard("{ArrowDown}{Enter}");
    expect(screen()).toEqual({ name: "chat", id: "c" });
    expect(page.getByRole("link", { name: "c" })).toHaveAttribute("aria-current", "page");
    await user.keyboard("{Home}");
    expect(page.getByRole("link", { name: "a" })).toHaveFocus();
  });

  test("renames inline on F2, and Escape keeps the title", async () => {
    const app = stubApp();
    const user = userEvent.setup();
    resetState(chatEvent("a", { title: "Old" }));
    render(() => <ChatList />);
    await user.tab();
    await user.keyboard("{F2}");
    await user.keyboard("New{Escape}");
    expect(app.of("RenameChat")).toEqual([]);
    expect(page.getByRole("link", { name: "Old" })).toHaveFocus();
    await user.keyboard("{F2}New{Enter}");
    expect(app.of("RenameChat")).toEqual([["a", "New"]]);
  });

  test("confirms on Delete before doing anything", () => {
    const app = stubApp();
    resetState(chatEvent("a"));
    render(() => <ChatList />);
    fireEvent.keyDown(page.getByRole("link", { name: "a" }), { key: "Delete" });
    expect(chatToDelete()).toMatchObject({ id: "a" });
    askDelete(undefined);
    expect(app.of("DeleteChat")).toEqual([]);
  });

  test("gives the focus to the question when a chat is deleted with its menu", async () => {
    const user = userEvent.setup();
    resetState(chatEvent("a"));
    render(() => (
      <>
        <ChatList />
        <DeleteQuestion />
      </>
    ));
    fireEvent.contextMenu(page.getByRole("link", { name: "a" }));
    await user.click(await page.findByRole("menuitem", { name: "Delete…" }));
    await waitFor(() => expect(page.queryByRole("menu")).toBeNull());
    await waitFor(() => expect(page.getByRole("button", { name: "Cancel" })).toHaveFocus());
    await user.keyboard("{Escape}");
    await waitFor(() => expect(page.getByRole("link", { name: "a" })).toHaveFocus());
  });

  test("the files of a session that another program has open can't be deleted", async () => {
    const user = userEvent.setup();
    const app = stubApp({ DeleteChat: () => Promise.resolve() });
    resetState(chatEvent("a"), { sessionUse: { chatId: "a", holder: { pid: 7, terminal: "pts/3" } } });
    render(() => <DeleteQuestion />);
    askDelete({ id: "a" } as never);
    const files = () => page.getByRole("checkbox", { name: "Also delete Copilot's session files" });
    await waitFor(() => expect(files()).toBeDisabled());
    expect(files()).toHaveAccessibleDescription(
      "These files are kept while another program has the session open.",
    );
    applyEvents({ sessionUse: { chatId: "a" } });
    await user.click(files());
    applyEvents({ sessionUse: { chatId: "a", holder: { pid: 7, terminal: "pts/3" } } });
    expect(files()).not.toBeChecked();
    await user.click(page.getByRole("button", { name: "Delete" }));
    expect(app.of("DeleteChat")).toEqual([["a", false]]);
  });

  test("the notice about a deletion ends with the time for undoing it, and a failure gives its reason", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    const title = "Blog";
    resetState(chatEvent("old", { title: "Of the last run", deletedAt: 5 }));
    render(() => <Notices />);
    const notices = () => page.getByRole("status", { name: "Notifications" });
    expect(notices().textContent).toBe("");
    applyEvents(chatEvent("a", { title, deletedAt: Date.now() - UndoMillis + 50 }));
    expect(notices()).toHaveTextContent("“Blog” deleted.");
    await waitFor(() => expect(notices().textContent).toBe(""));

    go({ name: "chat", id: "a" });
    applyEvents({ picked: { request: "delete a", path: "", message: "The session is open." } });
    expect(notices()).toHaveTextContent("“Blog” isn't completely deleted yet.The session is open.");
    expect(screen().name).toBe("new");
    await user.click(within(notices()).getByRole("button", { name: "Undo" }));
    expect(app.of("RestoreChat")).toEqual([["a"]]);
    expect(notices().textContent).toBe("");
  });

  test("moves the focus to the next row when a chat is deleted or archived", async () => {
    const user = userEvent.setup();
    resetState(
      chatEvent("a", { updatedAt: 3 }),
      chatEvent("b", { updatedAt: 2 }),
      chatEvent("c", { updatedAt: 1 }),
    );
    render(() => <ChatList />);
    await user.tab();
    await user.keyboard("{ArrowDown}");
    expect(page.getByRole("link", { name: "b" })).toHaveFocus();
    applyEvents(chatEvent("b", { updatedAt: 2, deletedAt: 9 }));
    await waitFor(() => expect(page.getByRole("link", { name: "c" })).toHaveFocus());
    applyEvents(chatEvent("c", { updatedAt: 1, archived: true }));
    await waitFor(() => expect(page.getByRole("link", { name: "a" })).toHaveFocus());
  });

  test("shows archived chats on request", async () => {
    const user = userEvent.setup();
    localStorage.clear();
    resetState(chatEvent("a"), chatEvent("b", { archived: true }));
    render(() => <ChatList />);
    expect(page.queryByRole("link", { name: "b" })).toBeNull();
    const archive = page.getByRole("button", { name: /^Archived/ });
    expect(archive).toHaveAttribute("aria-expanded", "false");
    await user.click(archive);
    expect(page.getByRole("link", { name: "b" })).toBeVisible();
  });

  test("pins a chat from its menu", async () => {
    const app = stubApp();
    resetState(chatEvent("a"));
    render(() => <ChatList />);
    fireEvent.contextMenu(page.getByRole("link", { name: "a" }));
    fireEvent.keyDown(await page.findByRole("menuitem", { name: "Pin" }), { key: "Enter" });
    await waitFor(() => expect(app.of("PinChat")).toEqual([["a", true]]));
    applyEvents(chatEvent("a", { pinned: true }));
    expect(page.getByRole("link", { name: "a, pinned" })).toBeVisible();
  });

  test("renders a thousand chats as a few rows with their positions", () => {
    resetState(...Array.from({ length: 1000 }, (_, i) => chatEvent(`chat${i}`, { updatedAt: 1000 - i })));
    render(() => <ChatList />);
    const rows = page.getAllByRole("link");
    expect(rows.length).toBeLessThan(60);
    expect(rows[2]?.closest("li")).toHaveAttribute("aria-posinset", "3");
    expect(rows[2]?.closest("li")).toHaveAttribute("aria-setsize", "1000");
  });

  test("folds a folder, summarizes it and remembers it", async () => {
    const user = userEvent.setup();
    localStorage.clear();
    resetState(
      chatEvent("a", { updatedAt: 3, turnState: "running" }),
      chatEvent("b", { updatedAt: 2 }),
      chatEvent("c", { updatedAt: 1, folder: "/srv/else" }),
    );
    const { unmount } = render(() => <ChatList />);
    const head = (name: RegExp) => page.getByRole("button", { name });
    await user.click(head(/^orbit-api/));
    expect(page.queryByRole("link", { name: /^a/ })).toBeNull();
    expect(head(/^orbit-api/)).toHaveAttribute("aria-expanded", "false");
    expect(head(/^orbit-api.*running.*2/)).toBeVisible();
    expect(page.getByRole("link", { name: "c" })).toBeVisible();
    unmount();
    render(() => <ChatList />);
    expect(page.queryByRole("link", { name: "b" })).toBeNull();
    // An opened chat is visible.
    go({ name: "chat", id: "b" });
    expect(page.getByRole("link", { name: "b" })).toBeVisible();
  });

  test("shows filter matches inside a folded folder", () => {
    localStorage.setItem("voxpilot.folded", "/srv/else");
    resetState(chatEvent("c", { folder: "/srv/else" }));
    const [filter, setFilter] = createSignal("");
    render(() => <ChatList filter={filter()} />);
    expect(page.queryByRole("link", { name: "c" })).toBeNull();
    setFilter("c");
    expect(page.getByRole("link", { name: "c" })).toBeVisible();
  });

  test("moves to folders with Left and Right, and to a new chat there", async () => {
    const user = userEvent.setup();
    localStorage.clear();
    resetState(chatEvent("a", { updatedAt: 3 }), chatEvent("c", { updatedAt: 1, folder: "/srv/else" }));
    render(() => <ChatList />);
    await user.tab();
    await user.keyboard("{ArrowDown}{ArrowLeft}");
    const head = page.getByRole("button", { name: /^else/ });
    expect(head).toHaveFocus();
    await user.keyboard("{ArrowUp}");
    expect(page.getByRole("link", { name: "a" })).toHaveFocus();
    await user.keyboard("{ArrowDown}{ArrowLeft}{ArrowLeft}");
    expect(page.queryByRole("link", { name: "c" })).toBeNull();
    // The arrow keys stop at the heading of a collapsed folder.
    await user.keyboard("{ArrowUp}{ArrowDown}");
    expect(head).toHaveFocus();
    await user.keyboard("{ArrowRight}{ArrowRight}");
    expect(page.getByRole("link", { name: "c" })).toHaveFocus();
    await user.keyboard("{ArrowLeft}");
    await user.tab();
    expect(page.getByRole("button", { name: "New chat in else" })).toHaveFocus();
    await user.keyboard("{Enter}");
    expect(screen()).toEqual({ name: "new", folder: "/srv/else" });
  });
});
