import { describe, expect, test } from "vitest";
import { chatEvent } from "../testing";
import { containsItem, type LineRow, rowsOf } from "./lines";
import { openPage, reduce } from "./reduce";
import { newState } from "./state";
import { factsOfFold } from "./turn";
import type { Item, Tool } from "./types";

type More = Partial<Omit<Tool, "kind">> & Partial<Pick<Item, "open" | "endedAt" | "waited">>;
type Step = [id: string, kind: Tool["kind"] | "thought" | "plan" | "retry", more?: More];

/** Formats the rows for a list of steps: calls by their IDs, folds and sequences of thoughts in brackets. */
function formatRows(...steps: Step[]) {
  const state = newState();
  reduce(state, chatEvent("c"));
  openPage(state, "c");
  steps.forEach(([id, kind, more = {}], at) => {
    const { status = "completed", decision, exitCode, signal, unasked, path, ...item } = more;
    const base = { id, chatId: "c", turnId: "t", session: "main", pos: at + 1, createdAt: 0, endedAt: 500 };
    if (kind === "thought" || kind === "plan") reduce(state, { item: { ...base, kind, ...item } });
    else if (kind === "retry") {
      reduce(state, { item: { ...base, kind: "note", retry: { reason: "closed", of: 5 }, ...item } });
    } else {
      const tool = {
        callId: id,
        title: id,
        kind,
        status,
        decision,
        exitCode,
        signal,
        unasked,
        path: path ?? id,
      };
      reduce(state, { item: { ...base, kind: "tool", tool, ...item } });
    }
  });
  const ids = steps.map(([id]) => id);
  return { state, rows: rowsOf(state, ids), upTo: (n: number) => rowsOf(state, ids.slice(0, n)) };
}

const rowNames = (rows: LineRow[]) =>
  rows.map((row) =>
    "ids" in row ? `${row.kind}(${row.ids.join(" ")})` : row.kind === "call" ? row.id : row.kind,
  );

describe("read-only calls", () => {
  test("fold from two on, whatever they read", () => {
    expect(rowNames(formatRows(["a", "read"]).rows)).toEqual(["a"]);
    expect(rowNames(formatRows(["a", "read"], ["b", "search"], ["c", "fetch"]).rows)).toEqual([
      "fold(a b c)",
    ]);
  });

  test("don't fold across another call", () => {
    const { rows } = formatRows(["a", "read"], ["b", "edit"], ["c", "read"], ["d", "read"]);
    expect(rowNames(rows)).toEqual(["a", "b", "fold(c d)"]);
  });

  test("keep their first row's key while they grow", () => {
    const { upTo } = formatRows(["a", "read"], ["b", "read"], ["c", "read"]);
    expect([upTo(1), upTo(2), upTo(3)].map((rows) => rows.map((row) => row.key))).toEqual([
      ["a"],
      ["a"],
      ["a"],
    ]);
  });
});

test.each(["edit", "execute"] as const)("calls of the kind %s fold from four on", (kind) => {
  const steps: Step[] = ["a", "b", "c", "d"].map((id) => [id, kind]);
  expect(rowNames(formatRows(...steps.slice(0, 3)).rows)).toEqual(["a", "b", "c"]);
  expect(rowNames(formatRows(...steps).rows)).toEqual(["fold(a b c d)"]);
});

test.each([
  ["runs", { status: "in_progress", open: true }],
  ["failed", { status: "failed" }],
  ["ended badly", { exitCode: 1 }],
  ["was ended by a signal", { signal: "SIGKILL" }],
  ["was rejected", { status: "failed", decision: "rejected" }],
  ["was not answered", { decision: "closed" }],
  ["was stopped", { status: "cancelled" }],
  ["nobody asked about", { unasked: true }],
] as [string, More][])("%s is never folded", (_, more) => {
  const { rows } = formatRows(
    ["a", "read"],
    ["b", "read"],
    ["x", "read", more],
    ["c", "read"],
    ["d", "read"],
  );
  expect(rowNames(rows)).toEqual(["fold(a b)", "x", "fold(c d)"]);
});

test("a tool with unlimited effects is never folded", () => {
  expect(rowNames(formatRows(["a", "other"], ["b", "other"]).rows)).toEqual(["a", "b"]);
});

describe("a thought", () => {
  test("goes inside a fold if short", () => {
    const { rows } = formatRows(["t", "thought"], ["a", "read"], ["u", "thought"], ["b", "read"]);
    expect(rowNames(rows)).toEqual(["fold(t a u b)"]);
    expect(rows[0]?.key).toBe("a");
  });

  test("is between folds from two seconds on", () => {
    const long = { endedAt: 2000 };
    const { rows } = formatRows(
      ["a", "read"],
      ["b", "read"],
      ["t", "thought", long],
      ["c", "read"],
      ["d", "read"],
    );
    expect(rowNames(rows)).toEqual(["fold(a b)", "thought(t)", "fold(c d)"]);
  });

  test("merges with adjacent thoughts, and stands alone if nothing folds", () => {
    const { rows } = formatRows(
      ["t", "thought"],
      ["u", "thought", { endedAt: 3000 }],
      ["a", "edit"],
      ["v", "thought"],
    );
    expect(rowNames(rows)).toEqual(["thought(t u)", "a", "thought(v)"]);
  });

  test("in progress is a line until it is known to be short", () => {
    const open = { open: true, endedAt: undefined };
    expect(rowNames(formatRows(["a", "read"], ["b", "read"], ["t", "thought", open]).rows)).toEqual([
      "fold(a b)",
      "thought(t)",
    ]);
  });

  test("has a duration without the user's wait", () => {
    const waited = { endedAt: 60_000, waited: 59_000 };
    const { rows } = formatRows(["a", "read"], ["t", "thought", waited], ["b", "read"]);
    expect(rowNames(rows)).toEqual(["fold(a t b)"]);
  });
});

test("a plan appears where it was created, in its latest version", () => {
  const { rows } = formatRows(["p", "plan"], ["a", "read"], ["q", "plan"], ["b", "read"]);
  expect(rows[0]).toEqual({ key: "p", kind: "plan", id: "q" });
  expect(rowNames(rows)).toEqual(["plan", "fold(a b)"]);
});

test("consecutive tries are one row", () => {
  expect(rowNames(formatRows(["r", "retry"], ["s", "retry"], ["a", "read"], ["x", "retry"]).rows)).toEqual([
    "retries(r s)",
    "a",
    "retries(x)",
  ]);
});

test("a fold counts files and texts, not calls", () => {
  const { state, rows } = formatRows(
    ["a", "read", { path: "/x" }],
    ["b", "read", { path: "/x" }],
    ["c", "read", { path: "/y" }],
    ["d", "search"],
    ["e", "search"],
  );
  const [fold] = rows;
  if (fold?.kind !== "fold") throw new Error("no fold");
  expect(factsOfFold(state, fold)).toMatchObject({ read: 2, search: 2 });
  expect(containsItem(fold, "d")).toBe(true);
  expect(containsItem(fold, "z")).toBe(false);
});

test("a fold of commands sums their durations without waits", () => {
  const run = { endedAt: 5000, waited: 2000 };
  const { state, rows } = formatRows(...["a", "b", "c", "d"].map((id): Step => [id, "execute", run]));
  const [fold] = rows;
  if (fold?.kind !== "fold") throw new Error("no fold");
  expect(factsOfFold(state, fold)).toMatchObject({ run: 4, time: 12_000 });
});
