// Choices of the window alone, kept where the next start finds them before
// anything is loaded.

import { type Accessor, createEffect, createSignal, on, type Setter } from "solid-js";

/** createPreference is a signal whose value outlives the page. */
export function createPreference(key: string, initial: string): [Accessor<string>, Setter<string>] {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(key);
  } catch {
    // Without storage every start begins with the initial value.
  }
  const [value, setValue] = createSignal(kept ?? initial);
  createEffect(
    on(
      value,
      (now) => {
        try {
          localStorage.setItem(key, now);
        } catch {
          // See above.
        }
      },
      { defer: true },
    ),
  );
  return [value, setValue];
}
