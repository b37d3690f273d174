// Tests of reading a long chat: jumping to a place in it, and keeping the scroll position.

import { cleanup, fireEvent, screen, waitFor } from "@solidjs/testing-library";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { actions } from "../../state/actions";
import { wantedMatch } from "../../state/match";
import { raw, sink } from "../../state/store";
import { hiddenRequest, requestView, showRequest } from "../../state/transcriptView";
import type { Event, Permission } from "../../state/types";
import { applyEvents, stubBrowser } from "../../testing";
import { item, serve, show, textItem, tool, turn } from "./testing";
import { scrollStateOf } from "./viewState";

const aRequest: Permission = {
  id: "p",
  chatId: "c",
  turnId: "t",
  session: "main",
  state: "open",
  title: "Run",
  kind: "execute",
  options: [],
  createdAt: 1,
};

beforeEach(() => {
  stubBrowser();
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect = () => new DOMRect();
  serve({});
});
afterEach(() => {
  sink.reset([]);
});

describe("a place", () => {
  test("in an unloaded page is loaded, shown and focused", async () => {
    const events = textItem("old", 3, "message", "An old answer");
    const none = { run: "r", seq: 9, events: [], before: 100 };
    serve({ "/data/items?chat=c&around=3": { run: "r", seq: 9, events, before: 3 }, "/data/items": none });
    show(100, ...textItem("new", 100, "message", "The newest answer"));
    actions.showMatch("c", "old", 3);
    await screen.findByText("An old answer");
    await waitFor(() => expect(document.activeElement).toHaveAttribute("data-item", "old"));
    expect(document.activeElement).toHaveClass("match-target");
    expect(screen.queryByText("The newest answer")).toBeNull();
    expect(screen.getByRole("button", { name: "Jump to latest" })).toBeVisible();
  });

  test("away from the end stops following, counts new items and leads back", async () => {
    const none = { run: "r", seq: 9, events: [], before: 100 };
    const events = textItem("old", 3, "message", "An old answer");
    serve({ "/data/items?chat=c&around=3": { run: "r", seq: 9, events, before: 3 }, "/data/items": none });
    const { user } = show(
      100,
      turn({ state: "running" }),
      ...textItem("new", 100, "user", "The newest question"),
    );
    actions.showMatch("c", "old", 3);
    await screen.findByText("An old answer");
    await waitFor(() => expect(screen.queryByText("The newest question")).toBeNull());
    applyEvents(
      tool("x", 101, "go vet ./..."),
      ...textItem("b", 102, "message", "An answer that came meanwhile"),
    );
    applyEvents({ permission: { ...aRequest, itemId: "x" } });
    expect(screen.queryByText("An answer that came meanwhile")).toBeNull();
    expect(hiddenRequest("c")).toBe("p");
    await user.click(screen.getByRole("button", { name: "Jump to latest, 2 new" }));
    expect(screen.getByText("An answer that came meanwhile")).toBeVisible();
    expect(screen.getByText("The newest question")).toBeVisible();
    expect(screen.queryByText("An old answer")).toBeNull();
    expect(screen.getAllByRole("article")).toHaveLength(2);
  });

  test("in a folded block opens it", async () => {
    show(
      0,
      item("b", 1, "block", { block: { toolCallId: "x", sessionName: "auth", turnId: "t", prompt: "" } }),
      tool("inside", 2, "go vet ./...", { parentId: "b", session: "auth" }),
    );
    expect(screen.queryByRole("button", { name: /^Run go vet/ })).toBeNull();
    actions.showMatch("c", "inside", 2, { parentId: "b" });
    const row = await screen.findByRole("button", { name: /^Run go vet/ });
    await waitFor(() => expect(row).toHaveFocus());
  });

  test("in a block's request opens it, but the block alone doesn't", async () => {
    const body = { toolCallId: "x", sessionName: "asked", turnId: "t", prompt: "Look at the logger" };
    show(0, item("asked", 1, "block", { block: body }));
    const summary = () => document.querySelector("summary");
    actions.showMatch("c", "asked", 1);
    await waitFor(() => expect(summary()).toHaveFocus());
    expect(screen.queryByText("Look at the logger")).toBeNull();
    summary()?.blur();
    actions.showMatch("c", "asked", 1, { find: "logger" });
    expect(await screen.findByText("Look at the logger")).toBeVisible();
    await waitFor(() => expect(summary()).toHaveFocus());
  });

  test("in a nested block leads to the outer row", async () => {
    const block = (name: string) => ({
      block: { toolCallId: name, sessionName: name, turnId: "t", prompt: "" },
    });
    show(
      0,
      item("b", 1, "block", block("auth")),
      item("bb", 2, "block", { ...block("tests"), parentId: "b" }),
      tool("inside", 3, "go vet ./...", { parentId: "bb", session: "tests" }),
    );
    actions.showMatch("c", "inside", 3, { parentId: "bb" });
    await waitFor(() => expect(document.activeElement).toHaveAttribute("data-key", "b:b"));
  });

  test("that doesn't exist changes nothing", async () => {
    const asked = serve({ "/data/items": { run: "r", seq: 9, events: [], before: 100 } });
    show(100, ...textItem("new", 100, "message", "The newest answer"));
    actions.showMatch("c", "gone", 3);
    await waitFor(() => expect(asked.join(" ")).toContain("around=3"));
    expect(screen.getByText("The newest answer")).toBeVisible();
    expect(document.querySelector(".match-target")).toBeNull();
  });
});

