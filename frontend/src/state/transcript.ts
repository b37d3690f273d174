// The transcript as a list of entries: items from the database, combined into the elements that the user
// sees. All functions are plain functions over untracked state, because they iterate over thousands of
// items; they run again when the page's rev changes.

import type { Entry, Work, WorkState } from "./entry";
import type { Page, State } from "./state";
import { beginsWith } from "./text";
import { evictedCount, gapsIn, workKinds } from "./toolRuns";
import { sumOf, type TurnParts } from "./turn";
import { isPastRejection, turnEndEntries } from "./turnEnds";
import type { Item, Permission } from "./types";
import { hasChanged } from "./workSummary";

export { type Entry, type Lines, sameEntry, type Work, type WorkState } from "./entry";

/**
 * isHidden reports whether an item isn't shown: it has no text, the user has hidden its kind, or a retry has
 * replaced it.
 */
function isHidden(state: State, item: Item): boolean {
  if (item.replaced) return true;
  if (item.kind === "thought" && !state.settings.showThoughts) return true;
  if (item.kind !== "thought" && item.kind !== "message" && item.kind !== "note") return false;
  return (state.texts[item.id]?.size ?? 0) === 0;
}

/** oldestRequest returns the oldest open request of a chat, and the number of open requests. */
function oldestRequest(state: State, chatId: string): { request?: Permission; waiting: number } {
  let request: Permission | undefined;
  let waiting = 0;
  for (const p of Object.values(state.permissions)) {
    if (p.chatId !== chatId || p.state !== "open") continue;
    waiting++;
    if (
      !request ||
      p.createdAt < request.createdAt ||
      (p.createdAt === request.createdAt && p.id < request.id)
    )
      request = p;
  }
  return { request, waiting };
}

/** ACP stop reasons: `declined` for a declined answer, `limits` for an answer that was cut off at a limit. */
const declined = "refusal";
const limits = new Set(["max_tokens", "max_turn_requests"]);

/**
 * blockState returns the state of the block's turn. If that turn isn't loaded, it derives the state from
 * the block.
 */
function blockState(state: State, item: Item): WorkState {
  const turn = state.turns[item.block?.turnId ?? ""];
  if (turn) return turn.state;
  if (item.open) return "running";
  const reason = item.block?.stopReason ?? "";
  if (item.block?.error || reason === declined) return "failed";
  return reason === "cancelled" || limits.has(reason) ? "stopped" : "done";
}

/** stopOf classifies an ACP stop reason; "" means that the answer was neither declined nor cut off at a limit. */
export function stopOf(reason: string | undefined): "declined" | "limit" | "" {
  if (reason === declined) return "declined";
  return limits.has(reason ?? "") ? "limit" : "";
}

/** stopsOf classifies the stop reason of a block; see stopOf. */
export function stopsOf(state: State, item: Item): "declined" | "limit" | "" {
  return stopOf(item.block?.stopReason ?? state.turns[item.block?.turnId ?? ""]?.stopReason);
}

/** setTimes sets the start and end of a block, and the time that it spent waiting for the user. */
function setTimes(state: State, work: Work): void {
  const block = state.items[work.blockId] as Item;
  const turn = state.turns[work.turnId];
  work.startedAt = turn?.startedAt || block.createdAt;
  work.endedAt = block.endedAt || turn?.endedAt || work.startedAt;
  work.waited = turn?.waited ?? block.waited ?? 0;
}

/** Kinds of items that can appear among the items of another turn. */
const interposed = new Set(["banner", "note", "block"]);

/** Data about a turn, collected while iterating over its items. */
interface TurnNotes extends TurnParts {
  /** Whether any of the turn's calls or blocks has changed a file. */
  changed: boolean;
  /** ID of the rejected call, or "" if there is none or the turn continued after it. */
  rejected: string;
}

/**
 * entriesOf returns the transcript entries for the loaded items of a chat: for the part on screen or, if `of`
 * is "end", for the end.
 */
