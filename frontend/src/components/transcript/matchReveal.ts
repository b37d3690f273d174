// Locates matches in bodies and texts. Only part of a long body or text is in the DOM; the component that
// shows it renders other parts on request.

import { onCleanup } from "solid-js";
import { rangesOf } from "../../lib/marks";

/** A body that is currently rendered. */
export interface VisibleBody {
  /** Renders the part of the body at a byte offset unless that part is already in the DOM. */
  load(at: number): Promise<void>;
  /**
   * Returns the element that contains the byte at an offset, and the byte's character offset in the
   * element, or undefined if that part of the body isn't in the DOM.
   */
  locate(at: number): { part: Element; letter: number } | undefined;
}

const bodies = new Map<string, VisibleBody>();

/** registerBody registers a rendered body until its component is disposed. */
export function registerBody(id: string, body: VisibleBody): void {
  bodies.set(id, body);
  onCleanup(() => bodies.get(id) === body && bodies.delete(id));
}

/** bodyOf returns the body with the given ID, or undefined if that body isn't rendered. */
export function bodyOf(id: string | undefined): VisibleBody | undefined {
  return bodies.get(id ?? "");
}

/** The rendered text of an item. */
export interface SearchableText {
  /**
   * Returns the range of the nth match. If the match isn't in the DOM, it is rendered first unless
   * `onlyHere` is set.
   */
  reveal(find: string, nth: number, onlyHere?: boolean): Range | undefined;
  /** Returns the offset, in UTF-16 units, of the nth match in the text. */
  positionOf(find: string, nth: number): number | undefined;
  /** Returns the number of matches that start before an offset. */
  countBefore(find: string, letter: number): number;
  /** Returns the offset of the first character below a vertical position in the view. */
  positionAt(edge: number): number;
}

const texts = new Map<string, SearchableText>();

/** registerText registers the rendered text of an item until its component is disposed. */
export function registerText(itemId: string, text: SearchableText): void {
  texts.set(itemId, text);
  onCleanup(() => texts.get(itemId) === text && texts.delete(itemId));
}

/** textOf returns the rendered text of an item, or undefined if it isn't rendered. */
export function textOf(itemId: string | undefined): SearchableText | undefined {
  return texts.get(itemId ?? "");
}

/** rangeAt returns the range of a match at a byte offset in a body, or undefined if it isn't in the DOM. */
export function rangeAt(id: string, at: number, text: string): Range | undefined {
  const spot = bodies.get(id)?.locate(at);
  if (!spot) return undefined;
  const there = rangeIn(spot.part, spot.letter, text.length);
  if (there?.toString().toLowerCase() === text.toLowerCase()) return there;
  // Parts of a body may be missing from the DOM, such as invisible characters and text that a terminal overwrote. In
  // that case, use the next match in the DOM or, if there is none, the last one.
  const near = rangesOf(spot.part, text);
  const next = near.find(
    (range) => there && range.comparePoint(there.startContainer, there.startOffset) <= 0,
  );
  return next ?? near.at(-1);
}

/** rangeIn returns the range of `length` characters at an offset in an element. */
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

/** CSS selector for the scrollable elements inside the transcript. */
const scrollers = ".out, .tool-out, .copilot-stream, .diff, .command, .code pre, .table-frame";

/** scrollIntoView scrolls the elements in the transcript that contain a range, so that the range becomes visible. */
export function scrollIntoView(range: Range): void {
  const inner = range.startContainer.parentElement?.closest(scrollers);
  for (let each = inner; each; each = each.parentElement?.closest(scrollers)) {
    const [box, frame] = [range.getBoundingClientRect(), each.getBoundingClientRect()];
    if (box.top < frame.top || box.bottom > frame.bottom) {
      each.scrollTop += box.top - frame.top - frame.height / 3;
    }
    if (box.left < frame.left || box.right > frame.right) {
      each.scrollLeft += box.left - frame.left - frame.width / 3;
    }
  }
}
