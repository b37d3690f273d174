// What is known of the end of an agent in the middle of a turn.

import { seen } from "../../lib/format";
import type { State } from "../../state/state";
import { type Item, SessionMain } from "../../state/types";

/** lastWords returns how the agent ended before a banner of its session, with what it wrote last; "" where no turn tells. */
export function lastWords(state: State, item: Item): string {
  const session = item.banner?.session || SessionMain;
  const cut = Object.values(state.turns)
    .filter(
      (turn) =>
        turn.chatId === item.chatId &&
        turn.session === session &&
        turn.state === "interrupted" &&
        (turn.endedAt ?? 0) <= item.createdAt,
    )
    .sort((a, b) => b.startedAt - a.startedAt)[0];
  return seen(cut?.error?.detail ?? "", "prose");
}
