// Quiet words about something that was done: they lie over the window, are
// announced, and go when they are dismissed, or with the screen. Failures of a
// chat stand in the chat itself.

import { createSignal } from "solid-js";

export interface Notice {
  /** The same id takes the place of the notice before. */
  id: string;
  text: string;
  /** A path, or why it was not done. */
  detail?: string;
  failed?: boolean;
  /** What can be done about it, as a button. */
  mend?: { label: string; run: () => void };
  /** It is being done; this ends it. */
  cancel?: () => void;
  /** It is news only here: it goes when another screen is opened. */
  passes?: boolean;
}

const [notices, setNotices] = createSignal<readonly Notice[]>([]);

/** notices are those on screen, the newest last. */
export { notices };

/** notify shows a notice; one that says how far something is stays where it is. */
export function notify(notice: Notice): void {
  setNotices((old) =>
    notice.cancel && old.some((each) => each.id === notice.id && each.cancel)
      ? old.map((each) => (each.id === notice.id ? notice : each))
      : [...old.filter((each) => each.id !== notice.id), notice],
  );
}

/** dismiss takes a notice away. */
export function dismiss(id: string): void {
  setNotices((old) => old.filter((each) => each.id !== id));
}

/** dismissPassing takes away what is news only on the screen that was left. */
export function dismissPassing(): void {
  setNotices((old) => (old.some((each) => each.passes) ? old.filter((each) => !each.passes) : old));
}
