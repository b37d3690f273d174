// The main session's lines and folds.

import { screen, waitFor } from "@solidjs/testing-library";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { actions } from "../../state/actions";
import { sink } from "../../state/store";
import type { Event, Item, Tool } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubBrowser } from "../../testing";
import {
  call as callAt,
  diff as diffOf,
  line,
  names,
  root,
  showTranscript,
  textItem as textAt,
  mainTurn as turn,
} from "./testing";

let pos = 0;
let testNumber = 0;
/** id makes an ID unique to the current test, because open states persist between tests. */
const id = (name: string) => `${name}-${testNumber}`;

const call = (name: string, tool: Partial<Tool>, more?: Partial<Item>) =>
  callAt(id(name), ++pos, { callId: name, ...tool }, more);
const diff = (name: string, path: string, added: number, removed: number) =>
  diffOf(id(name), path, added, removed);
const textItem = (name: string, kind: "user" | "message", text: string, more?: Partial<Item>) =>
  textAt(id(name), ++pos, kind, text, { createdAt: 1, ...more });
const show = (...events: Event[]) => showTranscript(0, ...events);

beforeEach(() => {
  testNumber++;
  stubBrowser();
  vi.stubGlobal("fetch", () => Promise.reject(new Error("nothing is pulled here")));
  resetState(chatEvent("c", { turnState: "running" }));
});
afterEach(() => {
  vi.restoreAllMocks();
  sink.reset([]);
});

