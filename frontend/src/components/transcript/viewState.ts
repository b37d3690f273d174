// What a user has opened or closed, and where lists stood, for as long as the
// window lives: rows leave the page when they scroll away and come back as
// they were left.

import type { Place } from "./list";

const opened = new Map<string, boolean>();
const places = new Map<string, Place>();

/** wasOpen says how the user left a part; undefined where it was not touched. */
export function wasOpen(key: string): boolean | undefined {
  return opened.get(key);
}

/** leaveOpen notes how the user left a part. */
export function leaveOpen(key: string, open: boolean): void {
  opened.set(key, open);
}

/** placeOf is where a chat's transcript stood. */
export function placeOf(chatId: string): Place | undefined {
  return places.get(chatId);
}

/** leavePlace notes where a chat's transcript stands. */
export function leavePlace(chatId: string, place: Place): void {
  places.set(chatId, place);
}
