// The share of the model's context window that a chat uses, and the warning that it is almost full.

import { createSignal } from "solid-js";
import type { State } from "./state";
import { SessionMain, type Turn } from "./types";

/** From this percentage on, the ring is amber and the chat counts as almost full. */
export const warnPercent = 80;
/** A dismissed warning returns after the usage has grown by this many percentage points. */
const growth = 10;

/** Number of tokens used, and size of the context in tokens. */
export interface ContextUse {
  used: number;
  size: number;
}

/**
 * contextOf returns a chat's context usage, or undefined if it is unknown. After a session is loaded, agents report 0
 * tokens until the next turn.
 */
export function contextOf(state: State, chatId: string): ContextUse | undefined {
  const mainId = state.chats[chatId]?.mainId;
  if (!mainId) {
    const { used = 0, size = 0 } = state.sessions[chatId]?.[SessionMain] ?? {};
    return used > 0 && size > 0 ? { used, size } : undefined;
  }
  let newest: Turn | undefined;
  for (const turn of Object.values(state.turns)) {
    if (turn.chatId !== chatId || turn.mainId !== mainId || !turn.usage?.size) continue;
    if (!newest || turn.startedAt > newest.startedAt) newest = turn;
  }
  return newest?.usage?.size ? { used: newest.usage.used ?? 0, size: newest.usage.size } : undefined;
}

/** percentOf returns the usage as a whole percentage, which may exceed 100, or 0 if the usage is unknown. */
export function percentOf(use: ContextUse | undefined): number {
  return use ? Math.round((100 * use.used) / use.size) : 0;
}

const [dismissed, setDismissed] = createSignal<Readonly<Record<string, number>>>({});

/** shouldWarn reports whether to show the warning that a chat's context is almost full, given its usage in percent. */
export function shouldWarn(chatId: string, percent: number): boolean {
  return percent >= Math.max(warnPercent, (dismissed()[chatId] ?? Number.NEGATIVE_INFINITY) + growth);
}

/** dismissWarning suppresses the warning until the usage has grown. */
export function dismissWarning(chatId: string, percent: number): void {
  setDismissed((old) => ({ ...old, [chatId]: percent }));
}

/** resetWarning clears a chat's dismissal of the warning. It is called when the chat's usage has dropped. */
export function resetWarning(chatId: string): void {
  setDismissed(({ [chatId]: _, ...others }) => others);
}
