// Finds text in all changes of a review. The app searches, because the page has loaded only a few of the lines.

import { createSignal } from "solid-js";
import { api } from "../../bridge";
import type { ReviewModel } from "../../state/review";
import type { ReviewMatch, ReviewMatches, ReviewSide } from "../../state/types";
import { MaxReviewMatches } from "../../state/types";
import type { Canvas } from "./canvas";
import type { FoundRange } from "./code";

/** Delay in milliseconds between the last keystroke and the search. */
const typingMillis = 150;

const none: readonly FoundRange[] = [];

/** FindState holds the state of the find bar: the matches of the typed text, and which of them is current. */
export class FindState {
  private readonly opened = createSignal(false);
  private readonly answer = createSignal<ReviewMatches>();
  private readonly index = createSignal(-1);
  private readonly changes = createSignal(0);
  private readonly problem = createSignal("");
  private readonly byLine = new Map<string, ReviewMatch[]>();
  private asked = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private text = "";
  canvas: Canvas | undefined;

  constructor(private readonly model: ReviewModel) {}

  readonly isOpen = this.opened[0];
  readonly found = this.answer[0];
  readonly at = this.index[0];
  /** Changes whenever the highlighted matches change. */
  readonly rev = this.changes[0];
  readonly failure = this.problem[0];

  open(): void {
    this.opened[1](true);
  }

  close(): void {
    this.asked++;
    clearTimeout(this.timer);
    this.opened[1](false);
    this.text = "";
    this.set(undefined);
  }

  private set(found: ReviewMatches | undefined): void {
    this.byLine.clear();
    for (const match of found?.matches ?? []) {
      const key = keyOf(match.path, match.side, match.line);
      this.byLine.set(key, [...(this.byLine.get(key) ?? []), match]);
    }
    this.answer[1](found);
    this.index[1](-1);
    this.changes[1]((n) => n + 1);
  }

  /**
   * Searches for a text after a short delay, and scrolls to the first match in the topmost visible file or a later one.
   * If there is none, it scrolls to the first of all matches.
   */
  type(text: string, topPath: () => string): void {
    this.text = text;
    clearTimeout(this.timer);
    this.problem[1]("");
    if (text === "") {
      this.asked++;
      this.set(undefined);
      return;
    }
    this.timer = setTimeout(() => void this.search(topPath()), typingMillis);
  }

  private async search(topPath: string): Promise<void> {
    const mine = ++this.asked;
    try {
      const found = await api.reviewFind(this.model.query, this.text, MaxReviewMatches);
      if (mine !== this.asked) return;
      this.set(found);
      const first = found.matches.findIndex((match) => match.path >= topPath);
      if (found.matches.length > 0) await this.go(Math.max(first, 0));
    } catch (thrown) {
      if (mine === this.asked) this.problem[1]((thrown as Error).message);
    }
  }

  /** Moves by a number of matches, negative for backward, and wraps around at the ends. */
  step(by: number): Promise<void> {
    const count = this.found()?.matches.length ?? 0;
    if (count === 0) return Promise.resolve();
    return this.go((((this.at() + by) % count) + count) % count);
  }

  /** Scrolls to a match. Expands the match's file and the hidden lines around the match if necessary. */
  private async go(index: number): Promise<void> {
    const match = this.found()?.matches[index];
    const { model } = this;
    const file = match && model.file(match.path);
    if (!file || !match) return;
    this.index[1](index);
    const mine = this.asked;
    if (file.isFolded || (file.isLarge && !file.isRequested))
      model.change(file, () => {
        file.isFolded = false;
        file.isRequested = true;
      });
    if (!file.diff) await model.readDiff(file);
    if (mine !== this.asked || this.at() !== index) return;
    const place = { side: match.side, at: match.line };
    if (file.rows.rowOf(place.side, place.at) < 0) {
      model.change(file, () => {
        file.reveal(place);
      });
    }
    this.changes[1]((n) => n + 1);
    this.canvas?.reveal(file.path, file.rows.rowOf(place.side, place.at));
  }

  /** Returns the matches in a line of a file. */
  inLine(path: string, side: ReviewSide, line: number): readonly FoundRange[] {
    if (this.byLine.size === 0) return none;
    const matches = this.byLine.get(keyOf(path, side, line));
    if (!matches) return none;
    const now = this.found()?.matches[this.at()];
    return matches.map((match) => ({ range: [match.start, match.end], now: match === now }));
  }
}

const keyOf = (path: string, side: ReviewSide, line: number) => `${side}${line} ${path}`;
