// Letters that are typed where nothing takes text: on a line that was opened by a
// click, on a tab, or on the page after a dialog has closed.

import { onCleanup } from "solid-js";

/** What takes letters, or has an answer of its own to give first. */
const takers =
  "input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=dialog], [role=alertdialog]";
const questions = "[role=alertdialog], [role=dialog], [role=menu], .dialog, .pal, .scrim";

/** isLetter reports whether a key writes something. Space belongs to what has the focus. */
function isLetter(event: KeyboardEvent): boolean {
  if (event.isComposing || event.key === " " || [...event.key].length !== 1) return false;
  return event.getModifierState("AltGraph") || !(event.ctrlKey || event.metaKey || event.altKey);
}

/** createTyping gives the focus to a field when a letter is typed that nothing else takes, and the letter with it. */
export function createTyping(field: () => HTMLElement | null): void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || !isLetter(event)) return;
    if (event.target instanceof Element && event.target.closest(takers)) return;
    if (document.querySelector(questions)) return;
    field()?.focus();
  };
  window.addEventListener("keydown", onKeyDown);
  onCleanup(() => window.removeEventListener("keydown", onKeyDown));
}
