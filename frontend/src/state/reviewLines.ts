// The texts of a review's lines. They are loaded page by page as they come into view, and kept in memory up to a limit.

import type { CodeRun } from "../lib/highlight";
import { type CodePage, TextColors } from "./reviewColors";
import type { ReviewLines, ReviewSide } from "./types";

/** Number of lines per page. */
export const pageLines = 500;
/** Maximum number of pages in memory. */
const maxPages = 240;
/** Maximum number of concurrent requests. */
const maxRequests = 4;
/** Maximum number of texts whose tokenizer states are kept in memory. */
const maxColored = 64;

/** Identifies the text of one side of a file. */
export interface TextKey {
  path: string;
  version: string;
  side: ReviewSide;
}

interface LinePage extends Partial<CodePage> {
  key: TextKey;
  from: number;
  cut?: Set<number>;
  failed?: boolean;
}

export interface LineStoreHost {
  read(key: TextKey, from: number, count: number): Promise<ReviewLines>;
  /** Called after a page's text or colors have been loaded. `again` is true if the page had other colors before. */
  arrived(key: TextKey, again: boolean): void;
  /** Called if a page can't be loaded. `thrown` is the error. */
  failed(key: TextKey, thrown: unknown): void;
}

const textIdOf = (key: TextKey) => `${key.side}\n${key.version}\n${key.path}`;
const idOf = (key: TextKey, page: number) => `${key.side}\n${page}\n${key.version}\n${key.path}`;

/** LineStore loads pages of lines and keeps them in memory. */
export class LineStore {
  /** Pages by ID, the least recently used first. */
  private readonly pages = new Map<string, LinePage>();
  private readonly wanted = new Map<string, LinePage>();
  private readonly colors = new Map<string, TextColors>();
  private running = 0;

  constructor(private readonly host: LineStoreHost) {}

  private pageOf(key: TextKey, line: number): LinePage | undefined {
    return this.pages.get(idOf(key, Math.floor(line / pageLines)));
  }

  /** Returns a line's text, or undefined if it isn't loaded. */
  text(key: TextKey, line: number): string | undefined {
    return this.pageOf(key, line)?.lines?.[line % pageLines];
  }

  /** Reports whether the app has truncated a line. */
  isCut(key: TextKey, line: number): boolean {
    return this.pageOf(key, line)?.cut?.has(line % pageLines) === true;
  }

  /** Returns a line's highlighted runs, or undefined if it has none yet. */
  runs(key: TextKey, line: number): CodeRun[] | undefined {
    return this.pageOf(key, line)?.runs?.[line % pageLines];
  }

  /** Loads the page with a line, if it isn't loaded. */
  async load(key: TextKey, line: number): Promise<void> {
    if (this.text(key, line) !== undefined) return;
    const page = Math.floor(line / pageLines);
    const { lines, cut } = await this.host.read(key, page * pageLines, pageLines);
    const loaded = this.pages.get(idOf(key, page)) ?? { key, from: page * pageLines };
    loaded.lines ??= lines;
    if (cut?.length) loaded.cut = new Set(cut);
    this.pages.set(idOf(key, page), loaded);
  }

  /** Cancels pending loading and highlighting, because the view has moved. */
  forget(): void {
    this.wanted.clear();
    for (const colors of this.colors.values()) colors.forget();
  }

  /**
   * Requests the pages with the lines `from` to `to` (inclusive). The least recently requested pages are evicted first.
   */
  want(key: TextKey, from: number, to: number): void {
    for (let page = Math.floor(from / pageLines); page <= Math.floor(to / pageLines); page++) {
      const id = idOf(key, page);
      const known = this.pages.get(id);
      if (known) {
        this.pages.delete(id);
        this.pages.set(id, known);
      } else if (!this.wanted.has(id)) this.wanted.set(id, { key, from: page * pageLines });
    }
    this.pump();
  }

  private pump(): void {
    for (const [id, page] of this.wanted) {
      if (this.running >= maxRequests) return;
      this.wanted.delete(id);
      this.pages.set(id, page);
      this.running++;
      this.host
        .read(page.key, page.from, pageLines)
        .then(
          (answer) => {
            page.lines = answer.lines;
            if (answer.cut?.length) page.cut = new Set(answer.cut);
            this.host.arrived(page.key, false);
          },
          (thrown) => {
            page.failed = true;
            this.pages.delete(id);
            this.host.failed(page.key, thrown);
          },
        )
        .finally(() => {
          this.running--;
          this.pump();
        });
    }
    this.evict();
  }

  private evict(): void {
    for (const [id, page] of this.pages) {
      if (this.pages.size <= maxPages) return;
      if (page.lines) this.pages.delete(id);
    }
  }

  /** Highlights the pages with the lines `from` to `to` (inclusive), as far as they are loaded. */
  color(key: TextKey, from: number, to: number): void {
    this.colorsOf(key).want(Math.floor(from / pageLines), Math.floor(to / pageLines));
  }

  private colorsOf(key: TextKey): TextColors {
    const id = textIdOf(key);
    const known = this.colors.get(id);
    if (known) return known;
    const made = new TextColors(key.path, {
      page: (at) => {
        const page = this.pages.get(idOf(key, at));
        return page?.lines && (page as CodePage);
      },
      read: (at) =>
        this.host.read(key, at * pageLines, pageLines).then(
          ({ lines }) => lines,
          () => undefined,
        ),
      colored: (again) => this.host.arrived(key, again),
    });
    this.colors.set(id, made);
    if (this.colors.size > maxColored) this.colors.delete(this.colors.keys().next().value ?? "");
    return made;
  }

  /** Evicts the pages of all versions of a file other than `version`. */
  drop(path: string, version: string): void {
    for (const [id, page] of this.pages)
      if (page.key.path === path && page.key.version !== version) {
        this.pages.delete(id);
        this.colors.delete(textIdOf(page.key));
      }
  }
}
