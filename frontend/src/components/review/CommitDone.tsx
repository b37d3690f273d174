// The actions after a commit: undoing it, pushing it, opening a pull request.

import ArrowUpFromLine from "lucide-solid/icons/arrow-up-from-line";
import CircleCheck from "lucide-solid/icons/circle-check";
import GitPullRequest from "lucide-solid/icons/git-pull-request";
import { Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import type { CommitModel } from "../../state/reviewCommit";
import type { PullModel } from "../../state/reviewPull";
import type { ReviewJob } from "../../state/types";
import { Button } from "../ui/Button";
import { Select } from "../ui/fields";
import { Icon } from "../ui/Icon";
import { outputEnd } from "./CommitJob";

const t = messages.reviewCommit;

export interface CommitDoneProps {
  model: CommitModel;
  pull: PullModel;
  job: ReviewJob | undefined;
  /** Whether opening a pull request is the screen's primary action. */
  primary: boolean;
}

/**
 * CommitDone shows the commit made by a job, and the actions that may follow. Without a job, it shows only the actions.
 */
export function CommitDone(props: CommitDoneProps) {
  const form = () => props.model.form();
  const ahead = () => form()?.ahead ?? 0;
  const setsUpstream = () => !form()?.upstream || form()?.setsUpstream === true;
  const remotes = () => form()?.remotes ?? [];
  /** The hooks of a push: the hook file, and hooks in Git's configuration, such as "pre-push (scan)". */
  const pushHooks = () => form()?.hooks.filter((name) => /^pre-push( \(|$)/.test(name)) ?? [];
  const branch = () => visibleText(form()?.branch ?? "") || t.noBranch;
  const isPushed = () => form()?.last?.pushed === true;
  const facts = (job: ReviewJob) => {
    const files = job.commit?.files ?? 0;
    return files > 0 ? t.filesTo(files, branch()) : visibleText(job.commit?.subject ?? "", "prose");
  };
  const needsChoice = () => ahead() > 0 && !form()?.remote && remotes().length > 0;
  return (
    <>
      <Show when={props.job}>
        {(job) => (
          <div class="commit-state">
            <Icon of={CircleCheck} class="c-ok" />
            <div class="grow">
              <div class="strong-medium">
                {t.committed} <span class="mono">{visibleText(job().commit?.short ?? "")}</span>
              </div>
              <div class="commit-sub trunc">{facts(job())}</div>
              <Show when={form()?.last?.pushedTo}>
                {(branch) => <div class="commit-sub trunc">{t.pushed(visibleText(branch()))}</div>}
              </Show>
            </div>
            <Show when={!isPushed()}>
              <button
                type="button"
                class="hb"
                aria-label={t.undoCommit}
                disabled={props.model.isBusy()}
                onClick={async () => {
                  if (await props.model.undo(job().commit?.sha ?? ""))
                    props.model.review.announce(t.undoneAnnounced);
                }}
              >
                {t.undo}
              </button>
            </Show>
          </div>
        )}
      </Show>
      <Show when={ahead() > 0 && remotes().length === 0}>
        <p class="commit-line">{t.noRemote}</p>
      </Show>
      <Show when={needsChoice()}>
        <div class="commit-row">
          <span class="commit-label">{t.pushTo}</span>
          <span class="commit-remote">
            <Select
              label={t.pushTo}
              value={props.model.remote()}
              choices={[
                ...(props.model.remote() === "" ? [{ value: "", label: t.chooseRemote }] : []),
                ...remotes().map((name) => ({ value: name, label: visibleText(name) })),
              ]}
              onChange={(remote) => props.model.setRemote(remote)}
            />
          </span>
        </div>
      </Show>
      <Show when={ahead() > 0 && setsUpstream() && props.model.remote() !== "" && form()?.branch}>
        <p class="commit-facts">{t.setsUpstream(visibleText(props.model.remote()), branch())}</p>
      </Show>
      <Show when={ahead() > 0 && remotes().length > 0 && pushHooks().length > 0}>
        <p class="commit-facts">
          {t.hooks(
            pushHooks()
              .map((hook) => visibleText(hook))
              .join(", "),
          )}
        </p>
      </Show>
      <Show when={props.job?.output}>
        {(output) => (
          <details class="commit-log">
            <summary>{t.output}</summary>
            <pre class="commit-output mono sel" tabindex="0" role="log" aria-live="off" aria-label={t.output}>
              {outputEnd(output()).text}
            </pre>
          </details>
        )}
      </Show>
      <Show when={(ahead() > 0 && remotes().length > 0 && form()?.branch) || form()?.compareURL}>
        <div class="commit-row">
          <Show when={ahead() > 0 && remotes().length > 0 && form()?.branch}>
            <Button
              class="grow commit-main"
              icon={ArrowUpFromLine}
              disabled={props.model.remote() === "" || props.model.isBusy()}
              onClick={() => void props.model.push()}
            >
              {t.push(ahead())}
            </Button>
          </Show>
          <Show when={form()?.compareURL}>
            <Show
              when={props.pull.openPull()}
              fallback={
                <Button
                  class="grow"
                  look={props.primary ? "primary" : undefined}
                  icon={GitPullRequest}
                  aria-haspopup="dialog"
                  disabled={props.model.isBusy()}
                  onClick={() => props.pull.openSheet()}
                >
                  {t.pullRequest}
                </Button>
              }
            >
              {(pull) => (
                <Button
                  class="grow"
                  icon={GitPullRequest}
                  onClick={() => void actions.openURL(pull().url ?? "")}
                >
                  {messages.reviewPull.number(pull().number ?? 0)}
                </Button>
              )}
            </Show>
          </Show>
        </div>
      </Show>
    </>
  );
}
