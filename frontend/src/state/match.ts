// The item in a chat that is to be shown, for example for a search result, a match or a row of the
// inspector. The component that refers to the item requests it here; the chat's transcript shows the item
// and confirms that it is shown.

import { createSignal } from "solid-js";
import { go, screen } from "./screen";
import type { MatchLocation } from "./types";

/** The item to show, at any position in a chat. */
export interface Match {
  chatId: string;
  itemId: string;
  pos: number;
  /** The block that contains the item, if known. */
  parentId?: string;
  /** The search text; the item expands far enough to show the match. */
  find?: string;
  /** Index of the match in the item, 0-based; the first one if absent. */
  nth?: number;
  /** Whether to leave the focus unchanged. */
  keepFocus?: boolean;
}

const [wanted, setWanted] = createSignal<Match>();

/** wantedMatch is the requested item, or undefined once it has been shown. */
export { wanted as wantedMatch };

/** A requested match and its location in the item. */
export interface FoundMatch {
  match: Match;
  location: MatchLocation;
}

const [found, setFound] = createSignal<FoundMatch>();

/** foundMatch is the last match that was located inside an item's bodies. */
export { found as foundMatch };

/** setMatchLocation records the location of a match within its item. */
export function setMatchLocation(match: Match, location: MatchLocation): void {
  setFound({ match, location });
}

/**
 * showMatch opens the match's chat and requests that its transcript show the match. It requests nothing
 * if the user chooses to stay on the current screen.
 */
export function showMatch(match: Match): void {
  const now = screen();
  const want = () => setWanted({ ...match });
  if (now.name === "chat" && now.id === match.chatId) want();
  else go({ name: "chat", id: match.chatId }, want);
}

/** confirmMatchShown confirms that a requested match has been shown or can't be shown. */
export function confirmMatchShown(match: Match): void {
  if (wanted() === match) setWanted(undefined);
}
