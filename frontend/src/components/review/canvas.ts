// The scroll area of all files. Files and rows have known heights, so the rows to render are calculated from the scroll
// position. A single listener renders at most once per frame, and it reads nothing from the layout except the scroll
// position.

import { search } from "../../lib/search";
import type { ReviewModel } from "../../state/review";
import type { ReviewCanvas } from "../../state/reviewCanvas";
import type { FileView } from "../../state/reviewFile";
import { columnsOf } from "../inspector/DiffRows";
import type { LineRow } from "./lineRow";
import { messageHeight, Section, type SectionHost } from "./section";

/** Maximum distance from the view, in pixels, at which rows are rendered. */
const reserve = 480;
/**
 * Growth of the rendered distance after a jump, in pixels per frame. At first, only rows in the view are rendered; the
 * distance then grows until it reaches `reserve`.
 */
const reservePerFrame = 80;
/** Delay in milliseconds between the end of scrolling and highlighting the code. */
const calmMillis = 90;
/** Scroll distance in pixels per frame above which lines are rendered without syntax highlighting. */
const fastDistance = 160;
/** Maximum number of unused row elements that are kept for reuse. */
const maxSpare = 400;
/** Assumed height of the view, in pixels, before it is measured. */
const unmeasured = 800;

/** The files in view. */
export interface FilesInView {
  /** Paths of the file at the top of the view and of the file at its bottom. */
  top: string;
  bottom: string;
  /**
   * Path of the file that the user is probably reading. That is the file at the top of the view, except near the end
   * of the list, because the last files can't reach the top.
   */
  read: string;
}

export interface CanvasHost
  extends Omit<SectionHost, "observe" | "unobserve" | "take" | "give" | "position"> {
  model: ReviewModel;
  /** Whether the line numbers stay in view while the code scrolls sideways. */
  isFixed(): boolean;
  /** Called when other files are in view. */
  onView(view: FilesInView): void;
  /** Called after rows have been rendered, with the width of the widest line in characters. */
  onWidth(columns: number): void;
}

/**
 * The content at the top of the view: a row of a file, and its distance in pixels from the upper edge of the
 * view.
 */
interface Anchor {
  path: string;
  offset: number;
  line?: { side: "old" | "new"; at: number };
  hunk?: number;
  insert?: string;
}

/** Canvas renders the files of a review in a scrolling element. */
export class Canvas implements ReviewCanvas {
  private readonly sections = new Map<FileView, Section>();
  private readonly owners = new WeakMap<Element, Section>();
  private tops = new Float64Array(1);
  private spare: LineRow[] = [];
  private viewHeight = unmeasured;
  private frame = 0;
  private calm: ReturnType<typeof setTimeout> | undefined;
  private inView: FilesInView = { top: "", bottom: "", read: "" };
  /** Paths of files to render again: `stale` with all their rows, `touched` only with their headers. */
  private readonly stale = new Set<string>();
  private readonly touched = new Set<string>();
  private readonly sizes: ResizeObserver;
  private readonly view: ResizeObserver;
  private keeps = 0;
  private columns = 0;
  private left = 0;
  private lastTop = 0;
  private isFast = false;
  /** Current distance from the view, in pixels, up to which rows are rendered. */
  private reserve = reserve;

  constructor(
    private readonly scroller: HTMLElement,
    private readonly area: HTMLElement,
    private readonly host: CanvasHost,
  ) {
    this.sizes = new ResizeObserver((entries) => this.onSizes(entries));
    this.view = new ResizeObserver(() => {
      this.measure();
      this.drawSoon();
    });
    this.view.observe(scroller);
    this.measure();
    scroller.addEventListener("scroll", this.drawSoon, { passive: true });
  }

  private measure(): void {
    this.viewHeight = this.scroller.clientHeight || unmeasured;
    this.area.style.setProperty("--view", `${this.scroller.clientWidth}px`);
    // The focus ring is outside of the scroll area, whose content would cover it.
    this.scroller.parentElement?.style.setProperty("--view-height", `${this.scroller.offsetHeight}px`);
  }

