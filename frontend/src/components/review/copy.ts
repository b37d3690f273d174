// Copies the selected code of the diffs: complete lines with their line breaks, without line numbers and signs. Only
// rows near the view are in the DOM, so the text comes from the review's lines.

import { visibleParts } from "../../lib/format";
import type { ReviewModel } from "../../state/review";
import type { FileView } from "../../state/reviewFile";
import type { Row } from "../../state/reviewRows";
import type { ReviewSide } from "../../state/types";

/** An end of the selection: a line of a file, and the number of shown characters before it. */
interface Point {
  file: FileView;
  side: ReviewSide;
  line: number;
  offset: number;
}

interface SelectedLine {
  file: FileView;
  side: ReviewSide;
  line: number;
  /**
   * The side and line that the text is read from. A line without changes is the same on both sides, so it is read from
   * the new side.
   */
  text: { side: ReviewSide; line: number };
}

/** Selected code. */
interface SelectedCode {
  lines: readonly SelectedLine[];
  /** Offset of the start in the first line, and of the end in the last line. */
  from: number;
  to: number;
}

let mounted: CodeSelection | undefined;

/** selectedCode returns the selected code of the diffs, or undefined if none is selected or not all of it is loaded. */
export function selectedCode(): string | undefined {
  return mounted?.text();
}

/** CodeSelection tracks the selection in the diffs and copies its text. */
export class CodeSelection {
  /** The start of the selection, which is kept while its row isn't in the DOM. */
  private start: Point | undefined;

  constructor(
    private readonly area: HTMLElement,
    private readonly model: ReviewModel,
    /** Copies a text that was loaded after the user's key press. */
    private readonly copyLater: (text: string) => void,
  ) {
    document.addEventListener("selectionchange", this.onChange);
    document.addEventListener("copy", this.onCopy);
    area.addEventListener("pointerdown", this.onPointerDown);
    mounted = this;
  }

  dispose(): void {
    document.removeEventListener("selectionchange", this.onChange);
    document.removeEventListener("copy", this.onCopy);
    this.area.removeEventListener("pointerdown", this.onPointerDown);
    if (mounted === this) mounted = undefined;
  }

