// The end of a turn that didn't finish normally.

import CircleStop from "lucide-solid/icons/circle-stop";
import RotateCcw from "lucide-solid/icons/rotate-ccw";
import Unplug from "lucide-solid/icons/unplug";
import { createMemo, Match, Show, Switch } from "solid-js";
import { messages } from "../../i18n";
import { timeOf } from "../../lib/format";
import { select } from "../../state/select";
import { raw, useStore } from "../../state/store";
import { timeOfTurn } from "../../state/turn";
import { isShownByBanner } from "../../state/turnEnds";
import { Rule } from "../banner/Banner";
import { Button } from "../ui/Button";
import { durationText } from "../ui/time";
import { createResend, TurnFailure } from "./Message";
import { retryOf } from "./retry";
import "./message.css";

const t = messages.lines.receipt;

/** TurnEnd shows how a turn ended if it didn't finish normally. */
export function TurnEnd(props: { chatId: string; turnId: string }) {
  const state = useStore();
  const send = createResend(() => props.chatId);
  const turn = () => state.turns[props.turnId];
  const time = () => timeOf(turn()?.endedAt || turn()?.startedAt || 0);
  // Only the newest turn can be retried, because the chat continued after the older ones.
  const prompt = createMemo(() => {
    const page = state.pages[props.chatId];
    void page?.rev;
    if (state.chats[props.chatId]?.turnState === "running") return undefined;
    const known = raw().pages[props.chatId];
    const newest = known?.order.findLast((id) => raw().items[id]?.kind === "user") ?? known?.lastUserItem;
    if (raw().items[newest ?? ""]?.turnId !== props.turnId) return undefined;
    return retryOf(raw(), props.chatId, props.turnId);
  });
  const isInBanner = createMemo(() => {
    void state.pages[props.chatId]?.rev;
    const known = raw().turns[props.turnId];
    return known !== undefined && isShownByBanner(raw(), known);
  });
  const after = () => {
    const millis = timeOfTurn(turn());
    return millis >= 1000 ? durationText(millis) : "";
  };
  const stopped = () => (after() === "" ? messages.chat.end.stopped(time()) : t.stoppedAfter(after()));
  const interrupted = () =>
    after() === "" ? messages.chat.end.interrupted(time()) : t.interruptedAfter(after());
  return (
    <Switch>
      <Match when={turn()?.state === "stopped"}>
        <div class="ended">
          <Rule icon={CircleStop} label={stopped()}>
            {stopped()}
          </Rule>
          <Show when={prompt()}>
            {(now) => (
              <Button look="ghost" icon={RotateCcw} onClick={() => send(now())}>
                {messages.chat.tryAgain}
              </Button>
            )}
          </Show>
        </div>
      </Match>
      <Match when={turn()?.state === "interrupted" && (!turn()?.error || isInBanner())}>
        <Rule icon={Unplug} label={interrupted()}>
          {interrupted()}
        </Rule>
      </Match>
      <Match when={turn()}>
        {(ended) => (
          <TurnFailure
            chatId={props.chatId}
            turnId={props.turnId}
            card
            text={ended().error?.message ?? messages.chat.end.failed(select.answeredBy(state, props.turnId))}
            detail={ended().error?.detail}
          />
        )}
      </Match>
    </Switch>
  );
}
