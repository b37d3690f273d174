// Calculates the rows of one file's diff from segments of equal, removed and added lines with prefix sums. A file with
// 100,000 changed lines needs only a few numbers per block instead of an object per row.

import { search } from "../lib/search";
import type { LinePlace, ReviewBlock } from "./reviewTypes";
import type { ReviewSide } from "./types";

export type RowKind = "same" | "del" | "add" | "pair" | "head" | "tail" | "insert";
const kinds: readonly RowKind[] = ["same", "del", "add", "pair", "head", "tail", "insert"];
const codeOf = (kind: RowKind) => kinds.indexOf(kind);

/** Number of unchanged lines shown around a change. */
export const context = 3;

/** A row. `old` and `new` are its 0-based lines; -1 means that the row has no line on that side. */
export interface Row {
  kind: RowKind;
  old: number;
  new: number;
  /** Index of the change that the row belongs to; -1 for rows above the first change. */
  hunk: number;
  insert?: Insert;
}

/**
 * An insert is a row other than a line: below a line, before a change, or at the top or end of the file. It may have
 * any height.
 */
export interface Insert {
  id: string;
  /** The line that the insert follows. */
  line?: LinePlace;
  /** Index of the change that the insert precedes; -1 for the top of the file, the number of changes for its end. */
  hunk?: number;
  /** Height in pixels; an estimate until the row is measured. */
  height: number;
  /** Whether the height is exact. If so, it isn't measured. */
  isFixed?: boolean;
}

/** Numbers of expanded lines in a gap: `down` at its top, `up` at its bottom. */
export interface OpenGap {
  down: number;
  up: number;
}

/** Heights of rows in pixels. */
export interface RowHeights {
  line: number;
  head: number;
  tail: number;
}

export interface RowsInput {
  blocks: readonly ReviewBlock[];
  oldLines: number;
  newLines: number;
  split: boolean;
  /** Expanded lines by gap. Gap n precedes change n; the last gap follows the last change. */
  opened: ReadonlyMap<number, OpenGap>;
  inserts: readonly Insert[];
  heights: RowHeights;
}

/**
 * hunksOf returns the index of each change's first block. Blocks belong to the same change if their context lines touch
 * or overlap.
 */
export function hunksOf(blocks: readonly ReviewBlock[]): Int32Array {
  const starts: number[] = [];
  let end = Number.NEGATIVE_INFINITY;
  blocks.forEach(([, , start, count], at) => {
    if (start - end > 2 * context) starts.push(at);
    end = start + count;
  });
  return Int32Array.from(starts);
}

/** FileRows converts between rows, lines and vertical positions. */
export class FileRows {
  readonly hunks: Int32Array;
  readonly count: number;
  /**
   * Arrays with one entry per segment: kind, first row, first line and number of lines of each side, change, and
   * position.
   */
  private readonly kind: Uint8Array;
  private readonly first: Int32Array;
  private readonly old: Int32Array;
  private readonly start: Int32Array;
  private readonly oldCount: Int32Array;
  private readonly newCount: Int32Array;
  private readonly hunk: Int32Array;
  private readonly y: Float64Array;
  private readonly insertAt = new Map<number, Insert>();
  /** Extra heights of wrapped rows as a binary indexed tree; empty until a row is taller than a line. */
  private extra = new Float64Array(0);
  private readonly extras = new Map<number, number>();

  constructor(readonly input: RowsInput) {
    this.hunks = hunksOf(input.blocks);
    const all = new Segments(input, this.hunks);
    const size = all.kind.length;
    this.kind = Uint8Array.from(all.kind);
    this.old = Int32Array.from(all.old);
    this.start = Int32Array.from(all.start);
    this.oldCount = Int32Array.from(all.oldCount);
    this.newCount = Int32Array.from(all.newCount);
    this.hunk = Int32Array.from(all.hunk);
    this.first = new Int32Array(size + 1);
    this.y = new Float64Array(size + 1);
    let row = 0;
    for (let at = 0; at < size; at++) {
      this.first[at] = row;
      if (all.inserts.has(at)) this.insertAt.set(at, all.inserts.get(at) as Insert);
      row += this.rowsIn(at);
    }
    this.first[size] = row;
    this.count = row;
    this.stack();
  }

