// The state of the Review screen: the changed files of a source, their diffs, and the user's decisions about them.

import { batch, createMemo, createSignal } from "solid-js";
import { type AppError, api, type ReviewQuery, toAppError } from "../bridge";
import { afterFrame } from "../lib/frames";
import { type LineRange, noCanvas, type Place, type ReviewCanvas } from "./reviewCanvas";
import { FileView } from "./reviewFile";
import { LineStore, type TextKey } from "./reviewLines";
import { ActionQueue } from "./reviewQueue";
import { Reverts } from "./reviewReverts";
import type { Insert, RowHeights } from "./reviewRows";
import { Ticks } from "./reviewTicks";
import type { ReviewDiff, ReviewFile, ReviewFiles, ReviewSide } from "./types";

/** Maximum number of changed lines shown at once. Files beyond this limit are collapsed until the user opens them. */
const maxLines = 500_000;
/** Number of files whose lines are counted before the list is first shown. No more files fit into the view. */
const firstFiles = 30;
/** Maximum number of diffs that are loaded at the same time. */
const maxDiffs = 4;

/** ReviewModel holds the state of one review. */
export class ReviewModel {
  canvas: ReviewCanvas = noCanvas;
  heights: RowHeights = { line: 18, head: 28, tail: 26 };
  files: FileView[] = [];
  readonly lines: LineStore;
  readonly reverts = new Reverts(this);
  readonly ticks = new Ticks(this);
  private readonly byPath = new Map<string, FileView>();
  private loads = 0;
  private pending: Promise<ReviewFiles> | undefined;
  /** Whether `pending` is the list that `open` requested. If it is partial, only its first files are compared. */
  private isFirst = false;
  /** The load that was started last, which replaces all earlier ones. */
  private newest: Promise<void> = Promise.resolve();
  /** Whether the next list that is shown replaces the visible versions of all files. */
  private isFresh = false;
  private readonly reads = new Map<FileView, Promise<void>>();
  private early: { path: string; diff: Promise<ReviewDiff> } | undefined;
  /** Returns rows that other parts of the screen insert below lines of a file, such as comments. */
  insertsOf: (file: FileView) => readonly Insert[] = () => [];
  /** Prepares the inserted rows of a file for a version of the file that is about to be shown. */
  prepareInserts: (path: string, version: string) => Promise<void> = async () => {};

  private readonly signals = {
    list: createSignal<ReviewFiles>(),
    failure: createSignal<AppError>(),
    /** Increases when the state of a file changes without a new list of files. */
    rev: createSignal(0),
    diskChanges: createSignal(0),
    current: createSignal<Place>(),
    range: createSignal<LineRange>(),
    problem: createSignal(""),
    announcement: createSignal(""),
    isStarted: createSignal(false),
    isOpened: createSignal(false),
    comparing: createSignal(0),
    split: createSignal(false),
    hideWhitespace: createSignal(false),
  };

  readonly list = this.signals.list[0];
  readonly failure = this.signals.failure[0];
  readonly rev = this.signals.rev[0];
  /** Number of times that the review has changed files on disk or has noticed such a change itself. */
  readonly diskChanges = this.signals.diskChanges[0];
  readonly current = this.signals.current[0];
  readonly range = this.signals.range[0];
  /** The reason why the last action failed, or "". */
  readonly problem = this.signals.problem[0];
  /** The last announcement for screen readers. */
  readonly announcement = this.signals.announcement[0];
  private readonly actions = new ActionQueue();
  /** Whether an action on files or on Git's index is running or waiting. */
  readonly isBusy = this.actions.isBusy;
  /** Whether the first file is shown. The list of files may still be undefined. */
  readonly isStarted = this.signals.isStarted[0];
  /** Number of listed files that the app is still comparing. Until then, their lines aren't counted. */
  readonly comparing = this.signals.comparing[0];
  /** Whether the review is open: the list of files and the first diffs are loaded, or loading them has failed. */
  readonly isOpened = this.signals.isOpened[0];
  readonly viewed = createMemo(() => {
    this.rev();
    this.list();
    return this.files.filter((file) => file.file.viewed).length;
  });

  /** Total numbers of added and removed lines. Generated and large files count only once the user has opened them. */
  readonly totals = createMemo(() => {
    this.rev();
    this.list();
    const counted = this.files.filter((file) => !file.isGone && (!file.isLarge || file.isRequested));
    const sum = (of: (file: ReviewFile) => number) => counted.reduce((n, { file }) => n + of(file), 0);
    return { added: sum(({ added }) => added), removed: sum(({ removed }) => removed) };
  });

