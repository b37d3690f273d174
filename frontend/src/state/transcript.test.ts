import { describe, expect, test } from "vitest";
import { totalsOf } from "./done";
import { openPage, reduce } from "./reduce";
import { newState, type State } from "./state";
import { type Entry, entriesOf, sameEntry, totalsOfWork, type Work } from "./transcript";
import type { Block, Item, Permission, Tool, Turn } from "./words";

/** A chat that is told item by item. */
class Told {
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
      if (entry.kind === "thoughts") return `thoughts(${entry.ids.join(" ")})`;
      return entry.kind === "ask" ? `ask ${entry.id} of ${entry.waiting}` : entry.kind;
    });
  }
}

const work = (told: Told) => told.entries.find((entry): entry is Work => entry.kind === "work");

describe("work", () => {
  test("is each run of tool calls, thoughts and plans between two texts, in its place", () => {
    const told = new Told({ state: "done" })
      .item("u", "user", "do it")
      .item("th", "thought", "hm")
      .tool("a")
      .item("p", "plan")
      .tool("b")
      .item("m", "message", "done so far")
      .tool("c")
      .item("n", "note", "Info: x")
      .tool("d");
    expect(told.shape).toEqual(["u", "work(th a p b) done", "m", "work(c) done", "n", "work(d) done"]);
  });

  test("is not cut by a message or thought that has no text", () => {
    const told = new Told({ state: "done" }).tool("a").item("m", "message").item("th", "thought").tool("b");
    expect(told.shape).toEqual(["work(a b) done"]);
  });

  test("of thoughts alone is a row and no block", () => {
    const told = new Told({ state: "done" }).item("th", "thought", "hm").item("m", "message", "x");
    expect(told.shape).toEqual(["thoughts(th)", "m"]);
  });

  test("of one turn is never joined with that of the next", () => {
    const told = new Told({ state: "stopped" }).tool("a").turn({ id: "t2" }).tool("b", {}, { turnId: "t2" });
    expect(told.shape).toEqual(["work(a) stopped", "work(b) running"]);
  });

  test("keeps its key while it grows", () => {
    const told = new Told().tool("a");
    const key = work(told)?.key;
    told.tool("b").turn({ state: "done" });
    expect(work(told)?.key).toBe(key);
  });

  test("of a delegated session has its items inside", () => {
    const told = new Told()
      .item("b", "block", "request", { session: "fix", open: true })
      .tool("a", {}, { parentId: "b", session: "fix" });
    expect(told.shape).toEqual(["work(a) running", "busy"].slice(0, 1));
    expect(work(told)).toMatchObject({ session: "fix", blockId: "b" });
  });
});

describe("the last work of a turn", () => {
  test("runs until text comes after it or the turn ends", () => {
    const told = new Told().tool("a");
    expect(told.shape).toEqual(["work(a) running"]);
    told.item("m", "message", "so", { open: true });
    expect(told.shape).toEqual(["work(a) done", "m"]);
  });

  test.each(["done", "failed", "stopped", "interrupted"] as const)("ends as its turn does: %s", (state) => {
    const told = new Told({ state }).tool("a");
    expect(told.shape).toEqual([`work(a) ${state}`]);
  });

  test("says why the turn failed, and earlier work does not", () => {
    const told = new Told({ state: "failed", error: { code: "model", message: "502" } })
      .tool("a")
      .item("m", "message", "x")
      .tool("b");
    expect(told.entries.map((entry) => entry.kind === "work" && entry.failed)).toEqual([false, false, true]);
  });
});

