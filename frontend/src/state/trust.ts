// Chats that are waiting for the user to trust their folder, and their trust requests.

import type { State } from "./state";
import type { TrustRequest } from "./types";

/**
 * needsAgent reports whether a chat needs its agent now: it has no orchestrator, or the orchestrator has
 * delegated a task that is still running.
 */
function needsAgent(state: State, chatId: string): boolean {
  const chat = state.chats[chatId];
  if (!chat?.mainId) return true;
  // The turns of an unopened chat are unknown.
  if (!state.pages[chatId]) return chat.turnState === "running";
  return Object.values(state.turns).some(
    (turn) => turn.chatId === chatId && turn.blockId && turn.state === "running",
  );
}

/** waitsForTrust reports whether a chat can't continue until the user trusts its folder. */
export function waitsForTrust(state: State, chatId: string): boolean {
  const chat = state.chats[chatId];
  if (!chat || chat.deletedAt || state.connections[chatId]?.state !== "needs_trust") return false;
  return needsAgent(state, chatId);
}

/**
 * requestListing returns the trust request that lists a chat, or undefined if none does. Such a request
 * also exists while the chat's agent is retrying.
 */
export function requestListing(state: State, chatId: string): TrustRequest | undefined {
  return Object.values(state.trust).find((request) => request.chatIds.includes(chatId));
}

/** trustRequestOf returns the trust request that a chat is waiting for, or undefined if it isn't waiting. */
export function trustRequestOf(state: State, chatId: string): TrustRequest | undefined {
  return waitsForTrust(state, chatId) ? requestListing(state, chatId) : undefined;
}
