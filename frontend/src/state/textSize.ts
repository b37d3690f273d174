// How large text is drawn. The sizes themselves are in styles/text-size.css.

import { unwrap } from "solid-js/store";
import { type TextSize, textSizeOf, textSizes } from "../appearance";
import { words } from "../i18n";
import { actions } from "./actions";
import { notify } from "./notices";
import { raw } from "./store";

export { type TextSize, textSizeOf, textSizes };

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
    .catch((thrown) =>
      notify({ id: "settings", text: words.settings.saveFailed, detail: thrown.message, failed: true }),
    );
}
