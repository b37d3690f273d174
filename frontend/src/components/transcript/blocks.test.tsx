import { fireEvent, render, screen, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sink } from "../../state/store";
import { chunkChars } from "../../state/text";
import { requestedView, requestView } from "../../state/transcriptView";
import type { Block, Event, Item, Turn } from "../../state/types";
import { applyEvents, chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { maxPieces } from "./Stream";
import { Transcript } from "./Transcript";

let pos = 0;
const item = (id: string, kind: Item["kind"], more: Partial<Item> = {}): Event => ({
  item: { id, chatId: "c", turnId: "t", session: "main", pos: ++pos, kind, createdAt: 1000, ...more },
});
const turn = (id: string, more: Partial<Turn> = {}): Event => ({
  turn: { id, chatId: "c", session: "main", state: "running", startedAt: 1000, ...more },
});
const text = (itemId: string, offset: number, piece: string): Event => ({
  text: { itemId, chatId: "c", offset, text: piece, size: offset + piece.length },
});
/** block returns the events for a session's block and for the turn that the block shows. */
function block(name: string, state: Turn["state"], more: Partial<Block> = {}): Event[] {
  const open = state === "running";
  const body = { toolCallId: `call ${name}`, sessionName: name, turnId: `t-${name}`, prompt: "", ...more };
  return [
    turn(`t-${name}`, { session: name, blockId: name, state, endedAt: open ? undefined : 42_000 }),
    item(name, "block", { session: name, open, endedAt: open ? undefined : 42_000, block: body }),
  ];
}
const inside = (name: string): Partial<Item> => ({ parentId: name, session: name, turnId: `t-${name}` });

function show(...events: Event[]) {
  const app = stubApp();
  resetState(chatEvent("c", { turnState: "running" }));
  sink.open("c", [turn("t"), ...events], 0, []);
  render(() => <Transcript chatId="c" />);
  return { app, user: userEvent.setup() };
}
const details = (name: string) =>
  screen.getByRole("group", { name: `Copilot [${name}]` }) as HTMLDetailsElement;

beforeEach(() => {
  stubBrowser();
  vi.stubGlobal("fetch", () => Promise.reject(new Error("nothing is pulled here")));
});
afterEach(() => {
  vi.useRealTimers();
  document.documentElement.removeAttribute("style");
  // Clears blocks opened by the previous test.
  sink.reset([]);
});

describe("a block", () => {
  test("is open while running and has no body once folded", () => {
    show(
      ...block("auth", "running"),
      ...block("logger", "done"),
      item("m", "message"),
      text("m", 0, "All done."),
    );
    expect(details("auth")).toHaveAttribute("open");
    expect(details("auth")).toHaveAttribute("data-state", "running");
    expect(details("logger")).not.toHaveAttribute("open");
    expect(details("logger").querySelector(".cop-body")).toBeNull();
    expect(details("logger").querySelector("summary")).toHaveTextContent("🤖Copilot [logger] — done41 s");
  });

  test("stays briefly when done, then folds", () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    document.documentElement.style.setProperty("--t-linger", "900ms");
    document.documentElement.style.setProperty("--t-collapse", "240ms");
    show(...block("fold-a", "running"));
    applyEvents(...block("fold-a", "done"));
    expect(details("fold-a")).toHaveAttribute("data-state", "done");
    vi.advanceTimersByTime(899);
    expect(details("fold-a")).toHaveAttribute("open");
    vi.advanceTimersByTime(1 + 240);
    expect(details("fold-a")).not.toHaveAttribute("open");
    expect(details("fold-a").querySelector(".cop-body")).toBeNull();
  });

  test("stays as the user left it", async () => {
    const { user } = show(...block("touched", "running"));
    const summary = details("touched").querySelector("summary") as HTMLElement;
    await user.click(summary);
    await user.click(summary);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    applyEvents(...block("touched", "done"));
    vi.runAllTimers();
    expect(details("touched")).toHaveAttribute("open");
  });

  test("has no caret while waiting for the user", () => {
    show(
      ...block("asks", "running"),
      item("am", "message", inside("asks")),
      text("am", 0, "asks next"),
      item("at", "tool", {
        ...inside("asks"),
        open: true,
        tool: { callId: "at", title: "x", kind: "execute", status: "pending", command: "ls" },
      }),
    );
    expect(details("asks").querySelector(".caret")).not.toBeNull();
    const ask = {
      id: "p",
      chatId: "c",
      turnId: "t-asks",
      session: "asks",
      itemId: "at",
      state: "open",
      title: "Run",
      kind: "execute",
      options: [],
      createdAt: 1,
    } as const;
    applyEvents({ permission: { ...ask, options: [] } });
    expect(details("asks")).toHaveAttribute("data-state", "waiting");
    expect(details("asks").querySelector(".caret")).toBeNull();
  });

  test("is stopped alone, with its button and with keys inside it", async () => {
    const { app, user } = show(...block("one", "running"), ...block("two", "running"));
    await user.click(screen.getByRole("button", { name: "Stop two" }));
    expect(app.of("StopBlock")).toEqual([["two"]]);
    (details("one").querySelector("summary") as HTMLElement).focus();
    await user.keyboard("{Control>}.{/Control}");
    expect(app.of("StopBlock")).toEqual([["two"], ["one"]]);
    expect(app.of("Stop")).toEqual([]);
  });

  test("streams beside another, each with its own text", () => {
    show(...block("left", "running"), ...block("right", "running"));
    applyEvents(
      item("ml", "message", { ...inside("left"), open: true }),
      item("mr", "message", { ...inside("right"), open: true }),
      text("ml", 0, "left says"),
      text("mr", 0, "right says"),
    );
    const node = within(details("right")).getByText("right says");
    applyEvents(text("ml", 9, " more"));
    expect(within(details("left")).getByRole("region", { name: "Copilot output" })).toHaveTextContent(
      "left says more",
    );
    expect(within(details("right")).getByText("right says")).toBe(node);
  });

  test("that failed shows the reason and retries its whole request in its session", async () => {
    const whole = `Find out why. ${"x".repeat(1200)}`;
    vi.stubGlobal("fetch", () =>
      Promise.resolve(new Response(whole, { headers: { "X-Size": String(whole.length) } })),
    );
    const { app, user } = show(
      ...block("flake", "failed", {
        prompt: "Find out why.…",
        error: { code: "model", message: "model request failed, status 502", detail: "HTTP 502" },
      }),
      { content: { id: "k", itemId: "flake", chatId: "c", type: "text", size: whole.length, version: 1 } },
      turn("t", { state: "done" }),
    );
    expect(details("flake")).toHaveAttribute("open");
    const body = within(details("flake"));
    expect(body.getByText("model request failed, status 502")).toBeVisible();
    await user.click(body.getByRole("button", { name: "Show all" }));
    expect(await body.findByText(whole)).toBeVisible();
    await user.click(body.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(app.of("SendTo")).toEqual([["c", "flake", whole]]));
    expect(app.of("Send")).toEqual([]);
  });

  test("can't be retried manually while its caller is running", () => {
    show(...block("busy", "failed", { error: { code: "model", message: "status 502" } }));
    expect(within(details("busy")).queryByRole("button", { name: "Try again" })).toBeNull();
    applyEvents(turn("t", { state: "done" }));
    expect(within(details("busy")).getByRole("button", { name: "Try again" })).toBeVisible();
  });

  test("that Copilot interrupted or declined says so", async () => {
    const { app, user } = show(
      ...block("cut", "stopped", { stopReason: "max_tokens" }),
      ...block("no", "failed", { stopReason: "refusal" }),
      turn("t", { state: "done" }),
    );
    expect(within(details("no")).getByText("Copilot declined this request.")).toBeVisible();
    await user.click(details("cut").querySelector("summary") as HTMLElement);
    expect(await within(details("cut")).findByText("Copilot reached its limit.")).toBeVisible();
    await user.click(within(details("cut")).getByRole("button", { name: "Ask Copilot to continue" }));
    await waitFor(() => expect(app.of("SendTo")).toEqual([["c", "cut", "Continue where you left off."]]));
  });

  test("started by the user has the exact message", () => {
    show(...block("mine", "running", { toolCallId: "", prompt: "Also name the test." }));
    const message = within(details("mine")).getByRole("article", { name: /^You, / });
    expect(message).toHaveTextContent("Also name the test.");
  });

  test("that was interrupted continues in its own session", async () => {
    const { app, user } = show(
      ...block("half", "interrupted"),
      item("b", "banner", { turnId: "", banner: { kind: "incomplete", session: "half" } }),
      turn("t", { state: "interrupted" }),
      chatEvent("c", { turnState: "interrupted" }),
    );
    await user.click(screen.getByRole("button", { name: "Ask Copilot to continue" }));
    await waitFor(() => expect(app.of("SendTo")).toEqual([["c", "half", "Continue where you left off."]]));
    await waitFor(() => expect(app.of("DismissBanner")).toEqual([["b"]]));
  });

  test("shows only its newest tool calls until more are requested", () => {
    const tools = Array.from({ length: 130 }, (_, n) =>
      item(`tool-${n}`, "tool", {
        ...inside("many"),
        tool: { callId: `${n}`, title: `${n}`, kind: "read", status: "completed" },
      }),
    );
    show(...block("many", "running"), ...tools);
    // Found by selector, because queries by role take seconds with so many rows.
    const many = document.querySelector("details") as HTMLElement;
    const rows = () => many.querySelectorAll(".tools > li");
    expect(rows()).toHaveLength(100);
    const more = many.querySelector(".show-all") as HTMLElement;
    expect(more).toHaveTextContent("Show 30 earlier tool calls");
    fireEvent.click(more);
    expect(rows()).toHaveLength(130);
  });

  test("reloads calls of a long run that were unloaded", async () => {
    const calls = Array.from({ length: 301 }, (_, n) =>
      item(`tool-${n}`, "tool", {
        tool: { callId: `${n}`, title: `${n}`, kind: "read", status: "completed" },
      }),
    );
    show();
    applyEvents(...calls);
    const rows = () => document.querySelectorAll(".ln-in > li > .ln");
    const more = () => document.querySelector(".show-all") as HTMLElement;
    fireEvent.click(screen.getByRole("button", { name: "Read 301 files" }));
    expect(more()).toHaveTextContent("Show 100 earlier lines");
    fireEvent.click(more());
    expect(rows()).toHaveLength(200);
    fireEvent.click(more());
    expect(rows()).toHaveLength(201);
    expect(more()).toHaveTextContent("Show 100 earlier tool calls");
    const asked = vi.fn((_: string) =>
      Promise.resolve(Response.json({ run: "r", seq: 1, events: calls.slice(41, 101) })),
    );
    vi.stubGlobal("fetch", asked);
    fireEvent.click(more());
    await waitFor(() => expect(rows()).toHaveLength(261));
    expect(String(asked.mock.calls[0]?.[0])).toContain(`before=${(calls[100]?.item?.pos ?? 0) + 1}`);
  });

  test("shows its session's fate", () => {
    const said = { kind: "agent_error" as const, session: "auth", message: "Its tools are gone." };
    show(...block("auth", "running"), item("b", "banner", { ...inside("auth"), banner: said }));
    const banner = within(details("auth")).getByRole("alert", { name: "Copilot reported a problem" });
    expect(banner).toBeVisible();
  });
});

