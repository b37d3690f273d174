// Renders the text of a line: syntax highlighting, changed words, matches, and names for invisible characters.

import { changedWords, type Range } from "../../lib/diff";
import type { CodeRun } from "../../lib/highlight";
import { hasInvisible, visibleParts } from "../../lib/visibleText";
import type { LineStore, TextKey } from "../../state/reviewLines";
import type { ReviewBlock } from "../../state/reviewTypes";

/** Maximum number of characters rendered per line; longer lines would block the page. */
export const maxDrawn = 5000;

/** The range of a match in a line. `now` is true for the current match. */
export interface FoundRange {
  range: Range;
  now: boolean;
}

/** A part of a line with a single style. */
export interface Piece {
  text: string;
  class: string;
  marked: boolean;
  found: "" | "found" | "now";
}

/**
 * piecesOf splits a line at the edges of its colored runs, changed words (`marks`) and matches. Changed words and
 * matches must be in ascending order.
 */
export function piecesOf(
  text: string,
  runs: readonly CodeRun[] | undefined,
  marks: readonly Range[],
  finds: readonly FoundRange[],
): Piece[] {
  const edges = new Set<number>([0, text.length]);
  let end = 0;
  for (const run of runs ?? []) {
    end += run.text.length;
    edges.add(Math.min(end, text.length));
  }
  for (const [from, to] of [...marks, ...finds.map((each) => each.range)]) {
    edges.add(Math.min(from, text.length));
    edges.add(Math.min(to, text.length));
  }
  const sorted = [...edges].sort((a, b) => a - b);
  const pieces: Piece[] = [];
  let [run, runEnd] = [0, runs?.[0]?.text.length ?? text.length];
  for (let at = 0; at + 1 < sorted.length; at++) {
    const [from, to] = [sorted[at] as number, sorted[at + 1] as number];
    while (from >= runEnd && runs && run + 1 < runs.length) runEnd += runs[++run]?.text.length ?? 0;
    const isIn = ([begin, stop]: Range) => begin <= from && to <= stop;
    const found = finds.filter((each) => isIn(each.range));
    pieces.push({
      text: text.slice(from, to),
      class: runs && from < runEnd ? (runs[run]?.class ?? "") : "",
      marked: marks.some(isIn),
      found: found.some((each) => each.now) ? "now" : found.length > 0 ? "found" : "",
    });
  }
  return pieces;
}

/**
 * drawCode replaces the content of an element with the text of a line. Equal content stays as it is, because replacing it
 * would move the ends of a selection.
 */
export function drawCode(
  into: HTMLElement,
  text: string,
  runs: readonly CodeRun[] | undefined,
  marks: readonly Range[],
  finds: readonly FoundRange[],
): void {
  const shown = text.length > maxDrawn ? text.slice(0, maxDrawn) : text;
  if (!runs && marks.length === 0 && finds.length === 0 && !hasInvisible(shown)) {
    if (into.childElementCount > 0 || into.textContent !== shown) into.textContent = shown;
    return;
  }
  const parts: Node[] = [];
  for (const piece of piecesOf(shown, text.length > maxDrawn ? undefined : runs, marks, finds)) {
    const look = [piece.class, piece.found && `fnd ${piece.found}`].filter(Boolean).join(" ");
    const named = namedNodes(piece.text);
    if (!piece.marked && look === "") parts.push(...named);
    else {
      const element = document.createElement(piece.marked ? "mark" : "span");
      if (look !== "") element.className = look;
      element.append(...named);
      parts.push(element);
    }
  }
  const old = into.childNodes;
  if (old.length !== parts.length || parts.some((part, at) => !part.isEqualNode(old[at] ?? null)))
    into.replaceChildren(...parts);
}

function namedNodes(text: string): Node[] {
  if (!hasInvisible(text)) return [document.createTextNode(text)];
  return visibleParts(text).map((part) => {
    if (!part.marked) return document.createTextNode(part.text);
    const span = document.createElement("span");
    span.className = "unseen";
    span.textContent = part.text;
    return span;
  });
}

/** Lines are paired by similarity only in blocks with at most this many lines on each side. */
const maxPaired = 12;

