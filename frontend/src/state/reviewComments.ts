// The comments of a review: the stored ones, and the forms in which the user is writing new ones.

import { createMemo, createSignal } from "solid-js";
import { api, call, toAppError } from "../bridge";
import type { ReviewModel } from "./review";
import type { FileView } from "./reviewFile";
import { CommentPlaces } from "./reviewPlaces";
import { FileRows, type Insert } from "./reviewRows";
import type { LinePlace } from "./reviewTypes";
import type { ReviewComment, ReviewSide } from "./types";

/** A range of lines on one side of a file. The line numbers are 0-based, and the last line belongs to the range. */
export interface CommentLines {
  path: string;
  side: ReviewSide;
  start: number;
  end: number;
}

/**
 * The form for a new comment. Its line numbers refer to the version of the file that `source` and `version` identify.
 */
export interface CommentForm extends CommentLines {
  id: string;
  text: string;
  source: string;
  version: string;
  /** Whether the field is closed. Its text is kept until the user opens the field again. */
  closed?: boolean;
}

/** The text that the user has discarded last: a comment, an unfinished comment, or the edited text of a comment. */
export type Dropped =
  | { kind: "comment"; id: string; path: string }
  | { kind: "form"; form: CommentForm }
  | { kind: "edit"; id: string; text: string };

/**
 * The state of a chat's comments. It is kept while the screen is closed. After a reload, it is restored from the
 * window's storage; after a restart, from the app.
 */
interface SavedState {
  forms: CommentForm[];
  /** Texts of stored comments that the user is editing, by ID. */
  edits: [id: string, text: string][];
  note: string;
}

/** Estimated heights in pixels of a comment, a form and a resolved comment, used until they are measured. */
const heights = { comment: 84, form: 118, line: 44 };

/** Delay in milliseconds between a change and saving the state in the app. */
const saveAfter = 400;

const savedStates = new Map<string, SavedState>();
/** Timers for saving, by chat. */
const saves = new Map<string, ReturnType<typeof setTimeout>>();
/** IDs of the chats whose saved comment state this window has already requested, so that it's restored only once. */
const restored = new Set<string>();
const storageKey = (chatId: string) => `voxpilot.comments.${chatId}`;

function savedStateOf(chatId: string): SavedState {
  let own = savedStates.get(chatId);
  if (own) return own;
  own = { forms: [], edits: [], note: "" };
  try {
    Object.assign(own, JSON.parse(sessionStorage.getItem(storageKey(chatId)) ?? "{}"));
  } catch {
    // Without storage, the texts last as long as the window.
  }
  savedStates.set(chatId, own);
  return own;
}

/** forgetComments discards the comment state of all chats from memory, as reloading the window does. */
export function forgetComments(): void {
  savedStates.clear();
  restored.clear();
}

/** CommentsModel holds the comments of one review. */
export class CommentsModel {
  private loads = 0;
  private readonly own: SavedState;
  private readonly places = new CommentPlaces(() => this.review.query);
  private readonly signals = {
    list: createSignal<readonly ReviewComment[]>([]),
    forms: createSignal<readonly CommentForm[]>([]),
    edits: createSignal<ReadonlyMap<string, string>>(new Map()),
    note: createSignal(""),
    problem: createSignal(""),
    isBusy: createSignal(false),
    dropped: createSignal<Dropped>(),
    /** IDs of resolved comments whose text is shown. */
    opened: createSignal<ReadonlySet<string>>(new Set()),
  };

  readonly list = this.signals.list[0];
  readonly forms = this.signals.forms[0];
  readonly edits = this.signals.edits[0];
  readonly note = this.signals.note[0];
  /** The reason why the last action failed, or "". */
  readonly problem = this.signals.problem[0];
  readonly isBusy = this.signals.isBusy[0];
  readonly opened = this.signals.opened[0];
  /** The text that the user discarded last and can bring back. */
  readonly dropped = this.signals.dropped[0];
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
    this.own = savedStateOf(review.chatId);
    this.signals.forms[1](this.own.forms);
    this.signals.edits[1](new Map(this.own.edits));
    this.signals.note[1](this.own.note);
    void this.restore();
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

  /** Returns a comment with its lines in the visible version of its file; they are -1 if it has no lines there. */
  comment(id: string): ReviewComment | undefined {
    const comment = this.list().find((each) => each.id === id);
    const places = comment && this.places.of(comment.path);
    if (!comment || !places?.known.has(id)) return comment;
    return { ...comment, ...(places.byId.get(id) ?? { start: -1, end: -1 }) };
  }