describe("a long chat", () => {
  const high = 60;
  /** layOut gives the list a height and limits its scroll offset, as a browser would. */
  function layOut(): void {
    const isList = (element: Element) => element.classList.contains("scroll");
    let top = 0;
    const sizes: Record<string, PropertyDescriptor & ThisType<HTMLElement>> = {
      clientHeight: { get: () => 800 },
      scrollHeight: {
        get() {
          if (!isList(this)) return 0;
          const spaces = [...this.querySelectorAll<HTMLElement>(".space")];
          const rest = spaces.reduce((sum, space) => sum + Number.parseFloat(space.style.height), 0);
          return rest + high * this.querySelectorAll(".entry").length;
        },
      },
      scrollTop: {
        get: () => top,
        set(y: number) {
          if (isList(this)) top = Math.max(0, Math.min(y, this.scrollHeight - this.clientHeight));
        },
      },
    };
    for (const [name, size] of Object.entries(sizes)) {
      Object.defineProperty(HTMLElement.prototype, name, { ...size, configurable: true });
    }
    onTestFinished(() => {
      for (const name of Object.keys(sizes)) Reflect.deleteProperty(HTMLElement.prototype, name);
    });
  }
  const scroller = () => document.querySelector(".scroll") as HTMLElement;
  const scroll = (y: number) => {
    scroller().scrollTop = y;
    fireEvent.scroll(scroller());
  };
  const many = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) =>
      textItem(`i${from + n}`, from + n, n % 2 === 0 ? "user" : "message", `Words ${from + n}`),
    ).flat();
  const tools = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => tool(`i${from + n}`, from + n, "ls"));
  const part = (events: Event[], before = 0) => ({ run: "r", seq: 9, events, before });

  test("shows a search target even just before the loaded part", async () => {
    layOut();
    serve({ "/data/items?chat=c&around=20": part(many(1, 51)), "/data/items": part([], 31) });
    show(31, ...many(31, 261));
    actions.showMatch("c", "i20", 20);
    await waitFor(() => expect(document.activeElement).toHaveAttribute("data-item", "i20"));
  });

  test("shows its beginning to a reader at its end", async () => {
    layOut();
    serve({ "/data/items?chat=c&after=0": part(many(1, 61)), "/data/items": part([], 31) });
    const { user } = show(31, ...many(31, 261));
    await user.keyboard("{Home}");
    await waitFor(() => expect(document.activeElement).toHaveAttribute("data-item", "i1"));
  });

  test("can be read through a run longer than a page", async () => {
    layOut();
    const asked = serve({
      "/data/items?chat=c&around=5": part([...many(1, 10), ...tools(10, 61)]),
      "/data/items?chat=c&after=60": part(tools(61, 121)),
      "/data/items?chat=c&after=120": part(tools(121, 181)),
      "/data/items?chat=c&after=180": part(many(181, 241)),
    });
    show(400, ...many(400, 460));
    actions.showMatch("c", "i5", 5);
    await waitFor(() => expect(raw().pages.c?.window?.order).toContain("i240"));
    expect(asked.filter((each) => each.includes("after=60"))).toHaveLength(1);
  });

  test("doesn't follow its end after navigation elsewhere", async () => {
    layOut();
    serve({ "/data/items?chat=c&around=20": part(many(1, 51)), "/data/items": part([], 400) });
    show(400, ...many(400, 460));
    expect(await actions.loadMatch({ chatId: "c", itemId: "i20", pos: 20 })).toBe(true);
    cleanup();
    expect(scrollStateOf("c")?.follows).toBe(false);
  });

  describe("shows the last requested place, not a slow earlier one", () => {
    /** slowly holds back the response to a path until the test releases it. */
    const slowly = (path: string, answer: unknown) => {
      let come = () => {};
      const asked = serve({ "/data/items": part([], 31) });
      const others = fetch;
      vi.stubGlobal("fetch", (input: string) => {
        if (!input.startsWith(path)) return others(input);
        return new Promise((done) => {
          come = () => done(Response.json(answer));
        });
      });
      return { asked, come: () => come() };
    };
    const around = "/data/items?chat=c&around=20";
    const settled = () => waitFor(() => expect(wantedMatch()).toBeUndefined());

    test("if the reader moved to another message", async () => {
      layOut();
      const { come } = slowly(around, part(many(1, 51)));
      const { user } = show(31, ...many(31, 261));
      scroll(0);
      actions.showMatch("c", "i20", 20);
      await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
      const there = document.activeElement;
      expect(there).toHaveAttribute("data-item");
      come();
      await settled();
      expect(document.activeElement).toBe(there);
      expect(raw().pages.c?.window).toBeUndefined();
    });

    test("if the reader moved to the waiting request", async () => {
      layOut();
      const { come } = slowly(around, part(many(1, 51)));
      show(31, ...many(31, 261), tool("i261", 261, "ls"), { permission: { ...aRequest, itemId: "i261" } });
      scroll(0);
      expect(hiddenRequest("c")).toBe("p");
      actions.showMatch("c", "i20", 20);
      showRequest("c");
      come();
      await settled();
      expect(raw().pages.c?.window).toBeUndefined();
      expect(hiddenRequest("c")).toBeUndefined();
    });

    test("if a session's newest block arrives too late", async () => {
      layOut();
      const sessions = [{ name: "far", turns: 1, workMillis: 1, blockId: "i20", blockPos: 20 }];
      const { asked, come } = slowly("/data/sessions", { sessions });
      const { user } = show(31, ...many(31, 261));
      const found = vi.spyOn(actions, "sessionStats");
      scroll(0);
      requestView({ chatId: "c", session: "far" });
      await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
      come();
      await found.mock.results[0]?.value;
      expect(wantedMatch()).toBeUndefined();
      expect(asked.filter((each) => each.includes("around="))).toEqual([]);
    });
  });

  test("keeps its reading position, even at the end of a turn", () => {
    layOut();
    show(
      0,
      turn({ state: "stopped" }),
      ...textItem("q", 1, "user", "Why"),
      ...textItem("a", 2, "message", "Because"),
      turn({ id: "u" }),
      ...many(3, 60).map((each) => (each.item ? { item: { ...each.item, turnId: "u" } } : each)),
    );
    scroll(80);
    cleanup();
    expect(scrollStateOf("c")?.anchor?.key).toBe("e:t");
    expect(raw().pages.c?.leftAt).toBe(2);
  });
});
