import { screen as page, render } from "@solidjs/testing-library";
import { createRoot } from "solid-js";
import { beforeEach, describe, expect, test } from "vitest";
import { commands, createCommandKeys } from "../../state/commands";
import { go, screen, visits } from "../../state/screen";
import { applyEvents, chatEvent, resetState } from "../../testing";

import { Switcher } from "./Switcher";

const press = (key: string, more: KeyboardEventInit = {}, on: EventTarget = document.body) => {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  on.dispatchEvent(event);
  return event;
};

beforeEach(() => {
  document.body.replaceChildren();
  resetState(
    chatEvent("a", { updatedAt: 1 }),
    chatEvent("b", { updatedAt: 2 }),
    chatEvent("c", { updatedAt: 3, archived: true }),
  );
  go({ name: "new" });
});

describe("recent chats", () => {
  const held = (key: string, more: KeyboardEventInit = {}) => press(key, { ctrlKey: true, ...more });
  const letGo = () => window.dispatchEvent(new KeyboardEvent("keyup", { key: "Control" }));

  /** switches runs a test with several recent chats to switch between with Ctrl+Tab. */
  const switches = (test: () => void) => {
    for (const id of ["c", "a", "b"]) go({ name: "chat", id });
    // The Switcher isn't rendered inside this root, because rendering is deferred until the root is
    // complete.
    const dispose = createRoot((end) => {
      createCommandKeys(() => true);
      return end;
    });
    const { unmount } = render(Switcher);
    try {
      test();
    } finally {
      unmount();
      dispose();
    }
  };
  const selected = () => page.getByRole("option", { selected: true }).textContent;

  test("are switched with held keys, and keep their order meanwhile", () => {
    switches(() => {
      expect(held("Tab").defaultPrevented).toBe(true);
      expect(page.getByRole("listbox", { name: "Recent chats" })).toBeVisible();
      expect(selected()).toMatch(/^a/);
      held("Tab");
      expect(selected()).toMatch(/^c/);
      held("Tab");
      held("Tab", { shiftKey: true });
      expect(selected()).toMatch(/^c/);
      expect(screen()).toMatchObject({ id: "b" });
      letGo();
      expect(page.queryByRole("listbox")).toBeNull();
      expect(screen()).toMatchObject({ id: "c" });
      expect(visits().slice(0, 3)).toEqual(["c", "b", "a"]);
      held("Tab");
      letGo();
      expect(screen()).toMatchObject({ id: "b" });
    });
  });

  test("start with the last one if Shift is held, and Escape cancels", () => {
    switches(() => {
      held("Tab", { shiftKey: true });
      expect(selected()).toMatch(/^c/);
      held("Escape");
      expect(page.queryByRole("listbox")).toBeNull();
      expect(screen()).toMatchObject({ id: "b" });
    });
  });

  test("omit deleted ones, and one opened from the palette opens at once", () => {
    switches(() => {
      applyEvents(chatEvent("a", { deletedAt: 1 }));
      commands.find((command) => command.id === "nextChat")?.run?.();
      expect(screen()).toMatchObject({ id: "c" });
    });
  });
});