  private rowsIn(at: number): number {
    return Math.max(this.oldCount[at] ?? 0, this.newCount[at] ?? 0, this.isLines(at) ? 0 : 1);
  }

  private isLines(at: number): boolean {
    return (this.kind[at] ?? 0) < codeOf("head");
  }

  private segmentHeight(at: number): number {
    const { line, head, tail } = this.input.heights;
    if (this.isLines(at)) return this.rowsIn(at) * line;
    if (this.kind[at] === codeOf("insert")) return this.insertAt.get(at)?.height ?? 0;
    return this.kind[at] === codeOf("head") ? head : tail;
  }

  private stack(): void {
    let y = 0;
    for (let at = 0; at < this.kind.length; at++) {
      this.y[at] = y;
      y += this.segmentHeight(at);
    }
    this.y[this.kind.length] = y;
  }

  private segmentOf(row: number): number {
    return search(this.kind.length, (at) => this.first[at] ?? 0, row);
  }

  /** Returns the row with an index, which must exist. */
  row(index: number): Row {
    const at = this.segmentOf(index);
    const into = index - (this.first[at] ?? 0);
    const kind = kinds[this.kind[at] ?? 0] ?? "same";
    const isLines = this.isLines(at);
    return {
      kind,
      old: isLines && into < (this.oldCount[at] ?? 0) ? (this.old[at] ?? 0) + into : -1,
      new: isLines && into < (this.newCount[at] ?? 0) ? (this.start[at] ?? 0) + into : -1,
      hunk: this.hunk[at] ?? -1,
      insert: this.insertAt.get(at),
    };
  }

  /** Returns the vertical position of a row in pixels, or the total height for the index after the last row. */
  top(index: number): number {
    const at = Math.min(this.segmentOf(index), this.kind.length - 1);
    if (at < 0) return 0;
    if (index >= this.count) return this.height;
    const base = this.y[at] ?? 0;
    return base + (index - (this.first[at] ?? 0)) * this.input.heights.line + this.extraBefore(index);
  }

  get height(): number {
    return (this.y[this.kind.length] ?? 0) + this.extraBefore(this.count);
  }

  /** Returns the index of the row at a vertical position, or of the nearest row if there is none. */
  rowAt(y: number): number {
    if (this.extras.size === 0) return this.plainRowAt(y);
    return Math.max(
      0,
      search(this.count, (index) => this.top(index), y),
    );
  }

  private plainRowAt(y: number): number {
    const at = Math.max(
      0,
      search(this.kind.length, (each) => this.y[each] ?? 0, y),
    );
    const into = this.isLines(at) ? Math.floor((y - (this.y[at] ?? 0)) / this.input.heights.line) : 0;
    const last = Math.max(0, (this.first[at + 1] ?? 1) - 1);
    return Math.min(Math.max((this.first[at] ?? 0) + into, 0), last);
  }

  /** Returns the index of the row that shows a line, or -1 if the line is hidden. */
  rowOf(side: ReviewSide, line: number): number {
    const starts = side === "new" ? this.start : this.old;
    const counts = side === "new" ? this.newCount : this.oldCount;
    let at = search(this.kind.length, (each) => starts[each] ?? 0, line);
    while (at >= 0 && (counts[at] === 0 || !this.isLines(at))) at--;
    if (at < 0) return -1;
    const into = line - (starts[at] ?? 0);
    return into >= 0 && into < (counts[at] ?? 0) ? (this.first[at] ?? 0) + into : -1;
  }

  /** Returns the index of the row with a change's header, or -1 if there is none. */
  headOf(hunk: number): number {
    let at = search(this.kind.length, (each) => this.hunk[each] ?? 0, hunk);
    while (at >= 0 && this.hunk[at] === hunk) {
      if (this.kind[at] === codeOf("head")) return this.first[at] ?? 0;
      at--;
    }
    return -1;
  }

