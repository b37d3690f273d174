// The state of the commit box: details of the possible commit, the user's input, and the running job.

import { batch, createSignal } from "solid-js";
import { api, call, toAppError } from "../bridge";
import { messages } from "../i18n";
import { visibleText } from "../lib/format";
import type { ReviewModel } from "./review";
import type { FileView } from "./reviewFile";
import { type StagePart, stagedIn } from "./reviewStaged";
import type {
  MessageDraftRequest,
  ReviewCommitFiles,
  ReviewCommitForm,
  ReviewCommitRequest,
  ReviewFile,
  ReviewJob,
} from "./types";

/** Maximum number of paths sent with a request for a suggested message. */
const maxPaths = 200;

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
  chosen: ReadonlySet<string>;
  amend: boolean;
  /** The remote that the user has chosen for pushing, or "" if none was chosen. */
  remote: string;
}

interface StartedCommit {
  message: string;
  /** Number of files in the commit. */
  files: number;
  isEnded?: boolean;
}

/** The state of a chat's commit box. It is kept in memory while the screen is closed. */
interface Kept {
  draft: CommitDraft;
  /** IDs of ended jobs that the user has closed. */
  closed: Set<string>;
  /** Commits started in this window, by the ID of their job. */
  started: Map<string, StartedCommit>;
  /** ID of the commit job after which the sheet for a pull request must open, or "". */
  beforePull: string;
}

const kept = new Map<string, Kept>();

const storageKey = (chatId: string) => `voxpilot.commit.${chatId}`;

