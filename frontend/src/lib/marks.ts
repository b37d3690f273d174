// Highlights matches in part of the page without modifying it: with the CSS Custom Highlight API if
// available, otherwise with overlay boxes.

/** The ranges to highlight. */
export interface Marked {
  ranges: Range[];
  /** The current match. */
  now?: Range;
}

/** Maximum number of highlighted ranges: a window has no room for more. */
const maxRanges = 2000;

const blocks =
  "p, li, td, th, pre, h1, h2, h3, h4, summary, button, section, article, .dl, .tool-out, .entry";

/** Content that isn't part of the text: screen reader text, line numbers and diff signs. */
const excluded = ".sr, [aria-hidden=true], .dl > .n, .dl > .s";

/**
 * rangesOf returns the occurrences of the text `find`, ignoring case, in the rendered content of an element.
 * A match can span several nodes of a block, such as a paragraph, but not several blocks.
 */
export function rangesOf(root: Element, find: string): Range[] {
  const ranges: Range[] = [];
  const low = lower(find);
  if (low === "") return ranges;
  let nodes: Text[] = [];
  let block: Element | null = null;
  const close = () => {
    if (nodes.length > 0) search(nodes, low, ranges);
    nodes = [];
  };
  // Nodes with the same parent are in the same block. Calling `closest` takes longer than the search
  // itself, so its results are cached.
  const looked = new Map<Element, Element | null | undefined>();
  const blockOf = (parent: Element) => {
    if (!looked.has(parent))
      looked.set(parent, parent.closest(excluded) ? undefined : parent.closest(blocks));
    return looked.get(parent);
  };
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && ranges.length < maxRanges; node = walker.nextNode()) {
    const mine = node.parentElement ? blockOf(node.parentElement) : undefined;
    if (mine === undefined) continue;
    if (mine !== block) close();
    block = mine;
    nodes.push(node as Text);
  }
  close();
  return ranges;
}

/**
 * lower returns text in lower case and of the same length: if lower-casing would change the length, only
 * A to Z are converted.
 */
export function lower(text: string): string {
  const low = text.toLowerCase();
  return low.length === text.length ? low : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function search(nodes: Text[], low: string, ranges: Range[]): void {
  const starts: number[] = [];
  let text = "";
  for (const node of nodes) {
    starts.push(text.length);
    text += lower(node.data);
  }
  // Returns the node that contains a character, and the character's offset in that node.
  let at = 0;
  const place = (letter: number): [Text, number] => {
    while (at + 1 < nodes.length && (starts[at + 1] as number) <= letter) at++;
    return [nodes[at] as Text, letter - (starts[at] as number)];
  };
  for (let found = text.indexOf(low); found >= 0; found = text.indexOf(low, found + low.length)) {
    if (ranges.length >= maxRanges) return;
    const range = document.createRange();
    range.setStart(...place(found));
    const [node, letter] = place(found + low.length - 1);
    range.setEnd(node, letter + 1);
    ranges.push(range);
  }
}

const names = { all: "found", now: "found-now" };

/** show replaces the current highlights. `overlay` is the container for overlay boxes. */
export function show(marked: Marked, overlay: HTMLElement): void {
  if (typeof Highlight === "function" && CSS.highlights) {
    CSS.highlights.set(names.all, new Highlight(...marked.ranges.filter((range) => range !== marked.now)));
    CSS.highlights.set(names.now, new Highlight(...(marked.now ? [marked.now] : [])));
    return;
  }
  const frame = overlay.getBoundingClientRect();
  const boxes = marked.ranges.flatMap((range) =>
    [...range.getClientRects()]
      .filter((rect) => rect.bottom > frame.top && rect.top < frame.bottom)
      .map((rect) => {
        const box = document.createElement("span");
        box.className = range === marked.now ? "found now" : "found";
        box.style.left = `${rect.left - frame.left}px`;
        box.style.top = `${rect.top - frame.top}px`;
        box.style.width = `${rect.width}px`;
        box.style.height = `${rect.height}px`;
        return box;
      }),
  );
  overlay.replaceChildren(...boxes);
}

/** flash highlights a range briefly, if the browser supports CSS highlights. */
export function flash(range: Range, millis: number): void {
  if (typeof Highlight !== "function" || !CSS.highlights) return;
  const mark = new Highlight(range);
  CSS.highlights.set(names.now, mark);
  setTimeout(() => CSS.highlights.get(names.now) === mark && CSS.highlights.delete(names.now), millis);
}

/** clear removes all highlights. */
export function clear(overlay: HTMLElement): void {
  if (typeof Highlight === "function" && CSS.highlights) {
    CSS.highlights.delete(names.all);
    CSS.highlights.delete(names.now);
  }
  overlay.replaceChildren();
}