  constructor(
    readonly chatId: string,
    readonly source: string,
  ) {
    this.lines = new LineStore({
      read: (key, from, count) => api.reviewLines(this.query, { ...key, from, count }),
      arrived: (key, again) => this.canvas.refill(key.path, again),
      failed: (key, thrown) => this.onStale(key, thrown),
    });
  }

  get query(): ReviewQuery {
    return {
      chat: this.chatId,
      source: this.source,
      whitespace: this.signals.hideWhitespace[0]() ? "hide" : "",
    };
  }

  file(path: string): FileView | undefined {
    return this.byPath.get(path);
  }

  /** Whether diffs are shown side by side. */
  get split(): boolean {
    return this.signals.split[0]();
  }

  setLayout(split: boolean, heights: RowHeights): void {
    const { line, head, tail } = this.heights;
    const same = heights.line === line && heights.head === head && heights.tail === tail;
    if (split === this.split && same) return;
    this.heights = heights;
    this.signals.range[1](undefined);
    this.canvas.keep(() => {
      this.signals.split[1](split);
      for (const file of this.files) this.build(file);
    });
  }

  hideWhitespace(hide: boolean): void {
    if (hide === this.signals.hideWhitespace[0]()) return;
    this.signals.hideWhitespace[1](hide);
    for (const file of this.files) file.diff = undefined;
    this.early = undefined;
    void this.reload(true);
  }

  /** Records that the review is open, so that slower parts of the screen can load. */
  markOpened(): void {
    this.signals.isOpened[1](true);
  }

  /** Detaches the canvas when it is removed. */
  detach(): void {
    this.canvas = noCanvas;
  }

  setCurrent(place: Place | undefined): void {
    const before = this.current();
    this.signals.current[1](place);
    this.signals.range[1](undefined);
    for (const path of new Set([before?.path, place?.path])) if (path) this.canvas.redraw(path);
  }

  setRange(range: LineRange | undefined): void {
    const before = this.range();
    this.signals.range[1](range);
    for (const path of new Set([before?.path, range?.path])) if (path) this.canvas.redraw(path);
  }

  clearProblem(): void {
    this.signals.problem[1]("");
  }

  announce(text: string): void {
    this.signals.announcement[1](text);
  }

  /** Signals that the state of a file has changed. */
  bump(): void {
    // Before the list is loaded, only the first file is shown, so nothing else needs an update.
    if (this.list()) this.signals.rev[1]((n) => n + 1);
  }

  /** Computes a file's rows again. It must be called within canvas.keep. */
  build(file: FileView): void {
    file.build({ split: this.split, heights: this.heights, inserts: this.insertsOf(file) });
  }

  /** Runs `change` on a file and renders the file again. The visible content stays in place. */
  change(file: FileView, change: () => void): void {
    this.canvas.keep(() => {
      change();
      this.build(file);
    });
    this.bump();
  }

  /**
   * Loads the list of files again. A visible file keeps its shown version until the user requests the new one, unless
   * `fresh` is set.
   */
  async reload(fresh = false): Promise<void> {
    await this.load(api.reviewFiles(this.query), fresh);
  }

  /** Loads the list of files for the first time. Only the first files must be compared; `complete` adds the others. */
  async open(): Promise<void> {
    const files = api.reviewFiles(this.query, firstFiles);
    const mine = this.loads + 1;
    const load = this.load(
      files.then((list) => this.start(list, mine)),
      false,
    );
    this.isFirst = true;
    await load;
  }

  /** Loads the list again while files in it aren't compared, and the app compares more of them each time. */
  async complete(): Promise<void> {
    const left = () => {
      const list = this.list();
      return list?.partial ? Math.max(1, list.files.filter((file) => file.pending).length) : 0;
    };
    for (let before = Number.POSITIVE_INFINITY, now = left(); now > 0 && now < before; now = left()) {
      before = now;
      this.signals.comparing[1](now);
      await this.reload();
    }
    this.signals.comparing[1](0);
  }

