// Turns that are being stopped.

import { createSignal } from "solid-js";

const [turns, setTurns] = createSignal<ReadonlySet<string>>(new Set());

/**
 * markStopping records that the given turns were asked to stop or, if `on` is false, that stopping them
 * failed.
 */
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

/** isStopping reports whether a turn was asked to stop. */
export function isStopping(turnId: string): boolean {
  return turns().has(turnId);
}
