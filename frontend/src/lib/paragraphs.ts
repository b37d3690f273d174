// Cuts Markdown that still streams into paragraphs that are finished, which
// are parsed once, and the open rest, which is shown as it came. It is fed with
// what is new, and never looks at what it has seen.

const fence = /^ {0,3}(~{3,}|`{3,}(?!.*`))\s*(\S*)/;
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

/** A paragraph longer than this is cut, at the end of a line where it has one. */
export const mostLetters = 32 * 1024;
/** How much of a line says what it is. */
const headLetters = 200;

/** A finished paragraph. One that was cut inside of code is code, one inside of a line is plain. */
export interface Piece {
  kind: "markdown" | "code" | "plain";
  text: string;
  /** The language of code. */
  lang?: string;
}

/** Paragraphs follows a text that only grows. */
export class Paragraphs {
  /** Finished paragraphs, in order. Only ever added to, but by reopen. */
  readonly finished: Piece[] = [];
  /** The open paragraph: whole lines, and of the last line what there is. */
  private open: string[] = [];
  private letters = 0;
  private head = "";
  private lineLetters = 0;
  private isBlank = true;
  private lineParts = 0;
  private fence = "";
  private lang = "";
  /** The code of the open paragraph began in one before it. */
  private goesOn = false;
  private isPlain = false;
  private isList = false;
  private isEmpty = true;
  private afterBlank = false;
  /** What was there before finish. */
  private before: { count: number; fields: object } | undefined;

  /** grow takes what is new. */
  grow(piece: string): void {
    for (let at = 0; at < piece.length; ) {
      const end = piece.indexOf("\n", at);
      const part = piece.slice(at, end < 0 ? piece.length : end + 1);
      at += part.length;
      this.add(part);
      if (end >= 0) this.endLine();
      else if (this.letters > mostLetters && this.lineLetters > mostLetters / 2) this.cutLine();
    }
  }

  /** tail is the end of the open rest, of at most as many letters. It begins where it began, but for rare leaps. */
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

  /** finish says that nothing more comes, as far as is known. */
  finish(): void {
    const { finished, before: _, ...fields } = this;
    this.before = { count: finished.length, fields };
    if (this.head !== "") this.endLine();
    if (this.open.some((part) => part.trim() !== "")) this.close();
    this.open = [];
    this.letters = 0;
    this.fence = "";
  }

  /** reopen takes finish back: more came all the same. */
  reopen(): void {
    if (!this.before) return;
    this.finished.length = this.before.count;
    Object.assign(this, this.before.fields);
    this.before = undefined;
  }

  private add(part: string): void {
    // The first letter of a line is enough to know that it begins another.
    if (this.head === "" && this.afterBlank && this.fence === "") {
      const begins = this.isList ? /^[^\s\d*+-]/ : /^\S/;
      if (begins.test(part)) this.close();
    }
    this.open.push(part);
    this.letters += part.length;
    this.lineParts++;
    this.lineLetters += part.length;
    if (this.head.length < headLetters) this.head += part.slice(0, headLetters - this.head.length);
    if (this.isBlank && part.trim() !== "") this.isBlank = false;
  }

  /** close finishes the open paragraph but for its last parts. */
  private close(keep = 0): void {
    const text = this.open.slice(0, this.open.length - keep).join("");
    this.open = keep === 0 ? [] : this.open.slice(-keep);
    this.letters = this.open.reduce((sum, part) => sum + part.length, 0);
    if (text !== "" && !(this.isPlain && text.trim() === "")) this.finished.push(this.pieceOf(text));
    this.goesOn = this.fence !== "";
    this.isEmpty = true;
    this.isList = false;
    this.afterBlank = false;
  }

  private pieceOf(text: string): Piece {
    if (this.isPlain) return { kind: "plain", text };
    // What is cut short of its fence's end is code all the same.
    if ((this.fence === "" && !this.goesOn) || this.isList) return { kind: "markdown", text };
    const lines = text.split("\n");
    if (!this.goesOn) lines.shift();
    if (this.fence === "") lines.splice(lines.at(-1) === "" ? -2 : -1);
    return { kind: "code", text: lines.join("\n").replace(/\n$/, ""), lang: this.lang };
  }

  /** cutLine finishes what is open in the middle of a line that is too long to wait for its end. */
  private cutLine(): void {
    if (!this.isPlain && this.open.length > this.lineParts) this.close(this.lineParts);
    this.isPlain = this.fence === "";
    this.close();
    this.lineParts = 0;
  }

  private endLine(): void {
    const { head, lineParts, isBlank } = this;
    const isShort = this.lineLetters <= headLetters;
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
        const wasCut = this.goesOn;
        this.fence = "";
        if (wasCut) this.close();
        // Code stands alone, whether or not a blank line follows it.
        else if (!this.isList) this.afterBlank = true;
      } else if (this.letters > (this.isList ? 2 : 1) * mostLetters) {
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
    // A list is cut between its entries, where it has any.
    const mayCut = !this.isList || (isItem && !/^\s/.test(head)) || this.letters > 2 * mostLetters;
    const tooLong = this.letters > mostLetters && mayCut;
    if ((this.afterBlank && !continues) || tooLong) this.close(lineParts);
    const isFirst = this.isEmpty;
    if (isFirst) {
      this.isList = isItem;
      this.isEmpty = false;
    }
    this.afterBlank = false;
    const begins = fence.exec(head);
    if (!begins || !isShort) return;
    // Code is a paragraph of its own, but for what belongs to an entry of a list.
    if (!this.isList && !isFirst) {
      this.close(lineParts);
      this.isEmpty = false;
    }
    this.fence = begins[1] ?? "";
    this.lang = begins[2] ?? "";
    this.goesOn = false;
  }
}