  /** In a side-by-side diff, only the column in which the selection starts is selected. */
  private readonly onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0 || event.shiftKey) return;
    this.start = undefined;
    const row = (event.target as Element).closest(".sl");
    const cell = (event.target as Element).closest(".c");
    const column = row && cell ? sideOfCell(row, cell) : undefined;
    // The selection also contains the cells of the other column. A drag from one of them would drag the selection.
    if (column !== this.area.dataset.column) getSelection()?.removeAllRanges();
    if (column) this.area.dataset.column = column;
    else delete this.area.dataset.column;
  };

  private readonly onChange = (): void => {
    const selection = getSelection();
    const at = selection && this.pointOf(selection.anchorNode, selection.anchorOffset);
    if (at) this.start = at;
  };

  private readonly onCopy = (event: ClipboardEvent): void => {
    const code = this.selected();
    if (!code) return;
    event.preventDefault();
    const text = this.textOf(code);
    if (text !== undefined) event.clipboardData?.setData("text/plain", text);
    else void this.load(code).then(() => this.copyLater(this.textOf(code) ?? ""));
  };

  /** Returns the selected code, or undefined if none is selected or not all of it is loaded. */
  text(): string | undefined {
    const code = this.selected();
    return code && this.textOf(code);
  }

  /** Returns the text of a line as it is rendered, or undefined if it isn't loaded. */
  private shown({ file, text: { side, line } }: SelectedLine): string | undefined {
    const text = this.model.lines.text(this.model.textKey(file, side), line);
    if (text === undefined) return undefined;
    return visibleParts(text)
      .map((part) => part.text)
      .join("");
  }

  private textOf({ lines, from, to }: SelectedCode): string | undefined {
    const texts: string[] = [];
    for (const [at, line] of lines.entries()) {
      const text = this.shown(line);
      if (text === undefined) return undefined;
      const end = at === lines.length - 1 ? to : text.length;
      texts.push(text.slice(at === 0 ? from : 0, Math.max(end, at === 0 ? from : 0)));
    }
    return texts.join("\n");
  }

  private async load({ lines }: SelectedCode): Promise<void> {
    for (const { file, text } of lines)
      await this.model.lines.load(this.model.textKey(file, text.side), text.line);
  }

  /** Returns the line at a position in the DOM, or undefined if the position isn't in the code of a line. */
  private pointOf(node: Node | null, offset: number): Point | undefined {
    const element = node instanceof Element ? node : node?.parentElement;
    const cell = element?.closest(".c");
    const row = cell?.closest<HTMLElement>("[data-row]");
    const file = this.model.file(row?.closest<HTMLElement>(".rv-sec")?.dataset.path ?? "");
    if (!node || !cell || !row || !file || !this.area.contains(row)) return undefined;
    const range = document.createRange();
    range.selectNodeContents(cell);
    range.setEnd(node, offset);
    const place = lineOf(file.rows.row(Number(row.dataset.row)), sideOfCell(row, cell));
    return place && { file, side: place.side, line: place.line, offset: range.toString().length };
  }

  private selected(): SelectedCode | undefined {
    const selection = getSelection();
    if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
    const { anchorNode, focusNode } = selection;
    const isIn = (node: Node | null, places: string) =>
      (node instanceof Element ? node : node?.parentElement)?.closest(places) != null;
    if (!this.area.contains(anchorNode) || isIn(anchorNode, ".rv-insert, .rv-head")) return undefined;
    if (isIn(focusNode, ".rv-insert")) return undefined; // the text of a comment is selected as well
    const range = selection.getRangeAt(0);
    const isForward = !isBefore(focusNode, selection.focusOffset, anchorNode, selection.anchorOffset);
    const anchor = this.pointOf(anchorNode, selection.anchorOffset) ?? this.start;
    const side = anchor?.side;
    const focus =
      this.pointOf(focusNode, selection.focusOffset) ?? this.edge(range, isForward ? "last" : "first", side);
    const start = anchor ?? this.edge(range, isForward ? "first" : "last", side);
    if (!start || !focus) return undefined;
    return this.between(start, focus);
  }

  /** Returns the start of the first line in a range, or the end of the last one. Only lines in the DOM count. */
  private edge(range: Range, which: "first" | "last", side: ReviewSide | undefined): Point | undefined {
    const cells = [...this.area.querySelectorAll<HTMLElement>(".rv-rows [data-row] > .c")].filter((cell) =>
      range.intersectsNode(cell),
    );
    const points = cells.flatMap((cell) => {
      const point = this.pointOf(cell, which === "first" ? 0 : cell.childNodes.length);
      return point && (side === undefined || !this.model.split || point.side === side) ? [point] : [];
    });
    return points.at(which === "first" ? 0 : -1);
  }

  private between(start: Point, focus: Point): SelectedCode | undefined {
    const { files, split } = this.model;
    const column = split ? start.side : undefined;
    const at = (point: Point) => ({
      point,
      file: files.indexOf(point.file),
      row: point.file.rows.rowOf(point.side, point.line),
    });
    const ends = [at(start), at(focus)].sort(
      (a, b) => a.file - b.file || a.row - b.row || a.point.offset - b.point.offset,
    );
    const [first, last] = ends as [ReturnType<typeof at>, ReturnType<typeof at>];
    if (first.file < 0 || first.row < 0 || last.row < 0) return undefined;
    const lines: SelectedLine[] = [];
    for (let index = first.file; index <= last.file; index++) {
      const file = files[index] as FileView;
      if (file.state !== "rows") continue;
      const from = index === first.file ? first.row : 0;
      const to = index === last.file ? last.row : file.rows.count - 1;
      for (let row = from; row <= to; row++) {
        const line = lineOf(file.rows.row(row), column);
        if (line) lines.push({ file, ...line });
      }
    }
    if (lines.length === 0) return undefined;
    // In a side-by-side diff, an end may be in a row or column without a line.
    const isOn = (point: Point, line: SelectedLine | undefined) =>
      line?.file === point.file && line.line === point.line && (!column || point.side === column);
    return {
      lines,
      from: isOn(first.point, lines[0]) ? first.point.offset : 0,
      to: isOn(last.point, lines.at(-1)) ? last.point.offset : Number.POSITIVE_INFINITY,
    };
  }
}

/** sideOfCell returns the side to which a cell of a side-by-side row belongs; for any other row, it returns undefined. */
function sideOfCell(row: Element, cell: Element): ReviewSide | undefined {
  if (!row.classList.contains("sl")) return undefined;
  return row.querySelector(".c") === cell ? "old" : "new";
}

/**
 * lineOf returns the line of a row in one column or, without `column`, the line of a row of a unified diff. It returns
 * undefined if there is none.
 */
function lineOf(row: Row, column: ReviewSide | undefined): Omit<SelectedLine, "file"> | undefined {
  if (row.kind === "insert" || row.kind === "head" || row.kind === "tail") return undefined;
  const side = column ?? (row.new >= 0 ? "new" : "old");
  if (row[side] < 0) return undefined;
  const text = row.kind === "same" ? ("new" as const) : side;
  return { side, line: row[side], text: { side: text, line: row[text] } };
}

/** isBefore reports whether a position in the document is before another one. */
function isBefore(node: Node | null, offset: number, other: Node | null, otherOffset: number): boolean {
  if (!node || !other) return false;
  const range = document.createRange();
  range.setStart(other, otherOffset);
  return range.comparePoint(node, offset) < 0;
}
