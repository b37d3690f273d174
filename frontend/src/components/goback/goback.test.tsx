// Tests of going back to a message: the menu, the composer, the line below the remaining messages, versions, and
// editing.

import { fireEvent, render, screen, waitFor, within } from "@solidjs/testing-library";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { App } from "../../calls";
import { actions } from "../../state/actions";
import { composer } from "../../state/composer";
import { cancelEditing, closeAside, closeGoBack, showAside } from "../../state/goBack";
import { dismiss, notices } from "../../state/notices";
import { go, screen as shownScreen } from "../../state/screen";
import { raw, sink } from "../../state/store";
import type { ChatBranches, Event, GoBackPreview, UndoComparison, UndoFile } from "../../state/types";
import { closeUndo } from "../../state/undo";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { Dock } from "../composer/Dock";
import { Notices } from "../shell/Notices";
import { Transcript } from "../transcript/Transcript";
import { mainTurn, textItem } from "../transcript/testing";
import { UndoSheet } from "../undo/UndoSheet";
import { AsideSheet } from "./AsideSheet";

const at = (clock: string) => new Date(`2025-11-20T${clock}:00`).getTime();
const file = (path: string, more: Partial<UndoFile> = {}): UndoFile => ({
  path,
  effect: "restores",
  choice: "take",
  ...more,
});
const preview = (more: Partial<GoBackPreview> = {}): GoBackPreview => ({
  turnId: "t2",
  since: at("14:02"),
  messages: 2,
  memory: "fork",
  files: [file("a.go")],
  total: 1,
  ready: 1,
  changed: 0,
  notUndone: [],
  ...more,
});
const changed = preview({
  files: [file("a.go", { choice: "keep", changed: true, merge: true, reason: "Edited by hand" })],
  ready: 0,
  changed: 1,
});
const attachment = { kind: "file" as const, name: "a.png", path: "/home/anna/a.png" };
const branches = (more: Partial<ChatBranches> = {}): Event => ({
  branches: { chatId: "c", revision: 1, ...more },
});

/** The transcript of three turns. */
const whole: Event[] = [1, 2, 3].flatMap((n) => [
  mainTurn("done", { id: `t${n}`, startedAt: n * 1000, endedAt: n * 1000 + 500 }),
  ...textItem(`u${n}`, n * 10, "user", `message ${n}`, {
    turnId: `t${n}`,
    createdAt: at("14:02"),
    with: n === 2 ? [attachment] : undefined,
  }),
  ...textItem(`a${n}`, n * 10 + 1, "message", `answer ${n}`, { turnId: `t${n}` }),
]);
const session = (chatId: string): Event => ({
  session: {
    chatId,
    name: "main",
    acpId: "x",
    cwd: "/",
    state: "loaded",
    options: [
      {
        id: "model",
        name: "Model",
        category: "model",
        type: "select",
        value: "a",
        choices: [
          { id: "a", name: "Model A" },
          { id: "b", name: "Model B" },
        ],
      },
    ],
    createdAt: 1,
    usedAt: 1,
  },
});

/** Responses of the data routes. */
let answer: () => Promise<GoBackPreview> = async () => preview();
let comparison: Partial<UndoComparison> = {};
let asked: string[] = [];

function open(calls: Partial<App> = {}, events: Event[] = whole) {
  const app = stubApp({ Send: () => Promise.resolve("id"), ...calls });
  resetState(chatEvent("c", { turnState: "done" }), chatEvent("new"));
  sink.open("c", [...events, session("c")], 0, []);
  go({ name: "chat", id: "c" });
  render(() => (
    <main class="main">
      <Transcript chatId="c" />
      <Dock chatId="c" />
      <UndoSheet />
      <AsideSheet />
      <Notices />
    </main>
  ));
  return app;
}
const message = (n: number) => screen.getByText(`message ${n}`).closest("article") as HTMLElement;
const field = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
/** openMenu opens the menu of message n with its shortcut key. */
async function openMenu(n = 2) {
  message(n).focus();
  fireEvent.keyDown(message(n), { key: "z", code: "KeyZ" });
  return screen.findByRole("menu", { name: "Go back to here" });
}
async function choose(name: RegExp, n = 2) {
  const menu = await openMenu(n);
  const entry = within(menu).getByRole("menuitem", { name });
  entry.focus();
  fireEvent.keyDown(entry, { key: "Enter" });
  fireEvent.keyUp(entry, { key: "Enter" });
}

