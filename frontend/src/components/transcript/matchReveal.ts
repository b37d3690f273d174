// Where a text that is looked for stands in a body. Of a long one only a part is in
// the page: whoever shows it brings the rest there when it is asked for.

import { onCleanup } from "solid-js";
import { rangesOf } from "../../lib/marks";

/** A body that is on screen. */
export interface Body {
  /** Brings a byte of it into the page, where it is not there yet. */
  bring(at: number): Promise<void>;
  /** What a byte of it is in, and how many letters stand before it there. */
  spotOf(at: number): { part: Element; letter: number } | undefined;
}

const bodies = new Map<string, Body>();

/** offerBody says that a body is on screen, until its component goes. */
export function offerBody(id: string, body: Body): void {
  bodies.set(id, body);
  onCleanup(() => bodies.get(id) === body && bodies.delete(id));
}

/** bodyOf is a body that is on screen. */
export function bodyOf(id: string | undefined): Body | undefined {
  return bodies.get(id ?? "");
}

/** A text of an item that is on screen. */
export interface FoundText {
  /** Finds the nth match, and brings it into the page unless only what is there counts. */
  bring(find: string, nth: number, onlyHere?: boolean): Range | undefined;
  /** The letter at which the nth match begins. */
  letterOf(find: string, nth: number): number | undefined;
  /** How many matches begin before a letter. */
  before(find: string, letter: number): number;
  /** The first letter of what stands below an edge of the view. */
  letterAt(edge: number): number;
}

const texts = new Map<string, FoundText>();

/** offerText offers the text of an item that is on screen, until its component goes. */
export function offerText(itemId: string, text: FoundText): void {
  texts.set(itemId, text);
  onCleanup(() => texts.get(itemId) === text && texts.delete(itemId));
}

/** textOf returns the text of an item, where that is on screen. */
export function textOf(itemId: string | undefined): FoundText | undefined {
  return texts.get(itemId ?? "");
}

/** rangeAt is a text that stands at a byte of a body, where that is in the page. */
export function rangeAt(id: string, at: number, text: string): Range | undefined {
  const spot = bodies.get(id)?.spotOf(at);
  if (!spot) return undefined;
  const there = rangeIn(spot.part, spot.letter, text.length);
  if (there?.toString().toLowerCase() === text.toLowerCase()) return there;
  // Some of a body is not in the page as it is: what a terminal wrote over, what cannot be seen.
  const near = rangesOf(spot.part, text);
  const next = near.find(
    (range) => there && range.comparePoint(there.startContainer, there.startOffset) <= 0,
  );
  return next ?? near.at(-1);
}

/** rangeIn are so many letters of what is in an element, behind so many others. */
function rangeIn(part: Element, letter: number, length: number): Range | undefined {
  const range = document.createRange();
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  let from = 0;
  let begun = false;
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const to = from + node.length;
    if (!begun && letter < to) {
      range.setStart(node, letter - from);
      begun = true;
    }
    if (begun && letter + length <= to) {
      range.setEnd(node, letter + length - from);
      return range;
    }
    from = to;
  }
  return undefined;
}

/** What scrolls within the transcript. */
const frames = ".out, .tool-out, .copilot-stream, .diff, .command, .code pre, .table-frame";

/** toView scrolls what lies around a range, within the transcript, until it is seen there. */
export function toView(range: Range): void {
  const inner = range.startContainer.parentElement?.closest(frames);
  for (let each = inner; each; each = each.parentElement?.closest(frames)) {
    const [box, frame] = [range.getBoundingClientRect(), each.getBoundingClientRect()];
    if (box.top < frame.top || box.bottom > frame.bottom) {
      each.scrollTop += box.top - frame.top - frame.height / 3;
    }
    if (box.left < frame.left || box.right > frame.right) {
      each.scrollLeft += box.left - frame.left - frame.width / 3;
    }
  }
}
