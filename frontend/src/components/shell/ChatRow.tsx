import CircleX from "lucide-solid/icons/circle-x";
import Hand from "lucide-solid/icons/hand";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import Pin from "lucide-solid/icons/pin";
import { Match, Show, Switch } from "solid-js";
import { messages } from "../../i18n";
import { createNow } from "../../lib/clock";
import { coarseNow } from "../../lib/coarseClock";
import { visibleText } from "../../lib/format";
import { type RowState, secondLine } from "../../state/rows";
import { select } from "../../state/select";
import type { Chat } from "../../state/types";
import { Icon } from "../ui/Icon";
import { age, clock } from "../ui/time";
import "./chat-list.css";

/** StateGlyph is the icon for a chat's state. An idle chat has none. */
export function StateGlyph(props: { state: RowState }) {
  return (
    <Switch>
      <Match when={props.state === "running"}>
        <Icon of={LoaderCircle} size="sm" class="spin c-cop" />
      </Match>
      <Match when={props.state === "attn"}>
        <Icon of={Hand} size="sm" class="c-attn" />
      </Match>
      <Match when={props.state === "failed"}>
        <Icon of={CircleX} size="sm" class="c-bad" />
      </Match>
      <Match when={props.state === "unread"}>
        <span class="dot" />
      </Match>
    </Switch>
  );
}

function Clock(props: { since: number }) {
  const now = createNow();
  return <>{clock(now() - props.since)}</>;
}

function Age(props: { at: number }) {
  return <>{age(props.at, Math.max(coarseNow(props.at), props.at))}</>;
}

/**
 * ChatTime shows how long a chat has been running. If the chat isn't running or its agent is reconnecting, ChatTime
 * shows the time of the last activity.
 */
export function ChatTime(props: { chat: Chat; state: RowState }) {
  return (
    <Show
      when={props.chat.turnState === "running" && props.state === "running" && props.chat.turnSince}
      fallback={<Age at={props.chat.updatedAt} />}
    >
      {(since) => <Clock since={since()} />}
    </Show>
  );
}

/** titleOf returns the display title of a chat. */
export function titleOf(chat: Chat | undefined): string {
  return visibleText(chat?.title ?? "", "prose") || messages.shell.untitled;
}

export interface ChatRowProps {
  chat: Chat;
  state: RowState;
  current: boolean;
  /** Whether this row is the list's only tab stop. */
  tabStop: boolean;
  onOpen: () => void;
  onFocus: () => void;
}

/** ChatRow shows one chat in the list: state, title, time, and a detail line while the chat is active. */
export function ChatRow(props: ChatRowProps) {
  return (
    <a
      class="chat"
      href={`#${props.chat.id}`}
      data-id={props.chat.id}
      data-state={props.state}
      aria-current={props.current ? "page" : undefined}
      aria-label={messages.shell.chatLabel(
        titleOf(props.chat),
        messages.shell.states[props.state],
        select.isPractice(props.chat),
        !!props.chat.pinned && !props.chat.archived,
      )}
      tabIndex={props.tabStop ? 0 : -1}
      draggable={false}
      onFocus={() => props.onFocus()}
      onClick={(event) => {
        event.preventDefault();
        props.onOpen();
      }}
    >
      <span class="g">
        <StateGlyph state={props.state} />
      </span>
      <span class="tt">
        <span class="t trunc">{titleOf(props.chat)}</span>
        <Show when={select.isPractice(props.chat)}>
          <span class="tag">{messages.shell.practiceTag}</span>
        </Show>
      </span>
      <span class="m num">
        <Show when={props.chat.pinned && !props.chat.archived}>
          <Icon of={Pin} size="sm" class="pinned" />
        </Show>
        <ChatTime chat={props.chat} state={props.state} />
      </span>
      <Show when={secondLine(props.chat, props.state)}>
        <span class="d trunc">{visibleText(props.chat.detail ?? "")}</span>
      </Show>
    </a>
  );
}
