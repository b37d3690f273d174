// Whose keys they are: the transcript's, or those of what has the focus.

import { isInside } from "./follow";

/** isField says whether keys that lead through a text belong to an element. */
export function isField(element: Element): boolean {
  return element.closest("input, textarea, select, [contenteditable]") !== null;
}

/** isShortField reports whether an element is the message field with nothing in it to scroll. */
export function isShortField(element: Element): boolean {
  return element.matches(".composer textarea") && element.scrollHeight <= element.clientHeight;
}

/** scrollsWithin reports whether an element is in a box of the transcript that scrolls by itself. */
export function scrollsWithin(element: Element): boolean {
  const scroller = element.closest(".scroll-frame > .scroll");
  return scroller !== null && isInside(element, scroller);
}

/** isCovered says whether a question lies over the transcript. */
export function isCovered(): boolean {
  return document.querySelector("[role=alertdialog], .dialog") !== null;
}
