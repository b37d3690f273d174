import { screen, waitFor } from "@solidjs/testing-library";
import { describe, expect, test, vi } from "vitest";
import { composer } from "../../state/composer";
import { sink } from "../../state/store";
import type { Event } from "../../state/types";
import { learn } from "../../testing";
import { anImage, open, said } from "./testing";

const two = (chatId: string) => [
  ...said(chatId, 1, "first"),
  ...said(chatId, 2, "second\nline", [anImage("a.png")]),
];

describe("earlier messages", () => {
  test("come back with Up in an empty composer, with what went with them, and go with Down", async () => {
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

  test("come from however far back they are, while more is done", async () => {
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
      100: { events: [...said(id, 5, "second"), ...said(id, 7, "third")], before: 5 },
      5: { events: [tool(4)], before: 4 },
      4: { events: said(id, 3, "first"), before: 3 },
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
    learn(tool(301));
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
    learn(...said(id, 302, "last"));
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
    answer(Response.json({ run: "r", seq: 0, events: said(id, 3, "first") }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(field.value).toBe("half a thought");
  });

  test("never take the place of what was written", async () => {
    const { user, field } = open({ events: two, chat: { draft: "half a thought" } });
    await user.click(field);
    await user.keyboard("{ArrowUp}{ArrowDown}");
    expect(field.value).toBe("half a thought");
  });

  test("that were changed are a draft of their own", async () => {
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

describe("a message that is filled in", () => {
  test("has the focus at its end, and the draft returns once it was sent", async () => {
    const { user, field, app, id } = open({
      chat: { draft: "half a thought", draftWith: [anImage("a.png")] },
    });
    composer.fill(id, "say it again", [anImage("b.png")]);
    expect(field).toHaveFocus();
    expect(field.selectionStart).toBe("say it again".length);
    await user.keyboard(", please{Enter}");
    expect(app.of("Send")).toEqual([[id, "say it again, please", [anImage("b.png")]]]);
    await waitFor(() => expect(field.value).toBe("half a thought"));
    expect(screen.getByRole("list", { name: "Attachments" })).toHaveTextContent("a.png");
  });

  test("gives way to the draft with Down", async () => {
    const { user, field, id } = open({ chat: { draft: "half a thought" } });
    composer.fill(id, "say it again");
    composer.fill(id, "or this");
    await user.keyboard("{ArrowDown}");
    expect(field.value).toBe("half a thought");
  });
});

describe("a draft", () => {
  test("is there when its chat comes back, before the app has answered", async () => {
    const { user, field, unmount, app, id } = open();
    await user.type(field, "half a tho");
    unmount();
    expect(app.of("SaveDraft").at(-1)).toEqual([id, "half a tho", []]);
    expect(composer.draft(id).text).toBe("half a tho");
  });

  test("is kept at once when the window is left", async () => {
    const { user, field, app, id } = open();
    await user.type(field, "half");
    window.dispatchEvent(new Event("blur"));
    expect(app.of("SaveDraft")).toEqual([[id, "half", []]]);
    window.dispatchEvent(new Event("blur"));
    expect(app.of("SaveDraft")).toHaveLength(1);
  });
});
