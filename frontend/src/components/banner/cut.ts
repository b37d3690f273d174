// What is known of the turn that a banner says was cut off.

import { hasChanged } from "../../state/done";
import type { State } from "../../state/state";
import type { Item, Turn } from "../../state/words";

/**
 * cutTurnMayHaveChanged reports whether the last turn of a session before a banner
 * changed a file. It is true if not all of the turn is held.
 */
export function cutTurnMayHaveChanged(state: State, banner: Item, session: string): boolean {
  let cut: Turn | undefined;
  for (const turn of Object.values(state.turns)) {
    if (turn.chatId !== banner.chatId || turn.session !== session) continue;
    if (turn.startedAt <= banner.createdAt && turn.startedAt > (cut?.startedAt ?? 0)) cut = turn;
  }
  const page = state.pages[banner.chatId];
  if (!cut || !page || page.gaps.length > 0) return true;
  const items = Object.values(state.items).filter((item) => item.turnId === cut?.id);
  if (items.length === 0) return true;
  const isWhole = page.before === 0 || state.items[page.order[0] ?? ""]?.turnId !== cut.id;
  return !isWhole || items.some((item) => hasChanged(state, item.id));
}
