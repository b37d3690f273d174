// The transcript as a list of entries: what stands in the database item by
// item, joined into what a person reads. Plain functions over a state that is
// not tracked, since they walk thousands of items; the page's rev says when to
// walk again.

import { sameList } from "../lib/lists";
import { type Totals, totalsOf } from "./done";
import { gapsIn, goneIn, working } from "./runs";
import type { Gap, Page, State } from "./state";
import { beginsWith } from "./text";
import type { Item, Permission, Turn } from "./words";

/** How a block stands; the words of its summary and its colours follow. */
export type WorkState = "running" | "waiting" | "done" | "failed" | "stopped" | "interrupted";

/** One entry of the transcript. Key is the same for as long as the entry lives. */
export type Entry =
  /** more are banners that say the same of other sessions; retry is set where nothing else offers to try its turn again. */
  | { key: string; kind: "item"; id: string; last: boolean; retry?: boolean; more?: string[] }
  | { key: string; kind: "thoughts"; ids: string[] }
  | Work
  | { key: string; kind: "ask"; id: string; waiting: number }
  | { key: string; kind: "busy"; turnId: string }
  | { key: string; kind: "end"; turnId: string };

/** Work is a run of tool calls, thoughts and plans, or what a delegated session did. */
export interface Work {
  key: string;
  kind: "work";
  session: string;
  /** What is inside, in order, as far as it is held. */
  ids: string[];
  /** How many calls of it are not held (runs.ts). */
  gone: number;
  /** The item of a delegated session; "" for a run of the main one. */
  blockId: string;
  /** The turn that did it: of a block its own, not its caller's. */
  turnId: string;
  state: WorkState;
  startedAt: number;
  endedAt: number;
  /** Its turn's failure belongs to it: of a run, nothing came after. */
  failed: boolean;
}

/** isHidden says whether an item has nothing to show, or nothing that the user wants to see. */
function isHidden(state: State, item: Item): boolean {
  if (item.kind === "thought" && !state.settings.showThoughts) return true;
  if (item.kind !== "thought" && item.kind !== "message" && item.kind !== "note") return false;
  return (state.texts[item.id]?.size ?? 0) === 0;
}

/** oldestAsk is the request that is to be answered first, and how many wait. */
export function oldestAsk(state: State, chatId: string): { ask?: Permission; waiting: number } {
  let ask: Permission | undefined;
  let waiting = 0;
  for (const p of Object.values(state.permissions)) {
    if (p.chatId !== chatId || p.state !== "open") continue;
    waiting++;
    if (!ask || p.createdAt < ask.createdAt || (p.createdAt === ask.createdAt && p.id < ask.id)) ask = p;
  }
  return { ask, waiting };
}

function stateOf(state: State, work: Work, isLast: boolean, asks: boolean): WorkState {
  if (asks) return "waiting";
  const block = state.items[work.blockId];
  if (block) return blockState(state, block);
  const turn = state.turns[work.turnId];
  if (!turn || turn.state === "done") return "done";
  if (turn.state === "running") {
    return isLast || work.ids.some((id) => state.items[id]?.open) ? "running" : "done";
  }
  return isLast ? turn.state : "done";
}

/** ACP's words for an answer that was declined, and for one that was cut off. */
const declined = "refusal";
const limits = new Set(["max_tokens", "max_turn_requests"]);

/**
 * blockState is the state of the block's turn; what the block itself says of
 * its end stands in where that turn is not loaded.
 */
function blockState(state: State, item: Item): WorkState {
  const turn = state.turns[item.block?.turnId ?? ""];
  if (turn) return turn.state;
  if (item.open) return "running";
  const reason = item.block?.stopReason ?? "";
  if (item.block?.error || reason === declined) return "failed";
  return reason === "cancelled" || limits.has(reason) ? "stopped" : "done";
}

/** stopOf is what ACP's word for the end of a turn says, where that did not simply finish. */
export function stopOf(reason: string | undefined): "declined" | "limit" | "" {
  if (reason === declined) return "declined";
  return limits.has(reason ?? "") ? "limit" : "";
}

