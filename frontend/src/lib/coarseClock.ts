// A slow clock for "6 min" and "Yesterday". An idle window stays idle: each time
// it goes on, the page is styled, laid out and painted, so it goes on no more
// often than what is read of it changes.

import { createSignal, getListener, onCleanup } from "solid-js";

const minute = 60_000;
/** Hours and days are said no more exactly than this. */
const coarse = 10 * minute;

const readers = { fine: 0, coarse: 0 };
const [passed, setPassed] = createSignal(0);
let timer: ReturnType<typeof setTimeout> | undefined;
let due = Number.POSITIVE_INFINITY;

/** schedule has the clock go on when its most exact reader needs it, or stand still where there is none. */
function schedule(): void {
  const pace = readers.fine > 0 ? minute : readers.coarse > 0 ? coarse : Number.POSITIVE_INFINITY;
  const at = Date.now() + pace;
  if (at >= due && pace !== Number.POSITIVE_INFINITY) return;
  clearTimeout(timer);
  due = at;
  if (pace !== Number.POSITIVE_INFINITY) timer = setTimeout(goOn, pace);
}

function goOn(): void {
  // Who reads it again asks for its next time one by one; the last of them decides.
  due = 0;
  setPassed((n) => n + 1);
  due = Number.POSITIVE_INFINITY;
  schedule();
}

/**
 * nowFor is the time in milliseconds, for saying how long ago something was or
 * when. What reads it is renewed: every minute where that is less than an hour
 * away, else every ten.
 */
export function nowFor(at: number): number {
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
