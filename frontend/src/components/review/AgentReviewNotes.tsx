// The lines at the end of the Review screen about the agent's review: its state, its result, and its suggested
// comments.

import CircleCheck from "lucide-solid/icons/circle-check";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import MessageSquareDashed from "lucide-solid/icons/message-square-dashed";
import TriangleAlert from "lucide-solid/icons/triangle-alert";
import X from "lucide-solid/icons/x";
import { Match, Show, Switch } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import type { AgentReviewModel } from "../../state/reviewAgent";
import { go } from "../../state/screen";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { requestView } from "../../state/transcriptView";
import { type AgentReview, SessionReview } from "../../state/types";
import { Button, IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";
import type { Suggestions } from "./suggestions";
import { unshownText } from "./unshown";

const t = messages.reviewAgent;

export interface AgentReviewNotesProps {
  model: AgentReviewModel;
  suggestions: Suggestions;
}

export function AgentReviewNotes(props: AgentReviewNotesProps) {
  const state = useStore();
  const { model } = props;
  const agent = () => visibleText(select.agentOf(state, model.chatId));
  const ids = () => model.comments.suggestions().map((comment) => comment.id);
  const count = () => ids().length;
  /** Paths of the suggestions on files that the list doesn't contain, one per suggestion. */
  const unshown = () => {
    model.comments.review.rev();
    model.comments.review.list();
    const paths = model.comments.suggestions().map((comment) => comment.path);
    return paths.filter((path) => !model.comments.review.file(path));
  };
  const show = () =>
    go({ name: "chat", id: model.chatId }, () =>
      requestView({ chatId: model.chatId, session: SessionReview }),
    );
  const ToChat = () => (
    <Button look="ghost" onClick={show}>
      {t.showInChat}
    </Button>
  );
  const text = (now: AgentReview) => {
    if (now.state === "stopped") return t.stopped;
    if (now.state === "failed")
      return messages.common.sentences(t.failed, visibleText(now.message ?? "", "prose"));
    if (now.unclear) return t.unclear(agent());
    if (now.otherComments) return t.others(now.otherComments);
    const isOld = model.comments.list().some((comment) => comment.origin === "agent");
    return isOld ? t.nothingNew(agent()) : t.nothing(agent());
  };
  const isProblem = (now: AgentReview) => now.state === "failed" || now.unclear === true;
  /** The result of the review; undefined if there is none or if the user sees all of it anyway, as comments. */
  const result = () => {
    const now = model.result();
    return now && (now.state !== "done" || !now.comments || now.otherComments) ? now : undefined;
  };
  return (
    <>
      <Show when={model.isRunning()}>
        <div class="rv-note working">
          <Icon of={LoaderCircle} class="spin" />
          <span class="grow" role="status">
            {model.isWaiting() ? t.waiting(agent()) : t.running(agent())}
          </span>
          <ToChat />
          <Button aria-label={t.stopName} onClick={() => void model.stop()}>
            {t.stop}
          </Button>
        </div>
      </Show>
      <Show when={result()}>
        {(now) => (
          <div class="rv-note" classList={{ attn: isProblem(now()) }}>
            <Switch>
              <Match when={isProblem(now())}>
                <Icon of={TriangleAlert} size="sm" />
              </Match>
              <Match when={!isProblem(now())}>
                <Icon of={CircleCheck} size="sm" />
              </Match>
            </Switch>
            <span class="grow" role={now().state === "failed" ? "alert" : "status"}>
              {text(now())}
            </span>
            <ToChat />
            <IconButton small icon={X} label={t.dismissNote} onClick={() => model.closeResult()} />
          </div>
        )}
      </Show>
      <Show when={count() > 0}>
        <section class="rv-note rv-suggests" aria-label={t.region}>
          <Icon of={MessageSquareDashed} size="sm" />
          <span class="grow" role="status">
            <b>{t.suggests(agent(), count())}</b>
            <Show when={unshown().length > 0}> {unshownText(unshown())}</Show>
          </span>
          <Show when={count() > unshown().length}>
            <Button
              look="ghost"
              aria-label={t.nextName}
              aria-keyshortcuts="G"
              onClick={() => props.suggestions.next()}
            >
              {t.next}
            </Button>
          </Show>
          <Button
            look="ghost"
            disabled={model.comments.isBusy()}
            onClick={() => void props.suggestions.dismiss(ids())}
          >
            {count() > 1 ? t.dismissAll : t.dismiss}
          </Button>
          <Button disabled={model.comments.isBusy()} onClick={() => void props.suggestions.accept(ids())}>
            {count() > 1 ? t.acceptAll : t.accept}
          </Button>
        </section>
      </Show>
    </>
  );
}
