// Which turns were asked to stop and have not ended yet.

import { createSignal } from "solid-js";

const [turns, setTurns] = createSignal<ReadonlySet<string>>(new Set());

/** markStopping says that the running turn of a chat was asked to stop, or that asking failed. */
export function markStopping(turnIds: readonly string[], on = true): void {
  setTurns((old) => {
    const next = new Set(old);
    for (const id of turnIds) {
      if (on) next.add(id);
      else next.delete(id);
    }
    return next;
  });
}

/** isStopping says whether a turn was asked to stop. */
export function isStopping(turnId: string): boolean {
  return turns().has(turnId);
}
