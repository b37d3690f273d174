// Cuts Markdown that still streams into paragraphs that are finished, which
// are parsed once, and the open rest, which is shown as it came.

const fence = /^ {0,3}(`{3,}|~{3,})/;
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

/**
 * Paragraphs follows a text that only grows. A paragraph is finished when a
 * blank line and the beginning of another follow it; a fenced block and a list
 * with blank lines between its entries stay in one piece.
 */
export class Paragraphs {
  /** Finished paragraphs, in order. Only ever added to. */
  readonly finished: string[] = [];
  private start = 0;
  private at = 0;
  private fence = "";
  private isList = false;
  private isEmpty = true;
  private afterBlank = false;

  /** grow takes the whole text so far and returns the open rest. */
  grow(text: string): string {
    for (;;) {
      const end = text.indexOf("\n", this.at);
      if (end < 0) break;
      this.line(text, this.at, text.slice(this.at, end));
      this.at = end + 1;
    }
    // The first letter of a line is enough to know that it begins another.
    const begins = this.isList ? /^[^\s\d*+-]/ : /^\S/;
    if (this.afterBlank && this.fence === "" && begins.test(text.slice(this.at, this.at + 1))) {
      this.close(text, this.at);
    }
    return text.slice(this.start);
  }

  private close(text: string, at: number): void {
    this.finished.push(text.slice(this.start, at));
    this.start = at;
    this.isEmpty = true;
    this.afterBlank = false;
  }

  /** finish takes the whole text and finishes what was open. */
  finish(text: string): void {
    const rest = this.grow(text);
    if (rest.trim() !== "") this.finished.push(rest);
    this.start = text.length;
    this.at = text.length;
    this.isEmpty = true;
    this.afterBlank = false;
    this.fence = "";
  }

  private line(text: string, at: number, line: string): void {
    if (this.fence !== "") {
      const close = fence.exec(line);
      if (close?.[1]?.startsWith(this.fence) && line.trim() === close[1]) this.fence = "";
      return;
    }
    if (line.trim() === "") {
      if (!this.isEmpty) this.afterBlank = true;
      return;
    }
    const continues = /^\s/.test(line) || (this.isList && listItem.test(line));
    if (this.afterBlank && !continues) this.close(text, at);
    if (this.isEmpty) {
      this.isList = listItem.test(line);
      this.isEmpty = false;
    }
    this.afterBlank = false;
    this.fence = fence.exec(line)?.[1] ?? "";
  }
}
