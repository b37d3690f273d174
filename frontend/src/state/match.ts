// A place in a chat that the user wants to see: what a search result, a match
// or a row of the inspector leads to. Whoever leads there asks for it here;
// the transcript of the chat shows it and says so.

import { createSignal } from "solid-js";
import { go, screen } from "./screen";
import type { Spot } from "./types";

/** An item of a chat, wherever it stands in it. */
export interface Place {
  chatId: string;
  itemId: string;
  pos: number;
  /** The block that the item is in, where that is known. */
  parentId?: string;
  /** What was looked for: the item opens as far as it takes to see it. */
  find?: string;
  /** Which of these in the item, counted from 0; left out, the first one. */
  nth?: number;
  /** The focus stays where it is. */
  keepFocus?: boolean;
}

const [wanted, setWanted] = createSignal<Place>();

/** wantedPlace is what is to be shown, until it is. */
export { wanted as wantedPlace };

/** A place, and where in its item that stands which was looked for. */
export interface Found {
  place: Place;
  spot: Spot;
}

const [found, setFound] = createSignal<Found>();

/** foundSpot is what was looked for last and found in an item that has bodies. */
export { found as foundSpot };

/** noteSpot says where in its item that stands which a place is of. */
export function noteSpot(place: Place, spot: Spot): void {
  setFound({ place, spot });
}

/** showPlace opens the chat of a place and has its transcript show it; nothing is wanted where the user stays. */
export function showPlace(place: Place): void {
  const now = screen();
  const want = () => setWanted({ ...place });
  if (now.name === "chat" && now.id === place.chatId) want();
  else go({ name: "chat", id: place.chatId }, want);
}

/** placeShown says that a place is shown, or cannot be. */
export function placeShown(place: Place): void {
  if (wanted() === place) setWanted(undefined);
}
