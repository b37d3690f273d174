// Renders long texts in a list's rows incrementally, and only near the view. The visible part is rendered before a
// frame, so that no frame shows blanks. A slice of the text around it is rendered after each frame, so that no frame is
// delayed.

import { type Accessor, createContext, onCleanup, useContext } from "solid-js";

/**
 * Draw renders the part of a text between the vertical positions `from` and `to` in the window or, if
 * `isSlice` is true, only the next slice of that part. It returns whether anything changed. Text far from
 * these positions is removed only if `isSlice` is true.
 */
export type Draw = (from: number, to: number, isSlice: boolean) => boolean;

/** Drawings holds the draw functions of the long texts in a list. */
export class Drawings {
  private readonly all = new Set<Draw>();

  /**
   * `ask` is called after the rendered part of a text has changed, so that the list restores its
   * position. `follows` reports whether the list follows its end.
   */
  constructor(
    readonly ask: () => void,
    readonly follows: Accessor<boolean> = () => true,
  ) {}

  add(draw: Draw): () => void {
    this.all.add(draw);
    return () => this.all.delete(draw);
  }

  /**
   * draw renders the parts of all texts between the vertical positions `from` and `to`, and returns
   * whether anything changed.
   */
  draw(from: number, to: number): boolean {
    let changed = false;
    for (const each of this.all) if (each(from, to, false)) changed = true;
    return changed;
  }

  /**
   * drawSlice renders one more slice of a text between the vertical positions `from` and `to`. It returns
   * false if there was nothing left to render.
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
