// Renders only the paragraphs of a long text near the view and those with an end of the selection. Spacers
// replace the others with their measured or estimated height.

import { type Accessor, createEffect, createMemo, createSignal, on, untrack } from "solid-js";
import { sameList } from "../../lib/lists";
import type { Piece } from "../../lib/paragraphs";
import { useDrawings } from "./drawing";

/** A text with at most this many paragraphs and at most fewChars characters is rendered completely. */
const fewPieces = 12;
const fewChars = 8 * 1024;
/** Paragraphs within this distance of the requested area, in pixels, stay rendered. */
const keepDistance = 300;
/** Number of paragraphs rendered per slice. */
const slice = 8;
/** Maximum number of texts whose paragraph heights are cached. */
const maxTexts = 50;

/** CSS selector for the elements of a text other than its paragraphs. */
const extras = ".space, .show-all, .tail";

const lineHeight = 24;
const lineChars = 85;
const gap = 12;

/** Measured heights by text and paragraph index. The most recently used text comes last. */
const knownHeights = new Map<string, Map<number, number>>();

function heightsOf(id: string): Map<number, number> {
  const heights = knownHeights.get(id) ?? new Map<number, number>();
  knownHeights.delete(id);
  knownHeights.set(id, heights);
  for (const old of knownHeights.keys()) {
    if (knownHeights.size <= maxTexts) break;
    knownHeights.delete(old);
  }
  return heights;
}

/** estimate returns the estimated height of a paragraph, including the gap below it. */
function estimate(piece: Piece): number {
  const { text } = piece;
  const breaks = text.trimEnd().split("\n").length;
  if (piece.kind === "code" || text.startsWith("```")) return breaks * 20 + 40 + gap;
  return Math.max(breaks, Math.ceil(text.length / lineChars)) * lineHeight + gap;
}

export interface VisiblePiecesOptions {
  /** ID of the item that contains the text. */
  id: string;
  box: () => HTMLElement;
  /** All finished paragraphs; append-only except for Paragraphs.reopen. */
  pieces: readonly Piece[];
  /** Index of the first paragraph that may be shown, and the index after the last one. */
  range: Accessor<readonly [number, number]>;
}

type Range = readonly [number, number];

/** A range of paragraphs that a spacer replaces. */
export interface Gap {
  from: number;
  to: number;
}

/** cellsOf returns the given paragraphs and the gaps before, between and after them, within a range. */
function cellsOf(shown: readonly number[], [first, end]: Range): (number | Gap)[] {
  const out: (number | Gap)[] = [];
  let next = first;
  for (const n of [...shown, end]) {
    if (n > next) out.push({ from: next, to: n });
    if (n < end) out.push(n);
    next = n + 1;
  }
  return out;
}

/**
 * joined returns the union of the rendered range and the needed range. If the two are disjoint, it returns the needed
 * range. If nothing is needed, it returns the rendered range.
 */
function joined(now: Range, needed: Range): Range {
  if (needed[0] === needed[1]) return now;
  if (needed[0] > now[1] || needed[1] < now[0] || now[0] === now[1]) return needed;
  return [Math.min(now[0], needed[0]), Math.max(now[1], needed[1])];
}

/**
 * sliced extends the rendered range `now` by one slice toward `needed`, first below, then above. Once all
 * needed paragraphs are rendered, it drops those outside `kept`.
 */
function sliced(now: Range, needed: Range, kept: Range, isBelow: boolean): Range {
  if (needed[0] === needed[1]) return within(now, kept);
  const isApart = now[0] === now[1] || needed[0] > now[1] || needed[1] < now[0];
  const edge = isBelow ? needed[0] : needed[1];
  const [from, to] = isApart ? [edge, edge] : now;
  if (to < needed[1]) return [from, Math.min(needed[1], to + slice)];
  if (from > needed[0]) return [Math.max(needed[0], from - slice), to];
  return within(now, kept);
}

/** within returns the intersection of two ranges. */
function within(range: Range, other: Range): Range {
  const from = Math.max(range[0], other[0]);
  return [from, Math.max(from, Math.min(range[1], other[1]))];
}