/** stopsOf says why a block ended that did not simply finish. */
export function stopsOf(state: State, item: Item): "declined" | "limit" | "" {
  return stopOf(item.block?.stopReason ?? state.turns[item.block?.turnId ?? ""]?.stopReason);
}

function times(state: State, work: Work): void {
  const block = state.items[work.blockId];
  if (block) {
    const turn = state.turns[work.turnId];
    work.startedAt = turn?.startedAt || block.createdAt;
    work.endedAt = block.endedAt || turn?.endedAt || work.startedAt;
    return;
  }
  const ids = work.ids;
  let end = 0;
  for (const id of ids) {
    const item = state.items[id];
    if (!item) continue;
    if (work.startedAt === 0 || item.createdAt < work.startedAt) work.startedAt = item.createdAt;
    end = Math.max(end, item.endedAt ?? 0, item.createdAt);
  }
  const turn = state.turns[work.turnId];
  work.endedAt = work.failed ? (turn?.endedAt ?? end) : end;
}

/** entriesOf is the part of a chat's transcript that is read, or its end, as far as it is held. */
export function entriesOf(state: State, chatId: string, of: "shown" | "end" = "shown"): Entry[] {
  const page = state.pages[chatId];
  if (!page) return [];
  const window = of === "shown" ? page.window : undefined;
  const entries: Entry[] = [];
  let run: string[] = [];
  const turnOf: string[] = [];

  const push = (entry: Entry, turnId: string) => {
    entries.push(entry);
    turnOf.push(turnId);
  };
  const close = () => {
    if (run.length === 0) return;
    const first = state.items[run[0] as string] as Item;
    const turnId = first.turnId ?? "";
    if (run.every((id) => state.items[id]?.kind === "thought")) {
      push({ key: `t:${first.id}`, kind: "thoughts", ids: run }, turnId);
    } else {
      const work = newWork(`w:${first.id}`, first.session || "main", run, "", turnId);
      work.gone = goneIn(page, "", first.pos, state.items[run.at(-1) ?? ""]?.pos);
      push(work, turnId);
    }
    run = [];
  };

  for (const id of (window ?? page).order) {
    const item = state.items[id];
    if (!item || isHidden(state, item) || isEcho(state, item)) continue;
    if (working.has(item.kind)) {
      const before = state.items[run[0] ?? ""];
      if (before && before.turnId !== item.turnId) close();
      run.push(id);
      continue;
    }
    close();
    const turnId = item.turnId ?? "";
    if (item.kind === "block") {
      const inside = (page.inside[id] ?? []).filter((child) => {
        const c = state.items[child];
        return c !== undefined && !isHidden(state, c);
      });
      const name = item.block?.sessionName || item.session || "";
      const work = newWork(blockKey(id), name, inside, id, item.block?.turnId || turnId);
      work.gone = goneIn(page, id);
      push(work, turnId);
    } else {
      const before = entries.at(-1);
      if (before?.kind === "item" && sayTheSame(state.items[before.id], item)) {
        before.more = [...(before.more ?? []), id];
      } else {
        push({ key: id, kind: "item", id, last: false }, turnId);
      }
    }
  }
  close();
  return finish(state, chatId, entries, turnOf, window === undefined);
}

/** sayTheSame says whether two banners are of sessions that came back together. */
function sayTheSame(a: Item | undefined, b: Item): boolean {
  const kind = b.banner?.kind;
  return (
    (kind === "restored" || kind === "resumed") &&
    a?.banner?.kind === kind &&
    !a.banner.dismissed === !b.banner?.dismissed
  );
}

/** blockKey is the key of the entry of a block. */
export function blockKey(itemId: string): string {
  return `b:${itemId}`;
}

/** What the CLI says when a request was turned down: the row of the request says it already. */
const echo = "Info: Operation cancelled by user";