  /** Returns the index of an insert's row, or -1 if there is none. */
  insertRow(id: string): number {
    for (const [at, insert] of this.insertAt) if (insert.id === id) return this.first[at] ?? 0;
    return -1;
  }

  /** Returns the number of hidden lines in a gap. Gap n precedes change n; the last gap follows the last change. */
  hidden(gap: number): number {
    const [from, to] = gapOf(this.input, this.hunks, gap);
    const { down, up } = this.input.opened.get(gap) ?? { down: 0, up: 0 };
    return Math.max(0, to - from - down - up);
  }

  /** Returns the range of one side's lines that a gap can hide; `to` is exclusive. */
  gap(gap: number, side: ReviewSide): [from: number, to: number] {
    const [from, to] = gapOf(this.input, this.hunks, gap);
    if (side === "new") return [from, to];
    const next = this.input.blocks[this.hunks[gap] ?? -1];
    const last = this.input.blocks.at(-1);
    const shift = next ? next[0] - next[2] : last ? last[0] + last[1] - last[2] - last[3] : 0;
    return [from + shift, to + shift];
  }

  /** Returns the blocks of a change. */
  blocksOf(hunk: number): readonly ReviewBlock[] {
    const from = this.hunks[hunk];
    return from === undefined ? [] : this.input.blocks.slice(from, this.hunks[hunk + 1]);
  }

  /** Sets the measured height of an insert, and returns whether the height has changed. */
  setInsertHeight(id: string, height: number): boolean {
    for (const insert of this.insertAt.values()) {
      if (insert.id !== id || Math.abs(insert.height - height) < 0.5) continue;
      insert.height = height;
      this.stack();
      return true;
    }
    return false;
  }

  /** Sets the measured height of a wrapped row, and returns whether the height has changed. */
  setHeight(index: number, height: number): boolean {
    const more = Math.max(0, height - this.input.heights.line);
    const change = more - (this.extras.get(index) ?? 0);
    if (Math.abs(change) < 0.5) return false;
    if (this.extra.length === 0) this.extra = new Float64Array(this.count + 1);
    this.extras.set(index, more);
    for (let at = index + 1; at < this.extra.length; at += at & -at)
      this.extra[at] = (this.extra[at] ?? 0) + change;
    return true;
  }

  private extraBefore(index: number): number {
    if (this.extra.length === 0) return 0;
    let sum = 0;
    for (let at = Math.min(index, this.count); at > 0; at -= at & -at) sum += this.extra[at] ?? 0;
    return sum;
  }
}

/** gapOf returns the range of unchanged lines on the new side that a gap can hide; `to` is exclusive. */
export function gapOf(
  { blocks, newLines }: Pick<RowsInput, "blocks" | "newLines">,
  hunks: Int32Array,
  gap: number,
): [from: number, to: number] {
  if (hunks.length === 0) return [0, 0];
  const before = gap === 0 ? undefined : blocks[(hunks[gap] ?? blocks.length) - 1];
  const after = gap < hunks.length ? blocks[hunks[gap] ?? 0] : undefined;
  const from = before ? Math.min(before[2] + before[3] + context, newLines) : 0;
  const to = after ? Math.max(after[2] - context, 0) : newLines;
  return [Math.min(from, to), to];
}

/** Segments builds the list of a file's segments from top to bottom. */
class Segments {
  readonly kind: number[] = [];
  readonly old: number[] = [];
  readonly start: number[] = [];
  readonly oldCount: number[] = [];
  readonly newCount: number[] = [];
  readonly hunk: number[] = [];
  readonly inserts = new Map<number, Insert>();

