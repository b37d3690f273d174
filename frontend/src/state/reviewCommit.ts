// The state of the commit box: details of the possible commit, the user's input, and the running job.

import { type Accessor, batch, createEffect, createSignal, on } from "solid-js";
import { api, call, toAppError } from "../bridge";
import { messages } from "../i18n";
import { visibleText } from "../lib/format";
import type { ReviewModel } from "./review";
import { CommitFiles } from "./reviewCommitFiles";
import { type CommitDraft, CommitInput, savedStateOf } from "./reviewCommitInput";
import { CommitJobs } from "./reviewCommitJobs";
import { CommitMessage } from "./reviewCommitMessage";
import type { FileView } from "./reviewFile";
import { ChosenPart } from "./reviewPart";
import { type StagePart, stagedIn } from "./reviewStaged";
import type { ReviewCommitForm, ReviewCommitRequest, ReviewFile, ReviewJob } from "./types";

/** Maximum number of paths sent with a request for a suggested message. */
const maxPaths = 200;

/** CommitModel holds the state of one commit box. */
export class CommitModel {
  private readonly input: CommitInput;
  private loads = 0;
  /** The paths for which the form was requested last. */
  private paths = "";
  private readonly signals = {
    form: createSignal<ReviewCommitForm>(),
    uncommitted: createSignal<readonly ReviewFile[]>(),
    nested: createSignal(""),
    unlisted: createSignal(0),
    isRepository: createSignal<boolean>(),
    failure: createSignal(""),
    problem: createSignal(""),
    /** Number of actions of the box that are running or waiting. */
    busy: createSignal(0),
    isOutdated: createSignal(false),
  };

  readonly form = this.signals.form[0];
  /** The files in the chat's folder that differ from HEAD, or undefined if they aren't loaded yet. */
  readonly uncommitted = this.signals.uncommitted[0];
  /** Names the repositories inside the folder that have uncommitted changes, or "" if there are none. */
  readonly nested = this.signals.nested[0];
  /** Number of uncommitted files that the list leaves out because there are too many. */
  readonly unlisted = this.signals.unlisted[0];
  /** Whether the chat's folder is in a repository. */
  readonly isRepository = () => this.signals.isRepository[0]() === true;
  /** Whether it isn't known yet if the folder is in a repository. */
  readonly isUnknown = () => this.signals.isRepository[0]() === undefined;
  /** The reason why the form couldn't be loaded, or "". */
  readonly failure = this.signals.failure[0];
  /** The reason why the last action failed, or "". */
  readonly problem = this.signals.problem[0];
  /** Whether an action of the box is running or waiting. */
  readonly isBusy = () => this.signals.busy[0]() > 0;
  /** The user's input. */
  readonly draft: Accessor<CommitDraft>;
  readonly message: CommitMessage;
  readonly files: CommitFiles;
  readonly jobs: CommitJobs;

  constructor(
    readonly review: ReviewModel,
    jobs: () => Readonly<Record<string, ReviewJob>>,
  ) {
    const own = savedStateOf(review.chatId);
    this.input = new CommitInput(review.chatId, own);
    this.draft = this.input.draft;
    this.message = new CommitMessage(this.input, this.form, () => this.load());
    this.files = new CommitFiles(this.input, this);
    this.jobs = new CommitJobs(review.chatId, own, jobs, () => this.form()?.last?.sha);
    createEffect(on(review.diskChanges, () => this.loads > 0 && void this.loadChanged(), { defer: true }));
    // A suggested message is about the selected files.
    createEffect(
      on(
        () => this.files.paths(this.draft().files).slice(0, maxPaths).join("\0"),
        (paths) => {
          if (this.loads > 0 && !this.draft().typed && paths !== this.paths) void this.load();
        },
        { defer: true },
      ),
    );
  }

  get chatId(): string {
    return this.review.chatId;
  }

  /** Loads the form after an action of the user has changed the files. Until it's loaded, no commit is possible. */
  private loadChanged(): Promise<void> {
    this.signals.isOutdated[1](true);
    return this.load();
  }