beforeEach(() => {
  stubBrowser();
  asked = [];
  answer = async () => preview();
  vi.stubGlobal("fetch", async (input: string) => {
    const url = new URL(input, "http://app");
    asked.push(`${url.pathname}${url.search}`);
    switch (url.pathname) {
      case "/data/go-back":
        return Response.json(await answer());
      case "/data/undo-file":
        return Response.json({ path: "a.go", ...comparison });
      case "/data/items":
        return Response.json({ run: "r", seq: 1, events: whole.slice(5), before: 0 });
      default:
        throw new Error(`${input} isn't served here`);
    }
  });
  composer.show("c", { text: "", attachments: [] });
});
afterEach(() => {
  closeUndo();
  closeGoBack();
  closeAside();
  cancelEditing("c");
  for (const { id } of notices()) dismiss(id);
  vi.restoreAllMocks();
  sink.reset([]);
});

describe("the menu of a message", () => {
  test("opens with Z and says what each entry does", async () => {
    open();
    const menu = await openMenu();
    await waitFor(() =>
      expect(
        within(menu)
          .getAllByRole("menuitem")
          .map((each) => each.textContent),
      ).toEqual([
        "Go back to here1 file will be restored, and this message and the one below it will be set aside",
        "Only the files1 file will be restored, and the conversation stays as it is",
        "Only the conversationThis message and the one below it will be set aside, and the files stay as they are",
        "Start a new chat from hereNothing in this chat changes",
      ]),
    );
    expect(menu).toHaveAccessibleDescription(
      "You can bring everything back until you send the next message.",
    );
    await waitFor(() => expect(document.activeElement).toHaveTextContent(/^Go back to here1 file/));
    expect(asked).toEqual(["/data/go-back?turn=t2"]);
    expect(message(2)).toHaveClass("acting");
  });

  test("counts only the files that go back unless the user chooses otherwise", async () => {
    answer = async () => changed;
    open();
    const menu = await openMenu();
    await within(menu).findByText("1 file has later changes. Choose what to do with it.");
    expect(within(menu).getByRole("menuitem", { name: /^Go back to here/ })).toHaveTextContent(
      "Go back to hereThis message and the one below it will be set aside",
    );
  });

  test("says that the files are being checked, and then why something isn't possible", async () => {
    let give: (preview: GoBackPreview) => void = () => {};
    answer = () =>
      new Promise((resolve) => {
        give = resolve;
      });
    open();
    const menu = await openMenu(3);
    const entries = () => within(menu).getAllByRole("menuitem");
    expect(entries()[0]).toHaveTextContent("Checking the files…");
    give(
      preview({ messages: 1, total: 0, files: [], memory: "recap", filesBlocked: "Nothing was recorded." }),
    );
    await waitFor(() => expect(entries()[0]).toHaveTextContent("Nothing was recorded."));
    expect(entries().map((each) => each.hasAttribute("data-disabled"))).toEqual([true, true, false, false]);
    expect(entries()[2]).toHaveTextContent(
      "This message and its answer will be set aside, and the files stay as they are",
    );
    expect(menu).toHaveAccessibleDescription(/will start from a summary of the earlier messages\.$/);
  });

  test("shows the reason if everything is blocked or the check failed", async () => {
    answer = async () => preview({ blocked: "The agent is still running." });
    open();
    const menu = await openMenu();
    await within(menu).findAllByText("The agent is still running.");
    const states = within(menu)
      .getAllByRole("menuitem")
      .map((each) => each.hasAttribute("data-disabled"));
    expect(states).toEqual([true, true, true, false]);
  });

  test("has arrow keys in its toolbar", () => {
    open();
    const tools = within(message(2)).getByRole("toolbar", { name: "Message actions" });
    const [edit, copy, back] = within(tools).getAllByRole("button");
    edit?.focus();
    fireEvent.keyDown(edit as HTMLElement, { key: "ArrowLeft" });
    expect(back).toHaveFocus();
    fireEvent.keyDown(back as HTMLElement, { key: "ArrowLeft" });
    expect(copy).toHaveFocus();
  });
});

