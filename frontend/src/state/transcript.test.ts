import { describe, expect, test } from "vitest";
import { reduce } from "./reduce";
import { ChatFixture } from "./testing";
import { entriesOf, sameEntry, type Work } from "./transcript";
import type { Block, Item } from "./types";
import { totalsOf } from "./workSummary";
import { totalsOfWork } from "./workTotals";

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

test("a session restored after an incomplete message is reported once", () => {
  const banner = (kind: "incomplete" | "resumed", session: string, dismissed = false) => ({
    turnId: "",
    banner: { kind, session, dismissed },
  });
  const fixture = new ChatFixture()
    .item("a", "banner", "", banner("incomplete", "main"))
    .item("b", "banner", "", banner("resumed", "main"))
    .item("c", "banner", "", banner("resumed", "other"))
    .item("d", "banner", "", banner("incomplete", "main", true))
    .item("e", "banner", "", banner("resumed", "main"));
  expect(fixture.entries.flatMap((entry) => (entry.kind === "item" ? [entry.id] : []))).toEqual([
    "a",
    "c",
    "d",
    "e",
  ]);
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
