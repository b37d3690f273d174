import { createRoot } from "solid-js";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { chatEvent, resetState, stubApp } from "../testing";
import { commandFor, commands, createCommandKeys, provide } from "./commands";
import { areKeys } from "./keys";
import { go, screen } from "./screen";

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

/** withCommandKeys runs a test with the command key handler installed. */
function withCommandKeys(test: () => void, usable = true): void {
  createRoot((dispose) => {
    createCommandKeys(() => usable);
    try {
      test();
    } finally {
      dispose();
    }
  });
}

test("languages are found by their native names and by those in the window's language", () => {
  const labels = commands.filter((each) => each.id.startsWith("language.")).map((each) => each.label());
  expect(labels).toEqual(["Language: English", "Language: Deutsch (German)", "Language: 简体中文 (Chinese)"]);
  const app = stubApp();
  commands.find((each) => each.id === "language.de")?.run?.();
  expect(app.of("SaveSettings")).toMatchObject([[{ language: "de" }]]);
});

describe("commands", () => {
  test("have unique IDs and keys", () => {
    const ids = commands.map((command) => command.id);
    expect(new Set(ids).size).toBe(ids.length);
    const keys = commands.filter((each) => each.run && each.keys).map((each) => each.keys?.join("+"));
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("run on their exact keys only", () => {
    withCommandKeys(() => {
      expect(press("f", { ctrlKey: true, shiftKey: true }).defaultPrevented).toBe(true);
      expect(screen().name).toBe("search");
      press("n", { ctrlKey: true, altKey: true });
      press("n");
      expect(screen().name).toBe("search");
      press("n", { ctrlKey: true });
      expect(screen().name).toBe("new");
    });
  });

  test("open chats by digit in list order, without archived ones", () => {
    withCommandKeys(() => {
      press("1", { ctrlKey: true });
      expect(screen()).toMatchObject({ name: "chat", id: "b" });
      press("&", { ctrlKey: true, code: "Digit2" });
      expect(screen()).toMatchObject({ name: "chat", id: "a" });
      expect(press("3", { ctrlKey: true }).defaultPrevented).toBe(true);
      expect(screen()).toMatchObject({ name: "chat", id: "a" });
    });
  });

  test("keep the Stop key from the system even if nothing runs", () => {
    withCommandKeys(() => {
      expect(press(".", { ctrlKey: true }).defaultPrevented).toBe(true);
      expect(press(".", { ctrlKey: true, repeat: true }).defaultPrevented).toBe(true);
      expect(press(".").defaultPrevented).toBe(false);
    });
  });

  test("wait while a dialog is open and while the window is blocked", () => {
    document.body.innerHTML = '<div class="dialog"></div>';
    withCommandKeys(() => expect(press("f", { ctrlKey: true, shiftKey: true }).defaultPrevented).toBe(false));
    document.body.replaceChildren();
    withCommandKeys(
      () => expect(press("f", { ctrlKey: true, shiftKey: true }).defaultPrevented).toBe(false),
      false,
    );
    expect(screen().name).toBe("new");
  });

  test("leave text fields their keys", () => {
    resetState(chatEvent("a", { deletedAt: Date.now() }));
    document.body.innerHTML = "<textarea></textarea><button></button>";
    const [text, button] = document.body.children;
    const undo = (on: Element | undefined) => {
      let found: string | undefined;
      on?.addEventListener("keydown", (event) => (found = commandFor(event as KeyboardEvent)?.id), {
        once: true,
      });
      press("z", { ctrlKey: true }, on);
      return found;
    };
    expect(undo(text)).toBeUndefined();
    expect(undo(button)).toBe("undoDelete");
  });

  test("are handled by the newest mounted handler", () => {
    const [first, second] = [vi.fn(), vi.fn()];
    const stop = commands.find((command) => command.id === "stop");
    expect(stop?.when?.()).toBe(false);
    createRoot((dispose) => {
      provide("stop", first);
      createRoot((gone) => {
        provide("stop", second);
        stop?.run?.();
        gone();
      });
      stop?.run?.();
      dispose();
    });
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
    expect(stop?.when?.()).toBe(false);
  });

  test("work on keyboards without Latin letters", () => {
    const event = (key: string, code: string) => new KeyboardEvent("keydown", { key, code, ctrlKey: true });
    expect(areKeys(["Mod", "K"], event("л", "KeyK"))).toBe(true);
    expect(areKeys(["Mod", "K"], event("k", "KeyV"))).toBe(true);
    expect(areKeys(["Mod", "K"], event("v", "KeyK"))).toBe(false);
  });
});
