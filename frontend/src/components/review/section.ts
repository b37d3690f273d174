// The element of one file in the scroll area. Only the rows near the view are in the DOM. They are in file order, so
// that screen readers and selections read them in that order.

import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import type { FileView } from "../../state/reviewFile";
import type { Insert, Row } from "../../state/reviewRows";
import { fileHead, type HunkLook, hunkHead, make, tailRow } from "./heads";
import { type LineContext, LineRow } from "./lineRow";

const t = messages.review;

export interface SectionHost {
  context(file: FileView): LineContext;
  look(file: FileView, hunk: number): HunkLook;
  /** Renders an inserted row, such as a comment, into an element. Returns a function that removes it. */
  drawInsert(file: FileView, insert: Insert, into: HTMLElement): () => void;
  /** Starts watching the height of a row. Called for rows whose height isn't known in advance. */
  observe(element: Element): void;
  unobserve(element: Element): void;
  /** Whether lines wrap, so that their heights have to be measured. */
  wraps(): boolean;
  /** Height in pixels of a file's header, without the message below it. */
  headHeight(): number;
  /** Returns an unused row element, or undefined if there is none. */
  take(): LineRow | undefined;
  give(row: LineRow): void;
  position(file: FileView): { at: number; of: number };
  /** Whether the current change is in a file. */
  isCurrent(file: FileView): boolean;
}

/**
 * Renders an inserted row, such as a comment, into an element. Returns a function that removes the row, or undefined if
 * it doesn't render rows of this kind.
 */
export type DrawInsert = (file: FileView, insert: Insert, into: HTMLElement) => (() => void) | undefined;

interface Live {
  index: number;
  row: Row;
  element: HTMLElement;
  line?: LineRow;
  dispose?: () => void;
}

/** Height in pixels of the message below a file's header. */
export const messageHeight = 46;

/** Section renders one file. */
export class Section {
  readonly element: HTMLElement;
  private head: HTMLElement;
  private readonly body = make("div", "rv-rows");
  private live: Live[] = [];
  private rows: FileView["rows"];
  private top = Number.NaN;
  private height = Number.NaN;

  constructor(
    readonly file: FileView,
    private readonly host: SectionHost,
  ) {
    const path = visibleText(file.path);
    this.element = make("section", "rv-sec rdiff diff sel");
    this.element.ariaLabel = t.diffOf(path);
    this.element.dataset.path = file.path;
    this.head = fileHead(file, host.position(file), host.isCurrent(file));
    this.rows = file.rows;
    this.element.append(this.head, this.body);
    this.widen();
  }

  /** Sets the position and height of the section, in pixels. */
  place(top: number, height: number): void {
    // The header sticks to the top of the section, and sticky positioning ignores transforms.
    if (top !== this.top) this.element.style.top = `${top}px`;
    if (height !== this.height) this.element.style.height = `${height}px`;
    this.top = top;
    this.height = height;
  }

  private widen(): void {
    this.element.classList.toggle("folded", this.file.isFolded);
    const most = Math.max(this.file.diff?.oldLines ?? 0, this.file.diff?.newLines ?? 0);
    const digits = String(most).length;
    this.element.style.setProperty("--gut", digits > 4 ? `${digits * 7 + 12}px` : "");
  }

  /**
   * Renders the file's header again, and the rows between two positions in the section: all of them if `lines` is set,
   * otherwise only the change headers.
   */
  redraw(from: number, to: number, lines: boolean): void {
    this.redrawHead();
    this.widen();
    this.draw(from, to, lines ? "all" : "heads");
  }

  private redrawHead(): void {
    const head = fileHead(this.file, this.host.position(this.file), this.host.isCurrent(this.file));
    // The user may be pressing the header with the pointer. If the element were replaced now, no click event would
    // follow.
    if (head.isEqualNode(this.head)) return;
    const active = document.activeElement as HTMLElement | null;
    const act = this.head.contains(active) ? active?.dataset.act : undefined;
    this.head.replaceWith(head);
    this.head = head;
    if (act !== undefined)
      head.querySelector<HTMLElement>(`[data-act=${act}]`)?.focus({ preventScroll: true });
  }

