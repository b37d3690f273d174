// Unobtrusive notices about actions that are complete or in progress. They overlay the window and are
// announced to screen readers. The user can dismiss them; transient ones also disappear when another screen
// is opened. Failures of a chat are shown in the chat.

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

/** notify shows a notice. An updated notice about an action in progress keeps its position in the list. */
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

/** dismissTransient removes all transient notices. It is called when the user opens another screen. */
export function dismissTransient(): void {
  setNotices((old) => (old.some((each) => each.isTransient) ? old.filter((each) => !each.isTransient) : old));
}
