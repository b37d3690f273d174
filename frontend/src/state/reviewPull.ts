// The branch's pull request: its state on GitHub, and the sheet that opens a pull request.

import { batch, createSignal } from "solid-js";
import { api, call, toAppError } from "../bridge";
import { messages } from "../i18n";
import { utf8Size } from "../lib/format";
import { actions } from "./actions";
import type { CommitModel } from "./reviewCommit";
import type { ReviewJob, ReviewPull, ReviewPullForm, ReviewPullRequest, ReviewTurnSource } from "./types";

/** Interval in milliseconds between requests while checks are running. A response stays current for one interval. */
export const checkMillis = 30_000;

/** Maximum length of the compare page's address, including title and description; GitHub rejects longer ones. */
const maxAddress = 7_000;

/** The user's input for the pull request of a branch. */
export interface PullDraft {
  /** The typed title; if undefined, the suggestion is shown. */
  title: string | undefined;
  /** The typed description; if undefined, the suggestion is shown. */
  body: string | undefined;
  /** The description that the user has replaced with a suggestion, or "". */
  replaced: string;
  draft: boolean;
  /**
   * Whether the description includes the chat's requests. If undefined, it includes them only if there is no other
   * suggestion.
   */
  summary: boolean | undefined;
}

const emptyDraft: PullDraft = {
  title: undefined,
  body: undefined,
  replaced: "",
  draft: false,
  summary: undefined,
};

/** The user's input by chat and branch, kept for the lifetime of the window. */
const drafts = new Map<string, PullDraft>();

/** The last response for each chat, shown until the next one arrives. */
const answers = new Map<string, { pull: ReviewPull; at: number }>();

/** forgetPulls discards the input and responses of all chats. */
export function forgetPulls(): void {
  drafts.clear();
  answers.clear();
}

/** A turn's text with at least this many bytes may be truncated, so that it is only the start of the message. */
const cutFrom = 197;

/** requestsOf returns the starts of the user's messages as Markdown quotations, oldest first. */
export function requestsOf(turns: readonly ReviewTurnSource[]): string {
  const texts = turns
    .map(({ text }) => (utf8Size(text) >= cutFrom ? `${text.trim()}…` : text.trim()))
    .filter((text) => text !== "");
  return texts.reverse().map(quote).join("\n\n");
}

const quote = (text: string) =>
  text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");

/** compareAddress returns the address of GitHub's compare page with a title and as much of the description as fits. */
export function compareAddress(page: string, title: string, body: string): string {
  let text = body;
  for (;;) {
    const address = `${page}&${new URLSearchParams({ title, body: text })}`;
    if (address.length <= maxAddress || text === "") return address;
    text = text.slice(0, Math.floor(text.length * 0.8));
  }
}

/** The kind of content that the sheet shows. */
export type PullFace = "loading" | "failed" | "blocked" | "already" | "compare" | "ready";

/** PullModel holds the state of the pull request of a chat's branch. */
export class PullModel {
  private loads = 0;
  private formLoads = 0;
  private asked = Number.NEGATIVE_INFINITY;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private disposed = false;
  private readonly signals = {
    pull: createSignal<ReviewPull>(),
    unreachable: createSignal(""),
    isLoading: createSignal(false),
    isOpen: createSignal(false),
    form: createSignal<ReviewPullForm>(),
    requests: createSignal(""),
    failure: createSignal(""),
    problem: createSignal(""),
    isStarting: createSignal(false),
    draft: createSignal<PullDraft>(emptyDraft),
    base: createSignal(""),
    jobId: createSignal(""),
  };

  /** The branch's pull request, or undefined if there is none or it isn't known. */
  readonly pull = this.signals.pull[0];
  /** The reason why the pull request couldn't be loaded, or "". */
  readonly unreachable = this.signals.unreachable[0];
  readonly isLoading = this.signals.isLoading[0];
  /** Whether the sheet is open. */
  readonly isOpen = this.signals.isOpen[0];
  readonly form = this.signals.form[0];
  /** The starts of the user's messages in the chat as Markdown quotations, or "". */
  readonly requests = this.signals.requests[0];
  readonly draft = this.signals.draft[0];

  constructor(
    readonly commit: CommitModel,
    private readonly jobs: () => Readonly<Record<string, ReviewJob>>,
  ) {
    const known = answers.get(this.chatId);
    if (!known) return;
    this.asked = known.at;
    this.show(known.pull);
  }

  get chatId(): string {
    return this.commit.chatId;
  }