test("a turn in another program says where it runs", () => {
  show(item("u", "user"));
  applyEvents(
    { connection: { chatId: "c", state: "starting", since: 1 } },
    { sessionUse: { chatId: "c", holder: { pid: 7, startedAt: 3, terminal: "pts/3" } } },
  );
  const live = () => screen.getByRole("group", { name: "Copilot is working" });
  expect(live()).toHaveTextContent("Working in the terminal");
  applyEvents({ sessionUse: { chatId: "c", holder: { pid: 8, startedAt: 3, program: "emacs" } } });
  expect(live()).toHaveTextContent("Working in another program");
});

test("a turn waiting for a sign-in or trust says so", () => {
  show(item("u", "user"));
  applyEvents({ connection: { chatId: "c", state: "starting", since: 1 } });
  const live = () => screen.getByRole("group", { name: "Copilot is working" });
  expect(live()).toHaveTextContent("Starting Copilot…");
  applyEvents({ connection: { chatId: "c", state: "needs_login", cause: "not_signed_in", since: 1 } });
  expect(live()).toHaveTextContent("Waiting for you to sign in");
  applyEvents({ connection: { chatId: "c", state: "needs_trust", cause: "untrusted", since: 1 } });
  expect(live()).toHaveTextContent("Waiting for you to trust the folder");
});

