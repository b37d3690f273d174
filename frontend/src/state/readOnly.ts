// Chats in which nothing can be sent: their session is being read or couldn't be read, or another program has it open.

import { messages } from "../i18n";
import type { State } from "./state";

const t = messages.sessions;

/** takesDraft reports whether a message can be written in a chat, although nothing can be sent for a while. */
export function takesDraft(state: State, chatId: string): boolean {
  return state.sessionImports[chatId]?.state === "reading";
}

/** readOnlyReason returns the reason why nothing can be sent in a chat, or "" if messages can be sent. */
export function readOnlyReason(state: State, chatId: string): string {
  switch (state.sessionImports[chatId]?.state) {
    case "reading":
      return t.reading.placeholder;
    case "failed":
      return t.reading.failedPlaceholder;
  }
  const holder = state.sessionUses[chatId]?.holder;
  return holder ? t.use.placeholder(!!holder.terminal) : "";
}
