// The elements of line rows. They are plain DOM elements that are reused for other lines, because a reactive component
// per row would make scrolling too slow.

import { messages } from "../../i18n";
import { minus } from "../../lib/format";
import { search } from "../../lib/search";
import type { FileView } from "../../state/reviewFile";
import type { LineStore } from "../../state/reviewLines";
import type { Row } from "../../state/reviewRows";
import { isStaged } from "../../state/reviewStaged";
import { blocksOf, type LinePlace, type ReviewBlock } from "../../state/reviewTypes";
import type { ReviewSide } from "../../state/types";
import { drawCode, type FoundRange, maxDrawn, wordMarks } from "./code";

const t = messages.review;
const { stagedLine } = messages.reviewStage;

/** Maximum number of characters announced per line. */
const maxAnnouncement = 500;

export interface LineContext {
  file: FileView;
  lines: LineStore;
  /** The matches in a line. */
  finds(side: ReviewSide, line: number): readonly FoundRange[];
  /** Whether a line is selected. */
  isSelected(row: Row): boolean;
  /**
   * Whether the view is scrolling fast. Until it slows down, lines are rendered without colors and without marks on
   * changed words.
   */
  isFast?: boolean;
}

interface Cell {
  number: HTMLElement;
  code: HTMLElement;
}

/** LineRow is the element of a row: a line in one column, or both sides of a side-by-side diff. */
export class LineRow {
  readonly element = document.createElement("div");
  private readonly spoken = document.createElement("span");
  private readonly sign = document.createElement("span");
  private readonly first: Cell;
  private readonly second: Cell;
  /** Whether some text of the row isn't loaded yet. */
  isPending = true;
  /** Whether some text was rendered without colors, because they aren't available yet. */
  isPlain = true;

  constructor(readonly split: boolean) {
    this.spoken.className = "sr";
    this.sign.className = "s";
    this.sign.ariaHidden = "true";
    this.first = { number: span("n"), code: span("c") };
    this.second = { number: span("n"), code: span("c") };
    for (const { number } of [this.first, this.second]) number.ariaHidden = "true";
    const { first, second } = this;
    if (split) this.element.append(this.spoken, first.number, first.code, second.number, second.code);
    else this.element.append(this.spoken, first.number, second.number, this.sign, first.code);
  }

  draw(row: Row, context: LineContext): void {
    this.isPending = false;
    this.isPlain = false;
    if (this.split) this.drawSides(row, context);
    else this.drawOne(row, context);
  }

  private drawOne(row: Row, context: LineContext): void {
    const selected = context.isSelected(row) ? " rng" : "";
    const look = { del: " d", add: " a" }[row.kind as "del" | "add"] ?? "";
    const staged = stagedSides(row, context.file);
    setClass(this.element, `dl${look}${staged.old || staged.new ? " st" : ""}${selected}`);
    setText(this.first.number, row.old >= 0 ? String(row.old + 1) : "");
    setText(this.second.number, row.new >= 0 ? String(row.new + 1) : "");
    setText(this.sign, row.kind === "add" ? "+" : row.kind === "del" ? minus : "");
    setText(this.spoken, spokenPrefix(row, staged));
    const side = row.new >= 0 ? "new" : "old";
    this.code(this.first.code, side, side === "new" ? row.new : row.old, row, context);
  }

  private drawSides(row: Row, context: LineContext): void {
    setClass(this.element, `sl${context.isSelected(row) ? " rng" : ""}`);
    const staged = stagedSides(row, context.file);
    setText(this.spoken, spokenPrefix(row, staged));
    const changed = row.kind === "pair";
    this.cell(this.first, "old", row.old, changed ? "d" : "", row, context);
    this.cell(this.second, "new", row.new, changed ? "a" : "", row, context);
    this.first.number.classList.toggle("st", staged.old);
    this.second.number.classList.toggle("st", staged.new);
  }

  private cell(
    cell: Cell,
    side: ReviewSide,
    line: number,
    look: string,
    row: Row,
    context: LineContext,
  ): void {
    const kind = line < 0 ? "e" : look;
    setClass(cell.number, kind === "" ? "n" : `n ${kind}`);
    setClass(cell.code, kind === "" ? "c" : `c ${kind}`);
    setText(cell.number, line < 0 ? "" : String(line + 1));
    const sign = { a: "+", d: minus }[kind as "a" | "d"] ?? "";
    if (cell.number.dataset.sign !== sign) cell.number.dataset.sign = sign;
    if (line < 0) setText(cell.code, "");
    else this.code(cell.code, side, line, row, context);
  }