test("a main AI's own actions and requests are attributed to it, not to Copilot", () => {
  show(
    {
      provider: {
        id: "o",
        name: "Ollama",
        baseUrl: "http://localhost:11434/v1",
        model: "qwen3:8b",
        createdAt: 1,
      },
    },
    turn("t", { mainId: "o" }),
    item("r", "tool", {
      open: true,
      tool: { callId: "r", title: "x", kind: "read", status: "pending", path: "/etc/hosts" },
    }),
    {
      permission: {
        id: "p",
        chatId: "c",
        turnId: "t",
        session: "main",
        itemId: "r",
        state: "open",
        title: "Read",
        kind: "read",
        path: "/etc/hosts",
        options: [],
        createdAt: 1,
      },
    },
  );
  expect(screen.getByText("Requested by Ollama in orbit-api")).toBeVisible();
  expect(document.querySelector("[aria-live=assertive]")).toHaveTextContent("Ollama asks to read /etc/hosts");
  expect(document.body).not.toHaveTextContent("Copilot [main]");
});

describe("a session's newest block", () => {
  const places = () => {
    const asked = vi.fn(() => Promise.resolve(Response.json({ sessions: [] })));
    vi.stubGlobal("fetch", asked);
    return asked;
  };

  test("is looked up in the whole chat if none is loaded", () => {
    const asked = places();
    show(item("m", "message"), text("m", 0, "Much later."));
    requestView({ chatId: "c", session: "far" });
    expect(requestedView()).toBeUndefined();
    expect(asked).toHaveBeenCalledWith("/data/sessions?chat=c", expect.anything());
  });

  test("is awaited if it is coming, however far back the last one is", () => {
    const asked = places();
    show(item("m", "message"), text("m", 0, "Much later."));
    requestView({ chatId: "c", session: "comes", after: "" });
    expect(requestedView()).toBeDefined();
    applyEvents(...block("comes", "running"));
    expect(requestedView()).toBeUndefined();
    expect(details("comes").querySelector("summary")).toHaveFocus();
    expect(asked).not.toHaveBeenCalled();
  });
});

