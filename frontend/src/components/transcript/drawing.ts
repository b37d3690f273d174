// A long text in a row of a list draws only what is near the view. The list asks
// for what is in view while it settles, so that nothing is blank in any frame, and
// for a slice of what is around it after each frame, so that no frame waits for it.

import { createContext, onCleanup, useContext } from "solid-js";

/**
 * Draw draws what lies between two heights of the window, or only the next slice
 * of it, and returns whether anything changed. Only a slice lets go of what is far.
 */
export type Draw = (from: number, to: number, isSlice: boolean) => boolean;

/** Drawings are the texts that a list asks. */
export class Drawings {
  private readonly all = new Set<Draw>();

  /** ask has the list settle, since a text shows another part of itself. */
  constructor(readonly ask: () => void) {}

  add(draw: Draw): () => void {
    this.all.add(draw);
    return () => this.all.delete(draw);
  }

  /** draw has all of them draw what lies there, and returns whether anything changed. */
  draw(from: number, to: number): boolean {
    let changed = false;
    for (const each of this.all) if (each(from, to, false)) changed = true;
    return changed;
  }

  /** drawSlice has one of them draw a slice of what lies there, and returns whether there was any. */
  drawSlice(from: number, to: number): boolean {
    for (const each of this.all) if (each(from, to, true)) return true;
    return false;
  }
}

/** DrawingsContext holds the drawings of the list around; where there is none, a text draws itself whole. */
export const DrawingsContext = createContext<Drawings>();

/** useDrawings adds a drawing to those of the list around, and returns them where there is one. */
export function useDrawings(draw: Draw): Drawings | undefined {
  const drawings = useContext(DrawingsContext);
  if (drawings) onCleanup(drawings.add(draw));
  return drawings;
}
