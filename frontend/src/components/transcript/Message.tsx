// Messages of the user and the agent.

import CircleX from "lucide-solid/icons/circle-x";
import Info from "lucide-solid/icons/info";
import Pencil from "lucide-solid/icons/pencil";
import RotateCcw from "lucide-solid/icons/rotate-ccw";
import { createEffect, createMemo, createSignal, Index, Show } from "solid-js";
import { messages } from "../../i18n";
import { bytes, dayAndTime, timeOf, visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import { composer } from "../../state/composer";
import { openInEditor } from "../../state/editor";
import { go } from "../../state/screen";
import { select } from "../../state/select";
import { raw, useStore } from "../../state/store";
import { wholeOf } from "../../state/text";
import type { TurnParts } from "../../state/turn";
import { itemsOfTurn, turnChanged } from "../../state/turnChanges";
import type { Item } from "../../state/types";
import { Banner } from "../banner/Banner";
import { Button, IconButton } from "../ui/Button";
import { CopyButton, CopyIcon } from "../ui/CopyButton";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { Attachments } from "./Attachments";
import { Prose } from "./Prose";
import { type RetryPrompt, retryOf } from "./retry";
import { createOnce, createSend } from "./sendOnce";
import { TurnTotals } from "./TurnFoot";
import { mentionsIn, UserText } from "./UserText";
import { namedText } from "./VisibleText";
import "./prose.css";
import "./message.css";

/** Texts up to this size are loaded completely without asking. */
const autoLoadBytes = 256 * 1024;
/** Limit for answers, which are rendered only near the view. */
const autoLoadAnswerBytes = 1024 * 1024;

/**
 * createText tracks the text of an item and loads its missing part: at once while the text streams or is
 * short, otherwise when the user asks.
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
      .loadText(item().id)
      .catch((thrown) => actions.log("warn", `pull the rest of a text: ${thrown.message}`));
  };
  createEffect(() => {
    const most = item().kind === "message" ? autoLoadAnswerBytes : autoLoadBytes;
    if (missing() > 0 && (item().open || (text()?.size ?? 0) <= most)) pull();
  });
  /** The text as one string, tracked as it grows: for short texts or single uses. */
  const whole = () => {
    void text()?.known;
    return wholeOf(raw().texts[item().id]);
  };
  const copied = async () => {
    if (missing() > 0) await actions.loadText(item().id);
    return wholeOf(raw().texts[item().id]);
  };
  return { text: whole, copied, missing, pull };
}

type TextLoader = ReturnType<typeof createText>;

function ShowAll(props: { of: TextLoader; open: boolean }) {
  return (
    <Show when={props.of.missing() > 0 && !props.open}>
      <button type="button" class="link show-all" onClick={() => props.of.pull()}>
        {messages.chat.showMore(bytes(props.of.missing()))}
      </button>
    </Show>
  );
}

/** Timestamp shows the time of a message, with the date as a tooltip. */
function Timestamp(props: { millis: number }) {
  return (
    <time datetime={new Date(props.millis).toISOString()} title={dayAndTime(props.millis)}>
      {timeOf(props.millis)}
    </time>
  );
}

/** UserMessage shows the user's message as typed. */
export function UserMessage(props: { item: Item }) {
  const state = useStore();
  const text = createText(() => props.item);
  // Puts the message back into the composer, to be edited and sent again.
  const edit = (event: MouseEvent) => {
    const main = (event.currentTarget as Element).closest("main");
    const { chatId, with: attachments } = props.item;
    text.copied().then(
      (whole) => {
        composer.fill(chatId, whole, attachments ?? []);
        main?.querySelector<HTMLElement>(".composer textarea")?.focus();
      },
      (thrown) => actions.log("warn", `edit a message: ${thrown.message}`),
    );
  };
  // A file mentioned in the text isn't listed again below it.
  const folder = () => state.chats[props.item.chatId]?.folder ?? "";
  const mentions = createMemo(() => mentionsIn(text.text(), props.item.with ?? [], folder()));
  const [failure, setFailure] = createSignal("");
  const open = (path: string) => {
    openInEditor(props.item.chatId, path, 0, setFailure);
  };
  return (
    <article
      class="msg user sel"
      aria-label={messages.chat.you(timeOf(props.item.createdAt))}
      tabindex="-1"
      data-item={props.item.id}
    >
      <Show when={text.text() !== ""}>
        <p class="typed">
          <UserText text={text.text()} mentions={mentions().places} onOpen={open} />
        </p>
      </Show>
      <Failure text={failure()} class="c-bad" />
      <ShowAll of={text} open={false} />
      <Show when={mentions().others.length > 0}>
        <Attachments chatId={props.item.chatId} folder={folder()} of={mentions().others} />
      </Show>
      <div class="user-tools">
        <Timestamp millis={props.item.createdAt} />
        <IconButton small icon={Pencil} label={messages.chat.editMessage} onClick={edit} />
        <CopyIcon text={text.copied} label={messages.chat.copyMessage} />
      </div>
    </article>
  );
}