  form(id: string): CommentForm | undefined {
    return this.forms().find((form) => form.id === id);
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

  private keep(): void {
    this.own.forms = [...this.forms()];
    this.own.edits = [...this.edits()];
    this.own.note = this.note();
    const isEmpty = this.own.forms.length === 0 && this.own.edits.length === 0 && this.own.note === "";
    const text = isEmpty ? "" : JSON.stringify(this.own);
    try {
      if (isEmpty) sessionStorage.removeItem(storageKey(this.chatId));
      else sessionStorage.setItem(storageKey(this.chatId), text);
    } catch {
      // Without storage, the texts last as long as the window.
    }
    clearTimeout(saves.get(this.chatId));
    const save = () => void call("SaveReviewDraft", this.chatId, text).catch((thrown) => this.fail(thrown));
    saves.set(this.chatId, setTimeout(save, saveAfter));
  }

  /** Adds the state that the app has saved, unless the window already has it. */
  private async restore(): Promise<void> {
    if (restored.has(this.chatId)) return;
    restored.add(this.chatId);
    const isReloaded = this.forms().length > 0 || this.edits().size > 0 || this.note() !== "";
    if (isReloaded) return;
    try {
      const {
        forms = [],
        edits = [],
        note = "",
      }: Partial<SavedState> = JSON.parse((await call("ReviewDraft", this.chatId)) || "{}");
      if (forms.length === 0 && edits.length === 0 && note === "") return;
      // The user may have typed in the meantime.
      const added = forms.filter(({ id }) => !this.form(id));
      this.signals.forms[1]([...added, ...this.forms()]);
      this.signals.edits[1](new Map([...edits, ...this.edits()]));
      if (this.note() === "") this.signals.note[1](note);
      this.keep();
      this.redraw(new Set(added.map(({ path }) => path)));
    } catch (thrown) {
      restored.delete(this.chatId);
      this.fail(thrown);
    }
  }

  /** Returns the rows for the comments and forms of a file. */
  private insertsOf(file: FileView): Insert[] {
    const all = this.list().filter(({ path }) => path === file.path);
    const forms = this.forms().filter(
      ({ path, source }) => path === file.path && source === this.review.source,
    );
    if (all.length === 0 && forms.length === 0) return [];
    const { input } = file.rows;
    const isRows = file.state === "rows" && file.diff !== undefined;
    const places = this.places.of(file.path);
    const own = all.filter((comment) => !isRows || this.places.has(comment, file.version));
    if (own.length < all.length)
      void this.places.locate(file.path, file.version, all).then(() => this.redraw(new Set([file.path])));
    const shown =
      isRows && file.diff
        ? new FileRows({
            ...input,
            blocks: file.diff.blocks as unknown as typeof input.blocks,
            oldLines: file.diff.oldLines,
            newLines: file.diff.newLines,
            split: this.review.split,
            inserts: [],
          })
        : undefined;
    const insert = (id: string, height: number, line: LinePlace): Insert => {
      const isShown = line.at >= 0 && shown !== undefined && shown.rowOf(line.side, line.at) >= 0;
      return isShown ? { id, height, line } : { id, height, hunk: -1 };
    };
    return [
      ...own.map((comment) =>
        insert(`comment:${comment.id}`, comment.state === "resolved" ? heights.line : heights.comment, {
          side: comment.side,
          at: places?.byId.get(comment.id)?.end ?? -1,
        }),
      ),
      ...forms.map((form) =>
        insert(`form:${form.id}`, form.closed ? heights.line : heights.form, {
          side: form.side,
          at: form.version === file.version ? form.end : -1,
        }),
      ),
    ];
  }

  /** Opens the form for a comment on a range of lines, and returns the form's ID. */
  start({ path, side, start, end }: CommentLines, text = ""): string {
    const { source } = this.review;
    const version = this.review.file(path)?.version ?? "";
    const id = [side, end, source, version, path].join(":");
    if (!this.form(id)) {
      this.signals.forms[1]([...this.forms(), { path, side, start, end, id, text, source, version }]);
      this.keep();
      this.redraw(new Set([path]));
    } else this.open(id);
    return id;
  }

  private changeForm(id: string, change: Partial<CommentForm>): void {
    this.signals.forms[1](this.forms().map((form) => (form.id === id ? { ...form, ...change } : form)));
    this.keep();
  }

  write(id: string, text: string): void {
    this.changeForm(id, { text });
  }

  /** Shows the field of an unfinished comment again. */
  open(id: string): void {
    if (this.form(id)?.closed) this.changeForm(id, { closed: false });
  }

  /** Closes a form. Its text is kept as an unfinished comment; a form without text is removed. */
  close(id: string): void {
    const text = this.form(id)?.text.trim() ?? "";
    if (text === "") this.cancel(id);
    else this.changeForm(id, { closed: true });
  }

  /** Returns the ID of the unfinished comment with a closed field in a change, or undefined if there is none. */
  closedIn(file: FileView, hunk: number): string | undefined {
    return this.forms().find(({ id, path, closed }) => {
      const row = closed && path === file.path ? file.rows.insertRow(`form:${id}`) : -1;
      return row >= 0 && file.rows.row(row).hunk === hunk;
    })?.id;
  }

  /** Removes a form. The user can bring its text back with `restoreDropped`. */
  cancel(id: string): void {
    const form = this.form(id);
    if (!form) return;
    if (form.text.trim() !== "") this.signals.dropped[1]({ kind: "form", form });
    this.signals.forms[1](this.forms().filter((each) => each !== form));
    this.keep();
    this.redraw(new Set([form.path]));
  }

  /** Stores the comment of a form and closes the form. If storing fails, the form stays open. */
  async add(id: string): Promise<boolean> {
    const form = this.form(id);
    if (!form || form.text.trim() === "") return false;
    const { path, side, start, end, source, version } = form;
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
      this.signals.forms[1](this.forms().filter((each) => each.id !== id));
      if (added) {
        if (this.review.file(path)?.version === version) this.places.add({ ...added, start, end }, version);
        this.signals.list[1]([...this.list().filter((each) => each.id !== added.id), added]);
      }
      this.keep();
      this.redraw(new Set([path]));
    });
  }

  /** Sets the edited text of a comment; undefined ends editing. */
  edit(id: string, text: string | undefined): void {
    const edits = new Map(this.edits());
    if (text === undefined) edits.delete(id);
    else edits.set(id, text);
    this.signals.edits[1](edits);
    this.keep();
  }

  /** Ends editing a comment without storing its text. The user can bring a changed text back with `restoreDropped`. */
  cancelEdit(id: string): void {
    const text = this.edits().get(id);
    if (text !== undefined && text !== this.comment(id)?.text)
      this.signals.dropped[1]({ kind: "edit", id, text });
    this.edit(id, undefined);
  }

  /** Stores the edited text of a comment. */
  async save(id: string): Promise<boolean> {
    const text = this.edits().get(id)?.trim() ?? "";
    if (text === "") return false;
    const done = await this.act(() => call("EditReviewComment", id, text));
    if (!done) return false;
    this.change(id, { text });
    this.edit(id, undefined);
    return true;
  }

  private change(id: string, change: Partial<ReviewComment>): void {
    this.signals.list[1](this.list().map((each) => (each.id === id ? { ...each, ...change } : each)));
  }

  /** Deletes a comment. The user can bring it back with `restoreDropped`. */
  async remove(id: string): Promise<boolean> {
    const comment = this.comment(id);
    const done = await this.act(() => call("RemoveReviewComment", id));
    if (!done || !comment) return false;
    this.signals.list[1](this.list().filter((each) => each.id !== id));
    this.edit(id, undefined);
    this.signals.dropped[1]({ kind: "comment", id, path: comment.path });
    this.redraw(new Set([comment.path]));
    return true;
  }

  /** Brings back the text that the user discarded last. */
  async restoreDropped(): Promise<boolean> {
    const dropped = this.dropped();
    if (!dropped) return false;
    if (dropped.kind === "comment") {
      const done = await this.act(() => call("RestoreReviewComment", this.chatId, dropped.id));
      if (!done) return false;
      await this.load();
    } else if (dropped.kind === "edit") this.edit(dropped.id, dropped.text);
    else {
      const { form } = dropped;
      if (this.form(form.id)) this.write(form.id, form.text);
      else {
        this.signals.forms[1]([...this.forms(), { ...form, closed: false }]);
        this.keep();
      }
      this.redraw(new Set([form.path]));
    }
    this.forgetDropped();
    return true;
  }

  forgetDropped(): void {
    this.signals.dropped[1](undefined);
  }

  /** Accepts suggested comments. They become unsent comments of the user. */
  async accept(ids: readonly string[]): Promise<boolean> {
    const done = await this.act(() => call("AcceptReviewComments", this.chatId, [...ids]));
    if (!done) return false;
    this.loads++; // a list requested earlier has the old states
    for (const id of ids) this.change(id, { state: "draft" });
    return true;
  }

  /** Deletes suggested comments. */
  async dismiss(ids: readonly string[]): Promise<boolean> {
    const paths = this.list()
      .filter(({ id }) => ids.includes(id))
      .map(({ path }) => path);
    const done = await this.act(() => call("DismissReviewComments", this.chatId, [...ids]));
    if (!done) return false;
    this.loads++;
    this.signals.list[1](this.list().filter(({ id }) => !ids.includes(id)));
    this.redraw(new Set(paths));
    return true;
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

  setNote(note: string): void {
    this.signals.note[1](note);
    this.keep();
  }

  /** Deletes all unsent comments and the note. */
  async discard(): Promise<boolean> {
    const drafts = this.drafts();
    const done = await this.act(async () => {
      for (const { id } of drafts) await call("RemoveReviewComment", id);
      this.setNote("");
    });
    await this.load();
    return done;
  }

  /** Sends all unsent comments and the note to the agent. */
  async send(): Promise<boolean> {
    if (this.drafts().length === 0) return false;
    const done = await this.act(async () => {
      await call("SendReview", this.chatId, this.note().trim());
      this.setNote("");
    });
    if (done) await this.load();
    return done;
  }

  clearProblem(): void {
    this.signals.problem[1]("");
  }

  /** Records the reason why an action failed. */
  fail(thrown: unknown): void {
    this.signals.problem[1](toAppError(thrown).message);
  }

  private async act(run: () => Promise<void>): Promise<boolean> {
    if (this.isBusy()) return false;
    this.signals.isBusy[1](true);
    this.clearProblem();
    try {
      await run();
      return true;
    } catch (thrown) {
      this.fail(thrown);
      return false;
    } finally {
      this.signals.isBusy[1](false);
    }
  }
}