/** isEcho says whether a note only repeats that the user rejected something in its turn. */
function isEcho(state: State, note: Item): boolean {
  if (note.kind !== "note" || !beginsWith(state.texts[note.id], echo)) return false;
  return Object.values(state.items).some(
    (item) => item.turnId === note.turnId && item.tool?.decision === "rejected",
  );
}

function newWork(key: string, session: string, ids: string[], blockId: string, turnId: string): Work {
  return {
    key,
    kind: "work",
    session,
    ids,
    gone: 0,
    blockId,
    turnId,
    state: "done",
    startedAt: 0,
    endedAt: 0,
    failed: false,
  };
}

/** finish says how each entry stands and adds what follows from the turns; isEnd says that nothing comes after them. */
function finish(state: State, chatId: string, entries: Entry[], turnOf: string[], isEnd: boolean): Entry[] {
  const { ask, waiting } = oldestAsk(state, chatId);
  // A request belongs to the tool call that it names, else to the work of its turn.
  const askingItems = new Set<string>();
  const askingTurns = new Set<string>();
  for (const p of Object.values(state.permissions)) {
    if (p.chatId !== chatId || p.state !== "open") continue;
    if (p.itemId) askingItems.add(p.itemId);
    if (p.turnId) askingTurns.add(p.turnId);
  }
  const lastOf = new Map<string, number>();
  turnOf.forEach((turnId, at) => {
    // A banner comes after a turn and is no part of what it did.
    const entry = entries[at];
    const isBanner = entry?.kind === "item" && state.items[entry.id]?.kind === "banner";
    if (!isBanner) lastOf.set(turnId, at);
  });
  // The last turn may go on in what is not here.
  if (!isEnd)
    lastOf.delete([...lastOf].reduce((last, each) => (each[1] > last[1] ? each : last), ["", -1])[0]);

  const working = new Set<string>();
  entries.forEach((entry, at) => {
    if (entry.kind !== "work") return;
    const turnId = turnOf[at] ?? "";
    const isLast = lastOf.get(turnId) === at;
    const asks =
      entry.ids.some((id) => askingItems.has(id)) || (entry.blockId !== "" && askingTurns.has(entry.turnId));
    entry.state = stateOf(state, entry, isLast, asks);
    entry.failed = entry.state === "failed" && (isLast || entry.blockId !== "");
    times(state, entry);
    if (entry.state === "running" || entry.state === "waiting") working.add(turnId);
  });

  const out: Entry[] = [];
  let placed = false;
  entries.forEach((entry, at) => {
    const turnId = turnOf[at] ?? "";
    out.push(entry);
    if (ask && !placed && entry.kind === "work" && isOf(ask, entry)) {
      out.push({ key: `p:${ask.id}`, kind: "ask", id: ask.id, waiting });
      placed = true;
    }
    if (lastOf.get(turnId) === at) {
      const turn = state.turns[turnId];
      const end = turn && endOf(state, turn, entry, working.has(turnId));
      if (end) out.push(end);
    }
  });
  if (ask && !placed && isEnd) out.push({ key: `p:${ask.id}`, kind: "ask", id: ask.id, waiting });

  if (isEnd) markLast(state, out);
  return out;
}

/** isOf says whether a request was made by a piece of work. */
function isOf(ask: Permission, work: Work): boolean {
  if (ask.itemId && work.ids.includes(ask.itemId)) return true;
  return work.blockId !== "" && !!ask.turnId && ask.turnId === work.turnId;
}

/** endOf is what the end of a turn adds to its last entry; works says that something of it is seen to run. */
function endOf(state: State, turn: Turn, last: Entry, works: boolean): Entry | undefined {
  if (turn.state === "running") {
    const item = last.kind === "item" ? state.items[last.id] : undefined;
    const streams = item?.kind === "message" && item.open;
    return streams || works ? undefined : { key: `r:${turn.id}`, kind: "busy", turnId: turn.id };
  }
  if (turn.state === "done") return undefined;
  // Work says itself how its own turn ended, and a block also that its caller's ended the same way.
  if (last.kind === "work") {
    const isOwn = last.blockId === "" || last.turnId === turn.id;
    if (isOwn ? last.failed || turn.state !== "failed" : last.state === turn.state && !last.failed)
      return undefined;
  }
  if (turn.state === "failed" && last.kind === "item" && state.items[last.id]?.hasError) return undefined;
  return { key: `e:${turn.id}`, kind: "end", turnId: turn.id };
}