describe("session output", () => {
  // Fills whole chunks, so that later text starts a new one.
  const long = Array.from({ length: 40_000 }, (_, n) => `line ${n}\n`)
    .join("")
    .slice(-40 * chunkChars);
  const open = () => {
    const shown = show(
      ...block("long", "running"),
      item("m", "message", { ...inside("long"), open: true }),
      text("m", 0, long),
    );
    const pre = screen.getByRole("region", { name: "Copilot output" });
    return { ...shown, pre };
  };
  /** scrollable gives the region a scroll height, which jsdom doesn't compute. */
  function scrollable(pre: HTMLElement) {
    Object.defineProperty(pre, "scrollHeight", { configurable: true, get: () => 20_000 });
    Object.defineProperty(pre, "clientHeight", { configurable: true, get: () => 240 });
  }
  const scrollTo = (pre: HTMLElement, top: number) => {
    pre.scrollTop = top;
    fireEvent.scroll(pre);
  };

  test("stays bounded in the page however long it is, and shows its end", () => {
    const { pre } = open();
    expect(pre.querySelectorAll("span:not(.caret)")).toHaveLength(maxPieces);
    expect(pre.textContent?.length).toBeLessThanOrEqual(maxPieces * chunkChars);
    expect(pre).toHaveTextContent(/line 39999$/);
    applyEvents(text("m", long.length, "and on"));
    expect(pre).toHaveTextContent(/line 39999 and on$/);
    expect(pre.querySelectorAll("span:not(.caret)")).toHaveLength(maxPieces);
  });

  test("keeps the reading position, follows scrolling and returns to its end", async () => {
    const { pre, user } = open();
    scrollable(pre);
    scrollTo(pre, 19_760);
    scrollTo(pre, 10_000);
    const seen = pre.textContent;
    applyEvents(text("m", long.length, "x".repeat(3 * chunkChars)));
    expect(pre.textContent).toBe(seen);
    scrollTo(pre, 100);
    expect(pre.textContent).not.toBe(seen);
    expect(pre.querySelectorAll("span:not(.caret)")).toHaveLength(maxPieces);
    scrollTo(pre, 19_700);
    expect(pre.textContent).toBe(seen);
    await user.click(within(details("long")).getByRole("button", { name: "Jump to latest" }));
    expect(pre).toHaveTextContent(/xxx$/);
    expect(within(details("long")).queryByRole("button", { name: "Jump to latest" })).toBeNull();
  });

  test("keeps its block open once the user has scrolled in it", () => {
    const { pre } = open();
    scrollable(pre);
    scrollTo(pre, 19_760);
    scrollTo(pre, 10_000);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    applyEvents(...block("long", "done"));
    vi.runAllTimers();
    expect(details("long")).toHaveAttribute("open");
  });
});