/**
 * wordMarks returns the ranges of a changed line that differ from its counterpart in the block. In a small
 * block, the counterpart is the most similar line; in a larger one, it's the line at the same position.
 */
export function wordMarks(
  lines: Pick<LineStore, "text">,
  keys: { old: TextKey; new: TextKey },
  block: ReviewBlock,
  side: "old" | "new",
  at: number,
): Range[] {
  const [old, oldCount, start, newCount] = block;
  const other = side === "old" ? "new" : "old";
  const own = side === "old" ? { first: old, count: oldCount } : { first: start, count: newCount };
  const theirs = side === "old" ? { first: start, count: newCount } : { first: old, count: oldCount };
  const text = lines.text(keys[side], at);
  if (text === undefined || theirs.count === 0) return [];
  const isSmall = own.count <= maxPaired && theirs.count <= maxPaired;
  if (!isSmall) {
    const into = at - own.first;
    const partner = into < theirs.count ? lines.text(keys[other], theirs.first + into) : undefined;
    return partner === undefined ? [] : changedWords(text, partner);
  }
  const pairs =
    knownPairs.get(block) ??
    pairsOf(
      block,
      range(old, oldCount).map((line) => lines.text(keys.old, line)),
      range(start, newCount).map((line) => lines.text(keys.new, line)),
    );
  const into = at - own.first;
  const pair = pairs.find((each) => (side === "old" ? each[0] : each[1]) === into);
  if (!pair) return [];
  const partner = lines.text(keys[other], theirs.first + (side === "old" ? pair[1] : pair[0]));
  return partner === undefined ? [] : changedWords(text, partner);
}

/** The pairs of similar lines, by block. Only blocks with completely loaded text are included. */
const knownPairs = new WeakMap<ReviewBlock, [old: number, start: number][]>();

function pairsOf(
  block: ReviewBlock,
  olds: (string | undefined)[],
  news: (string | undefined)[],
): [old: number, start: number][] {
  const loaded = (texts: (string | undefined)[]): texts is string[] => !texts.includes(undefined);
  if (!loaded(olds) || !loaded(news)) return [];
  const pairs = pairLines(olds, news);
  knownPairs.set(block, pairs);
  return pairs;
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);

/**
 * pairLines pairs removed lines with similar added lines, without changing the order of either. Each pair holds the
 * indexes of the two lines.
 */
export function pairLines(olds: readonly string[], news: readonly string[]): [old: number, start: number][] {
  const words = (text: string) => text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const oldWords = olds.map((text) => words(text));
  const newWords = news.map((text) => words(text));
  const width = news.length + 1;
  const best = new Float64Array((olds.length + 1) * width);
  const scores = oldWords.map((mine) => newWords.map((other) => similarity(mine, other)));
  for (let i = olds.length - 1; i >= 0; i--) {
    for (let j = news.length - 1; j >= 0; j--) {
      const score = scores[i]?.[j] ?? 0;
      best[i * width + j] = Math.max(
        best[(i + 1) * width + j] ?? 0,
        best[i * width + j + 1] ?? 0,
        score >= minSimilar ? score + (best[(i + 1) * width + j + 1] ?? 0) : 0,
      );
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < olds.length && j < news.length; ) {
    const now = best[i * width + j] ?? 0;
    if (now === 0) break;
    const score = scores[i]?.[j] ?? 0;
    if (score >= minSimilar && now === score + (best[(i + 1) * width + j + 1] ?? 0)) pairs.push([i++, j++]);
    else if (now === (best[(i + 1) * width + j] ?? 0)) i++;
    else j++;
  }
  return pairs;
}

/** Minimum share of words that two lines must have in common to be paired. */
const minSimilar = 0.4;

function similarity(mine: readonly string[], other: readonly string[]): number {
  if (mine.length === 0 || other.length === 0) return 0;
  const left = new Map<string, number>();
  for (const word of mine) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of other) {
    const n = left.get(word) ?? 0;
    if (n > 0) common++;
    left.set(word, n - 1);
  }
  return (2 * common) / (mine.length + other.length);
}
