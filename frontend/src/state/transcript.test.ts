import { describe, expect, test } from "vitest";
import { openPage, reduce } from "./reduce";
import { newState, type Page, type State } from "./state";
import { type Entry, entriesOf, sameEntry, type Work } from "./transcript";
import type { Block, Item, Permission, Tool, Turn } from "./types";
import { totalsOf } from "./workSummary";
import { totalsOfWork } from "./workTotals";

/** A chat built item by item. */
class ChatFixture {
  state: State = newState();
  private pos = 0;

  constructor(turn: Partial<Turn> = {}) {
    openPage(this.state, "c");
    this.turn(turn);
  }

  turn(more: Partial<Turn>): this {
    reduce(this.state, {
      turn: { id: "t", chatId: "c", session: "main", state: "running", startedAt: 1, ...more },
    });
    return this;
  }

  item(id: string, kind: Item["kind"], text = "", more: Partial<Item> = {}): this {
    const at = ++this.pos;
    reduce(this.state, {
      item: {
        id,
        chatId: "c",
        turnId: "t",
        session: "main",
        pos: at,
        kind,
        createdAt: at * 1000,
        endedAt: at * 1000 + 500,
        ...more,
      },
    });
    if (text !== "") {
      reduce(this.state, { text: { itemId: id, chatId: "c", offset: 0, text, size: text.length } });
    }
    return this;
  }

  tool(id: string, tool: Partial<Tool> = {}, more: Partial<Item> = {}): this {
    return this.item(id, "tool", "", {
      tool: { callId: id, title: id, kind: "read", status: "completed", ...tool },
      ...more,
    });
  }

  block(id: string, name: string, more: Partial<Item> & { ended?: Partial<Block> } = {}): this {
    const { ended, ...item } = more;
    const block = {
      toolCallId: `call ${id}`,
      sessionName: name,
      turnId: `t-${id}`,
      prompt: "do it",
      ...ended,
    };
    return this.item(id, "block", "", { session: name, block, ...item });
  }

  ask(id: string, more: Partial<Permission> = {}): this {
    reduce(this.state, {
      permission: {
        id,
        chatId: "c",
        turnId: "t",
        session: "main",
        state: "open",
        title: "Edit",
        kind: "edit",
        options: [],
        createdAt: ++this.pos,
        ...more,
      },
    });
    return this;
  }

  get entries(): Entry[] {
    return entriesOf(this.state, "c");
  }

  get shape(): string[] {
    return this.entries.map((entry) => {
      if (entry.kind === "item") return entry.id;
      if (entry.kind === "work") return `work(${entry.ids.join(" ")}) ${entry.state}`;
      if (entry.kind === "lines") return `lines(${entry.ids.join(" ")})`;
      return entry.kind === "ask" ? `ask ${entry.id} of ${entry.waiting}` : entry.kind;
    });
  }
}

const work = (fixture: ChatFixture) => fixture.entries.find((entry): entry is Work => entry.kind === "work");