describe("going back", () => {
  test("returns the message with its attachments to the composer and keeps the draft", async () => {
    const app = open();
    composer.show("c", { text: "my draft", attachments: [] });
    await choose(/^Go back to here/);
    await waitFor(() => expect(app.of("GoBack")).toEqual([["t2", { scope: "both", choices: {} }]]));
    await waitFor(() =>
      expect(composer.draft("c")).toMatchObject({ text: "message 2", attachments: [attachment] }),
    );
    composer.removeSent("c", { text: "message 2", attachments: [...composer.draft("c").attachments] });
    expect(composer.draft("c").text).toBe("my draft");
  });

  test("leaves the files out if none has changed", async () => {
    answer = async () => preview({ total: 0, ready: 0, files: [] });
    const app = open();
    await choose(/^Go back to here/);
    await waitFor(() => expect(app.of("GoBack")).toEqual([["t2", { scope: "conversation", choices: {} }]]));
  });

  test("of only the files leaves the composer alone", async () => {
    const app = open();
    await choose(/^Only the files/);
    await waitFor(() => expect(app.of("GoBack")).toEqual([["t2", { scope: "files", choices: {} }]]));
    expect(composer.draft("c").text).toBe("");
  });

  test("opens the sheet if a file was changed since, and sends the choices", async () => {
    answer = async () => changed;
    const app = open();
    await choose(/^Go back to here/);
    const sheet = await screen.findByRole("dialog", { name: "Go back to here?" });
    expect(sheet).toHaveTextContent("before your message. 2 messages will be set aside.");
    expect(within(sheet).getByRole("button", { name: "Go back" })).toBeVisible();
    fireEvent.click(within(sheet).getByRole("radio", { name: "Restore" }));
    fireEvent.click(await within(sheet).findByRole("button", { name: "Go back and restore 1 file" }));
    await waitFor(() =>
      expect(app.of("GoBack")).toEqual([["t2", { scope: "both", choices: { "a.go": "take" } }]]),
    );
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(composer.draft("c").text).toBe("message 2");
  });

  test("of an agent that can't copy its memory says so in the sheet, unless the conversation stays", async () => {
    answer = async () => ({ ...changed, memory: "recap" });
    open();
    await choose(/^Go back to here/);
    const sheet = await screen.findByRole("dialog", { name: "Go back to here?" });
    expect(sheet).toHaveAccessibleDescription(/will start from a summary of the earlier messages\.$/);
    closeUndo();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await choose(/^Only the files/);
    const files = await screen.findByRole("dialog", { name: "Go back to here?" });
    expect(files).toHaveAccessibleDescription(/until you send the next message\.$/);
  });

  test("shows both sides of a file that was also changed between the messages", async () => {
    answer = async () => changed;
    comparison = { diff: "--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n-mine\n+earlier\n", toEarlier: true };
    open();
    await choose(/^Go back to here/);
    const sheet = await screen.findByRole("dialog", { name: "Go back to here?" });
    fireEvent.click(within(sheet).getByRole("button", { name: "Compare a.go" }));
    const sides = await screen.findByRole("dialog", { name: "Both versions of a.go" });
    expect(sides).toHaveTextContent(
      "Compares the file as it is now with the file as it was before your message.",
    );
    expect(sides).toHaveTextContent("earlier");
    expect(asked).toContain("/data/undo-file?turn=t2&path=a.go&back=1");
  });

  test("that fails says why and changes nothing", async () => {
    open({ GoBack: () => Promise.reject({ code: "unavailable", message: "The agent is running." }) });
    composer.show("c", { text: "my draft", attachments: [] });
    await choose(/^Only the conversation/);
    await waitFor(() =>
      expect(notices()).toMatchObject([{ text: "Couldn't go back.", detail: "The agent is running." }]),
    );
    expect(composer.draft("c").text).toBe("my draft");
    expect(message(2)).toBeVisible();
  });

  test("in a sheet that fails keeps the sheet with the reason", async () => {
    answer = async () => changed;
    open({ GoBack: () => Promise.reject({ code: "internal", message: "The disk is full." }) });
    await choose(/^Go back to here/);
    const sheet = await screen.findByRole("dialog", { name: "Go back to here?" });
    fireEvent.click(within(sheet).getByRole("button", { name: "Go back" }));
    await within(sheet).findByText("The disk is full.");
    expect(composer.draft("c").text).toBe("");
  });

  test("into a new chat opens it with the message", async () => {
    const chat = chatEvent("new").chat;
    const app = open({ NewChatFrom: () => Promise.resolve(chat as NonNullable<typeof chat>) });
    await choose(/^Start a new chat/);
    await waitFor(() => expect(shownScreen()).toMatchObject({ name: "chat", id: "new" }));
    expect(app.of("NewChatFrom")).toEqual([["t2"]]);
    expect(composer.draft("new")).toMatchObject({ text: "message 2", attachments: [attachment] });
    expect(composer.draft("c").text).toBe("");
  });
});