export function entriesOf(state: State, chatId: string, of: "shown" | "end" = "shown"): Entry[] {
  const page = state.pages[chatId];
  if (!page) return [];
  const window = of === "shown" ? page.window : undefined;
  const span = window ?? page;
  const entries: Entry[] = [];
  let run: string[] = [];
  const turnOf: string[] = [];
  const turns = new Map<string, TurnNotes>();
  const { request, waiting } = oldestRequest(state, chatId);
  let placed = false;
  /**
   * IDs of the turns seen so far, not counting banners, notes and blocks, which can appear inside another
   * turn.
   */
  const passed = new Set<string>();

  const push = (entry: Entry, turnId: string) => {
    entries.push(entry);
    turnOf.push(turnId);
  };
  const close = () => {
    if (run.length > 0) {
      const first = state.items[run[0] as string] as Item;
      const gone = evictedCount(page, "", first.pos, state.items[run.at(-1) ?? ""]?.pos);
      const turnId = first.turnId ?? "";
      push({ key: `l:${first.id}`, kind: "lines", ids: run, evicted: gone, turnId }, turnId);
      run = [];
    }
    // The permission card is at the position of its call.
    const item = asked && state.items[asked];
    if (request && item)
      push({ key: `p:${request.id}`, kind: "ask", id: request.id, waiting }, item.turnId ?? "");
    asked = "";
  };
  let asked = "";
  const noted = (turnId: string): TurnNotes => {
    let turn = turns.get(turnId);
    if (!turn) {
      const whole = span.before === 0 || passed.size > 0;
      turn = { turnId, ids: [], blocks: [], whole, changed: false, rejected: "" };
      turns.set(turnId, turn);
    }
    return turn;
  };

  let lastTurn = "";
  for (const id of span.order) {
    const item = state.items[id];
    if (!item || isHidden(state, item) || isEcho(state, item)) continue;
    const turnId = item.turnId ?? "";
    // The last row of the turn already shows that the turn's changes were undone.
    if (isUndoBanner(item) && turnId === lastTurn) continue;
    if (!interposed.has(item.kind)) lastTurn = turnId;
    const turn = noted(turnId);
    if (item.kind === "user" && turn.ids.length + turn.blocks.length === 0) turn.whole = true;
    if (!interposed.has(item.kind)) passed.add(turnId);
    if (item.kind !== "banner" && !isPastRejection(item))
      turn.rejected = item.tool?.decision === "rejected" ? id : "";
    if (workKinds.has(item.kind) || item.retry) {
      const before = state.items[run[0] ?? asked];
      if (before && before.turnId !== item.turnId) close();
      // A plan at the start counts too: the calls after it may be evicted, and gaps are searched from the
      // turn's first ID on.
      if (item.tool || (item.kind === "plan" && turn.ids.length === 0)) {
        turn.ids.push(id);
        turn.changed ||= hasChanged(state, id);
      }
      if (id === request?.itemId) {
        asked = id;
        placed = true;
      } else {
        run.push(id);
      }
      continue;
    }
    // The retries before a cut-off message are shown below the message.
    if (!item.cutOff || !run.every((each) => state.items[each]?.retry)) close();
    if (item.kind === "block") {
      const inside = (page.inside[id] ?? []).filter((child) => {
        const c = state.items[child];
        return c !== undefined && !isHidden(state, c);
      });
      const name = item.block?.sessionName || item.session || "";
      const work = newWork(blockKey(id), name, inside, id, item.block?.turnId || turnId);
      work.evicted = evictedCount(page, id);
      turn.blocks.push(id);
      turn.changed ||= (item.block?.files?.length ?? 0) > 0 || inside.some((each) => hasChanged(state, each));
      push(work, turnId);
    } else {
      const before = entries.at(-1);
      const banner = before?.kind === "item" ? state.items[before.id] : undefined;
      if (before?.kind === "item" && isSameBanner(banner, item)) {
        before.more = [...(before.more ?? []), id];
      } else if (!repeatsIncomplete(banner, item)) {
        push({ key: id, kind: "item", id, last: false }, turnId);
      }
    }
  }
  close();
  if (page.gaps.length > 0) {
    for (const turn of turns.values()) turn.changed ||= evictedChanged(state, page, turn);
  }
  return finish(state, chatId, entries, turnOf, turns, placed, window === undefined);
}