describe("lines", () => {
  test("are each run of tool calls, thoughts and plans between two texts", () => {
    const fixture = new ChatFixture({ state: "done" })
      .item("u", "user", "do it")
      .item("th", "thought", "hm")
      .tool("a")
      .item("p", "plan")
      .tool("b")
      .item("m", "message", "done so far")
      .tool("c")
      .item("n", "note", "Info: x")
      .tool("d");
    expect(fixture.shape).toEqual(["u", "lines(th a p b)", "m", "lines(c)", "n", "lines(d)"]);
  });

  test("are not split by a message or thought without text", () => {
    const fixture = new ChatFixture({ state: "done" })
      .tool("a")
      .item("m", "message")
      .item("th", "thought")
      .tool("b");
    expect(fixture.shape).toEqual(["lines(a b)"]);
  });

  test("can consist of thoughts alone", () => {
    const fixture = new ChatFixture({ state: "done" }).item("th", "thought", "hm").item("m", "message", "x");
    expect(fixture.shape).toEqual(["lines(th)", "m"]);
  });

  test("of one turn never merge with the next", () => {
    const fixture = new ChatFixture({ state: "stopped" })
      .tool("a")
      .turn({ id: "t2" })
      .tool("b", {}, { turnId: "t2" });
    expect(fixture.shape).toEqual(["lines(a)", "end", "lines(b)", "foot"]);
  });

  test("keep their key while they grow", () => {
    const fixture = new ChatFixture().tool("a");
    expect(fixture.entries[0]?.key).toBe("l:a");
    fixture.tool("b").turn({ state: "done" });
    expect(fixture.entries[0]?.key).toBe("l:a");
  });

  test("omit text replaced by a later try, and keep tries in one run below their result", () => {
    const retry = { reason: "connection closed", tookMs: 9000, of: 5 };
    const fixture = new ChatFixture({ state: "failed" })
      .item("u", "user", "why")
      .item("r1", "note", "Info: again", { retry })
      .item("m1", "message", "The test", { replaced: true })
      .item("r2", "note", "Info: again", { retry })
      .item("m2", "message", "The test takes", { cutOff: true })
      .item("r3", "note", "Info: again", { retry });
    expect(fixture.shape).toEqual(["u", "m2", "lines(r1 r2 r3)", "end"]);
  });

  test("of a delegated session contain its items", () => {
    const fixture = new ChatFixture()
      .item("b", "block", "request", { session: "fix", open: true })
      .tool("a", {}, { parentId: "b", session: "fix" });
    expect(fixture.shape).toEqual(["work(a) running", "foot"]);
    expect(work(fixture)).toMatchObject({ session: "fix", blockId: "b" });
  });
});

describe("the live line and the receipt", () => {
  test("are one entry at the end of the turn", () => {
    const fixture = new ChatFixture().item("u", "user", "x").tool("a", { kind: "edit", path: "/x" });
    expect(fixture.shape).toEqual(["u", "lines(a)", "foot"]);
    const key = fixture.entries.at(-1)?.key;
    fixture.turn({ state: "done" });
    expect(fixture.shape).toEqual(["u", "lines(a)", "foot"]);
    expect(fixture.entries.at(-1)?.key).toBe(key);
  });

  test("disappear while a request waits", () => {
    const fixture = new ChatFixture().item("u", "user", "x").tool("a").ask("p", { itemId: "b" });
    expect(fixture.shape).not.toContain("foot");
  });

  test.each([
    ["done", ["lines(a)"]],
    ["failed", ["lines(a)", "end"]],
    ["stopped", ["lines(a)", "end"]],
    ["interrupted", ["lines(a)", "end"]],
  ] as const)("leave a turn without a changed file that is %s what it had", (state, shape) => {
    expect(new ChatFixture({ state }).tool("a").shape).toEqual(shape);
  });

  test.each([
    ["done", ["lines(a)", "foot"]],
    ["failed", ["lines(a)", "end", "foot"]],
    ["stopped", ["lines(a)", "foot"]],
    ["interrupted", ["lines(a)", "foot"]],
  ] as const)("follow a changed file in a turn that is %s", (state, shape) => {
    expect(new ChatFixture({ state }).tool("a", { kind: "edit", path: "/x" }).shape).toEqual(shape);
  });

  test("count changes of the turn's blocks", () => {
    const files = [{ path: "a.go", added: 4, removed: 1 }];
    const fixture = new ChatFixture({ state: "done" }).block("b", "auth", {
      ended: { stopReason: "end_turn", files },
    });
    expect(fixture.shape).toEqual(["work() done", "foot"]);
  });

  test("cover part of a turn if its beginning isn't loaded", () => {
    const fixture = new ChatFixture({ state: "done" }).tool("a", { kind: "edit", path: "/x" });
    const whole = () => fixture.entries.flatMap((entry) => (entry.kind === "foot" ? entry.parts.whole : []));
    expect(whole()).toEqual([true]);
    (fixture.state.pages.c as Page).before = 7;
    expect(whole()).toEqual([false]);
  });
});

