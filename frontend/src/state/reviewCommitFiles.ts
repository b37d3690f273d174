// The files of the next commit: all, those that the user has viewed or chosen, or those in the index.

import type { ReviewModel } from "./review";
import type { CommitInput } from "./reviewCommitInput";
import type { MessageDraftRequest, ReviewCommitFiles, ReviewCommitForm, ReviewFile } from "./types";

/** The commit box whose files are selected. */
export interface CommitFilesHost {
  readonly review: ReviewModel;
  form(): ReviewCommitForm | undefined;
  /** Returns the files that differ from HEAD, or undefined if they aren't loaded yet. */
  uncommitted(): readonly ReviewFile[] | undefined;
  /** Returns the number of uncommitted files that aren't in the list. */
  unlisted(): number;
  load(): Promise<void>;
}

/** CommitFiles holds the selection of files in one commit box. */
export class CommitFiles {
  constructor(
    private readonly input: CommitInput,
    private readonly of: CommitFilesHost,
  ) {}

  /** Changes the selection of files for the commit. It counts as chosen by the user. */
  select(files: ReviewCommitFiles): void {
    this.input.set({ picked: true });
    if (files === this.input.draft().files) return;
    const chosen =
      files === "chosen" && this.input.draft().chosen.size === 0
        ? new Set((this.of.uncommitted() ?? []).map((file) => file.path))
        : this.input.draft().chosen;
    this.input.set({ files, chosen });
    void this.of.load();
  }

  canChoose(path: string): boolean {
    return this.of.uncommitted()?.some((file) => file.path === path) === true;
  }

  isChosen(path: string): boolean {
    return this.input.draft().chosen.has(path);
  }

  /** Adds a file to the commit or, if it is already in it, removes it. */
  toggle(path: string): void {
    if (!this.canChoose(path)) return;
    const chosen = new Set(this.input.draft().chosen);
    if (!chosen.delete(path)) chosen.add(path);
    this.input.set({ chosen });
  }

  /**
   * Returns the files that a selection contains. For "staged", these are the files with any staged change. `all` are
   * the uncommitted files.
   */
  filesOf(files: ReviewCommitFiles, all = this.of.uncommitted() ?? []): readonly ReviewFile[] {
    this.of.review.rev();
    switch (files) {
      case "viewed":
        return all.filter((file) => this.isViewed(file));
      case "chosen":
        return all.filter((file) => this.input.draft().chosen.has(file.path));
      case "staged":
        return all.filter((file) => file.staged);
      default:
        return all;
    }
  }

  /**
   * Reports whether the user has viewed an uncommitted file. If the review shows another source, viewing the file there
   * counts too, but only if its changes are the same in both.
   */
  private isViewed(file: ReviewFile): boolean {
    const shown = this.of.review.file(file.path);
    if (shown && this.of.review.source === "working") return shown.file.viewed === true;
    return file.viewed === true || (shown?.file.viewed === true && shown.version === file.version);
  }

  /**
   * Returns the versions of the files of a selection, by path: those that the review shows or, if it shows another
   * source, those in the list of uncommitted files.
   */
  versions(files: ReviewCommitFiles): Record<string, string> {
    const isShown = this.of.review.source === "working";
    return Object.fromEntries(
      this.filesOf(files).map((file) => {
        const shown = isShown ? this.of.review.file(file.path) : undefined;
        return [file.path, shown?.version ?? file.version];
      }),
    );
  }

  /** Returns the number of files that a selection contains. Those that aren't listed are only in "all". */
  count(files: ReviewCommitFiles): number {
    if (files === "staged") return this.of.form()?.staged ?? 0;
    return this.filesOf(files).length + (files === "all" ? this.of.unlisted() : 0);
  }

  /**
   * Returns the paths of the viewed or chosen files, including the old paths of moved files. For another selection, it
   * returns none.
   */
  paths(files: ReviewCommitFiles, all = this.of.uncommitted() ?? []): string[] {
    if (files !== "viewed" && files !== "chosen") return [];
    return this.filesOf(files, all).flatMap((file) => (file.from ? [file.path, file.from] : [file.path]));
  }

  /**
   * Returns the number of files with conflict markers among the viewed or chosen files. For another selection, it
   * counts all uncommitted files with conflict markers.
   */
  conflicts(): number {
    return this.filesOf(this.input.draft().files).filter((file) => (file.conflict ?? 0) > 0).length;
  }

  /** Returns the selected files as a request for a drafted message. */
  selection(): MessageDraftRequest {
    const { files, amend } = this.input.draft();
    const paths = this.paths(files);
    return { files, ...(paths.length > 0 && { paths }), ...(amend && { amend }) };
  }
}
