import Box from "lucide-solid/icons/box";
import CircleX from "lucide-solid/icons/circle-x";
import Hand from "lucide-solid/icons/hand";
import KeyRound from "lucide-solid/icons/key-round";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import MessageSquare from "lucide-solid/icons/message-square";
import ShieldQuestionMark from "lucide-solid/icons/shield-question-mark";
import SquarePen from "lucide-solid/icons/square-pen";
import { Match, Show, Switch } from "solid-js";
import { Icon } from "../components/ui/Icon";
import { messages } from "../i18n";
import type { QuickTarget } from "../state/types";
import "../components/ui/menu.css";

const t = messages.quick;

/** Target shows where a message can be sent: to a chat, or to a new chat in a folder. */
export function Target(props: { of: QuickTarget }) {
  const state = () => props.of.state || "";
  return (
    <>
      <Switch fallback={<Icon of={MessageSquare} size="sm" />}>
        <Match when={!props.of.chatId}>
          <Icon of={SquarePen} size="sm" />
        </Match>
        <Match when={state() === "failed" || state() === "crashed"}>
          <Icon of={CircleX} size="sm" class="c-bad" />
        </Match>
        <Match when={state() === "running"}>
          <Icon of={LoaderCircle} size="sm" class="spin c-cop" />
        </Match>
        <Match when={state() === "waiting"}>
          <Icon of={Hand} size="sm" class="c-attn" />
        </Match>
        <Match when={state() === "signin"}>
          <Icon of={KeyRound} size="sm" class="c-attn" />
        </Match>
        <Match when={state() === "trust"}>
          <Icon of={ShieldQuestionMark} size="sm" class="c-attn" />
        </Match>
      </Switch>
      <Show
        when={props.of.chatId}
        fallback={
          <span class="trunc">
            {t.newChat.before}
            <b>{props.of.name}</b>
            {t.newChat.after}
          </span>
        }
      >
        <span class="trunc">{props.of.title || props.of.name}</span>
        <Show when={props.of.sandbox}>
          <span class="row" title={messages.sandbox.turnedOn}>
            <Icon of={Box} size="sm" />
            <span class="sr">{messages.sandbox.turnedOn}</span>
          </span>
        </Show>
      </Show>
      <span class="r">
        <Show
          when={props.of.chatId && state()}
          fallback={props.of.chatId ? props.of.name : props.of.place}
          keyed
        >
          {(now) => t.states[now as keyof typeof t.states]}
        </Show>
      </span>
    </>
  );
}
