// The review by the chat's agent: the sheet that starts it, its state, and its result.

import { batch, createSignal } from "solid-js";
import { call, toAppError } from "../bridge";
import { actions } from "./actions";
import type { CommentsModel } from "./reviewComments";
import { select } from "./select";
import type { State } from "./state";
import { waitsForTrust } from "./trust";
import { type AgentReview, type ConfigOption, SessionMain, SessionReview } from "./types";

/** isModel reports whether an option selects the model. */
const isModel = (option: ConfigOption) =>
  option.type === "select" && (option.category === "model" || option.id === "model");

/** modelsOf returns the models that can be selected for the sessions of a chat, or none if there is only one. */
export function modelsOf(state: State, chatId: string): { id: string; name: string }[] {
  const sessions = Object.values(state.sessions[chatId] ?? {});
  const main = sessions.filter((session) => session.name === SessionMain);
  for (const { options } of [...main, ...sessions]) {
    const models = options?.find(isModel)?.choices ?? [];
    if (models.length > 1) return models;
  }
  return [];
}

/** IDs of reviews whose result the user has dismissed, for the lifetime of the window. */
const closed = new Set<string>();

/** AgentReviewModel holds the state of the review by a chat's agent. */
export class AgentReviewModel {
  private readonly signals = {
    isOpen: createSignal(false),
    model: createSignal(""),
    focus: createSignal(""),
    problem: createSignal(""),
    isStarting: createSignal(false),
    /** Number of results that the user has dismissed. */
    closes: createSignal(0),
  };

  /** Whether the sheet is open. */
  readonly isOpen = this.signals.isOpen[0];
  /** ID of the model chosen for the review, or "" for the chat's model. */
  readonly model = this.signals.model[0];
  /** The user's instructions for the review, for example a particular concern. */
  readonly focus = this.signals.focus[0];
  /** The reason why the last action failed, or "". */
  readonly problem = this.signals.problem[0];
  readonly isStarting = this.signals.isStarting[0];

  constructor(
    readonly comments: CommentsModel,
    private readonly state: State,
  ) {}

  get chatId(): string {
    return this.comments.chatId;
  }

  /** Returns the newest review, or undefined if there is none. */
  review(): AgentReview | undefined {
    return this.state.agentReviews[this.chatId];
  }

  isRunning(): boolean {
    return this.review()?.state === "running";
  }

  /**
   * Reports whether the running review is waiting for the user to answer a request, to sign in or to trust the folder.
   */
  isWaiting(): boolean {
    const { state, chatId } = this;
    return (
      select.openPermissions(state, chatId).some((request) => request.session === SessionReview) ||
      waitsForTrust(state, chatId) ||
      select.connection(state, chatId).state === "needs_login"
    );
  }

  /** Returns the newest review if it has ended and the user hasn't dismissed its result. */
  result(): AgentReview | undefined {
    this.signals.closes[0]();
    const review = this.review();
    return review && review.state !== "running" && !closed.has(review.id) ? review : undefined;
  }

  closeResult(): void {
    const review = this.review();
    if (review) closed.add(review.id);
    this.signals.closes[1]((n) => n + 1);
  }

  models(): { id: string; name: string }[] {
    return modelsOf(this.state, this.chatId);
  }

  openSheet(): void {
    if (this.isRunning()) return;
    // The agent's models come with the chat, which may not be loaded yet if the window was reloaded.
    if (!this.state.pages[this.chatId]) actions.openChat(this.chatId);
    this.signals.problem[1]("");
    this.signals.isOpen[1](true);
  }

  closeSheet(): void {
    this.signals.isOpen[1](false);
  }

  setModel(id: string): void {
    this.signals.model[1](id);
  }

  setFocus(text: string): void {
    this.signals.focus[1](text);
    this.signals.problem[1]("");
  }

  /** Starts the review and closes the sheet. If starting fails, the sheet stays open and shows the reason. */
  async start(): Promise<void> {
    if (this.isStarting()) return;
    batch(() => {
      this.signals.isStarting[1](true);
      this.signals.problem[1]("");
    });
    const model = this.models().some(({ id }) => id === this.model()) ? this.model() : "";
    const focus = this.focus().trim();
    try {
      await call("StartAgentReview", this.chatId, {
        source: this.comments.review.source,
        ...(model !== "" && { model }),
        ...(focus !== "" && { focus }),
      });
      batch(() => {
        this.signals.isOpen[1](false);
        this.signals.focus[1]("");
      });
    } catch (thrown) {
      this.signals.problem[1](toAppError(thrown).message);
    } finally {
      this.signals.isStarting[1](false);
    }
  }

  async stop(): Promise<void> {
    try {
      await call("StopAgentReview", this.chatId);
    } catch (thrown) {
      this.comments.fail(thrown);
    }
  }
}
