// A slow clock for "6 min" and "Yesterday", so that an idle window stays idle.

import { createSignal, onCleanup } from "solid-js";

const [time, setTime] = createSignal(Date.now());
let readers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** createSlowNow gives the time in milliseconds, renewed every minute. */
export function createSlowNow(): () => number {
  // While nobody read it, it stood still.
  if (readers === 0) setTime(Date.now());
  readers++;
  timer ??= setInterval(() => setTime(Date.now()), 60_000);
  onCleanup(() => {
    readers--;
    if (readers > 0) return;
    clearInterval(timer);
    timer = undefined;
  });
  return time;
}
