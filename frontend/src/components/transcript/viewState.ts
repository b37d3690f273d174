// Open states and scroll positions for the lifetime of the window, so that rows scrolled out of the DOM
// return as they were left.

import type { ScrollState } from "./list";

const opened = new Map<string, boolean>();
const scrollStates = new Map<string, ScrollState>();

/**
 * openStateOf reports whether the user left a part of a transcript open, or returns undefined if the part
 * was never toggled.
 */
export function openStateOf(key: string): boolean | undefined {
  return opened.get(key);
}

/** rememberOpen records the open state of a part. */
export function rememberOpen(key: string, open: boolean): void {
  opened.set(key, open);
}

/** scrollStateOf returns the stored scroll position of a chat's transcript. */
export function scrollStateOf(chatId: string): ScrollState | undefined {
  return scrollStates.get(chatId);
}

/** rememberScroll records the scroll position of a chat's transcript. */
export function rememberScroll(chatId: string, place: ScrollState): void {
  scrollStates.set(chatId, place);
}
