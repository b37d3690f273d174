// One clock for everything in the window that counts seconds. It ticks only
// while somebody reads it.

import { createSignal, onCleanup } from "solid-js";

const [time, setTime] = createSignal(Date.now());
let readers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * createNow gives the time in milliseconds, renewed every second until its
 * owner is gone.
 */
export function createNow(): () => number {
  setTime(Date.now());
  readers++;
  timer ??= setInterval(() => setTime(Date.now()), 1000);
  onCleanup(() => {
    readers--;
    if (readers === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  });
  return time;
}