  private code(
    into: HTMLElement,
    side: ReviewSide,
    line: number,
    row: Row,
    { file, lines, finds, isFast }: LineContext,
  ): void {
    // A context line is the same on both sides, so only the new side is read.
    const from = row.kind === "same" ? ("new" as const) : side;
    const at = row.kind === "same" ? row.new : line;
    const key = { path: file.path, version: file.version, side: from };
    const text = lines.text(key, at);
    if (text === undefined) {
      this.isPending = true;
      setText(into, "");
      return;
    }
    const marks = row.kind === "same" || isFast ? [] : marksOf(file, lines, side, line);
    const runs = isFast ? undefined : lines.runs(key, at);
    if (!runs) this.isPlain = true;
    drawCode(into, text, runs, marks, finds(from, at));
    if (text.length > maxDrawn || lines.isCut(key, at)) into.append(note(t.cut));
    const { diff } = file;
    const last = side === "new" ? diff?.newLines : diff?.oldLines;
    const ends = side === "new" ? diff?.newEnd : diff?.oldEnd;
    if (ends === false && line + 1 === last && (row.kind !== "same" || !diff?.newEnd))
      into.append(note(` ${t.noNewline}`));
  }
}

function note(text: string): HTMLElement {
  const element = span("nl");
  element.textContent = text;
  return element;
}

function span(look: string): HTMLElement {
  const element = document.createElement("span");
  element.className = look;
  return element;
}

/** setText sets the text of an element. If the element contains only a text node, that node is reused. */
function setText(element: HTMLElement, text: string): void {
  const node = element.firstChild;
  if (node instanceof Text && !node.nextSibling) {
    if (node.data !== text) node.data = text;
  } else if (text !== "" || node) element.textContent = text;
}

function setClass(element: HTMLElement, name: string): void {
  if (element.className !== name) element.className = name;
}

/** Whether the changed line on each side of a row is staged. */
type StagedSides = Readonly<Record<ReviewSide, boolean>>;

const unstaged: StagedSides = { old: false, new: false };

function stagedSides(row: Row, { diff }: FileView): StagedSides {
  if (!diff?.staged || row.kind === "same") return unstaged;
  return {
    old: row.old >= 0 && isStaged(diff, { side: "old", at: row.old }),
    new: row.new >= 0 && isStaged(diff, { side: "new", at: row.new }),
  };
}

/**
 * lineAnnouncement returns the announcement of a line: its number, whether it was added or removed, whether it is
 * staged, and the start of its text.
 */
export function lineAnnouncement(file: FileView, lines: LineStore, row: Row): string {
  const side = row.new >= 0 ? "new" : "old";
  const key = { path: file.path, version: file.version, side } as const;
  const text = lines.text(key, row[side])?.slice(0, maxAnnouncement);
  const parts = [spokenPrefix(row, stagedSides(row, file)), text?.trim() === "" ? t.blank : text];
  return parts.filter((part) => part).join(": ");
}

/** spokenPrefix returns the text that screen readers read before a line. */
function spokenPrefix(row: Row, staged: StagedSides): string {
  const [old, now] = [row.old + 1, row.new + 1];
  if (row.kind === "same") return t.line(now);
  const say = (line: string, isIn: boolean) => (isIn ? stagedLine(line) : line);
  const parts = [
    old > 0 ? say(t.lineRemoved(old), staged.old) : "",
    now > 0 ? say(t.lineAdded(now), staged.new) : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

/** blockAt returns the block of changed lines that contains a line, or undefined if there is none. */
export function blockAt(file: FileView, { side, at }: LinePlace): ReviewBlock | undefined {
  if (!file.diff) return undefined;
  const blocks = blocksOf(file.diff);
  const [first, count] = side === "old" ? [0, 1] : [2, 3];
  let index = search(blocks.length, (each) => blocks[each]?.[first as 0] ?? 0, at);
  while (index >= 0 && blocks[index]?.[count as 1] === 0) index--;
  const block = blocks[index];
  return block && at < block[first as 0] + block[count as 1] ? block : undefined;
}

function marksOf(file: FileView, lines: LineStore, side: ReviewSide, line: number) {
  const block = blockAt(file, { side, at: line });
  if (!block) return [];
  const key = (of: ReviewSide) => ({ path: file.path, version: file.version, side: of });
  return wordMarks(lines, { old: key("old"), new: key("new") }, block, side, line);
}
