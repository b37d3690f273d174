// Commands of the Copilot CLI's terminal, typed in the composer: none of them reaches the agent unless it
// declares the command or the user insists.

import { screen, waitFor } from "@solidjs/testing-library";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { composer } from "../../state/composer";
import { closeGoBack, goBackMenu } from "../../state/goBack";
import { screen as shownScreen } from "../../state/screen";
import type { Event } from "../../state/types";
import { chatEvent } from "../../testing";
import { open, root, userMessage } from "./testing";

beforeEach(() => localStorage.clear());

const declares =
  (...ids: string[]) =>
  (chatId: string): Event[] => [
    {
      session: {
        chatId,
        name: "main",
        acpId: "x",
        cwd: "/",
        state: "loaded",
        commands: ids.map((id) => ({ id, name: id })),
        createdAt: 1,
        usedAt: 1,
      },
    },
  ];
const hint = () => document.querySelector(".composer-hint")?.textContent;
const names = () => screen.getAllByRole("option").map((option) => option.querySelector("span")?.textContent);

describe("a command that VoxPilot has", () => {
  test("is run and not sent, and the composer is cleared", async () => {
    const { user, field, app } = open();
    await user.type(field, "/help{Escape}{Enter}");
    expect(shownScreen()).toEqual({ name: "settings", page: "shortcuts" });
    expect(field.value).toBe("");
    expect(app.of("Send")).toEqual([]);
  });

  test("takes the text after it along", async () => {
    const { user, field, app } = open();
    await user.type(field, "/resume token race{Enter}");
    expect(shownScreen()).toEqual({ name: "search", query: "token race" });
    await user.type(field, "/new{Escape}{Enter}");
    expect(shownScreen()).toEqual({ name: "new", folder: root });
    expect(app.of("Send")).toEqual([]);
  });

  test.each(["diff", "review"])("opens the review of the chat: /%s", async (name) => {
    const { user, field, app, id } = open();
    await user.type(field, `/${name}{Escape}{Enter}`);
    expect(shownScreen()).toEqual({ name: "review", chat: id, source: "chat" });
    expect(app.of("Send")).toEqual([]);
  });

  test("leaves text that it doesn't take in the composer", async () => {
    const { user, field } = open();
    await user.type(field, "/theme of this page{Enter}");
    expect(shownScreen()).toEqual({ name: "settings", page: "appearance" });
    expect(field.value).toBe("of this page");
  });

  test.each(["fork", "branch"])("starts a new chat from the last message: /%s", async (name) => {
    const chat = chatEvent("copy").chat;
    const { user, field, app } = open({
      events: (chatId) => userMessage(chatId, 1, "do it"),
      app: { NewChatFrom: () => Promise.resolve(chat as NonNullable<typeof chat>) },
    });
    await user.type(field, `/${name}{Escape}{Enter}`);
    await waitFor(() => expect(app.of("NewChatFrom")).toEqual([["t"]]));
    await waitFor(() => expect(shownScreen()).toMatchObject({ name: "chat", id: "copy" }));
    expect(composer.draft("copy").text).toBe("do it");
    expect(app.of("Send")).toEqual([]);
  });

  test("opens the menu for going back to the last message: /rewind", async () => {
    const { user, field, app, id } = open({ events: (chatId) => userMessage(chatId, 1, "do it") });
    await user.type(field, "/rewind{Escape}{Enter}");
    expect(goBackMenu()?.itemId).toBe(`${id}-i1`);
    expect(field.value).toBe("");
    expect(app.of("Send")).toEqual([]);
    closeGoBack();
  });

  test("is sent after a space", async () => {
    const { user, field, app, id } = open();
    await user.type(field, " /help{Enter}");
    expect(app.of("Send")).toEqual([[id, " /help", []]]);
  });
});

