import { fireEvent, screen as page, render, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { commands, createCommandKeys } from "../../state/commands";
import { isRemovingAll } from "../../state/confirmRemoveAll";
import { confirmMatchShown, wantedMatch } from "../../state/match";
import { dismiss, notices } from "../../state/notices";
import { go, screen } from "../../state/screen";
import { applyEvents, chatEvent, cliFound, resetState, stubApp, stubBrowser } from "../../testing";
import { SettingsScreen } from "./SettingsScreen";
import { button, open, provider, rule, settings } from "./testing";

beforeEach(() => {
  stubBrowser();
  resetState(cliFound, { settings });
});

describe("leaving the settings", () => {
  test.each([
    { at: "model", opens: "Add a model", field: "Model" },
    { at: "agent", opens: "Add an agent", field: "Command or address" },
    { at: "permissions", opens: "Add a rule", field: "Prefix" },
  ] as const)(
    "closes the form of “$opens” on Escape, asking first if it changed",
    async ({ at, opens, field }) => {
      const user = userEvent.setup();
      stubApp();
      applyEvents({ provider: provider("ollama") });
      open(at);
      await user.click(button(opens));
      await user.keyboard("{Escape}");
      expect(page.queryByRole("form", { name: opens })).toBeNull();
      await waitFor(() => expect(button(opens)).toHaveFocus());

      await user.click(button(opens));
      await user.type(page.getByRole("textbox", { name: field }), "half");
      await user.keyboard("{Escape}");
      expect(page.getByRole("dialog", { name: "Discard your changes?" })).toBeVisible();
      await user.click(button("Keep editing"));
      await waitFor(() => expect(page.getByRole("textbox", { name: field })).toHaveFocus());
      expect(page.getByRole("textbox", { name: field })).toHaveValue("half");

      await user.keyboard("{Escape}");
      await user.click(button("Discard"));
      expect(page.queryByRole("form", { name: opens })).toBeNull();
      await waitFor(() => expect(button(opens)).toHaveFocus());
      expect(screen().name).toBe("settings");
      await user.keyboard("{Escape}");
      expect(screen()).toEqual({ name: "new" });
    },
  );

  test("asks on Back and on other pages as well", async () => {
    const user = userEvent.setup();
    stubApp();
    open("model");
    await user.type(page.getByRole("textbox", { name: "Model" }), "git");
    await user.click(page.getByRole("link", { name: "Appearance" }));
    await user.click(button("Keep editing"));
    expect(screen()).toEqual({ name: "settings", page: "model" });
    await user.click(await page.findByRole("link", { name: "Appearance" }));
    await user.click(button("Discard"));
    expect(screen()).toEqual({ name: "settings", page: "appearance" });
    await waitFor(() => expect(page.getByRole("heading", { name: "Appearance" })).toHaveFocus());
    await user.click(button("Back to chats"));
    expect(screen()).toEqual({ name: "new" });
  });

  test("treats a form as a dialog with a heading: keys wait for it, and a click beside it doesn't close it", async () => {
    const user = userEvent.setup();
    stubApp();
    open("agent");
    render(() => {
      createCommandKeys(() => true);
      return null;
    });
    await user.click(button("Add an agent"));
    const dialog = page.getByRole("dialog", { name: "Add an agent" });
    expect(within(dialog).getByRole("heading", { name: "Add an agent" })).toBeVisible();
    await user.keyboard("{Control>}n{/Control}");
    expect(screen()).toEqual({ name: "settings", page: "agent" });
    await user.click(document.querySelector(".dialog-scrim") as HTMLElement);
    expect(dialog).toBeVisible();
  });

  test("asks once on outside navigation, then follows it", async () => {
    const user = userEvent.setup();
    stubApp();
    applyEvents(rule("a", 1));
    open("agent");
    await user.click(button("Add an agent"));
    await user.type(page.getByRole("textbox", { name: "Command or address" }), "half");
    go({ name: "new" });
    expect(page.getByRole("dialog", { name: "Discard your changes?" })).toBeVisible();
    await user.click(button("Keep editing"));
    expect(screen()).toEqual({ name: "settings", page: "agent" });
    expect(await page.findByRole("textbox", { name: "Command or address" })).toHaveValue("half");

    // The command's own action waits for the user's answer too.
    commands.find(({ id }) => id === "removeRules")?.run?.();
    await user.click(await page.findByRole("button", { name: "Keep editing" }));
    expect(isRemovingAll()).toBe(false);
    await page.findByRole("textbox", { name: "Command or address" });
    go({ name: "settings", page: "agent" });
    expect(page.queryByRole("dialog", { name: "Discard your changes?" })).toBeNull();

    go({ name: "search" });
    await user.click(await page.findByRole("button", { name: "Discard" }));
    expect(screen()).toEqual({ name: "search" });
  });

  test("opens a place in a chat after leaving the form, but not if the user keeps typing", async () => {
    const user = userEvent.setup();
    stubApp();
    applyEvents(chatEvent("c"));
    open("permissions");
    await user.click(button("Add a rule"));
    await user.type(page.getByRole("textbox", { name: "Prefix" }), "git");
    actions.showMatch("c", "item", 3);
    await user.click(await page.findByRole("button", { name: "Keep editing" }));
    expect(wantedMatch()).toBeUndefined();
    expect(screen()).toEqual({ name: "settings", page: "permissions" });

    actions.showMatch("c", "item", 3);
    await user.click(await page.findByRole("button", { name: "Discard" }));
    expect(screen()).toEqual({ name: "chat", id: "c" });
    const place = wantedMatch();
    expect(place).toEqual({ chatId: "c", itemId: "item", pos: 3 });
    if (place) confirmMatchShown(place);
  });

  test("counts a model picked from the menu as a change", async () => {
    const user = userEvent.setup();
    stubApp();
    applyEvents({ provider: provider("ollama", { models: ["qwen3:8b", "llama3"] }) });
    open("model");
    await user.click(button("Edit"));
    await user.click(button(messages.settings.model.modelPick));
    await user.click(await page.findByRole("menuitem", { name: "llama3" }));
    await user.keyboard("{Escape}");
    expect(await page.findByRole("dialog", { name: "Discard your changes?" })).toBeVisible();
  });

  test("asks before leaving a page that consists of its form", async () => {
    const user = userEvent.setup();
    stubApp();
    open("model");
    await user.type(page.getByRole("textbox", { name: "Model" }), "q");
    await user.keyboard("{Escape}");
    await user.click(button("Discard"));
    expect(screen()).toEqual({ name: "new" });
  });

  test("gives Escape to an input method first, then to a non-empty search", async () => {
    const user = userEvent.setup();
    stubApp();
    open("shortcuts");
    const search = page.getByRole("searchbox");
    await user.type(search, "ni");
    fireEvent.keyDown(search, { key: "Escape", isComposing: true });
    fireEvent.keyDown(search, { key: "Escape", keyCode: 229 });
    expect(search).toHaveValue("ni");
    await user.keyboard("{Escape}");
    expect(search).toHaveValue("");
    expect(page.queryByText(/^No shortcuts match/)).toBeNull();
    expect(screen().name).toBe("settings");
    await user.keyboard("{Escape}");
    expect(screen()).toEqual({ name: "new" });
  });

  test("saves text typed into an auto-saving field", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    open("agent");
    await user.type(page.getByRole("textbox", { name: "Open files with" }), "vim");
    await user.keyboard("{Escape}");
    expect(app.of("SaveSettings")).toEqual([[{ ...settings, editor: "vim" }]]);
    expect(screen().name).toBe("settings");
    await user.keyboard("{Escape}");
    expect(screen()).toEqual({ name: "new" });
  });
});

