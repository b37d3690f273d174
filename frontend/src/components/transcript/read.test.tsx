// Reading a chat: finding text, copying, editing and resending messages, and text of any size.

import { fireEvent, screen, waitFor, within } from "@solidjs/testing-library";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { actions } from "../../state/actions";
import { commands } from "../../state/commands";
import { composer } from "../../state/composer";
import { wantedMatch } from "../../state/match";
import { defaultSettings } from "../../state/state";
import { sink } from "../../state/store";
import { append, chunkChars } from "../../state/text";
import { applyEvents, chatEvent, stubBrowser } from "../../testing";
import { item, serve, show, text, textItem, tool, turn } from "./testing";

const runCommand = (id: string) => commands.find((command) => command.id === id)?.run?.();
const article = (name: RegExp) => screen.findByRole("article", { name });

beforeEach(() => {
  stubBrowser();
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect = () => new DOMRect();
  serve({});
});
afterEach(() => {
  sink.reset([]);
});

describe("find in a chat", () => {
  const places = [
    { itemId: "a", pos: 1, count: 2 },
    { itemId: "b", pos: 2, count: 1 },
  ];
  const open = async () => {
    serve({ "/data/find": { places, total: 3 } });
    const shown = show(
      0,
      ...textItem("a", 1, "message", "Token here, token there"),
      ...textItem("b", 2, "user", "my TOKEN"),
    );
    screen.getByRole("textbox", { name: "Message" }).focus();
    runCommand("find");
    const bar = await screen.findByRole("search", { name: "Find in this chat" });
    const field = within(bar).getByRole("searchbox", { name: "Find" });
    expect(field).toHaveFocus();
    await shown.user.type(field, "token");
    const status = within(bar).getByRole("status");
    await waitFor(() => expect(status).toHaveTextContent("1 of 3"));
    return { ...shown, bar, field, status };
  };

  test("counts the matches and cycles through them in both directions", async () => {
    const { user, bar, field, status } = await open();
    await user.keyboard("{Enter}");
    expect(status).toHaveTextContent("2 of 3");
    await user.keyboard("{Enter}{F3}");
    expect(status).toHaveTextContent("1 of 3");
    await user.keyboard("{Shift>}{Enter}{/Shift}");
    expect(status).toHaveTextContent("3 of 3");
    await user.click(within(bar).getByRole("button", { name: "Previous match" }));
    expect(status).toHaveTextContent("2 of 3");
    await user.click(field);
    expect(field).toHaveFocus();
  });

  test("keeps its match while the query grows and shrinks", async () => {
    const found = (a: number) => ({
      "/data/find": {
        places: [
          { itemId: "a", pos: 1, count: a },
          { itemId: "b", pos: 2, count: 1 },
        ],
        total: a + 1,
      },
    });
    serve(found(3));
    const { user } = show(
      0,
      ...textItem("a", 1, "message", "Token one.\n\nTokens two.\n\nTokens three.\n"),
      ...textItem("b", 2, "user", "tokens four"),
    );
    runCommand("find");
    const bar = await screen.findByRole("search", { name: "Find in this chat" });
    const status = within(bar).getByRole("status");
    await user.type(within(bar).getByRole("searchbox", { name: "Find" }), "token");
    await waitFor(() => expect(status).toHaveTextContent("1 of 4"));
    await user.keyboard("{Enter}{Enter}");
    expect(status).toHaveTextContent("3 of 4");
    serve(found(2));
    await user.keyboard("s");
    await waitFor(() => expect(status).toHaveTextContent("2 of 3"));
    serve(found(3));
    await user.keyboard("{Backspace}");
    await waitFor(() => expect(status).toHaveTextContent("3 of 4"));
  });

  test("goes to the first match if the turn ends during the search", async () => {
    serve({});
    const answers: ((places: unknown) => void)[] = [];
    vi.spyOn(actions, "find").mockImplementation(
      () => new Promise((resolve) => answers.push(resolve as (places: unknown) => void)),
    );
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const { user } = show(0, ...textItem("a", 1, "message", "Token here, token there"));
    runCommand("find");
    const bar = await screen.findByRole("search", { name: "Find in this chat" });
    await user.click(within(bar).getByRole("searchbox", { name: "Find" }));
    applyEvents(chatEvent("c", { turnState: "running" }));
    await user.paste("token");
    applyEvents(chatEvent("c", { turnState: "done" }));
    const found = { places: [{ itemId: "a", pos: 1, count: 2 }], total: 2 };
    answers[0]?.(found);
    await waitFor(() => expect(answers).toHaveLength(2));
    answers[1]?.(found);
    await waitFor(() => expect(within(bar).getByRole("status")).toHaveTextContent("1 of 2"));
  });

  test("leaves the text unchanged and returns the focus", async () => {
    const { user } = await open();
    expect((await article(/^VoxPilot/)).textContent).toContain("Token here, token there");
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("search")).toBeNull();
    expect(screen.getByRole("textbox", { name: "Message" })).toHaveFocus();
  });

  test("reports no matches", async () => {
    serve({ "/data/find": { places: [], total: 0 } });
    const { user } = show(0, ...textItem("a", 1, "message", "Token"));
    runCommand("find");
    const bar = await screen.findByRole("search");
    await user.type(within(bar).getByRole("searchbox"), "nothing");
    await within(bar).findByText("No matches");
  });
});

