// How large text is drawn. The sizes themselves are in styles/text-size.css.

import { unwrap } from "solid-js/store";
import { actions } from "./actions";
import { raw } from "./store";

/** The sizes there are, from the smallest to the largest. */
export const textSizes = ["small", "normal", "large", "larger"] as const;
export type TextSize = (typeof textSizes)[number];

/** textSizeOf reads the setting; what is none of the sizes is the normal one. */
export function textSizeOf(setting: string): TextSize {
  return textSizes.find((size) => size === setting) ?? "normal";
}

/** The next larger (1) or smaller (-1) size, or the normal one (0), where that is another. */
function stepped(step: -1 | 0 | 1): TextSize | undefined {
  const now = textSizeOf(raw().settings.textSize);
  const next = step === 0 ? "normal" : textSizes[textSizes.indexOf(now) + step];
  return next === now ? undefined : next;
}

/** canStepTextSize says whether there is such a size. */
export function canStepTextSize(step: -1 | 0 | 1): boolean {
  return stepped(step) !== undefined;
}

/** stepTextSize takes the next larger (1) or smaller (-1) size, or the normal one (0). */
export function stepTextSize(step: -1 | 0 | 1): void {
  const textSize = stepped(step);
  if (!textSize) return;
  actions
    .saveSettings({ ...unwrap(raw().settings), textSize })
    .catch((thrown) => actions.log("warn", `text size: ${thrown.message}`));
}
