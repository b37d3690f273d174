// The keyboard shortcuts of the Review screen.

import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { areKeys, isComposing } from "../../state/keys";
import type { ReviewModel } from "../../state/review";
import type { Place } from "../../state/reviewCanvas";
import { type FileView, linesIn } from "../../state/reviewFile";
import { type StagePart, stagedIn } from "../../state/reviewStaged";
import type { LinePlace, ReviewBlock } from "../../state/reviewTypes";
import { commentLines, defaultPlace } from "./addComment";
import type { Canvas } from "./canvas";
import { stateText } from "./fileText";
import { hunkTitle } from "./heads";
import { lineAnnouncement } from "./lineRow";
import { rowRange, selectedBlocks } from "./parts";
import type { Suggestions } from "./suggestions";

const t = messages.review;
const { reviewStage: s, reviewCommit: c, reviewComments: r } = messages;

export interface KeysHost {
  model: ReviewModel;
  canvas(): Canvas | undefined;
  /** Path of the selected file: the file of the current change or, if that isn't in view, the file that is. */
  selected(): string;
  toggleLayout(): void;
  focusFilter(): void;
  focusDiffs(): void;
  find(): void;
  /** Moves the focus to the commit box. */
  commit(): void;
  /** Starts a comment on a line. */
  comment(file: FileView, place: LinePlace): void;
  /** Sends all comments. */
  send(): void;
  /** Stages a part of a file's changes or, if it is already staged, unstages it. */
  stage(file: FileView, part: StagePart): void;
  /** Stages all changes of a file or, if they are already staged, unstages them. */
  stageFile(file: FileView): void;
  suggestions: Suggestions;
  leave(): void;
}

const fieldSelector = "textarea, select, [contenteditable=true], input:not([type=checkbox], [type=radio])";

/** ReviewKeys handles the keyboard shortcuts. Most of them act on the current change or select another change. */
export class ReviewKeys {
  constructor(private readonly host: KeysHost) {}

  private get model(): ReviewModel {
    return this.host.model;
  }

  private current(): { file: FileView; hunk: number } | undefined {
    const place = this.model.current();
    const file = place && this.model.file(place.path);
    if (!place || !file || file.state !== "rows" || place.hunk >= file.rows.hunks.length) return undefined;
    return { file, hunk: place.hunk };
  }

  /** Returns the file of the current change if actions apply to the whole file and no lines are selected. */
  private whole(): FileView | undefined {
    const path = this.model.current()?.path;
    const file = path === undefined || this.model.range() ? undefined : this.model.file(path);
    return file?.isWhole ? file : undefined;
  }

  /** Handles a key press. Returns false if the browser should handle the key. */
  handle(event: KeyboardEvent): boolean {
    const target = event.target instanceof Element ? event.target : document.body;
    const inField = target.closest(fieldSelector) !== null;
    if (areKeys(["Mod", "F"], event)) return this.did(() => this.host.find());
    if (areKeys(["Mod", "Shift", "K"], event)) return this.did(() => this.host.commit());
    if (areKeys(["Mod", "Enter"], event) && !inField) return this.did(() => this.host.send());
    if (areKeys(["Mod", "Z"], event) && !inField) return this.undo();
    if (
      event.key === "Escape" &&
      target.matches(".rv-filter input") &&
      (target as HTMLInputElement).value === ""
    )
      return this.did(() => this.host.focusDiffs());
    if (event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && !inField) {
      if (event.key === "ArrowDown") return this.move(1);
      if (event.key === "ArrowUp") return this.move(-1);
    }
    if (event.ctrlKey || event.metaKey || event.altKey || inField) return false;
    if (event.shiftKey && (event.key === "ArrowDown" || event.key === "ArrowUp"))
      return this.move(event.key === "ArrowDown" ? 1 : -1, true);
    // A held key must not act on one change after another.
    if (event.repeat && "krsv".includes(event.key.toLowerCase())) return true;
    switch (event.key.toLowerCase()) {
      case "n":
        return this.did(() => void this.step(1));
      case "p":
        return this.did(() => void this.step(-1));
      case "]":
        return this.did(() => this.stepFile(1));
      case "[":
        return this.did(() => this.stepFile(-1));
      case "c":
        return this.comment();
      case "g":
        return this.host.suggestions.next();
      case "a":
      case "d":
        if (event.repeat || event.shiftKey) return false; // a repeat would act on the next suggestion
        return this.decide(target, event.key.toLowerCase() === "a");
      case "k":
        return this.keepFile() || (this.current() !== undefined && this.did(() => this.keep()));
      case "r":
        return this.revertFile() || this.revert();
      case "s":
        return this.stageFile() || this.stage();
      case "v":
        return this.did(() => this.viewed(this.model.file(this.host.selected())));
      case "u":
        return this.did(() => this.host.toggleLayout());
      case "/":
        return this.did(() => this.host.focusFilter());
      case "escape":
        return this.did(() => (this.model.range() ? this.model.setRange(undefined) : this.host.leave()));
      default:
        return false;
    }
  }