describe("a line", () => {
  test.each<[string, Partial<Tool>]>([
    ["Read main.go, lines 30 to 88", { kind: "read", path: `${root}/main.go`, fact: "lines 30 to 88" }],
    ["Created flight/flight.go", { kind: "edit", path: `${root}/flight/flight.go`, creates: true }],
    ["Deleted log/global.go", { kind: "delete", path: `${root}/log/global.go` }],
    ["Moved a.go to b.go", { kind: "move", path: `${root}/a.go`, to: `${root}/b.go` }],
    ["Searched for race, 3 matches", { kind: "search", command: "race", fact: "3 matches" }],
    ["Ran go test ./..., 1.9 s", { kind: "execute", command: "go test ./..." }],
    ["Ran go vet ./..., exit 1, 1.9 s", { kind: "execute", command: "go vet ./...", exitCode: 1 }],
    ["Ran make, killed by SIGKILL, 1.9 s", { kind: "execute", command: "make", signal: "SIGKILL" }],
    ["Opened go.dev/log, 18 KB", { kind: "fetch", title: "https://go.dev/log", fact: "18 KB" }],
    ["Used github, list_issues, 12 items", { kind: "other", title: "github, list_issues", fact: "12 items" }],
    [
      "Couldn't edit main.go, the text to replace is not there",
      { kind: "edit", path: `${root}/main.go`, status: "failed", fact: "the text to replace is not there" },
    ],
    ["Ran make, stopped, 2 s", { kind: "execute", command: "make", status: "cancelled" }],
    ["You rejected editing main.go", { kind: "edit", path: `${root}/main.go`, decision: "rejected" }],
    [
      "Your rule rejected running rm -rf dist",
      { kind: "execute", command: "rm -rf dist", decision: "rejected", decidedBy: { kind: "rule", at: 1 } },
    ],
    ["Wants to run make, not answered", { kind: "execute", command: "make", decision: "closed" }],
    ["Read shell output, exit 1", { kind: "read", title: "Reading shell output", exitCode: 1 }],
    ["Couldn't search for race, failed", { kind: "search", command: "race", status: "failed" }],
    ["You rejected searching for race", { kind: "search", command: "race", decision: "rejected" }],
    ["Searched for text in files", { kind: "search" }],
    ["Used a tool", { kind: "other" }],
    ["Edited a file", { kind: "edit" }],
    ["Thought about the task, 1.9 s", { kind: "think" }],
    ["You rejected thinking about the task", { kind: "think", decision: "rejected" }],
    ["Ran a command, no result", { kind: "execute", status: "pending" }],
  ])("says %s", (name, tool) => {
    show(turn("done", { endedAt: 9 }), call("a", tool));
    expect(names()).toEqual([name]);
  });

  test("has a cross if it failed, and no sign on success", () => {
    show(turn("done", { endedAt: 9 }), call("a", { kind: "execute", command: "make", signal: "SIGKILL" }));
    expect(line("Ran make, killed by SIGKILL, 1.9 s")).toHaveAttribute("data-status", "failed");
    expect(document.querySelector(".lucide-check")).toBeNull();
    expect(document.querySelector(".fx .bad")).not.toBeNull();
  });

  test("excludes the user's wait from its time", () => {
    show(
      turn("done", { endedAt: 9 }),
      call("a", { kind: "execute", command: "make" }, { endedAt: 61_000, waited: 58_000 }),
    );
    expect(names()).toEqual(["Ran make, 2.0 s"]);
  });

  test("shows how it was allowed once open", async () => {
    const { user } = show(
      turn("done", { endedAt: 9 }),
      call("a", {
        kind: "execute",
        command: "make",
        decision: "auto_allowed",
        decidedBy: { kind: "mode", at: 1, mode: "accept_edits" },
      }),
    );
    expect(document.body).not.toHaveTextContent("Allowed by");
    await user.click(line("Ran make, 1.9 s"));
    expect(screen.getByText("Allowed by “Allow edits”")).toBeVisible();
  });

  test("for a rejected change opens to it and quotes the reason", async () => {
    const { user } = show(
      turn("done", { endedAt: 9 }),
      call("a", {
        kind: "edit",
        path: `${root}/main.go`,
        status: "failed",
        decision: "rejected",
        decidedBy: { kind: "user", at: 1, reason: "Use \u202Esubtests" },
      }),
      diff("a", `${root}/main.go`, 5, 1),
    );
    expect(screen.getByText("“Use [U+202E]subtests” was sent as your message.")).toBeVisible();
    await user.click(line("You rejected editing main.go"));
    expect(screen.getByText("Not applied")).toBeVisible();
  });

  test("names an agent other than Copilot", () => {
    resetState(chatEvent("c", { providerId: "p" }), {
      profile: { id: "p", name: "Gemini", command: "gemini", args: [], env: [], createdAt: 1 },
    } as never);
    show(turn("running"), call("a", { kind: "edit", path: `${root}/a.go`, unasked: true }));
    expect(screen.getByRole("list", { name: "Steps by Gemini" })).toBeVisible();
    expect(screen.getByRole("group", { name: "Gemini is working" })).toBeVisible();
    expect(line("Edited a.go, Gemini didn't ask for permission")).toBeVisible();
    expect(document.body).not.toHaveTextContent("Copilot");
  });
});

test("a failure opens automatically only if it ended the turn", () => {
  const failed = (name: string) => call(name, { kind: "execute", command: name, exitCode: 1 });
  show(turn("done", { endedAt: 9 }), failed("first"), failed("last"));
  expect(line("Ran first, exit 1, 1.9 s")).toHaveAttribute("aria-expanded", "false");
  expect(line("Ran last, exit 1, 1.9 s")).toHaveAttribute("aria-expanded", "true");
});

