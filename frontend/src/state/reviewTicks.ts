// The user's progress in a review: viewed files and kept changes.

import { call } from "../bridge";
import type { ReviewCanvas } from "./reviewCanvas";
import type { FileView } from "./reviewFile";

/** The review that a Ticks object belongs to. */
export interface TicksHost {
  readonly chatId: string;
  readonly source: string;
  readonly canvas: ReviewCanvas;
  /** Runs `change` on a file and renders the file again. */
  change(file: FileView, change: () => void): void;
  /** Signals that the state of a file has changed. */
  bump(): void;
  /** Records the reason why an action failed. */
  fail(thrown: unknown): void;
}

/** Ticks marks files as viewed, and changes as kept. */
export class Ticks {
  constructor(private readonly review: TicksHost) {}

  /** Records whether a file has been viewed. A viewed file is collapsed unless `open` is set. */
  async setViewed(file: FileView, viewed: boolean, open = false): Promise<void> {
    const set = (on: boolean) =>
      this.review.change(file, () => {
        if (on) file.keepAll();
        else file.kept.clear();
        file.file = { ...file.file, viewed: on };
        if (!open || !on) file.isFolded = on;
      });
    set(viewed);
    try {
      await call("ReviewViewed", this.review.chatId, this.review.source, file.path, file.version, viewed);
    } catch (thrown) {
      set(!viewed);
      this.review.fail(thrown);
    }
  }

  /**
   * Marks a change as kept or, if it is already kept, removes the mark. If all changes of a file are kept, the file
   * counts as viewed. Returns whether the change is now kept.
   */
  keepHunk(file: FileView, hunk: number): boolean {
    const key = file.keptKey(hunk);
    const keeps = !file.kept.delete(key);
    if (keeps) file.kept.add(key);
    if (file.isAllKept !== (file.file.viewed === true)) void this.setViewedByKeeping(file, file.isAllKept);
    this.review.canvas.redraw(file.path);
    this.review.bump();
    return keeps;
  }

  /** Records whether a file has been viewed, because all of its changes are kept or no longer are. */
  async setViewedByKeeping(file: FileView, viewed: boolean): Promise<void> {
    const kept = [...file.kept];
    const work = this.setViewed(file, viewed, true);
    if (!viewed) for (const key of kept) file.kept.add(key);
    this.review.canvas.redraw(file.path);
    await work;
  }
}
