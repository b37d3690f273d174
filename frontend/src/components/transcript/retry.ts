import { visibleSpan } from "../../state/pageWindow";
import type { State } from "../../state/state";
import { wholeOf } from "../../state/text";
import type { Attachment } from "../../state/types";

/** The message to send again when a turn is retried. */
export interface RetryPrompt {
  text: string;
  attachments: Attachment[];
}

/** retryOf returns the user's message that started a turn, or undefined if the message isn't completely loaded. */
export function retryOf(state: State, chatId: string, turnId: string): RetryPrompt | undefined {
  const page = state.pages[chatId];
  if (!page) return undefined;
  const order = [...visibleSpan(page).order, page.lastUserItem ?? "", ...(page.window ? page.order : [])];
  for (let i = order.length - 1; i >= 0; i--) {
    const item = state.items[order[i] as string];
    if (item?.kind !== "user" || (item.turnId ?? "") !== turnId) continue;
    const text = state.texts[item.id];
    const isWhole = text ? text.known >= text.size : (item.with?.length ?? 0) > 0;
    return isWhole ? { text: wholeOf(text), attachments: item.with ?? [] } : undefined;
  }
  return undefined;
}
