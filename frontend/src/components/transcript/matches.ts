// The matches of a search in a chat. They are counted but never listed, because a single character may
// occur a million times.

import { lower } from "../../lib/marks";
import type { Match as ItemMatch } from "../../state/types";

/** A match in an item; `nth` is its 0-based index among the item's matches. */
export interface Match {
  item: ItemMatch;
  nth: number;
}

/** SearchStart is the point from which to search: the position of an item, or a point inside the item. */
export interface SearchStart {
  pos: number;
  itemId?: string;
  /** Number of matches in the item before the point from which to search. */
  before: number;
}

/** Matches holds the items of a chat that contain matches. It numbers the matches from 0 in transcript order. */
export class Matches {
  readonly total: number;
  /** The number of the first match in each item. */
  private readonly starts: number[] = [];

  constructor(private readonly places: readonly ItemMatch[] = []) {
    let total = 0;
    for (const place of places) {
      this.starts.push(total);
      total += place.count;
    }
    this.total = total;
  }

  /** at returns the match with a given number. */
  at(number: number): Match | undefined {
    if (number < 0 || number >= this.total) return undefined;
    let [low, high] = [0, this.places.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] as number) <= number) low = middle;
      else high = middle - 1;
    }
    return { item: this.places[low] as ItemMatch, nth: number - (this.starts[low] as number) };
  }

  /** numberOf returns the number of a match, or -1 if it doesn't exist. */
  numberOf(match: Match | undefined): number {
    const n = this.places.findIndex((place) => place.itemId === match?.item.itemId);
    const place = this.places[n];
    if (!match || !place || match.nth >= place.count) return -1;
    return (this.starts[n] as number) + match.nth;
  }

  /**
   * next returns the number of the first match at or after `from`, or of the last match if none follows. Without any
   * matches, it returns -1.
   */
  next(from: SearchStart): number {
    for (const [n, place] of this.places.entries()) {
      if (place.pos < from.pos) continue;
      const skipped = place.itemId === from.itemId ? from.before : 0;
      if (skipped < place.count) return (this.starts[n] as number) + skipped;
    }
    return this.total - 1;
  }
}

/**
 * TextMatches counts the matches of a query in the paragraphs of a text. It counts each paragraph only
 * once per query.
 */
export class TextMatches {
  private find = "";
  /** Cumulative number of matches up to the end of each paragraph. */
  private ends: number[] = [];

  constructor(private readonly pieces: readonly { text: string }[]) {}

  /** forget discards the counts, because the last paragraph has been replaced. */
  forget(): void {
    this.ends = [];
  }

  /**
   * at returns the index of the paragraph that contains the nth match of `find`, and the match's index
   * within that paragraph. It returns undefined if there is no such match.
   */
  at(find: string, nth: number): { piece: number; nth: number } | undefined {
    const ends = this.count(find);
    const piece = ends.findIndex((end) => nth < end);
    return piece < 0 ? undefined : { piece, nth: nth - (ends[piece - 1] ?? 0) };
  }

  /**
   * positionOf returns the offset of the nth match of `find` in the text, in UTF-16 units, or undefined
   * if there is none.
   */
  positionOf(find: string, nth: number): number | undefined {
    const at = this.at(find, nth);
    if (!at) return undefined;
    const text = lower(this.pieces[at.piece]?.text ?? "");
    let letter = -this.find.length;
    for (let left = at.nth; left >= 0; left--) letter = text.indexOf(this.find, letter + this.find.length);
    return this.charsBefore(at.piece) + letter;
  }

  /** before returns the number of matches of `find` that start before an offset. */
  before(find: string, letter: number): number {
    const ends = this.count(find);
    let start = 0;
    for (const [n, { text }] of this.pieces.entries()) {
      if (start + text.length > letter) {
        return (
          (ends[n - 1] ?? 0) + countIn(lower(text).slice(0, letter - start + this.find.length - 1), this.find)
        );
      }
      start += text.length;
    }
    return ends.at(-1) ?? 0;
  }

  /** charsBefore returns the offset of a paragraph in the text. */
  charsBefore(piece: number): number {
    let letters = 0;
    for (let n = 0; n < piece; n++) letters += this.pieces[n]?.text.length ?? 0;
    return letters;
  }

  private count(find: string): number[] {
    const low = lower(find);
    if (low !== this.find) {
      this.find = low;
      this.ends = [];
    }
    for (let n = this.ends.length; n < this.pieces.length; n++) {
      this.ends.push((this.ends[n - 1] ?? 0) + countIn(lower(this.pieces[n]?.text ?? ""), low));
    }
    return this.ends;
  }
}

/** countIn counts the non-overlapping matches of a query in a text. Both must be lowercase. */
function countIn(text: string, low: string): number {
  if (low === "") return 0;
  let count = 0;
  for (let at = text.indexOf(low); at >= 0; at = text.indexOf(low, at + low.length)) count++;
  return count;
}