  /**
   * Shows the first file of a long list immediately. The promise resolves to the list once that file has been painted.
   * Nothing is shown if a load with a number other than `mine` has started in the meantime.
   */
  private async start(list: ReviewFiles, mine: number): Promise<ReviewFiles> {
    if (list.files.length <= firstFiles || mine !== this.loads) return list;
    const first = this.readFirst(list);
    const diff = await this.early?.diff.catch(() => undefined);
    if (!first || !diff) return list;
    await this.prepareInserts(first.path, diff.version);
    if (mine !== this.loads) return list;
    this.early = undefined;
    this.canvas.keep(() => {
      this.merge({ ...list, files: [first] }, false);
      const file = this.file(first.path);
      if (!file) return;
      file.setDiff(diff);
      this.build(file);
    });
    this.signals.isStarted[1](true);
    await new Promise<void>(afterFrame);
    return list;
  }

  /** Reloads the list of files after a change on disk, and signals the change to other parts of the screen. */
  async reloadChanged(fresh = false): Promise<void> {
    const load = this.reload(fresh);
    this.signals.diskChanges[1]((n) => n + 1);
    await load;
  }

  /** Shows a list of files once it has arrived. If another load starts in the meantime, that one's list is shown. */
  private load(files: Promise<ReviewFiles>, fresh: boolean): Promise<void> {
    this.isFresh ||= fresh;
    this.isFirst = false;
    this.pending = files;
    this.newest = this.show(files, ++this.loads);
    return this.newest;
  }

  private async show(files: Promise<ReviewFiles>, mine: number): Promise<void> {
    try {
      const list = await files;
      if (mine !== this.loads) return this.newest;
      if (this.files.length === 0) this.readFirst(list);
      const fresh = this.isFresh;
      this.isFresh = false;
      batch(() => {
        this.signals.failure[1](undefined);
        this.canvas.keep(() => this.merge(list, fresh));
        this.signals.list[1](list);
        this.signals.rev[1]((n) => n + 1);
      });
    } catch (thrown) {
      if (mine !== this.loads) return this.newest;
      this.signals.failure[1](toAppError(thrown));
    }
  }

  /**
   * Starts loading the first file's diff before a long list is rendered, because loading takes as long as rendering.
   */
  private readFirst({ files }: ReviewFiles): ReviewFile | undefined {
    const first = files.find((file) => !file.viewed);
    if (!first || first.large || first.generated || first.tooLarge) return undefined;
    const diff = api.reviewDiff(this.query, first.path);
    diff.catch(() => {}); // readDiff handles it
    this.early = { path: first.path, diff };
    const { path, version } = first;
    if (first.kind !== "removed") this.lines.want({ path, version, side: "new" }, 0, 0);
    if (first.removed > 0) this.lines.want({ path, version, side: "old" }, 0, 0);
    return first;
  }

  /** Waits for all diffs that are being loaded. */
  async read(): Promise<void> {
    await Promise.all(this.reads.values());
  }

  /**
   * Returns the uncommitted files: the list that this review loaded last if it contains them, so that the commit
   * contains the files on the screen; otherwise a newly loaded list.
   */
  async uncommitted(): Promise<ReviewFiles> {
    const isLoaded = this.source === "working" && this.query.whitespace === "";
    const loaded = isLoaded ? await this.pending : undefined;
    if (loaded && !(this.isFirst && loaded.partial)) return loaded;
    return api.reviewFiles({ chat: this.chatId, source: "working", whitespace: "" });
  }

  private merge(list: ReviewFiles, fresh: boolean): void {
    const before = new Map(this.byPath);
    this.byPath.clear();
    let lines = 0;
    const next = list.files.map((file) => {
      const view = before.get(file.path) ?? new FileView(file);
      before.delete(file.path);
      this.update(view, file, fresh);
      lines += file.large || file.generated ? 0 : file.added + file.removed;
      view.isBeyondLimit = lines > maxLines;
      return view;
    });
    for (const gone of before.values()) {
      if (gone.notes.length === 0 && !this.canvas.isVisible(gone.path)) continue;
      Object.assign(gone, { isGone: true, isFolded: false, newer: undefined, diff: undefined });
      gone.file = { ...gone.file, added: 0, removed: 0, viewed: false };
      next.push(gone);
    }
    if (before.size > 0) next.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
    this.files = next;
    for (const file of next) {
      this.byPath.set(file.path, file);
      this.build(file);
    }
  }

