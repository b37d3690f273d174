// Details of an agent's exit during a turn.

import { visibleText } from "../../lib/format";
import type { State } from "../../state/state";
import { type Item, SessionMain } from "../../state/types";

/**
 * exitReasonOf returns the error details of the last interrupted turn of the banner's session that ended before
 * the banner appeared, or "" if there is no such turn. The details include the agent's last output.
 */
export function exitReasonOf(state: State, item: Item): string {
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
  return visibleText(cut?.error?.detail ?? "", "prose");
}
