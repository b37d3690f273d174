// The jobs of a commit box: commits and pushes that run in the background, and their results.

import { createSignal } from "solid-js";
import type { SavedState, StartedCommit } from "./reviewCommitInput";
import type { ReviewJob } from "./types";

/** CommitJobs tracks the jobs of one commit box. */
export class CommitJobs {
  /** Number of jobs that the user has closed. */
  private readonly closed = createSignal(0);
  private readonly beforePull = createSignal("");

  constructor(
    private readonly chatId: string,
    private readonly own: SavedState,
    private readonly all: () => Readonly<Record<string, ReviewJob>>,
    /** Returns the hash of the commit at HEAD, or undefined if it is unknown. */
    private readonly head: () => string | undefined,
  ) {
    this.beforePull[1](own.beforePull);
  }

  /** Returns the newest of the chat's jobs that the user hasn't closed, or undefined if there is none. */
  newest(): ReviewJob | undefined {
    this.closed[0]();
    const job = Object.values(this.all()).findLast(({ chatId }) => chatId === this.chatId);
    return job && !this.own.closed.has(job.id) ? job : undefined;
  }

  /** Returns the job of the newest commit made by VoxPilot in this chat if that commit is still at HEAD. */
  committed(): ReviewJob | undefined {
    const head = this.head();
    return Object.values(this.all()).findLast(
      (job) => job.chatId === this.chatId && job.commit !== undefined && job.commit.sha === head,
    );
  }

  /** Returns the input of a job's commit, or undefined if the commit wasn't started in this window. */
  startOf(job: ReviewJob): StartedCommit | undefined {
    return this.own.started.get(job.id);
  }

  /** Hides the newest job if it has ended. */
  close(): void {
    const job = this.newest();
    if (!job || job.state === "running") return;
    this.own.closed.add(job.id);
    this.closed[1]((n) => n + 1);
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

  /** Records that a commit was started. If `opensPull` is set, the sheet for a pull request opens after it. */
  started(id: string, commit: StartedCommit, opensPull: boolean): void {
    this.own.started.set(id, commit);
    this.setBeforePull(opensPull ? id : "");
  }

  private setBeforePull(id: string): void {
    this.own.beforePull = id;
    this.beforePull[1](id);
  }

  /**
   * Reports whether the sheet for a pull request must open now, because the commit before it has succeeded. It returns
   * true only once per commit.
   */
  takePull(): boolean {
    const job = this.all()[this.beforePull[0]()];
    if (!job || job.state === "running") return false;
    this.setBeforePull("");
    return job.state === "done" && job.commit !== undefined;
  }
}
