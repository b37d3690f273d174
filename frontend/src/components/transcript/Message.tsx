// Messages of the user and the agent.

import CircleX from "lucide-solid/icons/circle-x";
import Info from "lucide-solid/icons/info";
import Pencil from "lucide-solid/icons/pencil";
import RotateCcw from "lucide-solid/icons/rotate-ccw";
import { createEffect, createMemo, createSignal, Index, Show } from "solid-js";
import { words } from "../../i18n";
import { bytes, dayAndTime, seen, timeOf } from "../../lib/format";
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
import { type Again, again } from "./retry";
import { createOnce, createSend } from "./sendOnce";
import { TurnSum } from "./TurnFoot";
import { mentionsIn, Typed } from "./Typed";
import { named } from "./VisibleText";
import "./prose.css";
import "./message.css";

/** Texts up to this size are loaded completely without asking. */
const wholeBytes = 256 * 1024;
/** Limit for answers, which are rendered only near the view. */
const wholeAnswer = 1024 * 1024;

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
      .pullText(item().id)
      .catch((thrown) => actions.log("warn", `pull the rest of a text: ${thrown.message}`));
  };
  createEffect(() => {
    const most = item().kind === "message" ? wholeAnswer : wholeBytes;
    if (missing() > 0 && (item().open || (text()?.size ?? 0) <= most)) pull();
  });
  /** The text as one string, tracked as it grows: for short texts or single uses. */
  const whole = () => {
    void text()?.known;
    return wholeOf(raw().texts[item().id]);
  };
  const copied = async () => {
    if (missing() > 0) await actions.pullText(item().id);
    return wholeOf(raw().texts[item().id]);
  };
  return { text: whole, copied, missing, pull };
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

/** At shows the time of a message, with the date as a tooltip. */
function At(props: { millis: number }) {
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
      aria-label={words.chat.you(timeOf(props.item.createdAt))}
      tabindex="-1"
      data-item={props.item.id}
    >
      <Show when={text.text() !== ""}>
        <p class="typed">
          <Typed text={text.text()} mentions={mentions().places} onOpen={open} />
        </p>
      </Show>
      <Failure text={failure()} class="c-bad" />
      <ShowAll of={text} open={false} />
      <Show when={mentions().others.length > 0}>
        <Attachments chatId={props.item.chatId} folder={folder()} of={mentions().others} />
      </Show>
      <div class="user-tools">
        <At millis={props.item.createdAt} />
        <IconButton small icon={Pencil} label={words.chat.editMessage} onClick={edit} />
        <CopyIcon text={text.copied} label={words.chat.copyMessage} />
      </div>
    </article>
  );
}

export interface MessageProps {
  item: Item;
  /** Whether it ends an idle chat: its actions are always visible. */
  last: boolean;
  /** Whether it offers to retry its turn. */
  retry: boolean;
  /** Set if the turn ends with it and has no summary line: its totals are shown after the time. */
  sum?: TurnParts;
}

/** Message is an agent's text, or its report of an error. */
export function Message(props: MessageProps) {
  const state = useStore();
  const text = createText(() => props.item);
  const turnId = () => props.item.turnId ?? "";
  const send = createResend(() => props.item.chatId);
  const retry = () => {
    const prompt = again(raw(), props.item.chatId, turnId());
    if (prompt) send(prompt);
  };
  const canRetry = createMemo(() => {
    void state.pages[props.item.chatId]?.rev;
    return props.retry && again(raw(), props.item.chatId, turnId()) !== undefined;
  });
  return (
    <article
      class="msg sel"
      classList={{ broken: !!props.item.cutOff && text.missing() === 0 }}
      style={props.item.cutOff ? { "--cut": JSON.stringify(words.lines.cutOff) } : undefined}
      aria-label={words.chat.answer(timeOf(props.item.createdAt))}
      tabindex="-1"
      data-item={props.item.id}
    >
      <Show
        when={!props.item.hasError}
        fallback={<Trouble card chatId={props.item.chatId} turnId={turnId()} text={text.text()} />}
      >
        <Prose
          itemId={props.item.id}
          open={!!props.item.open || text.missing() > 0}
          caret={props.item.open}
        />
        <Show when={props.item.cutOff}>
          <span class="sr">{words.lines.cutOff}</span>
        </Show>
        <ShowAll of={text} open={!!props.item.open} />
        <Show when={!props.item.open}>
          <div class="msg-tools" classList={{ passing: !props.last }}>
            <CopyIcon text={text.copied} label={words.chat.copyMessage} />
            <Show when={canRetry()}>
              <IconButton small icon={RotateCcw} label={words.chat.tryAgain} onClick={retry} />
            </Show>
            <At millis={props.item.endedAt || props.item.createdAt} />
            <Show when={props.sum}>{(sum) => <TurnSum chatId={props.item.chatId} parts={sum()} />}</Show>
          </div>
        </Show>
      </Show>
    </article>
  );
}

