// The comments of a review, as the app stores them, and the actions on them.

import { createMemo, createSignal } from "solid-js";
import { api, call, toAppError } from "../bridge";
import type { ReviewModel } from "./review";
import { commentInserts } from "./reviewCommentRows";
import { type CommentLines, CommentTexts } from "./reviewCommentTexts";
import type { FileView } from "./reviewFile";
import { CommentPlaces } from "./reviewPlaces";
import { ActionQueue } from "./reviewQueue";
import type { Insert } from "./reviewRows";
import type { ReviewComment } from "./types";

/** CommentsModel holds the comments of one review. */
export class CommentsModel {
  private loads = 0;
  /** The texts that the user is writing. */
  readonly texts: CommentTexts;
  private readonly places = new CommentPlaces(() => this.review.query);
  private readonly signals = {
    list: createSignal<readonly ReviewComment[]>([]),
    problem: createSignal(""),
    /** IDs of resolved comments whose text is shown. */
    opened: createSignal<ReadonlySet<string>>(new Set()),
  };

  readonly list = this.signals.list[0];
  /** The reason why the last action failed, or "". */
  readonly problem = this.signals.problem[0];
  private readonly actions = new ActionQueue();
  readonly isBusy = this.actions.isBusy;
  readonly opened = this.signals.opened[0];
  /** Comments that aren't sent yet. */
  readonly drafts = createMemo(() => this.list().filter((comment) => comment.state === "draft"));
  /** Comments that the agent suggests. */
  readonly suggestions = createMemo(() => this.list().filter((comment) => comment.state === "suggested"));
  /** Unsent comments on files that no longer exist. */
  readonly gone = createMemo(() => this.drafts().filter((comment) => comment.gone));
  private readonly counts = createMemo(() => {
    const counts = new Map<string, number>();
    for (const { path, state } of this.list())
      if (state !== "resolved") counts.set(path, (counts.get(path) ?? 0) + 1);
    return counts;
  });

  constructor(readonly review: ReviewModel) {
    this.texts = new CommentTexts({
      chatId: review.chatId,
      redraw: (paths) => this.redraw(paths),
      fail: (thrown) => this.fail(thrown),
    });
    review.insertsOf = (file) => this.insertsOf(file);
    review.prepareInserts = (path, version) => this.places.locate(path, version, this.list());
  }

  get chatId(): string {
    return this.review.chatId;
  }

  async load(): Promise<void> {
    const mine = ++this.loads;
    try {
      const list = (await api.reviewComments(this.chatId)) ?? [];
      const shown = this.review.files.filter((file) => file.state === "rows");
      await Promise.all(shown.map((file) => this.places.locate(file.path, file.version, list)));
      if (mine !== this.loads) return;
      const before = this.list();
      this.signals.list[1](list);
      this.redraw(new Set([...before, ...list].map((comment) => comment.path)));
    } catch (thrown) {
      if (mine === this.loads) this.fail(thrown);
    }
  }

  /** Returns the number of unresolved comments on a file. */
  count(path: string): number {
    return this.counts().get(path) ?? 0;
  }

  /**
   * Returns a comment with its lines in the visible version of its file. They are -1 if the version doesn't contain
   * them, and the original ones until they have been located.
   */
  comment(id: string): ReviewComment | undefined {
    const comment = this.list().find((each) => each.id === id);
    const places = comment && this.places.of(comment.path);
    if (!comment || !places?.known.has(id)) return comment;
    return { ...comment, ...(places.byId.get(id) ?? { start: -1, end: -1 }) };
  }

  /** Computes the rows of files again. The visible content stays in place. */
  private redraw(paths: ReadonlySet<string>): void {
    this.review.canvas.keep(() => {
      for (const path of paths) {
        const file = this.review.file(path);
        if (file) this.review.build(file);
      }
    });
  }

  /** Returns the rows for the comments and forms of a file. */
  private insertsOf(file: FileView): Insert[] {
    const own = this.list().filter(({ path }) => path === file.path);
    const forms = this.texts
      .forms()
      .filter(({ path, source }) => path === file.path && source === this.review.source);
    const isUnknown = (comment: ReviewComment) => !this.places.has(comment, file.version);
    if (file.state === "rows" && file.diff && own.some(isUnknown))
      void this.places.locate(file.path, file.version, own).then(() => this.redraw(new Set([file.path])));
    return commentInserts(file, own, forms, this.places, this.review.split);
  }

  /** Opens the form for a comment on a range of lines, and returns the form's ID. */
  start({ path, side, start, end }: CommentLines, text = ""): string {
    const { source } = this.review;
    const version = this.review.file(path)?.version ?? "";
    const id = [side, end, source, version, path].join(":");
    this.texts.start({ path, side, start, end, id, text, source, version });
    return id;
  }

