// Positions of the rows of a list: measured heights, estimates for the others, and the resulting offsets.

import { createMemo, createSignal } from "solid-js";

/** Maximum number of stored heights of rows no longer in the list. */
const maxHeights = 2000;

export type Rows = ReturnType<typeof createRows>;

/**
 * createRows tracks the heights and positions of the rows with the given keys. `estimate` returns the height to assume
 * for a row that hasn't been measured.
 */
export function createRows(keys: () => readonly string[], estimate: (key: string) => number) {
  const heights = new Map<string, number>();
  const [version, setVersion] = createSignal(0);
  const change = () => setVersion((n) => n + 1);
  let gap = 16;

  /** offsets[i] is the top of row i; the last entry is the end of the list. */
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
    /**
     * start returns the top of the row at an index. It returns the end of the list for the index after the last row,
     * and 0 for any other index without a row.
     */
    start: (at: number) => offsets()[at] ?? 0,
    /** end returns the position of the end of the list. */
    end: () => offsets()[keys().length] ?? 0,
    /** indexAt returns the index of the row at position y, or of the nearest row. */
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
    /** height returns the last measured height of a row, or 0. */
    height: (key: string) => heights.get(key) ?? 0,
    /** measure stores measured heights and reports whether any height has changed. */
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
    /** forget deletes the stored heights of removed rows if there are too many. */
    forget() {
      if (heights.size <= keys().length + maxHeights) return;
      const here = new Set(keys());
      for (const key of heights.keys()) if (!here.has(key)) heights.delete(key);
    },
  };
}
