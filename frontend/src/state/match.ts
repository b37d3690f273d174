// A place in a chat to show, such as the target of a search result, a match or a row of the inspector.
// The source requests it here; the chat's transcript shows it and confirms.

import { createSignal } from "solid-js";
import { go, screen } from "./screen";
import type { MatchLocation } from "./types";

/** An item at any position in a chat. */
export interface Match {
  chatId: string;
  itemId: string;
  pos: number;
  /** The block that contains the item, if known. */
  parentId?: string;
  /** The search text: the item expands far enough to show it. */
  find?: string;
  /** Index of the match in the item, 0-based; the first one if absent. */
  nth?: number;
  /** Whether to leave the focus unchanged. */
  keepFocus?: boolean;
}

const [wanted, setWanted] = createSignal<Match>();

/** wantedMatch is the requested place, or undefined once it is shown. */
export { wanted as wantedMatch };

/** A place and the location of its match in the item. */
export interface FoundMatch {
  match: Match;
  location: MatchLocation;
}

const [found, setFound] = createSignal<FoundMatch>();

/** foundMatch is the last match located in an item with bodies. */
export { found as foundMatch };

/** setMatchLocation records the location of a place's match in its item. */
export function setMatchLocation(match: Match, location: MatchLocation): void {
  setFound({ match, location });
}

/**
 * showMatch opens the chat of a place and makes its transcript show the place. Nothing is requested if
 * the user chooses to stay on the current screen.
 */
export function showMatch(match: Match): void {
  const now = screen();
  const want = () => setWanted({ ...match });
  if (now.name === "chat" && now.id === match.chatId) want();
  else go({ name: "chat", id: match.chatId }, want);
}

/** confirmMatchShown confirms that a place is shown or can't be. */
export function confirmMatchShown(match: Match): void {
  if (wanted() === match) setWanted(undefined);
}
