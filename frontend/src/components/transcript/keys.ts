// Decides whether a key is for the transcript or for the focused element.

import { isInside } from "./follow";

/** isField reports whether an element handles text navigation keys. */
export function isField(element: Element): boolean {
  return element.closest("input, textarea, select, [contenteditable]") !== null;
}

/** isShortField reports whether an element is the message field and its text fits without scrolling. */
export function isShortField(element: Element): boolean {
  return element.matches(".composer textarea") && element.scrollHeight <= element.clientHeight;
}

/** scrollsWithin reports whether an element is in a scrollable box nested in the transcript. */
export function scrollsWithin(element: Element): boolean {
  const scroller = element.closest(".scroll-frame > .scroll");
  return scroller !== null && isInside(element, scroller);
}

/** isCovered reports whether a dialog covers the transcript. */
export function isCovered(): boolean {
  return document.querySelector("[role=alertdialog], .dialog") !== null;
}
