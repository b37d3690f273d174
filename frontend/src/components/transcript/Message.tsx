// What the user wrote and what the agent answered.

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

/** Texts up to this size are brought whole without being asked for. */
const wholeBytes = 256 * 1024;
/** So are answers up to this one, of which only what is near the view is drawn. */
const wholeAnswer = 1024 * 1024;

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
    const most = item().kind === "message" ? wholeAnswer : wholeBytes;
    if (missing() > 0 && (item().open || (text()?.size ?? 0) <= most)) pull();
  });
  /** The text in one piece, followed as it grows: for what is short, or asked for once. */
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

/** At is when something was said: the time, with its day where that is pointed at. */
function At(props: { millis: number }) {
  return (
    <time datetime={new Date(props.millis).toISOString()} title={dayAndTime(props.millis)}>
      {timeOf(props.millis)}
    </time>
  );
}

/** UserMessage is what the user wrote, as it was typed. */
export function UserMessage(props: { item: Item }) {
  const state = useStore();
  const text = createText(() => props.item);
  // It goes back into the composer, to be changed there and sent anew.
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
  // A file that the text names stands there, and not once more under it.
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
  /** It is the end of a chat that rests: its tools are shown for good. */
  last: boolean;
  /** It offers to try its turn again, as nothing else does. */
  retry: boolean;
  /** Its turn ends in it and has no receipt: what it came to stands after the time. */
  sum?: TurnParts;
}

/** Message is prose of the agent, or its own report of an error. */
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

/** createResend returns what asks for a turn once more. */
export function createResend(chatId: () => string) {
  const send = createSend(chatId, "try a turn again");
  return (prompt: Again) => send(prompt.text, prompt.with);
}

export interface TroubleProps {
  chatId: string;
  turnId: string;
  text: string;
  /** Draws it as a card: the text's first sentence before the others. */
  card?: boolean;
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
  /** A model of the user's own answered: what to look at is in its settings. */
  const ownModel = () => {
    const turn = state.turns[props.turnId];
    const id = turn?.mainId || state.chats[props.chatId]?.providerId;
    return state.providers[id ?? ""] !== undefined;
  };
  /** Of such a model VoxPilot knows better words than the agent's report, which is its detail then. */
  const text = () => {
    const error = state.turns[props.turnId]?.error;
    return ownModel() && error?.code === "model" ? error.message : props.text;
  };
  /** What the turn left behind, where all of it is known. */
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

/** Note is a line that the CLI itself said. */
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

/** Growing is a text as it came; what comes in touches its last chunk alone. */
export function Growing(props: { itemId: string }) {
  const state = useStore();
  return <Index each={state.texts[props.itemId]?.chunks}>{(chunk) => <>{named(chunk(), "prose")}</>}</Index>;
}
