// Entries at the end of a turn.

import type { Entry } from "./entry";
import type { State } from "./state";
import type { TurnParts } from "./turn";
import { hasUndo } from "./turnChanges";
import type { Item, Turn } from "./types";

/** Context that turnEndEntries needs besides the turn itself. */
export interface TurnEndContext {
  /** The last entry of the turn. */
  last: Entry;
  /** Whether the turn is the newest one in the chat. */
  isNewest: boolean;
  /** Whether the chat has a pending request. */
  hasRequest: boolean;
}

/** If the agent ends its turn within this time after a rejection, the rejection is considered the cause. */
const maxDelayMillis = 10_000;

/**
 * isPastRejection reports whether a call was closed or canceled without being rejected itself. This happens
 * to other calls of a turn when one of them is rejected.
 */
export function isPastRejection(item: Item): boolean {
  const tool = item.tool;
  return (
    !!tool && (tool.decision === "closed" || tool.status === "cancelled") && tool.decision !== "rejected"
  );
}

/** isForRejection reports whether a turn ended because the user or a rule rejected its last call. */
function isForRejection(state: State, turn: Turn, rejected: string): boolean {
  const by = state.items[rejected]?.tool?.decidedBy;
  if (rejected === "") return false;
  if (turn.state === "done") return true;
  // "stopped" has two possible causes: the agent canceled its turn after the rejection, or the user pressed
  // Stop.
  if (turn.state !== "stopped" || (by && by.kind !== "user")) return false;
  return !by || (turn.endedAt ?? 0) - by.at < maxDelayMillis;
}

/** turnEndEntries returns the entries at the end of a turn. */
export function turnEndEntries(
  state: State,
  turn: Turn,
  of: TurnParts & { changed: boolean; rejected: string },
  where: TurnEndContext,
): Entry[] {
  if (turn.blockId) return needsEndEntry(state, turn, where.last) ? [end(turn)] : [];
  const parts = { turnId: turn.id, ids: of.ids, blocks: of.blocks, whole: of.whole };
  // Commands can change files too. Only the recorded changes of the turn reveal that.
  const hasChanged = of.changed || hasUndo(state.undos[turn.id]);
  const isRejected = isForRejection(state, turn, of.rejected);
  const ended = isRejected ? "done" : turn.state;
  const foot: Entry = { key: `f:${turn.id}`, kind: "foot", turnId: turn.id, state: ended, parts };
  // A pending permission card replaces the last row of a running turn.
  if (turn.state === "running") return where.hasRequest || !where.isNewest ? [] : [foot];

  if (where.last.kind === "lines" && turn.state !== "stopped") where.last.endsOn = where.last.ids.at(-1);
  const out: Entry[] = [];
  if (isRejected) {
    const isAnswered = !!state.items[of.rejected]?.tool?.decidedBy?.reason;
    const rests = state.chats[turn.chatId]?.turnState !== "running";
    if (where.isNewest && rests && !isAnswered) {
      out.push({ key: `n:${of.rejected}`, kind: "next", id: of.rejected, turnId: turn.id, parts });
    }
  } else if (needsEndEntry(state, turn, where.last) && !(hasChanged && isQuiet(state, turn))) {
    out.push(end(turn));
  }
  const message = where.last.kind === "item" ? state.items[where.last.id] : undefined;
  if (hasChanged) out.push(foot);
  else if (where.last.kind === "item" && message?.kind === "message" && !message.hasError)
    where.last.sum = parts;
  return out;
}

function end(turn: Turn): Entry {
  return { key: `e:${turn.id}`, kind: "end", turnId: turn.id };
}

/** needsEndEntry reports whether a turn ended abnormally and no other entry shows that yet. */
function needsEndEntry(state: State, turn: Turn, last: Entry): boolean {
  if (turn.state === "done" || turn.state === "running") return false;
  // A block shows how its own turn ended. If its caller's turn ended the same way, that turn needs no
  // entry.
  if (last.kind === "work") {
    const isOwn = last.turnId === turn.id;
    if (isOwn ? last.failed || turn.state !== "failed" : last.state === turn.state && !last.failed)
      return false;
  }
  return !(turn.state === "failed" && last.kind === "item" && state.items[last.id]?.hasError);
}

/** isQuiet reports whether a single word is enough to describe the end of a turn. */
function isQuiet(state: State, turn: Turn): boolean {
  if (turn.state === "stopped") return true;
  return turn.state === "interrupted" && (!turn.error || isShownByBanner(state, turn));
}

/**
 * isShownByBanner reports whether the banner of the restored session already shows the turn's outcome and
 * the next step.
 */
export function isShownByBanner(state: State, turn: Turn): boolean {
  const page = state.pages[turn.chatId];
  return ((page?.window ?? page)?.order ?? []).some((id) => {
    const item = state.items[id];
    const kind = item?.banner?.kind;
    return (
      (kind === "incomplete" || kind === "session_lost") &&
      item?.banner?.session === turn.session &&
      item.createdAt >= (turn.endedAt ?? 0)
    );
  });
}
