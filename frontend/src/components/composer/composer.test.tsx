import { fireEvent, render, screen, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { App } from "../../calls";
import { createCommandKeys } from "../../state/commands";
import { defaultSettings } from "../../state/state";
import { sink } from "../../state/store";
import type { Chat, Event } from "../../state/types";
import { Dock } from "./Dock";
import { matchingCommands } from "./token";

const app = {
  Send: vi.fn<App["Send"]>(),
  Stop: vi.fn<App["Stop"]>(),
  SaveDraft: vi.fn<App["SaveDraft"]>(),
  EditQueued: vi.fn<App["EditQueued"]>(),
  RemoveQueued: vi.fn<App["RemoveQueued"]>(),
  ResumeQueue: vi.fn<App["ResumeQueue"]>(),
};

const chat: Chat = {
  id: "c",
  title: "t",
  folder: "/code/orbit",
  providerId: "copilot",
  permissionMode: "ask",
  createdAt: 1,
  updatedAt: 1,
};

// Unsent text stays with its chat, so each test uses a different one.
let chats = 0;
let id = "";
beforeEach(() => {
  chat.id = id = `c${++chats}`;
});

function show(more: Partial<Chat> = {}, ...events: Event[]) {
  sink.reset([{ chat: { ...chat, ...more } }, { cli: { state: "found", min: "1.0.78" } }]);
  sink.open(id, events, 0, []);
  const page = render(() => <Dock chatId={id} />);
  return {
    ...page,
    user: userEvent.setup(),
    field: screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" }),
  };
}

beforeEach(() => {
  for (const method of Object.values(app)) method.mockReset();
  app.Send.mockResolvedValue("id");
  for (const method of [app.Stop, app.SaveDraft, app.EditQueued, app.RemoveQueued, app.ResumeQueue]) {
    method.mockResolvedValue();
  }
  window.go = { main: { App: app as unknown as App } };
});

test("the field grows with the text size", async () => {
  const { field } = show();
  let lines = 24;
  vi.spyOn(field, "scrollHeight", "get").mockImplementation(() => lines);
  lines = 31;
  sink.apply([{ settings: { ...defaultSettings, textSize: "larger" } }]);
  await waitFor(() => expect(field.style.height).toBe("31px"));
});

describe("Enter", () => {
  test("sends, and the text clears once accepted", async () => {
    const { user, field } = show();
    await user.type(field, "Fix it{Enter}");
    expect(app.Send.mock.calls).toEqual([[id, "Fix it", []]]);
    await waitFor(() => expect(field.value).toBe(""));
  });

  test("with Shift inserts a new line", async () => {
    const { user, field } = show();
    await user.type(field, "one{Shift>}{Enter}{/Shift}two");
    expect(field.value).toBe("one\ntwo");
    expect(app.Send).not.toHaveBeenCalled();
  });

  test("belongs to an input method during composition", () => {
    const { field } = show({ draft: "にほんご" });
    fireEvent.keyDown(field, { key: "Enter", isComposing: true });
    fireEvent.keyDown(field, { key: "Enter", keyCode: 229 });
    expect(app.Send).not.toHaveBeenCalled();
  });

  test("sends nothing if empty", async () => {
    const { user, field } = show();
    await user.type(field, "  {Enter}");
    expect(app.Send).not.toHaveBeenCalled();
    expect(screen.getByRole("button", { name: "Send" })).toBeDisabled();
  });

  test("queues during a turn, which continues", async () => {
    const { user, field } = show({ turnState: "running" });
    expect(field).toHaveAttribute("placeholder", "Add a message to the queue");
    await user.type(field, "And then{Enter}");
    expect(app.Send.mock.calls).toEqual([[id, "And then", []]]);
    expect(app.Stop).not.toHaveBeenCalled();
  });
});

describe("typed text", () => {
  test("stays if it couldn't be sent", async () => {
    app.Send.mockRejectedValue({ code: "storage", message: "Couldn't send the message." });
    const { user, field } = show();
    await user.type(field, "Fix it{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("Couldn't send the message.");
    expect(field.value).toBe("Fix it");
  });

  test("stays if it is too long, with an error", async () => {
    const { user, field } = show();
    fireEvent.input(field, { target: { value: "ü".repeat(500_001) } });
    await user.type(field, "{Enter}");
    expect(app.Send).not.toHaveBeenCalled();
    expect(screen.getByRole("alert")).toHaveTextContent("1,000,002 bytes");
    expect(field.value).toHaveLength(500_001);
  });

  test("entered while the previous message is being sent is the next message", async () => {
    let taken = (_: string) => {};
    app.Send.mockReturnValue(
      new Promise((resolve) => {
        taken = resolve;
      }),
    );
    const { user, field } = show();
    await user.type(field, "one{Enter}");
    await user.type(field, " two");
    taken("id");
    await waitFor(() => expect(field.value).toBe(" two"));
  });

  test("identical to a message being saved is sent as well", async () => {
    let taken = (_: string) => {};
    app.Send.mockReturnValueOnce(
      new Promise((resolve) => {
        taken = resolve;
      }),
    );
    const { user, field } = show();
    await user.type(field, "one{Enter}");
    await user.type(field, "two{Enter}");
    expect(app.Send.mock.calls).toEqual([[id, "one", []]]);
    taken("id");
    await waitFor(() => expect(app.Send.mock.calls.at(-1)).toEqual([id, "two", []]));
    await waitFor(() => expect(field.value).toBe(""));
  });

  test("is saved as a draft when the composer unmounts", async () => {
    const { user, field, unmount } = show();
    await user.type(field, "half a tho");
    unmount();
    expect(app.SaveDraft.mock.calls.at(-1)).toEqual([id, "half a tho", []]);
  });

  test("is restored", () => {
    expect(show({ draft: "half a thought" }).field.value).toBe("half a thought");
  });
});

test("Ctrl+. stops the open chat, and only while it runs", () => {
  show();
  render(() => {
    createCommandKeys(() => true);
    return undefined;
  });
  fireEvent.keyDown(window, { key: ".", ctrlKey: true });
  expect(app.Stop).not.toHaveBeenCalled();
  sink.apply([{ chat: { ...chat, turnState: "running" } }]);
  fireEvent.keyDown(window, { key: ".", ctrlKey: true });
  expect(app.Stop.mock.calls).toEqual([[id]]);
});

describe("the queue", () => {
  const queued = (queuedId: string, text: string, pos: number, paused = false): Event => ({
    queued: { id: queuedId, chatId: id, text, pos, paused, createdAt: pos },
  });

  test("can be viewed, edited and shortened", async () => {
    const { user } = show({ turnState: "running" }, queued("b", "second", 2), queued("a", "first", 1));
    expect(screen.getByRole("list", { name: "Queued messages" })).toHaveTextContent("1first2second");
    await user.click(screen.getByRole("button", { name: "Edit queued message 2" }));
    const editor = screen.getByRole("textbox", { name: "Queued message 2" });
    await user.clear(editor);
    await user.type(editor, "other{Enter}");
    expect(app.EditQueued.mock.calls).toEqual([["b", "other"]]);
    await user.click(screen.getByRole("button", { name: "Remove queued message 1" }));
    expect(app.RemoveQueued.mock.calls).toEqual([["a"]]);
  });

  test("that waits for the user continues on request", async () => {
    const { user } = show({}, queued("a", "first", 1, true));
    await user.click(screen.getByRole("button", { name: "Send now" }));
    expect(app.ResumeQueue.mock.calls).toEqual([[id]]);
  });

  test("opens its last message with Up in an empty composer", async () => {
    const { user, field } = show({ turnState: "running" }, queued("a", "first", 1), queued("b", "second", 2));
    await user.type(field, "{ArrowUp}");
    expect(screen.getByRole("textbox", { name: "Queued message 2" })).toHaveFocus();
    await user.keyboard("{Escape}");
    expect(screen.getByRole("textbox", { name: "Message" })).toHaveFocus();
  });
});

describe("slash commands", () => {
  const commands = [
    { id: "review", name: "review" },
    { id: "rename", name: "rename" },
    { id: "preview", name: "preview" },
  ];

  test("that start with the typed text come first, recently used ones before others", () => {
    const names = (typed: string, recent: string[] = []) =>
      matchingCommands(commands, typed, recent).map((command) => command.id);
    expect(names("re")).toEqual(["review", "rename", "preview"]);
    expect(names("re", ["preview", "rename"])).toEqual(["rename", "review", "preview"]);
    expect(names("", ["preview"])).toEqual(["preview", "review", "rename"]);
    expect(names("x")).toEqual([]);
  });

  test("are chosen with the keyboard, and Enter doesn't send them", async () => {
    const { user, field } = show(
      {},
      {
        session: {
          chatId: id,
          name: "main",
          acpId: "x",
          cwd: "/",
          state: "loaded",
          commands,
          createdAt: 1,
          usedAt: 1,
        },
      },
    );
    await user.type(field, "/re");
    expect(screen.getByRole("option", { name: /review/, selected: true })).toBeVisible();
    await user.keyboard("{ArrowDown}{Enter}");
    expect(field.value).toBe("/rename ");
    expect(app.Send).not.toHaveBeenCalled();
  });
});

test("practice states that no AI answers", () => {
  show({ providerId: "practice" });
  expect(screen.getByText("Practice mode: answers come from a built-in script, not an AI.")).toBeVisible();
});

test("one condition at a time appears above the composer, with advice", async () => {
  show();
  sink.apply([{ connection: { chatId: id, state: "failed", cause: "folder_gone", since: 1 } }]);
  expect(screen.getByRole("alert", { name: "Folder not found" })).toHaveTextContent(
    "The folder /code/orbit no longer exists.",
  );
  sink.apply([{ cli: { state: "missing", min: "1.0.78", searched: ["/usr/bin/copilot"] } }]);
  expect(screen.getAllByRole("alert")).toHaveLength(1);
  expect(screen.getByRole("alert", { name: "Copilot CLI not found" })).toHaveTextContent("/usr/bin/copilot");
  sink.apply([
    { cli: { state: "found", min: "1.0.78" } },
    { connection: { chatId: id, state: "ready", since: 2 } },
  ]);
  expect(screen.queryByRole("alert")).toBeNull();
});
