// Splits streaming Markdown into finished paragraphs, which are parsed once, and an unfinished remainder,
// which is shown as plain text. It consumes only new text and never rescans.

const fence = /^ {0,3}(~{3,}|`{3,}(?!.*`))\s*(\S*)/;
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

/** Maximum length of a paragraph; a longer one is split, at a line end if possible. */
export const maxLength = 32 * 1024;
/** Number of characters at the start of a line that determine its kind. */
const headChars = 200;

/**
 * A finished paragraph, or a part of one that was too long. A part of a code block has the kind "code",
 * and a part of a line has the kind "plain".
 */
export interface Piece {
  kind: "markdown" | "code" | "plain";
  text: string;
  /** The language of code. */
  lang?: string;
}

/** Paragraphs splits an append-only text. */
export class Paragraphs {
  /** Finished paragraphs, in order. Append-only except for reopen. */
  readonly finished: Piece[] = [];
  /** The unfinished paragraph: complete lines and the partial last line. */
  private open: string[] = [];
  private letters = 0;
  private head = "";
  private lineLetters = 0;
  private isBlank = true;
  private lineParts = 0;
  private fence = "";
  private lang = "";
  /** Whether the unfinished paragraph continues code that started in an earlier piece. */
  private isContinued = false;
  private isPlain = false;
  private isList = false;
  private isEmpty = true;
  private afterBlank = false;
  /** The state when finish was called, so that reopen can restore it. */
  private before: { count: number; fields: object } | undefined;

  /** grow appends new text. */
  grow(piece: string): void {
    for (let at = 0; at < piece.length; ) {
      const end = piece.indexOf("\n", at);
      const part = piece.slice(at, end < 0 ? piece.length : end + 1);
      at += part.length;
      this.add(part);
      if (end >= 0) this.endLine();
      else if (this.letters > maxLength && this.lineLetters > maxLength / 2) this.cutLine();
    }
  }

  /**
   * tail returns up to `most` characters from the end of the unfinished text. As text arrives, the start
   * of the result moves only in large steps.
   */
  tail(most: number): string {
    const out: string[] = [];
    const leap = most / 2;
    let room = this.letters - Math.max(0, Math.ceil((this.letters - most) / leap) * leap);
    for (let i = this.open.length - 1; i >= 0 && room > 0; i--) {
      const part = this.open[i] as string;
      out.unshift(part.slice(-room));
      room -= part.length;
    }
    return out.join("");
  }

  /** finish closes the unfinished paragraph, because no more text is expected. */
  finish(): void {
    const { finished, before: _, ...fields } = this;
    this.before = { count: finished.length, fields };
    if (this.head !== "") this.endLine();
    if (this.open.some((part) => part.trim() !== "")) this.close();
    this.open = [];
    this.letters = 0;
    this.fence = "";
  }

  /** reopen undoes finish, because more text has arrived. */
  reopen(): void {
    if (!this.before) return;
    this.finished.length = this.before.count;
    Object.assign(this, this.before.fields);
    this.before = undefined;
  }

  private add(part: string): void {
    // The first character of a line can show that the line starts another paragraph.
    if (this.head === "" && this.afterBlank && this.fence === "") {
      const begins = this.isList ? /^[^\s\d*+-]/ : /^\S/;
      if (begins.test(part)) this.close();
    }
    this.open.push(part);
    this.letters += part.length;
    this.lineParts++;
    this.lineLetters += part.length;
    if (this.head.length < headChars) this.head += part.slice(0, headChars - this.head.length);
    if (this.isBlank && part.trim() !== "") this.isBlank = false;
  }

  /** close finishes the open paragraph, leaving its last `keep` parts unfinished. */
  private close(keep = 0): void {
    const text = this.open.slice(0, this.open.length - keep).join("");
    this.open = keep === 0 ? [] : this.open.slice(-keep);
    this.letters = this.open.reduce((sum, part) => sum + part.length, 0);
    if (text !== "" && !(this.isPlain && text.trim() === "")) this.finished.push(this.pieceOf(text));
    this.isContinued = this.fence !== "";
    this.isEmpty = true;
    this.isList = false;
    this.afterBlank = false;
  }

  private pieceOf(text: string): Piece {
    if (this.isPlain) return { kind: "plain", text };
    // Code split before its closing fence is still code.
    if ((this.fence === "" && !this.isContinued) || this.isList) return { kind: "markdown", text };
    const lines = text.split("\n");
    if (!this.isContinued) lines.shift();
    if (this.fence === "") lines.splice(lines.at(-1) === "" ? -2 : -1);
    return { kind: "code", text: lines.join("\n").replace(/\n$/, ""), lang: this.lang };
  }

  /** cutLine ends the paragraph inside a line that is too long, after the text received so far. */
  private cutLine(): void {
    if (!this.isPlain && this.open.length > this.lineParts) this.close(this.lineParts);
    this.isPlain = this.fence === "";
    this.close();
    this.lineParts = 0;
  }

  private endLine(): void {
    const { head, lineParts, isBlank } = this;
    const isShort = this.lineLetters <= headChars;
    this.head = "";
    this.lineLetters = 0;
    this.lineParts = 0;
    this.isBlank = true;
    if (this.isPlain) {
      this.close();
      this.isPlain = false;
      return;
    }
    if (this.fence !== "") {
      const line = head.trim();
      const ends = isShort && line.startsWith(this.fence) && line === (line[0] ?? "").repeat(line.length);
      if (ends) {
        const wasCut = this.isContinued;
        this.fence = "";
        if (wasCut) this.close();
        // Code is a separate paragraph, with or without a blank line after it.
        else if (!this.isList) this.afterBlank = true;
      } else if (this.letters > (this.isList ? 2 : 1) * maxLength) {
        this.isList = false;
        this.close();
      }
      return;
    }
    if (isBlank) {
      if (!this.isEmpty) this.afterBlank = true;
      return;
    }
    const isItem = listItem.test(head);
    const continues = /^\s/.test(head) || (this.isList && isItem);
    // A list is split before a top-level item, or anywhere once it is twice as long as a paragraph may
    // be.
    const mayCut = !this.isList || (isItem && !/^\s/.test(head)) || this.letters > 2 * maxLength;
    const tooLong = this.letters > maxLength && mayCut;
    if ((this.afterBlank && !continues) || tooLong) this.close(lineParts);
    const isFirst = this.isEmpty;
    if (isFirst) {
      this.isList = isItem;
      this.isEmpty = false;
    }
    this.afterBlank = false;
    const begins = fence.exec(head);
    if (!begins || !isShort) return;
    // Code is a separate paragraph unless it belongs to a list item.
    if (!this.isList && !isFirst) {
      this.close(lineParts);
      this.isEmpty = false;
    }
    this.fence = begins[1] ?? "";
    this.lang = begins[2] ?? "";
    this.isContinued = false;
  }
}