  /**
   * Loads the pull request and keeps the results of its checks up to date. Returns a function that stops the updates.
   */
  watch(): () => void {
    const onVisible = () => {
      if (document.visibilityState !== "visible") return;
      if (this.isChecking() || this.unreachable() !== "") void this.load(false);
    };
    document.addEventListener("visibilitychange", onVisible);
    void this.load(false);
    return () => {
      this.disposed = true;
      clearTimeout(this.timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }

  /**
   * Loads the pull request. If `now` is false, it is loaded only if the last response is no longer current. If loading
   * fails, the reason is shown instead of a pull request, because the branch may have changed since the last response.
   */
  async load(now = true): Promise<void> {
    if (!now && performance.now() - this.asked < checkMillis) {
      this.plan();
      return;
    }
    const mine = ++this.loads;
    this.asked = performance.now();
    this.signals.isLoading[1](true);
    try {
      const pull = await api.reviewPull(this.chatId);
      if (mine !== this.loads) return;
      answers.set(this.chatId, { pull, at: this.asked });
      this.show(pull);
    } catch (thrown) {
      const { message } = toAppError(thrown);
      if (mine === this.loads) this.show({ available: false, message });
      actions.log("info", `review: pull request: ${message}`);
    } finally {
      if (mine === this.loads) {
        this.signals.isLoading[1](false);
        this.plan();
      }
    }
  }

  private show(pull: ReviewPull): void {
    batch(() => {
      this.signals.pull[1](pull.number ? pull : undefined);
      this.signals.unreachable[1](pull.message ?? "");
    });
    if (pull.message) {
      answers.delete(this.chatId);
      this.asked = Number.NEGATIVE_INFINITY;
    }
  }

  private isChecking(): boolean {
    return this.pull()?.checks?.some((check) => check.state === "pending") === true;
  }

  /** Schedules the next request while checks are running. */
  private plan(): void {
    clearTimeout(this.timer);
    if (this.disposed || !this.isChecking()) return;
    const wait = Math.max(0, this.asked + checkMillis - performance.now());
    this.timer = setTimeout(() => {
      if (document.visibilityState === "visible") void this.load();
    }, wait);
  }

  /** Returns the branch's pull request if it is open. */
  openPull(): ReviewPull | undefined {
    const pull = this.pull();
    return pull?.state === "open" ? pull : undefined;
  }

  /** Opens the sheet and loads its content. */
  openSheet(): void {
    if (this.isOpen()) return;
    batch(() => {
      this.signals.form[1](undefined);
      this.signals.base[1]("");
      this.signals.problem[1]("");
      if (!this.isRunning()) this.signals.jobId[1]("");
      this.signals.isOpen[1](true);
    });
    void this.loadForm();
  }

  /** Closes the sheet. A running job continues and is shown in the commit box. */
  closeSheet(): void {
    const job = this.job();
    if (job && job.state !== "running" && this.commit.jobs.newest()?.id === job.id) this.commit.jobs.close();
    this.signals.isOpen[1](false);
  }

  /** Loads the content of the sheet. */
  async loadForm(): Promise<void> {
    const mine = ++this.formLoads;
    this.signals.failure[1]("");
    try {
      const [form, sources] = await Promise.all([
        api.reviewPullForm(this.chatId, this.signals.base[0]()),
        api.reviewSources(this.chatId),
      ]);
      if (mine !== this.formLoads) return;
      batch(() => {
        this.signals.form[1](form);
        this.signals.requests[1](requestsOf(sources.turns));
        this.signals.draft[1](drafts.get(this.key()) ?? emptyDraft);
      });
    } catch (thrown) {
      if (mine === this.formLoads) this.signals.failure[1](toAppError(thrown).message);
    }
  }

  /** Returns the kind of content that the sheet shows. */
  face(): PullFace {
    const form = this.form();
    if (this.signals.failure[0]() !== "") return "failed";
    if (!form) return "loading";
    if (form.pull) return "already";
    if (!form.message) return "ready";
    return form.compareURL ? "compare" : "blocked";
  }

  /** Returns the reason why VoxPilot can't open a pull request, or "". */
  reason(): string {
    return this.signals.failure[0]() || (this.form()?.message ?? "");
  }

  private key(): string {
    return `${this.chatId} ${this.form()?.branch ?? ""}`;
  }

  private set(change: Partial<PullDraft>): void {
    const draft = { ...this.draft(), ...change };
    drafts.set(this.key(), draft);
    this.signals.draft[1](draft);
    this.signals.problem[1]("");
  }

  title(): string {
    return this.draft().title ?? this.form()?.title ?? "";
  }

  setTitle(title: string): void {
    this.set({ title });
  }

  /** Reports whether the description includes the chat's requests. */
  hasSummary(): boolean {
    return this.requests() !== "" && (this.draft().summary ?? this.form()?.body === "");
  }

  /** Returns the suggested description. */
  suggestion(): string {
    return [this.form()?.body ?? "", this.hasSummary() ? this.requests() : ""].filter(Boolean).join("\n\n");
  }

  /** Returns the description: the typed one or, if there is none, the suggestion. */
  body(): string {
    return this.draft().body ?? this.suggestion();
  }

  setBody(body: string): void {
    this.set({ body, replaced: "" });
  }

  /** Adds the chat's requests to the description or removes them. */
  setSummary(summary: boolean): void {
    const { body } = this.draft();
    if (body === undefined) {
      this.set({ summary });
      return;
    }
    const without = body.replace(this.requests(), "").trimEnd();
    this.set({
      summary,
      body: summary ? `${without}${without === "" ? "" : "\n\n"}${this.requests()}` : without,
    });
  }

  /** Replaces the description with a new suggestion. */
  async suggest(): Promise<void> {
    await this.loadForm();
    const { body } = this.draft();
    this.set({ body: undefined, replaced: body && body !== this.suggestion() ? body : "" });
  }

  /** Restores the description that was replaced with a suggestion. */
  takeBack(): void {
    this.setBody(this.draft().replaced);
  }

  setDraft(draft: boolean): void {
    this.set({ draft });
  }

  base(): string {
    return this.signals.base[0]() || (this.form()?.base ?? "");
  }

  /** Selects the branch to merge into and loads suggestions for it. */
  setBase(base: string): void {
    this.signals.base[1](base);
    this.signals.problem[1]("");
    void this.loadForm();
  }

  /** Returns the job started in the sheet, if any. */
  job(): ReviewJob | undefined {
    return this.jobs()[this.signals.jobId[0]()];
  }

  isRunning(): boolean {
    return this.signals.isStarting[0]() || this.job()?.state === "running";
  }

  /** Returns the reason why the last attempt failed, or "". */
  problem(): string {
    const t = messages.reviewPull;
    const job = this.job();
    const own = this.signals.problem[0]();
    if (own !== "" || !job) return own;
    if (job.state !== "failed" && job.state !== "cancelled") return "";
    const why = job.state === "cancelled" ? t.cancelled : job.message || t.failed;
    if (!job.pushed || this.form()?.compareURL) return why;
    return messages.common.sentences(t.pushedOnly(this.form()?.remote ?? ""), why);
  }

  /** Opens the pull request, or pushes the branch if needed and opens GitHub's compare page. */
  async start(): Promise<void> {
    const form = this.form();
    const face = this.face();
    if (!form || (face !== "ready" && face !== "compare") || this.isRunning()) return;
    const title = this.title().trim();
    if (title === "") {
      this.signals.problem[1](messages.reviewPull.noTitle);
      return;
    }
    if (face === "compare" && !form.pushes) {
      this.toComparePage();
      return;
    }
    const base = this.base();
    const request: ReviewPullRequest = {
      title,
      body: this.body(),
      ...(base !== "" && { base }),
      ...(this.draft().draft && { draft: true }),
    };
    batch(() => {
      this.signals.problem[1]("");
      this.signals.jobId[1]("");
      this.signals.isStarting[1](true);
    });
    try {
      const id =
        face === "ready"
          ? await call("ReviewOpenPull", this.chatId, request)
          : await call("ReviewPush", this.chatId, {});
      this.signals.jobId[1](id);
    } catch (thrown) {
      this.signals.problem[1](toAppError(thrown).message);
    } finally {
      this.signals.isStarting[1](false);
    }
  }

  private toComparePage(): void {
    const page = this.form()?.compareURL ?? "";
    void actions.openURL(compareAddress(page, this.title().trim(), this.body()));
    this.done();
  }

  private done(): void {
    drafts.delete(this.key());
    this.signals.jobId[1]("");
    this.signals.isOpen[1](false);
  }

  /** Closes the sheet after its job has succeeded. After a push, it opens GitHub's compare page first. */
  ended(job: ReviewJob): void {
    if (job.state !== "done") return;
    if (this.face() === "compare") {
      this.toComparePage();
      return;
    }
    this.done();
  }

  cancel(): void {
    const job = this.job();
    if (job?.state === "running") void this.commit.cancel(job);
  }
}
