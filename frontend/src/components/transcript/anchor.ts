// The scroll anchor: the smallest part of the content at the view's upper edge. It keeps the visible content
// in place when heights change above or below it.

/** A row's offset from the upper edge of the view. */
export interface Anchor {
  key: string;
  offset: number;
  /** The part of the row at the view's edge, with its offset from that edge. */
  part?: { element: Element; offset: number };
}

/** Elements that grow or are replaced can't be anchors. */
const transient = ".tail, .space, .caret";
/** Maximum depth of the search for a part. */
const maxDepth = 6;

/** childAt returns the first child whose bottom is below the vertical position `edge`. */
function childAt(of: Element, edge: number): Element | undefined {
  for (const child of of.children) {
    const box = child.getBoundingClientRect();
    if (box.height > 0 && box.bottom > edge && !child.matches(transient)) return child;
  }
  return undefined;
}

/**
 * partAt returns the part of a row at the vertical position `edge`, or undefined if there is none, for example because
 * the row starts below that position.
 */
export function partAt(row: Element, edge: number): Anchor["part"] {
  let part: Element | undefined;
  for (let depth = 0; depth < maxDepth; depth++) {
    const of: Element = part ?? row;
    if (of.getBoundingClientRect().top >= edge) break;
    // Content of a separate scroll box moves with that box.
    if (of.scrollTop > 0 || of.tagName === "PRE") break;
    const next = childAt(of, edge);
    if (!next) break;
    part = next;
  }
  return part && { element: part, offset: part.getBoundingClientRect().top - edge };
}

/**
 * offsetError returns the distance in pixels by which an anchor is below its target position (negative if
 * above), or undefined if neither its part nor its row is rendered.
 */
export function offsetError(anchor: Anchor, row: Element | undefined, edge: number): number | undefined {
  if (!row) return undefined;
  const { part } = anchor;
  if (part && row.contains(part.element)) {
    const box = part.element.getBoundingClientRect();
    if (box.height > 0) return box.top - edge - part.offset;
  }
  const box = row.getBoundingClientRect();
  return box.height > 0 ? box.top - edge - anchor.offset : undefined;
}

/** shifted returns a copy of an anchor, moved up by `by` pixels. */
export function shifted(anchor: Anchor, by: number): Anchor {
  const { key, offset, part } = anchor;
  return {
    key,
    offset: offset - by,
    part: part && { element: part.element, offset: part.offset - by },
  };
}

/**
 * moveTo returns an anchor at the nearest remaining row, preferring rows below, or undefined if there is
 * none.
 */
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