  private did(act: () => void): boolean {
    act();
    return true;
  }

  private undo(): boolean {
    if (!this.model.reverts.canRestore) return false;
    void this.model.reverts.restore().then((done) => {
      if (!done) return;
      this.model.announce(t.restored);
      const now = this.current();
      if (now) this.host.canvas()?.reveal(now.file.path, now.file.rows.headOf(now.hunk));
    });
    return true;
  }

  /** Starts a comment on the selected lines or the current change. */
  private comment(): boolean {
    const now = this.current();
    const range = this.model.range();
    const file = range ? this.model.file(range.path) : now?.file;
    const place = file && defaultPlace(file, range, now?.hunk ?? -1);
    if (!file || !place) return false;
    this.host.comment(file, place);
    return true;
  }

  /** Accepts or dismisses the suggested comment that has the focus. */
  private decide(target: Element, accepts: boolean): boolean {
    const id = this.host.suggestions.idAt(target);
    if (id === "") return false;
    void (accepts ? this.host.suggestions.accept([id]) : this.host.suggestions.dismiss([id]));
    return true;
  }

  /** Moves the focus to the commit box. */
  commit(): void {
    this.host.commit();
  }

  /** Marks the current change as kept or, if it is already kept, removes the mark. */
  keep(): void {
    const now = this.current();
    if (!now) return;
    const keeps = this.model.ticks.keepHunk(now.file, now.hunk);
    this.model.announce(keeps ? t.keptAnnounced(now.hunk + 1) : t.unkeptAnnounced(now.hunk + 1));
  }

  /** Marks the current file as viewed or not viewed if its changes can't be kept one by one. It stays open. */
  private keepFile(): boolean {
    const file = this.whole();
    if (!file) return false;
    const viewed = file.file.viewed !== true;
    void this.model.ticks.setViewed(file, viewed, true);
    const path = visibleText(file.path);
    this.model.announce(viewed ? t.viewedAnnounced(path) : t.unviewedAnnounced(path));
    return true;
  }

  /** Reverts all changes of the current file if they can't be reverted one by one. */
  private revertFile(): boolean {
    const file = this.whole();
    if (!file || file.file.resolved) return false;
    void this.model.reverts.putBack(file).then((done) => {
      if (!done) return;
      const note = file.notes.at(-1);
      if (note) this.model.announce(t.putBack(note.lines, note.place));
      this.model.setCurrent({ path: file.path, hunk: 0 });
    });
    return true;
  }

  /** Stages or unstages the current file if its changes can't be staged one by one. */
  private stageFile(): boolean {
    const now = this.current()?.file;
    const file = this.whole() ?? (now && !now.canStageParts && !this.model.range() ? now : undefined);
    if (!file?.canStageAll) return false;
    this.host.stageFile(file);
    return true;
  }

  /**
   * Returns the change to act on: the current one or, if lines of another file are selected, the change that contains
   * them.
   */
  private place(): Place | undefined {
    const [current, range] = [this.model.current(), this.model.range()];
    if (!range || range.path === current?.path) return current;
    const file = this.model.file(range.path);
    const row =
      file?.state === "rows" ? file.rows.row(file.rows.rowOf(range.to.side, range.to.at)) : undefined;
    return row && row.hunk >= 0 ? { path: range.path, hunk: row.hunk } : undefined;
  }

