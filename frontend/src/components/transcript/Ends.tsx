// What stands at the end of a turn: that it still runs, or how it ended.

import KeyRound from "lucide-solid/icons/key-round";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import RotateCcw from "lucide-solid/icons/rotate-ccw";
import Square from "lucide-solid/icons/square";
import Unplug from "lucide-solid/icons/unplug";
import { createMemo, Match, Show, Switch } from "solid-js";
import { createNow } from "../../lib/clock";
import { timeOf } from "../../lib/format";
import { shownOf } from "../../state/range";
import { select } from "../../state/select";
import { raw, useStore } from "../../state/store";
import { words } from "../../words";
import { Rule } from "../banner/Banner";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { clock } from "../ui/when";
import { again } from "./again";
import { send, Trouble } from "./Message";

/** Busy says that Copilot works although nothing of it is to be seen yet. */
export function Busy(props: { chatId: string; turnId: string }) {
  const state = useStore();
  const now = createNow();
  const connection = () => select.connection(state, props.chatId).state;
  const what = () => {
    // A main AI answers whether Copilot runs or not.
    if (state.turns[props.turnId]?.mainId) return words.chat.busy.working;
    switch (connection()) {
      case "checking":
      case "starting":
        return words.chat.busy.starting;
      case "restoring":
        return words.chat.busy.restoring;
      case "needs_login":
        return words.chat.busy.waitingForSignIn;
      case "waiting":
      case "failed":
        return words.chat.busy.waitingForCopilot;
      default:
        return words.chat.busy.working;
    }
  };
  return (
    <div class="note busy">
      <Show
        when={what() === words.chat.busy.waitingForSignIn}
        fallback={<Icon of={LoaderCircle} size="sm" class="spin c-cop" />}
      >
        <Icon of={KeyRound} size="sm" class="c-attn" />
      </Show>
      <span>{what()}</span>
      <span class="num subtle">{clock(now() - (state.turns[props.turnId]?.startedAt ?? now()))}</span>
    </div>
  );
}

/** End says how a turn ended that did not end well. */
export function End(props: { chatId: string; turnId: string }) {
  const state = useStore();
  const turn = () => state.turns[props.turnId];
  const time = () => timeOf(turn()?.endedAt || turn()?.startedAt || 0);
  // Only the newest answer is asked for again: an older one was gone on from.
  const prompt = createMemo(() => {
    const page = state.pages[props.chatId];
    void page?.rev;
    if (state.chats[props.chatId]?.turnState === "running") return undefined;
    const known = raw().pages[props.chatId];
    const newest = known?.order.findLast((id) => raw().items[id]?.kind === "user") ?? known?.asked;
    if (raw().items[newest ?? ""]?.turnId !== props.turnId) return undefined;
    return again(raw(), props.chatId, props.turnId);
  });
  // The banner of the session that came back says the same, and what to do.
  const isTold = createMemo(() => {
    const page = state.pages[props.chatId];
    void page?.rev;
    const known = raw().pages[props.chatId];
    return (known ? shownOf(known).order : []).some((id) => {
      const item = raw().items[id];
      const kind = item?.banner?.kind;
      return (
        (kind === "incomplete" || kind === "session_lost") &&
        item?.banner?.session === turn()?.session &&
        (item?.createdAt ?? 0) >= (turn()?.endedAt ?? 0)
      );
    });
  });
  return (
    <Switch>
      <Match when={turn()?.state === "stopped"}>
        <div class="ended">
          <Rule icon={Square} label={words.chat.end.stopped(time())}>
            {words.chat.end.stopped(time())}
          </Rule>
          <Show when={prompt()}>
            {(now) => (
              <Button look="ghost" icon={RotateCcw} onClick={() => send(props.chatId, now())}>
                {words.chat.tryAgain}
              </Button>
            )}
          </Show>
        </div>
      </Match>
      <Match when={turn()?.state === "interrupted" && (!turn()?.error || isTold())}>
        <Rule icon={Unplug} label={words.chat.end.interrupted(time())}>
          {words.chat.end.interrupted(time())}
        </Rule>
      </Match>
      <Match when={turn()}>
        {(ended) => (
          <Trouble
            chatId={props.chatId}
            turnId={props.turnId}
            banner={ended().mainId ? words.chat.end.label : undefined}
            text={ended().error?.message ?? words.chat.end.failed}
            detail={ended().error?.detail}
          />
        )}
      </Match>
    </Switch>
  );
}
