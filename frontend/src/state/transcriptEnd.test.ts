// Tests of the end of a turn in the transcript: its current activity, summary, next step and last answer.

import { describe, expect, test } from "vitest";
import type { Page } from "./state";
import { ChatFixture } from "./testing";

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