describe("a command without a counterpart", () => {
  test("shows what to use instead, and is sent only if Enter is pressed again", async () => {
    const { user, field, app, id } = open();
    await user.type(field, "/worktree fix{Enter}");
    expect(hint()).toBe(
      "Create the worktree with git, then open its folder in a new chat. To send this text as a message, press Enter again.",
    );
    expect(field.value).toBe("/worktree fix");
    expect(app.of("Send")).toEqual([]);
    await user.keyboard("{Enter}");
    expect(app.of("Send")).toEqual([[id, "/worktree fix", []]]);
    await waitFor(() => expect(field.value).toBe(""));
    expect(hint()).toBe("");
  });

  test("has to be confirmed again after its text has changed", async () => {
    const { user, field, app } = open();
    await user.type(field, "/vim{Enter}");
    expect(hint()).toContain("/vim works only in Copilot CLI in a terminal.");
    await user.type(field, " on");
    expect(hint()).toBe("");
    await user.keyboard("{Enter}");
    expect(hint()).toContain("/vim works only");
    expect(app.of("Send")).toEqual([]);
  });

  test("that can't run yet says so", async () => {
    const { user, field, app } = open();
    await user.type(field, "/fork{Escape}{Enter}");
    expect(hint()).toContain("This chat has no message to go back to.");
    expect(app.of("NewChatFrom")).toEqual([]);
    expect(app.of("Send")).toEqual([]);
  });
});

describe("commands of the agent", () => {
  test("are sent, even if VoxPilot has one of the same name", async () => {
    const { user, field, app, id } = open({ events: declares("diff") });
    await user.type(field, "/diff{Escape}{Enter}");
    expect(app.of("Send")).toEqual([[id, "/diff", []]]);
  });

  test("are listed before VoxPilot's, each name once", async () => {
    const { user, field } = open({ events: declares("restyle", "resume") });
    await user.type(field, "/res");
    await screen.findByRole("listbox", { name: "Command list" });
    expect(names()).toEqual(["/restyle", "/resume", "/restart"]);
  });
});

test("unknown commands and paths are sent", async () => {
  const { user, field, app } = open();
  await user.type(field, "/usr/bin is missing{Enter}");
  await waitFor(() => expect(field.value).toBe(""));
  await user.type(field, "/constructor{Enter}");
  expect(app.of("Send").map((args) => args[1])).toEqual(["/usr/bin is missing", "/constructor"]);
});

test("the list says what a command does in VoxPilot", async () => {
  const { user, field } = open();
  await user.click(screen.getByRole("button", { name: "Commands" }));
  const list = await screen.findByRole("listbox", { name: "Command list" });
  expect(list).toHaveTextContent("/resumeSearch all chats");
  expect(list).toHaveTextContent("/diffReview changes");
  expect(names()).not.toContain("/vim");
  await user.keyboard("dif");
  await user.keyboard("{Enter}");
  expect(field.value).toBe("/diff ");
});

describe("/undo", () => {
  const turn =
    (state: "done" | "running") =>
    (chatId: string): Event[] => [
      { turn: { id: `${chatId}-t`, chatId, session: "main", state, startedAt: 5 } },
    ];

  test("undoes the last turn's changes", async () => {
    const { user, field, app, id } = open({
      events: (chatId) => [
        ...turn("done")(chatId),
        { undo: { turnId: `${chatId}-t`, chatId, state: "available", files: 1 } },
      ],
    });
    vi.stubGlobal("fetch", async () =>
      Response.json({
        turnId: `${id}-t`,
        since: 1,
        files: [],
        total: 1,
        ready: 1,
        changed: 0,
        notUndone: [],
      }),
    );
    await user.type(field, "/undo{Escape}{Enter}");
    await waitFor(() => expect(app.of("UndoTurn")).toEqual([[`${id}-t`, {}]]));
    expect(field.value).toBe("");
    expect(app.of("Send")).toEqual([]);
  });

  test.each([
    ["done", undefined, "The last turn didn't change any files."],
    ["running", undefined, "The agent is still running."],
    ["done", { state: "undone" }, "The last turn's changes have already been undone."],
    ["done", { state: "unavailable", reason: "The disk was full." }, "The disk was full."],
  ] as const)("says why it can't: %s, %o", async (state, undo, sentence) => {
    const { user, field, app } = open({
      events: (chatId) => [
        ...turn(state)(chatId),
        ...(undo ? [{ undo: { turnId: `${chatId}-t`, chatId, ...undo } }] : []),
      ],
    });
    await user.type(field, "/undo{Escape}{Enter}");
    expect(hint()).toContain(sentence);
    expect(app.of("UndoTurn")).toEqual([]);
    expect(app.of("Send")).toEqual([]);
  });
});
