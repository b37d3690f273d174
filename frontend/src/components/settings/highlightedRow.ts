// Scrolls to the row of a setting selected in the search, highlights it until the next user input, and
// focuses its control.

import { createEffect, onCleanup } from "solid-js";
import { confirmRowShown, type SettingRow, wantedRow } from "../../state/settingRows";

const controls = "button, input, select, textarea, summary, [tabindex='0']";

/** focusOn scrolls a row into view and focuses its control, or `title` if the row has no control. */
function focusOn(row: HTMLElement, title: HTMLElement): void {
  row.scrollIntoView?.({ block: "center" });
  const own = row.matches(controls) ? row : row.querySelector<HTMLElement>(`:is(${controls}):not(:disabled)`);
  const chosen = row.querySelector<HTMLElement>("[role=radio][aria-checked=true]");
  (chosen ?? own ?? title).focus({ preventScroll: true });
}

/**
 * highlightWantedRow highlights each setting that the user selects in the search, until the calling
 * component is disposed.
 */
export function highlightWantedRow(main: () => HTMLElement, title: () => HTMLElement): void {
  let marked: HTMLElement | undefined;
  const unmark = () => {
    marked?.classList.remove("marked");
    marked = undefined;
  };
  const show = (wanted: SettingRow): boolean => {
    const row = rowIn(main(), wanted);
    if (!row) return false;
    unmark();
    marked = row;
    row.classList.add("marked");
    focusOn(row, title());
    confirmRowShown();
    return true;
  };
  // Some pages render their rows only after a response from the app. The observer waits for the wanted row.
  let later: MutationObserver | undefined;
  const stop = () => {
    later?.disconnect();
    later = undefined;
  };
  createEffect(() => {
    const wanted = wantedRow();
    stop();
    if (!wanted) return;
    queueMicrotask(() => {
      if (wantedRow() !== wanted || show(wanted)) return;
      title().focus({ preventScroll: true });
      later = new MutationObserver(() => show(wanted) && stop());
      later.observe(main(), { childList: true, subtree: true });
    });
  });
  const onAct = () => {
    unmark();
    if (!later) return;
    stop();
    confirmRowShown();
  };
  window.addEventListener("pointerdown", onAct, true);
  window.addEventListener("keydown", onAct, true);
  onCleanup(() => {
    stop();
    window.removeEventListener("pointerdown", onAct, true);
    window.removeEventListener("keydown", onAct, true);
    confirmRowShown();
  });
}

/** rowIn returns the element of a setting on the current page, or undefined if the setting isn't rendered there. */
export function rowIn(main: Element, row: SettingRow): HTMLElement | undefined {
  const is = (element: Element) => element.textContent?.trim() === row.label;
  const label = [...main.querySelectorAll(".sr-row > .lb > div:first-child, h2, summary")].find(is);
  if (label) return label.closest<HTMLElement>(".sr-row") ?? (label as HTMLElement);
  const named = [...main.querySelectorAll<HTMLElement>("[role=radiogroup]")];
  return named.find((element) => element.getAttribute("aria-label") === row.label);
}