describe("a match in a long body", () => {
  const lines = 60_000;
  const text = (n: number) => `line ${n} of the output${n === 30_000 || n === lines - 1 ? ", a needle" : ""}`;
  const output = Array.from({ length: lines }, (_, n) => `${text(n)}\n`).join("");
  const added = Array.from({ length: lines }, (_, n) => `+${text(n)}\n`).join("");
  const diff = `--- /w/a\n+++ /w/a\n@@ -0,0 +1,${lines} @@\n${added}`;
  const marks = new Map<string, Set<Range>>();

  /** open shows a call whose title and body contain "needle", and serves the locations of these matches. */
  function open(type: "terminal" | "diff", body: string, id: string = type) {
    const size = new TextEncoder().encode(body).length;
    const at = [body.indexOf("needle"), body.lastIndexOf("needle")];
    vi.stubGlobal("fetch", (input: string) => {
      const { pathname, searchParams } = new URL(input, "http://app");
      const [offset, limit, n] = ["offset", "limit", "n"].map((name) => Number(searchParams.get(name)));
      if (pathname === "/data/find")
        return Promise.resolve(Response.json({ places: [{ itemId: id, pos: 1, count: 3 }], total: 3 }));
      // The first match is in the title.
      if (pathname === "/data/spot")
        return Promise.resolve(
          Response.json(n ? { contentId: "k", offset: at[n - 1], nth: n - 1 } : { offset: 0, nth: 0 }),
        );
      if (pathname === "/data/content")
        return Promise.resolve(
          new Response(body.slice(offset, (offset ?? 0) + (limit ?? 0)), {
            headers: { "X-Size": String(size) },
          }),
        );
      return Promise.reject(new Error(`${input} is not served here`));
    });
    return show(0, tool(id, 1, "find the needle"), {
      content: { id: "k", itemId: id, chatId: "c", type, path: "/w/a", size, version: 1, lines },
    });
  }
  /** now returns the text of the line up to the end of the current match. */
  const now = () => {
    const [range] = marks.get("found-now") ?? [];
    if (range?.toString() !== "needle") return undefined;
    return range.startContainer.textContent?.slice(0, range.endOffset).split("\n").at(-1);
  };

  beforeEach(() => {
    vi.stubGlobal(
      "Highlight",
      class extends Set<Range> {
        constructor(...ranges: Range[]) {
          super(ranges);
        }
      },
    );
    marks.clear();
    vi.stubGlobal("CSS", { escape: (name: string) => name, highlights: marks });
  });

  test.each([
    ["output", "terminal", output, "line 0 of the output"],
    ["a diff", "diff", diff, "line 59000 of the output"],
  ] as const)("of %s is found in its middle and at its end", async (_, type, body, elsewhere) => {
    const { user } = open(type, body);
    runCommand("find");
    const bar = await screen.findByRole("search");
    await user.type(within(bar).getByRole("searchbox"), "needle");
    await waitFor(() => expect(within(bar).getByRole("status")).toHaveTextContent("1 of 3"));
    await waitFor(() => expect(now()).toBe("find the needle"));
    expect(screen.queryByRole("region", { name: /^(Output|Change to)/ })).toBeNull();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(now()).toBe("line 30000 of the output, a needle"));
    const region = screen.getByRole("region", { name: /^(Output|Change to)/ });
    expect(region.textContent).not.toContain(elsewhere);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(now()).toBe("line 59999 of the output, a needle"));
    await user.keyboard("{Shift>}{Enter}{/Shift}");
    await waitFor(() => expect(now()).toBe("line 30000 of the output, a needle"));
  });

  test("is shown after a search across all chats", async () => {
    open("terminal", output, "searched");
    applyEvents(tool("searched", 1, "make"));
    vi.spyOn(actions, "matchLocation").mockResolvedValue({
      contentId: "k",
      offset: output.indexOf("needle"),
      nth: 0,
    });
    actions.showMatch("c", "searched", 1, { find: "needle" });
    await waitFor(() => expect(now()).toBe("line 30000 of the output, a needle"));
    await waitFor(() => expect(wantedMatch()).toBeUndefined());
    expect(document.activeElement).toHaveClass("ln");
  });
});

