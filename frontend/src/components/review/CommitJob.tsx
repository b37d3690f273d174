// A commit or push that is running or has failed, with the output of Git and its hooks.

import CircleX from "lucide-solid/icons/circle-x";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import { createEffect, createMemo, on, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { withoutColors } from "../../lib/outputLines";
import type { CommitModel } from "../../state/reviewCommit";
import type { ReviewJob } from "../../state/types";
import { createClickGuard } from "../permission/clickGuard";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";

const t = messages.reviewCommit;

/** Maximum number of lines of output that are shown. */
const maxLines = 400;
/** Maximum number of characters shown per line. */
const maxLine = 2000;

/** outputEnd returns the last lines of a job's output as visible text, and the number of omitted lines before them. */
export function outputEnd(output: string): { text: string; before: number } {
  const lines = withoutColors(output).replace(/\n+$/, "").split("\n");
  const before = Math.max(0, lines.length - maxLines);
  const end = lines
    .slice(before)
    .map((line) => (line.length > maxLine ? `${line.slice(0, maxLine)}…` : line));
  return { text: visibleText(end.join("\n"), "output"), before };
}

export function CommitJob(props: { model: CommitModel; job: ReviewJob }) {
  let pre: HTMLPreElement | undefined;
  let acts!: HTMLDivElement;
  // Cancel replaces Commit, so the second half of a double click would hit it.
  const ready = createClickGuard({ element: () => acts });
  const isRunning = () => props.job.state === "running";
  const output = createMemo(() => outputEnd(props.job.output));
  const title = () => {
    if (isRunning()) return t.working[props.job.step ?? ""];
    if (props.job.step === "pull") return t.failedPull;
    return props.job.step === "push" || props.job.commit ? t.failedPush : t.failed;
  };
  // While the job runs, the newest output stays in view unless the user has scrolled up. When the job has failed,
  // the end of its output is shown.
  createEffect(
    on(output, () => {
      if (!pre) return;
      const below = pre.scrollHeight - pre.scrollTop - pre.clientHeight;
      if (isRunning() ? below < 60 : below >= 0) pre.scrollTop = pre.scrollHeight;
    }),
  );
  return (
    <>
      <div class="commit-state" role={isRunning() ? "status" : "alert"}>
        <Show when={isRunning()} fallback={<Icon of={CircleX} class="c-bad" />}>
          <Icon of={LoaderCircle} class="spin" />
        </Show>
        <div class="grow">
          <div class="strong-medium">{title()}</div>
          <Show when={props.job.commit}>
            {(commit) => (
              <div class="commit-sub trunc">
                {t.committed} <span class="mono">{visibleText(commit().short)}</span>
              </div>
            )}
          </Show>
          <Show when={!isRunning() && props.job.step === "pull" && props.job.pushed}>
            <p class="commit-reason">{messages.reviewPull.pushedOnly(visibleText(props.model.remote()))}</p>
          </Show>
          <Show when={!isRunning() && props.job.message}>
            <p class="commit-reason">{visibleText(props.job.message ?? "", "prose")}</p>
          </Show>
        </div>
      </div>
      <Show when={output().text !== ""}>
        <Show when={output().before > 0}>
          <p class="commit-facts">{t.outputCut(output().before)}</p>
        </Show>
        <pre
          ref={pre}
          class="commit-output mono sel"
          tabindex="0"
          role="log"
          aria-live="off"
          aria-label={t.output}
        >
          {output().text}
        </pre>
      </Show>
      <div ref={acts} class="commit-row">
        <span class="grow" />
        <Show
          when={isRunning()}
          fallback={
            <Button class="commit-main" onClick={() => props.model.jobs.close()}>
              {props.job.commit ? t.done : t.close}
            </Button>
          }
        >
          <Button class="commit-main" onClick={() => ready() && void props.model.cancel(props.job)}>
            {t.cancel}
          </Button>
        </Show>
      </div>
    </>
  );
}
