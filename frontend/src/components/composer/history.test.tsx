import { fireEvent, screen, waitFor } from "@solidjs/testing-library";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { composer } from "../../state/composer";
import { sink } from "../../state/store";
import type { Event } from "../../state/types";
import { applyEvents } from "../../testing";
import { imageNamed, open, userMessage } from "./testing";

const two = (chatId: string) => [
  ...userMessage(chatId, 1, "first"),
  ...userMessage(chatId, 2, "second\nline", [imageNamed("a.png")]),
];

describe("earlier messages", () => {
  test("are recalled with Up in an empty composer, with attachments, and left with Down", async () => {
    const { user, field } = open({ events: two });
    await user.click(field);
    await user.keyboard("{ArrowUp}");
    await waitFor(() => expect(field.value).toBe("second\nline"));
    expect(screen.getByRole("list", { name: "Attachments" })).toHaveTextContent("a.png");
    field.setSelectionRange(0, 0);
    await user.keyboard("{ArrowUp}");
    await waitFor(() => expect(field.value).toBe("first"));
    expect(screen.queryByRole("list", { name: "Attachments" })).toBeNull();
    await user.keyboard("{ArrowUp}");
    expect(field.value).toBe("first");
    await user.keyboard("{ArrowDown}");
    await waitFor(() => expect(field.value).toBe("second\nline"));
    await user.keyboard("{ArrowDown}");
    await waitFor(() => expect(field.value).toBe(""));
  });

  test("are recalled from any distance while the chat continues", async () => {
    const { user, field, id } = open();
    const tool = (pos: number): Event => ({
      item: {
        id: `${id}-i${pos}`,
        chatId: id,
        turnId: "t",
        session: "main",
        pos,
        kind: "tool",
        createdAt: pos,
      },
    });
    sink.open(id, [tool(300)], 300, []);
    const asked: string[] = [];
    const pages: Record<string, unknown> = {
      300: { events: [tool(200)], before: 200 },
      200: { events: [tool(100)], before: 100 },
      100: { events: [...userMessage(id, 5, "second"), ...userMessage(id, 7, "third")], before: 5 },
      5: { events: [tool(4)], before: 4 },
      4: { events: userMessage(id, 3, "first"), before: 3 },
      3: { events: [] },
    };
    vi.stubGlobal("fetch", async (input: string) => {
      const url = new URL(input, "http://app");
      if (url.pathname === "/data/text") {
        const text =
          { [`${id}-i7`]: "third", [`${id}-i5`]: "second" }[url.searchParams.get("item") ?? ""] ?? "first";
        return new Response(text, { headers: { "X-Size": `${text.length}` } });
      }
      const before = url.searchParams.get("before") ?? "";
      asked.push(before);
      return Response.json({ run: "r", seq: 0, ...(pages[before] as object) });
    });
    await user.click(field);
    await user.keyboard("{ArrowUp}");
    applyEvents(tool(301));
    // One key is enough, even if no message is loaded yet.
    await waitFor(() => expect(field.value).toBe("third"));
    expect(asked).toEqual(["300", "200", "100"]);
    field.setSelectionRange(0, 0);
    await user.keyboard("{ArrowUp}");
    await waitFor(() => expect(field.value).toBe("second"));
    field.setSelectionRange(0, 0);
    await user.keyboard("{ArrowUp}");
    await waitFor(() => expect(field.value).toBe("first"));
    expect(asked.slice(0, 5)).toEqual(["300", "200", "100", "5", "4"]);
    // A new message of the user becomes the most recent one.
    await user.clear(field);
    applyEvents(...userMessage(id, 302, "last"));
    await user.keyboard("{ArrowUp}");
    await waitFor(() => expect(field.value).toBe("last"));
  });

  test("that load late never replace a draft", async () => {
    const { user, field, id } = open();
    sink.open(id, [], 300, []);
    let answer = (_: Response) => {};
    vi.stubGlobal("fetch", (input: string) =>
      input.includes("/data/text")
        ? Promise.resolve(new Response("first", { headers: { "X-Size": "5" } }))
        : new Promise<Response>((resolve) => (answer = resolve)),
    );
    await user.click(field);
    await user.keyboard("{ArrowUp}half a thought");
    answer(Response.json({ run: "r", seq: 0, events: userMessage(id, 3, "first") }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(field.value).toBe("half a thought");
  });

  test("never replace typed text", async () => {
    const { user, field } = open({ events: two, chat: { draft: "half a thought" } });
    await user.click(field);
    await user.keyboard("{ArrowUp}{ArrowDown}");
    expect(field.value).toBe("half a thought");
  });

  test("become separate drafts when edited", async () => {
    const { user, field } = open({ events: two });
    await user.click(field);
    await user.keyboard("{ArrowUp}");
    await waitFor(() => expect(field.value).toBe("second\nline"));
    await user.keyboard("!");
    field.setSelectionRange(0, 0);
    await user.keyboard("{ArrowUp}");
    expect(field.value).toBe("second\nline!");
  });
});

describe("a filled-in message", () => {
  test("is focused at its end, and the draft returns after sending", async () => {
    const { user, field, app, id } = open({
      chat: { draft: "half a thought", draftWith: [imageNamed("a.png")] },
    });
    composer.fill(id, "say it again", [imageNamed("b.png")]);
    expect(field).toHaveFocus();
    expect(field.selectionStart).toBe("say it again".length);
    await user.keyboard(", please{Enter}");
    expect(app.of("Send")).toEqual([[id, "say it again, please", [imageNamed("b.png")]]]);
    await waitFor(() => expect(field.value).toBe("half a thought"));
    expect(screen.getByRole("list", { name: "Attachments" })).toHaveTextContent("a.png");
  });

  test("is replaced by the draft on Down", async () => {
    const { user, field, id } = open({ chat: { draft: "half a thought" } });
    composer.fill(id, "say it again");
    composer.fill(id, "or this");
    await user.keyboard("{ArrowDown}");
    expect(field.value).toBe("half a thought");
  });
});

describe("a draft", () => {
  test("is restored with its chat, before the app responds", async () => {
    const { user, field, unmount, app, id } = open();
    await user.type(field, "half a tho");
    unmount();
    expect(app.of("SaveDraft").at(-1)).toEqual([id, "half a tho", []]);
    expect(composer.draft(id).text).toBe("half a tho");
  });

  test("is saved while the user keeps typing, but not on each key", () => {
    const { field, app, id } = open();
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const letters = 10;
    for (let n = 1; n <= letters; n++) {
      fireEvent.input(field, { target: { value: "x".repeat(n) } });
      vi.advanceTimersByTime(100);
    }
    expect(app.of("SaveDraft").length).toBeGreaterThan(1);
    expect(app.of("SaveDraft").length).toBeLessThanOrEqual(letters / 2);
    vi.advanceTimersByTime(200);
    expect(app.of("SaveDraft").at(-1)).toEqual([id, "x".repeat(letters), []]);
  });

  test("is saved at once when the window loses focus", async () => {
    const { user, field, app, id } = open();
    await user.type(field, "half");
    window.dispatchEvent(new Event("blur"));
    const saved = app.of("SaveDraft");
    expect(saved.at(-1)).toEqual([id, "half", []]);
    window.dispatchEvent(new Event("blur"));
    expect(app.of("SaveDraft")).toHaveLength(saved.length);
  });
});