describe("an error in the settings", () => {
  test.each([
    { at: "appearance", name: "Show thoughts", role: "switch" },
    { at: "agent", name: "Restore sessions when a chat opens", role: "switch" },
  ] as const)("appears at the row of “$name”", async ({ at, name, role }) => {
    const user = userEvent.setup();
    stubApp({ SaveSettings: () => Promise.reject({ code: "storage", message: "The disk is full." }) });
    open(at);
    await user.click(page.getByRole(role, { name }));
    const said = await page.findByText("The disk is full.");
    expect(said.closest(".sr-row")).toContainElement(page.getByRole(role, { name }));
  });

  test("is a notice if a command made the change", async () => {
    stubApp({ SaveSettings: () => Promise.reject({ code: "storage", message: "The disk is full." }) });
    const run = (id: string) => commands.find((command) => command.id === id)?.run?.();
    run("theme.dark");
    await waitFor(() => expect(notices()).toMatchObject([{ detail: "The disk is full.", failed: true }]));
    dismiss("settings");
    run("largerText");
    await waitFor(() => expect(notices()).toMatchObject([{ detail: "The disk is full.", failed: true }]));
    dismiss("settings");
  });
});

describe("from the palette", () => {
  test("all rules are removed after confirmation", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    const command = commands.find(({ id }) => id === "removeRules");
    expect(command?.when?.()).toBe(false);
    applyEvents(rule("a", 1));
    expect(command?.when?.()).toBe(true);
    go({ name: "settings", page: "about" });
    render(() => <SettingsScreen />);
    command?.run?.();
    expect(screen()).toEqual({ name: "settings", page: "permissions" });
    await user.click(await page.findByRole("button", { name: "Remove all" }));
    expect(app.of("RemoveAllRules")).toHaveLength(1);
  });

  test("the changes of the open chat are opened", () => {
    stubApp();
    const command = commands.find(({ id }) => id === "reviewChanges");
    go({ name: "new" });
    expect(command?.when?.()).toBe(false);
    applyEvents(chatEvent("c"));
    go({ name: "chat", id: "c" });
    expect(command?.when?.()).toBe(true);
    command?.run?.();
    expect(screen()).toEqual({ name: "review", chat: "c", source: "chat" });
    go({ name: "new" });
  });
});

describe("the settings", () => {
  test("show the VoxPilot version at once", () => {
    stubApp();
    applyEvents({
      desktop: { tray: true, startAtLogin: false, shortcut: { state: "off" }, version: "1.2.3" },
    });
    open("about");
    expect(page.getByText("1.2.3")).toBeVisible();
  });

  test("open the session folder and report a failure", async () => {
    const user = userEvent.setup();
    const app = stubApp({
      OpenSessionFolder: () => Promise.reject({ code: "not_found", message: "It is gone." }),
    });
    open("agent");
    await user.click(button("Open session folder"));
    expect(app.of("OpenSessionFolder")).toHaveLength(1);
    expect((await page.findByText("It is gone.")).closest(".sr-row")).toHaveTextContent("Session folder");
  });

  test("give an agent the sign-in and its own session folder", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    open("agent");
    await user.click(button("Add an agent"));
    const form = within(page.getByRole("form", { name: "Add an agent" }));
    await user.type(form.getByRole("textbox", { name: "Command or address" }), "copilot --acp");
    await user.click(form.getByRole("switch", { name: "Use my GitHub sign-in" }));
    await user.type(form.getByRole("textbox", { name: "Session folder" }), "/home/anna/other");
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(app.of("SaveProfile")[0]?.[0]).toMatchObject({ github: true, home: "/home/anna/other" });
  });
});
