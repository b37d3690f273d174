// Messages from the user and the agent.

import CircleX from "lucide-solid/icons/circle-x";
import Info from "lucide-solid/icons/info";
import Pencil from "lucide-solid/icons/pencil";
import RotateCcw from "lucide-solid/icons/rotate-ccw";
import { createEffect, createMemo, createSignal, Index, Show } from "solid-js";
import { messages } from "../../i18n";
import { bytes, dayAndTime, timeOf, visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import { keysOf } from "../../state/commands";
import { openInEditor } from "../../state/editor";
import { editMessage, goBackMenu, openGoBack } from "../../state/goBack";
import { areKeys } from "../../state/keys";
import { go } from "../../state/screen";
import { select } from "../../state/select";
import { raw, useStore } from "../../state/store";
import { wholeOf } from "../../state/text";
import type { TurnParts } from "../../state/turn";
import { itemsOfTurn, turnChanged } from "../../state/turnChanges";
import type { Item } from "../../state/types";
import { Banner } from "../banner/Banner";
import { AgainMenu } from "../goback/AgainMenu";
import { GoBackButton } from "../goback/GoBackButton";
import { stepVersion, VersionSwitch } from "../goback/VersionSwitch";
import { Button, IconButton } from "../ui/Button";
import { CopyButton, CopyIcon } from "../ui/CopyButton";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { Attachments } from "./Attachments";
import { Prose } from "./Prose";
import { type RetryPrompt, retryOf } from "./retry";
import { createOnce, createSend } from "./sendOnce";
import { TurnTotals } from "./TurnFoot";
import { TypedText } from "./TypedText";
import { mentionsIn } from "./UserText";
import { namedText } from "./VisibleText";
import "./prose.css";
import "./message.css";

/** Texts up to this size in bytes are loaded completely without asking the user. */
const autoLoadBytes = 256 * 1024;
/**
 * The same limit in bytes for answers. It is higher because only the part of an answer near the view is
 * rendered.
 */
const autoLoadAnswerBytes = 1024 * 1024;

/**
 * createText tracks the text of an item and loads the missing part: immediately if the text is streaming
 * or short, otherwise when the user requests it.
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
  /**
   * Returns the loaded text as one string and tracks it. The caller runs again for every new piece of text, so use this
   * only for short texts or single reads.
   */
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

/** moveInToolbar moves the focus between the buttons of a toolbar with the arrow keys. */
function moveInToolbar(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  if (at < 0) return;
  event.preventDefault();
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
}

/** UserMessage shows the user's message as typed. */
export function UserMessage(props: { item: Item }) {
  const state = useStore();
  const text = createText(() => props.item);
  // Copies the message back into the composer, where the user can edit it and send it again.
  const edit = (event: MouseEvent) => {
    const main = (event.currentTarget as Element).closest("main");
    const { item } = props;
    text.copied().then(
      (whole) => {
        editMessage(item, whole);
        main?.querySelector<HTMLElement>(".composer textarea")?.focus();
      },
      (thrown) => actions.log("warn", `edit a message: ${thrown.message}`),
    );
  };
  // Files mentioned in the text aren't listed again below it.
  const folder = () => state.chats[props.item.chatId]?.folder ?? "";
  const mentions = createMemo(() => mentionsIn(text.text(), props.item.with ?? [], folder()));
  const [failure, setFailure] = createSignal("");
  const open = (path: string) => {
    openInEditor(props.item.chatId, path, 0, setFailure);
  };
  const isActing = () => goBackMenu()?.itemId === props.item.id;
  const canGoBack = () => !!props.item.turnId;
  /** Handles keys while the message itself has the focus. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.isComposing) return;
    if (areKeys(keysOf("goBack"), event) && canGoBack()) openGoBack(props.item);
    else if (areKeys(["ArrowLeft"], event) && stepVersion(props.item, -1)) return event.preventDefault();
    else if (areKeys(["ArrowRight"], event) && stepVersion(props.item, 1)) return event.preventDefault();
    else return;
    event.preventDefault();
  };
  return (
    <article
      class="msg user sel"
      classList={{ acting: isActing() }}
      aria-label={messages.chat.you(timeOf(props.item.createdAt))}
      tabindex="-1"
      data-item={props.item.id}
      onKeyDown={onKeyDown}
    >
      <TypedText item={props.item} text={text.text()} mentions={mentions().places} onOpen={open} />
      <Failure text={failure()} class="c-bad" />
      <ShowAll of={text} open={false} />
      <Show when={mentions().others.length > 0}>
        <Attachments chatId={props.item.chatId} folder={folder()} of={mentions().others} />
      </Show>
      <VersionSwitch item={props.item} />
      <div class="user-tools" role="toolbar" aria-label={messages.goBack.tools} onKeyDown={moveInToolbar}>
        <Timestamp millis={props.item.createdAt} />
        <IconButton small icon={Pencil} label={messages.chat.editMessage} onClick={edit} />
        <CopyIcon text={text.copied} label={messages.chat.copyMessage} />
        <Show when={canGoBack()}>
          <GoBackButton item={props.item} />
        </Show>
      </div>
    </article>
  );
}

export interface MessageProps {
  item: Item;
  /** Whether this is the last message of an idle chat. Its actions are then always visible. */
  last: boolean;
  /** Whether to offer to retry the message's turn. */
  canRetry: boolean;
  /**
   * Set if the message ends its turn and the turn has no summary line. The turn's totals are then shown
   * after the time.
   */
  turnParts?: TurnParts;
}

/** Message shows text written by an agent, or an error that the agent reported. */
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
              <AgainMenu chatId={props.item.chatId} turnId={turnId()} />
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
  /** Whether to render the failure as a card, with the first sentence of `text` as the heading. */
  card?: boolean;
  /** Lead sentence shown above `text`. When it's set, `text` is in the agent's own words. */
  lead?: string;
  detail?: string;
  /** Whether the turn was interrupted. It can then be continued, but not retried. */
  canContinue?: boolean;
  /**
   * Replaces the default retry action, which sends the turn's message again. If `prompt` is given, it is
   * sent instead of that message.
   */
  onRetry?: (prompt?: string) => Promise<unknown>;
  /** Whether the session used for a retry is busy. By default, this depends on the state of the chat. */
  busy?: boolean;
}

