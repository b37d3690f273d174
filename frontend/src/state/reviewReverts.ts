// The changes that the review makes to files on disk: it reverts parts of changes and resolves conflicts. Both can be
// undone.

import { createSignal } from "solid-js";
import { call } from "../bridge";
import type { Conflict, Place } from "./reviewCanvas";
import { type FileView, linesIn, type PutBackNote, putBackPlace } from "./reviewFile";
import { ChosenPart } from "./reviewPart";
import type { ReviewBlock } from "./reviewTypes";
import type { ReviewPutBackResult } from "./types";

/** The review that a Reverts object belongs to. */
export interface RevertsHost {
  readonly chatId: string;
  readonly source: string;
  file(path: string): FileView | undefined;
  /**
   * Runs an action after all earlier ones. The promise resolves to the action's result, or to false if the action
   * failed.
   */
  act(run: () => Promise<boolean>): Promise<boolean>;
  /** Makes a change the one that shortcuts act on. */
  setCurrent(place: Place): void;
  /** Removes the selection. */
  setRange(range: undefined): void;
  /** Reloads a file and the list after the file has been changed. */
  afterChange(file: FileView, isExact: boolean): Promise<void>;
  /** Reloads the list of files after a change on disk. */
  reloadChanged(fresh?: boolean): Promise<void>;
}

/** Reverts is the part of a review that changes files on disk. It records the changes, so that they can be undone. */
export class Reverts {
  /** The parts that wait for earlier actions or are being reverted. */
  private readonly waiting: ChosenPart[] = [];
  private readonly done: { path: string; id: string; isConflict: boolean; at: number }[] = [];
  private readonly signals = { conflict: createSignal<Conflict>(), count: createSignal(0) };

  /** The comparison shown if a part couldn't be reverted or restored because of later changes. */
  readonly conflict = this.signals.conflict[0];
  /** Number of currently reverted parts, not counting resolved conflicts. */
  readonly count = this.signals.count[0];

  constructor(private readonly review: RevertsHost) {}

  closeConflict(): void {
    this.signals.conflict[1](undefined);
  }

  /**
   * Reverts blocks of a file or, if `blocks` is undefined, all its changes. The promise resolves to true on success.
   * A part that is already waiting to be reverted isn't reverted twice.
   */
  async putBack(file: FileView, blocks?: readonly ReviewBlock[], section = ""): Promise<boolean> {
    const part = new ChosenPart(file, blocks);
    if (this.waiting.some((each) => each.equals(part))) return false;
    this.waiting.push(part);
    try {
      return await this.review.act(() => this.putBackNow(part, section));
    } finally {
      this.waiting.splice(this.waiting.indexOf(part), 1);
    }
  }

  private async putBackNow(part: ChosenPart, section: string): Promise<boolean> {
    const file = this.review.file(part.path);
    if (!file || file.isGone) return false; // earlier actions have reverted all of its changes
    const { version, blocks } = part.in(file);
    const at = blocks?.[0]?.[2] ?? 0;
    const now = {
      source: this.review.source,
      path: file.path,
      version,
      ...(blocks && { blocks: blocks.map((block) => [...block]) }),
    };
    return this.write(file, () => call("ReviewPutBack", this.review.chatId, now), {
      lines: blocks ? linesIn(blocks) : file.file.added + file.file.removed,
      place: putBackPlace(section) || (file.path.split("/").at(-1) ?? file.path),
      at,
      hunk: file.hunkAt(at),
    });
  }

  /**
   * Changes a file on disk by calling `change`, and adds a note with which the user can undo that. The promise resolves
   * to true if the file was changed.
   */
  change(
    file: FileView,
    change: () => Promise<ReviewPutBackResult>,
    note: Omit<PutBackNote, "id" | "merged">,
  ): Promise<boolean> {
    return this.review.act(() => this.write(file, change, note));
  }

  private async write(
    file: FileView,
    change: () => Promise<ReviewPutBackResult>,
    note: Omit<PutBackNote, "id" | "merged">,
  ): Promise<boolean> {
    try {
      const result = await change();
      if (result.diff) {
        this.signals.conflict[1]({ path: file.path, diff: result.diff });
        return false;
      }
      const id = result.id ?? "";
      file.notes = [...file.notes, { ...note, id, merged: result.merged === true }];
      this.done.push({ path: file.path, id, isConflict: note.resolved !== undefined, at: note.at });
      this.recount();
      this.review.setRange(undefined);
      await this.review.afterChange(file, result.merged !== true);
      return true;
    } catch (thrown) {
      void this.review.reloadChanged();
      throw thrown;
    }
  }

  private recount(): void {
    this.signals.count[1](this.done.filter((part) => !part.isConflict).length);
  }

  /** Whether there is a change that can be undone, or will be after the running actions. */
  get canRestore(): boolean {
    return this.done.length + this.waiting.length > 0;
  }

  /**
   * Undoes a change made by this review: the one with the given ID or, by default, the newest one once all earlier
   * actions have ended. The restored part becomes the current change. The promise resolves to true on success.
   */
  restore(id?: string): Promise<boolean> {
    return this.review.act(async () => {
      const at = id === undefined ? this.done.length - 1 : this.done.findIndex((each) => each.id === id);
      const part = this.done[at];
      if (!part) return false;
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
      } else await this.review.reloadChanged(true);
      const now = this.review.file(part.path);
      if (now) this.review.setCurrent({ path: part.path, hunk: now.hunkAt(part.at) });
      return true;
    });
  }
}
