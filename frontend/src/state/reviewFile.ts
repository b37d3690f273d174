// One file of a review: its diff, the collapsed and expanded parts, and the resulting rows.

import { FileRows, hunksOf, type Insert, type OpenGap, type RowHeights, type RowsInput } from "./reviewRows";
import { blocksOf, type LinePlace, type ReviewBlock } from "./reviewTypes";
import type { ReviewConflict, ReviewDiff, ReviewFile } from "./types";

/** The content shown below a file's header. */
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

/** A reverted part of the file's changes, or a resolved conflict. Both can be undone. */
export interface PutBackNote {
  id: string;
  lines: number;
  /** Name of the function or file that contains the lines. */
  place: string;
  /** First line of the part on the new side, 0-based. */
  at: number;
  merged: boolean;
  /** Index of the change that contained the part; 0 if it isn't part of a change. */
  hunk: number;
  /** Name of the replacement chosen for a conflict; undefined for a reverted part. */
  resolved?: string;
}

/** Number of hidden lines that a click on a gap's button shows. */
export const gapStep = 20;

/** Estimated heights in pixels of content other than lines, used until it is measured. */
const stateHeights: Partial<Record<FileState, number>> = { image: 148, failed: 48, gone: 48 };
const defaultStateHeight = 46;

/** putBackPlace returns the name of the function in a declaration, such as "main()", or "" if there is none. */
export function putBackPlace(section: string): string {
  const call =
    /\b(?!(?:func|function|def|fn|if|for|while|switch|catch|return)\b)([A-Za-z_$][\w$]*)\s*\(/.exec(section);
  return call ? `${call[1]}()` : "";
}

/** A conflict marker in a file, such as the line that starts with "<<<<<<<". */
export type ConflictMarker = "start" | "base" | "middle" | "end";

/** markersOf returns the markers of a conflict, from top to bottom. */
export function markersOf({ base }: ReviewConflict): ConflictMarker[] {
  return base < 0 ? ["start", "middle", "end"] : ["start", "base", "middle", "end"];
}

export interface BuildOptions {
  split: boolean;
  heights: RowHeights;
  inserts: readonly Insert[];
}

/** Input of FileRows for a file without any rows. */
const noRows: RowsInput = {
  blocks: [],
  oldLines: 0,
  newLines: 0,
  split: false,
  opened: new Map(),
  inserts: [],
  heights: { line: 18, head: 28, tail: 26 },
};

/** FileView holds the state of one file. It isn't reactive: ReviewModel signals its changes. */
export class FileView {
  diff: ReviewDiff | undefined;
  failure = "";
  isLoading = false;
  isFolded: boolean;
  /** Whether the user has requested the diff of a large file. */
  isRequested = false;
  /** Whether the file is collapsed because the review exceeds its maximum number of lines in this file. */
  isBeyondLimit = false;
  /** The file's new state if the file has changed on disk while the user was reading it. */
  newer: ReviewFile | undefined;
  /** Whether the file has no changes left. */
  isGone = false;
  /** Whether the file's changes can be staged. */
  canStage = false;
  readonly opened = new Map<number, OpenGap>();
  notes: PutBackNote[] = [];
  /** Keys (see keptKey) of the changes that the user has kept. */
  kept = new Set<string>();
  /** Earlier versions that differ from the visible version only in parts that VoxPilot has reverted or restored. */
  sameChanges: ReadonlySet<string> = new Set();
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

  /** The visible version of the file, which may be older than the one on disk. */
  get version(): string {
    return this.diff?.version ?? this.file.version;
  }

  /** Whether all changes of the file can be staged or unstaged at once. */
  get canStageAll(): boolean {
    const { unmerged, resolved, conflict = 0 } = this.file;
    return this.canStage && !(unmerged ? conflict > 0 : resolved);
  }

  /** Whether changes of the file can be staged one by one. */
  get canStageParts(): boolean {
    const { kind, unmerged } = this.file;
    return this.canStage && !unmerged && kind !== "moved" && kind !== "submodule";
  }

  get state(): FileState {
    const { file, diff } = this;
    if (this.isFolded) return "folded";
    if (this.isGone) return "gone";
    if (this.isLarge && !this.isRequested && !file.tooLarge) return "large";
    if (this.failure !== "") return "failed";
    if (!diff) return "loading";
    if (diff.tooLarge) return "tooLarge";
    if (diff.image && (diff.image.old || diff.image.new)) return "image";
    if (file.binary || diff.binary) return "binary";
    if (diff.blocks.length > 0) return "rows";
    if (file.kind === "submodule" || file.kind === "mode" || file.kind === "moved") return file.kind;
    return "message";
  }

  /** Whether the file is shown without its changed lines, so that actions apply to the whole file. */
  get isWhole(): boolean {
    return !["rows", "folded", "loading", "failed", "gone"].includes(this.state);
  }

  /** The rows. They are computed on first use, because most files of a long list never come into view. */
  get rows(): FileRows {
    this.made ??= new FileRows(this.input);
    return this.made;
  }

  /** Total height of all rows in pixels. */
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

  /** Whether the diff must be loaded, because the file needs one and its diff is missing or outdated. */
  get needsDiff(): boolean {
    if (this.isFolded || this.isGone || this.isLoading || this.failure !== "") return false;
    if (this.isLarge && !this.isRequested && !this.file.tooLarge) return false;
    if (!this.diff || this.newer) return !this.diff;
    return this.diff.version !== this.file.version || (this.diff.index ?? "") !== (this.file.index ?? "");
  }

  /**
   * Sets the diff. Expanded gaps stay expanded only if the changes are at the same lines. If only the set of staged
   * lines has changed, the rows stay as they are.
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

  /** Sets the input from which the rows are computed. */
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
    // If nothing has changed, the rows keep their elements, so that selections and clicks aren't lost.
    if (key === this.builtKey && this.builtDiff === this.diff && this.failure === this.builtFailure) return;
    this.builtKey = key;
    this.builtDiff = this.diff;
    this.builtFailure = this.failure;
    // Measured heights are kept, so that the content doesn't move.
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

  /**
   * Returns the rows with the bars of merge conflicts. In a side-by-side diff, a bar is a separate row below the line
   * with the conflict marker; otherwise it covers that line.
   */
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

  /** Returns the index of the change that contains a block of the diff. */
  private hunkOfBlock(block: number): number {
    const starts = this.hunkStarts;
    let hunk = starts.length - 1;
    while (hunk > 0 && (starts[hunk] ?? 0) > block) hunk--;
    return hunk;
  }

  /** Returns the index of the last change that starts at or above a line of the new side, or 0 if there is none. */
  hunkAt(line: number): number {
    if (this.state !== "rows") return 0;
    const { hunks } = this.rows;
    let hunk = hunks.length - 1;
    while (hunk > 0 && (this.rows.blocksOf(hunk)[0]?.[2] ?? 0) > line) hunk--;
    return Math.max(0, hunk);
  }

  /** Returns the declaration that contains a change, or "" if it is unknown. */
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

  /**
   * Returns the 1-based first and last line of a change, on the new side or, if the change only removes lines, on the
   * old side.
   */
  linesOf(hunk: number): [from: number, to: number] {
    const blocks = this.rows.blocksOf(hunk);
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (!first || !last) return [0, 0];
    const onNew = blocks.some((block) => block[3] > 0);
    return onNew ? [first[2] + 1, last[2] + last[3]] : [first[0] + 1, last[0] + last[1]];
  }

  /** Returns a key that identifies a change across reloads of the diff, as long as the change is the same. */
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

  /** Number of comments shown in the file's diff. */
  get comments(): number {
    return this.rows.input.inserts.filter(({ id }) => id.startsWith("comment:")).length;
  }

  /** Returns the number of comments below the lines of a change. */
  commentsIn(hunk: number): number {
    const isIn = (at: number) => at >= 0 && this.rows.row(at).hunk === hunk;
    const inserts = this.rows.input.inserts.filter(({ id }) => id.startsWith("comment:"));
    return inserts.filter(({ id }) => isIn(this.rows.insertRow(id))).length;
  }

  isKept(hunk: number): boolean {
    return this.kept.has(this.keptKey(hunk));
  }

  /** Shows hidden lines of a gap: the next ones at its top ("down"), at its bottom ("up"), or all of them. */
  open(gap: number, part: "down" | "up" | "all"): void {
    const now = this.opened.get(gap) ?? { down: 0, up: 0 };
    const step = part === "all" ? this.rows.hidden(gap) : gapStep;
    if (part === "up") this.opened.set(gap, { ...now, up: now.up + step });
    else this.opened.set(gap, { ...now, down: now.down + step });
  }

  /** Expands the gap that hides a line. Returns false if no gap hides it. */
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

/** linesIn returns the number of added and removed lines in blocks. */
export function linesIn(blocks: readonly ReviewBlock[]): number {
  return blocks.reduce((sum, [, oldCount, , newCount]) => sum + oldCount + newCount, 0);
}
