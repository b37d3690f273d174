import { fireEvent, screen, waitFor } from "@solidjs/testing-library";
import { describe, expect, test } from "vitest";
import { sink } from "../../state/store";
import type { Event, QueuedPrompt } from "../../state/types";
import { beforeOf, indexAt, reorder } from "./queueOrder";
import { imageNamed, open } from "./testing";

const queued = (chatId: string, name: string, pos: number, more: Partial<QueuedPrompt> = {}): Event => ({
  queued: { id: `${chatId}-${name}`, chatId, text: name, pos, createdAt: pos, ...more },
});
const three = (chatId: string) => [
  queued(chatId, "one", 1),
  queued(chatId, "two", 2, { with: [imageNamed("a.png")] }),
  queued(chatId, "three", 3),
];
const texts = () => screen.getAllByRole("listitem").map((row) => row.querySelector(".grow")?.textContent);
const moveHandle = (n: number) => screen.getByRole("button", { name: `Move queued message ${n}` });

describe("a queued message", () => {
  test("moves with Alt and the arrow keys and keeps the focus", async () => {
    const { user, app, id } = open({ chat: { turnState: "running" }, events: three });
    moveHandle(1).focus();
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
    expect(app.of("MoveQueued")).toEqual([[`${id}-one`, `${id}-three`]]);
    expect(texts()).toEqual(["two", "one", "three"]);
    await waitFor(() => expect(moveHandle(2)).toHaveFocus());
    expect(screen.getByText("Moved to position 2 of 3")).toBeInTheDocument();
    sink.apply([queued(id, "one", 2), queued(id, "two", 1)]);
    expect(texts()).toEqual(["two", "one", "three"]);
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
    expect(app.of("MoveQueued").at(-1)).toEqual([`${id}-one`, ""]);
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
    expect(app.of("MoveQueued")).toHaveLength(2);
  });

  test("stays in place if the app can't move it", async () => {
    const { user } = open({
      chat: { turnState: "running" },
      events: three,
      app: { MoveQueued: () => Promise.reject({ code: "storage", message: "It could not be moved." }) },
    });
    moveHandle(1).focus();
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
    expect(await screen.findByText("It could not be moved.")).toBeVisible();
    await waitFor(() => expect(texts()).toEqual(["one", "two", "three"]));
  });

  test("can be dragged", () => {
    const { app, id } = open({ chat: { turnState: "running" }, events: three });
    for (const [at, row] of screen.getAllByRole("listitem").entries()) {
      row.getBoundingClientRect = () => ({ top: at * 28, bottom: at * 28 + 28 }) as DOMRect;
    }
    const handle = moveHandle(3);
    fireEvent.pointerDown(handle, { button: 0, clientY: 70 });
    fireEvent.pointerMove(window, { clientY: 10 });
    expect(texts()).toEqual(["three", "one", "two"]);
    expect(app.of("MoveQueued")).toEqual([]);
    fireEvent.pointerUp(window, { clientY: 10 });
    expect(app.of("MoveQueued")).toEqual([[`${id}-three`, `${id}-one`]]);
  });

  test("is sent at once and lists its attachments", async () => {
    const { user, app, id } = open({ chat: { turnState: "running" }, events: three });
    expect(screen.getAllByRole("listitem")[1]).toHaveTextContent("a.png");
    await user.click(screen.getByRole("button", { name: "Send queued message 2 now" }));
    expect(app.of("SendQueuedNow")).toEqual([[`${id}-two`]]);
  });
});

test("a queued message waits during editing, even during an edit in another chat", async () => {
  const { user, app, id, other, show } = open({ chat: { turnState: "running" }, events: three });
  const edit = (n: number) => screen.getByRole("button", { name: `Edit queued message ${n}` });
  const editor = (n: number) => screen.getByRole("textbox", { name: `Queued message ${n}` });
  await user.click(edit(1));
  expect(app.of("BeginEdit")).toEqual([[`${id}-one`]]);
  await user.keyboard("{Escape}");
  expect(app.of("EndEdit")).toEqual([[`${id}-one`]]);
  await user.click(edit(2));
  await user.type(editor(2), " more{Enter}");
  await waitFor(() => expect(app.of("EndEdit").at(-1)).toEqual([`${id}-two`]));
  expect(app.of("EditQueued")).toEqual([[`${id}-two`, "two more"]]);
  await user.click(edit(3));
  await user.type(editor(3), " begun");
  show(other);
  expect(app.of("EndEdit")).toHaveLength(2);
  show(id);
  expect(editor(3)).toHaveValue("three begun");
  await user.keyboard("{Escape}");
  expect(app.of("EndEdit").at(-1)).toEqual([`${id}-three`]);
});

test("reordering a list moves one entry", () => {
  expect(reorder(["a", "b", "c"], "a", 2)).toEqual(["b", "c", "a"]);
  expect(reorder(["a", "b", "c"], "x", 0)).toEqual(["a", "b", "c"]);
  expect(beforeOf(["a", "b", "c"], "c", 0)).toBe("a");
  expect(beforeOf(["a", "b", "c"], "a", 2)).toBe("");
  const rows = [
    { top: 0, bottom: 28 },
    { top: 28, bottom: 56 },
  ];
  expect([-5, 10, 30, 90].map((y) => indexAt(rows, y))).toEqual([0, 0, 1, 1]);
});