/** createResend returns a function that sends a turn's message again. */
export function createResend(chatId: () => string) {
  const send = createSend(chatId, "try a turn again");
  return (prompt: Again) => send(prompt.text, prompt.with);
}

export interface TroubleProps {
  chatId: string;
  turnId: string;
  text: string;
  /** Renders it as a card, with the text's first sentence as the heading. */
  card?: boolean;
  /** Lead sentence above the text, which is then the agent's own. */
  lead?: string;
  detail?: string;
  /** Whether the turn was interrupted: it is continued, not retried. */
  goOn?: boolean;
  /**
   * Overrides the retry action, which sends the turn's message again; with a prompt, it sends that
   * instead.
   */
  again?: (prompt?: string) => Promise<unknown>;
  /** Whether the session for a retry is busy; defaults to the state of the chat. */
  busy?: boolean;
}

/** Trouble explains why a turn failed and offers to retry it. */
export function Trouble(props: TroubleProps) {
  const state = useStore();
  const detail = () => props.detail || state.turns[props.turnId]?.error?.detail || props.text;
  // An interrupted turn is partly done: it is continued, not retried.
  const goesOn = () => !!props.goOn || state.turns[props.turnId]?.state === "interrupted";
  const prompt = (): Again | undefined =>
    goesOn()
      ? { text: words.chat.banner.continuePrompt, with: [] }
      : again(raw(), props.chatId, props.turnId);
  const canRetry = () =>
    !(props.busy ?? state.chats[props.chatId]?.turnState === "running") &&
    (props.again !== undefined || prompt() !== undefined);
  const send = createResend(() => props.chatId);
  const once = createOnce(
    () => props.chatId,
    () => !!props.busy,
  );
  const retry = () => {
    const now = prompt();
    if (!props.again) {
      if (now) send(now);
      return;
    }
    const { again } = props;
    once(() =>
      again(goesOn() ? words.chat.banner.continuePrompt : undefined).catch((thrown) => {
        actions.log("warn", `try a turn again: ${thrown.message}`);
        throw thrown;
      }),
    );
  };
  const Copy = () => <CopyButton look="ghost" text={detail()} label={words.chat.copyDetails} />;
  const Retry = () => (
    <Show when={canRetry()}>
      <Button onClick={retry}>
        {goesOn() ? words.chat.banner.continue(select.answered(state, props.turnId)) : words.chat.tryAgain}
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
    return changed === undefined ? "" : words.lines.safe(arrived, changed);
  });
  const sentence = () => /^.*?(?:[.!?](?= |$)|[。！？])/s.exec(text())?.[0] ?? text();
  return (
    <Show
      when={props.card}
      fallback={
        <div class="note trouble">
          <Icon of={CircleX} class="c-bad" />
          <span class="grow sel">
            <Show when={props.lead} fallback={named(props.text, "prose")}>
              {props.lead}
              <br />
              <span class="mono">{named(props.text, "prose")}</span>
            </Show>
          </span>
          <Copy />
          <Retry />
        </div>
      }
    >
      <Banner
        tone="bad"
        label={seen(sentence(), "prose").replace(/[.!。！]$/, "")}
        icon={CircleX}
        strong={seen(sentence(), "prose")}
        actions={
          <>
            <Retry />
            <Show when={ownModel()}>
              <Button onClick={() => go({ name: "settings", page: "model" })}>{words.lines.openModel}</Button>
            </Show>
            <Copy />
          </>
        }
      >
        <span class="sel typed">{named(text().slice(sentence().length).trim(), "prose")}</span>
        <Show when={safe()}>
          <br />
          {safe()}
        </Show>
      </Banner>
    </Show>
  );
}

/** Note is a line from the CLI itself. */
export function Note(props: { item: Item }) {
  const text = createText(() => props.item);
  return (
    <div class="note sel" data-item={props.item.id}>
      <Icon of={Info} size="sm" />
      <span class="grow typed">
        <Growing itemId={props.item.id} />
      </span>
      <ShowAll of={text} open={!!props.item.open} />
    </div>
  );
}

/** Growing renders a text as received; new text updates only its last chunk. */
export function Growing(props: { itemId: string }) {
  const state = useStore();
  return <Index each={state.texts[props.itemId]?.chunks}>{(chunk) => <>{named(chunk(), "prose")}</>}</Index>;
}
