// A button that grants something must not be hit by accident: it takes no
// input for a moment after its card has appeared or moved.

import { onCleanup, onMount } from "solid-js";

/** How long a card must have stood still. */
export const guardMillis = 400;
/** How often it is looked whether it moved. */
const watchMillis = 100;

export interface GuardOptions {
  element(): HTMLElement;
  now?(): number;
}

/** createGuard gives what tells whether a card may take input now. */
export function createGuard(options: GuardOptions): () => boolean {
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
  return () => {
    look();
    return now() - since >= guardMillis;
  };
}
