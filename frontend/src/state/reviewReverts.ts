// The changes that the review makes to files on disk: parts that are put back, and resolved conflicts. Each can be
// taken back.

import { createSignal } from "solid-js";
import { call } from "../bridge";
import type { Conflict } from "./reviewCanvas";
import { type FileView, linesIn, type PutBackNote, putBackPlace } from "./reviewFile";
import type { ReviewBlock } from "./reviewTypes";
import type { ReviewPutBackResult } from "./types";

/** The review whose files are changed. */
export interface RevertsHost {
  readonly chatId: string;
  readonly source: string;
  file(path: string): FileView | undefined;
  /** Runs an action unless another one is running. Resolves with its result, or with false if it fails. */
  act(run: () => Promise<boolean>): Promise<boolean>;
  /** Removes the selection. */
  setRange(range: undefined): void;
  /** Loads a file and the list again after the file was changed. */
  afterChange(file: FileView, isExact: boolean): Promise<void>;
  reload(fresh?: boolean): Promise<void>;
}

/** Reverts holds the changes that a review made to files on disk. */
export class Reverts {
  private readonly done: { path: string; id: string; isConflict: boolean }[] = [];
  private readonly signals = { conflict: createSignal<Conflict>(), count: createSignal(0) };

  /** Both sides of a part that wasn't put back. */
  readonly conflict = this.signals.conflict[0];
  /** Number of parts that are currently put back, not counting resolved conflicts. */
  readonly count = this.signals.count[0];

  constructor(private readonly review: RevertsHost) {}

  closeConflict(): void {
    this.signals.conflict[1](undefined);
  }

  /** Puts back blocks of a file, or the whole file if `blocks` is undefined. Resolves with true on success. */
  putBack(file: FileView, blocks?: readonly ReviewBlock[], section = ""): Promise<boolean> {
    const part = {
      source: this.review.source,
      path: file.path,
      version: file.version,
      ...(blocks && { blocks: blocks.map((block) => [...block]) }),
    };
    return this.change(file, () => call("ReviewPutBack", this.review.chatId, part), {
      lines: blocks ? linesIn(blocks) : file.file.added + file.file.removed,
      place: putBackPlace(section) || (file.path.split("/").at(-1) ?? file.path),
      at: blocks?.[0]?.[2] ?? 0,
    });
  }

  /**
   * Changes a file on disk and adds the note that takes the change back. Resolves with whether the file was
   * changed.
   */
  change(
    file: FileView,
    change: () => Promise<ReviewPutBackResult>,
    note: Omit<PutBackNote, "id" | "merged">,
  ): Promise<boolean> {
    return this.review.act(async () => {
      try {
        const result = await change();
        if (result.diff) {
          this.signals.conflict[1]({ path: file.path, diff: result.diff });
          return false;
        }
        const id = result.id ?? "";
        file.notes = [...file.notes, { ...note, id, merged: result.merged === true }];
        this.done.push({ path: file.path, id, isConflict: note.resolved !== undefined });
        this.recount();
        this.review.setRange(undefined);
        await this.review.afterChange(file, result.merged !== true);
        return true;
      } catch (thrown) {
        void this.review.reload();
        throw thrown;
      }
    });
  }

  private recount(): void {
    this.signals.count[1](this.done.filter((part) => !part.isConflict).length);
  }

  /** Whether a change of this review can be taken back. */
  get canRestore(): boolean {
    return this.done.length > 0;
  }

  /** Restores a part that was put back; the last one if `id` is undefined. */
  async restore(id = this.done.at(-1)?.id): Promise<boolean> {
    const at = this.done.findIndex((each) => each.id === id);
    const part = this.done[at];
    if (!part) return false;
    return this.review.act(async () => {
      const result = await call("ReviewRedo", this.review.chatId, part.id);
      if (result?.diff) {
        this.signals.conflict[1]({ path: part.path, diff: result.diff });
        return false;
      }
      this.done.splice(at, 1);
      this.recount();
      const file = this.review.file(part.path);
      if (file) {
        file.notes = file.notes.filter((note) => note.id !== part.id);
        await this.review.afterChange(file, result?.merged !== true);
      } else await this.review.reload(true);
      return true;
    });
  }
}