  /** Returns the selected parts of one change or, if `hunk` is undefined, of all changes to the file. */
  private selected(file: FileView, hunk?: number): ReviewBlock[] {
    const rows = rowRange(file, this.model.range());
    if (!rows) return [];
    const hunks = hunk === undefined ? Array.from(file.rows.hunks, (_, at) => at) : [hunk];
    return hunks.flatMap((each) => selectedBlocks(file, each, rows));
  }

  /**
   * Stages the selected lines or, if there are none, a change. Unstages them if they are already staged. `at` is the
   * change whose button was clicked; by default, it's the current change. Returns false if nothing can be staged.
   */
  stage(at?: Place): boolean {
    const place = at ?? this.place();
    const file = place && this.model.file(place.path);
    if (!place || !file || file.state !== "rows" || !file.canStageParts) return false;
    const selected = this.selected(file, at?.hunk);
    const blocks = selected.length > 0 ? selected : file.rows.blocksOf(place.hunk);
    if (blocks.length === 0) return false;
    const n = linesIn(blocks);
    const announcement =
      selected.length > 0
        ? (staged: boolean) => (staged ? s.stagedLines(n) : s.unstagedLines(n))
        : (staged: boolean) => (staged ? s.stagedChange : s.unstagedChange)(place.hunk + 1);
    this.host.stage(file, { blocks, announcement });
    return true;
  }

  /**
   * Reverts the selected lines or, if there are none, a change. `at` is the change whose button was clicked; by
   * default, it's the current change. Returns false if there is nothing to revert.
   */
  revert(at?: Place): boolean {
    const place = at ?? this.place();
    const file = place && this.model.file(place.path);
    if (!place || !file || file.state !== "rows") return false;
    const selected = this.selected(file, at?.hunk);
    const blocks = selected.length > 0 ? selected : [...file.rows.blocksOf(place.hunk)];
    if (blocks.length === 0) return false;
    void this.model.reverts.putBack(file, blocks, file.section(place.hunk)).then((done) => {
      if (!done) return;
      const now = this.model.file(file.path) ?? file;
      const note = now.notes.at(-1);
      if (note) this.model.announce(t.putBack(note.lines, note.place));
      const last = now.rows.hunks.length - 1;
      // If the file has no changes left, the next change is that of the next file.
      this.model.setCurrent({ path: file.path, hunk: Math.max(0, Math.min(note?.hunk ?? 0, last)) });
    });
    return true;
  }

  /** Marks a file as viewed or, if it is already viewed, removes the mark. */
  viewed(file: FileView | undefined): void {
    if (!file || file.isGone) return;
    const viewed = file.file.viewed !== true;
    void this.model.ticks.setViewed(file, viewed);
    const path = visibleText(file.path);
    this.model.announce(viewed ? t.viewedAnnounced(path) : t.unviewedAnnounced(path));
    if (viewed) this.host.canvas()?.reveal(file.path, 0);
  }

  /** Moves to the next or previous change, across files. A file without changed lines counts as one change. */
  async step(by: 1 | -1): Promise<void> {
    const { files } = this.model;
    const now = this.current();
    const isAtWhole = this.whole() !== undefined;
    if (now && now.hunk + by >= 0 && now.hunk + by < now.file.rows.hunks.length) {
      this.goTo(now.file, now.hunk + by);
      return;
    }
    const path = now?.file.path ?? this.model.current()?.path ?? this.host.selected();
    let at =
      Math.max(
        0,
        files.findIndex((file) => file.path === path),
      ) + (now || isAtWhole ? by : 0);
    for (; at >= 0 && at < files.length; at += by) {
      const file = files[at] as FileView;
      if (file.state === "loading") await this.model.readDiff(file);
      if (file.state === "rows") this.goTo(file, by > 0 ? 0 : file.rows.hunks.length - 1);
      else if (file.isWhole) this.goToWhole(file);
      else continue;
      return;
    }
  }

