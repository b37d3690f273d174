// Incremental rendering of long texts in a list's rows, limited to the part near the view. While the list
// settles, it renders the visible part, so that no frame shows blanks. After each frame, it renders a
// slice around that part, so that no frame is delayed.

import { createContext, onCleanup, useContext } from "solid-js";

/**
 * Draw renders a text between two vertical positions in the window or, if isSlice is true, only the next
 * slice of it. It returns whether anything changed. Parts far from these positions are removed only if
 * isSlice is true.
 */
export type Draw = (from: number, to: number, isSlice: boolean) => boolean;

/** Drawings holds the draw functions of the long texts in a list. */
export class Drawings {
  private readonly all = new Set<Draw>();

  /** ask makes the list settle after the rendered part of a text has changed. */
  constructor(readonly ask: () => void) {}

  add(draw: Draw): () => void {
    this.all.add(draw);
    return () => this.all.delete(draw);
  }

  /** draw renders all texts between two vertical positions and returns whether anything changed. */
  draw(from: number, to: number): boolean {
    let changed = false;
    for (const each of this.all) if (each(from, to, false)) changed = true;
    return changed;
  }

  /**
   * drawSlice renders one slice of one text between two vertical positions. It returns false if nothing
   * was left to render.
   */
  drawSlice(from: number, to: number): boolean {
    for (const each of this.all) if (each(from, to, true)) return true;
    return false;
  }
}

/**
 * DrawingsContext provides the drawings of the surrounding list; outside of a list, a text renders
 * completely.
 */
export const DrawingsContext = createContext<Drawings>();

/**
 * useDrawings registers a draw function with the surrounding list and returns the list's drawings, or
 * undefined outside of a list.
 */
export function useDrawings(draw: Draw): Drawings | undefined {
  const drawings = useContext(DrawingsContext);
  if (drawings) onCleanup(drawings.add(draw));
  return drawings;
}
