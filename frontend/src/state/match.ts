// Requests to show an item of a chat, for example the item of a search result or of a row in the inspector. A
// component makes the request; the chat's transcript shows the item and confirms that it is shown.

import { createSignal } from "solid-js";
import { go, screen } from "./screen";
import type { MatchLocation } from "./types";

/** An item to show, at any position in a chat, and optionally a search match in it. */
export interface Match {
  chatId: string;
  itemId: string;
  pos: number;
  /** ID of the block that contains the item, if known. */
  parentId?: string;
  /** The search text; the item expands far enough to show the match. */
  find?: string;
  /** Index of the match in the item, 0-based. If it is absent, the first match is shown. */
  nth?: number;
  /** Whether to leave the focus unchanged. */
  keepFocus?: boolean;
}

const [wantedMatch, setWantedMatch] = createSignal<Match>();

/** wantedMatch is the requested item, or undefined once it has been shown. */
export { wantedMatch };

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
  const want = () => setWantedMatch({ ...match });
  if (now.name === "chat" && now.id === match.chatId) want();
  else go({ name: "chat", id: match.chatId }, want);
}

/** confirmMatchShown confirms that a requested match has been shown or can't be shown. */
export function confirmMatchShown(match: Match): void {
  if (wantedMatch() === match) setWantedMatch(undefined);
}
