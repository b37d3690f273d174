// A slow clock for labels such as "6 min" and "Yesterday". An idle window must stay idle: each tick
// restyles, lays out and paints the page, so the clock ticks no more often than the labels can change.

import { createSignal, getListener, onCleanup } from "solid-js";

const minute = 60_000;
/** Interval in milliseconds between ticks while all labels show hours or days. */
const coarse = 10 * minute;

const readers = { fine: 0, coarse: 0 };
const [passed, setPassed] = createSignal(0);
let timer: ReturnType<typeof setTimeout> | undefined;
let due = Number.POSITIVE_INFINITY;

/**
 * schedule sets the next tick for the label that needs the finest resolution, or stops the clock if no label uses it.
 */
function schedule(): void {
  const pace = readers.fine > 0 ? minute : readers.coarse > 0 ? coarse : Number.POSITIVE_INFINITY;
  const at = Date.now() + pace;
  if (at >= due && pace !== Number.POSITIVE_INFINITY) return;
  clearTimeout(timer);
  due = at;
  if (pace !== Number.POSITIVE_INFINITY) timer = setTimeout(tick, pace);
}

function tick(): void {
  // While the readers run again, none of them sets a timer: one tick is scheduled for all of them afterward.
  due = 0;
  setPassed((n) => n + 1);
  due = Number.POSITIVE_INFINITY;
  schedule();
}

/**
 * coarseNow returns the current time in milliseconds, for a label that shows the time elapsed since `at`.
 * Effects that read it run again at least every minute if `at` is less than an hour away, otherwise at
 * least every ten minutes.
 */
export function coarseNow(at: number): number {
  const now = Date.now();
  if (getListener()) {
    const pace = Math.abs(now - at) < 60 * minute ? "fine" : "coarse";
    passed();
    readers[pace]++;
    schedule();
    onCleanup(() => {
      readers[pace]--;
      if (readers.fine + readers.coarse === 0) schedule();
    });
  }
  return now;
}
