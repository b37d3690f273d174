// The end of a turn: its last row, failed tries and interruptions, and the next steps after a rejection.

import { screen, waitFor, within } from "@solidjs/testing-library";
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
/** Position before which the chat's items aren't loaded; 0 if all of them are loaded. */
let before = 0;
/** id makes an ID unique to the current test, because open states persist between tests. */
const id = (name: string) => `${name}-${testNumber}`;

const call = (name: string, tool: Partial<Tool>, more?: Partial<Item>) =>
  callAt(id(name), ++pos, { callId: name, ...tool }, more);
const diff = (name: string, path: string, added: number, removed: number) =>
  diffOf(id(name), path, added, removed);
const textItem = (name: string, kind: "user" | "message", text: string, more?: Partial<Item>) =>
  textAt(id(name), ++pos, kind, text, { createdAt: 1, ...more });
const show = (...events: Event[]) => showTranscript(before, ...events);

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
    const receipt = screen.getByRole("group", { name: "This turn's changes" });
    expect(document.querySelector(".foot-row")).toBe(foot);
    expect(receipt).toHaveTextContent("2 files changed+23 −11 command58 s18.4 K tokensReview");
    expect(within(receipt).getByRole("button", { name: "Review this turn's changes" })).toBeVisible();
  });

  test.each([
    ["stopped", "Stopped"],
    ["interrupted", "Interrupted"],
    ["failed", "Failed"],
  ] as const)("starts with its end reason: %s", (state, word) => {
    show(turn(state, { endedAt: 18_000 }), ...edit("a", 5, 1));
    expect(screen.getByRole("group", { name: "This turn's changes" })).toHaveTextContent(
      `${word}1 file changed+5 −118 s`,
    );
  });

  test("is a thin rule if stopped without changes", () => {
    show(turn("stopped", { endedAt: 18_000 }), call("a", { kind: "execute", command: "make" }));
    expect(
      screen.getByRole("status", { name: "Stopped after 18 s without changing any files" }),
    ).toBeVisible();
  });

  test("follows the last message's time if no file changed", () => {
    show(
      turn("done", { endedAt: 6000, usage: { input: 4000, output: 100 } }),
      call("a", { kind: "execute", command: "make" }),
      ...textItem("m", "message", "Done."),
    );
    expect(document.querySelector(".msg-tools")).toHaveTextContent(/1 command6 s4\.1 K tokens$/);
    expect(screen.queryByRole("group", { name: "This turn's changes" })).toBeNull();
  });

  test("shows the model and the cost", () => {
    show(
      turn("done", {
        endedAt: 6000,
        usage: { input: 4000, output: 100, model: "gpt-5", premium: 1, nanoAiu: 1_500_000_000 },
      }),
      ...textItem("m", "message", "Done."),
    );
    expect(document.querySelector(".msg-tools")).toHaveTextContent(
      /4\.1 K tokensgpt-51 premium request1\.5 AI credits$/,
    );
  });

  test("says that it tries again only until the next attempt continues the text", () => {
    const shared = { chatId: "c", turnId: "t", session: "main", createdAt: 1 };
    const text = (itemId: string): Event => ({
      text: { itemId, chatId: "c", offset: 0, text: "Some text", size: 9 },
    });
    const at = ++pos;
    const answer = (open: boolean): Event => ({
      item: { ...shared, id: id("answer"), pos: at, kind: "message", open },
    });
    const retry = (n: number): Event[] => [
      {
        item: {
          ...shared,
          id: id(`again${n}`),
          pos: ++pos,
          kind: "note",
          retry: { reason: "closed", tookMs: 9 },
        },
      },
      text(id(`again${n}`)),
    ];
    show(turn("running"), answer(false), text(id("answer")), ...retry(1));
    const live = () => screen.getByRole("group", { name: "Copilot is working" });
    expect(live()).toHaveTextContent("Trying again");
    applyEvents(answer(true));
    expect(live()).not.toHaveTextContent("Trying again");
    applyEvents(answer(false), ...retry(2));
    expect(live()).toHaveTextContent("Trying againattempt 3");
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
    expect(live()).toHaveTextContent("Trying againattempt 2 of 5Ollama closed the connection");
    applyEvents(...retry(2));
    expect(live()).toHaveTextContent("attempt 3 of 5");
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
    const next = screen.getByRole("group", { name: "Next steps" });
    expect(next).toHaveTextContent(
      "Copilot ended its turn because of this. The change to main.go was kept. main_test.go is untouched.",
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
    const next = screen.getByRole("group", { name: "Next steps" });
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
    // Of the turn's calls, only the last one is loaded.
    show(...reject().slice(4));
    const next = screen.getByRole("group", { name: "Next steps" });
    expect(next).toHaveTextContent("Copilot ended its turn because of this.");
    expect(next).not.toHaveTextContent(/No files were changed|is untouched/);
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
    expect(screen.getByRole("group", { name: "Next steps" })).toHaveTextContent(
      "The change to main.go was kept. main_test.go is untouched.",
    );
  });

  test("only the line remains once the user writes", () => {
    show(...reject());
    applyEvents({ turn: { id: "t2", chatId: "c", session: "main", state: "running", startedAt: 6000 } });
    applyEvents(
      ...textItem("v", "user", "go on", { turnId: "t2" }),
      chatEvent("c", { turnState: "running" }),
    );
    expect(screen.queryByRole("group", { name: "Next steps" })).toBeNull();
    expect(line("You rejected editing main_test.go")).toBeVisible();
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