describe("a fold", () => {
  const read = (name: string) => call(name, { path: `${root}/${name}.go` });

  test("keeps its element and open parts while it grows", async () => {
    const { user } = show(turn("running"), read("a"));
    const button = line("Read a.go");
    await user.click(button);
    applyEvents(read("b"));
    expect(line("Read 2 files")).toBe(button);
    expect(button).toHaveAttribute("aria-expanded", "true");
    expect(line("Read a.go")).toHaveAttribute("aria-expanded", "true");
    applyEvents(read("c"));
    expect(line("Read 3 files")).toBe(button);
  });

  describe("that absorbs a line", () => {
    const asks = () => call("b", { path: `${root}/b.go`, status: "in_progress" }, { open: true });
    const ends = (of: Event): Event => ({
      item: { ...(of.item as Item), open: false, tool: { ...(of.item?.tool as Tool), status: "completed" } },
    });
    const animate = vi.fn(() => ({ finished: new Promise(() => {}) }));
    beforeEach(() => {
      animate.mockClear();
      Element.prototype.animate = animate as never;
    });
    afterEach(() => {
      Reflect.deleteProperty(Element.prototype, "animate");
      document.documentElement.style.removeProperty("--t-base");
    });

    test.each([
      ["shrinks its room in 180 ms", "180ms", 1],
      ["moves nothing where motion is reduced", "0ms", 0],
    ])("%s", (_, time, times) => {
      document.documentElement.style.setProperty("--t-base", time);
      const [a, b] = [read("a"), asks()];
      show(turn("running"), a, b);
      applyEvents(ends(b));
      expect(animate).toHaveBeenCalledTimes(times);
      expect(document.querySelectorAll(".joining .ln")).toHaveLength(times);
      if (times > 0)
        expect(animate.mock.calls[0]).toMatchObject([[{}, { height: "0px" }], { duration: 180 }]);
      expect(names()).toEqual(times > 0 ? ["Read 2 files", null] : ["Read 2 files"]);
    });

    test("skips one that is open or focused", async () => {
      document.documentElement.style.setProperty("--t-base", "180ms");
      const [a, b] = [read("a"), asks()];
      show(turn("running"), a, b);
      line("Reading b.go").focus();
      applyEvents(ends(b));
      expect(line("Read 2 files")).toHaveFocus();
      expect(animate).not.toHaveBeenCalled();
    });
  });

  test("takes over the focus of an absorbed line", () => {
    const asks = call("b", { kind: "read", path: `${root}/b.go`, status: "in_progress" }, { open: true });
    show(turn("running"), read("a"), asks);
    line("Reading b.go").focus();
    applyEvents({
      item: {
        ...(asks.item as Item),
        open: false,
        tool: { ...(asks.item?.tool as Tool), status: "completed" },
      },
    });
    expect(line("Read 2 files")).toHaveFocus();
  });

  test("is the tab stop of an absorbed line", async () => {
    const done = read("a");
    const asks = call("b", { kind: "read", path: `${root}/b.go`, status: "in_progress" }, { open: true });
    const { user } = show(turn("running"), done, asks);
    line("Reading b.go").focus();
    line("Reading b.go").blur();
    applyEvents({
      item: {
        ...(asks.item as Item),
        open: false,
        tool: { ...(asks.item?.tool as Tool), status: "completed" },
      },
    });
    const stops = () => [...document.querySelectorAll(".ln[tabindex='0']")];
    expect(stops()).toEqual([line("Read 2 files")]);
    line("Read 2 files").focus();
    await user.keyboard("{ArrowRight}{ArrowDown}{ArrowDown}");
    expect(stops()).toEqual([line("Read b.go")]);
    line("Read b.go").blur();
    line("Read 2 files").click();
    expect(stops()).toEqual([line("Read 2 files")]);
  });

  test("opens for navigation to a place inside it", async () => {
    show(turn("done", { endedAt: 9 }), read("a"), read("b"));
    expect(line("Read 2 files")).toHaveAttribute("aria-expanded", "false");
    actions.showMatch("c", id("b"), pos);
    await waitFor(() => expect(line("Read b.go")).toHaveFocus());
    expect(line("Read 2 files")).toHaveAttribute("aria-expanded", "true");
  });
});

test("the lines of a list are one tab stop, navigated with arrow keys", async () => {
  const { user } = show(
    turn("done", { endedAt: 9 }),
    call("a", { kind: "edit", path: `${root}/a.go` }),
    call("b", { path: `${root}/b.go` }),
    call("c", { path: `${root}/c.go` }),
    call("d", { kind: "execute", command: "make" }),
  );
  const open = vi.spyOn(actions, "openInEditor").mockResolvedValue();
  expect([...document.querySelectorAll(".ln[tabindex='0']")]).toHaveLength(1);
  line("Edited a.go").focus();
  await user.keyboard("{Control>}{Enter}{/Control}");
  expect(open).toHaveBeenCalledWith("c", `${root}/a.go`, 0);
  await user.keyboard("{ArrowDown}{ArrowRight}{ArrowDown}");
  expect(line("Read b.go")).toHaveFocus();
  await user.keyboard("{ArrowLeft}");
  expect(line("Read 2 files")).toHaveFocus();
  await user.keyboard("{ArrowLeft}{End}");
  expect(line("Read 2 files")).toHaveAttribute("aria-expanded", "false");
  expect(line("Ran make, 1.9 s")).toHaveFocus();
  expect([...document.querySelectorAll(".ln[tabindex='0']")]).toEqual([line("Ran make, 1.9 s")]);
  await user.keyboard("{Home}");
  expect(line("Edited a.go")).toHaveFocus();
});