export interface MessageProps {
  item: Item;
  /** Whether it ends an idle chat: its actions are always visible. */
  last: boolean;
  /** Whether it offers to retry its turn. */
  canRetry: boolean;
  /** Set if the turn ends with it and has no summary line: its totals are shown after the time. */
  turnParts?: TurnParts;
}

/** Message is an agent's text, or its report of an error. */
export function Message(props: MessageProps) {
  const state = useStore();
  const text = createText(() => props.item);
  const turnId = () => props.item.turnId ?? "";
  const send = createResend(() => props.item.chatId);
  const retry = () => {
    const prompt = retryOf(raw(), props.item.chatId, turnId());
    if (prompt) send(prompt);
  };
  const canRetry = createMemo(() => {
    void state.pages[props.item.chatId]?.rev;
    return props.canRetry && retryOf(raw(), props.item.chatId, turnId()) !== undefined;
  });
  return (
    <article
      class="msg sel"
      classList={{ broken: !!props.item.cutOff && text.missing() === 0 }}
      style={props.item.cutOff ? { "--cut": JSON.stringify(messages.lines.cutOff) } : undefined}
      aria-label={messages.chat.answer(timeOf(props.item.createdAt))}
      tabindex="-1"
      data-item={props.item.id}
    >
      <Show
        when={!props.item.hasError}
        fallback={<TurnFailure card chatId={props.item.chatId} turnId={turnId()} text={text.text()} />}
      >
        <Prose
          itemId={props.item.id}
          open={!!props.item.open || text.missing() > 0}
          caret={props.item.open}
        />
        <Show when={props.item.cutOff}>
          <span class="sr">{messages.lines.cutOff}</span>
        </Show>
        <ShowAll of={text} open={!!props.item.open} />
        <Show when={!props.item.open}>
          <div class="msg-tools" classList={{ passing: !props.last }}>
            <CopyIcon text={text.copied} label={messages.chat.copyMessage} />
            <Show when={canRetry()}>
              <IconButton small icon={RotateCcw} label={messages.chat.tryAgain} onClick={retry} />
            </Show>
            <Timestamp millis={props.item.endedAt || props.item.createdAt} />
            <Show when={props.turnParts}>
              {(sum) => <TurnTotals chatId={props.item.chatId} parts={sum()} />}
            </Show>
          </div>
        </Show>
      </Show>
    </article>
  );
}

/** createResend returns a function that sends a turn's message again. */
export function createResend(chatId: () => string) {
  const send = createSend(chatId, "try a turn again");
  return (prompt: RetryPrompt) => send(prompt.text, prompt.attachments);
}

export interface TurnFailureProps {
  chatId: string;
  turnId: string;
  text: string;
  /** Renders it as a card, with the text's first sentence as the heading. */
  card?: boolean;
  /** Lead sentence above the text, which is then the agent's own. */
  lead?: string;
  detail?: string;
  /** Whether the turn was interrupted: it is continued, not retried. */
  canContinue?: boolean;
  /**
   * Overrides the retry action, which sends the turn's message again; with a prompt, it sends that
   * instead.
   */
  onRetry?: (prompt?: string) => Promise<unknown>;
  /** Whether the session for a retry is busy; defaults to the state of the chat. */
  busy?: boolean;
}

