// How much of what an answerer can keep in mind at once a chat takes, and the
// warning that it is almost full.

import { createSignal } from "solid-js";
import type { State } from "./state";
import { SessionMain, type Turn } from "./types";

/** From here on the ring turns amber, and the chat is said to be almost full. */
export const warnPercent = 80;
/** A warning that was dismissed comes back once the chat has grown by this. */
const growth = 10;

/** Tokens that a chat takes, and that fit. */
export interface ContextUse {
  used: number;
  size: number;
}

/** contextOf is what a chat takes of its answerer's context, where that is known. */
export function contextOf(state: State, chatId: string): ContextUse | undefined {
  const mainId = state.chats[chatId]?.mainId;
  if (!mainId) {
    const { used = 0, size = 0 } = state.sessions[chatId]?.[SessionMain] ?? {};
    return size > 0 ? { used, size } : undefined;
  }
  let newest: Turn | undefined;
  for (const turn of Object.values(state.turns)) {
    if (turn.chatId !== chatId || turn.mainId !== mainId || !turn.usage?.size) continue;
    if (!newest || turn.startedAt > newest.startedAt) newest = turn;
  }
  return newest?.usage?.size ? { used: newest.usage.used ?? 0, size: newest.usage.size } : undefined;
}

/** percentOf is how full that is, in whole percent; it may be above 100. */
export function percentOf(use: ContextUse | undefined): number {
  return use ? Math.round((100 * use.used) / use.size) : 0;
}

const [dismissed, setDismissed] = createSignal<Readonly<Record<string, number>>>({});

/** shouldWarn tells whether a chat that is so full is to be said to be almost full. */
export function shouldWarn(chatId: string, percent: number): boolean {
  return percent >= Math.max(warnPercent, (dismissed()[chatId] ?? Number.NEGATIVE_INFINITY) + growth);
}

/** dismissWarning lets a chat be as full as it is, until it has grown. */
export function dismissWarning(chatId: string, percent: number): void {
  setDismissed((old) => ({ ...old, [chatId]: percent }));
}

/** resetWarning says that a chat has room again: the next warning is a new one. */
export function resetWarning(chatId: string): void {
  setDismissed(({ [chatId]: _, ...others }) => others);
}
