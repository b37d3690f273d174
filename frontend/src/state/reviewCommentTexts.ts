// The texts that the user is writing in a review: new comments, edits of stored ones, and the note. They are kept through
// a reload of the window and a restart of the app.

import { createSignal } from "solid-js";
import { call } from "../bridge";
import type { FileView } from "./reviewFile";
import type { ReviewSide } from "./types";

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

/** The parts of the review that CommentTexts uses. */
export interface CommentTextsHost {
  readonly chatId: string;
  /** Computes the rows of files again. */
  redraw(paths: ReadonlySet<string>): void;
  /** Records the reason why the texts couldn't be saved or restored. */
  fail(thrown: unknown): void;
}

/** CommentTexts holds the texts that the user is writing in one chat's review. */
export class CommentTexts {
  private readonly own: SavedState;
  private readonly signals = {
    forms: createSignal<readonly CommentForm[]>([]),
    edits: createSignal<ReadonlyMap<string, string>>(new Map()),
    note: createSignal(""),
    dropped: createSignal<Dropped>(),
  };

  readonly forms = this.signals.forms[0];
  /** The texts of stored comments that the user is editing, by ID. */
  readonly edits = this.signals.edits[0];
  /** The note for the whole review. */
  readonly note = this.signals.note[0];
  /** The text that the user discarded last and can bring back. */
  readonly dropped = this.signals.dropped[0];

  constructor(private readonly host: CommentTextsHost) {
    this.own = savedStateOf(host.chatId);
    this.signals.forms[1](this.own.forms);
    this.signals.edits[1](new Map(this.own.edits));
    this.signals.note[1](this.own.note);
    void this.restore();
  }

  form(id: string): CommentForm | undefined {
    return this.forms().find((form) => form.id === id);
  }

  /** Adds the field of a new comment, or opens the existing field for the same lines. */
  start(form: CommentForm): void {
    if (this.form(form.id)) {
      this.open(form.id);
      return;
    }
    this.setForms([...this.forms(), form]);
    this.host.redraw(new Set([form.path]));
  }

  private setForms(forms: readonly CommentForm[]): void {
    this.signals.forms[1](forms);
    this.keep();
  }

  private changeForm(id: string, change: Partial<CommentForm>): void {
    this.setForms(this.forms().map((form) => (form.id === id ? { ...form, ...change } : form)));
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
    if (form.text.trim() !== "") this.drop({ kind: "form", form });
    this.remove(id);
    this.host.redraw(new Set([form.path]));
  }

  /** Removes a form. Unlike `cancel`, it doesn't record the form's text as discarded. */
  remove(id: string): void {
    this.setForms(this.forms().filter((form) => form.id !== id));
  }

  /** Sets the edited text of a comment; undefined ends editing. */
  edit(id: string, text: string | undefined): void {
    const edits = new Map(this.edits());
    if (text === undefined) edits.delete(id);
    else edits.set(id, text);
    this.signals.edits[1](edits);
    this.keep();
  }

  setNote(note: string): void {
    this.signals.note[1](note);
    this.keep();
  }

  /** Records a text that the user has discarded. */
  drop(dropped: Dropped): void {
    this.signals.dropped[1](dropped);
  }

  /** Brings back the discarded text of an unfinished comment, or the discarded edit of a stored one. */
  takeBack(dropped: Exclude<Dropped, { kind: "comment" }>): void {
    if (dropped.kind === "edit") {
      this.edit(dropped.id, dropped.text);
      return;
    }
    const { form } = dropped;
    if (this.form(form.id)) this.write(form.id, form.text);
    else this.setForms([...this.forms(), { ...form, closed: false }]);
    this.host.redraw(new Set([form.path]));
  }

  forgetDropped(): void {
    this.signals.dropped[1](undefined);
  }

  private keep(): void {
    this.own.forms = [...this.forms()];
    this.own.edits = [...this.edits()];
    this.own.note = this.note();
    const isEmpty = this.own.forms.length === 0 && this.own.edits.length === 0 && this.own.note === "";
    const text = isEmpty ? "" : JSON.stringify(this.own);
    try {
      if (isEmpty) sessionStorage.removeItem(storageKey(this.host.chatId));
      else sessionStorage.setItem(storageKey(this.host.chatId), text);
    } catch {
      // Without storage, the texts last as long as the window.
    }
    clearTimeout(saves.get(this.host.chatId));
    const save = () =>
      void call("SaveReviewDraft", this.host.chatId, text).catch((thrown) => this.host.fail(thrown));
    saves.set(this.host.chatId, setTimeout(save, saveAfter));
  }

  /** Adds the state that the app has saved, unless the window already has it. */
  private async restore(): Promise<void> {
    if (restored.has(this.host.chatId)) return;
    restored.add(this.host.chatId);
    const isReloaded = this.forms().length > 0 || this.edits().size > 0 || this.note() !== "";
    if (isReloaded) return;
    try {
      const {
        forms = [],
        edits = [],
        note = "",
      }: Partial<SavedState> = JSON.parse((await call("ReviewDraft", this.host.chatId)) || "{}");
      if (forms.length === 0 && edits.length === 0 && note === "") return;
      // The user may have typed in the meantime.
      const added = forms.filter(({ id }) => !this.form(id));
      this.signals.forms[1]([...added, ...this.forms()]);
      this.signals.edits[1](new Map([...edits, ...this.edits()]));
      if (this.note() === "") this.signals.note[1](note);
      this.keep();
      this.host.redraw(new Set(added.map(({ path }) => path)));
    } catch (thrown) {
      restored.delete(this.host.chatId);
      this.host.fail(thrown);
    }
  }
}
