// Quiet words about something that was done: they lie over the window, are
// announced, and go when they are dismissed. Failures of a chat stand in the
// chat itself.

import { createSignal } from "solid-js";

export interface Notice {
  /** The same id takes the place of the notice before. */
  id: string;
  text: string;
  /** A path, or why it was not done. */
  detail?: string;
  failed?: boolean;
}

const [notices, setNotices] = createSignal<readonly Notice[]>([]);

/** notices are those on screen, the newest last. */
export { notices };

/** notify shows a notice. */
export function notify(notice: Notice): void {
  setNotices((old) => [...old.filter((each) => each.id !== notice.id), notice]);
}

/** dismiss takes a notice away. */
export function dismiss(id: string): void {
  setNotices((old) => old.filter((each) => each.id !== id));
}