  /**
   * Renders the missing rows between two positions in the section, in pixels. `fresh` selects the existing rows to
   * render again.
   */
  draw(from: number, to: number, fresh: "none" | "heads" | "all" = "none"): void {
    const head = this.host.headHeight() + (this.file.newer ? messageHeight : 0);
    const { rows } = this.file;
    const changed = rows !== this.rows;
    this.rows = rows;
    const isEmpty = rows.count === 0 || to <= head || from >= head + rows.height;
    const first = isEmpty ? 0 : rows.rowAt(Math.max(0, from - head));
    const last = isEmpty ? -1 : rows.rowAt(to - head);
    if (changed) this.reset();
    else if (fresh === "none") this.recycle(first, last);
    this.trim(first, last);
    if (fresh !== "none" && !changed)
      for (const each of this.live) if (fresh === "all" || !each.line) this.fill(each);
    if (last < first) return;
    if (this.live.length === 0) this.append(first);
    for (let at = (this.live[0] as Live).index - 1; at >= first; at--) this.prepend(at);
    for (let at = (this.live.at(-1) as Live).index + 1; at <= last; at++) this.append(at);
    this.settle(head);
  }

  /**
   * Reuses the elements of the rendered rows for the rows from `first` on, because changing texts is faster than moving
   * elements. It does so only if none of these rows is rendered yet and all of them are lines of one change with known
   * heights.
   */
  private recycle(first: number, last: number): void {
    const [head, tail] = [this.live[0], this.live.at(-1)];
    if (!head || !tail || last < first || (first <= tail.index && last >= head.index)) return;
    const group = head.element.parentElement as HTMLElement;
    const end = Math.min(last, first + this.live.length - 1);
    const { hunk } = this.rows.row(first);
    const isLine = ({ kind }: Row) => kind !== "insert" && kind !== "head" && kind !== "tail";
    const isInUse = [document.activeElement, getSelection()?.anchorNode ?? null].some((each) =>
      group.contains(each),
    );
    if (isInUse || this.host.wraps() || this.body.childElementCount > 1) return;
    if (!this.live.every((each) => each.line)) return;
    for (let at = first; at <= end; at++) {
      const row = this.rows.row(at);
      if (!isLine(row) || row.hunk !== hunk) return;
    }
    this.label(group, hunk);
    for (const each of this.live.splice(end - first + 1)) this.remove(each);
    for (const [at, each] of this.live.entries()) {
      each.index = first + at;
      each.row = this.rows.row(each.index);
      this.fill(each);
      this.settleOne(each);
    }
  }

  /** Removes the rows outside of a range of indexes, except for a focused row and the rows between it and the range. */
  private trim(first: number, last: number): void {
    const stays = ({ index, element }: Live) =>
      (index >= first && index <= last) || (element.contains(document.activeElement) && index >= 0);
    while (this.live.length > 0 && !stays(this.live[0] as Live)) this.remove(this.live.shift() as Live);
    while (this.live.length > 0 && !stays(this.live.at(-1) as Live)) this.remove(this.live.pop() as Live);
    // If the focused row is far from the range, too many rows would remain, so all are removed.
    const [from, to] = [this.live[0]?.index ?? first, this.live.at(-1)?.index ?? last];
    if (from < first - maxRendered || to > last + maxRendered) this.reset();
  }

  private remove(live: Live): void {
    this.host.unobserve(live.element);
    live.dispose?.();
    const group = live.element.parentElement;
    if (live.element.contains(document.activeElement))
      this.element.closest<HTMLElement>(".rv-scroll")?.focus({ preventScroll: true });
    live.element.remove();
    if (live.line) this.host.give(live.line);
    if (group && group !== this.body && group.childElementCount === 0) group.remove();
  }

  private reset(): void {
    for (const each of this.live) this.remove(each);
    this.live = [];
  }

  private create(index: number): Live {
    const row = this.rows.row(index);
    const live: Live = { index, row, element: make("div", "") };
    if (row.kind === "insert" && row.insert) {
      live.element = make("div", "rv-insert");
      live.element.dataset.insert = row.insert.id;
      live.dispose = this.host.drawInsert(this.file, row.insert, live.element);
      if (!row.insert.isFixed) this.host.observe(live.element);
    } else if (row.kind !== "head" && row.kind !== "tail") {
      live.line = this.host.take() ?? new LineRow(this.rows.input.split);
      live.element = live.line.element;
      if (this.host.wraps()) this.host.observe(live.element);
    }
    this.fill(live);
    return live;
  }

