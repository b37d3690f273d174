// Whether a turn changed files, as far as the loaded items show, and whether that can be undone.

import type { State } from "./state";
import type { Item, Turn, TurnUndo } from "./types";
import { hasChanged } from "./workSummary";

/** itemsOfTurn returns the loaded items of a turn. */
export function itemsOfTurn(state: State, turnId: string): Item[] {
  return Object.values(state.items).filter((item) => item.turnId === turnId);
}

/**
 * turnChanged reports whether a turn changed a file. It returns undefined if no loaded item changed one but the turn
 * may have other items that did.
 */
export function turnChanged(state: State, chatId: string, turnId: string): boolean | undefined {
  const items = itemsOfTurn(state, turnId);
  if (items.some((item) => hasChanged(state, item.id))) return true;
  const page = state.pages[chatId];
  if (!page || items.length === 0 || page.gaps.length > 0) return undefined;
  const isWhole = page.before === 0 || state.items[page.order[0] ?? ""]?.turnId !== turnId;
  return isWhole ? false : undefined;
}

/**
 * hasUndo reports whether a turn has recorded changes. If so, the turn's last row is shown, because it contains
 * the Undo button.
 */
export function hasUndo(undo: TurnUndo | undefined): boolean {
  if (undo?.state === "unavailable") return (undo.files ?? 0) > 0;
  return undo?.state === "available" || undo?.state === "undone";
}

/** turnBefore returns a session's last turn that started before a banner, or undefined if none is loaded. */
export function turnBefore(state: State, banner: Item, session: string): Turn | undefined {
  let last: Turn | undefined;
  for (const turn of Object.values(state.turns)) {
    if (turn.chatId !== banner.chatId || turn.session !== session) continue;
    if (turn.startedAt <= banner.createdAt && turn.startedAt > (last?.startedAt ?? 0)) last = turn;
  }
  return last;
}
