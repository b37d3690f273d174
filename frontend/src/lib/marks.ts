// Marks where a text is found in a part of the page, without changing the page:
// by the highlights of CSS where the browser has them, else by boxes laid over.

/** What is marked. */
export interface Marked {
  ranges: Range[];
  /** The one that the user is at. */
  now?: Range;
}

/** More is not marked at once: nobody sees as many. */
const mostRanges = 2000;

const blocks =
  "p, li, td, th, pre, h1, h2, h3, h4, summary, button, section, article, .dl, .tool-out, .entry";

/** What is no part of a text that is read: words for a screen reader alone, numbers and signs of lines. */
const besides = ".sr, [aria-hidden=true], .dl > .n, .dl > .s";

/**
 * rangesOf finds a text, whatever its case, in what is drawn in an element.
 * A word may go over several nodes of one line, but not over lines.
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
  // Elements in one parent stand in the same block: to look up costs more than to find.
  const looked = new Map<Element, Element | null | undefined>();
  const blockOf = (parent: Element) => {
    if (!looked.has(parent)) looked.set(parent, parent.closest(besides) ? undefined : parent.closest(blocks));
    return looked.get(parent);
  };
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && ranges.length < mostRanges; node = walker.nextNode()) {
    const mine = node.parentElement ? blockOf(node.parentElement) : undefined;
    if (mine === undefined) continue;
    if (mine !== block) close();
    block = mine;
    nodes.push(node as Text);
  }
  close();
  return ranges;
}

/** lower is a text without case, of the same length: a few letters would grow. */
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
  // The node that holds a letter, and the letter's place in it.
  let at = 0;
  const place = (letter: number): [Text, number] => {
    while (at + 1 < nodes.length && (starts[at + 1] as number) <= letter) at++;
    return [nodes[at] as Text, letter - (starts[at] as number)];
  };
  for (let found = text.indexOf(low); found >= 0; found = text.indexOf(low, found + low.length)) {
    if (ranges.length >= mostRanges) return;
    const range = document.createRange();
    range.setStart(...place(found));
    const [node, letter] = place(found + low.length - 1);
    range.setEnd(node, letter + 1);
    ranges.push(range);
  }
}

const names = { all: "found", now: "found-now" };

/** show marks ranges in place of those before; overlay is what boxes are laid into. */
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

/** flash marks a range for a moment, where the browser can without changing the page. */
export function flash(range: Range, millis: number): void {
  if (typeof Highlight !== "function" || !CSS.highlights) return;
  const mark = new Highlight(range);
  CSS.highlights.set(names.now, mark);
  setTimeout(() => CSS.highlights.get(names.now) === mark && CSS.highlights.delete(names.now), millis);
}

/** clear takes all marks away. */
export function clear(overlay: HTMLElement): void {
  if (typeof Highlight === "function" && CSS.highlights) {
    CSS.highlights.delete(names.all);
    CSS.highlights.delete(names.now);
  }
  overlay.replaceChildren();
}
