// Prevents accidental answers: buttons ignore input for a moment after their card has appeared, moved or
// changed its buttons.

import { onCleanup, onMount } from "solid-js";

/** Time in milliseconds that a card must have stayed in place before it accepts input. */
export const guardMillis = 400;
/** Interval between checks for movement, in milliseconds. */
const watchMillis = 100;

export interface ClickGuardOptions {
  element(): HTMLElement;
  now?(): number;
}

/** ClickGuard reports whether a card accepts input. */
export interface ClickGuard {
  (): boolean;
  /**
   * Restarts the delay after the buttons have been replaced, so that the second half of a double click
   * doesn't hit the new ones.
   */
  restart(): void;
}

/** createClickGuard returns a guard that watches an element while the calling component is mounted. */
export function createClickGuard(options: ClickGuardOptions): ClickGuard {
  const now = options.now ?? (() => performance.now());
  let since = now();
  let last: { x: number; y: number } | undefined;

  const look = () => {
    const { x, y } = options.element().getBoundingClientRect();
    const moved = !last || Math.abs(last.x - x) > 2 || Math.abs(last.y - y) > 2;
    if (moved) since = now();
    last = { x, y };
  };
  onMount(() => {
    since = now();
    look();
    const timer = setInterval(look, watchMillis);
    onCleanup(() => clearInterval(timer));
  });
  const ready = () => {
    look();
    return now() - since >= guardMillis;
  };
  return Object.assign(ready, {
    restart: () => {
      since = now();
    },
  });
}
