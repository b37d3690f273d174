import { fireEvent, screen as page, render, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { commands } from "../../state/commands";
import { go, screen } from "../../state/screen";
import { defaultSettings } from "../../state/state";
import type { ConfigOption, CustomAgent, DeclaredOptions } from "../../state/types";
import {
  applyEvents,
  chatEvent,
  cliFound,
  resetState,
  signedOut,
  stubApp,
  stubBrowser,
  stubFolders,
} from "../../testing";
import { Palette } from "../palette/Palette";
import { NewChat } from "./NewChat";
import { createdChat, folder } from "./testing";

beforeEach(() => {
  stubBrowser();
  localStorage.clear();
  stubFolders({ [folder]: { branch: "main", changed: 3 }, "/srv/other": {} });
  go({ name: "new" });
});

describe("the new chat screen", () => {
  test("creates the chat in the last folder and sends the message on Enter", async () => {
    const user = userEvent.setup();
    const app = stubApp({ CreateChat: () => Promise.resolve(createdChat) });
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 uncommitted files");
    await user.type(
      page.getByRole("textbox", { name: "Message" }),
      "Fix it{Shift>}{Enter}{/Shift}please{Enter}",
    );
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "made" }));
    expect(app.of("CreateChat")).toEqual([[folder, "copilot"]]);
    expect(app.of("Send")).toEqual([["made", "Fix it\nplease", []]]);
  });

  test("asks for a folder on Enter without one, and keeps the message", async () => {
    const user = userEvent.setup();
    const app = stubApp({ CreateChat: () => Promise.resolve(createdChat) });
    resetState(cliFound);
    render(() => <NewChat />);
    await user.type(page.getByRole("textbox", { name: "Message" }), "{Enter}");
    expect(page.queryByRole("combobox", { name: "Folder path" })).toBeNull();
    await user.type(page.getByRole("textbox", { name: "Message" }), "Fix it{Enter}");
    const path = await page.findByRole("combobox", { name: "Folder path" });
    await user.type(path, `${folder}{Enter}`);
    await page.findByText("main, 3 uncommitted files");
    await user.type(page.getByRole("textbox", { name: "Message" }), "{Enter}");
    await waitFor(() => expect(app.of("Send")).toEqual([["made", "Fix it", []]]));
  });

  test("lets a main AI answer from the first message, even without the Copilot CLI", async () => {
    const user = userEvent.setup();
    const app = stubApp({ CreateChat: () => Promise.resolve(createdChat) });
    const ollama = {
      id: "o",
      name: "Ollama",
      baseUrl: "http://localhost:11434/v1",
      model: "qwen3:8b",
      createdAt: 1,
    };
    resetState({ cli: { state: "missing", min: "1" } }, chatEvent("a", { folder }), { provider: ollama });
    render(() => <NewChat />);
    await page.findByText("main, 3 uncommitted files");
    await user.type(page.getByRole("textbox", { name: "Message" }), "Fix it");
    expect(page.getByRole("button", { name: "Send" })).toBeDisabled();
    await user.click(page.getByRole("button", { name: "Model: GitHub Copilot" }));
    await user.click(await page.findByRole("option", { name: /Ollama answers/ }));
    await user.click(page.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(app.of("Send")).toEqual([["made", "Fix it", []]]));
    expect(app.of("CreateChat")).toEqual([[folder, "copilot"]]);
    expect(app.of("SetMain")).toEqual([["made", "o"]]);
  });

  test("selects the responder and permissions from the palette", async () => {
    const user = userEvent.setup();
    stubApp();
    const robo: CustomAgent = { id: "r", name: "Robo", command: "robo", createdAt: 1 };
    resetState(cliFound, chatEvent("a", { folder }), { profile: robo });
    render(() => (
      <>
        <Palette />
        <NewChat />
      </>
    ));
    await page.findByText("main, 3 uncommitted files");
    const pick = async (typed: string, option: RegExp) => {
      commands.find((command) => command.id === "palette")?.run?.();
      await user.type(await page.findByRole("combobox"), typed);
      await user.click(await page.findByRole("option", { name: option }));
    };
    await pick("robo", /Robo/);
    expect(await page.findByRole("button", { name: "Model: Robo" })).toBeVisible();
    await pick("allow edits", /Allow edits/);
    expect(await page.findByRole("button", { name: "Permissions: Allow edits" })).toBeVisible();
  });

  test("uses the default main AI without a choice", async () => {
    const user = userEvent.setup();
    const app = stubApp({ CreateChat: () => Promise.resolve({ ...createdChat, mainId: "o" }) });
    const ollama = {
      id: "o",
      name: "Ollama",
      baseUrl: "http://localhost:11434/v1",
      model: "qwen3:8b",
      createdAt: 1,
    };
    resetState(
      cliFound,
      chatEvent("a", { folder }),
      { provider: ollama },
      { settings: { ...defaultSettings, mainId: "o" } },
    );
    render(() => <NewChat />);
    await page.findByText("main, 3 uncommitted files");
    expect(page.getByRole("button", { name: "Model: qwen3:8b" })).toBeVisible();
    await user.type(page.getByRole("textbox", { name: "Message" }), "Fix it{Enter}");
    await waitFor(() => expect(app.of("Send")).toEqual([["made", "Fix it", []]]));
    expect(app.of("SetMain")).toEqual([]);
  });

  test("starts with the agent that answered last, unless it is signed out", async () => {
    const user = userEvent.setup();
    const app = stubApp({ CreateChat: () => Promise.resolve(createdChat) });
    const profile = { id: "g", name: "Gemini", command: "gemini", createdAt: 1 };
    resetState(
      cliFound,
      signedOut(),
      { profile },
      chatEvent("a", { folder, providerId: "g", turnState: "done", updatedAt: 1 }),
      chatEvent("b", { folder, turnState: "done", updatedAt: 2 }),
    );
    render(() => <NewChat />);
    await page.findByText("main, 3 uncommitted files");
    await user.type(page.getByRole("textbox", { name: "Message" }), "Fix it{Enter}");
    await waitFor(() => expect(app.of("CreateChat")).toEqual([[folder, "g"]]));
  });

  test("keeps the recipient of a draft when another chat ends", async () => {
    const user = userEvent.setup();
    const app = stubApp({ CreateChat: () => Promise.resolve(createdChat) });
    const profile = { id: "g", name: "Gemini", command: "gemini", createdAt: 1 };
    const other = (turnState: "running" | "done", updatedAt: number) =>
      chatEvent("b", { folder: "/srv/other", providerId: "g", turnState, updatedAt });
    resetState(
      cliFound,
      { profile },
      chatEvent("a", { folder, turnState: "done", updatedAt: 2 }),
      other("running", 1),
    );
    render(() => <NewChat />);
    await page.findByText("main, 3 uncommitted files");
    await user.type(page.getByRole("textbox", { name: "Message" }), "Fix it");
    applyEvents(other("done", 3));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(app.of("CreateChat")).toEqual([[folder, "copilot"]]));
  });

  const declares = (byProvider: Record<string, DeclaredOptions>) => {
    const others = globalThis.fetch;
    vi.stubGlobal("fetch", (input: string) => {
      const url = new URL(input, "http://app");
      if (url.pathname !== "/data/declared") return others(input);
      const none = { modes: [], options: [] };
      return Promise.resolve(Response.json(byProvider[url.searchParams.get("provider") ?? ""] ?? none));
    });
  };
  const model = (value: string, ...ids: string[]): ConfigOption => ({
    id: "model",
    name: "Model",
    category: "model",
    type: "select",
    value,
    choices: ids.map((id) => ({ id, name: id.toUpperCase() })),
  });
  const modes = ["Agent", "Plan"].map((name) => ({ id: `m#${name.toLowerCase()}`, name }));

  test("offers the agent's last declared options and permissions before the chat starts", async () => {
    const user = userEvent.setup();
    const app = stubApp({ CreateChat: () => Promise.resolve(createdChat) });
    declares({ copilot: { modes, options: [model("alpha", "alpha", "beta")] } });
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await user.click(await page.findByRole("button", { name: "Mode: Agent" }));
    await user.click(await page.findByRole("option", { name: /^Plan/ }));
    await user.click(page.getByRole("button", { name: "Model: ALPHA" }));
    await user.click(await page.findByRole("option", { name: "BETA" }));
    await user.click(page.getByRole("button", { name: "Permissions: Ask first" }));
    await user.click(await page.findByRole("menuitemradio", { name: /^Allow edits/ }));
    expect(page.getByRole("button", { name: "Model: BETA" })).toBeVisible();
    await user.type(page.getByRole("textbox", { name: "Message" }), "Fix it{Enter}");
    await waitFor(() => expect(app.of("Send")).toEqual([["made", "Fix it", []]]));
    expect(app.of("BeginWith")).toEqual([["made", "m#plan", { model: "beta" }]]);
    expect(app.of("SetPermissionMode")).toEqual([["made", "accept_edits"]]);
  });

  test("starts the chat as displayed, from the newest chat and the settings", async () => {
    const user = userEvent.setup();
    const app = stubApp({ CreateChat: () => Promise.resolve(createdChat) });
    declares({ copilot: { modes, options: [model("beta", "alpha", "beta")] } });
    resetState(cliFound, chatEvent("a", { folder }), {
      settings: { ...defaultSettings, agentMode: "m#plan" },
    });
    render(() => <NewChat />);
    await page.findByRole("button", { name: "Mode: Plan" });
    expect(page.getByRole("button", { name: "Model: BETA" })).toBeVisible();
    await user.type(page.getByRole("textbox", { name: "Message" }), "Fix it{Enter}");
    await waitFor(() => expect(app.of("BeginWith")).toEqual([["made", "m#plan", { model: "beta" }]]));
    expect(app.of("SetPermissionMode")).toEqual([]);
  });

  test("doesn't pass one agent's choices to another that has its own modes", async () => {
    const user = userEvent.setup();
    const app = stubApp({ CreateChat: () => Promise.resolve(createdChat) });
    declares({
      copilot: { modes, options: [model("alpha", "alpha", "beta")] },
      q: { modes: [{ id: "yes", name: "Yes" }], options: [] },
    });
    const other = { id: "q", name: "Qwen", command: "/bin/qwen", createdAt: 1 };
    resetState(cliFound, chatEvent("a", { folder }), { profile: other as CustomAgent });
    render(() => <NewChat />);
    await user.click(await page.findByRole("button", { name: "Model: ALPHA" }));
    await user.click(await page.findByRole("option", { name: "BETA" }));
    await user.click(page.getByRole("button", { name: "Model: BETA" }));
    await user.click(await page.findByRole("option", { name: /^Qwen/ }));
    await user.click(await page.findByRole("button", { name: "Mode: Agent default" }));
    await user.click(await page.findByRole("option", { name: "Yes" }));
    await user.click(page.getByRole("button", { name: "Mode: Yes" }));
    await user.click(await page.findByRole("option", { name: "Agent default" }));
    await user.type(page.getByRole("textbox", { name: "Message" }), "Fix it{Enter}");
    await waitFor(() => expect(app.of("CreateChat")).toEqual([[folder, "q"]]));
    await waitFor(() => expect(app.of("BeginWith")).toEqual([["made", "", {}]]));
  });

  test("runs VoxPilot's commands and sends those for a terminal only on a second Enter", async () => {
    const user = userEvent.setup();
    const app = stubApp({ CreateChat: () => Promise.resolve(createdChat) });
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 uncommitted files");
    const field = page.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
    await user.type(field, "/diff it{Enter}");
    expect(page.getByText(/^\/diff works only in an existing chat\./)).toBeVisible();
    await user.clear(field);
    await user.type(field, "/resume race{Enter}");
    expect(screen()).toEqual({ name: "search", query: "race" });
    expect(field.value).toBe("");
    go({ name: "new" });
    await user.type(field, "/pr please{Enter}");
    expect(app.of("Send")).toEqual([]);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(app.of("Send")).toEqual([["made", "/pr please", []]]));
  });

  test("never sends on Enter that ends a composition", async () => {
    const app = stubApp();
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 uncommitted files");
    const text = page.getByRole("textbox", { name: "Message" });
    fireEvent.input(text, { target: { value: "こんにちは" } });
    fireEvent.keyDown(text, { key: "Enter", isComposing: true });
    fireEvent.keyDown(text, { key: "Enter", keyCode: 229 });
    expect(app.of("CreateChat")).toEqual([]);
  });

  test("keeps the text if the chat can't be created", async () => {
    const user = userEvent.setup();
    stubApp({ CreateChat: () => Promise.reject({ code: "storage", message: "The disk is full." }) });
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 uncommitted files");
    await user.type(page.getByRole("textbox", { name: "Message" }), "Fix it{Enter}");
    expect(await page.findByRole("alert")).toHaveTextContent("The disk is full.");
    expect(page.getByRole("textbox", { name: "Message" })).toHaveValue("Fix it");
    expect(screen()).toEqual({ name: "new" });
  });

  test("puts a refused message into the new chat as its draft", async () => {
    const user = userEvent.setup();
    const app = stubApp({
      CreateChat: () => Promise.resolve(createdChat),
      Send: () => Promise.reject({ code: "unavailable", message: "Not now." }),
    });
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 uncommitted files");
    await user.type(page.getByRole("textbox", { name: "Message" }), "Fix it{Enter}");
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "made" }));
    expect(app.of("SaveDraft")).toEqual([["made", "Fix it", []]]);
  });

  test("retries in the chat created the first time", async () => {
    const user = userEvent.setup();
    let full = true;
    const taken = (): Promise<never> => Promise.reject({ code: "storage", message: "The disk is full." });
    const app = stubApp({
      CreateChat: () => {
        applyEvents({ chat: createdChat });
        return Promise.resolve(createdChat);
      },
      Send: () => (full ? taken() : Promise.resolve("id")),
      SaveDraft: taken,
    });
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 uncommitted files");
    await user.click(page.getByRole("button", { name: "Folder: orbit-api" }));
    await user.type(await page.findByLabelText("Folder path"), "/srv/other{Enter}");
    await page.findByText("Not a Git repository");
    const field = page.getByRole("textbox", { name: "Message" });
    await user.type(field, "See this{Enter}");
    expect(await page.findByRole("alert")).toHaveTextContent("The disk is full.");
    full = false;
    await user.type(field, "{Enter}");
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "made" }));
    expect(app.of("CreateChat")).toHaveLength(1);
    expect(app.of("Send")).toHaveLength(2);
  });

  test("accepts a typed folder and shows its info", async () => {
    const user = userEvent.setup();
    const app = stubApp({ CreateChat: () => Promise.resolve(createdChat) });
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await user.click(page.getByRole("button", { name: "Folder: orbit-api" }));
    await user.type(await page.findByLabelText("Folder path"), "/srv/other{Enter}");
    await page.findByText("Not a Git repository");
    await user.type(page.getByRole("textbox", { name: "Message" }), "Hello{Enter}");
    await waitFor(() => expect(app.of("CreateChat")).toEqual([["/srv/other", "copilot"]]));
  });

  test("keeps a mistyped path in the field, with the reason", async () => {
    const user = userEvent.setup();
    stubApp();
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await user.click(page.getByRole("button", { name: "Folder: orbit-api" }));
    const path = await page.findByLabelText("Folder path");
    await user.type(path, "/srv/othr{Enter}");
    expect(await page.findByText("This folder doesn't exist.")).toBeVisible();
    expect(path).toHaveValue("/srv/othr");
    expect(page.getByRole("button", { name: "Folder: orbit-api" })).toBeInTheDocument();
    await user.type(path, "{Backspace}er{Enter}");
    expect(await page.findByText("Not a Git repository")).toBeVisible();
  });

  test("starts a chat with another agent without a Copilot CLI", async () => {
    const user = userEvent.setup();
    const app = stubApp({ CreateChat: () => Promise.resolve(createdChat) });
    const gemini = { profile: { id: "gemini", name: "Gemini", createdAt: 1 } };
    resetState(
      { cli: { state: "missing", min: "1.0.78" } },
      gemini,
      chatEvent("a", { folder, providerId: "gemini" }),
    );
    render(() => <NewChat />);
    await page.findByText("main, 3 uncommitted files");
    await user.click(page.getByRole("button", { name: /^Model: / }));
    await user.click(await page.findByRole("option", { name: /^Gemini/ }));
    await user.type(page.getByRole("textbox", { name: "Message" }), "Hello{Enter}");
    await waitFor(() => expect(app.of("CreateChat")).toEqual([[folder, "gemini"]]));
  });

  test("gives practice its own folder and suggestions", async () => {
    const user = userEvent.setup();
    const app = stubApp({ StartPractice: () => Promise.resolve(createdChat) });
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await user.click(page.getByRole("button", { name: "Model: GitHub Copilot" }));
    await user.click(await page.findByRole("option", { name: /^Practice/ }));
    expect(page.queryByRole("button", { name: "Folder: orbit-api" })).not.toBeInTheDocument();
    await user.click(page.getByRole("button", { name: "Fix the greeting" }));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(app.of("Send")).toEqual([["made", "Fix the greeting", []]]));
    expect(app.of("CreateChat")).toEqual([]);
  });

  test("sends nothing without a Copilot CLI and shows help", async () => {
    const user = userEvent.setup();
    const app = stubApp();
    resetState({ cli: { state: "missing", min: "1.0.78", searched: ["PATH"] } }, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 uncommitted files");
    await user.type(page.getByRole("textbox", { name: "Message" }), "Fix it{Enter}");
    expect(app.of("CreateChat")).toEqual([]);
    expect(page.getByRole("button", { name: "Send" })).toBeDisabled();
    expect(page.getByText("npm install -g @github/copilot@1.0.102")).toBeVisible();
  });
});