/**
 * isUndoBanner reports whether an item is a banner that only reports that its turn's changes were undone or
 * redone.
 */
function isUndoBanner({ banner }: Item): boolean {
  return (banner?.kind === "undone" || banner?.kind === "redone") && !banner.skipped;
}

/** evictedChanged reports whether any of a turn's evicted calls has changed a file. */
function evictedChanged(state: State, page: Page, turn: TurnParts): boolean {
  const posOf = (id: string | undefined) => state.items[id ?? ""]?.pos ?? 0;
  const gaps = gapsIn(page, "", posOf(turn.ids[0]), posOf(turn.ids.at(-1)));
  for (const block of turn.blocks) gaps.push(...gapsIn(page, block));
  return gaps.some((gap) => sumOf(gap.evicted).files.size > 0);
}

/**
 * isSameBanner reports whether two banners report the same thing about different restored sessions, so
 * that they can share an entry.
 */
function isSameBanner(a: Item | undefined, b: Item): boolean {
  const kind = b.banner?.kind;
  return (
    (kind === "restored" || kind === "resumed") &&
    a?.banner?.kind === kind &&
    !a.banner.dismissed === !b.banner?.dismissed
  );
}

/**
 * repeatsIncomplete reports whether a banner about a restored session adds nothing to the banner before it, which
 * reports that the session was restored with an incomplete message.
 */
function repeatsIncomplete(a: Item | undefined, b: Item): boolean {
  const kind = b.banner?.kind;
  return (
    (kind === "restored" || kind === "resumed") &&
    a?.banner?.kind === "incomplete" &&
    !a.banner.dismissed &&
    a.banner.session === b.banner?.session
  );
}

/** blockKey returns the entry key of a block. */
export function blockKey(itemId: string): string {
  return `b:${itemId}`;
}

/**
 * The start of the CLI's note after a rejected request. The note is hidden, because the request's row already
 * shows the rejection.
 */
const echoText = "Info: Operation cancelled by user";

/** isEcho reports whether a note only repeats that the user rejected a request of its turn. */
function isEcho(state: State, note: Item): boolean {
  if (note.kind !== "note" || !beginsWith(state.texts[note.id], echoText)) return false;
  return Object.values(state.items).some(
    (item) => item.turnId === note.turnId && item.tool?.decision === "rejected",
  );
}

/** rejectedBy returns the source of a rejection. In older chats, only the permission request contains it. */
export function rejectedBy(state: State, item: Item): "user" | "rule" | "mode" {
  if (item.tool?.decidedBy) return item.tool.decidedBy.kind;
  for (const id in state.permissions) {
    const request = state.permissions[id];
    if (request?.itemId === item.id && request.ruleId && request.decision === "rejected") return "rule";
  }
  return "user";
}

function newWork(key: string, session: string, ids: string[], blockId: string, turnId: string): Work {
  return {
    key,
    kind: "work",
    session,
    ids,
    evicted: 0,
    blockId,
    turnId,
    state: "done",
    startedAt: 0,
    endedAt: 0,
    waited: 0,
    failed: false,
  };
}

/**
 * finish sets the state of each entry and adds entries derived from the turns, such as their ends. `isEnd`
 * means that the entries include the end of the chat.
 */
