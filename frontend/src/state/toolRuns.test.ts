// Long runs of calls, most of which have been evicted, must have the same totals as all their calls
// together.

import { expect, test } from "vitest";
import { chatEvent } from "../testing";
import { rowsOf } from "./lines";
import { resetToEnd } from "./pageWindow";
import { applyPart, openPage, reduce, setBefore, setReader, wantWhole } from "./reduce";
import { newState, type Page, type State } from "./state";
import { maxCalls, trimmedCalls } from "./toolRuns";
import { entriesOf, type Lines, type Work } from "./transcript";
import { factsOfFold, totalsOfTurn } from "./turn";
import type { Event, Item, Tool } from "./types";
import { gapsOf, totalsOfWork } from "./workTotals";

const count = 1000;

/**
 * call returns the events of the nth tool call and its output: every tenth call is an edit, every third a
 * command, and the others are reads.
 */
function call(n: number, more: Partial<Item> = {}, tool: Partial<Tool> = {}): Event[] {
  const id = `i${n}`;
  const kind = n % 10 === 0 ? "edit" : n % 3 === 0 ? "execute" : "read";
  const item: Item = {
    id,
    chatId: "c",
    turnId: "t",
    session: "main",
    pos: n,
    kind: "tool",
    createdAt: n,
    tool: { callId: id, title: id, kind, status: "completed", path: `${n % 70}.go`, ...tool },
    ...more,
  };
  const body = { id: `b${n}`, itemId: id, chatId: "c", version: 1, size: 10 };
  const content =
    kind === "edit"
      ? { ...body, type: "diff" as const, path: `${n % 70}.go`, added: n, removed: 1 }
      : { ...body, type: "text" as const };
  return [{ item }, { content }];
}

function newChatState(): State {
  const state = newState();
  reduce(state, chatEvent("c"));
  openPage(state, "c");
  setReader(state, "c");
  reduce(state, { turn: { id: "t", chatId: "c", session: "main", state: "running", startedAt: 1 } });
  return state;
}

function run(state: State): Lines {
  const [lines, ...others] = entriesOf(state, "c").filter((entry) => entry.kind === "lines");
  expect(others).toEqual([]);
  return lines as Lines;
}

/** totals returns the effects of the lines, including calls that aren't loaded. */
const totals = (state: State, { ids }: Lines) =>
  totalsOfTurn(state, "c", { turnId: "t", ids, blocks: [], whole: true });

const all = Array.from({ length: count }, (_, n) => call(n + 1));
/** expectedTotals holds the effects of all calls. */
const expectedTotals = (() => {
  const items = all.map(([event]) => event?.item as Item);
  const edits = items.filter((item) => item.tool?.kind === "edit");
  return {
    added: edits.reduce((sum, { pos }) => sum + pos, 0),
    removed: edits.length,
    files: new Set(edits.map((item) => item.tool?.path)).size,
    commands: items.filter((item) => item.tool?.kind === "execute").length,
    withoutPermission: 0,
  };
})();

test("The receipt of a run that starts with a plan includes unloaded items", () => {
  const state = newChatState();
  const plan: Item = {
    id: "plan",
    chatId: "c",
    turnId: "t",
    session: "main",
    pos: 0,
    kind: "plan",
    createdAt: 1,
    plan: [{ content: "work", status: "pending" }],
  };
  reduce(state, { item: plan });
  for (const event of all.flat()) reduce(state, event);
  const foot = entriesOf(state, "c").find((entry) => entry.kind === "foot");
  expect(foot?.kind === "foot" && totalsOfTurn(state, "c", foot.parts)).toEqual(expectedTotals);
});

test("A run of a thousand calls loads a bounded number and counts all of them", () => {
  const state = newChatState();
  const keys = new Set<string>();
  for (const events of all) {
    for (const event of events) reduce(state, event);
    keys.add(run(state).key);
    expect(Object.keys(state.items).length).toBeLessThanOrEqual(maxCalls);
    expect(Object.keys(state.contents).length).toBeLessThanOrEqual(maxCalls);
    expect(Object.keys(state.contentsOf).length).toBeLessThanOrEqual(maxCalls);
  }
  expect([...keys]).toEqual(["l:i1"]);
  const work = run(state);
  expect(work.evicted + work.ids.length).toBe(count);
  expect(work.ids.slice(-trimmedCalls)).toEqual(all.slice(-trimmedCalls).map(([event]) => event?.item?.id));
  expect(totals(state, work)).toEqual(expectedTotals);
});

test("A fold of a thousand read-only calls counts unloaded ones", () => {
  const state = newChatState();
  for (let n = 1; n <= count; n++) {
    for (const event of call(n, {}, { kind: n % 10 === 0 ? "search" : "read" })) reduce(state, event);
  }
  const lines = run(state);
  const rows = rowsOf(state, lines.ids, gapsOf(state, state.pages.c as Page, lines));
  expect(rows.map((row) => [row.key, row.kind])).toEqual([["i1", "fold"]]);
  const [fold] = rows;
  if (fold?.kind !== "fold") throw new Error("no fold");
  // The fold counts distinct files: there are 70, and every tenth is never read.
  expect(factsOfFold(state, fold)).toMatchObject({ read: 63, search: 100 });
});