describe("a message", () => {
  test("from the user returns to the composer with its attachments", async () => {
    const file = { kind: "file" as const, name: "a.png", path: "/home/anna/code/orbit-api/a.png" };
    const { user } = show(0, ...textItem("a", 1, "user", "Fix it", { with: [file] }));
    expect(screen.getByRole("list", { name: "Attachments in this message" })).toHaveTextContent("a.png");
    await user.click(screen.getByRole("button", { name: "Edit and send again" }));
    await waitFor(() => expect(composer.draft("c")).toMatchObject({ text: "Fix it", attachments: [file] }));
    expect(screen.getByRole("textbox", { name: "Message" })).toHaveFocus();
  });

  test("is copied in full, including unloaded parts", async () => {
    const whole = "0123456789";
    const { app, user } = show(0, item("a", 1, "message"), {
      text: { itemId: "a", chatId: "c", offset: 0, text: whole.slice(0, 4), size: 400_000 },
    });
    vi.stubGlobal("fetch", (input: string) => {
      const offset = Number(new URL(input, "http://app").searchParams.get("offset"));
      return Promise.resolve(new Response("x".repeat(400_000 - offset), { headers: { "X-Size": "400000" } }));
    });
    await user.click(screen.getByRole("button", { name: "Copy message" }));
    await waitFor(() => expect(app.of("Copy")).toHaveLength(1));
    expect(String(app.of("Copy")[0]?.[0])).toHaveLength(400_000);
  });

  test("that was stopped is resent unchanged", async () => {
    const { app, user } = show(0, turn({ state: "stopped" }), ...textItem("a", 1, "user", "Fix it"));
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(app.of("Send")).toEqual([["c", "Fix it", []]]);
  });

  test("labels an image that can't be displayed", async () => {
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("no image", { headers: { "X-Size": "8" } })));
    URL.createObjectURL = () => "blob:x";
    URL.revokeObjectURL = () => {};
    const image = { kind: "image" as const, name: "a.png", contentId: "i", mime: "image/png", size: 8 };
    const huge = { ...image, name: "b.png", contentId: "h", size: 90_000_000 };
    show(0, ...textItem("a", 1, "user", "Look", { with: [image, huge] }));
    expect(screen.getByText("This image is too large to show (90 MB).")).toBeVisible();
    fireEvent.error(await screen.findByRole("img", { name: "a.png" }));
    expect(screen.getByText("Couldn't show this image.")).toBeVisible();
  });
});

describe("thoughts", () => {
  test("are shown unless the user turned them off", () => {
    show(0, ...textItem("q", 1, "user", "Why"), item("th", 2, "thought"), text("th", "Because"));
    expect(screen.getByRole("button", { name: /^Thought/ })).toBeVisible();
    applyEvents({ settings: { ...defaultSettings, showThoughts: false } });
    expect(screen.queryByRole("button", { name: /^Thought/ })).toBeNull();
  });
});

describe("a text of any size", () => {
  test("copies at most one chunk per added piece", () => {
    let copied = 0;
    const chunks = new Proxy([] as string[], {
      set(target, key, value) {
        if (typeof value === "string") copied += value.length;
        return Reflect.set(target, key, value);
      },
    });
    const piece = "x".repeat(1000);
    for (let i = 0; i < 10_000; i++) append(chunks, piece);
    expect(chunks.join("").length).toBe(10_000_000);
    expect(copied).toBeLessThanOrEqual(10_000 * (piece.length + chunkChars));
    expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThanOrEqual(chunkChars);
  });

  test("is cut only between characters", () => {
    const chunks: string[] = [];
    append(chunks, `${"a".repeat(chunkChars - 1)}😀b`);
    expect(chunks.map((chunk) => chunk.length)).toEqual([chunkChars - 1, 3]);
  });

  test("has a bounded number of nodes in the page, and all of it is reachable", async () => {
    const many = Array.from({ length: 700 }, (_, n) => `Paragraph ${n}\n\n`).join("");
    const { user } = show(0, ...textItem("a", 1, "message", many));
    const log = screen.getByRole("log");
    expect(log.querySelectorAll("*").length).toBeLessThan(1000);
    expect(log).toHaveTextContent("Paragraph 699");
    expect(log).not.toHaveTextContent("Paragraph 300");
    await user.click(screen.getByRole("button", { name: "Show earlier part" }));
    expect(log).toHaveTextContent("Paragraph 300");
    expect(log.querySelectorAll("*").length).toBeLessThan(1000);
    await user.click(screen.getByRole("button", { name: "Show later part" }));
    expect(log).toHaveTextContent("Paragraph 699");
  });

  test("shows its end while streaming, and only part of an endless line", () => {
    show(
      0,
      turn({ state: "running" }),
      item("a", 1, "message", { open: true }),
      text("a", "x".repeat(500_000)),
    );
    expect(screen.getByRole("log").querySelectorAll("*").length).toBeLessThan(100);
  });
});
