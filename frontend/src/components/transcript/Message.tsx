// What the user wrote and what the agent answered.

import CircleX from "lucide-solid/icons/circle-x";
import Info from "lucide-solid/icons/info";
import { createEffect, createMemo, For, Show } from "solid-js";
import { bytes, timeOf } from "../../lib/format";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { raw, useStore } from "../../state/store";
import type { Item } from "../../state/words";
import { words } from "../../words";
import { Button } from "../ui/Button";
import { CopyButton, CopyIcon } from "../ui/CopyButton";
import { Icon } from "../ui/Icon";
import { again } from "./again";
import { Prose } from "./Prose";

/** Texts up to this size are brought whole without being asked for. */
const wholeBytes = 256 * 1024;

/**
 * createText follows the text of an item and brings what is missing of it: at
 * once while it streams or is not long, else when the user asks.
 */
export function createText(item: () => Item) {
  const state = useStore();
  const text = () => state.texts[item().id];
  const missing = () => {
    const t = text();
    return t ? t.size - t.known : 0;
  };
  const pull = () => {
    actions
      .pullText(item().id)
      .catch((thrown) => actions.log("warn", `pull the rest of a text: ${thrown.message}`));
  };
  createEffect(() => {
    if (missing() > 0 && (item().open || (text()?.size ?? 0) <= wholeBytes)) pull();
  });
  return { text: () => text()?.text ?? "", missing, pull };
}

type Rest = ReturnType<typeof createText>;

function ShowAll(props: { of: Rest; open: boolean }) {
  return (
    <Show when={props.of.missing() > 0 && !props.open}>
      <button type="button" class="link show-all" onClick={() => props.of.pull()}>
        {words.chat.showMore(bytes(props.of.missing()))}
      </button>
    </Show>
  );
}

/** Inline code and mentioned files are told apart; all else of the user's text is as it was typed. */
const typed = /(`[^`\n]+`)|((?:^|(?<=\s))@[\w./-]*[\w/-])/g;

/** Typed is a text of the user's. */
export function Typed(props: { text: string }) {
  const parts = createMemo(() => {
    const out: { text: string; look: "" | "ic" | "chip" }[] = [];
    let at = 0;
    for (const match of props.text.matchAll(typed)) {
      if (match.index > at) out.push({ text: props.text.slice(at, match.index), look: "" });
      if (match[1]) out.push({ text: match[1].slice(1, -1), look: "ic" });
      else out.push({ text: match[0], look: "chip" });
      at = match.index + match[0].length;
    }
    if (at < props.text.length) out.push({ text: props.text.slice(at), look: "" });
    return out;
  });
  return (
    <For each={parts()}>
      {(part) => (part.look === "" ? part.text : <span class={part.look}>{part.text}</span>)}
    </For>
  );
}

/** UserMessage is what the user wrote, as it was typed. */
export function UserMessage(props: { item: Item }) {
  const text = createText(() => props.item);
  return (
    <article class="msg user sel" aria-label={words.chat.you(timeOf(props.item.createdAt))} tabindex="-1">
      <p class="typed">
        <Typed text={text.text()} />
      </p>
      <ShowAll of={text} open={false} />
      <div class="user-tools">
        <CopyIcon text={text.text()} label={words.chat.copyMessage} />
      </div>
    </article>
  );
}

export interface MessageProps {
  item: Item;
  /** It is the last one of a chat that rests. */
  last: boolean;
}

/** Message is prose of the agent, or its own report of an error. */
export function Message(props: MessageProps) {
  const text = createText(() => props.item);
  return (
    <article class="msg sel" aria-label={words.chat.answer(timeOf(props.item.createdAt))} tabindex="-1">
      <Show
        when={!props.item.hasError}
        fallback={<Trouble chatId={props.item.chatId} turnId={props.item.turnId ?? ""} text={text.text()} />}
      >
        <Prose text={text.text()} open={!!props.item.open || text.missing() > 0} caret={props.item.open} />
        <ShowAll of={text} open={!!props.item.open} />
        <Show when={props.last}>
          <div class="msg-tools">
            <CopyIcon text={text.text()} label={words.chat.copyMessage} />
            <time>{timeOf(props.item.endedAt || props.item.createdAt)}</time>
          </div>
        </Show>
      </Show>
    </article>
  );
}

export interface TroubleProps {
  chatId: string;
  turnId: string;
  text: string;
  /** Stands above the text, which is then the agent's own. */
  lead?: string;
  detail?: string;
  /** It was cut off: what was done is gone on with, not begun again. */
  goOn?: boolean;
  /** Does it again where that is not to send the turn's message once more; with a prompt, asks that instead. */
  again?: (prompt?: string) => Promise<unknown>;
  /** Whoever would do it again is at work; the chat itself where this is not given. */
  busy?: boolean;
}

/** Trouble says why a turn failed, and offers to try it again. */
export function Trouble(props: TroubleProps) {
  const state = useStore();
  const detail = () => props.detail || state.turns[props.turnId]?.error?.detail || props.text;
  // What was interrupted has been done in part: it is gone on with, not begun again.
  const goesOn = () => !!props.goOn || state.turns[props.turnId]?.state === "interrupted";
  const prompt = () =>
    goesOn() ? words.chat.banner.continuePrompt : again(raw(), props.chatId, props.turnId);
  const canRetry = () =>
    !(props.busy ?? state.chats[props.chatId]?.turnState === "running") &&
    (props.again !== undefined || prompt() !== "");
  const retry = () =>
    props.again
      ? props.again(goesOn() ? words.chat.banner.continuePrompt : undefined)
      : actions.send(props.chatId, prompt());
  return (
    <div class="note trouble">
      <Icon of={CircleX} class="c-bad" />
      <span class="grow sel">
        <Show when={props.lead} fallback={props.text}>
          {props.lead}
          <br />
          <span class="mono">{props.text}</span>
        </Show>
      </span>
      <CopyButton look="ghost" text={detail()} label={words.chat.copyDetails} />
      <Show when={canRetry()}>
        <Button
          onClick={() => {
            retry().catch((thrown) => actions.log("warn", `try a turn again: ${thrown.message}`));
          }}
        >
          {goesOn() ? words.chat.banner.continue(select.answered(state, props.turnId)) : words.chat.tryAgain}
        </Button>
      </Show>
    </div>
  );
}

/** Note is a line that the CLI itself said. */
export function Note(props: { item: Item }) {
  const text = createText(() => props.item);
  return (
    <div class="note sel">
      <Icon of={Info} size="sm" />
      <span class="grow typed">{text.text()}</span>
    </div>
  );
}
