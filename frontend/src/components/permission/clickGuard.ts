// A button that answers must not be hit by accident: it takes no input for a
// moment after its card has appeared, moved or changed its buttons.

import { onCleanup, onMount } from "solid-js";

/** How long a card must have stood still. */
export const guardMillis = 400;
/** How often it is looked whether it moved. */
const watchMillis = 100;

export interface GuardOptions {
  element(): HTMLElement;
  now?(): number;
}

/** Guard reports whether a card may take input now. */
export interface Guard {
  (): boolean;
  /** Other buttons stand where the earlier ones were: the second half of a double click is not for them. */
  restart(): void;
}

/** createGuard returns the guard of a card. */
export function createGuard(options: GuardOptions): Guard {
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
