// One file of a review: its diff, its folded and open parts, and its rows.

import { FileRows, hunksOf, type Insert, type OpenGap, type RowHeights, type RowsInput } from "./reviewRows";
import { blocksOf, type LinePlace, type ReviewBlock } from "./reviewTypes";
import type { ReviewConflict, ReviewDiff, ReviewFile } from "./types";

/** The content below a file's head. */
export type FileState =
  | "rows"
  | "folded"
  | "loading"
  | "failed"
  | "large"
  | "tooLarge"
  | "image"
  | "binary"
  | "submodule"
  | "mode"
  | "moved"
  | "message"
  | "gone";

/** A part of the file's changes that was put back, or a conflict that was resolved. Both can be restored. */
export interface PutBackNote {
  id: string;
  lines: number;
  /** The declaration or file that the lines are in. */
  place: string;
  /** First line of the part, on the new side. */
  at: number;
  merged: boolean;
  /** Name of the replacement for a conflict; undefined for a part that was put back. */
  resolved?: string;
}

/** Number of lines in a gap that each step reveals. */
export const gapStep = 20;

/** Estimated heights of states, in pixels, until they are measured. */
const stateHeights: Partial<Record<FileState, number>> = { image: 148, failed: 48, gone: 48 };
const defaultStateHeight = 46;