describe("after a rejection", () => {
  const no = { status: "failed" as const, decision: "rejected" as const };
  const by = (more = {}) => ({ ...no, decidedBy: { kind: "user" as const, at: 5000, ...more } });
  const ended = { endedAt: 5100 };

  test("the next step appears where the turn ended because of it", () => {
    for (const state of ["done", "stopped"] as const) {
      const fixture = new ChatFixture({ state, ...ended })
        .item("u", "user", "x")
        .tool("a", { ...by(), kind: "edit" });
      expect(fixture.shape).toEqual(["u", "lines(a)", "next"]);
    }
    const old = new ChatFixture({ state: "stopped", ...ended }).tool("a", { ...no, kind: "edit" });
    expect(old.shape).toEqual(["lines(a)", "next"]);
  });

  test("the next step appears for a user's rule, but not if VoxPilot stopped the turn for one", () => {
    const done = new ChatFixture({ state: "done", ...ended }).tool("a", by({ kind: "rule" }));
    expect(done.shape).toEqual(["lines(a)", "next"]);
    const stopped = new ChatFixture({ state: "stopped", ...ended }).tool("a", by({ kind: "rule" }));
    expect(stopped.shape).toEqual(["lines(a)", "end"]);
  });

  test("the next step appears below parallel calls, above the receipt", () => {
    const fixture = new ChatFixture({ state: "stopped", ...ended })
      .tool("e", { kind: "edit", path: "/x" })
      .tool("a", by())
      .tool("b", { status: "cancelled" });
    expect(fixture.shape).toEqual(["lines(e a b)", "next", "foot"]);
    expect(fixture.entries.at(-1)).toMatchObject({ state: "done" });
  });

  test.each([
    [
      "the agent went on",
      (fixture: ChatFixture) => fixture.tool("a", by()).item("m", "message", "Then so."),
      ["lines(a)", "m"],
    ],
    [
      "a reason went along",
      (fixture: ChatFixture) => fixture.tool("a", by({ reason: "not so" })),
      ["lines(a)"],
    ],
  ])("there is none where %s", (_, then, shape) => {
    expect(then(new ChatFixture({ state: "done", ...ended })).shape).toEqual(shape);
  });

  test("there is no next step if the user stopped the turn much later", () => {
    const fixture = new ChatFixture({ state: "stopped", endedAt: 60_000 }).tool("a", by());
    expect(fixture.shape).toEqual(["lines(a)", "end"]);
  });

  test("there is no next step once the user writes", () => {
    const fixture = new ChatFixture({ state: "stopped", ...ended }).tool("a", by());
    fixture.turn({ id: "t2", state: "done" }).item("u", "user", "go on", { turnId: "t2" });
    expect(fixture.shape).toEqual(["lines(a)", "u"]);
  });
});

