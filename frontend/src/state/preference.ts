// UI preferences of this window, stored in localStorage so that the next start can read them before
// anything is loaded.

import { type Accessor, createEffect, createSignal, on, type Setter } from "solid-js";

/** createPreference returns a signal whose value is persisted in localStorage. */
export function createPreference(key: string, initial: string): [Accessor<string>, Setter<string>] {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(key);
  } catch {
    // Without storage, every start uses the initial value.
  }
  const [value, setValue] = createSignal(kept ?? initial);
  createEffect(
    on(
      value,
      (now) => {
        try {
          localStorage.setItem(key, now);
        } catch {
          // Without storage, the value isn't persisted.
        }
      },
      { defer: true },
    ),
  );
  return [value, setValue];
}