  /** Makes a change the current one, scrolls to it and announces it. */
  goTo(file: FileView, hunk: number): void {
    this.model.setCurrent({ path: file.path, hunk });
    const head = file.rows.headOf(hunk);
    this.host.canvas()?.reveal(file.path, head);
    const blocks = file.rows.blocksOf(hunk);
    const sum = (side: 1 | 3) => blocks.reduce((total, block) => total + block[side], 0);
    const name = t.change(hunk + 1, file.rows.hunks.length, visibleText(file.path));
    const staged = { "": "", part: c.partlyStaged, all: c.stagedTag }[stagedIn(file.diff, blocks)];
    const comments = file.commentsIn(hunk);
    const commented = comments > 0 ? r.comments(comments) : "";
    const parts = [name, hunkTitle(file, hunk), t.counts(sum(3), sum(1)), staged, commented];
    this.model.announce(parts.filter((part) => part !== "").join(". "));
  }

  /** Makes a file without changed lines the current one, scrolls to it and announces it. */
  private goToWhole(file: FileView): void {
    this.model.setCurrent({ path: file.path, hunk: 0 });
    this.host.canvas()?.reveal(file.path, 0);
    const staged = { "": "", part: c.partlyStaged, all: c.stagedTag }[file.file.staged ?? ""];
    const parts = [visibleText(file.path), staged, stateText(file)];
    this.model.announce(parts.filter((part) => part !== "").join(". "));
  }

  /** Moves to the next or previous file. */
  stepFile(by: 1 | -1): void {
    const { files } = this.model;
    const path = this.host.selected();
    const at = files.findIndex((file) => file.path === path) + by;
    const file = files[at];
    if (!file) return;
    this.goToFile(file);
  }

  /** Scrolls to the start of a file and announces the file. */
  goToFile(file: FileView): void {
    this.model.setCurrent({ path: file.path, hunk: 0 });
    this.host.canvas()?.show(file.path);
    this.model.announce(visibleText(file.path));
  }

  /** Selects the first line of the current change. Returns false if there is no current change. */
  private selectFirst(): boolean {
    const now = this.current();
    if (!now) return false;
    const [old, oldCount, start] = now.file.rows.blocksOf(now.hunk)[0] ?? [0, 0, 0, 0];
    const place = oldCount > 0 ? { side: "old" as const, at: old } : { side: "new" as const, at: start };
    this.selectTo(now.file, place, place);
    return true;
  }

  /** Selects the lines from `from` to `to`, scrolls to `to`, and announces that line and the selection. */
  private selectTo(file: FileView, from: LinePlace, to: LinePlace): void {
    const range = { path: file.path, from, to };
    this.model.setRange(range);
    const at = file.rows.rowOf(to.side, to.at);
    this.host.canvas()?.reveal(file.path, at);
    const { side, start, end } = commentLines(file, range, to);
    const lines = r.linesTitle(start + 1, end + 1);
    const selected = t.selectedAnnounced(side === "old" ? r.oldLines(lines) : lines);
    const line = lineAnnouncement(file, this.model.lines, file.rows.row(at));
    this.model.announce(file.rows.rowOf(from.side, from.at) === at ? line : `${selected}. ${line}`);
  }

  /** Returns the nearest line after (`by` = 1) or before (-1) a line. */
  private nextLine(file: FileView, line: LinePlace, by: 1 | -1): LinePlace | undefined {
    for (let at = file.rows.rowOf(line.side, line.at) + by; at >= 0 && at < file.rows.count; at += by) {
      const row = file.rows.row(at);
      if (row.new >= 0) return { side: "new", at: row.new };
      if (row.old >= 0) return { side: "old", at: row.old };
    }
    return undefined;
  }

  /**
   * Selects the line below (1) or above (-1) the end of the selection or, if `widens` is set, extends the selection to
   * it. If nothing is selected, selects the first line of the current change.
   */
  private move(by: 1 | -1, widens = false): boolean {
    const range = this.model.range();
    if (!range) return this.selectFirst();
    const file = this.model.file(range.path);
    if (!file) return false;
    const to = this.nextLine(file, range.to, by);
    if (to) this.selectTo(file, widens ? range.from : to, to);
    return true;
  }
}

/** isForReview reports whether a key press is meant for the screen, and not for a dialog or another overlay. */
export function isForReview(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || isComposing(event)) return false;
  return !document.querySelector("[role=alertdialog], .dialog, .pal, .pop");
}