describe("a block", () => {
  /** A turn with two parallel sessions. */
  const two = () =>
    new ChatFixture()
      .item("u", "user", "do both")
      .block("x", "auth", { open: true, endedAt: undefined })
      .block("y", "logger", { open: true, endedAt: undefined })
      .turn({ id: "t-x", session: "auth", blockId: "x", startedAt: 5000 })
      .turn({ id: "t-y", session: "logger", blockId: "y", startedAt: 6000 })
      .tool("ax", {}, { parentId: "x", session: "auth", turnId: "t-x" })
      .tool("ay", {}, { parentId: "y", session: "logger", turnId: "t-y" });
  const blocks = (fixture: ChatFixture) =>
    fixture.entries.filter((entry): entry is Work => entry.kind === "work");

  test("replaces its item and contains its session's activity", () => {
    expect(two().shape).toEqual(["u", "work(ax) running", "work(ay) running", "foot"]);
    expect(blocks(two()).map((entry) => entry.session)).toEqual(["auth", "logger"]);
  });

  test("has its own turn's state, independent of others", () => {
    const fixture = two().turn({
      id: "t-x",
      session: "auth",
      blockId: "x",
      state: "failed",
      startedAt: 5000,
    });
    expect(fixture.shape).toEqual(["u", "work(ax) failed", "work(ay) running", "foot"]);
    expect(blocks(fixture).map((entry) => entry.failed)).toEqual([true, false]);
    fixture.turn({ id: "t-y", session: "logger", blockId: "y", state: "stopped", startedAt: 6000 });
    expect(fixture.shape).toEqual(["u", "work(ax) failed", "work(ay) stopped", "foot"]);
    fixture.turn({ state: "stopped" });
    expect(fixture.shape).toEqual(["u", "work(ax) failed", "work(ay) stopped"]);
    fixture.turn({ state: "failed" });
    expect(fixture.shape).toEqual(["u", "work(ax) failed", "work(ay) stopped", "end"]);
  });

  test("that waits has its request below it, the oldest one first", () => {
    const fixture = two()
      .ask("p1", { itemId: "ay", session: "logger", turnId: "t-y" })
      .ask("p2", { session: "auth", turnId: "t-x" });
    expect(fixture.shape).toEqual(["u", "work(ax) waiting", "work(ay) waiting", "ask p1 of 2"]);
    fixture.ask("p1", { state: "decided", session: "logger", turnId: "t-y" });
    expect(fixture.shape).toEqual(["u", "work(ax) waiting", "ask p2 of 1", "work(ay) running"]);
  });

  test("reports its end itself if its turn isn't loaded", () => {
    const ended = (block: Partial<Block>, more: Partial<Item> = {}) =>
      blocks(new ChatFixture({ state: "done" }).block("x", "auth", { ...more, ended: block }))[0]?.state;
    expect(ended({}, { open: true })).toBe("running");
    expect(ended({ stopReason: "end_turn" })).toBe("done");
    expect(ended({ stopReason: "cancelled" })).toBe("stopped");
    expect(ended({ stopReason: "max_tokens" })).toBe("stopped");
    expect(ended({ stopReason: "refusal" })).toBe("failed");
    expect(ended({ error: { code: "model", message: "status 502" } })).toBe("failed");
  });

  test("started by the user belongs to no answer", () => {
    const fixture = new ChatFixture({ state: "done" }).block("x", "auth", { turnId: "" });
    fixture.turn({ id: "t-x", session: "auth", blockId: "x", state: "running", startedAt: 1 });
    expect(fixture.shape).toEqual(["work() running"]);
    fixture.turn({ id: "t-x", session: "auth", blockId: "x", state: "failed", startedAt: 1 });
    expect(fixture.shape).toEqual(["work() failed"]);
  });

  test("reports the totals sent to its caller, or counts them if none were sent", () => {
    const fixture = two();
    const totals = () => totalsOfWork(fixture.state, blocks(fixture)[0] as Work);
    fixture.tool("run", { kind: "execute" }, { parentId: "x", session: "auth", turnId: "t-x" });
    expect(totals()).toMatchObject({ files: 0, commands: 1 });
    fixture.block("x", "auth", {
      ended: {
        stopReason: "end_turn",
        files: [
          { path: "a.go", added: 40, removed: 12 },
          { path: "b.go", added: 8, removed: 0 },
        ],
        commands: [{ command: "go test" }, { command: "go vet" }],
      },
    });
    expect(totals()).toMatchObject({ added: 48, removed: 12, files: 2, commands: 2 });
  });

  test("has its own turn's duration, without the wait for its session", () => {
    const fixture = two();
    fixture.block("x", "auth", { open: false, endedAt: 9000 });
    expect(blocks(fixture)[0]).toMatchObject({ startedAt: 5000, endedAt: 9000 });
  });
});

describe("a request", () => {
  test("takes the place of its call and turns into its line", () => {
    const fixture = new ChatFixture().tool("a", { status: "pending" }).ask("p", { itemId: "a" });
    expect(fixture.shape).toEqual(["ask p of 1"]);
    fixture.ask("p", { itemId: "a", state: "decided", decision: "allowed_once" });
    expect(fixture.shape).toEqual(["lines(a)", "foot"]);
  });

  test("follows earlier lines, and later calls wait", () => {
    const fixture = new ChatFixture()
      .tool("a")
      .tool("b")
      .tool("c")
      .ask("p", { itemId: "b" })
      .ask("q", { itemId: "c" });
    expect(fixture.shape).toEqual(["lines(a c)", "ask p of 2"]);
  });

  test("is at the end if its tool call is unknown", () => {
    expect(new ChatFixture().item("u", "user", "x").ask("p").shape).toEqual(["u", "ask p of 1"]);
  });

  test("is separate from the text before it", () => {
    const fixture = new ChatFixture().item("m", "message", "x").ask("p", { turnId: "t" });
    const card = entriesOf(fixture.state, "c").find((entry) => entry.kind === "ask");
    expect(card).toMatchObject({ kind: "ask", id: "p" });
    expect(card?.isContinued).toBeUndefined();
  });

  test("that came first is answered first", () => {
    const fixture = new ChatFixture().tool("a").ask("p1", { itemId: "a" }).ask("p2", { itemId: "a" });
    expect(fixture.shape).toEqual(["ask p1 of 2"]);
    fixture.ask("p1", { itemId: "a", state: "decided", decision: "allowed_once" });
    expect(fixture.shape).toEqual(["ask p2 of 1"]);
  });
});

