// The message of the next commit: the text that the user has typed, a draft, or a suggestion.

import type { CommitInput } from "./reviewCommitInput";
import type { ReviewCommitForm } from "./types";

/** CommitMessage holds the message in one commit box. */
export class CommitMessage {
  constructor(
    private readonly input: CommitInput,
    private readonly form: () => ReviewCommitForm | undefined,
    private readonly load: () => Promise<void>,
  ) {}

  /** Returns the commit message: the text that the user has typed or, if there is none, the suggestion. */
  text(): string {
    const { typed, text } = this.input.draft();
    return typed ? text : this.suggestion();
  }

  /** Returns the suggested message. For an amended commit, it is the commit's own message. */
  suggestion(): string {
    const form = this.form();
    return (this.input.draft().amend ? form?.last?.message.trimEnd() : form?.suggestion) ?? "";
  }

  type(text: string): void {
    this.input.set({ text, typed: true, replaced: "", ...(text === "" && { drafted: "" }) });
  }

  /** Replaces the message with a drafted one. */
  use(id: string, text: string): void {
    const replaced = this.text();
    this.input.set({
      text,
      typed: true,
      replaced: replaced === text ? "" : replaced,
      wasTyped: this.input.draft().typed,
      drafted: id,
    });
  }

  /** Replaces the message with a new suggestion for the current changes. */
  async suggest(): Promise<void> {
    const { typed, text } = this.input.draft();
    await this.load();
    const replaced = typed && text.trim() !== "" && text !== this.suggestion() ? text : "";
    this.input.set({ text: "", typed: false, replaced, wasTyped: true, drafted: "" });
  }

  /** Restores the text that was replaced with a suggestion or draft. */
  takeBack(): void {
    const { replaced, wasTyped } = this.input.draft();
    this.input.set({ text: wasTyped ? replaced : "", typed: wasTyped, replaced: "", drafted: "" });
  }
}