function finish(
  state: State,
  chatId: string,
  entries: Entry[],
  turnOf: string[],
  turns: Map<string, TurnNotes>,
  wasPlaced: boolean,
  isEnd: boolean,
): Entry[] {
  const { request, waiting } = oldestRequest(state, chatId);
  // IDs of the items that have open requests. A request belongs to the tool call that it names or, if it names none, to
  // its turn.
  const askingItems = new Set<string>();
  const askingTurns = new Set<string>();
  for (const p of Object.values(state.permissions)) {
    if (p.chatId !== chatId || p.state !== "open") continue;
    if (p.itemId) askingItems.add(p.itemId);
    if (p.turnId) askingTurns.add(p.turnId);
  }
  const lastOf = new Map<string, number>();
  let newest = "";
  turnOf.forEach((turnId, at) => {
    // A banner follows a turn and isn't part of it.
    const entry = entries[at];
    const kind = entry?.kind === "item" ? state.items[entry.id]?.kind : undefined;
    if (kind === "banner") return;
    lastOf.set(turnId, at);
    // Another session may leave a note during a running turn.
    if (kind !== "note" || newest === "") newest = turnId;
  });
  // The last turn may continue after the loaded part.
  if (!isEnd) lastOf.delete(newest);

  const out: Entry[] = [];
  /** Entries of running turns, which come after all others. */
  const live: Entry[] = [];
  let placed = wasPlaced;
  entries.forEach((entry, at) => {
    const turnId = turnOf[at] ?? "";
    if (entry.kind === "work") {
      const asks = askingTurns.has(entry.turnId) || entry.ids.some((id) => askingItems.has(id));
      entry.state = asks ? "waiting" : blockState(state, state.items[entry.blockId] as Item);
      entry.failed = entry.state === "failed";
      setTimes(state, entry);
    }
    out.push(entry);
    if (request && !placed && entry.kind === "work" && isOf(request, entry)) {
      out.push({ key: `p:${request.id}`, kind: "ask", id: request.id, waiting });
      placed = true;
    }
    if (lastOf.get(turnId) !== at) return;
    const turn = state.turns[turnId];
    const of = turns.get(turnId);
    if (!turn || !of) return;
    const isNewest = isEnd && turnId === newest;
    const ends = turnEndEntries(state, turn, of, {
      last: entry,
      isNewest,
      hasRequest: request !== undefined,
    });
    (turn.state === "running" ? live : out).push(...ends);
  });
  out.push(...live);
  if (request && !placed && isEnd) out.push({ key: `p:${request.id}`, kind: "ask", id: request.id, waiting });

  if (isEnd) markLast(state, out);
  markContinued(state, out);
  const went = isEnd ? state.branches[chatId]?.wentBack : undefined;
  if (went) out.push({ key: `w:${went.asideId}`, kind: "back", chatId });
  return out;
}

/** isOf reports whether a request belongs to the delegated task that the entry `work` shows. */
function isOf(request: Permission, work: Work): boolean {
  if (request.itemId && work.ids.includes(request.itemId)) return true;
  return !!request.turnId && request.turnId === work.turnId;
}

/** callerOf returns the ID of the turn in which an entry appears; for a block, that is its caller's turn. */
function callerOf(state: State, entry: Entry): string {
  switch (entry.kind) {
    case "item":
      return state.items[entry.id]?.turnId ?? "";
    case "work":
      return state.items[entry.blockId]?.turnId ?? "";
    case "ask":
      return state.permissions[entry.id]?.turnId ?? "";
    case "back":
      return "";
    default:
      return entry.turnId;
  }
}

const joinedKinds = new Set(["message", "note", "image"]);

/** markContinued marks each entry that continues the turn of the entry before it. */
function markContinued(state: State, entries: Entry[]): void {
  let before: string | undefined;
  for (const entry of entries) {
    // Blocks and permission cards never continue the previous entry.
    const goesOn =
      entry.kind === "item"
        ? joinedKinds.has(state.items[entry.id]?.kind ?? "")
        : entry.kind !== "work" && entry.kind !== "ask";
    const turnId = goesOn ? callerOf(state, entry) : undefined;
    if (turnId !== undefined && turnId === before) entry.isContinued = true;
    before = turnId;
  }
}

/** States of work that is running or can be continued. */
const unfinished = new Set<WorkState>(["running", "waiting", "interrupted"]);

/**
 * markLast marks the agent's last message in an idle chat. `last` is set if the chat ends with the message, whose
 * actions then stay visible. `retry` is set if the message offers Retry. The message doesn't offer Retry if a later
 * entry of the turn offers it, or if the turn was interrupted.
 */
function markLast(state: State, entries: Entry[]): void {
  let turnId: string | undefined;
  let isOffered = false;
  let isLast = true;
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
      entry.last = isLast;
      // An interrupted turn is continued, not retried.
      entry.retry = !isOffered && turn !== "interrupted";
      return;
    }
    if (entry.kind !== "end") isLast = false;
    isOffered ||=
      entry.kind === "end" ||
      entry.kind === "next" ||
      !!item?.hasError ||
      (entry.kind === "work" && entry.failed);
  }
}