describe("a block", () => {
  /** Two sessions at work for one turn. */
  const two = () =>
    new Told()
      .item("u", "user", "do both")
      .block("x", "auth", { open: true, endedAt: undefined })
      .block("y", "logger", { open: true, endedAt: undefined })
      .turn({ id: "t-x", session: "auth", blockId: "x", startedAt: 5000 })
      .turn({ id: "t-y", session: "logger", blockId: "y", startedAt: 6000 })
      .tool("ax", {}, { parentId: "x", session: "auth", turnId: "t-x" })
      .tool("ay", {}, { parentId: "y", session: "logger", turnId: "t-y" });
  const blocks = (told: Told) => told.entries.filter((entry): entry is Work => entry.kind === "work");

  test("stands in the place of its item, with what its session does inside", () => {
    expect(two().shape).toEqual(["u", "work(ax) running", "work(ay) running"]);
    expect(blocks(two()).map((entry) => entry.session)).toEqual(["auth", "logger"]);
  });

  test("stands as its own turn does, whatever the others do", () => {
    const told = two().turn({ id: "t-x", session: "auth", blockId: "x", state: "failed", startedAt: 5000 });
    expect(told.shape).toEqual(["u", "work(ax) failed", "work(ay) running"]);
    expect(blocks(told).map((entry) => entry.failed)).toEqual([true, false]);
    told.turn({ id: "t-y", session: "logger", blockId: "y", state: "stopped", startedAt: 6000 });
    expect(told.shape).toEqual(["u", "work(ax) failed", "work(ay) stopped", "busy"]);
    told.turn({ state: "stopped" });
    expect(told.shape).toEqual(["u", "work(ax) failed", "work(ay) stopped"]);
    told.turn({ state: "failed" });
    expect(told.shape).toEqual(["u", "work(ax) failed", "work(ay) stopped", "end"]);
  });

  test("that waits has its request under it, the oldest one first", () => {
    const told = two()
      .ask("p1", { itemId: "ay", session: "logger", turnId: "t-y" })
      .ask("p2", { session: "auth", turnId: "t-x" });
    expect(told.shape).toEqual(["u", "work(ax) waiting", "work(ay) waiting", "ask p1 of 2"]);
    told.ask("p1", { state: "decided", session: "logger", turnId: "t-y" });
    expect(told.shape).toEqual(["u", "work(ax) waiting", "ask p2 of 1", "work(ay) running"]);
  });

  test("says by itself how it ended where its turn is not loaded", () => {
    const ended = (block: Partial<Block>, more: Partial<Item> = {}) =>
      blocks(new Told({ state: "done" }).block("x", "auth", { ...more, ended: block }))[0]?.state;
    expect(ended({}, { open: true })).toBe("running");
    expect(ended({ stopReason: "end_turn" })).toBe("done");
    expect(ended({ stopReason: "cancelled" })).toBe("stopped");
    expect(ended({ stopReason: "max_tokens" })).toBe("stopped");
    expect(ended({ stopReason: "refusal" })).toBe("failed");
    expect(ended({ error: { code: "model", message: "status 502" } })).toBe("failed");
  });

  test("of the user's own hand belongs to no answer", () => {
    const told = new Told({ state: "done" }).block("x", "auth", { turnId: "" });
    told.turn({ id: "t-x", session: "auth", blockId: "x", state: "running", startedAt: 1 });
    expect(told.shape).toEqual(["work() running"]);
    told.turn({ id: "t-x", session: "auth", blockId: "x", state: "failed", startedAt: 1 });
    expect(told.shape).toEqual(["work() failed"]);
  });

  test("adds up as its caller was told, and counts where nobody was told yet", () => {
    const told = two();
    const totals = () => totalsOfWork(told.state, blocks(told)[0] as Work);
    told.tool("run", { kind: "execute" }, { parentId: "x", session: "auth", turnId: "t-x" });
    expect(totals()).toMatchObject({ files: 0, commands: 1 });
    told.block("x", "auth", {
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

  test("took as long as its own turn, not as the wait for its session", () => {
    const told = two();
    told.block("x", "auth", { open: false, endedAt: 9000 });
    expect(blocks(told)[0]).toMatchObject({ startedAt: 5000, endedAt: 9000 });
  });
});

describe("a request", () => {
  test("stands under the work it is about and makes it wait", () => {
    const told = new Told().tool("a", { status: "pending" }).ask("p", { itemId: "a" });
    expect(told.shape).toEqual(["work(a) waiting", "ask p of 1"]);
  });

  test("stands at the end where its tool call is not known", () => {
    expect(new Told().item("u", "user", "x").ask("p").shape).toEqual(["u", "busy", "ask p of 1"]);
  });

  test("that came first is answered first", () => {
    const told = new Told().tool("a").ask("p1", { itemId: "a" }).ask("p2", { itemId: "a" });
    expect(told.shape).toEqual(["work(a) waiting", "ask p1 of 2"]);
    told.ask("p1", { itemId: "a", state: "decided", decision: "allowed_once" });
    expect(told.shape).toEqual(["work(a) waiting", "ask p2 of 1"]);
  });
});

describe("the end of a turn", () => {
  test("is busy while nothing of it is seen", () => {
    expect(new Told().item("u", "user", "x").shape).toEqual(["u", "busy"]);
    expect(new Told().item("u", "user", "x").item("m", "message", "hi", { open: true }).shape).toEqual([
      "u",
      "m",
    ]);
  });

  test("is told where it was not good and nothing else tells it", () => {
    expect(new Told({ state: "stopped" }).item("m", "message", "x").shape).toEqual(["m", "end"]);
    expect(new Told({ state: "failed" }).item("u", "user", "x").shape).toEqual(["u", "end"]);
    expect(
      new Told({ state: "failed" }).item("m", "message", "Error: 502", { hasError: true }).shape,
    ).toEqual(["m"]);
    expect(new Told({ state: "done" }).item("m", "message", "x").shape).toEqual(["m"]);
  });
});

describe("the last answer of a chat that rests", () => {
  /** The one that is marked; with a "+" where it offers to be tried again. */
  const last = (told: Told) =>
    told.entries.flatMap((entry) =>
      entry.kind === "item" && entry.last ? `${entry.id}${entry.retry ? "+" : ""}` : [],
    );

  test("is marked, banners after it apart", () => {
    const told = new Told({ state: "done" })
      .item("m1", "message", "x")
      .tool("a")
      .item("m2", "message", "y")
      .item("b", "banner", "", { turnId: "", banner: { kind: "resumed" } });
    expect(last(told)).toEqual(["m2+"]);
    told.turn({ state: "running" });
    expect(last(told)).toEqual([]);
  });

  test("is marked before all else that its turn left behind", () => {
    const told = new Told({ state: "done" })
      .item("u", "user", "why")
      .item("m", "message", "so")
      .tool("a")
      .item("n", "note", "Info: x")
      .block("x", "auth", { ended: { stopReason: "end_turn" } })
      .item("th", "thought", "hm");
    expect(last(told)).toEqual(["m+"]);
  });

  test("that was stopped keeps its tools, and offers nothing that its end offers already", () => {
    const told = new Told({ state: "stopped" }).item("m", "message", "so far");
    expect(told.shape).toEqual(["m", "end"]);
    expect(last(told)).toEqual(["m"]);
    told.tool("a");
    expect(told.shape).toEqual(["m", "work(a) stopped"]);
    expect(last(told)).toEqual(["m+"]);
  });

  test.each([
    ["of its turn", (told: Told) => told],
    ["of its work", (told: Told) => told.tool("a")],
    ["of the agent", (told: Told) => told.item("e", "message", "Error: 502", { hasError: true })],
  ])("that failed is tried again by the failure %s alone", (_, then) => {
    expect(last(then(new Told({ state: "failed" }).item("m", "message", "so far")))).toEqual(["m"]);
  });

  test("that was interrupted is not begun again, and is no last one where its work is to be gone on with", () => {
    const told = new Told({ state: "interrupted" }).item("m", "message", "so far");
    expect(last(told)).toEqual(["m"]);
    expect(last(told.tool("a"))).toEqual([]);
  });

  test("is none where the user wrote since, or the user's own work came since", () => {
    const asked = new Told({ state: "done" }).item("m", "message", "so").turn({ id: "t2", state: "failed" });
    expect(last(asked.item("u", "user", "go on", { turnId: "t2" }))).toEqual([]);
    const told = new Told({ state: "done" }).item("m", "message", "so").block("x", "auth", { turnId: "" });
    expect(last(told)).toEqual([]);
  });
});

test("sessions that came back together are one banner", () => {
  const restored = (session: string, dismissed = false) => ({
    turnId: "",
    banner: { kind: "restored" as const, session, dismissed },
  });
  const told = new Told()
    .item("a", "banner", "", restored("one"))
    .item("b", "banner", "", restored("two"))
    .item("c", "banner", "", restored("main"))
    .item("d", "banner", "", restored("three", true))
    .item("e", "banner", "", { turnId: "", banner: { kind: "incomplete", session: "four" } })
    .item("f", "banner", "", restored("five"));
  const rows = told.entries.flatMap((entry) =>
    entry.kind === "item" ? [[entry.id, ...(entry.more ?? [])]] : [],
  );
  expect(rows).toEqual([["a", "b", "c"], ["d"], ["e"], ["f"]]);
});

test("totals count what was done and not what was refused", () => {
  const told = new Told()
    .tool("a", { kind: "edit", path: "/x" })
    .tool("b", { kind: "edit", path: "/y", status: "failed", decision: "rejected" })
    .tool("c", { kind: "execute" })
    .tool("d", { kind: "delete", path: "/z" });
  for (const [id, item, added] of [
    ["k1", "a", 3],
    ["k2", "b", 9],
  ] as const) {
    reduce(told.state, {
      content: { id, itemId: item, chatId: "c", type: "diff", size: 1, version: 1, added, removed: 1 },
    });
  }
  expect(totalsOf(told.state, ["a", "b", "c", "d"])).toEqual({
    added: 3,
    removed: 1,
    files: 2,
    commands: 1,
    unasked: 0,
  });
});

test("an entry is the same until something of it changes", () => {
  const told = new Told().tool("a");
  const [before] = told.entries;
  expect(sameEntry(before, told.entries[0])).toBe(true);
  told.tool("b");
  expect(sameEntry(before, told.entries[0])).toBe(false);
});