function emptyDraft(text: string): CommitDraft {
  return {
    text,
    typed: text !== "",
    replaced: "",
    wasTyped: true,
    drafted: "",
    files: "all",
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

function keptOf(chatId: string): Kept {
  const own = kept.get(chatId) ?? {
    draft: emptyDraft(storedText(chatId)),
    closed: new Set(),
    started: new Map(),
    beforePull: "",
  };
  kept.set(chatId, own);
  return own;
}

/** forgetCommits discards the state of all commit boxes, as a reload of the window does. */
export function forgetCommits(): void {
  kept.clear();
}

/** CommitModel holds the state of one commit box. */
export class CommitModel {
  private readonly own: Kept;
  private loads = 0;
  private readonly signals = {
    form: createSignal<ReviewCommitForm>(),
    uncommitted: createSignal<readonly ReviewFile[]>(),
    isRepository: createSignal(false),
    failure: createSignal(""),
    problem: createSignal(""),
    isBusy: createSignal(false),
    draft: createSignal<CommitDraft>(emptyDraft("")),
    /** Number of jobs that the user has closed. */
    closed: createSignal(0),
    beforePull: createSignal(""),
  };

  readonly form = this.signals.form[0];
  /** The files in the chat's folder that differ from HEAD, or undefined if they aren't loaded yet. */
  readonly uncommitted = this.signals.uncommitted[0];
  readonly isRepository = this.signals.isRepository[0];
  /** The reason why the form couldn't be loaded, or "". */
  readonly failure = this.signals.failure[0];
  /** The reason why the last action failed, or "". */
  readonly problem = this.signals.problem[0];
  /** Whether a request for an action hasn't been answered yet. */
  readonly isBusy = this.signals.isBusy[0];
  readonly draft = this.signals.draft[0];

  constructor(
    readonly review: ReviewModel,
    private readonly jobs: () => Readonly<Record<string, ReviewJob>>,
  ) {
    this.own = keptOf(review.chatId);
    this.signals.draft[1](this.own.draft);
    this.signals.beforePull[1](this.own.beforePull);
  }

  get chatId(): string {
    return this.review.chatId;
  }

  /** Loads the form and the uncommitted files. */
  async load(): Promise<void> {
    const mine = ++this.loads;
    const { files, amend } = this.draft();
    try {
      const sources = await api.reviewSources(this.chatId);
      if (mine !== this.loads) return;
      this.signals.isRepository[1](sources.repository);
      if (!sources.repository) return;
      const list = await this.review.uncommitted();
      if (mine !== this.loads) return;
      this.signals.uncommitted[1](list.files);
      const paths = this.paths(files).slice(0, maxPaths);
      const form = await api.reviewCommit(this.chatId, files, paths, amend);
      if (mine !== this.loads) return;
      batch(() => {
        this.signals.failure[1]("");
        this.signals.form[1](form);
      });
      if (files === "staged" && form.staged === 0) this.select("all");
    } catch (thrown) {
      if (mine === this.loads) this.signals.failure[1](toAppError(thrown).message);
    }
  }

  private set(change: Partial<CommitDraft>): void {
    this.own.draft = { ...this.draft(), ...change };
    this.signals.draft[1](this.own.draft);
    storeText(this.chatId, this.own.draft.typed ? this.own.draft.text : "");
  }

  /** Returns the commit message: the text that the user has typed or, if there is none, the suggestion. */
  message(): string {
    const { typed, text } = this.draft();
    return typed ? text : this.suggestion();
  }

  /** Returns the suggested message. For an amended commit, it is the commit's own message. */
  suggestion(): string {
    const form = this.form();
    return (this.draft().amend ? form?.last?.message.trimEnd() : form?.suggestion) ?? "";
  }

  type(text: string): void {
    this.set({ text, typed: true, replaced: "", ...(text === "" && { drafted: "" }) });
  }

  /** Replaces the message with a drafted one. */
  useDraft(id: string, text: string): void {
    const replaced = this.message();
    this.set({
      text,
      typed: true,
      replaced: replaced === text ? "" : replaced,
      wasTyped: this.draft().typed,
      drafted: id,
    });
  }

  /** Returns the number of files in the commit that contain conflict markers. */
  conflicts(): number {
    const { files } = this.draft();
    const paths = new Set(this.paths(files));
    return (this.uncommitted() ?? []).filter(
      (file) => (file.conflict ?? 0) > 0 && (paths.size === 0 || paths.has(file.path)),
    ).length;
  }

  /** Replaces the message with a new suggestion for the current changes. */
  async suggest(): Promise<void> {
    const { typed, text } = this.draft();
    await this.load();
    const replaced = typed && text.trim() !== "" && text !== this.suggestion() ? text : "";
    this.set({ text: "", typed: false, replaced, wasTyped: true, drafted: "" });
  }

  /** Restores the text that was replaced with a suggestion or draft. */
  takeBack(): void {
    const { replaced, wasTyped } = this.draft();
    this.set({ text: wasTyped ? replaced : "", typed: wasTyped, replaced: "", drafted: "" });
  }

  /** Changes the selection of files for the commit. */
  select(files: ReviewCommitFiles): void {
    if (files === this.draft().files) return;
    const chosen =
      files === "chosen" && this.draft().chosen.size === 0
        ? new Set((this.uncommitted() ?? []).map((file) => file.path))
        : this.draft().chosen;
    this.set({ files, chosen });
    void this.load();
  }

  canChoose(path: string): boolean {
    return this.uncommitted()?.some((file) => file.path === path) === true;
  }

  isChosen(path: string): boolean {
    return this.draft().chosen.has(path);
  }

  /** Adds a file to the commit or, if it is already in it, removes it. */
  toggle(path: string): void {
    if (!this.canChoose(path)) return;
    const chosen = new Set(this.draft().chosen);
    if (!chosen.delete(path)) chosen.add(path);
    this.set({ chosen });
    if (!this.draft().typed) void this.load();
  }

  amend(amend: boolean): void {
    this.set({ amend });
    void this.load();
  }

  setRemote(remote: string): void {
    this.set({ remote });
  }

  /** Returns the files that a selection contains. For "staged", these are the files with any staged change. */
  filesOf(files: ReviewCommitFiles): readonly ReviewFile[] {
    const all = this.uncommitted() ?? [];
    this.review.rev();
    switch (files) {
      case "viewed":
        return all.filter((file) => this.isViewed(file));
      case "chosen":
        return all.filter((file) => this.draft().chosen.has(file.path));
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
    const shown = this.review.file(file.path);
    if (shown && this.review.source === "working") return shown.file.viewed === true;
    return file.viewed === true || (shown?.file.viewed === true && shown.version === file.version);
  }

  /** Returns the versions in which the files of a selection were shown, by path. */
  private versions(files: ReviewCommitFiles): Record<string, string> {
    const isShown = this.review.source === "working";
    return Object.fromEntries(
      this.filesOf(files).map((file) => {
        const shown = isShown ? this.review.file(file.path) : undefined;
        return [file.path, shown?.version ?? file.version];
      }),
    );
  }

  /** Returns the number of files that a selection contains. */
  count(files: ReviewCommitFiles): number {
    return files === "staged" ? (this.form()?.staged ?? 0) : this.filesOf(files).length;
  }

  private paths(files: ReviewCommitFiles): string[] {
    if (files !== "viewed" && files !== "chosen") return [];
    return this.filesOf(files).flatMap((file) => (file.from ? [file.path, file.from] : [file.path]));
  }

  /** Reports whether a commit with the current input is possible. */
  canCommit(): boolean {
    const form = this.form();
    if (!form || form.message || this.isBusy() || this.message().trim() === "") return false;
    return this.draft().amend || this.count(this.draft().files) > 0;
  }

  /** Returns the chat's newest job, unless the user has closed it. */
  job(): ReviewJob | undefined {
    this.signals.closed[0]();
    return Object.values(this.jobs()).findLast(
      (job) => job.chatId === this.chatId && !this.own.closed.has(job.id),
    );
  }

  /** Returns the job of the newest commit made by VoxPilot in this chat if that commit is still at HEAD. */
  committed(): ReviewJob | undefined {
    const head = this.form()?.last?.sha;
    return Object.values(this.jobs()).findLast(
      (job) => job.chatId === this.chatId && job.commit !== undefined && job.commit.sha === head,
    );
  }

  /** Returns the number of files in the commit made by a job, or 0 if it is unknown. */
  filesIn(job: ReviewJob): number {
    return this.own.started.get(job.id)?.files ?? 0;
  }

  /** Hides the newest job if it has ended. */
  closeJob(): void {
    const job = this.job();
    if (!job || job.state === "running") return;
    this.own.closed.add(job.id);
    this.signals.closed[1]((n) => n + 1);
  }

  /**
   * Returns true on the first call for each commit job that was started in this window. Call it once the job has ended.
   */
  takeEnd(job: ReviewJob): boolean {
    const own = this.own.started.get(job.id);
    if (!own || own.isEnded) return false;
    own.isEnded = true;
    return true;
  }

  /** Updates the state after a job has ended. If the committed message is still in the box, the box is reset. */
  async ended(job: ReviewJob): Promise<void> {
    const message = this.own.started.get(job.id)?.message;
    if (message !== undefined && job.commit && this.message() === message) {
      this.set({
        text: "",
        typed: false,
        replaced: "",
        drafted: "",
        amend: false,
        files: "all",
        chosen: new Set(),
      });
    }
    await Promise.all([this.load(), this.review.reload(job.commit !== undefined)]);
  }

  /** Returns the selected files as a request for a drafted message. */
  selection(): MessageDraftRequest {
    const { files, amend } = this.draft();
    const paths = this.paths(files);
    return { files, ...(paths.length > 0 && { paths }), ...(amend && { amend }) };
  }

  /** Starts a commit. If `then` is set, the commit is also pushed, or the sheet for a pull request opens after it. */
  async commit(then?: "push" | "pull"): Promise<boolean> {
    if (!this.canCommit()) return false;
    const { files } = this.draft();
    const message = this.message();
    const remote = this.chosenRemote();
    const request: ReviewCommitRequest = {
      message,
      ...this.selection(),
      ...((files === "viewed" || files === "chosen") && { versions: this.versions(files) }),
      ...(then === "push" && { push: true, ...(remote !== "" && { remote }) }),
    };
    return this.act(async () => {
      const count = this.count(files);
      const id = await call("ReviewCommit", this.chatId, request).catch((thrown) => {
        if (toAppError(thrown).code === "stale") void Promise.all([this.load(), this.review.reload()]);
        throw thrown;
      });
      this.own.started.set(id, { message, files: count });
      this.setBeforePull(then === "pull" ? id : "");
    });
  }

  private setBeforePull(id: string): void {
    this.own.beforePull = id;
    this.signals.beforePull[1](id);
  }

  /**
   * Reports whether the sheet for a pull request must open now, because the commit before it has succeeded. It returns
   * true only once per commit.
   */
  takePull(): boolean {
    const job = this.jobs()[this.signals.beforePull[0]()];
    if (!job || job.state === "running") return false;
    this.setBeforePull("");
    return job.state === "done" && job.commit !== undefined;
  }

  /** Returns the remote to push to, or "" if the user must choose one. */
  remote(): string {
    return this.form()?.remote || this.draft().remote;
  }

  /** Returns the remote that the user has chosen, or "" if Git determines the remote itself. */
  private chosenRemote(): string {
    return this.form()?.remote ? "" : this.draft().remote;
  }

  /** Starts pushing the branch, and sets its upstream if it has none or one with another name. */
  push(): Promise<boolean> {
    const form = this.form();
    const remote = this.chosenRemote();
    return this.act(async () => {
      await call("ReviewPush", this.chatId, {
        ...(!form?.upstream && { setUpstream: true }),
        ...(remote !== "" && { remote }),
      });
    });
  }

  cancel(job: ReviewJob): Promise<boolean> {
    return this.act(() => call("ReviewCancelJob", job.id));
  }

  /**
   * Undoes the newest commit of the branch. Its message moves into the box unless the user has typed another one. If the
   * commit was an amended one, the next one amends again.
   */
  async undo(sha: string): Promise<boolean> {
    const message = this.form()?.last?.message.trimEnd() ?? "";
    let amended = false;
    const done = await this.act(async () => {
      amended = await call("ReviewUndoCommit", this.chatId, sha);
    });
    if (!done) return false;
    if (!this.draft().typed) {
      this.type(message);
      this.set({ amend: amended });
    }
    await Promise.all([this.load(), this.review.reload(true)]);
    return true;
  }

  /** Stages all changes to a file or a part of them, or unstages them if they are already completely staged. */
  async stage(file: FileView, part?: StagePart): Promise<boolean> {
    const staged = (part ? stagedIn(file.diff, part.blocks) : file.file.staged) !== "all";
    const blocks = (part?.blocks ?? []).map((block) => [...block]);
    const done = await this.act(() =>
      call("ReviewStage", this.chatId, file.path, file.version, blocks, staged),
    );
    if (done) {
      const t = messages.reviewCommit;
      const path = visibleText(file.path);
      this.review.tell(part ? part.told(staged) : (staged ? t.stagedTold : t.unstagedTold)(path));
    }
    await Promise.all([this.load(), this.review.reload()]);
    return done;
  }

  clearProblem(): void {
    this.signals.problem[1]("");
  }

  private async act(run: () => Promise<void>): Promise<boolean> {
    if (this.isBusy()) return false;
    this.signals.isBusy[1](true);
    this.clearProblem();
    this.closeJob();
    try {
      await run();
      return true;
    } catch (thrown) {
      this.signals.problem[1](toAppError(thrown).message);
      return false;
    } finally {
      this.signals.isBusy[1](false);
    }
  }
}
