// What the reader reads, held by the smallest part that begins above it, so
// that it stays where it is whatever changes its height above or below.

/** Where a row stands below the upper edge of the view. */
export interface Anchor {
  key: string;
  offset: number;
  /** The part of the row that is read, and where it stands. */
  part?: { element: Element; offset: number };
}

/** What grows and is replaced is nothing to hold on to. */
const passing = ".tail, .space, .caret";
/** How deep a part is looked for. */
const mostDepth = 6;

/** childAt returns the first child of an element that ends below an edge. */
function childAt(of: Element, edge: number): Element | undefined {
  for (const child of of.children) {
    const box = child.getBoundingClientRect();
    if (box.height > 0 && box.bottom > edge && !child.matches(passing)) return child;
  }
  return undefined;
}

/** partAt returns the part of a row that stands at an edge of the view; nothing where the row begins below it. */
export function partAt(row: Element, edge: number): Anchor["part"] {
  let part: Element | undefined;
  for (let depth = 0; depth < mostDepth; depth++) {
    const of: Element = part ?? row;
    if (of.getBoundingClientRect().top >= edge) break;
    // What is in a box that scrolls by itself moves with that box.
    if (of.scrollTop > 0 || of.tagName === "PRE") break;
    const next = childAt(of, edge);
    if (!next) break;
    part = next;
  }
  return part && { element: part, offset: part.getBoundingClientRect().top - edge };
}

/** offBy returns how far an anchor is from where it should be, or undefined where neither it nor its row is drawn. */
export function offBy(anchor: Anchor, row: Element | undefined, edge: number): number | undefined {
  if (!row) return undefined;
  const { part } = anchor;
  if (part && row.contains(part.element)) {
    const box = part.element.getBoundingClientRect();
    if (box.height > 0) return box.top - edge - part.offset;
  }
  const box = row.getBoundingClientRect();
  return box.height > 0 ? box.top - edge - anchor.offset : undefined;
}

/** shifted returns an anchor that stands so much higher. */
export function shifted(anchor: Anchor, by: number): Anchor {
  const { key, offset, part } = anchor;
  return {
    key,
    offset: offset - by,
    part: part && { element: part.element, offset: part.offset - by },
  };
}

/** moveTo returns an anchor at the nearest row that is still in the list, or undefined where none is; below comes first. */
export function moveTo(
  anchor: Anchor,
  before: readonly string[],
  here: ReadonlySet<string>,
  high: (key: string) => number,
): Anchor | undefined {
  const from = before.indexOf(anchor.key);
  if (from < 0) return undefined;
  let { offset } = anchor;
  for (const key of before.slice(from)) {
    if (here.has(key)) return { key, offset };
    offset += high(key);
  }
  offset = anchor.offset;
  for (const key of before.slice(0, from).reverse()) {
    offset -= high(key);
    if (here.has(key)) return { key, offset };
  }
  return undefined;
}
