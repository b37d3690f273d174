// Placeholder of the empty composer, which describes the effect of Enter.

import { messages } from "../../i18n";
import { folderName } from "../../lib/path";
import { conditionOf } from "../../state/condition";
import { readOnlyReason } from "../../state/readOnly";
import { select } from "../../state/select";
import type { State } from "../../state/state";
import { wasRejected } from "../../state/transcriptView";

/** placeholderOf returns the placeholder of a chat's message field, which depends on the chat's state. */
export function placeholderOf(state: State, chatId: string): string {
  const t = messages.composer;
  const readOnly = readOnlyReason(state, chatId);
  if (readOnly !== "") return readOnly;
  switch (conditionOf(state, chatId)) {
    case "sign_in":
    case "agent_sign_in":
    case "no_access":
    case "locked":
      return t.queuedUntilSignIn;
    case "trust":
      return t.queuedUntilTrust;
    case "offline":
      return t.queuedUntilReconnected(select.agentOf(state, chatId));
  }
  const connection = select.connection(state, chatId).state;
  if (connection === "waiting" || connection === "failed")
    return t.queuedUntilReconnected(select.agentOf(state, chatId));
  const chat = state.chats[chatId];
  if (chat?.turnState === "running") return t.queue;
  if (wasRejected(chatId)) {
    return messages.lines.next.instead(select.responder(state, chatId));
  }
  const page = state.pages[chatId];
  return page && page.order.length === 0 ? t.first(folderName(chat?.folder ?? "")) : t.placeholder;
}