describe("the end of a turn", () => {
  test("is a live line while it runs", () => {
    expect(new ChatFixture().item("u", "user", "x").shape).toEqual(["u", "foot"]);
    expect(new ChatFixture().item("u", "user", "x").item("m", "message", "hi", { open: true }).shape).toEqual(
      ["u", "m", "foot"],
    );
  });

  test("is shown if it failed and nothing else shows it", () => {
    expect(new ChatFixture({ state: "stopped" }).item("m", "message", "x").shape).toEqual(["m", "end"]);
    expect(new ChatFixture({ state: "failed" }).item("u", "user", "x").shape).toEqual(["u", "end"]);
    expect(
      new ChatFixture({ state: "failed" }).item("m", "message", "Error: 502", { hasError: true }).shape,
    ).toEqual(["m"]);
    expect(new ChatFixture({ state: "done" }).item("m", "message", "x").shape).toEqual(["m"]);
  });
});

describe("the last answer of an idle chat", () => {
  /** Returns the IDs of the messages marked as last, with a "+" if they offer a retry. */
  const last = (fixture: ChatFixture) =>
    fixture.entries.flatMap((entry) =>
      entry.kind === "item" && entry.last ? `${entry.id}${entry.retry ? "+" : ""}` : [],
    );

  test("is marked, ignoring banners after it", () => {
    const fixture = new ChatFixture({ state: "done" })
      .item("m1", "message", "x")
      .tool("a")
      .item("m2", "message", "y")
      .item("b", "banner", "", { turnId: "", banner: { kind: "resumed" } });
    expect(last(fixture)).toEqual(["m2+"]);
    fixture.turn({ state: "running" });
    expect(last(fixture)).toEqual([]);
  });

  test("is offered for retry before anything else its turn left, and is not an end", () => {
    const fixture = new ChatFixture({ state: "done" })
      .item("u", "user", "why")
      .item("m", "message", "so")
      .tool("a")
      .item("n", "note", "Info: x")
      .block("x", "auth", { ended: { stopReason: "end_turn" } })
      .item("th", "thought", "hm");
    expect(last(fixture)).toEqual([]);
    expect(fixture.entries.find((entry) => entry.key === "m")).toMatchObject({ retry: true });
  });

  test("that was stopped keeps its tools and omits what its end already offers", () => {
    const fixture = new ChatFixture({ state: "stopped" }).item("m", "message", "so far");
    expect(fixture.shape).toEqual(["m", "end"]);
    expect(last(fixture)).toEqual(["m"]);
    fixture.tool("a");
    expect(fixture.shape).toEqual(["m", "lines(a)", "end"]);
    expect(last(fixture)).toEqual([]);
  });

  test.each([
    ["of its turn", (fixture: ChatFixture) => fixture],
    ["of its work", (fixture: ChatFixture) => fixture.tool("a")],
    [
      "of the agent",
      (fixture: ChatFixture) => fixture.item("e", "message", "Error: 502", { hasError: true }),
    ],
  ])("that failed is tried again by the failure %s alone", (_, then) => {
    const fixture = then(new ChatFixture({ state: "failed" }).item("m", "message", "so far"));
    expect(fixture.entries.find((entry) => entry.key === "m")).toMatchObject({ retry: false });
  });

  test("that was interrupted isn't retried, and isn't last if its tasks can continue", () => {
    const fixture = new ChatFixture({ state: "interrupted" }).item("m", "message", "so far");
    expect(last(fixture)).toEqual(["m"]);
    expect(last(fixture.tool("a"))).toEqual([]);
  });

  test("is none if the user wrote or started a task since", () => {
    const asked = new ChatFixture({ state: "done" })
      .item("m", "message", "so")
      .turn({ id: "t2", state: "failed" });
    expect(last(asked.item("u", "user", "go on", { turnId: "t2" }))).toEqual([]);
    const fixture = new ChatFixture({ state: "done" })
      .item("m", "message", "so")
      .block("x", "auth", { turnId: "" });
    expect(last(fixture)).toEqual([]);
  });
});

