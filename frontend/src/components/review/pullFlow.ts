// Keeps the pull request of a branch up to date with the chat's commits and pushes.

import { createEffect, on, onCleanup } from "solid-js";
import type { PullModel } from "../../state/reviewPull";
import type { ReviewJob } from "../../state/types";

/**
 * followPull loads the pull request once the review is open, after each push, after a job has opened it, and when
 * another branch is checked out. If the user requested a pull request together with a commit, followPull also opens
 * the sheet for it. It closes the sheet after the sheet's job has succeeded.
 */
export function followPull(
  model: PullModel,
  isOpened: () => boolean,
  jobs: () => Readonly<Record<string, ReviewJob>>,
): void {
  const { commit } = model;
  createEffect(on(isOpened, (opened) => opened && onCleanup(model.watch())));
  const isPushed = (job: ReviewJob) =>
    job.chatId === model.chatId && job.state !== "running" && (job.pushed === true || job.url !== undefined);
  createEffect(
    on(
      () =>
        Object.values(jobs())
          .filter(isPushed)
          .map((job) => job.id)
          .at(-1),
      (id) => id !== undefined && void model.load(),
      { defer: true },
    ),
  );
  createEffect(
    on(
      () => commit.form()?.branch,
      (branch, before) => before !== undefined && branch !== before && void model.load(),
    ),
  );
  createEffect(() => commit.jobs.takePull() && model.openSheet());
  createEffect(
    on(
      () => [model.job()?.id, model.job()?.state] as const,
      () => {
        const job = model.job();
        if (job && job.state !== "running") model.ended(job);
      },
    ),
  );
}