describe("after going back", () => {
  const wentBack = { asideId: "x", at: 5, since: at("14:02"), files: 9, messages: 5, hasFiles: true };

  test("the chat is loaded again, once for each revision", async () => {
    open();
    expect(raw().pages.c?.stale).toBeUndefined();
    applyEvents(branches({ wentBack }));
    expect(raw().pages.c?.stale).toBe(true);
    sink.open("c", [...whole.slice(0, 5), branches({ wentBack })], 0, []);
    expect(raw().pages.c?.stale).toBeUndefined();
    applyEvents(branches({ wentBack }));
    expect(raw().pages.c?.stale).toBeUndefined();
    expect(screen.queryByText("message 2")).toBeNull();
  });

  test("a line says what went back and brings it back with the files", async () => {
    const app = open();
    await choose(/^Only the conversation/);
    await waitFor(() => expect(composer.draft("c").text).toBe("message 2"));
    sink.open("c", [...whole.slice(0, 5), branches({ wentBack })], 0, []);
    const line = screen.getByRole("status", { name: "Went back to 14:02" });
    expect(line).toHaveTextContent(
      "Went back to 14:02. 9 files restored, 5 messages set asideBring backShow",
    );
    fireEvent.click(within(line).getByRole("button", { name: "Bring everything back" }));
    await waitFor(() => expect(app.of("BringBack")).toEqual([["c", "x", true]]));
    await waitFor(() => expect(composer.draft("c").text).toBe(""));
  });

  test("the line offers only the messages once the recording of the files was removed", async () => {
    const swept = { ...wentBack, hasFiles: false };
    const app = open({}, [...whole.slice(0, 5), branches({ wentBack: swept })]);
    const line = screen.getByRole("status", { name: "Went back to 14:02" });
    expect(line).toHaveTextContent("Only messages can still be brought back, not the files.");
    expect(within(line).queryByRole("button", { name: "Bring everything back" })).toBeNull();
    fireEvent.click(within(line).getByRole("button", { name: "Bring the messages back" }));
    await waitFor(() => expect(app.of("BringBack")).toEqual([["c", "x", false]]));
    applyEvents(branches({ revision: 2, wentBack: { ...swept, messages: 0 } }));
    const only = await screen.findByRole("status", { name: "Went back to 14:02" });
    expect(only).toHaveTextContent("The files can no longer be brought back.");
    expect(within(only).queryByRole("button")).toBeNull();
  });

  test("an edited text stays in the composer when the messages come back", async () => {
    const app = open();
    await choose(/^Only the conversation/);
    await waitFor(() => expect(field().value).toBe("message 2"));
    composer.write("c", "message 2, edited");
    applyEvents(branches({ wentBack }));
    sink.open("c", [...whole.slice(0, 5), branches({ wentBack })], 0, []);
    fireEvent.click(screen.getByRole("button", { name: "Bring everything back" }));
    await waitFor(() => expect(app.of("BringBack")).toHaveLength(1));
    expect(composer.draft("c").text).toBe("message 2, edited");
  });

  test("the set-aside messages can be read", async () => {
    const app = open({}, [...whole.slice(0, 5), branches({ wentBack })]);
    fireEvent.click(screen.getByRole("button", { name: "Show set-aside messages" }));
    const sheet = await screen.findByRole("dialog", { name: "Set-aside messages" });
    await within(sheet).findByText("message 3");
    expect(asked).toEqual(["/data/items?chat=c&aside=x"]);
    fireEvent.click(within(sheet).getByRole("button", { name: "Bring back" }));
    await waitFor(() => expect(app.of("BringBack")).toEqual([["c", "x", true]]));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test("a second click while the messages come back doesn't count as a success", async () => {
    let fail = (_: Error) => {};
    const app = open({ BringBack: () => new Promise((_, reject) => (fail = reject)) }, [
      ...whole.slice(0, 5),
      branches({ wentBack }),
    ]);
    fireEvent.click(screen.getByRole("button", { name: "Show set-aside messages" }));
    const sheet = await screen.findByRole("dialog", { name: "Set-aside messages" });
    await within(sheet).findByText("message 3");
    const button = within(sheet).getByRole("button", { name: "Bring back" });
    fireEvent.click(button);
    fireEvent.click(button);
    await waitFor(() => expect(app.of("BringBack")).toHaveLength(1));
    await Promise.resolve();
    expect(screen.getByRole("dialog", { name: "Set-aside messages" })).toBe(sheet);
    fail(new Error("No room."));
    await within(sheet).findByText("No room.");
  });
});

describe("versions", () => {
  const version = (id: string) => ({ id, at: 1, messages: 1 });
  const forked = branches({
    forks: [
      { afterTurn: "t1", turnId: "t2", versions: [version("x"), version(""), version("y")], current: 1 },
    ],
  });

  test("are switched with the buttons and the arrow keys, without the files", async () => {
    const app = open({}, [...whole, forked]);
    const group = within(message(2)).getByRole("group", { name: "Version 2 of 3" });
    expect(group).toHaveTextContent("2/3");
    fireEvent.click(within(group).getByRole("button", { name: "Previous version" }));
    await waitFor(() => expect(app.of("BringBack")).toEqual([["c", "x", false]]));
    const now = branches({
      revision: 2,
      forks: [
        { afterTurn: "t1", turnId: "t2", versions: [version(""), version("z"), version("y")], current: 0 },
      ],
    });
    sink.open("c", [...whole, now], 0, []);
    await waitFor(() => expect(message(2)).toHaveFocus());
    expect(within(message(2)).getByRole("group", { name: "Version 1 of 3" })).toBeVisible();
    expect(within(message(2)).getByRole("button", { name: "Previous version" })).toBeDisabled();
    fireEvent.keyDown(message(2), { key: "ArrowRight" });
    await waitFor(() => expect(app.of("BringBack")[1]).toEqual(["c", "z", false]));
  });

  test("are shown on no other message", () => {
    open({}, [...whole, forked]);
    expect(screen.getAllByRole("group", { name: /^Version/ })).toHaveLength(1);
  });
});

describe("editing a message", () => {
  const edit = () => fireEvent.click(within(message(2)).getByRole("button", { name: "Edit and send again" }));

  test("sets the messages from there on aside when it's sent", async () => {
    const app = open();
    edit();
    await screen.findByText(/^Editing your message from 14:02/);
    expect(app.of("GoBack")).toEqual([]);
    composer.write("c", "better");
    fireEvent.keyDown(field(), { key: "Enter" });
    await waitFor(() => expect(app.of("Send")).toEqual([["c", "better", [attachment]]]));
    expect(app.of("GoBack")).toEqual([["t2", { scope: "conversation" }]]);
    expect(app.calls.findIndex((each) => each.method === "GoBack")).toBeLessThan(
      app.calls.findIndex((each) => each.method === "Send"),
    );
    expect(screen.queryByText(/^Editing your message/)).toBeNull();
  });

  test("says beforehand that an agent that can't copy its memory starts from a summary", async () => {
    answer = async () => preview({ memory: "recap" });
    open();
    edit();
    const note = await screen.findByText(/The agent will start from a summary of the earlier messages\.$/);
    expect(note).toHaveTextContent(/^Editing your message from 14:02/);
    expect(asked).toEqual(["/data/go-back?turn=t2"]);
  });

  test("says nothing about a summary if the agent copies its memory or that can't be checked", async () => {
    const app = open();
    edit();
    const note = await screen.findByText(/^Editing your message/);
    await waitFor(() => expect(asked).toEqual(["/data/go-back?turn=t2"]));
    await new Promise((resolve) => setTimeout(resolve)); // the answer is processed
    expect(note).not.toHaveTextContent("summary");
    cancelEditing("c");
    answer = () => Promise.reject(new Error("offline"));
    edit();
    await waitFor(() =>
      expect(app.of("Log")).toContainEqual(["warn", expect.stringMatching(/^preview of editing t2: /)]),
    );
    expect(screen.getByText(/^Editing your message/)).not.toHaveTextContent("summary");
  });

  test("keeps the text if going back fails", async () => {
    const app = open({
      GoBack: () => Promise.reject({ code: "unavailable", message: "The agent is running." }),
    });
    edit();
    await screen.findByText(/^Editing your message/);
    fireEvent.keyDown(field(), { key: "Enter" });
    await screen.findByText("The agent is running.");
    expect(app.of("Send")).toEqual([]);
    expect(field().value).toBe("message 2");
    expect(screen.getByText(/^Editing your message/)).toBeVisible();
  });

  test("can be canceled, and the draft returns", async () => {
    const app = open();
    composer.show("c", { text: "my draft", attachments: [] });
    edit();
    await screen.findByText(/^Editing your message/);
    fireEvent.click(screen.getByRole("button", { name: "Cancel editing" }));
    expect(composer.draft("c").text).toBe("my draft");
    expect(app.of("GoBack")).toEqual([]);
  });
});

describe("trying again with another model", () => {
  const pick = async () => {
    const button = screen.getByRole("button", { name: "Try again with another model" });
    button.focus();
    fireEvent.keyDown(button, { key: "Enter" });
    const entry = await screen.findByRole("menuitem", { name: "Model B" });
    expect(screen.queryByRole("menuitem", { name: "Model A" })).toBeNull();
    entry.focus();
    fireEvent.keyDown(entry, { key: "Enter" });
    fireEvent.keyUp(entry, { key: "Enter" });
  };

  test("goes back, sets the model and sends the message again", async () => {
    const app = open();
    await pick();
    await waitFor(() => expect(app.of("Send")).toEqual([["c", "message 3", []]]));
    const order = app.calls.map((each) => each.method).filter((each) => /GoBack|SetOption|^Send$/.test(each));
    expect(order).toEqual(["GoBack", "SetOption", "Send"]);
    expect(app.of("GoBack")).toEqual([["t3", { scope: "both", choices: {} }]]);
    expect(app.of("SetOption")).toEqual([["c", "main", "model", "b"]]);
  });

  const confirm = async (name: string) => {
    const sheet = await screen.findByRole("dialog", { name: "Try again with another model?" });
    return { sheet, button: within(sheet).getByRole("button", { name }) };
  };

  test("says why the files stay if they can't go back", async () => {
    answer = async () => preview({ total: 0, ready: 0, files: [], filesBlocked: "Nothing was recorded." });
    const app = open();
    await pick();
    await waitFor(() =>
      expect(notices()).toMatchObject([
        { text: "The files stay as they are.", detail: "Nothing was recorded." },
      ]),
    );
    expect(app.of("GoBack")).toEqual([["t3", { scope: "conversation", choices: {} }]]);
    expect(app.of("Send")).toHaveLength(1);
  });

  test("of a turn without files needs no question", async () => {
    answer = async () => preview({ total: 0, ready: 0, files: [] });
    const app = open();
    await pick();
    await waitFor(() => expect(app.of("Send")).toHaveLength(1));
    expect(app.of("GoBack")).toEqual([["t3", { scope: "conversation", choices: {} }]]);
    expect(notices()).toEqual([]);
  });

  test("opens the sheet if a file was changed since, and then sends the message", async () => {
    answer = async () => changed;
    const app = open();
    await pick();
    const { sheet, button } = await confirm("Try again");
    expect(sheet).not.toHaveAccessibleDescription(/bring everything back/);
    expect(app.of("GoBack")).toEqual([]);
    fireEvent.click(button);
    await waitFor(() => expect(app.of("Send")).toEqual([["c", "message 3", []]]));
    expect(app.of("GoBack")).toEqual([["t3", { scope: "both", choices: {} }]]);
    expect(app.of("SetOption")).toEqual([["c", "main", "model", "b"]]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(composer.draft("c").text).toBe("");
  });

  test("names a pushed commit first, even if no file goes back", async () => {
    const notUndone = [{ what: "git push", isCommand: true, reason: "Sent to another computer" }];
    answer = async () => preview({ notUndone });
    const app = open();
    await pick();
    const first = await confirm("Restore 1 file and try again");
    expect(within(first.sheet).getByText("git push")).toBeVisible();
    fireEvent.click(within(first.sheet).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect([...app.of("GoBack"), ...app.of("Send")]).toEqual([]);

    answer = async () => preview({ total: 0, ready: 0, files: [], notUndone });
    await pick();
    const { sheet, button } = await confirm("Try again");
    expect(within(sheet).getByText("git push")).toBeVisible();
    expect(sheet).toHaveAccessibleDescription(/^No files have changed since this message\. 2 messages/);
    fireEvent.click(button);
    await waitFor(() => expect(app.of("Send")).toHaveLength(1));
  });

  test("from the sheet leaves the message in the composer if the model can't be set", async () => {
    answer = async () => changed;
    const app = open({ SetOption: () => Promise.reject({ code: "invalid", message: "Unknown model." }) });
    await pick();
    fireEvent.click((await confirm("Try again")).button);
    await waitFor(() => expect(notices()).toMatchObject([{ detail: "Unknown model." }]));
    expect(app.of("Send")).toEqual([]);
    expect(composer.draft("c").text).toBe("message 3");
  });

  test("leaves the message in the composer if the model can't be set", async () => {
    const app = open({ SetOption: () => Promise.reject({ code: "invalid", message: "Unknown model." }) });
    await pick();
    await waitFor(() => expect(notices()).toMatchObject([{ detail: "Unknown model." }]));
    expect(app.of("Send")).toEqual([]);
    expect(composer.draft("c").text).toBe("message 3");
  });

  test("changes nothing if it can't go back", async () => {
    const app = open({
      GoBack: () => Promise.reject({ code: "unavailable", message: "Another chat works here." }),
    });
    await pick();
    await waitFor(() => expect(notices()).toMatchObject([{ detail: "Another chat works here." }]));
    expect([...app.of("SetOption"), ...app.of("Send")]).toEqual([]);
    expect(composer.draft("c").text).toBe("");
  });
});

test("a search result among set-aside messages is opened in the sheet", async () => {
  open();
  vi.spyOn(actions, "asideItems");
  showAside({ chatId: "c", asideId: "x", itemId: "u3", pos: 30 });
  const sheet = await screen.findByRole("dialog", { name: "Set-aside messages" });
  await within(sheet).findByText("message 3");
  expect(actions.asideItems).toHaveBeenCalledWith("c", "x", 70);
  expect(sheet.querySelector(".at")).toHaveTextContent("message 3");
  expect(within(sheet).queryByRole("button", { name: "Bring back" })).toBeNull();
});