test("Unloaded calls of different kinds are a separate row", () => {
  const state = newChatState();
  for (const event of all.flat()) reduce(state, event);
  const lines = run(state);
  const rows = rowsOf(state, lines.ids, gapsOf(state, state.pages.c as Page, lines));
  expect(rows.find((row) => row.kind === "gap")).toMatchObject({ count: lines.evicted });
});

test("Open, requested or rejected calls stay loaded", () => {
  const state = newChatState();
  for (const [at, events] of all.entries()) {
    const n = at + 1;
    const [told, ...rest] =
      n === 20
        ? call(n, { open: true })
        : n === 30
          ? call(n, {}, { decision: "rejected" })
          : (events as [Event, ...Event[]]);
    for (const event of [told, ...rest]) if (event) reduce(state, event);
    if (n === 40)
      reduce(state, {
        permission: {
          id: "p",
          chatId: "c",
          turnId: "t",
          session: "main",
          itemId: "i40",
          kind: "execute",
          title: "Run it",
          options: [],
          state: "open",
          createdAt: 1,
        },
      });
  }
  // The requested call is shown as the card.
  expect(run(state).ids.slice(0, 3)).toEqual(["i1", "i20", "i30"]);
  expect(entriesOf(state, "c").some((entry) => entry.key === "p:p")).toBe(true);
  expect(state.items.i40).toBeDefined();
});

test("A late update of an unloaded call restores nothing", () => {
  const state = newChatState();
  for (const event of all.flat()) reduce(state, event);
  const before = run(state);
  for (const event of call(50)) reduce(state, event);
  expect(state.items.i50).toBeUndefined();
  expect(run(state)).toEqual(before);
});

test("Calls reload on request, and nothing is counted twice", () => {
  const state = newChatState();
  for (const event of all.flat()) reduce(state, event);
  const before = run(state);
  wantWhole(state, "c");
  // The newest of the missing calls, as the database returns them.
  const last = count - before.ids.length + 1;
  for (const event of all.slice(last - 60, last).flat()) reduce(state, event);
  expect(run(state).evicted).toBe(before.evicted - 60);
  expect(totals(state, run(state))).toEqual(expectedTotals);
  for (const event of all.flat()) reduce(state, event);
  expect(run(state).evicted).toBe(0);
  expect(run(state).ids).toEqual(all.map(([event]) => event?.item?.id));
  expect(totals(state, run(state))).toEqual(expectedTotals);
  expect(run(state).key).toBe(before.key);

  // Back at the end, the next call evicts them.
  resetToEnd(state, "c");
  for (const event of call(count + 1)) reduce(state, event);
  expect(Object.keys(state.items).length).toBeLessThanOrEqual(maxCalls);
});

test("A run read from the database page by page is bounded, too", () => {
  const state = newChatState();
  const pageItems = 60;
  let before = count - pageItems + 1;
  setBefore(state, "c", before);
  for (const event of all.slice(-pageItems).flat()) reduce(state, event);
  while (before > 1) {
    const from = Math.max(1, before - pageItems);
    const events = all.slice(from - 1, before - 1).flat();
    applyPart(state, "c", { before }, { events, before: from > 1 ? from : 0 }, []);
    before = from;
    expect(Object.keys(state.items).length).toBeLessThanOrEqual(maxCalls + pageItems);
  }
  const work = run(state);
  expect(work.key).toBe("l:i1");
  expect(work.evicted + work.ids.length).toBe(count);
  expect(totals(state, work)).toEqual(expectedTotals);
});

test("A delegated session's calls are bounded, and its text stays", () => {
  const state = newChatState();
  const item = {
    id: "b",
    chatId: "c",
    turnId: "t",
    session: "main",
    pos: 0,
    kind: "block" as const,
    createdAt: 1,
  };
  const block = { sessionName: "tests", turnId: "u", toolCallId: "x", prompt: "Do it." };
  reduce(state, { item: { ...item, open: true, block } });
  reduce(state, { turn: { id: "u", chatId: "c", session: "tests", state: "running", startedAt: 1 } });
  for (const events of all) {
    for (const event of events) {
      reduce(
        state,
        event.item ? { item: { ...event.item, turnId: "u", session: "tests", parentId: "b" } } : event,
      );
    }
    const n = events[0]?.item?.pos ?? 0;
    if (n % 100 > 0) continue;
    const said: Item = { ...item, id: `m${n}`, kind: "message", parentId: "b", turnId: "u", pos: n + 0.5 };
    reduce(state, { item: said });
    reduce(state, { text: { itemId: said.id, chatId: "c", offset: 0, text: "So far.", size: 7 } });
  }
  const work = entriesOf(state, "c").find((entry) => entry.kind === "work") as Work;
  expect(work.evicted).toBeGreaterThan(count - maxCalls - 11);
  expect(work.ids.filter((id) => id.startsWith("m")).length).toBe(count / 100);
  expect(totalsOfWork(state, work)).toEqual(expectedTotals);
});