  constructor(
    private readonly input: RowsInput,
    hunks: Int32Array,
  ) {
    const { blocks, opened, newLines } = input;
    this.insertBefore(-1, 0, 0, -1);
    for (let hunk = 0; hunk < hunks.length; hunk++) {
      const own = blocks.slice(hunks[hunk], hunks[hunk + 1]);
      const [old, , start] = own[0] as ReviewBlock;
      const shift = old - start;
      const [from, to] = gapOf(input, hunks, hunk);
      const { down, up } = opened.get(hunk) ?? { down: 0, up: 0 };
      const below = Math.min(down, to - from);
      this.same(from + shift, from, below, hunk - 1);
      this.insertBefore(hunk, from + below + shift, from + below, hunk - 1);
      const above = Math.max(from + below, to - up);
      this.push("head", above + shift, above, 0, 0, hunk);
      this.same(above + shift, above, start - above, hunk);
      this.changes(own, hunk);
      const last = own.at(-1) as ReviewBlock;
      const [end, oldEnd] = [last[2] + last[3], last[0] + last[1]];
      const next = gapOf(input, hunks, hunk + 1)[0];
      this.same(oldEnd, end, Math.max(0, next - end), hunk);
    }
    if (hunks.length > 0) {
      const [from, to] = gapOf(input, hunks, hunks.length);
      const [old, oldCount, start, newCount] = blocks.at(-1) as ReviewBlock;
      const shift = old + oldCount - start - newCount;
      const { down, up } = opened.get(hunks.length) ?? { down: 0, up: 0 };
      const below = Math.min(down + up, to - from);
      this.same(from + shift, from, below, hunks.length - 1);
      if (below < to - from) this.push("tail", from + below + shift, from + below, 0, 0, hunks.length - 1);
    }
    this.insertBefore(hunks.length, input.oldLines, newLines, hunks.length - 1);
  }

  private push(kind: RowKind, old: number, start: number, oldCount: number, newCount: number, hunk: number) {
    this.kind.push(codeOf(kind));
    this.old.push(old);
    this.start.push(start);
    this.oldCount.push(oldCount);
    this.newCount.push(newCount);
    this.hunk.push(hunk);
  }

  private insert(insert: Insert, old: number, start: number, hunk: number): void {
    this.inserts.set(this.kind.length, insert);
    this.push("insert", old, start, 0, 0, hunk);
  }

  private insertBefore(gap: number, old: number, start: number, hunk: number): void {
    for (const insert of this.input.inserts) if (insert.hunk === gap) this.insert(insert, old, start, hunk);
  }

  /** Adds the blocks of a change and the lines between them. */
  private changes(blocks: readonly ReviewBlock[], hunk: number): void {
    let [oldEnd, end] = [-1, -1];
    for (const [old, oldCount, start, newCount] of blocks) {
      if (end >= 0) this.same(oldEnd, end, start - end, hunk);
      if (this.input.split) this.lines("pair", old, start, oldCount, newCount, hunk);
      else {
        this.lines("del", old, start, oldCount, 0, hunk);
        this.lines("add", old + oldCount, start, 0, newCount, hunk);
      }
      [oldEnd, end] = [old + oldCount, start + newCount];
    }
  }

  private same(old: number, start: number, count: number, hunk: number): void {
    this.lines("same", old, start, count, count, hunk);
  }

  /** Adds a segment of lines, split after each line that is followed by inserts. */
  private lines(kind: RowKind, old: number, start: number, olds: number, news: number, hunk: number): void {
    const rows = Math.max(olds, news);
    let from = 0;
    const part = (to: number) => {
      const [oldLeft, newLeft] = [
        Math.min(olds, to) - Math.min(olds, from),
        Math.min(news, to) - Math.min(news, from),
      ];
      if (to > from)
        this.push(kind, old + Math.min(olds, from), start + Math.min(news, from), oldLeft, newLeft, hunk);
      from = to;
    };
    const inside = this.input.inserts.flatMap((insert) => {
      if (!insert.line) return [];
      const into = insert.line.at - (insert.line.side === "new" ? start : old);
      return into >= 0 && into < (insert.line.side === "new" ? news : olds) ? [{ into, insert }] : [];
    });
    inside.sort((a, b) => a.into - b.into);
    for (const { into, insert } of inside) {
      part(into + 1);
      this.insert(insert, old + Math.min(olds, into + 1), start + Math.min(news, into + 1), hunk);
    }
    part(rows);
  }
}