test("an open fold and its first line are one tab stop, even while the line is hidden", async () => {
  const { user } = show(
    turn("done", { endedAt: 9 }),
    call("a", { path: `${root}/a.go` }),
    call("b", { path: `${root}/b.go` }),
  );
  const stops = () => [...document.querySelectorAll(".ln[tabindex='0']")];
  await user.click(line("Read 2 files"));
  expect(stops()).toEqual([line("Read 2 files")]);
  await user.keyboard("{ArrowDown}");
  expect(stops()).toEqual([line("Read a.go")]);
  line("Read 2 files").click();
  expect(stops()).toEqual([line("Read 2 files")]);
});

test("a list has a tab stop while its earlier lines are omitted", () => {
  const many = Array.from({ length: 130 }, (_, n) => call(`n${n}`, { title: `tool ${n}`, kind: "other" }));
  show(turn("running"), ...many.slice(0, 100));
  line("Used tool 0").focus();
  line("Used tool 0").blur();
  applyEvents(...many.slice(100));
  expect(screen.queryByRole("button", { name: "Used tool 0" })).toBeNull();
  expect([...document.querySelectorAll(".ln[tabindex='0']")]).toEqual([line("Used tool 30")]);
});

test("a request is looked up once per list, and only its own line is notified", () => {
  const calls = Array.from({ length: 50 }, (_, n) => call(`n${n}`, { title: `tool ${n}`, kind: "other" }));
  show(turn("running"), ...calls);
  const look = vi.spyOn(Object, "values");
  const ask = (name: string, createdAt: number): Event => ({
    permission: {
      id: id(`p${name}`),
      chatId: "c",
      turnId: "t",
      itemId: id(name),
      session: "main",
      state: "open",
      title: "Use a tool",
      kind: "other",
      options: [],
      createdAt,
    },
  });
  applyEvents(ask("n1", 1), ask("n2", 2));
  expect(look.mock.calls.length).toBeLessThan(25);
  expect(line("Wants to use tool 2, waiting for you")).toBeVisible();
});

test("a block's images and output are labeled with their agent", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("x", { headers: { "X-Size": "1" } })));
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL: () => {} }));
  resetState(chatEvent("c", { providerId: "p" }), {
    profile: { id: "p", name: "Gemini", command: "gemini", args: [], env: [], createdAt: 1 },
  } as never);
  const block = { toolCallId: "x", sessionName: "notes", turnId: "tb", prompt: "" };
  show(
    turn("running"),
    {
      item: {
        id: id("b"),
        chatId: "c",
        turnId: "t",
        session: "notes",
        pos: ++pos,
        kind: "block",
        open: true,
        createdAt: 1,
        block,
      },
    },
    ...textItem("m", "message", "On it.", { parentId: id("b"), session: "notes" }),
    {
      item: {
        id: id("i"),
        chatId: "c",
        turnId: "t",
        session: "main",
        pos: ++pos,
        kind: "image",
        createdAt: 1,
      },
    },
    {
      content: {
        id: id("k"),
        itemId: id("i"),
        chatId: "c",
        type: "image",
        mime: "image/png",
        size: 1,
        version: 1,
      },
    },
  );
  expect(screen.getByRole("region", { name: "Gemini output" })).toHaveTextContent("On it.");
  expect(await screen.findByRole("img", { name: "Image from Gemini" })).toBeVisible();
  expect(document.body).not.toHaveTextContent("Copilot");
});
