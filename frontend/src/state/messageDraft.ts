// A commit message that the chat's model drafts: its progress, and its insertion into the commit box.

import { batch, createSignal } from "solid-js";
import { call, toAppError } from "../bridge";
import { messages } from "../i18n";
import type { CommitModel } from "./reviewCommit";
import type { MessageDraft } from "./types";

/** The state of a chat's draft. It is kept in memory while the screen is closed. */
interface SavedState {
  /** ID of the draft that was started in this window. */
  id: string;
  /** The text in the commit box when that draft was started; undefined if the user had typed none. */
  typed: string | undefined;
  /** The selection of files when that draft was started, as JSON. */
  selection: string;
}

const savedStates = new Map<string, SavedState>();

const storageKey = (chatId: string) => `voxpilot.draft.${chatId}`;

/** storedDismissal returns the ID of the draft that the user dismissed before the window was reloaded, or "". */
function storedDismissal(chatId: string): string {
  try {
    return sessionStorage.getItem(storageKey(chatId)) ?? "";
  } catch {
    return ""; // Without storage, a dismissed draft is offered again after a reload.
  }
}

function storeDismissal(chatId: string, id: string): void {
  try {
    sessionStorage.setItem(storageKey(chatId), id);
  } catch {
    // Without storage, a dismissed draft is offered again after a reload.
  }
}

/** forgetDrafts discards the state of all drafts, as a reload of the window does. */
export function forgetDrafts(): void {
  savedStates.clear();
}

/** DraftModel holds the state of the drafted message of one commit box. */
export class DraftModel {
  private readonly signals = {
    isStarting: createSignal(false),
    problem: createSignal(""),
    dismissed: createSignal(""),
  };

  constructor(
    private readonly commit: CommitModel,
    private readonly drafts: () => Readonly<Record<string, MessageDraft>>,
  ) {
    this.signals.dismissed[1](storedDismissal(commit.chatId));
  }

  /** Returns the chat's latest draft, unless the user has dismissed it. */
  latest(): MessageDraft | undefined {
    const draft = this.drafts()[this.commit.chatId];
    return draft?.id === this.signals.dismissed[0]() ? undefined : draft;
  }

  isRunning(): boolean {
    return this.signals.isStarting[0]() || this.latest()?.state === "running";
  }

  /**
   * Reports whether a draft can be started: a commit is possible, there are changes to commit or the last commit is
   * amended, and no draft is running.
   */
  canStart(): boolean {
    const form = this.commit.form();
    const { files, amend } = this.commit.draft();
    return (
      form !== undefined &&
      !form.message &&
      !this.isRunning() &&
      (amend || this.commit.files.count(files) > 0)
    );
  }

  /** Returns the draft whose text was inserted into the commit box, even if the user has edited the text. */
  used(): MessageDraft | undefined {
    const draft = this.latest();
    if (draft?.state !== "done") return undefined;
    // After a reload, only the text is known.
    return this.commit.draft().drafted === draft.id || this.commit.message.text() === draft.text
      ? draft
      : undefined;
  }

  /** Returns the text that the user has typed in the commit box, or undefined if there is none. */
  private typed(): string | undefined {
    const { typed, text } = this.commit.draft();
    return typed ? text : undefined;
  }

  /** Returns the latest draft if it is done but its text isn't in the commit box. */
  offered(): MessageDraft | undefined {
    const draft = this.latest();
    return draft?.state === "done" && this.used() === undefined ? draft : undefined;
  }

  /** Returns the reason why the latest draft failed or couldn't be started or canceled, or "". */
  failure(): string {
    const own = this.signals.problem[0]();
    if (own !== "") return own;
    const draft = this.latest();
    return draft?.state === "failed" ? draft.message || messages.reviewDraft.failed : "";
  }

  /** Starts a draft of the message for the files that are selected for the commit. */
  async start(): Promise<void> {
    if (!this.canStart()) return;
    const { commit } = this;
    const typed = this.typed();
    const selection = commit.files.selection();
    batch(() => {
      this.signals.problem[1]("");
      this.signals.isStarting[1](true);
    });
    try {
      const id = await call("ReviewDraftMessage", commit.chatId, selection);
      savedStates.set(commit.chatId, { id, typed, selection: JSON.stringify(selection) });
    } catch (thrown) {
      this.signals.problem[1](toAppError(thrown).message);
    } finally {
      this.signals.isStarting[1](false);
    }
    // The draft may have ended before its ID arrived.
    this.ended();
  }

  async cancel(): Promise<void> {
    const draft = this.latest();
    if (draft?.state !== "running") return;
    savedStates.delete(this.commit.chatId); // if it is done nevertheless, it is only offered
    try {
      await call("ReviewCancelDraft", this.commit.chatId, draft.id);
    } catch (thrown) {
      this.signals.problem[1](toAppError(thrown).message);
    }
  }

  /**
   * Inserts a draft that has just been completed into the commit box, unless the user has changed the message or the
   * selection of files since the draft was started. Returns whether it was inserted.
   */
  ended(): boolean {
    const draft = this.latest();
    const own = savedStates.get(this.commit.chatId);
    if (draft?.state !== "done" || own?.id !== draft.id) return false;
    savedStates.delete(this.commit.chatId);
    if (this.typed() !== own.typed || JSON.stringify(this.commit.files.selection()) !== own.selection)
      return false;
    this.use();
    return true;
  }

  /** Inserts the latest draft into the commit box. The message that it replaces can be restored. */
  use(): void {
    const draft = this.offered();
    if (draft) this.commit.message.use(draft.id, draft.text);
  }

  /** Discards the latest draft after a commit, because the commit contains the changes that the draft describes. */
  committed(): void {
    const draft = this.latest();
    savedStates.delete(this.commit.chatId);
    if (!draft) return;
    if (draft.state === "running") void this.cancel();
    storeDismissal(this.commit.chatId, draft.id);
    this.signals.dismissed[1](draft.id);
  }

  /** Dismisses the latest draft or its failure. The message in the commit box doesn't change. */
  dismiss(): void {
    const draft = this.latest();
    this.signals.problem[1]("");
    if (!draft || draft.state === "running") return;
    storeDismissal(this.commit.chatId, draft.id);
    this.signals.dismissed[1](draft.id);
  }
}
