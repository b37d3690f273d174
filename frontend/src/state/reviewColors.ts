// Highlights the code of a review page by page. The tokenizer starts each page in the state in which it ended the
// previous one, so that a comment or string that spans pages has one color. Until that state is known, a page is
// highlighted as if it were the first one.

import { type CodeRun, type CodeState, highlightLines, languageOf } from "../lib/highlight";

/**
 * Index of the last page whose colors depend on earlier pages. Later pages are highlighted as if they were the first
 * one.
 */
export const maxCarried = 40;

/** A page of one text. */
export interface CodePage {
  lines: readonly string[];
  runs?: CodeRun[][];
  /** Whether the colors are final: they were computed from the correct state, or the page can't be highlighted. */
  isExact?: boolean;
}

export interface ColorsHost {
  /** Returns a page of the text, or undefined if it isn't in memory. */
  page(at: number): CodePage | undefined;
  /** Loads the lines of a page that isn't in memory. The promise resolves to undefined if they can't be loaded. */
  read(at: number): Promise<readonly string[] | undefined>;
  /** Called after a page has been highlighted. `again` is true if the page had other colors before. */
  colored(again: boolean): void;
}

/** TextColors highlights one text, such as a side of a file. */
export class TextColors {
  /**
   * The tokenizer's state after each page, from the first page on; undefined after a page that can't be highlighted.
   */
  private readonly states: (CodeState | undefined)[] = [];
  private wanted: [from: number, to: number] | undefined;
  private isRunning = false;
  private readonly language: string;

  constructor(
    path: string,
    private readonly host: ColorsHost,
  ) {
    this.language = languageOf(path);
  }

  /** Highlights the pages from `from` to `to`, and the earlier pages that determine their colors. */
  want(from: number, to: number): void {
    if (this.language === "") return;
    this.wanted = [from, to];
    if (!this.isRunning) void this.run();
  }

  /** Stops highlighting, because the view has moved. */
  forget(): void {
    this.wanted = undefined;
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    try {
      for (let at = this.next(); at !== undefined && (await this.step(at)); at = this.next());
    } finally {
      this.isRunning = false;
    }
  }

  /** Returns the page to highlight next, or undefined if there is none. Pages in view come before earlier pages. */
  private next(): number | undefined {
    if (!this.wanted) return undefined;
    const [from, to] = this.wanted;
    let isInexact = false;
    for (let at = from; at <= to; at++) {
      const page = this.host.page(at);
      if (!page || page.isExact) continue;
      if (!page.runs || this.knows(at)) return at;
      isInexact = true;
    }
    return isInexact ? this.states.length : undefined;
  }

  /** Reports whether the tokenizer's state before a page is known. */
  private knows(at: number): boolean {
    return at <= this.states.length;
  }

  /** Highlights a page. The promise resolves to false if the page's lines can't be loaded. */
  private async step(at: number): Promise<boolean> {
    const lines = this.host.page(at)?.lines ?? (await this.host.read(at));
    if (!lines) return false;
    const isExact = this.knows(at);
    const done = await highlightLines({
      lines,
      language: this.language,
      state: isExact ? this.states[at - 1] : undefined,
      isWanted: () => this.wanted !== undefined,
    });
    if (!done && !this.wanted) return true;
    if (at === this.states.length) this.states.push(done?.state);
    const page = this.host.page(at);
    if (!page) return true;
    page.isExact = isExact || !done || at > maxCarried;
    if (!done || (page.runs && isSame(page.runs, done.runs))) return true;
    const again = page.runs !== undefined;
    page.runs = done.runs;
    this.host.colored(again);
    return true;
  }
}

function isSame(a: readonly CodeRun[][], b: readonly CodeRun[][]): boolean {
  return a.every((runs, line) => {
    const others = b[line] ?? [];
    return (
      runs.length === others.length &&
      runs.every(({ text, class: look }, at) => text === others[at]?.text && look === others[at]?.class)
    );
  });
}