/** callerOf is the turn that an entry came in: of a block its caller's, not its own. */
function callerOf(state: State, entry: Entry): string {
  switch (entry.kind) {
    case "item":
      return state.items[entry.id]?.turnId ?? "";
    case "thoughts":
      return state.items[entry.ids[0] ?? ""]?.turnId ?? "";
    case "work":
      return (entry.blockId === "" ? entry.turnId : state.items[entry.blockId]?.turnId) ?? "";
    case "ask":
      return state.permissions[entry.id]?.turnId ?? "";
    default:
      return entry.turnId;
  }
}

/** Work that goes on, or is to be gone on with. */
const unfinished = new Set<WorkState>(["running", "waiting", "interrupted"]);

/**
 * markLast marks the agent's last message of a chat that rests: it has tools. What
 * its turn did, or said of its own end, after that takes none of them but the one
 * that it has itself.
 */
function markLast(state: State, entries: Entry[]): void {
  let turnId: string | undefined;
  let isOffered = false;
  for (let i = entries.length - 1; i >= 0; i--) {
    const entry = entries[i] as Entry;
    const item = entry.kind === "item" ? state.items[entry.id] : undefined;
    if (item?.kind === "banner") continue;
    turnId ??= callerOf(state, entry);
    if (callerOf(state, entry) !== turnId || item?.kind === "user") return;
    const turn = state.turns[turnId]?.state;
    if (turn === "running" || entry.kind === "ask") return;
    if (entry.kind === "work" && unfinished.has(entry.state)) return;
    if (entry.kind === "item" && item?.kind === "message" && !item.open && !item.hasError) {
      entry.last = true;
      // What was interrupted is gone on with, not begun again.
      entry.retry = !isOffered && turn !== "interrupted";
      return;
    }
    isOffered ||= entry.kind === "end" || !!item?.hasError || (entry.kind === "work" && entry.failed);
  }
}

/** sameEntry says whether two entries look the same, items of theirs apart. */
export function sameEntry(a: Entry | undefined, b: Entry | undefined): boolean {
  if (!a || !b || a.kind !== b.kind) return a === b;
  // Each change of a chat asks, of runs of a thousand calls as well: nothing is made on the way.
  for (const [name, is] of Object.entries(a)) {
    const other = b[name as keyof Entry] as unknown;
    if (is !== other && !(Array.isArray(is) && Array.isArray(other) && sameList(is, other))) return false;
  }
  return Object.keys(a).length === Object.keys(b).length;
}

/** totalsOfWork is what a piece of work did: as its block was told, else counted. */
export function totalsOfWork(state: State, work: Work): Totals {
  const page = state.pages[state.items[work.blockId || (work.ids[0] ?? "")]?.chatId ?? ""];
  const gone = page && work.gone > 0 ? gapsOf(state, page, work).flatMap((gap) => gap.gone) : [];
  const counted = totalsOf(state, work.ids, gone);
  const block = state.items[work.blockId]?.block;
  if (!block?.files && !block?.commands && !block?.stopReason) return counted;
  const files = block.files ?? [];
  return {
    added: files.reduce((sum, file) => sum + file.added, 0),
    removed: files.reduce((sum, file) => sum + file.removed, 0),
    files: files.length,
    commands: block.commands?.length ?? 0,
    unasked: counted.unasked,
  };
}

/** gapsOf are the calls of a piece of work that are not held. */
export function gapsOf(state: State, page: Page, work: Work): Gap[] {
  if (work.blockId !== "") return gapsIn(page, work.blockId);
  const posOf = (id: string | undefined) => state.items[id ?? ""]?.pos ?? 0;
  return gapsIn(page, "", posOf(work.ids[0]), posOf(work.ids.at(-1)));
}
