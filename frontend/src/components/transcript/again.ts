import type { State } from "../../state/state";

/**
 * again is the text that asks for a turn once more: the user's message that
 * began it. "" where it is not loaded whole.
 */
export function again(state: State, chatId: string, turnId: string): string {
  const order = state.pages[chatId]?.order ?? [];
  for (let i = order.length - 1; i >= 0; i--) {
    const item = state.items[order[i] as string];
    if (item?.kind !== "user" || (item.turnId ?? "") !== turnId) continue;
    const text = state.texts[item.id];
    return text && text.known >= text.size ? text.text : "";
  }
  return "";
}