test("sessions restored together are one banner", () => {
  const restored = (session: string, dismissed = false) => ({
    turnId: "",
    banner: { kind: "restored" as const, session, dismissed },
  });
  const fixture = new ChatFixture()
    .item("a", "banner", "", restored("one"))
    .item("b", "banner", "", restored("two"))
    .item("c", "banner", "", restored("main"))
    .item("d", "banner", "", restored("three", true))
    .item("e", "banner", "", { turnId: "", banner: { kind: "incomplete", session: "four" } })
    .item("f", "banner", "", restored("five"));
  const rows = fixture.entries.flatMap((entry) =>
    entry.kind === "item" ? [[entry.id, ...(entry.more ?? [])]] : [],
  );
  expect(rows).toEqual([["a", "b", "c"], ["d"], ["e"], ["f"]]);
});

test("totals count completed work, not refused actions", () => {
  const fixture = new ChatFixture()
    .tool("a", { kind: "edit", path: "/x" })
    .tool("b", { kind: "edit", path: "/y", status: "failed", decision: "rejected" })
    .tool("c", { kind: "execute" })
    .tool("d", { kind: "delete", path: "/z" });
  for (const [id, item, added] of [
    ["k1", "a", 3],
    ["k2", "b", 9],
  ] as const) {
    reduce(fixture.state, {
      content: { id, itemId: item, chatId: "c", type: "diff", size: 1, version: 1, added, removed: 1 },
    });
  }
  expect(totalsOf(fixture.state, ["a", "b", "c", "d"])).toEqual({
    added: 3,
    removed: 1,
    files: 2,
    commands: 1,
    withoutPermission: 0,
  });
});

test("an entry keeps its identity until it changes", () => {
  const fixture = new ChatFixture().tool("a");
  const [before] = fixture.entries;
  expect(sameEntry(before, fixture.entries[0])).toBe(true);
  fixture.tool("b");
  expect(sameEntry(before, fixture.entries[0])).toBe(false);
});

describe("a turn whose beginning isn't loaded", () => {
  const footOf = (fixture: ChatFixture) => fixture.entries.find((entry) => entry.kind === "foot");
  const edited = (fixture: ChatFixture, before: number) => {
    fixture.tool("a", { kind: "edit" }).turn({ state: "done", endedAt: 9 });
    (fixture.state.pages.c as Page).before = before;
    return fixture;
  };

  test.each(["banner", "note"] as const)("is partial after another's %s", (kind) => {
    const fixture = new ChatFixture().item("x", kind, "Info: x", { turnId: "other" });
    expect(footOf(edited(fixture, 40))).toMatchObject({ parts: { turnId: "t", whole: false } });
  });

  test("is complete from the user's message on, and after another turn", () => {
    const asked = new ChatFixture().item("x", "banner", "", { turnId: "t" }).item("u", "user", "do it");
    expect(footOf(edited(asked, 40))).toMatchObject({ parts: { whole: true } });
    const later = new ChatFixture().item("m", "message", "Done.", { turnId: "before" });
    expect(footOf(edited(later, 40))).toMatchObject({ parts: { whole: true } });
  });
});

test("a running turn keeps its live line below another session's note", () => {
  const fixture = new ChatFixture()
    .item("u", "user", "do it")
    .tool("a", { status: "in_progress" })
    .item("n", "note", "Info: x", { turnId: "other" });
  expect(fixture.shape).toEqual(["u", "lines(a)", "n", "foot"]);
  fixture.item("m", "message", "On it.");
  expect(fixture.shape).toEqual(["u", "lines(a)", "n", "m", "foot"]);
});
