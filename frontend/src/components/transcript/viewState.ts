// Open states and scroll positions for the lifetime of the window, so that rows scrolled out of the DOM
// return as they were left.

import type { Place } from "./list";

const opened = new Map<string, boolean>();
const places = new Map<string, Place>();

/** wasOpen returns the open state that the user left a part in, or undefined if it was never toggled. */
export function wasOpen(key: string): boolean | undefined {
  return opened.get(key);
}

/** leaveOpen records the open state of a part. */
export function leaveOpen(key: string, open: boolean): void {
  opened.set(key, open);
}

/** placeOf returns the stored scroll position of a chat's transcript. */
export function placeOf(chatId: string): Place | undefined {
  return places.get(chatId);
}

/** leavePlace records the scroll position of a chat's transcript. */
export function leavePlace(chatId: string, place: Place): void {
  places.set(chatId, place);
}