  /** Stores the comment of a form and closes the form. If storing fails, the form stays open. */
  async add(id: string): Promise<boolean> {
    const form = this.texts.form(id);
    if (!form || form.text.trim() === "") return false;
    const { path, side, start, end, source, version } = form;
    const isOpen = () => this.texts.form(id) !== undefined;
    return this.act(async () => {
      const added = await call("AddReviewComment", this.chatId, {
        source,
        path,
        version,
        side,
        start,
        end,
        text: form.text.trim(),
      });
      this.loads++;
      this.texts.remove(id);
      if (added) {
        if (this.review.file(path)?.version === version) this.places.add({ ...added, start, end }, version);
        this.signals.list[1]([...this.list().filter((each) => each.id !== added.id), added]);
      }
      this.redraw(new Set([path]));
    }, isOpen);
  }

  /** Ends editing a comment without storing its text. The user can bring a changed text back with `restoreDropped`. */
  cancelEdit(id: string): void {
    const text = this.texts.edits().get(id);
    if (text !== undefined && text !== this.comment(id)?.text) this.texts.drop({ kind: "edit", id, text });
    this.texts.edit(id, undefined);
  }

  /** Stores the edited text of a comment. */
  async save(id: string): Promise<boolean> {
    const text = this.texts.edits().get(id)?.trim() ?? "";
    if (text === "") return false;
    const done = await this.act(() => call("EditReviewComment", id, text));
    if (!done) return false;
    this.change(id, { text });
    this.texts.edit(id, undefined);
    return true;
  }

  private change(id: string, change: Partial<ReviewComment>): void {
    this.signals.list[1](this.list().map((each) => (each.id === id ? { ...each, ...change } : each)));
  }

  private has(id: string): boolean {
    return this.list().some((comment) => comment.id === id);
  }

  /** Deletes a comment. The user can bring it back with `restoreDropped`. */
  remove(id: string): Promise<boolean> {
    const path = this.comment(id)?.path ?? "";
    return this.act(
      async () => {
        await call("RemoveReviewComment", id);
        this.signals.list[1](this.list().filter((each) => each.id !== id));
        this.texts.edit(id, undefined);
        this.texts.drop({ kind: "comment", id, path });
        this.redraw(new Set([path]));
      },
      () => this.has(id),
    );
  }

  /** Brings back the text that the user discarded last. */
  async restoreDropped(): Promise<boolean> {
    const dropped = this.texts.dropped();
    if (!dropped) return false;
    if (dropped.kind === "comment") {
      const done = await this.act(() => call("RestoreReviewComment", this.chatId, dropped.id));
      if (!done) return false;
      await this.load();
    } else this.texts.takeBack(dropped);
    this.texts.forgetDropped();
    return true;
  }

  /** Returns the suggested comments among the given ones. */
  private suggested(ids: readonly string[]): ReviewComment[] {
    return this.suggestions().filter(({ id }) => ids.includes(id));
  }

  /** Accepts suggested comments. They become unsent comments of the user. */
  accept(ids: readonly string[]): Promise<boolean> {
    return this.act(
      async () => {
        const due = this.suggested(ids).map(({ id }) => id);
        await call("AcceptReviewComments", this.chatId, due);
        this.loads++; // a list requested earlier has the old states
        for (const id of due) this.change(id, { state: "draft" });
      },
      () => this.suggested(ids).length > 0,
    );
  }

  /** Deletes suggested comments. */
  dismiss(ids: readonly string[]): Promise<boolean> {
    return this.act(
      async () => {
        const due = this.suggested(ids);
        await call(
          "DismissReviewComments",
          this.chatId,
          due.map(({ id }) => id),
        );
        this.loads++;
        this.signals.list[1](this.list().filter((each) => !due.some(({ id }) => id === each.id)));
        this.redraw(new Set(due.map(({ path }) => path)));
      },
      () => this.suggested(ids).length > 0,
    );
  }

  async resolve(id: string, resolved: boolean): Promise<boolean> {
    const done = await this.act(() => call("ResolveReviewComment", id, resolved));
    if (done) await this.load();
    return done;
  }

  /** Shows or hides the text of a resolved comment. */
  toggle(id: string): void {
    const opened = new Set(this.opened());
    if (!opened.delete(id)) opened.add(id);
    this.signals.opened[1](opened);
  }

  /** Deletes all unsent comments and the note. */
  async discard(): Promise<boolean> {
    const drafts = this.drafts();
    const done = await this.act(async () => {
      for (const { id } of drafts) await call("RemoveReviewComment", id);
      this.texts.setNote("");
    });
    await this.load();
    return done;
  }

  /** Sends all unsent comments and the note to the agent. */
  send(): Promise<boolean> {
    return this.act(
      async () => {
        await call("SendReview", this.chatId, this.texts.note().trim());
        this.texts.setNote("");
        await this.load();
      },
      () => this.drafts().length > 0,
    );
  }

  clearProblem(): void {
    this.signals.problem[1]("");
  }

  /** Records the reason why an action failed. */
  fail(thrown: unknown): void {
    this.signals.problem[1](toAppError(thrown).message);
  }

  /**
   * Runs an action after all earlier ones, if it is then still due. The promise resolves to true if the action has
   * succeeded.
   */
  private act(run: () => Promise<void>, isDue = () => true): Promise<boolean> {
    return this.actions.run(async () => {
      if (!isDue()) return false;
      this.clearProblem();
      try {
        await run();
        return true;
      } catch (thrown) {
        this.fail(thrown);
        return false;
      }
    });
  }
}
