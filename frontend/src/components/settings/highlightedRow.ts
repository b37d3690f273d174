// The row of a setting that was looked for: it comes into view, is marked until the
// user does something else, and its control has the focus.

import { createEffect, onCleanup } from "solid-js";
import { rowShown, type SettingRow, wantedRow } from "../../state/settingRows";

const controls = "button, input, select, textarea, summary, [tabindex='0']";

/** focusOn brings a row into view and gives its control the focus, or else the title. */
function focusOn(row: HTMLElement, title: HTMLElement): void {
  row.scrollIntoView?.({ block: "center" });
  const own = row.matches(controls) ? row : row.querySelector<HTMLElement>(`:is(${controls}):not(:disabled)`);
  const chosen = row.querySelector<HTMLElement>("[role=radio][aria-checked=true]");
  (chosen ?? own ?? title).focus({ preventScroll: true });
}

/** leadToRows shows the settings that are looked for, for as long as its owner lives. */
export function leadToRows(main: () => HTMLElement, title: () => HTMLElement): void {
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
    rowShown();
    return true;
  };
  // Some pages are drawn once the app has answered.
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
    rowShown();
  };
  window.addEventListener("pointerdown", onAct, true);
  window.addEventListener("keydown", onAct, true);
  onCleanup(() => {
    stop();
    window.removeEventListener("pointerdown", onAct, true);
    window.removeEventListener("keydown", onAct, true);
    rowShown();
  });
}

/** rowIn returns where a setting stands on its page, if it is there now. */
export function rowIn(main: Element, row: SettingRow): HTMLElement | undefined {
  const is = (element: Element) => element.textContent?.trim() === row.label;
  const label = [...main.querySelectorAll(".sr-row > .lb > div:first-child, h2, summary")].find(is);
  if (label) return label.closest<HTMLElement>(".sr-row") ?? (label as HTMLElement);
  const named = [...main.querySelectorAll<HTMLElement>("[role=radiogroup]")];
  return named.find((element) => element.getAttribute("aria-label") === row.label);
}
