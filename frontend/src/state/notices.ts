// Unobtrusive notices about completed actions. They overlay the window, are announced to screen readers,
// and disappear when the user dismisses them or, if they are transient, opens another screen. Failures of
// a chat are shown in the chat.

import { createSignal } from "solid-js";

export interface Notice {
  /** A notice replaces an older one with the same ID. */
  id: string;
  text: string;
  /** A path, or the reason for a failure. */
  detail?: string;
  failed?: boolean;
  /** A button that fixes the problem. */
  mend?: { label: string; run: () => void };
  /** Cancels the action that the notice reports; set while the action is in progress. */
  cancel?: () => void;
  /** Whether the notice disappears when another screen is opened. */
  isTransient?: boolean;
}

const [notices, setNotices] = createSignal<readonly Notice[]>([]);

/** notices holds the visible notices, newest last. */
export { notices };

/** notify shows a notice; an update of a progress notice keeps its position. */
export function notify(notice: Notice): void {
  setNotices((old) =>
    notice.cancel && old.some((each) => each.id === notice.id && each.cancel)
      ? old.map((each) => (each.id === notice.id ? notice : each))
      : [...old.filter((each) => each.id !== notice.id), notice],
  );
}

/** dismiss removes a notice. */
export function dismiss(id: string): void {
  setNotices((old) => old.filter((each) => each.id !== id));
}

/** dismissTransient removes the notices that belong to the screen that the user has just left. */
export function dismissTransient(): void {
  setNotices((old) => (old.some((each) => each.isTransient) ? old.filter((each) => !each.isTransient) : old));
}
