// An item of a chat that the user wants to see: what a search result, a match
// or a row of the inspector leads to. Whoever leads there asks for it here;
// the transcript of the chat shows it and says so.

import { createSignal } from "solid-js";
import { go, screen } from "./screen";
import type { MatchLocation } from "./types";

/** An item of a chat, wherever it stands in it. */
export interface Match {
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

const [wanted, setWanted] = createSignal<Match>();

/** wantedMatch is what is to be shown, until it is. */
export { wanted as wantedMatch };

/** A match, and where in its item that stands which was looked for. */
export interface FoundMatch {
  match: Match;
  location: MatchLocation;
}

const [found, setFound] = createSignal<FoundMatch>();

/** foundMatch is what was looked for last and found in an item that has bodies. */
export { found as foundMatch };

/** setMatchLocation says where in its item that stands which a match is of. */
export function setMatchLocation(match: Match, location: MatchLocation): void {
  setFound({ match, location });
}

/** showMatch opens the chat of a match and has its transcript show it; nothing is wanted where the user stays. */
export function showMatch(match: Match): void {
  const now = screen();
  const want = () => setWanted({ ...match });
  if (now.name === "chat" && now.id === match.chatId) want();
  else go({ name: "chat", id: match.chatId }, want);
}

/** matchShown says that a match is shown, or cannot be. */
export function matchShown(match: Match): void {
  if (wanted() === match) setWanted(undefined);
}
