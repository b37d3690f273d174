import { fireEvent, screen as page, render, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { failureOf } from "../../state/actions";
import { commands } from "../../state/commands";
import { draftAttachments } from "../../state/draftAttachments";
import { go, screen } from "../../state/screen";
import { defaultSettings } from "../../state/state";
import type { Attachment, Chat, ConfigOption, CustomAgent, DeclaredOptions } from "../../state/types";
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
import { imageNamed } from "../composer/testing";
import { Palette } from "../palette/Palette";
import { NewChat } from "./NewChat";

const createdChat = chatEvent("made").chat as Chat;
const folder = "/home/anna/code/orbit-api";

const png = (name: string) => new File([new Uint8Array(4)], name, { type: "image/png" });
const paste = (field: HTMLElement, files: File[]) =>
  fireEvent.paste(field, { clipboardData: { files, types: ["Files"], getData: () => "" } });

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
    await page.findByText("main, 3 files not committed");
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
    await page.findByText("main, 3 files not committed");
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
    await page.findByText("main, 3 files not committed");
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
    await page.findByText("main, 3 files not committed");
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
    await page.findByText("main, 3 files not committed");
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
    await page.findByText("main, 3 files not committed");
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
    await page.findByText("main, 3 files not committed");
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
    await user.click(await page.findByRole("option", { name: /^Allow edits/ }));
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

  test("never sends on Enter that ends a composition", async () => {
    const app = stubApp();
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 files not committed");
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
    await page.findByText("main, 3 files not committed");
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
    await page.findByText("main, 3 files not committed");
    await user.type(page.getByRole("textbox", { name: "Message" }), "Fix it{Enter}");
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "made" }));
    expect(app.of("SaveDraft")).toEqual([["made", "Fix it", []]]);
  });

  test("reports a refused message in its chat, with its attachments", async () => {
    const user = userEvent.setup();
    const app = stubApp({
      CreateChat: () => Promise.resolve(createdChat),
      AttachImage: (_, name) => Promise.resolve(imageNamed(name)),
      Send: () => Promise.reject({ code: "unavailable", message: "Not now." }),
    });
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 files not committed");
    const field = page.getByRole("textbox", { name: "Message" });
    paste(field, [png("shot.png")]);
    await page.findByRole("button", { name: "Remove shot.png" });
    await user.type(field, "See this{Enter}");
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "made" }));
    expect(app.of("SaveDraft")).toEqual([["made", "See this", [imageNamed("shot.png")]]]);
    expect(failureOf("made")?.message).toBe("Not now.");
    expect(page.queryByRole("list", { name: "Attachments" })).toBeNull();
  });

  test("keeps the text and attachments if the chat can't save them either", async () => {
    const user = userEvent.setup();
    stubApp({
      CreateChat: () => Promise.resolve(createdChat),
      AttachImage: (_, name) => Promise.resolve(imageNamed(name)),
      Send: () => Promise.reject({ code: "storage", message: "The disk is full." }),
      SaveDraft: () => Promise.reject({ code: "storage", message: "The disk is full." }),
    });
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 files not committed");
    const field = page.getByRole("textbox", { name: "Message" });
    paste(field, [png("shot.png")]);
    const remove = await page.findByRole("button", { name: "Remove shot.png" });
    await user.type(field, "See this{Enter}");
    expect(await page.findByRole("alert")).toHaveTextContent("The disk is full.");
    expect(field).toHaveValue("See this");
    expect(screen()).toEqual({ name: "new" });
    await user.click(remove);
    expect(page.queryByRole("list", { name: "Attachments" })).toBeNull();
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
    await page.findByText("main, 3 files not committed");
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

  test("frees a removed image, but not a waiting or sent one", async () => {
    const user = userEvent.setup();
    const app = stubApp({
      CreateChat: () => Promise.resolve(createdChat),
      AttachImage: (_, name) => Promise.resolve(imageNamed(name)),
    });
    resetState(cliFound, chatEvent("a", { folder }));
    const first = render(() => <NewChat />);
    await page.findByText("main, 3 files not committed");
    paste(page.getByRole("textbox", { name: "Message" }), [png("out.png"), png("shot.png")]);
    await page.findByRole("button", { name: "Remove shot.png" });
    await user.click(await page.findByRole("button", { name: "Remove out.png" }));
    expect(app.of("ForgetImage")).toEqual([["content of out.png"]]);
    first.unmount();

    render(() => <NewChat />);
    await page.findByText("main, 3 files not committed");
    page.getByRole("button", { name: "Remove shot.png" });
    await user.type(page.getByRole("textbox", { name: "Message" }), "See this{Enter}");
    await waitFor(() => expect(app.of("Send")).toEqual([["made", "See this", [imageNamed("shot.png")]]]));
    await waitFor(() => expect(page.queryByRole("list", { name: "Attachments" })).toBeNull());
    expect(app.of("ForgetImage")).toHaveLength(1);
  });

  test("sends an image removed during sending, and frees it if sending fails", async () => {
    const user = userEvent.setup();
    let answer = (_: "sent" | "refused") => {};
    const app = stubApp({
      CreateChat: () => Promise.resolve(createdChat),
      AttachImage: (_, name) => Promise.resolve(imageNamed(name)),
      Send: () =>
        new Promise((sent, refused) => {
          answer = (how) =>
            how === "sent" ? sent("id") : refused({ code: "unavailable", message: "Not now." });
        }),
      SaveDraft: () => Promise.reject({ code: "storage", message: "The disk is full." }),
    });
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 files not committed");
    const field = page.getByRole("textbox", { name: "Message" });
    for (const how of ["refused", "sent"] as const) {
      paste(field, [png(`${how}.png`)]);
      await page.findByRole("button", { name: `Remove ${how}.png` });
      await user.clear(field);
      await user.type(field, "See this{Enter}");
      await waitFor(() => expect(app.of("Send").at(-1)?.[2]).toEqual([imageNamed(`${how}.png`)]));
      await user.click(page.getByRole("button", { name: `Remove ${how}.png` }));
      expect(app.of("ForgetImage")).toHaveLength(how === "sent" ? 1 : 0);
      answer(how);
      if (how === "refused") {
        await waitFor(() => expect(app.of("ForgetImage")).toEqual([["content of refused.png"]]));
      }
    }
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "made" }));
    expect(app.of("ForgetImage")).toHaveLength(1);
  });

  test("doesn't send automatically while the user types during an image load", async () => {
    const user = userEvent.setup();
    let read = (_: Attachment) => {};
    const app = stubApp({
      AttachImage: () =>
        new Promise((resolve) => {
          read = resolve;
        }),
    });
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 files not committed");
    const field = page.getByRole("textbox", { name: "Message" });
    paste(field, [png("shot.png")]);
    await waitFor(() => expect(app.of("AttachImage")).toHaveLength(1));
    await user.type(field, "See{Enter} this");
    read(imageNamed("shot.png"));
    await user.click(await page.findByRole("button", { name: "Remove shot.png" }));
    expect(app.of("CreateChat")).toEqual([]);
    expect(field).toHaveValue("See this");
  });

  test("removes only the mentions that were sent", () => {
    const mention = (name: string): Attachment => ({ kind: "mention", name, path: `/f/${name}` });
    const [a, b] = [mention("a.go"), mention("b.go")];
    draftAttachments.add(a);
    draftAttachments.add(b);
    draftAttachments.removeSent(draftAttachments.forText("@a.go", "/f"));
    expect(draftAttachments.forText("@a.go @b.go", "/f")).toEqual([b]);
    draftAttachments.removeSent([b]);
  });

  test("keeps pasted images and dropped files for the chat, even on another screen", async () => {
    const user = userEvent.setup();
    let dropped = (_x: number, _y: number, _paths: string[]) => {};
    window.runtime = {
      EventsOn: () => () => {},
      OnFileDrop: (callback) => {
        dropped = callback;
      },
      OnFileDropOff: () => {},
    };
    onTestFinished(() => {
      window.runtime = undefined;
    });
    let read = (_: Attachment) => {};
    const notes: Attachment = { kind: "file", name: "notes.txt", path: "/tmp/notes.txt" };
    const app = stubApp({
      CreateChat: () => Promise.resolve(createdChat),
      AttachImage: () =>
        new Promise((resolve) => {
          read = resolve;
        }),
      AttachFile: (_, path) =>
        path === "/tmp/gone"
          ? Promise.reject({ code: "not_found", message: "It is gone." })
          : Promise.resolve(notes),
      Send: () => Promise.resolve("id"),
    });
    resetState(cliFound, chatEvent("a", { folder }));
    const first = render(() => <NewChat />);
    dropped(0, 0, ["/tmp/gone", "/tmp/notes.txt"]);
    expect(await page.findByRole("alert")).toHaveTextContent("It is gone.");
    await within(page.getByRole("list", { name: "Attachments" })).findByText("notes.txt");
    first.unmount();

    render(() => <NewChat />);
    await page.findByText("main, 3 files not committed");
    within(page.getByRole("list", { name: "Attachments" })).getByText("notes.txt");
    const field = page.getByRole("textbox", { name: "Message" });
    paste(field, [png("shot.png")]);
    await waitFor(() => expect(app.of("AttachImage")).toEqual([["", "shot.png", "AAAAAA=="]]));
    // The message waits until the attachment is read.
    await user.type(field, "{Enter}");
    expect(app.of("CreateChat")).toEqual([]);
    read(imageNamed("shot.png"));
    await waitFor(() => expect(app.of("Send")).toEqual([["made", "", [notes, imageNamed("shot.png")]]]));
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "made" }));
  });

  test("mentions files of the folder and sends them while mentioned", async () => {
    const user = userEvent.setup();
    const app = stubApp({
      CreateChat: () => Promise.resolve(createdChat),
      Send: () => Promise.resolve("id"),
    });
    const asked: string[] = [];
    const known = window.fetch;
    vi.stubGlobal("fetch", (input: string) => {
      if (!input.startsWith("/data/files")) return known(input);
      asked.push(new URL(input, "http://x").searchParams.get("folder") ?? "");
      return Promise.resolve(new Response(JSON.stringify({ files: [{ path: "cmd/main.go" }], total: 1 })));
    });
    onTestFinished(() => {
      vi.stubGlobal("fetch", known);
    });
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 files not committed");
    const field = page.getByRole("textbox", { name: "Message" });
    await user.type(field, "Fix ");
    await user.click(page.getByRole("button", { name: "Mention file" }));
    await page.findByRole("option", { name: "cmd/main.go" });
    await user.keyboard("{Enter}");
    expect(field).toHaveValue("Fix @cmd/main.go ");
    expect(asked).toEqual([folder]);
    await user.type(field, "now{Enter}");
    const mention = { kind: "mention", name: "cmd/main.go", path: `${folder}/cmd/main.go` };
    await waitFor(() => expect(app.of("Send")).toEqual([["made", "Fix @cmd/main.go now", [mention]]]));
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
    await page.findByText("main, 3 files not committed");
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
    await page.findByText("main, 3 files not committed");
    await user.type(page.getByRole("textbox", { name: "Message" }), "Fix it{Enter}");
    expect(app.of("CreateChat")).toEqual([]);
    expect(page.getByRole("button", { name: "Send" })).toBeDisabled();
    expect(page.getByText("npm install -g @github/copilot@1.0.102")).toBeVisible();
  });
});
