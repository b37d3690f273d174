import { screen as page, render, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { App } from "./App";
import { go, screen } from "./state/screen";
import { defaultSettings } from "./state/state";
import { applyEvents, chatEvent, cliFound, resetState, stubApp, stubBrowser, stubFolders } from "./testing";

beforeEach(() => {
  stubBrowser();
  stubFolders({});
  performance.clearMarks();
  localStorage.clear();
  go({ name: "new" });
});

const setUp = { settings: { ...defaultSettings, theme: "dark", contrast: "normal", setupDone: true } };

describe("the window", () => {
  test("shows the first run only with no chats and no finished setup", () => {
    stubApp();
    resetState(cliFound);
    const { unmount } = render(() => <App />);
    expect(page.getByRole("heading", { name: "Set up VoxPilot" })).toBeVisible();
    unmount();
    resetState(cliFound, setUp);
    render(() => <App />);
    expect(page.getByRole("main", { name: "New chat" })).toBeVisible();
    expect(page.getByRole("navigation", { name: "Chats" })).toBeVisible();
  });

  test("handles only text size keys during the first run", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    resetState(cliFound);
    render(() => <App />);
    await user.keyboard("{Control>}={/Control}");
    await waitFor(() => expect(app.of("SaveSettings")).toHaveLength(1));
    expect(app.of("SaveSettings")[0]).toMatchObject([{ textSize: "large" }]);
    await user.keyboard("{Control>},{/Control}");
    expect(screen().name).toBe("new");
  });

  test("marks the first paint of cached state at startup", async () => {
    stubApp();
    resetState(cliFound, setUp);
    render(() => <App />);
    await waitFor(() => expect(performance.getEntriesByName("voxpilot:chats-painted")).toHaveLength(1));
  });

  test("saves the theme for the next start before anything loads", () => {
    stubApp();
    resetState(cliFound, setUp);
    render(() => <App />);
    expect(document.documentElement).toHaveAttribute("data-theme", "dark");
    expect(localStorage.getItem("voxpilot.look")).toBe(
      JSON.stringify({ theme: "dark", contrast: "normal", motion: "system", text: "normal", code: "" }),
    );
  });

  test("reports a database locked by another VoxPilot and retries", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    resetState(setUp, { storage: { state: "in_use", path: "/x.db" } });
    render(() => <App />);
    expect(page.getByRole("alert")).toHaveTextContent("VoxPilot is already open.");
    await user.click(page.getByRole("button", { name: "Try again" }));
    expect(app.of("RetryStorage")).toHaveLength(1);
    applyEvents({ storage: { state: "ok", path: "/x.db" } }, setUp);
    expect(page.getByRole("main", { name: "New chat" })).toBeVisible();
  });

  test("deletes a chat only after confirmation, offers undo, and leaves it when it is removed", async () => {
    const user = userEvent.setup();
    const app = stubApp({
      DeleteChat: (id) => {
        applyEvents(chatEvent(id, { title: "Old chat", deletedAt: Date.now() }));
        return Promise.resolve();
      },
      RestoreChat: (id) => {
        applyEvents(chatEvent(id, { title: "Old chat" }));
        return Promise.resolve();
      },
    });
    resetState(cliFound, setUp, chatEvent("a", { title: "Old chat" }));
    go({ name: "chat", id: "a" });
    render(() => <App />);
    const remove = async () => {
      await user.click(page.getByRole("button", { name: "Chat actions" }));
      await user.click(await page.findByRole("menuitem", { name: "Delete…" }));
      return page.findByRole("dialog", { name: "Delete this chat?" });
    };
    const dialog = await remove();
    expect(within(dialog).getByText("Old chat")).toBeVisible();
    expect(within(dialog).getByRole("button", { name: "Cancel" })).toHaveFocus();
    expect(app.of("DeleteChat")).toEqual([]);
    await user.click(within(dialog).getByRole("button", { name: "Delete" }));
    const undo = await page.findByRole("button", { name: "Undo" });
    expect(app.of("DeleteChat")).toEqual([["a", false]]);
    await waitFor(() => expect(undo).toHaveFocus());
    expect(page.queryByRole("link", { name: "Old chat" })).not.toBeInTheDocument();
    await user.keyboard("{Enter}");
    expect(await page.findByRole("link", { name: "Old chat" })).toBeVisible();

    const again = await remove();
    await user.click(within(again).getByRole("checkbox", { name: "Also delete Copilot's session files" }));
    await user.click(within(again).getByRole("button", { name: "Delete" }));
    await page.findByRole("button", { name: "Undo" });
    expect(app.of("DeleteChat").at(-1)).toEqual(["a", true]);
    applyEvents({ chatGone: { id: "a" } });
    await waitFor(() => expect(screen()).toEqual({ name: "new" }));
  });

  test("waits for a new chat, but not for a deleted one", async () => {
    stubApp();
    resetState(cliFound, setUp);
    render(() => <App />);
    go({ name: "chat", id: "soon" });
    applyEvents(chatEvent("soon", { title: "Soon here" }));
    expect(page.getByRole("main", { name: "Soon here" })).toBeVisible();
    applyEvents({ chatGone: { id: "soon" } });
    await waitFor(() => expect(screen()).toEqual({ name: "new" }));
  });

  test("keeps the focus and an edited title during chat events", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    resetState(cliFound, setUp, chatEvent("a", { title: "Old" }));
    go({ name: "chat", id: "a" });
    render(() => <App />);
    await waitFor(() => expect(page.getByRole("textbox", { name: "Message" })).toHaveFocus());
    await user.keyboard("{F2}");
    const title = page.getByRole("textbox", { name: "Chat title" });
    await user.keyboard("New");
    applyEvents(chatEvent("a", { title: "Old", turnState: "running", detail: "Running go build" }));
    await Promise.resolve();
    expect(title).toHaveFocus();
    await user.keyboard("{Enter}");
    expect(app.of("RenameChat")).toEqual([["a", "New"]]);
    // The key press that ended the edit doesn't reach the message field, which gets the focus next.
    const field = page.getByRole("textbox", { name: "Message" });
    await waitFor(() => expect(field).toHaveFocus());
    expect(field).toHaveValue("");
  });

  test("asks before quitting while chats run, and either answer closes the question", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    resetState(cliFound, setUp, chatEvent("a"));
    render(() => <App />);
    applyEvents({ quitAsked: { running: 2 } });
    expect(await page.findByText("2 chats are still running. Quit anyway?")).toBeVisible();
    await user.click(page.getByRole("button", { name: "Keep running" }));
    await waitFor(() => expect(page.queryByText(/Quit anyway/)).toBeNull());
    expect(app.of("Quit")).toHaveLength(0);
    applyEvents({ quitAsked: { running: 1 } });
    await user.click(await page.findByRole("button", { name: "Quit" }));
    expect(app.of("Quit")).toHaveLength(1);
  });

  test("marks a viewed chat as read", async () => {
    const app = stubApp();
    resetState(cliFound, setUp, chatEvent("a", { unread: true }));
    go({ name: "chat", id: "a" });
    render(() => <App />);
    await waitFor(() => expect(app.of("MarkRead")).toEqual([["a"]]));
  });

  test("handles the keys for new chat, settings and back everywhere", async () => {
    const user = userEvent.setup();
    stubApp();
    resetState(cliFound, setUp, chatEvent("a"));
    go({ name: "chat", id: "a" });
    render(() => <App />);
    await user.keyboard("{Control>},{/Control}");
    expect(page.getByRole("heading", { name: "Account" })).toBeVisible();
    await user.keyboard("{Escape}");
    expect(screen()).toEqual({ name: "chat", id: "a" });
    await user.keyboard("{Control>}n{/Control}");
    expect(screen()).toEqual({ name: "new" });
    await user.keyboard("{Control>}b{/Control}");
    expect(page.queryByRole("navigation", { name: "Chats" })).not.toBeInTheDocument();
    await user.click(page.getByRole("button", { name: "Show sidebar" }));
    expect(page.getByRole("navigation", { name: "Chats" })).toBeVisible();
  });

  test("reports crashes in the window and the log, with a way to recover", async () => {
    const app = stubApp();
    vi.spyOn(console, "error").mockImplementation(() => {});
    resetState(cliFound, setUp);
    vi.stubGlobal("ResizeObserver", function broken() {
      throw new Error("no observer");
    });
    render(() => <App />);
    expect(await page.findByRole("alert")).toHaveTextContent("This window stopped working.");
    expect(page.getByRole("button", { name: "Reload" })).toBeVisible();
    expect(app.of("Log")[0]).toEqual(["error", expect.stringContaining("no observer")]);
  });
});