/** TurnFailure explains why a turn failed and offers to retry or continue it. */
export function TurnFailure(props: TurnFailureProps) {
  const state = useStore();
  const detail = () => props.detail || state.turns[props.turnId]?.error?.detail || props.text;
  // An interrupted turn has already done part of the work, so it is continued, not retried.
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
  /** Reports whether a custom model answered. If so, the user may need to check the model's settings. */
  const ownModel = () => {
    const turn = state.turns[props.turnId];
    const id = turn?.mainId || state.chats[props.chatId]?.providerId;
    return state.providers[id ?? ""] !== undefined;
  };
  /** If a custom model failed, VoxPilot's message replaces the agent's report, which becomes the detail. */
  const text = () => {
    const error = state.turns[props.turnId]?.error;
    return ownModel() && error?.code === "model" ? error.message : props.text;
  };
  /**
   * A note about the partial answer and the changes that remain after a custom model failed. It is ""
   * after any other failure, or if the turn isn't completely loaded.
   */
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
            <Show when={ownModel() && !goesOn()}>
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

/** CLINote shows a line that the CLI itself wrote. */
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

/** StreamingText renders text as it arrives. New text updates only the last chunk. */
export function StreamingText(props: { itemId: string }) {
  const state = useStore();
  return (
    <Index each={state.texts[props.itemId]?.chunks}>{(chunk) => <>{namedText(chunk(), "prose")}</>}</Index>
  );
}