/** TurnFailure explains why a turn failed and offers to retry it. */
export function TurnFailure(props: TurnFailureProps) {
  const state = useStore();
  const detail = () => props.detail || state.turns[props.turnId]?.error?.detail || props.text;
  // An interrupted turn is partly done: it is continued, not retried.
  const goesOn = () => !!props.canContinue || state.turns[props.turnId]?.state === "interrupted";
  const prompt = (): RetryPrompt | undefined =>
    goesOn()
      ? { text: messages.chat.banner.continuePrompt, attachments: [] }
      : retryOf(raw(), props.chatId, props.turnId);
  const canRetry = () =>
    !(props.busy ?? state.chats[props.chatId]?.turnState === "running") &&
    (props.onRetry !== undefined || prompt() !== undefined);
  const send = createResend(() => props.chatId);
  const once = createOnce(
    () => props.chatId,
    () => !!props.busy,
  );
  const retry = () => {
    const now = prompt();
    if (!props.onRetry) {
      if (now) send(now);
      return;
    }
    const { onRetry: again } = props;
    once(() =>
      again(goesOn() ? messages.chat.banner.continuePrompt : undefined).catch((thrown) => {
        actions.log("warn", `try a turn again: ${thrown.message}`);
        throw thrown;
      }),
    );
  };
  const Copy = () => <CopyButton look="ghost" text={detail()} label={messages.chat.copyDetails} />;
  const Retry = () => (
    <Show when={canRetry()}>
      <Button onClick={retry}>
        {goesOn()
          ? messages.chat.banner.continue(select.answeredBy(state, props.turnId))
          : messages.chat.tryAgain}
      </Button>
    </Show>
  );
  /** Reports whether a custom model answered: its settings may need checking. */
  const ownModel = () => {
    const turn = state.turns[props.turnId];
    const id = turn?.mainId || state.chats[props.chatId]?.providerId;
    return state.providers[id ?? ""] !== undefined;
  };
  /** For such a model, VoxPilot's message is better than the agent's report, which becomes the detail. */
  const text = () => {
    const error = state.turns[props.turnId]?.error;
    return ownModel() && error?.code === "model" ? error.message : props.text;
  };
  /** The outcome of the turn, if it is completely loaded. */
  const safe = createMemo(() => {
    void state.pages[props.chatId]?.rev;
    if (!ownModel() || state.turns[props.turnId]?.error?.code !== "model") return "";
    const changed = turnChanged(raw(), props.chatId, props.turnId);
    const arrived = itemsOfTurn(raw(), props.turnId).some(
      (item) => item.kind === "message" && !item.hasError,
    );
    return changed === undefined ? "" : messages.lines.savedNote(arrived, changed);
  });
  const sentence = () => /^.*?(?:[.!?](?= |$)|[。！？])/s.exec(text())?.[0] ?? text();
  return (
    <Show
      when={props.card}
      fallback={
        <div class="note trouble">
          <Icon of={CircleX} class="c-bad" />
          <span class="grow sel">
            <Show when={props.lead} fallback={namedText(props.text, "prose")}>
              {props.lead}
              <br />
              <span class="mono">{namedText(props.text, "prose")}</span>
            </Show>
          </span>
          <Copy />
          <Retry />
        </div>
      }
    >
      <Banner
        tone="bad"
        label={visibleText(sentence(), "prose").replace(/[.!。！]$/, "")}
        icon={CircleX}
        strong={visibleText(sentence(), "prose")}
        actions={
          <>
            <Retry />
            <Show when={ownModel()}>
              <Button onClick={() => go({ name: "settings", page: "model" })}>
                {messages.lines.openModel}
              </Button>
            </Show>
            <Copy />
          </>
        }
      >
        <span class="sel typed">{namedText(text().slice(sentence().length).trim(), "prose")}</span>
        <Show when={safe()}>
          <br />
          {safe()}
        </Show>
      </Banner>
    </Show>
  );
}

/** CLINote is a line from the CLI itself. */
export function CLINote(props: { item: Item }) {
  const text = createText(() => props.item);
  return (
    <div class="note sel" data-item={props.item.id}>
      <Icon of={Info} size="sm" />
      <span class="grow typed">
        <StreamingText itemId={props.item.id} />
      </span>
      <ShowAll of={text} open={!!props.item.open} />
    </div>
  );
}

/** StreamingText renders a text as received; new text updates only its last chunk. */
export function StreamingText(props: { itemId: string }) {
  const state = useStore();
  return (
    <Index each={state.texts[props.itemId]?.chunks}>{(chunk) => <>{namedText(chunk(), "prose")}</>}</Index>
  );
}
