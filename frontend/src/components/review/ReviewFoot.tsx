// The end of the Review screen: whether the agent is still working, whether all files were viewed, and the keyboard
// shortcuts.

import CircleCheck from "lucide-solid/icons/circle-check";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import { createMemo, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import type { ReviewModel } from "../../state/review";
import { select } from "../../state/select";
import { raw, useStore } from "../../state/store";
import { waitsForTrust } from "../../state/trust";
import { SessionReview, type Turn } from "../../state/types";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Kbd, keyShortcuts } from "../ui/Kbd";

const t = messages.review;

export interface ReviewFootProps {
  model: ReviewModel;
  chatId: string;
  narrow: boolean;
  /**
   * Number of unsent comments. The keyboard shortcuts are shown only if there are neither unsent nor suggested
   * comments.
   */
  drafts: number;
  suggestions: number;
  /** Moves the focus to the commit box; undefined if there is none. */
  onCommit: (() => void) | undefined;
}

export function ReviewFoot(props: ReviewFootProps) {
  const state = useStore();
  // A review by the agent is reported in AgentReviewNotes, so its turn doesn't count as work.
  const isReviewing = () => state.agentReviews[props.chatId]?.state === "running";
  const isOther = (turn: Turn) =>
    turn.chatId === props.chatId && turn.state === "running" && turn.session !== SessionReview;
  const isWorking = () =>
    state.chats[props.chatId]?.turnState === "running" &&
    !waitsForTrust(state, props.chatId) &&
    (!isReviewing() || Object.values(state.turns).some(isOther));
  const session = createMemo(() => {
    void state.pages[props.chatId]?.rev;
    if (!isWorking()) return "";
    const open = Object.values(raw().items).filter(
      (item) =>
        item.chatId === props.chatId &&
        item.kind === "block" &&
        item.open &&
        !(isReviewing() && item.session === SessionReview),
    );
    return visibleText(open.at(-1)?.block?.sessionName ?? "");
  });
  const files = () => {
    props.model.rev();
    return props.model.files.filter((file) => !file.isGone).length;
  };
  const hasSeenAll = () => files() > 0 && props.model.viewed() === files();
  return (
    <>
      <Show when={isWorking()}>
        <div class="rv-note working" role="status">
          <Icon of={LoaderCircle} class="spin" />
          <span class="grow">{t.working(select.agentOf(state, props.chatId), session())}</span>
        </div>
      </Show>
      <Show when={hasSeenAll()}>
        <div class="rv-note" role="status">
          <Icon of={CircleCheck} class="c-ok" />
          <span class="grow">
            <b>{t.allViewed(files())}</b>
            <Show when={props.model.reverts.count() > 0 || props.drafts > 0}>
              {" "}
              {t.seenFacts(props.model.reverts.count(), props.drafts)}
            </Show>
          </span>
          <Show when={props.onCommit}>
            {(commit) => (
              <Button aria-keyshortcuts={keyShortcuts("Mod", "Shift", "K")} onClick={() => commit()()}>
                {t.commit}
              </Button>
            )}
          </Show>
        </div>
      </Show>
      <Show when={props.drafts + props.suggestions === 0 && !props.narrow && files() > 0}>
        <div class="rv-keys" aria-hidden="true">
          <Kbd keys={["N"]} />
          <Kbd keys={["P"]} />
          <span>{t.keysNextPrevious}</span>
          <Kbd keys={["]"]} />
          <Kbd keys={["["]} />
          <span>{t.keysFiles}</span>
          <Kbd keys={["V"]} />
          <span>{t.keysViewed}</span>
          <Kbd keys={["C"]} />
          <span>{messages.reviewComments.keysComment}</span>
        </div>
      </Show>
    </>
  );
}
