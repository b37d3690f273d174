// A commit message that the chat's model drafts: its progress, and its way into the commit box.

import { batch, createSignal } from "solid-js";
import { call, toAppError } from "../bridge";
import { messages } from "../i18n";
import type { CommitModel } from "./reviewCommit";
import type { MessageDraft } from "./types";

/** The state of a chat's draft that is kept while the screen is closed. */
interface Kept {
  /** ID of the draft that was started in this window. */
  id: string;
  /** What the user had typed when that draft was started; undefined if nothing. */
  typed: string | undefined;
  /** The selected files at that time, as JSON. */
  selection: string;
}

const kept = new Map<string, Kept>();

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

/** forgetDrafts discards the kept state of all drafts. */
export function forgetDrafts(): void {
  kept.clear();
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

  /** The chat's latest draft that the user hasn't dismissed. */
  latest(): MessageDraft | undefined {
    const draft = this.drafts()[this.commit.chatId];
    return draft?.id === this.signals.dismissed[0]() ? undefined : draft;
  }

  isRunning(): boolean {
    return this.signals.isStarting[0]() || this.latest()?.state === "running";
  }

  /** Whether a draft can be started: there are changes, and they can be committed. */
  canStart(): boolean {
    const form = this.commit.form();
    const { files, amend } = this.commit.draft();
    return (
      form !== undefined && !form.message && !this.isRunning() && (amend || this.commit.count(files) > 0)
    );
  }

  /** The draft whose text, perhaps changed by the user, is in the box. */
  used(): MessageDraft | undefined {
    const draft = this.latest();
    if (draft?.state !== "done") return undefined;
    // After a reload, only the text is known.
    return this.commit.draft().drafted === draft.id || this.commit.message() === draft.text
      ? draft
      : undefined;
  }

  /** What the user has typed, or undefined. */
  private typed(): string | undefined {
    const { typed, text } = this.commit.draft();
    return typed ? text : undefined;
  }

  /** A draft that isn't in the box because the user has typed there since, or has taken it out. */
  offered(): MessageDraft | undefined {
    const draft = this.latest();
    return draft?.state === "done" && this.used() === undefined ? draft : undefined;
  }

  /** The reason why the latest draft failed, or "". */
  failure(): string {
    const own = this.signals.problem[0]();
    if (own !== "") return own;
    const draft = this.latest();
    return draft?.state === "failed" ? draft.message || messages.reviewDraft.failed : "";
  }

  /** Starts a draft for the files that are selected for the commit. */
  async start(): Promise<void> {
    if (!this.canStart()) return;
    const { commit } = this;
    const typed = this.typed();
    const selection = commit.selection();
    batch(() => {
      this.signals.problem[1]("");
      this.signals.isStarting[1](true);
    });
    try {
      const id = await call("ReviewDraftMessage", commit.chatId, selection);
      kept.set(commit.chatId, { id, typed, selection: JSON.stringify(selection) });
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
    kept.delete(this.commit.chatId); // if it is completed meanwhile, it is only offered
    try {
      await call("ReviewCancelDraft", this.commit.chatId, draft.id);
    } catch (thrown) {
      this.signals.problem[1](toAppError(thrown).message);
    }
  }

  /**
   * Puts a draft that was just completed into the box, unless the user has changed the message or the selection of
   * files since the start; reports whether it did.
   */
  ended(): boolean {
    const draft = this.latest();
    const own = kept.get(this.commit.chatId);
    if (draft?.state !== "done" || own?.id !== draft.id) return false;
    kept.delete(this.commit.chatId);
    if (this.typed() !== own.typed || JSON.stringify(this.commit.selection()) !== own.selection) return false;
    this.use();
    return true;
  }

  /** Puts the latest draft into the box. The message that it replaces can be restored. */
  use(): void {
    const draft = this.offered();
    if (draft) this.commit.useDraft(draft.id, draft.text);
  }

  /** Removes the latest draft after a commit: it is about changes that are committed now. */
  committed(): void {
    const draft = this.latest();
    kept.delete(this.commit.chatId);
    if (!draft) return;
    if (draft.state === "running") void this.cancel();
    storeDismissal(this.commit.chatId, draft.id);
    this.signals.dismissed[1](draft.id);
  }

  /** Removes the latest draft or its failure from the screen. The message in the box stays. */
  dismiss(): void {
    const draft = this.latest();
    this.signals.problem[1]("");
    if (!draft || draft.state === "running") return;
    storeDismissal(this.commit.chatId, draft.id);
    this.signals.dismissed[1](draft.id);
  }
}
