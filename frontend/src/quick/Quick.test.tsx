import { fireEvent, render, screen } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { loadTranslations } from "../i18n/translate";
import type { QuickCommand, QuickEvent, QuickView } from "../state/types";
import { stubBrowser } from "../testing";
import { Quick } from "./Quick";

const code = { folder: "/home/anna/code/orbit-api", name: "orbit-api", place: "~/code" };
const view: QuickView = {
  targets: [
    code,
    { ...code, chatId: "flaky", title: "Flaky upload test", state: "crashed" },
    { ...code, chatId: "token", title: "Fix token refresh race", state: "running" },
  ],
  answerers: [
    { name: "GitHub Copilot" },
    { mainId: "o", name: "gpt-4.1", provider: "OpenAI" },
    { agentId: "g", name: "Gemini" },
  ],
  mode: "ask",
  theme: "dark",
  contrast: "normal",
  motion: "reduced",
  textSize: "normal",
};

let sendCommand: (order: QuickCommand) => void;
let emitted: QuickEvent[];
/** All emitted messages except those that report that the window is shown. */
const emittedMessages = () => emitted.filter((each) => !each.shown);
const sentMessages = () => emitted.flatMap((each) => (each.send ? [each.send] : []));
const field = () => screen.getByRole("textbox", { name: "Message" });

beforeEach(() => {
  stubBrowser();
  emitted = [];
  (window as unknown as { runtime: unknown }).runtime = {
    EventsOn: (_: string, callback: typeof sendCommand) => {
      sendCommand = callback;
      return () => {};
    },
    EventsEmit: (_: string, text: string) => emitted.push(JSON.parse(text)),
  };
  render(() => <Quick />);
  expect(emitted).toEqual([{ ready: true }]);
});

function open(more: Partial<QuickView> = {}) {
  sendCommand({ show: { ...view, ...more } });
  return userEvent.setup();
}

test("Enter sends to a new chat in the last folder, and the prompt clears once accepted", async () => {
  const user = open();
  expect(document.documentElement.dataset.theme).toBe("dark");
  await user.type(field(), "Fix it{Shift>}{Enter}{/Shift}please{Enter}");
  const message = { text: "Fix it\nplease", folder: code.folder, agentId: "", mainId: "", mode: "ask" };
  expect(sentMessages()).toEqual([message]);
  await user.type(field(), "{Enter}");
  expect(sentMessages()).toHaveLength(1);
  sendCommand({ sent: true });
  expect(field()).toHaveValue("");
});

test("the arrow keys choose the target, and an existing chat has no new-chat options", async () => {
  const user = open();
  expect(screen.getByRole("button", { name: "Model: GitHub Copilot" })).toBeVisible();
  await user.type(field(), "Go on{ArrowUp}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}");
  expect(screen.getByRole("option", { selected: true })).toHaveTextContent(
    "Flaky upload testStopped unexpectedly",
  );
  expect(field()).toHaveAttribute("aria-activedescendant", screen.getByRole("option", { selected: true }).id);
  expect(screen.queryByRole("button", { name: /^Model/ })).not.toBeInTheDocument();
  await user.type(field(), "{Enter}");
  expect(sentMessages()).toEqual([{ text: "Go on", chatId: "flaky" }]);
});

test("a new chat's options are chosen", async () => {
  const user = open();
  await user.click(screen.getByRole("button", { name: "Permissions: Ask first" }));
  expect(screen.queryByRole("option", { name: /Allow everything/ })).not.toBeInTheDocument();
  await user.click(await screen.findByRole("option", { name: /Allow edits/ }));
  await user.click(screen.getByRole("button", { name: "Model: GitHub Copilot" }));
  await user.click(await screen.findByRole("option", { name: /^gpt-4.1/ }));
  await user.type(field(), "Fix it{Enter}");
  expect(sentMessages()).toEqual([
    { text: "Fix it", folder: code.folder, agentId: "", mainId: "o", mode: "accept_edits" },
  ]);
});

test("a new chat starts with the agent that answered last", async () => {
  const user = open({ agentId: "g" });
  expect(screen.getByRole("button", { name: "Model: Gemini" })).toBeVisible();
  await user.type(field(), "Fix it{Enter}");
  expect(sentMessages()).toEqual([
    { text: "Fix it", folder: code.folder, agentId: "g", mainId: "", mode: "ask" },
  ]);
});

test("Enter that ends a composition doesn't send, nor does an empty text", async () => {
  const user = open();
  await user.type(field(), "  {Enter}");
  fireEvent.input(field(), { target: { value: "こんにちは" } });
  fireEvent.keyDown(field(), { key: "Enter", isComposing: true });
  fireEvent.keyDown(field(), { key: "Enter", keyCode: 229 });
  expect(sentMessages()).toEqual([]);
});