/** createVisiblePieces tracks which paragraphs of a text are rendered. */
export function createVisiblePieces(options: VisiblePiecesOptions) {
  const heights = heightsOf(options.id);
  const guesses = new Map<Piece, number>();
  /** guessOf returns the estimated height of a paragraph, cached after the first call. */
  const guessOf = (piece: Piece) => {
    const known = guesses.get(piece) ?? estimate(piece);
    guesses.set(piece, known);
    return known;
  };
  const highOf = (n: number) => heights.get(n) ?? guessOf(options.pieces[n] as Piece);
  const sum = (from: number, to: number) => {
    let all = 0;
    for (let n = from; n < to; n++) all += highOf(n);
    return all;
  };
  const isShort = () => {
    const [from, to] = options.range();
    if (to - from > fewPieces) return false;
    let letters = 0;
    for (let n = from; n < to; n++) letters += options.pieces[n]?.text.length ?? 0;
    return letters <= fewChars;
  };

  /** Range of the wanted paragraphs, as indexes into options.pieces. It may extend beyond options.range. */
  const [wanted, setWanted] = createSignal<Range>([0, 0], { equals: sameList });
  const drawings = useDrawings((from, to, isSlice) => draw(from, to, isSlice));
  const range = createMemo<Range>(
    () => {
      const [first, end] = options.range();
      if (!drawings || isShort()) return [first, end];
      const [from, to] = wanted();
      return [Math.min(Math.max(from, first), end), Math.max(first, Math.min(to, end))];
    },
    [0, 0],
    { equals: sameList },
  );
  const [measured, setMeasured] = createSignal(0);
  /** Indexes of the paragraphs with an end of the selection, in order. They stay rendered. */
  const [held, setHeld] = createSignal<readonly number[]>([], { equals: sameList });
  /** Indexes of the rendered paragraphs, in order. */
  const shown = createMemo<readonly number[]>(
    () => {
      const [first, end] = options.range();
      const [from, to] = range();
      const apart = held().filter((n) => n >= first && n < end && (n < from || n >= to));
      const near = Array.from({ length: to - from }, (_, at) => from + at);
      return [...apart.filter((n) => n < from), ...near, ...apart.filter((n) => n >= to)];
    },
    [],
    { equals: sameList },
  );

  // Paragraphs finished while the end is rendered are rendered too.
  createEffect(
    on(options.range, (now, before) => {
      const [from, to] = untrack(wanted);
      if (untrack(isShort)) setWanted(now);
      else if (before && to >= before[1] && now[1] > before[1] && now[0] <= to) setWanted([from, now[1]]);
      else if (before && (now[0] >= to || now[1] <= from)) drawings?.ask();
    }),
  );

  const drawnParts = () => [...options.box().children].filter((each) => !each.matches(extras));
  /** measure records the heights of the rendered paragraphs, each from its top to the top of the next. */
  const measure = () => {
    const all = shown();
    const parts = drawnParts();
    if (parts.length !== all.length) return;
    let news = false;
    const boxes = parts.map((part) => part.getBoundingClientRect());
    boxes.forEach((box, at) => {
      const n = all[at] as number;
      const next = all[at + 1] === n + 1 ? boxes[at + 1] : undefined;
      const high = next ? next.top - box.top : box.height + gap;
      if (high <= 0 || heights.get(n) === high) return;
      heights.set(n, high);
      news = true;
    });
    if (news) setMeasured((n) => n + 1);
  };

  /** hold records which rendered paragraphs contain an end of the selection. */
  const hold = () => {
    const selection = getSelection();
    const ends = [selection?.anchorNode, selection?.focusNode].filter((node) =>
      options.box().contains(node ?? null),
    );
    const parts = ends.length > 0 ? drawnParts() : [];
    const at = ends
      .map((node) => parts.findIndex((part) => part.contains(node as Node)))
      .filter((n) => n >= 0);
    const all = untrack(shown);
    setHeld([...new Set(at.map((n) => all[n] as number))].sort((a, b) => a - b));
  };

  const draw = (top: number, bottom: number, isSlice: boolean): boolean => {
    if (untrack(isShort)) return false;
    const before = untrack(range);
    measure();
    hold();
    const [first, end] = untrack(options.range);
    const head = options.box().querySelector(":scope > .show-all");
    const all = options.box().getBoundingClientRect();
    // Without a layout there is no view, so all paragraphs are rendered.
    if (all.width === 0 && all.height === 0) {
      setWanted([first, end]);
      return !sameList(before, untrack(range));
    }
    let y = all.top;
    if (head && head === options.box().firstElementChild) y = head.getBoundingClientRect().bottom + gap;
    /** near returns the range of paragraphs between two vertical positions in the window. */
    const near = (from: number, to: number): Range => {
      let [low, high, at] = [end, first, y];
      for (let n = first; n < end; n++) {
        const below = at + highOf(n);
        if (below > from && at < to) {
          low = Math.min(low, n);
          high = n + 1;
        }
        at = below;
      }
      return low < high ? [low, high] : [before[0], before[0]];
    };
    const needed = near(top, bottom);
    const next = isSlice
      ? sliced(before, needed, near(top - keepDistance, bottom + keepDistance), y > (top + bottom) / 2)
      : joined(before, needed);
    setWanted(next);
    return !sameList(before, untrack(range));
  };

  const gaps = new Map<string, Gap>();
  /** The indexes of the rendered paragraphs, and the gaps between them. An unchanged gap stays the same object. */
  const cells = createMemo(() => {
    const before = new Map(gaps);
    gaps.clear();
    return cellsOf(shown(), options.range()).map((cell) => {
      if (typeof cell === "number") return cell;
      const key = `${cell.from} ${cell.to}`;
      const gap = before.get(key) ?? cell;
      gaps.set(key, gap);
      return gap;
    });
  });
  return {
    range,
    cells,
    /** space returns the height of a gap's spacer in pixels. */
    space(of: Gap): number {
      void measured();
      return Math.max(1, sum(of.from, of.to) - gap);
    },
    /**
     * firstBelow returns the index of the first paragraph in view that starts at or below `edge`, a
     * vertical position in the window. If there is none, it returns the index of the paragraph that
     * extends past `edge`.
     */
    firstBelow(edge: number): number {
      const all = untrack(shown);
      const boxes = drawnParts().map((part) => part.getBoundingClientRect());
      // Without a layout there is no view, so the first rendered paragraph counts as the first in view.
      if (boxes.every((box) => box.width === 0 && box.height === 0)) return untrack(range)[0];
      const begins = boxes.findIndex((box) => box.top >= edge && box.top < innerHeight);
      const at = begins < 0 ? boxes.findIndex((box) => box.bottom >= edge) : begins;
      return all[at] ?? untrack(range)[1];
    },
    /** bring renders paragraph n even if it's out of view, and returns its element. */
    bring(n: number): Element | undefined {
      const [from, to] = untrack(range);
      if (n < from || n >= to) setWanted([Math.max(0, n - 4), n + 5]);
      return drawnParts()[untrack(shown).indexOf(n)];
    },
  };
}