  private fill(live: Live): void {
    const { row } = live;
    if (live.line) live.line.draw(row, this.host.context(this.file));
    else if (row.kind === "head" || row.kind === "tail") {
      const element =
        row.kind === "head"
          ? hunkHead(this.file, row.hunk, this.host.look(this.file, row.hunk))
          : tailRow(this.file);
      element.style.transform = live.element.style.transform;
      element.dataset.row = String(live.index);
      if (element.isEqualNode(live.element)) return;
      const act = live.element.contains(document.activeElement)
        ? (document.activeElement as HTMLElement).dataset.act
        : undefined;
      live.element.replaceWith(element);
      live.element = element;
      if (act !== undefined)
        (element.querySelector<HTMLElement>(`[data-act=${act}]`) ?? element.querySelector("button"))?.focus({
          preventScroll: true,
        });
    }
    live.element.dataset.row = String(live.index);
  }

  private append(index: number): void {
    const live = this.create(index);
    this.groupOf(live, this.live.at(-1), true).append(live.element);
    this.live.push(live);
    this.settleOne(live);
  }

  private prepend(index: number): void {
    const live = this.create(index);
    this.groupOf(live, this.live[0], false).prepend(live.element);
    this.live.unshift(live);
    this.settleOne(live);
  }

  /**
   * groupOf returns the element that groups the rows of a row's change. If the adjacent row `beside` belongs to another
   * change, it creates the element at the end (`after`) or at the start of the section.
   */
  private groupOf({ row }: Live, beside: Live | undefined, after: boolean): HTMLElement {
    if (beside && beside.row.hunk === row.hunk) return beside.element.parentElement as HTMLElement;
    const group = make("div", "rv-group");
    this.label(group, row.hunk);
    if (after) this.body.append(group);
    else this.body.prepend(group);
    return group;
  }

  /**
   * Labels the element of a change. If `hunk` is negative, the element contains the rows above the first change and
   * gets no label.
   */
  private label(group: HTMLElement, hunk: number): void {
    group.role = hunk < 0 ? null : "group";
    group.ariaLabel = hunk < 0 ? null : t.changeName(hunk + 1, ...this.file.linesOf(hunk));
  }

  /** Positions the rows again if the height of the header or of a row has changed. */
  private settle(head: number): void {
    if (this.placedHead === head && !this.rowsMoved) return;
    this.placedHead = head;
    this.rowsMoved = false;
    for (const each of this.live) this.settleOne(each);
  }

  private placedHead = Number.NaN;
  private rowsMoved = false;

  private settleOne(live: Live): void {
    const head = this.host.headHeight() + (this.file.newer ? messageHeight : 0);
    live.element.style.transform = `translateY(${head + this.rows.top(live.index)}px)`;
  }

  /** Requests that the rows be positioned again, because the measured height of a row has changed. */
  moved(): void {
    this.rowsMoved = true;
  }

  /** Returns the element of a row, or undefined if the row isn't rendered. */
  elementOf(index: number): HTMLElement | undefined {
    return this.live.find((each) => each.index === index)?.element;
  }

  /**
   * Returns, for each side, the first and last line of the rendered rows, or undefined if they contain no line of that
   * side. Unchanged lines count only on the new side.
   */
  drawn(): { old: [number, number] | undefined; new: [number, number] | undefined } {
    const range = (side: "old" | "new"): [number, number] | undefined => {
      const lines = this.live.flatMap(({ row }) => {
        const line = row[side];
        return line >= 0 && (side === "new" || row.kind !== "same") ? [line] : [];
      });
      return lines.length === 0 ? undefined : [lines[0] as number, lines.at(-1) as number];
    };
    return { old: range("old"), new: range("new") };
  }

  /** Renders again all rows whose text or colors were missing, or all line rows if `all` is set. */
  refill(all: boolean): void {
    const context = this.host.context(this.file);
    for (const each of this.live)
      if (each.line && (all || each.line.isPending || each.line.isPlain)) each.line.draw(each.row, context);
  }

  dispose(): void {
    this.reset();
    this.element.remove();
  }
}

/** Maximum number of rows outside of the view that are kept in the DOM because of a focused row. */
const maxRendered = 400;
