// Brings a place that was asked for into view: what is not loaded is loaded,
// what is folded around it opens by itself (each part looks at the place), then
// it is scrolled to, marked for a moment and has the focus. What was looked for is
// brought into view also where it stands in the middle of a long body.

import { type Accessor, createEffect, onCleanup, untrack } from "solid-js";
import { flash } from "../../lib/marks";
import { actions } from "../../state/actions";
import { type Match, matchShown, setMatchLocation, wantedMatch } from "../../state/match";
import { outermost } from "../../state/pageWindow";
import { raw } from "../../state/store";
import type { Entry } from "../../state/transcript";
import type { ListControl } from "./list";
import { bodyOf, rangeAt, textOf, toView } from "./matchReveal";

/** How long a place is marked. */
const markMillis = 2000;

/** holds says whether an item stands in an entry. */
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

/** mark shows which part is meant, for a moment. */
function mark(part: HTMLElement): void {
  part.classList.remove("meant");
  // Reading the width makes it begin anew.
  void part.offsetWidth;
  part.classList.add("meant");
  setTimeout(() => part.classList.remove("meant"), markMillis);
}

function focus(part: HTMLElement): void {
  const target =
    part.querySelector<HTMLElement>(":scope > button.tool, :scope > button.ln, :scope > details > summary") ??
    part;
  if (target === part && !part.hasAttribute("tabindex")) part.tabIndex = -1;
  target.focus({ preventScroll: true });
}

const drawn = () => new Promise((done) => setTimeout(done));

/** found brings what was looked for into the page, where it stands in a body of an item. */
async function found(place: Match, find: string, isStill: () => boolean): Promise<Range | undefined> {
  if (!raw().contentsOf[place.itemId]?.length) return undefined;
  const spot = await actions.spot(place.itemId, find, place.nth ?? 0);
  if (!spot || !isStill()) return undefined;
  setMatchLocation(place, spot); // its row opens
  if (!spot.contentId) return undefined;
  await bodyOf(spot.contentId)?.bring(spot.offset);
  await drawn();
  return isStill() ? rangeAt(spot.contentId, spot.offset, find) : undefined;
}

/** createReveal shows the places of a chat that are asked for. */
export function createReveal(options: RevealOptions): void {
  let gone = false;
  onCleanup(() => {
    gone = true;
    // Who leaves does not want to be led there when they come back.
    const place = wantedMatch();
    if (place?.chatId === options.chatId) matchShown(place);
  });

  const show = async (place: Match) => {
    const isHere = await actions.loadMatch(place);
    const isStill = () => !gone && wantedMatch() === place;
    if (!isStill()) return;
    const top = outermost(raw(), place.itemId);
    const key = options.entries().find((entry) => holds(entry, top))?.key;
    if (!isHere || key === undefined) {
      matchShown(place);
      return;
    }
    // The row is drawn, and its parts open; what follows needs them in the page.
    if (!options.rowOf(key)) options.list()?.toKey(key);
    await drawn();
    if (!isStill()) return;
    const row = options.rowOf(key);
    const part = row?.querySelector<HTMLElement>(`[data-item="${CSS.escape(place.itemId)}"]`) ?? row;
    if (part) {
      // Of a long text only the match is led to: what is before it need not be drawn.
      const match = place.find && textOf(place.itemId)?.bring(place.find, place.nth ?? 0);
      options.list()?.toPart(key, match || part);
      if (!place.keepFocus) {
        mark(part);
        focus(part);
      }
    }
    const range = place.find && (await found(place, place.find, isStill));
    if (!isStill()) return;
    if (range) {
      toView(range);
      options.list()?.toPart(key, range);
      if (!place.keepFocus) flash(range, markMillis);
    }
    matchShown(place);
  };

  createEffect(() => {
    const place = wantedMatch();
    // A chat that is opened has no transcript yet; its own list comes with it.
    if (place?.chatId !== options.chatId || !options.list() || !raw().pages[options.chatId]) return;
    untrack(() =>
      show(place).catch((thrown) => {
        actions.log("warn", `show a place: ${thrown.message}`);
        matchShown(place);
      }),
    );
  });
}