  dispose(): void {
    this.scroller.removeEventListener("scroll", this.drawSoon);
    this.sizes.disconnect();
    this.view.disconnect();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.calm);
    for (const section of this.sections.values()) section.dispose();
    this.sections.clear();
  }

  private get files(): readonly FileView[] {
    return this.host.model.files;
  }

  private headOf(file: FileView): number {
    return this.host.headHeight() + (file.newer ? messageHeight : 0);
  }

  private heightOf(file: FileView): number {
    return this.headOf(file) + file.height + 1;
  }

  private stack(): void {
    const { files } = this;
    this.tops = new Float64Array(files.length + 1);
    for (let at = 0; at < files.length; at++)
      this.tops[at + 1] = (this.tops[at] ?? 0) + this.heightOf(files[at] as FileView);
    this.area.style.height = `${this.tops[files.length] ?? 0}px`;
  }

  private indexAt(y: number): number {
    return Math.max(
      0,
      Math.min(
        this.files.length - 1,
        search(this.files.length, (at) => this.tops[at] ?? 0, y),
      ),
    );
  }

  private topOf(path: string): number | undefined {
    const at = this.files.findIndex((file) => file.path === path);
    return at < 0 ? undefined : this.tops[at];
  }

  readonly drawSoon = (): void => {
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  };

  /** Renders the files and rows in and near the view. */
  draw(): void {
    const top = this.scroller.scrollTop;
    if (this.host.isFixed()) this.shift();
    const distance = Math.abs(top - this.lastTop);
    this.isFast = distance > fastDistance;
    this.lastTop = top;
    // After a jump, all rows are new, so only the rows in the view are drawn at first.
    const isJump = distance > this.viewHeight + this.reserve;
    this.reserve = isJump ? 0 : Math.min(reserve, this.reserve + reservePerFrame);
    if (this.reserve < reserve) this.drawSoon();
    const [from, to] = [top - this.reserve, top + this.viewHeight + this.reserve];
    const { files } = this;
    if (files.length === 0) {
      for (const section of this.sections.values()) section.dispose();
      this.sections.clear();
      return;
    }
    const [first, last] = [this.indexAt(from), this.indexAt(to)];
    const shown = new Set(files.slice(first, last + 1));
    for (const [file, section] of this.sections) {
      if (shown.has(file) || section.element.contains(document.activeElement)) continue;
      section.dispose();
      this.sections.delete(file);
    }
    let before: Element | null = null;
    this.host.model.lines.forget();
    for (let at = last; at >= first; at--) {
      const file = files[at] as FileView;
      const section = this.sectionOf(file, before);
      before = section.element;
      const y = this.tops[at] ?? 0;
      section.place(y, this.heightOf(file));
      const isStale = this.stale.delete(file.path);
      if (this.touched.delete(file.path) || isStale) section.redraw(from - y, to - y, isStale);
      else section.draw(from - y, to - y);
      this.want(section);
    }
    this.host.model.request(files.slice(first, last + 1));
    this.reportView(top);
    clearTimeout(this.calm);
    this.calm = setTimeout(() => this.onCalm(), calmMillis);
  }

  /** Reports the files in view to the host if they have changed. `top` is the scroll position. */
  private reportView(top: number): void {
    const pathAt = (y: number) => this.files[this.indexAt(y)]?.path ?? "";
    const height = this.viewHeight;
    const end = Math.max(0, (this.tops[this.files.length] ?? 0) - height);
    // In the last part of the list, the line that the user reads moves from the top of the view to its bottom.
    const part = Math.min(height, end);
    const down = part > 0 ? Math.max(0, 1 - (end - top) / part) : 0;
    const now = {
      top: pathAt(top + 1),
      bottom: pathAt(top + height - 1),
      read: pathAt(top + 1 + Math.min(1, down) * (height - 2)),
    };
    const { top: first, bottom, read } = this.inView;
    if (now.top === first && now.bottom === bottom && now.read === read) return;
    this.inView = now;
    this.host.onView(now);
  }

  /** Scrolls the code sideways in a layout whose line numbers stay in view. */
  private shift(): void {
    const left = this.scroller.scrollLeft;
    if (left === this.left) return;
    this.left = left;
    this.area.style.setProperty("--sx", `${left}px`);
  }

  private sectionOf(file: FileView, before: Element | null): Section {
    const known = this.sections.get(file);
    if (known) return known;
    const made: Section = new Section(file, {
      ...this.host,
      context: (of) => ({ ...this.host.context(of), isFast: this.isFast }),
      observe: (element) => {
        this.owners.set(element, made);
        this.sizes.observe(element);
      },
      unobserve: (element) => this.sizes.unobserve(element),
      take: () => this.take(),
      give: (row) => this.spare.length < maxSpare && this.spare.push(row),
      position: (of) => ({ at: this.files.indexOf(of) + 1, of: this.files.length }),
    });
    this.sections.set(file, made);
    this.area.insertBefore(made.element, before);
    return made;
  }

  private take(): LineRow | undefined {
    const row = this.spare.pop();
    if (!row || row.split === this.host.model.split) return row;
    this.spare = [];
    return undefined;
  }

  /** Requests the texts of the rendered rows of a file. */
  private want(section: Section): void {
    const { model } = this.host;
    const drawn = section.drawn();
    for (const side of ["old", "new"] as const) {
      const range = drawn[side];
      if (range) model.lines.want(model.textKey(section.file, side), range[0], range[1]);
    }
  }

  /** Highlights the code in view and reports the widest line. */
  private onCalm(): void {
    const { model } = this.host;
    this.isFast = false;
    for (const section of this.sections.values()) {
      section.refill(false);
      const drawn = section.drawn();
      for (const side of ["old", "new"] as const) {
        const range = drawn[side];
        if (range) model.lines.color(model.textKey(section.file, side), range[0], range[1]);
      }
    }
    this.widen();
  }

  private widen(): void {
    const { model } = this.host;
    let most = 0;
    for (const { file, drawn } of [...this.sections.values()].map((each) => ({
      file: each.file,
      drawn: each.drawn(),
    }))) {
      for (const side of ["old", "new"] as const) {
        const range = drawn[side];
        const key = model.textKey(file, side);
        for (let line = range?.[0] ?? 0; range && line <= range[1]; line++)
          most = Math.max(most, columnsOf(model.lines.text(key, line) ?? ""));
      }
    }
    if (most <= this.columns) return;
    this.columns = most;
    this.host.onWidth(most);
  }

  redraw(path: string): void {
    this.stale.add(path);
    this.drawSoon();
  }

  /** Renders rows of a file again: those whose text or colors were missing, or all line rows if `all` is set. */
  refill(path: string, all = false): void {
    for (const section of this.sections.values()) if (section.file.path === path) section.refill(all);
    clearTimeout(this.calm);
    this.calm = setTimeout(() => this.onCalm(), calmMillis);
  }

  isVisible(path: string): boolean {
    const at = this.files.findIndex((file) => file.path === path);
    if (at < 0) return false;
    const top = this.scroller.scrollTop;
    return (this.tops[at] ?? 0) < top + this.viewHeight && (this.tops[at + 1] ?? 0) > top;
  }

  keep(change: () => void): void {
    if (this.keeps > 0) {
      change();
      return;
    }
    this.keeps++;
    const anchor = this.anchor();
    try {
      change();
    } finally {
      this.keeps--;
    }
    this.stack();
    for (const [file, section] of this.sections) {
      if (this.host.model.file(file.path) === file) this.touched.add(file.path);
      else {
        section.dispose();
        this.sections.delete(file);
      }
    }
    this.restore(anchor);
    this.draw();
  }

  private anchor(): Anchor | undefined {
    const top = this.scroller.scrollTop;
    if (top <= 0 || this.files.length === 0) return undefined;
    const at = this.indexAt(top);
    const file = this.files[at] as FileView;
    const y = this.tops[at] ?? 0;
    const head = this.headOf(file);
    if (file.rows.count === 0 || top + head >= y + head + file.rows.height)
      return { path: file.path, offset: y - top };
    let index = file.rows.rowAt(Math.max(0, top - y));
    // A row that is partly hidden by the sticky header counts as the first visible one, because the user is reading it.
    let row = file.rows.row(index);
    while (row.old < 0 && row.new < 0 && row.kind !== "insert" && index + 1 < file.rows.count)
      row = file.rows.row(++index);
    const offset = y + head + file.rows.top(index) - top;
    if (row.insert) return { path: file.path, offset, insert: row.insert.id };
    const line = row.new >= 0 ? { side: "new" as const, at: row.new } : { side: "old" as const, at: row.old };
    return { path: file.path, offset, hunk: row.hunk, ...(line.at >= 0 && { line }) };
  }

  private restore(anchor: Anchor | undefined): void {
    if (!anchor) return;
    const top = this.topOf(anchor.path);
    const file = this.host.model.file(anchor.path);
    if (top === undefined || !file) return;
    let index = -1;
    if (anchor.line) index = file.rows.rowOf(anchor.line.side, anchor.line.at);
    else if (anchor.insert) index = file.rows.insertRow(anchor.insert);
    if (index < 0 && anchor.hunk !== undefined && anchor.hunk >= 0) index = file.rows.headOf(anchor.hunk);
    // The rows of a file replace its state, so the first row starts at the same position.
    if (index < 0 && anchor.insert && file.rows.count > 0) index = 0;
    const y = index < 0 ? top : top + this.headOf(file) + file.rows.top(index);
    // If the file has been folded, the row no longer exists, so the view shows the file's header.
    const isGone = index < 0 && (anchor.line !== undefined || anchor.hunk !== undefined);
    const to = isGone ? Math.min(this.scroller.scrollTop, top) : y - anchor.offset;
    if (Math.abs(to - this.scroller.scrollTop) >= 1) this.scrollTo(to);
  }

  private scrollTo(y: number): void {
    this.scroller.scrollTop = Math.max(0, y);
  }

  /**
   * Scrolls to a row of a file or, without `index`, to the file's header. If `center` is set, the row is centered in
   * the view.
   */
  show(path: string, index?: number, center = false): void {
    const top = this.topOf(path);
    const file = this.host.model.file(path);
    if (top === undefined || !file) return;
    if (index === undefined || index < 0) this.scrollTo(top);
    else {
      const y = top + file.rows.top(index);
      this.scrollTo(center ? y - (this.viewHeight - this.headOf(file)) / 2 : y);
    }
    this.draw();
  }

  /** Centers a row of a file in the view unless the whole row is already visible. */
  reveal(path: string, index: number): void {
    const top = this.topOf(path);
    const file = this.host.model.file(path);
    if (top === undefined || !file || index < 0) return;
    const y = top + file.rows.top(index);
    const now = this.scroller.scrollTop;
    const { line } = this.host.model.heights;
    const view = this.viewHeight - this.headOf(file);
    const height = Math.max(line, file.rows.top(index + 1) - file.rows.top(index));
    if (y >= now && y + height <= now + view - line) return;
    // If the row is higher than the view, its start is visible.
    this.scrollTo(y - (height > line ? Math.max(0, view - height) : view) / 2);
    this.draw();
  }

  /** Returns the element of a row, or undefined if the row isn't rendered. */
  rowElement(path: string, index: number): HTMLElement | undefined {
    const file = this.host.model.file(path);
    return file && this.sections.get(file)?.elementOf(index);
  }

  section(path: string): HTMLElement | undefined {
    const file = this.host.model.file(path);
    return file && this.sections.get(file)?.element;
  }

  private onSizes(entries: readonly ResizeObserverEntry[]): void {
    const anchor = this.anchor();
    let changed = false;
    for (const { target, borderBoxSize, contentRect } of entries) {
      const section = this.owners.get(target);
      const element = target as HTMLElement;
      const height = borderBoxSize?.[0]?.blockSize ?? contentRect.height;
      if (!section || height === 0) continue;
      const { rows } = section.file;
      const id = element.dataset.insert;
      const grew =
        id === undefined
          ? rows.setHeight(Number(element.dataset.row), height)
          : rows.setInsertHeight(id, height);
      if (grew) section.moved();
      changed ||= grew;
    }
    if (!changed) return;
    this.stack();
    this.restore(anchor);
    this.draw();
  }
}
