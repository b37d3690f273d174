// The branch's pull request in the bar of the Review screen.

import GitPullRequest from "lucide-solid/icons/git-pull-request";
import RefreshCw from "lucide-solid/icons/refresh-cw";
import TriangleAlert from "lucide-solid/icons/triangle-alert";
import { Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import type { PullModel } from "../../state/reviewPull";
import type { ReviewPull } from "../../state/types";
import { IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { PullChecks } from "./PullChecks";
import "./pull.css";

const t = messages.reviewPull;

/** stateOf returns the label for the state of a pull request. */
export function stateOf(pull: ReviewPull): string {
  const state = pull.state === "open" && pull.draft ? "draft" : (pull.state ?? "open");
  return t.states[state as keyof typeof t.states] ?? visibleText(state);
}

interface PullStatusProps {
  model: PullModel;
  narrow: boolean;
}

/**
 * PullStatus links to the branch's pull request, or states why it couldn't be loaded. It renders nothing if there is no
 * pull request.
 */
export function PullStatus(props: PullStatusProps) {
  return (
    <Show when={props.model.pull()} fallback={<Unreachable {...props} />}>
      {(pull) => {
        const words = () => `${t.number(pull().number ?? 0)}, ${stateOf(pull())}`;
        return (
          <span class="rv-pull">
            <a
              href={pull().url}
              aria-label={words()}
              title={`${visibleText(pull().title ?? "", "prose")}\n${words()}`.trim()}
              onClick={(event) => {
                event.preventDefault();
                void actions.openURL(pull().url ?? "");
              }}
            >
              <Icon of={GitPullRequest} size="sm" class={pull().state === "open" ? "c-ok" : "subtle"} />
              <span class="num">#{pull().number}</span>
              <Show when={!props.narrow}>
                <span class="rv-pull-state">{stateOf(pull())}</span>
              </Show>
            </a>
            <PullChecks pull={pull()} />
            <Show when={!props.narrow}>
              <IconButton
                small
                icon={RefreshCw}
                label={t.reload}
                aria-busy={props.model.isLoading()}
                onClick={() => void props.model.load()}
              />
            </Show>
          </span>
        );
      }}
    </Show>
  );
}

/** Unreachable states why the pull request couldn't be loaded. */
function Unreachable(props: PullStatusProps) {
  return (
    <Show when={props.model.unreachable()}>
      {(reason) => (
        <span class="rv-pull" role="status" title={visibleText(reason(), "prose")}>
          <Icon of={TriangleAlert} size="sm" class="c-attn" />
          <span class={props.narrow ? "sr" : "rv-pull-reason trunc"}>{visibleText(reason(), "prose")}</span>
          <button
            type="button"
            class="hb"
            aria-busy={props.model.isLoading()}
            onClick={() => void props.model.load()}
          >
            {t.tryAgain}
          </button>
        </span>
      )}
    </Show>
  );
}
