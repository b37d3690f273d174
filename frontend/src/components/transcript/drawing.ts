// Incremental rendering of long texts in a list's rows, only near the view. The list renders the visible
// part while it settles, so that no frame shows blanks, and a slice around it after each frame, so that
// no frame is delayed.

import { createContext, onCleanup, useContext } from "solid-js";

/**
 * Draw renders the part between two vertical positions in the window, or only the next slice of it, and
 * returns whether anything changed. Only a slice call removes distant parts.
 */
export type Draw = (from: number, to: number, isSlice: boolean) => boolean;

/** Drawings holds the incremental texts of a list. */
export class Drawings {
  private readonly all = new Set<Draw>();

  /** ask makes the list settle after a text has changed its rendered part. */
  constructor(readonly ask: () => void) {}

  add(draw: Draw): () => void {
    this.all.add(draw);
    return () => this.all.delete(draw);
  }

  /** draw renders all texts in an area and returns whether anything changed. */
  draw(from: number, to: number): boolean {
    let changed = false;
    for (const each of this.all) if (each(from, to, false)) changed = true;
    return changed;
  }

  /** drawSlice renders a slice of one text in an area and returns whether there was any. */
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

/** useDrawings registers a drawing with the surrounding list, if any, and returns the list's drawings. */
export function useDrawings(draw: Draw): Drawings | undefined {
  const drawings = useContext(DrawingsContext);
  if (drawings) onCleanup(drawings.add(draw));
  return drawings;
}
