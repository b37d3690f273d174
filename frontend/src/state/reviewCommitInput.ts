// The user's input in the commit box. It lasts as long as the window; the typed message also survives a reload.

import { createSignal } from "solid-js";
import type { ReviewCommitFiles } from "./types";

/** The user's input for the next commit. */
export interface CommitDraft {
  text: string;
  /** Whether the user has typed the text; otherwise the suggestion is shown. */
  typed: boolean;
  /** The text that the user has replaced with a suggestion or draft, or "". */
  replaced: string;
  /** Whether the user had typed the replaced text; false if it was a suggestion. */
  wasTyped: boolean;
  /** ID of the MessageDraft that the text comes from, or "". */
  drafted: string;
  files: ReviewCommitFiles;
  /** Whether the user has chosen `files`. */
  picked: boolean;
  chosen: ReadonlySet<string>;
  amend: boolean;
  /** The remote that the user has chosen for pushing, or "" if none was chosen. */
  remote: string;
}

/** A commit that was started in this window. */
export interface StartedCommit {
  message: string;
  files: ReviewCommitFiles;
  /** Paths of the viewed or chosen files in the commit. */
  paths: readonly string[];
  isEnded?: boolean;
}

/** The state of a chat's commit box. It is kept in memory while the screen is closed. */
export interface SavedState {
  draft: CommitDraft;
  /** IDs of ended jobs that the user has closed. */
  closed: Set<string>;
  /** Commits started in this window, by the ID of their job. */
  started: Map<string, StartedCommit>;
  /** ID of the commit job after which the sheet for a pull request must open, or "". */
  beforePull: string;
}

const savedStates = new Map<string, SavedState>();

const storageKey = (chatId: string) => `voxpilot.commit.${chatId}`;

/** emptyDraft returns the input of a new commit box. `text` is the text that the user has typed, or "". */
export function emptyDraft(text: string): CommitDraft {
  return {
    text,
    typed: text !== "",
    replaced: "",
    wasTyped: true,
    drafted: "",
    files: "all",
    picked: false,
    chosen: new Set(),
    amend: false,
    remote: "",
  };
}

/** storedText returns the text that was typed before the window was reloaded. */
function storedText(chatId: string): string {
  try {
    return sessionStorage.getItem(storageKey(chatId)) ?? "";
  } catch {
    return ""; // Without storage, the text lasts as long as the window.
  }
}

function storeText(chatId: string, text: string): void {
  try {
    if (text === "") sessionStorage.removeItem(storageKey(chatId));
    else sessionStorage.setItem(storageKey(chatId), text);
  } catch {
    // Without storage, the text lasts as long as the window.
  }
}

/** savedStateOf returns the state of a chat's commit box. */
export function savedStateOf(chatId: string): SavedState {
  const own = savedStates.get(chatId) ?? {
    draft: emptyDraft(storedText(chatId)),
    closed: new Set(),
    started: new Map(),
    beforePull: "",
  };
  savedStates.set(chatId, own);
  return own;
}

/** forgetCommits discards the state of all commit boxes, as a reload of the window does. */
export function forgetCommits(): void {
  savedStates.clear();
}

/** endAmend makes the next commit of a chat a new one. It is called when the review is left. */
export function endAmend(chatId: string): void {
  const own = savedStates.get(chatId);
  if (own?.draft.amend) own.draft = { ...own.draft, amend: false };
}

/** CommitInput holds the user's input of one commit box. */
export class CommitInput {
  private readonly signal = createSignal<CommitDraft>(emptyDraft(""));

  readonly draft = this.signal[0];

  constructor(
    private readonly chatId: string,
    private readonly own: SavedState,
  ) {
    this.signal[1](own.draft);
  }

  set(change: Partial<CommitDraft>): void {
    this.own.draft = { ...this.draft(), ...change };
    this.signal[1](this.own.draft);
    storeText(this.chatId, this.own.draft.typed ? this.own.draft.text : "");
  }
}