test("a refused message stays, with the reason", async () => {
  const user = open();
  await user.type(field(), "Fix it{Enter}");
  sendCommand({ failed: "The folder /home/anna/code/orbit-api doesn't exist." });
  expect(screen.getByRole("alert")).toHaveTextContent("doesn't exist");
  expect(field()).toHaveValue("Fix it");
  await user.type(field(), "{Enter}");
  expect(sentMessages()).toHaveLength(2);
});

test("the reason for a refusal is in the page's language", async () => {
  await loadTranslations("de");
  try {
    open();
    sendCommand({
      failed: { text: "Enter a message first.", key: "Enter a message first." } as unknown as string,
    });
    expect(screen.getByRole("alert")).toHaveTextContent("Gib zuerst eine Nachricht ein.");
  } finally {
    await loadTranslations("en");
  }
});

test("a message being sent can't be changed or sent twice, even if the prompt reopens", async () => {
  const user = open();
  await user.type(field(), "Fix it{Enter}");
  open({ text: "Fix it" });
  await user.type(field(), " and more{Enter}");
  expect(field()).toHaveValue("Fix it");
  expect(sentMessages()).toHaveLength(1);
  sendCommand({ failed: "The folder /home/anna/code/orbit-api doesn't exist." });
  await user.type(field(), " now{Enter}");
  expect(sentMessages().map(({ text }) => text)).toEqual(["Fix it", "Fix it now"]);
});

test("it is a dialog with a name, and so is its window", () => {
  open();
  expect(screen.getByRole("dialog", { name: "Quick prompt" })).toContainElement(field());
  expect(document.title).toBe("Quick prompt");
});

test("the focused list announces the chosen target", async () => {
  const user = open();
  const list = screen.getByRole("listbox", { name: "Send to" });
  list.focus();
  await user.keyboard("{ArrowDown}");
  expect(list).toHaveAttribute("aria-activedescendant", screen.getByRole("option", { selected: true }).id);
  expect(screen.getByRole("option", { selected: true })).toHaveTextContent("Flaky upload test");
});

test("Escape that ends a composition closes nothing", () => {
  open();
  fireEvent.keyDown(field(), { key: "Escape", isComposing: true });
  fireEvent.keyDown(field(), { key: "Escape", keyCode: 229 });
  expect(emitted).not.toContainEqual({ closed: true });
});

test("Escape closes it and keeps the text and target for the next time", async () => {
  const user = open({ text: "from before" });
  await user.type(field(), " and now{ArrowDown}{Escape}");
  expect(emittedMessages().slice(-2)).toEqual([{ draft: { text: "from before and now" } }, { closed: true }]);
  open({ text: "from before and now" });
  expect(field()).toHaveValue("from before and now");
  expect(screen.getByRole("option", { selected: true })).toHaveTextContent("Flaky upload test");
});

test("it closes when it loses focus, unless it has text", async () => {
  vi.spyOn(document, "hasFocus").mockReturnValue(true);
  const user = open();
  await vi.waitFor(() => expect(emitted).toContainEqual({ shown: true }));
  await user.type(field(), "x");
  fireEvent.blur(window);
  expect(emitted).not.toContainEqual({ closed: true });
  await user.clear(field());
  fireEvent.blur(window);
  expect(emittedMessages().at(-1)).toEqual({ closed: true });
});

test("without chats, the text goes to the window", async () => {
  const user = open({ targets: [] });
  expect(screen.getByText("No chats yet. Press Send to open VoxPilot with this text.")).toBeVisible();
  await user.type(field(), "Hello{Enter}");
  expect(emittedMessages().slice(-2)).toEqual([{ draft: { text: "Hello" } }, { open: true }]);
});

test("shows the sandbox like the composer: for a new chat's agent, and for chats that use it", async () => {
  const [first, ...others] = view.answerers;
  const [made, flaky, token] = view.targets;
  const user = open({
    answerers: [{ name: "GitHub Copilot", ...first, sandbox: true }, ...others],
    targets: [made ?? code, { ...code, ...flaky, sandbox: true }, token ?? code],
  });
  await user.click(screen.getByRole("button", { name: "Permissions: Ask first, sandbox on" }));
  expect(
    screen.getByText("Allows edits in the folder and commands in the sandbox. Asks about everything else."),
  ).toBeVisible();
  await user.keyboard("{Escape}");
  expect(screen.getByRole("option", { name: /Flaky upload test/ })).toHaveTextContent("Sandbox on");
  expect(screen.getByRole("option", { name: /Fix token refresh race/ })).not.toHaveTextContent("Sandbox on");
  await user.click(screen.getByRole("button", { name: "Model: GitHub Copilot" }));
  await user.click(screen.getByRole("option", { name: /Gemini/ }));
  expect(screen.getByRole("button", { name: "Permissions: Ask first" })).toBeVisible();
});
