import { fireEvent, screen as page, render, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { defaultSettings } from "../../state/state";
import type { Chat } from "../../state/words";
import { go, screen } from "../shell/screen";
import { aChat, cliFound, folders, know, standIn, standInForBrowser } from "../ui/testing";
import { NewChat } from "./NewChat";

const made = aChat("made").chat as Chat;
const folder = "/home/anna/code/orbit-api";

beforeEach(() => {
  standInForBrowser();
  localStorage.clear();
  folders({ [folder]: { branch: "main", changed: 3 }, "/srv/other": {} });
  go({ name: "new" });
});

describe("the new chat screen", () => {
  test("Enter makes the chat in the folder used last and sends the message", async () => {
    const user = userEvent.setup();
    const app = standIn({ CreateChat: () => Promise.resolve(made) });
    know(cliFound, aChat("a", { folder }));
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

  test("a main AI answers the chat from its first message on, also without the Copilot CLI", async () => {
    const user = userEvent.setup();
    const app = standIn({ CreateChat: () => Promise.resolve(made) });
    const ollama = {
      id: "o",
      name: "Ollama",
      baseUrl: "http://localhost:11434/v1",
      model: "qwen3:8b",
      createdAt: 1,
    };
    know({ cli: { state: "missing", min: "1" } }, aChat("a", { folder }), { provider: ollama });
    render(() => <NewChat />);
    await page.findByText("main, 3 files not committed");
    await user.type(page.getByRole("textbox", { name: "Message" }), "Fix it");
    expect(page.getByRole("button", { name: "Send" })).toBeDisabled();
    await user.click(page.getByRole("button", { name: "Who answers: GitHub Copilot" }));
    await user.click(await page.findByRole("menuitem", { name: /^Ollama\s*qwen3:8b$/ }));
    await user.click(page.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(app.of("Send")).toEqual([["made", "Fix it", []]]));
    expect(app.of("CreateChat")).toEqual([[folder, "copilot"]]);
    expect(app.of("SetMain")).toEqual([["made", "o"]]);
  });

  test("the main AI of new chats answers without being chosen", async () => {
    const user = userEvent.setup();
    const app = standIn({ CreateChat: () => Promise.resolve({ ...made, mainId: "o" }) });
    const ollama = {
      id: "o",
      name: "Ollama",
      baseUrl: "http://localhost:11434/v1",
      model: "qwen3:8b",
      createdAt: 1,
    };
    know(
      cliFound,
      aChat("a", { folder }),
      { provider: ollama },
      { settings: { ...defaultSettings, mainId: "o" } },
    );
    render(() => <NewChat />);
    await page.findByText("main, 3 files not committed");
    expect(page.getByRole("button", { name: "Who answers: Ollama" })).toBeVisible();
    await user.type(page.getByRole("textbox", { name: "Message" }), "Fix it{Enter}");
    await waitFor(() => expect(app.of("Send")).toEqual([["made", "Fix it", []]]));
    expect(app.of("SetMain")).toEqual([]);
  });

  test("Enter that ends a composition never sends", async () => {
    const app = standIn();
    know(cliFound, aChat("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 files not committed");
    const text = page.getByRole("textbox", { name: "Message" });
    fireEvent.input(text, { target: { value: "こんにちは" } });
    fireEvent.keyDown(text, { key: "Enter", isComposing: true });
    fireEvent.keyDown(text, { key: "Enter", keyCode: 229 });
    expect(app.of("CreateChat")).toEqual([]);
  });

  test("the text stays where the chat could not be made", async () => {
    const user = userEvent.setup();
    standIn({ CreateChat: () => Promise.reject({ code: "storage", message: "The disk is full." }) });
    know(cliFound, aChat("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 files not committed");
    await user.type(page.getByRole("textbox", { name: "Message" }), "Fix it{Enter}");
    expect(await page.findByRole("alert")).toHaveTextContent("The disk is full.");
    expect(page.getByRole("textbox", { name: "Message" })).toHaveValue("Fix it");
    expect(screen()).toEqual({ name: "new" });
  });

  test("a message that is refused goes into the new chat as its draft", async () => {
    const user = userEvent.setup();
    const app = standIn({
      CreateChat: () => Promise.resolve(made),
      Send: () => Promise.reject({ code: "unavailable", message: "Not now." }),
    });
    know(cliFound, aChat("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 files not committed");
    await user.type(page.getByRole("textbox", { name: "Message" }), "Fix it{Enter}");
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "made" }));
    expect(app.of("SaveDraft")).toEqual([["made", "Fix it", []]]);
  });

  test("another folder is typed, and its facts are shown", async () => {
    const user = userEvent.setup();
    const app = standIn({ CreateChat: () => Promise.resolve(made) });
    know(cliFound, aChat("a", { folder }));
    render(() => <NewChat />);
    await user.click(page.getByRole("button", { name: "Folder: orbit-api" }));
    await user.type(await page.findByLabelText("Path of the folder"), "/srv/other{Enter}");
    await page.findByText("No Git repository");
    await user.type(page.getByRole("textbox", { name: "Message" }), "Hello{Enter}");
    await waitFor(() => expect(app.of("CreateChat")).toEqual([["/srv/other", "copilot"]]));
  });

  test("practice has a folder of its own and its own suggestions", async () => {
    const user = userEvent.setup();
    const app = standIn({ StartPractice: () => Promise.resolve(made) });
    know(cliFound, aChat("a", { folder }));
    render(() => <NewChat />);
    await user.click(page.getByRole("button", { name: "Who answers: GitHub Copilot" }));
    await user.click(await page.findByRole("menuitem", { name: /^Practice/ }));
    expect(page.queryByRole("button", { name: "Folder: orbit-api" })).not.toBeInTheDocument();
    await user.click(page.getByRole("button", { name: "Fix the greeting" }));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(app.of("Send")).toEqual([["made", "Fix the greeting", []]]));
    expect(app.of("CreateChat")).toEqual([]);
  });

  test("nothing is sent while there is no Copilot CLI, and the help stands there", async () => {
    const user = userEvent.setup();
    const app = standIn();
    know({ cli: { state: "missing", min: "1.0.78", searched: ["PATH"] } }, aChat("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 files not committed");
    await user.type(page.getByRole("textbox", { name: "Message" }), "Fix it{Enter}");
    expect(app.of("CreateChat")).toEqual([]);
    expect(page.getByRole("button", { name: "Send" })).toBeDisabled();
    expect(page.getByText("npm install -g @github/copilot")).toBeVisible();
  });
});
