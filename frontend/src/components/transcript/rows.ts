// Where the rows of a list are: heights that were measured, guesses for the others,
// and the offsets that follow from both.

import { createMemo, createSignal } from "solid-js";

/** How many heights of rows that are not in the list are remembered. */
const mostHeights = 2000;

export type Rows = ReturnType<typeof createRows>;

/** createRows holds the heights of the rows with these keys. */
export function createRows(keys: () => readonly string[], estimate: (key: string) => number) {
  const heights = new Map<string, number>();
  const [version, setVersion] = createSignal(0);
  const change = () => setVersion((n) => n + 1);
  let gap = 16;

  /** offsets[i] is where row i begins; the last one is where the list ends. */
  const offsets = createMemo(() => {
    version();
    const all = keys();
    const out = new Float64Array(all.length + 1);
    let at = 0;
    for (let i = 0; i < all.length; i++) {
      out[i] = at;
      const key = all[i] as string;
      at += (heights.get(key) ?? estimate(key)) + gap;
    }
    out[all.length] = Math.max(0, at - gap);
    return out;
  });

  return {
    /** start returns where a row begins, or the list ends; 0 where there is no such row. */
    start: (at: number) => offsets()[at] ?? 0,
    /** end returns where the list ends. */
    end: () => offsets()[keys().length] ?? 0,
    /** indexAt returns the row that is at a place, or the nearest. */
    indexAt(y: number): number {
      const all = offsets();
      let [low, high] = [0, Math.max(0, keys().length - 1)];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((all[middle] ?? 0) <= y) low = middle;
        else high = middle - 1;
      }
      return low;
    },
    gap: () => gap,
    setGap(to: number) {
      gap = to;
      change();
    },
    /** height returns the height that a row had when it was measured last, or 0. */
    height: (key: string) => heights.get(key) ?? 0,
    /** measure takes heights from the page; it reports whether one is news. */
    measure(measured: Iterable<readonly [key: string, height: number]>): boolean {
      let isNews = false;
      for (const [key, height] of measured) {
        if (height === 0 || heights.get(key) === height) continue;
        heights.set(key, height);
        isNews = true;
      }
      if (isNews) change();
      return isNews;
    },
    /** forget keeps the heights of rows that are gone in bounds. */
    forget() {
      if (heights.size <= keys().length + mostHeights) return;
      const here = new Set(keys());
      for (const key of heights.keys()) if (!here.has(key)) heights.delete(key);
    },
  };
}
