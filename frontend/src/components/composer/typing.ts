// Redirects typing to the message field if the focused element takes no text, such as a line expanded by
// a click, a tab, or the page after a dialog has closed.

import { onCleanup } from "solid-js";

/** Elements that handle typed characters themselves, including dialogs, lists and menus. */
const takers =
  "input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=dialog], [role=alertdialog]";
const questions = "[role=alertdialog], [role=dialog], [role=menu], .dialog, .pal, .scrim";

/**
 * isLetter reports whether a key produces a character. Space doesn't count, because the focused element
 * handles it.
 */
function isLetter(event: KeyboardEvent): boolean {
  if (event.isComposing || event.key === " " || [...event.key].length !== 1) return false;
  return event.getModifierState("AltGraph") || !(event.ctrlKey || event.metaKey || event.altKey);
}

/**
 * createTyping focuses a field when the user types a character that no other element handles. The character
 * is entered in the field.
 */
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