/** putBackPlace returns the name of the function in a declaration, or "" if there is none. */
export function putBackPlace(section: string): string {
  const call =
    /\b(?!(?:func|function|def|fn|if|for|while|switch|catch|return)\b)([A-Za-z_$][\w$]*)\s*\(/.exec(section);
  return call ? `${call[1]}()` : "";
}

/** A marker of a conflict, which is a line of the file. */
export type ConflictMarker = "start" | "base" | "middle" | "end";

/** markersOf returns the markers of a conflict in order. */
export function markersOf({ base }: ReviewConflict): ConflictMarker[] {
  return base < 0 ? ["start", "middle", "end"] : ["start", "base", "middle", "end"];
}

export interface BuildOptions {
  split: boolean;
  heights: RowHeights;
  inserts: readonly Insert[];
}

/** The rows of a file before it is built. */
const noRows: RowsInput = {
  blocks: [],
  oldLines: 0,
  newLines: 0,
  split: false,
  opened: new Map(),
  inserts: [],
  heights: { line: 18, head: 28, tail: 26 },
};

/** FileView holds the state of one file. It isn't reactive: the review announces its changes. */
export class FileView {
  diff: ReviewDiff | undefined;
  failure = "";
  isLoading = false;
  isFolded: boolean;
  /** Whether the user asked for the diff of a large file. */
  isRequested = false;
  /** Whether the file is folded because it and the files before it exceed the limit for a whole review. */
  isBeyondLimit = false;
  /** The newer state of a file that changed while the user was reading it. */
  newer: ReviewFile | undefined;
  /** Whether the file has no changes left. */
  isGone = false;
  /** Whether the file's changes can be added to the index. */
  canStage = false;
  readonly opened = new Map<number, OpenGap>();
  notes: PutBackNote[] = [];
  /** Keys of the changes that the user has looked at and kept. */
  kept = new Set<string>();
  private input = noRows;
  private made: FileRows | undefined;
  private builtKey = "";
  private builtDiff: ReviewDiff | undefined;
  private builtFailure = "";

  constructor(public file: ReviewFile) {
    this.isFolded = file.viewed === true;
  }

  get path(): string {
    return this.file.path;
  }

  /** The version that is shown, which may be older than the file's. */
  get version(): string {
    return this.diff?.version ?? this.file.version;
  }

  /** Whether changes of the file can be added to the index one by one. */
  get canStageParts(): boolean {
    return this.canStage && this.file.kind !== "moved" && this.file.kind !== "submodule";
  }

  get state(): FileState {
    const { file, diff } = this;
    if (this.isFolded) return "folded";
    if (this.isGone) return "gone";
    if (file.tooLarge) return "tooLarge";
    if (this.isLarge && !this.isRequested) return "large";
    if (this.failure !== "") return "failed";
    if (!diff) return "loading";
    if (diff.image && (diff.image.old || diff.image.new)) return "image";
    if (file.binary || diff.binary) return "binary";
    if (diff.blocks.length > 0) return "rows";
    if (file.kind === "submodule" || file.kind === "mode" || file.kind === "moved") return file.kind;
    return "message";
  }

  /** The rows, which are computed when they are first needed: most files of a long list are never in view. */
  get rows(): FileRows {
    this.made ??= new FileRows(this.input);
    return this.made;
  }

  /** Height in pixels of all rows. */
  get height(): number {
    if (this.made || this.input.blocks.length > 0) return this.rows.height;
    return this.input.inserts.reduce(
      (sum, { hunk, height }) => (hunk === -1 || hunk === 0 ? sum + height : sum),
      0,
    );
  }

  get isLarge(): boolean {
    return this.file.large === true || this.file.generated === true || this.isBeyondLimit;
  }

  /** Whether the diff has to be read before the file can be shown. */
  get needsDiff(): boolean {
    if (this.isFolded || this.isGone || this.isLoading || this.failure !== "" || this.file.tooLarge)
      return false;
    if (this.isLarge && !this.isRequested) return false;
    if (!this.diff || this.newer) return !this.diff;
    return this.diff.version !== this.file.version || (this.diff.index ?? "") !== (this.file.index ?? "");
  }

  /**
   * Sets a diff. Open gaps stay open only if the changes are at the same lines. If only the index differs, the
   * rows stay.
   */
  setDiff(diff: ReviewDiff): void {
    const same = this.diff && JSON.stringify(this.diff.blocks) === JSON.stringify(diff.blocks);
    if (!same) this.opened.clear();
    if (same && this.diff?.version === diff.version) {
      this.diff.index = diff.index;
      this.diff.staged = diff.staged;
    } else this.diff = diff;
    this.file = { ...this.file, version: diff.version, index: diff.index };
    this.failure = "";
  }

  /** Determines the rows again. */
  build({ split, heights, inserts }: BuildOptions): void {
    const state = this.state;
    const isRows = state === "rows" && this.diff;
    const own: Insert[] = [];
    if (state !== "rows" && state !== "folded" && (state !== "gone" || this.notes.length === 0))
      own.push({
        id: "state",
        hunk: -1,
        height: this.stateHeight(state, heights),
        isFixed: state === "loading",
      });
    const all =
      state === "folded"
        ? []
        : [...own, ...this.noteInserts(heights), ...this.conflictInserts(heights, split), ...inserts];
    const key = JSON.stringify([
      state,
      split,
      heights,
      [...this.opened],
      state === "loading" && own[0]?.height,
      all.map(({ height: _, ...each }) => each),
    ]);
    // Rows that stay the same keep their elements, and with them selections and clicks.
    if (key === this.builtKey && this.builtDiff === this.diff && this.failure === this.builtFailure) return;
    this.builtKey = key;
    this.builtDiff = this.diff;
    this.builtFailure = this.failure;
    // Measured heights survive, so that nothing jumps.
    for (const insert of all) {
      const before = this.input.inserts.find((each) => each.id === insert.id);
      if (before && before.id !== "state") insert.height = before.height;
    }
    this.made = undefined;
    this.input = {
      blocks: isRows && this.diff ? blocksOf(this.diff) : [],
      oldLines: this.diff?.oldLines ?? 0,
      newLines: this.diff?.newLines ?? 0,
      split,
      opened: this.opened,
      heights,
      inserts: all,
    };
  }

  /** Makes the next build discard the measured heights of wrapped rows. */
  forget(): void {
    this.builtKey = "";
  }

  private stateHeight(state: FileState, heights: RowHeights): number {
    if (state !== "loading") return stateHeights[state] ?? defaultStateHeight;
    return heights.head + (this.file.added + this.file.removed + 6) * heights.line;
  }

  private noteInserts(heights: RowHeights): Insert[] {
    const blocks = this.state === "rows" && this.diff ? blocksOf(this.diff) : [];
    return this.notes.map((note) => {
      const next = blocks.findIndex(([, , start]) => start > note.at);
      const hunk = next < 0 ? this.hunkStarts.length : this.hunkOfBlock(next);
      return { id: `note:${note.id}`, hunk, height: heights.head };
    });
  }

  /** The bars of conflicts. Without columns, each covers the line with its marker. */
  private conflictInserts(heights: RowHeights, split: boolean): Insert[] {
    if (this.state !== "rows") return [];
    const height = split ? heights.head : heights.head - heights.line;
    return (this.diff?.conflicts ?? []).flatMap((conflict, n) =>
      markersOf(conflict).map((marker) => ({
        id: `conflict:${n}:${marker}`,
        line: { side: "new" as const, at: conflict[marker] },
        height,
        isFixed: true,
      })),
    );
  }

  private get hunkStarts(): Int32Array {
    return this.state === "rows" && this.diff ? hunksOf(blocksOf(this.diff)) : new Int32Array(0);
  }

  private hunkOfBlock(block: number): number {
    const starts = this.hunkStarts;
    let hunk = starts.length - 1;
    while (hunk > 0 && (starts[hunk] ?? 0) > block) hunk--;
    return hunk;
  }

  /** Returns the declaration that a change is in, or "". */
  section(hunk: number): string {
    const sections = this.diff?.sections ?? [];
    let low = 0;
    let high = sections.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sections[middle]?.hunk ?? 0) < hunk) low = middle + 1;
      else high = middle;
    }
    return sections[low]?.hunk === hunk ? (sections[low]?.text ?? "") : "";
  }

  /** Returns a change's 1-based first and last line: on the old side if it only removes lines, else on the new. */
  linesOf(hunk: number): [from: number, to: number] {
    const blocks = this.rows.blocksOf(hunk);
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (!first || !last) return [0, 0];
    const onNew = blocks.some((block) => block[3] > 0);
    return onNew ? [first[2] + 1, last[2] + last[3]] : [first[0] + 1, last[0] + last[1]];
  }

  /** Returns a key that identifies a change as long as it stays the same. */
  keptKey(hunk: number): string {
    return this.rows
      .blocksOf(hunk)
      .map(([old, oldCount, , newCount]) => `${old}:${oldCount}:${newCount}`)
      .join();
  }

  /** Whether there are changes and all of them are kept. */
  get isAllKept(): boolean {
    const hunks = this.rows.hunks.length;
    return hunks > 0 && Array.from({ length: hunks }).every((_, at) => this.isKept(at));
  }

  /** Marks all changes as kept. */
  keepAll(): void {
    for (let hunk = 0; hunk < this.rows.hunks.length; hunk++) this.kept.add(this.keptKey(hunk));
  }

  /** Number of comments on lines of the file. */
  get comments(): number {
    return this.rows.input.inserts.filter(({ id }) => id.startsWith("comment:")).length;
  }

  isKept(hunk: number): boolean {
    return this.kept.has(this.keptKey(hunk));
  }

  /** Opens lines of a gap: from its top, from its bottom, or all. */
  open(gap: number, part: "down" | "up" | "all"): void {
    const now = this.opened.get(gap) ?? { down: 0, up: 0 };
    const step = part === "all" ? this.rows.hidden(gap) : gapStep;
    if (part === "up") this.opened.set(gap, { ...now, up: now.up + step });
    else this.opened.set(gap, { ...now, down: now.down + step });
  }

  /** Opens the gap that hides a line, and reports whether there is one. */
  reveal({ side, at }: LinePlace): boolean {
    if (this.rows.rowOf(side, at) >= 0) return false;
    const hunks = this.rows.hunks.length;
    for (let gap = 0; gap <= hunks; gap++) {
      const [from, to] = this.rows.gap(gap, side);
      if (at < from || at >= to) continue;
      this.open(gap, "all");
      return true;
    }
    return false;
  }
}

/** linesIn returns the number of changed lines of blocks. */
export function linesIn(blocks: readonly ReviewBlock[]): number {
  return blocks.reduce((sum, [, oldCount, , newCount]) => sum + oldCount + newCount, 0);
}
