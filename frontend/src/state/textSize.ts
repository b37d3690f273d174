// The text size of the UI. The sizes are defined in styles/text-size.css.

import { unwrap } from "solid-js/store";
import { type TextSize, textSizeOf, textSizes } from "../appearance";
import { messages } from "../i18n";
import { actions } from "./actions";
import { notify } from "./notices";
import { raw } from "./store";

export { type TextSize, textSizeOf, textSizes };

/** Returns the next larger (1), next smaller (-1) or normal (0) size, or undefined if that is the current size. */
function stepped(step: -1 | 0 | 1): TextSize | undefined {
  const now = textSizeOf(raw().settings.textSize);
  const next = step === 0 ? "normal" : textSizes[textSizes.indexOf(now) + step];
  return next === now ? undefined : next;
}

/** canStepTextSize reports whether stepTextSize would change the size. */
export function canStepTextSize(step: -1 | 0 | 1): boolean {
  return stepped(step) !== undefined;
}

/** stepTextSize sets the next larger (1), next smaller (-1) or normal (0) size. */
export function stepTextSize(step: -1 | 0 | 1): void {
  const textSize = stepped(step);
  if (!textSize) return;
  actions
    .saveSettings({ ...unwrap(raw().settings), textSize })
    .catch((thrown) =>
      notify({ id: "settings", text: messages.settings.saveFailed, detail: thrown.message, failed: true }),
    );
}