  private update(view: FileView, file: ReviewFile, fresh: boolean): void {
    const shown = view.diff?.version ?? view.file.version;
    const isRead = view.diff !== undefined && !view.isFolded && this.canvas.isVisible(view.path);
    if (view.file.viewed && !file.viewed) view.isFolded = false;
    view.isGone = false;
    view.canStage = this.source === "working";
    if (view.failure !== "") view.failure = "";
    view.newer = shown !== file.version && isRead && !fresh ? file : undefined;
    if (view.file.pending && view.diff && !view.isFolded) view.isRequested = true; // its diff is already shown
    view.file = file;
  }

  /** Shows the current version of a file that has changed on disk. */
  showNewer(file: FileView): void {
    this.change(file, () => {
      file.newer = undefined;
    });
    void this.readDiff(file);
  }

  /** Loads the diffs of files that have come into view, at most maxDiffs at the same time. */
  request(files: Iterable<FileView>): void {
    for (const file of files) {
      if (this.reads.size >= maxDiffs) return;
      if (file.needsDiff) void this.readDiff(file);
    }
  }

  /** Loads a file's diff, or waits for it if it is already being loaded. */
  async readDiff(file: FileView): Promise<void> {
    const running = this.reads.get(file);
    if (running) return running;
    const read = this.readDiffOf(file);
    this.reads.set(file, read);
    await read;
    this.reads.delete(file);
    this.canvas.redraw(file.path);
  }

  private async readDiffOf(file: FileView): Promise<void> {
    file.isLoading = true;
    const early = this.early?.path === file.path ? this.early.diff : undefined;
    this.early = undefined;
    const { whitespace } = this.query;
    try {
      const diff = await (early ?? api.reviewDiff(this.query, file.path));
      await this.prepareInserts(file.path, diff.version);
      file.isLoading = false;
      if (whitespace !== this.query.whitespace) return; // it is loaded again with the new setting
      const isSeen = file.file.viewed === true && file.file.version === diff.version;
      this.lines.drop(file.path, diff.version);
      if (file.diff && file.diff.version !== diff.version) {
        // The new version may contain other changes.
        file.kept = new Set();
        file.sameChanges = new Set();
      }
      this.change(file, () => {
        // The file may have changed since the list was read.
        file.setDiff(diff);
      });
      if (isSeen) file.keepAll();
    } catch (thrown) {
      file.isLoading = false;
      this.change(file, () => {
        file.failure = toAppError(thrown).message;
      });
    }
  }

  private onStale(key: TextKey, thrown: unknown): void {
    const file = this.file(key.path);
    if (!file || file.version !== key.version || toAppError(thrown).code !== "stale") return;
    this.showNewer(file);
    void this.reloadChanged();
  }

  /** Returns the key of the text of one side of a file, in the version that is shown. */
  textKey(file: FileView, side: ReviewSide): TextKey {
    return { path: file.path, version: file.version, side };
  }

  /** Records the reason why an action failed. */
  fail(thrown: unknown): void {
    this.signals.problem[1](toAppError(thrown).message);
  }

  /**
   * Runs an action after all earlier ones have ended. The promise resolves to the action's result, or rejects if the
   * action fails.
   */
  inTurn<T>(run: () => Promise<T>): Promise<T> {
    return this.actions.run(run);
  }

  /**
   * Runs an action after all earlier ones have ended. The promise resolves to the action's result, or to false if the
   * action failed.
   */
  act(run: () => Promise<boolean>): Promise<boolean> {
    return this.inTurn(async () => {
      this.clearProblem();
      try {
        return await run();
      } catch (thrown) {
        this.fail(thrown);
        return false;
      }
    });
  }

  /**
   * Reloads a file's diff and the list after VoxPilot has changed the file. The user's decisions to keep other changes
   * remain valid only if the file had no further changes on disk (`isExact`).
   */
  async afterChange(file: FileView, isExact: boolean): Promise<void> {
    const { version } = file;
    file.newer = undefined;
    await this.reloadChanged();
    const now = this.file(file.path);
    if (!now || now.isGone) return;
    now.newer = undefined;
    const { kept, sameChanges } = now;
    if (now.diff?.version !== now.file.version) await this.readDiff(now);
    if (now.diff?.version !== now.file.version)
      await this.readDiff(now); // the first call may have waited for an older load
    else this.change(now, () => {});
    if (!isExact) return;
    now.kept = kept; // VoxPilot changed no line of the kept changes
    now.sameChanges = new Set([...sameChanges, version]);
    this.canvas.redraw(now.path);
    if (now.isAllKept && !now.file.viewed) await this.ticks.setViewedByKeeping(now, true);
  }
}