  /** Loads the form and the uncommitted files. They are shown together, so that they never contradict each other. */
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
      const paths = this.files.paths(files, list.files).slice(0, maxPaths);
      this.paths = paths.join("\0");
      const form = await api.reviewCommit(this.chatId, files, paths, amend);
      if (mine !== this.loads) return;
      batch(() => {
        this.signals.failure[1]("");
        this.signals.uncommitted[1](list.files);
        this.signals.nested[1](list.nested ?? "");
        this.signals.unlisted[1](Math.max(0, list.total - list.files.length));
        this.signals.form[1](form);
      });
      if (files === "staged" && form.staged === 0) {
        this.input.set({ files: "all", picked: false });
        void this.load();
      }
    } catch (thrown) {
      if (mine === this.loads) this.signals.failure[1](toAppError(thrown).message);
    } finally {
      if (mine === this.loads) this.signals.isOutdated[1](false);
    }
  }

  amend(amend: boolean): void {
    this.input.set({ amend });
    void this.load();
  }

  setRemote(remote: string): void {
    this.input.set({ remote });
  }

  /** Reports whether a commit with the current input is possible. */
  canCommit(): boolean {
    const form = this.form();
    if (!form || form.message || this.isBusy() || this.signals.isOutdated[0]()) return false;
    if (this.message.text().trim() === "") return false;
    return this.draft().amend || this.files.count(this.draft().files) > 0;
  }

  /** Updates the state after a job has ended. If the committed message is still in the box, the box is reset. */
  async ended(job: ReviewJob): Promise<void> {
    const message = this.jobs.startOf(job)?.message;
    if (message !== undefined && job.commit && this.message.text() === message) {
      this.input.set({
        text: "",
        typed: false,
        replaced: "",
        drafted: "",
        amend: false,
        files: "all",
        picked: false,
        chosen: new Set(),
      });
    }
    await Promise.all([this.load(), this.review.reload(job.commit !== undefined)]);
  }

  /** Starts a commit. If `then` is set, the commit is also pushed, or the sheet for a pull request opens after it. */
  async commit(then?: "push" | "pull"): Promise<boolean> {
    if (!this.canCommit()) return false;
    const { files } = this.draft();
    const message = this.message.text();
    const remote = this.chosenRemote();
    const request: ReviewCommitRequest = {
      message,
      ...this.files.selection(),
      ...(files === "staged"
        ? { stagedVersion: this.form()?.stagedVersion ?? "" }
        : { versions: this.files.versions(files) }),
      ...(then === "push" && { push: true, ...(remote !== "" && { remote }) }),
    };
    const paths = this.files.paths(files);
    return this.act(async () => {
      const id = await call("ReviewCommit", this.chatId, request).catch((thrown) => {
        if (toAppError(thrown).code === "stale") void Promise.all([this.load(), this.review.reload()]);
        throw thrown;
      });
      this.jobs.started(id, { message, files, paths }, then === "pull");
    });
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
   * Undoes the newest commit of the branch. The commit's message and files move into the box unless the user has typed
   * a message.
   */
  async undo(sha: string): Promise<boolean> {
    const message = this.form()?.last?.message.trimEnd() ?? "";
    const made = this.jobs.committed();
    const start = made?.commit?.sha === sha ? this.jobs.startOf(made) : undefined;
    let amended = false;
    const done = await this.act(async () => {
      amended = await call("ReviewUndoCommit", this.chatId, sha);
    });
    if (!done) return false;
    if (!this.draft().typed) {
      this.message.type(message);
      const isByPath = start?.files === "viewed" || start?.files === "chosen";
      // Git stages the changes of an undone commit. Other files may be staged as well.
      this.input.set({
        amend: amended,
        files: isByPath ? "chosen" : "staged",
        picked: false,
        ...(isByPath && { chosen: new Set(start.paths) }),
      });
    }
    await Promise.all([this.load(), this.review.reload(true)]);
    return true;
  }

  /**
   * Stages all changes to a file or, if `part` is given, only that part of them. If they are completely staged at the
   * time of the call, it unstages them.
   */
  async stage(file: FileView, part?: StagePart): Promise<boolean> {
    const staged = (part ? stagedIn(file.diff, part.blocks) : file.file.staged) !== "all";
    const chosen = new ChosenPart(file, part?.blocks);
    const done = await this.act(() => {
      const { version, blocks = [] } = chosen.in(this.review.file(file.path) ?? file);
      const lines = blocks.map((block) => [...block]);
      return call("ReviewStage", this.chatId, file.path, version, lines, staged);
    });
    if (done) {
      if (staged && !this.draft().picked) this.input.set({ files: "staged" });
      const t = messages.reviewCommit;
      const path = visibleText(file.path);
      this.review.announce(
        part ? part.announcement(staged) : (staged ? t.stagedAnnounced : t.unstagedAnnounced)(path),
      );
    }
    await Promise.all([this.loadChanged(), this.review.reload()]);
    return done;
  }

  /** Makes the app ask whether to trust the folder. If it is already trusted, the form is loaded again. */
  askTrust(): Promise<boolean> {
    return this.act(async () => {
      await call("ReviewTrust", this.chatId);
      await this.load();
    });
  }

  clearProblem(): void {
    this.signals.problem[1]("");
  }

  /** Runs an action after all earlier ones in the review. The promise resolves to false if it failed. */
  private async act(run: () => Promise<void>): Promise<boolean> {
    this.signals.busy[1]((n) => n + 1);
    return this.review.inTurn(async () => {
      this.clearProblem();
      this.jobs.close();
      try {
        await run();
        return true;
      } catch (thrown) {
        this.signals.problem[1](toAppError(thrown).message);
        return false;
      } finally {
        this.signals.busy[1]((n) => n - 1);
      }
    });
  }
}
