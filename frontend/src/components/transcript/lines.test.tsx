// The main session's lines, the live line, the summary, and the next steps after a rejection.

import { render, screen, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { actions } from "../../state/actions";
import { sink } from "../../state/store";
import type { Event, Item, Tool, Turn } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { Transcript } from "./Transcript";

const root = "/home/anna/code/orbit-api";
let pos = 0;
let testNumber = 0;
/** Position before which the chat's items aren't loaded; 0 if all of them are loaded. */
let before = 0;
/** id makes an ID unique to the current test, because open states persist between tests. */
const id = (name: string) => `${name}-${testNumber}`;

const turn = (state: Turn["state"], more: Partial<Turn> = {}): Event => ({
  turn: { id: "t", chatId: "c", session: "main", state, startedAt: 0, ...more },
});
function call(name: string, tool: Partial<Tool>, more: Partial<Item> = {}): Event {
  const whole: Tool = { callId: name, title: "", kind: "read", status: "completed", ...tool };
  const item: Item = {
    id: id(name),
    chatId: "c",
    turnId: "t",
    session: "main",
    pos: ++pos,
    kind: "tool",
    createdAt: 1000,
    endedAt: 2900,
    tool: whole,
    ...more,
  };
  return { item };
}
const diff = (name: string, path: string, added: number, removed: number): Event => ({
  content: {
    id: id(`d${name}`),
    itemId: id(name),
    chatId: "c",
    type: "diff",
    size: 1,
    version: 1,
    path,
    added,
    removed,
  },
});
const textItem = (
  name: string,
  kind: "user" | "message",
  text: string,
  more: Partial<Item> = {},
): Event[] => [
  {
    item: {
      id: id(name),
      chatId: "c",
      turnId: "t",
      session: "main",
      pos: ++pos,
      kind,
      createdAt: 1,
      ...more,
    },
  },
  { text: { itemId: id(name), chatId: "c", offset: 0, text, size: text.length } },
];

function show(...events: Event[]) {
  const app = stubApp();
  sink.open("c", events, before, []);
  render(() => <Transcript chatId="c" />);
  return { app, user: userEvent.setup() };
}
const line = (name: string) => screen.getByRole("button", { name });
const names = () => [...document.querySelectorAll(".ln")].map((each) => each.getAttribute("aria-label"));

beforeEach(() => {
  testNumber++;
  before = 0;
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
    ["Searched race, 3 matches", { kind: "search", command: "race", fact: "3 matches" }],
    ["Ran go test ./..., 1.9 s", { kind: "execute", command: "go test ./..." }],
    ["Ran go vet ./..., exit 1, 1.9 s", { kind: "execute", command: "go vet ./...", exitCode: 1 }],
    ["Ran make, ended by SIGKILL, 1.9 s", { kind: "execute", command: "make", signal: "SIGKILL" }],
    ["Opened go.dev/log, 18 KB", { kind: "fetch", title: "https://go.dev/log", fact: "18 KB" }],
    ["Used github, list_issues, 12 items", { kind: "other", title: "github, list_issues", fact: "12 items" }],
    [
      "Could not edit main.go, the text to replace is not there",
      { kind: "edit", path: `${root}/main.go`, status: "failed", fact: "the text to replace is not there" },
    ],
    ["Ran make, stopped, 2 s", { kind: "execute", command: "make", status: "cancelled" }],
    ["You rejected Edit main.go", { kind: "edit", path: `${root}/main.go`, decision: "rejected" }],
    [
      "Your rule rejected Run rm -rf dist",
      { kind: "execute", command: "rm -rf dist", decision: "rejected", decidedBy: { kind: "rule", at: 1 } },
    ],
    ["Wants to run make, not answered", { kind: "execute", command: "make", decision: "closed" }],
    ["Used a tool", { kind: "other" }],
    ["Ran a command, no result", { kind: "execute", status: "pending" }],
  ])("says %s", (name, tool) => {
    show(turn("done", { endedAt: 9 }), call("a", tool));
    expect(names()).toEqual([name]);
  });

  test("has a cross if it failed, and no sign on success", () => {
    show(turn("done", { endedAt: 9 }), call("a", { kind: "execute", command: "make", signal: "SIGKILL" }));
    expect(line("Ran make, ended by SIGKILL, 1.9 s")).toHaveAttribute("data-status", "failed");
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
    expect(document.body).not.toHaveTextContent("Went ahead");
    await user.click(line("Ran make, 1.9 s"));
    expect(screen.getByText("Went ahead: Allow edits")).toBeVisible();
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
    expect(screen.getByText("“Use [U+202E]subtests” went along as your message.")).toBeVisible();
    await user.click(line("You rejected Edit main.go"));
    expect(screen.getByText("Not applied")).toBeVisible();
  });

  test("names an agent other than Copilot", () => {
    resetState(chatEvent("c", { providerId: "p" }), {
      profile: { id: "p", name: "Gemini", command: "gemini", args: [], env: [], createdAt: 1 },
    } as never);
    show(turn("running"), call("a", { kind: "edit", path: `${root}/a.go`, unasked: true }));
    expect(screen.getByRole("list", { name: "What Gemini did" })).toBeVisible();
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

describe("the last row of a turn", () => {
  const edit = (name: string, added: number, removed: number) => [
    call(name, { kind: "edit", path: `${root}/${name}.go` }),
    diff(name, `${root}/${name}.go`, added, removed),
  ];

  test("is the live line, replaced by the receipt", () => {
    show(turn("running"), ...textItem("u", "user", "do it"), ...edit("a", 5, 1), ...edit("b", 18, 0));
    const foot = document.querySelector(".foot-row") as HTMLElement;
    const live = screen.getByRole("group", { name: "Copilot is working" });
    expect(live).toHaveTextContent(/^Working.*2 files changedReview$/);
    expect(within(live).getByRole("button", { name: "Review changes so far" })).toBeVisible();
    applyEvents(
      call("x", { kind: "execute", command: "make" }),
      turn("done", { endedAt: 68_000, waited: 10_000, usage: { input: 17_200, output: 1200 } }),
    );
    const receipt = screen.getByRole("group", { name: "Changes of this turn" });
    expect(document.querySelector(".foot-row")).toBe(foot);
    expect(receipt).toHaveTextContent("2 files changed+23 −11 command58 s18.4 K tokensReview");
    expect(within(receipt).getByRole("button", { name: "Review changes of this turn" })).toBeVisible();
  });

  test.each([
    ["stopped", "Stopped"],
    ["interrupted", "Interrupted"],
    ["failed", "Failed"],
  ] as const)("starts with its end reason: %s", (state, word) => {
    show(turn(state, { endedAt: 18_000 }), ...edit("a", 5, 1));
    expect(screen.getByRole("group", { name: "Changes of this turn" })).toHaveTextContent(
      `${word}1 file changed+5 −118 s`,
    );
  });

  test("is a thin rule if stopped without changes", () => {
    show(turn("stopped", { endedAt: 18_000 }), call("a", { kind: "execute", command: "make" }));
    expect(screen.getByRole("status", { name: "Stopped after 18 s, no file changed" })).toBeVisible();
  });

  test("follows the last message's time if no file changed", () => {
    show(
      turn("done", { endedAt: 6000, usage: { input: 4000, output: 100 } }),
      call("a", { kind: "execute", command: "make" }),
      ...textItem("m", "message", "Done."),
    );
    expect(document.querySelector(".msg-tools")).toHaveTextContent(/1 command6 s4\.1 K tokens$/);
    expect(screen.queryByRole("group", { name: "Changes of this turn" })).toBeNull();
  });

  test("names what it is waiting for", () => {
    const retry = (n: number): Event[] => [
      {
        item: {
          id: id(`r${n}`),
          chatId: "c",
          turnId: "t",
          session: "main",
          pos: ++pos,
          kind: "note",
          createdAt: 1,
          retry: { reason: "Ollama closed the connection", tookMs: 9000, of: 5 },
        },
      },
      { text: { itemId: id(`r${n}`), chatId: "c", offset: 0, text: "again", size: 5 } },
    ];
    show(turn("running"), ...retry(1));
    const live = () => screen.getByRole("group", { name: "Copilot is working" });
    expect(live()).toHaveTextContent("Trying againtry 2 of 5Ollama closed the connection");
    applyEvents(...retry(2));
    expect(live()).toHaveTextContent("try 3 of 5");
    expect(names()).toEqual(["Retried twice, 18 s"]);
    applyEvents({
      item: {
        id: id("b"),
        chatId: "c",
        turnId: "t",
        session: "notes",
        pos: ++pos,
        kind: "block",
        open: true,
        createdAt: 1,
        block: { toolCallId: "x", sessionName: "release-notes", turnId: "tb", prompt: "" },
      },
    });
    expect(live()).toHaveTextContent("Waiting for release-notes");
    actions.stop("c");
    expect(live()).toHaveTextContent(/^Stopping…$/);
  });
});

test("a failed try shows its full report if longer than a line", async () => {
  const text = "Info: Request failed:\nthe model runner\u202E has stopped\nexit code 2. Retrying";
  const { user } = show(
    turn("failed", { endedAt: 9 }),
    {
      item: {
        id: id("r"),
        chatId: "c",
        turnId: "t",
        session: "main",
        pos: ++pos,
        kind: "note",
        createdAt: 1,
        retry: { reason: "Request failed:", tookMs: 9000 },
      },
    },
    { text: { itemId: id("r"), chatId: "c", offset: 0, text, size: text.length } },
  );
  await user.click(line("Retried once, 9 s"));
  expect(document.querySelector(".retries")).not.toHaveTextContent("exit code 2");
  await user.click(screen.getByRole("button", { name: "Show all" }));
  expect(document.querySelector(".retries")).toHaveTextContent(
    "the model runner[U+202E] has stopped exit code 2.",
  );
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

describe("after a rejection that ended the turn", () => {
  const reject = () => [
    ...textItem("u", "user", "do it"),
    call("a", { kind: "edit", path: `${root}/main.go` }),
    diff("a", `${root}/main.go`, 5, 1),
    call("b", {
      kind: "edit",
      path: `${root}/main_test.go`,
      status: "failed",
      decision: "rejected",
      decidedBy: { kind: "user", at: 5000 },
    }),
    turn("stopped", { stopReason: "cancelled", endedAt: 5100 }),
    chatEvent("c", { turnState: "stopped" }),
  ];

  test("it states what was saved, and Continue sends exactly the displayed text", async () => {
    const { app, user } = show(...reject());
    const next = screen.getByRole("group", { name: "What next" });
    expect(next).toHaveTextContent(
      "Copilot ended its turn because of this. main.go keeps its change, main_test.go is untouched.",
    );
    expect(next).toHaveTextContent("Continue sends “Go on without this change.”");
    await user.click(within(next).getByRole("button", { name: "Continue" }));
    await waitFor(() => expect(app.of("Send")).toHaveLength(1));
    expect(app.of("Send")[0]?.slice(0, 2)).toEqual(["c", "Go on without this change."]);
    expect(document.body).not.toHaveTextContent("Stopped");
  });

  test("Continue doesn't mention changes after a rejected command", () => {
    const tool = { kind: "execute" as const, command: "make", decision: "rejected" as const };
    show(
      turn("done", { endedAt: 5100 }),
      call("a", { ...tool, decidedBy: { kind: "user", at: 5000 } }),
      chatEvent("c", { turnState: "done" }),
    );
    const next = screen.getByRole("group", { name: "What next" });
    expect(next).toHaveTextContent("Continue sends “Go on without this.”");
  });

  test("a double-click on Continue sends once", async () => {
    const { app, user } = show(...reject());
    await user.dblClick(screen.getByRole("button", { name: "Continue" }));
    await waitFor(() => expect(app.of("Send")).toHaveLength(1));
    await user.click(screen.getByRole("button", { name: "Continue" }));
    expect(app.of("Send")).toHaveLength(1);
  });

  test("it claims nothing about an unloaded part of a turn", () => {
    before = 40;
    // The page doesn't include its calls before the last.
    show(...reject().slice(4));
    const next = screen.getByRole("group", { name: "What next" });
    expect(next).toHaveTextContent("Copilot ended its turn because of this.");
    expect(next).not.toHaveTextContent(/No file was changed|is untouched/);
  });

  test("it counts a file changed by several sessions once", () => {
    const block = { toolCallId: "x", sessionName: "notes", turnId: "tb", prompt: "" };
    const files = [{ path: `${root}/main.go`, added: 1, removed: 0 }];
    const given: Item = {
      ...(call("g", {}).item as Item),
      kind: "block",
      tool: undefined,
      block: { ...block, files },
    };
    show({ item: given }, ...reject());
    expect(screen.getByRole("group", { name: "What next" })).toHaveTextContent(
      "main.go keeps its change, main_test.go is untouched.",
    );
  });

  test("only the line remains once the user writes", () => {
    show(...reject());
    applyEvents({ turn: { id: "t2", chatId: "c", session: "main", state: "running", startedAt: 6000 } });
    applyEvents(
      ...textItem("v", "user", "go on", { turnId: "t2" }),
      chatEvent("c", { turnState: "running" }),
    );
    expect(screen.queryByRole("group", { name: "What next" })).toBeNull();
    expect(line("You rejected Edit main_test.go")).toBeVisible();
  });
});

test("an interruption is shown once, tagged at its end", () => {
  show(
    turn("failed", { endedAt: 9 }),
    ...textItem("m1", "message", "The test", { replaced: true }),
    ...textItem("m2", "message", "The test takes", { cutOff: true }),
  );
  expect(screen.getAllByText(/The test/)).toHaveLength(1);
  expect(screen.getByText("cut off here")).toBeVisible();
});
