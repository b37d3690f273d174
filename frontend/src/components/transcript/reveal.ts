// Brings a requested item into view. Loads the item if needed, waits until the elements that enclose it
// have expanded (each of them tracks the request), then scrolls to the item, highlights it briefly and
// focuses it. If a match in a long body is requested, scrolls to the match.

import { type Accessor, createEffect, onCleanup, untrack } from "solid-js";
import { flash } from "../../lib/marks";
import { actions } from "../../state/actions";
import { confirmMatchShown, type Match, setMatchLocation, wantedMatch } from "../../state/match";
import { outermost } from "../../state/pageWindow";
import { raw } from "../../state/store";
import type { Entry } from "../../state/transcript";
import type { ListControl } from "./list";
import { bodyOf, rangeAt, scrollIntoView, textOf } from "./matchReveal";

/** Duration of the highlight in milliseconds. */
const markMillis = 2000;

/** holds reports whether an entry contains an item. */
function holds(entry: Entry, id: string): boolean {
  switch (entry.kind) {
    case "item":
      return entry.id === id || (entry.more?.includes(id) ?? false);
    case "work":
      return entry.blockId === id || entry.ids.includes(id);
    case "lines":
      return entry.ids.includes(id);
    default:
      return false;
  }
}

export interface RevealOptions {
  chatId: string;
  entries: Accessor<Entry[]>;
  list: Accessor<ListControl | undefined>;
  rowOf(key: string): HTMLElement | null;
}

/** mark highlights an element briefly. */
function mark(part: HTMLElement): void {
  part.classList.remove("match-target");
  // Reading the width restarts the animation.
  void part.offsetWidth;
  part.classList.add("match-target");
  setTimeout(() => part.classList.remove("match-target"), markMillis);
}

function focus(part: HTMLElement): void {
  const target =
    part.querySelector<HTMLElement>(":scope > button.tool, :scope > button.ln, :scope > details > summary") ??
    part;
  if (target === part && !part.hasAttribute("tabindex")) part.tabIndex = -1;
  target.focus({ preventScroll: true });
}

const drawn = () => new Promise((done) => setTimeout(done));

/**
 * found renders a requested match in one of an item's bodies and returns its DOM range. It returns
 * undefined if the match isn't in a body or the request is outdated.
 */
async function found(place: Match, find: string, isStill: () => boolean): Promise<Range | undefined> {
  if (!raw().contentsOf[place.itemId]?.length) return undefined;
  const spot = await actions.matchLocation(place.itemId, find, place.nth ?? 0);
  if (!spot || !isStill()) return undefined;
  setMatchLocation(place, spot); // expands the match's row
  if (!spot.contentId) return undefined;
  await bodyOf(spot.contentId)?.load(spot.offset);
  await drawn();
  return isStill() ? rangeAt(spot.contentId, spot.offset, find) : undefined;
}

/** createReveal scrolls to items of a chat when showMatch requests them, and highlights the matches. */
export function createReveal(options: RevealOptions): void {
  let gone = false;
  onCleanup(() => {
    gone = true;
    // A pending request is dropped when the user leaves the chat.
    const place = wantedMatch();
    if (place?.chatId === options.chatId) confirmMatchShown(place);
  });

  const show = async (place: Match) => {
    const isHere = await actions.loadMatch(place);
    const isStill = () => !gone && wantedMatch() === place;
    if (!isStill()) return;
    const top = outermost(raw(), place.itemId);
    const key = options.entries().find((entry) => holds(entry, top))?.key;
    if (!isHere || key === undefined) {
      confirmMatchShown(place);
      return;
    }
    // The row must be rendered and its parts expanded for the next steps.
    if (!options.rowOf(key)) options.list()?.toKey(key);
    await drawn();
    if (!isStill()) return;
    const row = options.rowOf(key);
    const part = row?.querySelector<HTMLElement>(`[data-item="${CSS.escape(place.itemId)}"]`) ?? row;
    if (part) {
      // In a long text, only the part around the match needs to be rendered, not the text before it.
      const match = place.find && textOf(place.itemId)?.reveal(place.find, place.nth ?? 0);
      options.list()?.toPart(key, match || part);
      if (!place.keepFocus) {
        mark(part);
        focus(part);
      }
    }
    const range = place.find && (await found(place, place.find, isStill));
    if (!isStill()) return;
    if (range) {
      scrollIntoView(range);
      options.list()?.toPart(key, range);
      if (!place.keepFocus) flash(range, markMillis);
    }
    confirmMatchShown(place);
  };

  createEffect(() => {
    const place = wantedMatch();
    // A newly opened chat has no list until its transcript is loaded.
    if (place?.chatId !== options.chatId || !options.list() || !raw().pages[options.chatId]) return;
    untrack(() =>
      show(place).catch((thrown) => {
        actions.log("warn", `show a place: ${thrown.message}`);
        confirmMatchShown(place);
      }),
    );
  });
}
