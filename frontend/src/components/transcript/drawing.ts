// A long text in a row of a list draws only what is near the view. The list
// asks for it while it settles, so that nothing is blank in any frame.

import { createContext, onCleanup, useContext } from "solid-js";

/** Draw draws what lies between two heights of the window, and returns whether anything changed. */
export type Draw = (from: number, to: number) => boolean;

/** Drawings are the texts that a list asks. */
export class Drawings {
  private readonly all = new Set<Draw>();

  /** ask has the list settle, since a text shows another part of itself. */
  constructor(readonly ask: () => void) {}

  add(draw: Draw): () => void {
    this.all.add(draw);
    return () => this.all.delete(draw);
  }

  /** draw asks all of them, and returns whether anything changed. */
  draw(from: number, to: number): boolean {
    let changed = false;
    for (const each of this.all) if (each(from, to)) changed = true;
    return changed;
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
