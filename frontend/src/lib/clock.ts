// A shared clock with one-second resolution. It only ticks while it has readers.

import { createSignal, onCleanup } from "solid-js";

const [time, setTime] = createSignal(Date.now());
let readers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * createNow returns a signal with the current time in milliseconds. The signal is updated every second until its owner
 * is disposed.
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
