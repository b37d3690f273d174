// A block of work: what Copilot did between two texts, or a delegated session.
// Loud while it runs, one line when it is done.

import Brain from "lucide-solid/icons/brain";
import ChevronRight from "lucide-solid/icons/chevron-right";
import Circle from "lucide-solid/icons/circle";
import CircleCheck from "lucide-solid/icons/circle-check";
import CircleDot from "lucide-solid/icons/circle-dot";
import CornerDownRight from "lucide-solid/icons/corner-down-right";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import { createEffect, createMemo, createSignal, For, on, onCleanup, onMount, Show } from "solid-js";
import { createNow } from "../../lib/clock";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import { type Totals, totalsOf, type Work as WorkEntry, type WorkState } from "../../state/transcript";
import type { Item, PlanEntry } from "../../state/words";
import { words } from "../../words";
import { Icon } from "../ui/Icon";
import { clock, lasting } from "../ui/when";
import { createFold } from "./fold";
import { createText, Trouble } from "./Message";
import { leaveOpen, wasOpen } from "./remember";
import { ToolRow } from "./ToolRow";

const isLive = (state: WorkState) => state === "running" || state === "waiting";
/** Blocks that a user should look into are open without being touched. */
const opensItself = (state: WorkState) => isLive(state) || state === "failed" || state === "interrupted";

export interface WorkProps {
  chatId: string;
  entry: WorkEntry;
  folder: string;
  /** The user is about to change the height of this entry. */
  onToggle(): void;
}

/** Facts is the summary of a block that ended. */
function Facts(props: { entry: WorkEntry }) {
  const state = useStore();
  const totals = createMemo(() => totalsOf(state, props.entry.ids));
  return (
    <>
      <Show when={totals().unasked > 0}>
        <span class="c-attn">{words.chat.work.unasked(totals().unasked)}</span>
      </Show>
      <span>{summary(props.entry, totals())}</span>
    </>
  );
}

function summary(entry: WorkEntry, totals: Totals): string {
  const parts: string[] = [];
  if (totals.files > 0) parts.push(words.chat.work.changes(totals.added, totals.removed, totals.files));
  else if (entry.state === "done") parts.push(words.chat.work.noChanges);
  if (totals.commands > 0) parts.push(words.chat.work.commands(totals.commands));
  const time = entry.endedAt - entry.startedAt;
  if (time >= 1000) parts.push(lasting(time));
  return parts.join(" · ");
}

function Clock(props: { since: number }) {
  const now = createNow();
  return <span>{clock(now() - props.since)}</span>;
}

/** Work is one block. */
export function Work(props: WorkProps) {
  const state = useStore();
  let details!: HTMLDetailsElement;
  let body: HTMLDivElement | undefined;
  const key = props.entry.key;
  const first = wasOpen(key) ?? (opensItself(props.entry.state) || !!state.settings.keepOpen);
  const [open, setOpen] = createSignal(first);
  const [touched, setTouched] = createSignal(wasOpen(key) !== undefined);

  const fold = createFold({
    details: () => details,
    body: () => body,
    mayFold: () => !touched() && !state.settings.keepOpen,
    onFolded: () => setOpen(false),
  });

  // Open is set once at the start and once at the end, never by what comes
  // between: that would fight the user.
  onMount(() => {
    details.open = first;
  });
  createEffect(
    on(
      () => props.entry.state,
      (now, before) => {
        if (before === undefined) return;
        if (opensItself(now)) {
          fold.cancel();
          if (!touched()) {
            details.open = true;
            setOpen(true);
          }
        } else if (isLive(before) && details.open) {
          fold.start();
        }
      },
    ),
  );

  const onSummary = () => {
    props.onToggle();
    setTouched(true);
    fold.cancel();
    // The click is about to turn it over.
    leaveOpen(key, !details.open);
  };

  const session = () => props.entry.session;
  return (
    <div class="cop-wrap">
      <details
        ref={details}
        class="copilot-block"
        data-state={props.entry.state}
        aria-label={words.chat.work.label(session())}
        onToggle={() => setOpen(details.open)}
      >
        <summary ref={(summary) => summary.addEventListener("click", onSummary)}>
          <Icon of={ChevronRight} size="sm" class="chev" />
          <span class="bot" aria-hidden="true">
            🤖
          </span>
          <span class="cop-name">
            {words.chat.work.copilot} <span class="br">[</span>
            <span class="sn">{session()}</span>
            <span class="br">]</span>
            <span class="st">{words.chat.work.suffix[props.entry.state]}</span>
          </span>
          <span class="cop-meta">
            <Show when={isLive(props.entry.state)} fallback={<Facts entry={props.entry} />}>
              <Show when={props.entry.state === "running"}>
                <Icon of={LoaderCircle} size="sm" class="spin" />
              </Show>
              <Clock since={props.entry.startedAt} />
            </Show>
          </span>
        </summary>
        <Show when={open()}>
          <Body ref={(element) => (body = element)} {...props} />
        </Show>
      </details>
      <Show when={isLive(props.entry.state)}>
        <button
          type="button"
          class="btn cop-stop"
          aria-label={words.chat.work.stopLabel(session())}
          onClick={() => actions.stop(props.chatId)}
        >
          <span class="sq" />
          {words.chat.work.stop}
        </button>
      </Show>
    </div>
  );
}

function Body(props: WorkProps & { ref: (element: HTMLDivElement) => void }) {
  const state = useStore();
  const items = createMemo(() => props.entry.ids.flatMap((id) => state.items[id] ?? []));
  const plan = () => items().findLast((item) => item.kind === "plan")?.plan;
  const thoughts = () => props.entry.ids.filter((id) => state.items[id]?.kind === "thought");
  const tools = () => props.entry.ids.filter((id) => state.items[id]?.kind === "tool");
  const texts = () => props.entry.ids.filter((id) => state.items[id]?.kind === "message");
  const error = () => state.turns[props.entry.turnId]?.error;
  return (
    <div class="cop-body" ref={props.ref}>
      <Show when={state.items[props.entry.blockId]}>{(block) => <Request item={block()} />}</Show>
      <Show when={plan()}>{(entries) => <Plan entries={entries()} />}</Show>
      <Show when={thoughts().length > 0}>
        <Thoughts ids={thoughts()} inBlock />
      </Show>
      <Show when={tools().length > 0}>
        <ul class="tools" aria-label={words.chat.work.tools}>
          <For each={tools()}>
            {(id) => (
              <li>
                <Show when={state.items[id]}>
                  {(item) => (
                    <Show when={item().tool}>
                      {(tool) => <ToolRow item={item()} tool={tool()} folder={props.folder} />}
                    </Show>
                  )}
                </Show>
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Show when={texts().length > 0}>
        <Stream ids={texts()} live={isLive(props.entry.state)} />
      </Show>
      <Show when={props.entry.failed && error()}>
        {(e) => (
          <Trouble
            chatId={props.chatId}
            turnId={props.entry.turnId}
            lead={words.chat.work.stoppedWith}
            text={e().message}
            detail={e().detail}
          />
        )}
      </Show>
    </div>
  );
}

function Request(props: { item: Item }) {
  const text = createText(() => props.item);
  return (
    <Show when={text.text()}>
      <div class="ask">
        <Icon of={CornerDownRight} />
        <p class="clamp2 sel">{text.text()}</p>
      </div>
    </Show>
  );
}

const planLooks = {
  completed: { s: "done", icon: CircleCheck },
  in_progress: { s: "now", icon: CircleDot },
  pending: { s: "todo", icon: Circle },
} as const;

function Plan(props: { entries: PlanEntry[] }) {
  return (
    <ol class="plan" aria-label={words.chat.work.plan}>
      <For each={props.entries}>
        {(entry) => {
          const look = planLooks[entry.status] ?? planLooks.pending;
          return (
            <li data-s={look.s}>
              <Icon of={look.icon} />
              <span>
                {entry.content}
                <span class="sr">{words.chat.work.planState[entry.status]}</span>
              </span>
            </li>
          );
        }}
      </For>
    </ol>
  );
}

/** Thoughts is the reasoning of one stretch, a closed row until it is asked for. */
export function Thoughts(props: { ids: string[]; inBlock?: boolean }) {
  const state = useStore();
  const key = `thoughts:${props.ids[0]}`;
  const [open, setOpen] = createSignal(wasOpen(key) ?? false);
  const toggle = () => {
    setOpen(!open());
    leaveOpen(key, open());
  };
  const items = createMemo(() => props.ids.flatMap((id) => state.items[id] ?? []));
  const label = () => {
    if (items().some((item) => item.open)) return words.chat.work.thinking;
    const time = items().reduce((sum, item) => sum + Math.max(0, (item.endedAt ?? 0) - item.createdAt), 0);
    return words.chat.work.thought(time >= 1000 ? lasting(time) : "");
  };
  return (
    <div class="thoughts" classList={{ alone: !props.inBlock }}>
      <button type="button" class="tool" aria-expanded={open()} aria-label={label()} onClick={toggle}>
        <Icon of={Brain} size="sm" />
        <span>{label()}</span>
        <span />
        <Icon of={ChevronRight} size="sm" class="subtle chev" />
      </button>
      <Show when={open()}>
        <div class="thought-text sel">
          <For each={items()}>{(item) => <Thought item={item} />}</For>
        </div>
      </Show>
    </div>
  );
}

function Thought(props: { item: Item }) {
  const text = createText(() => props.item);
  return <p class="typed">{text.text()}</p>;
}

/** How near to its end the output follows it. */
const followDistance = 8;

/** Stream is what a delegated session writes: the end of it, until the user scrolls up. */
function Stream(props: { ids: string[]; live: boolean }) {
  const state = useStore();
  let pre!: HTMLPreElement;
  let follows = true;
  const text = createMemo(() => props.ids.map((id) => state.texts[id]?.text ?? "").join("\n\n"));
  createEffect(
    on(text, () => {
      if (follows) pre.scrollTop = pre.scrollHeight;
    }),
  );
  const onScroll = () => {
    follows = pre.scrollHeight - pre.scrollTop - pre.clientHeight <= followDistance;
  };
  onMount(() => pre.addEventListener("scroll", onScroll));
  onCleanup(() => pre.removeEventListener("scroll", onScroll));
  return (
    // biome-ignore lint/a11y/useSemanticElements: the text keeps its spaces, so it is a pre.
    <pre ref={pre} class="copilot-stream sel" role="region" aria-label={words.chat.work.output} tabindex="0">
      {text()}
      <Show when={props.live}>
        <span class="caret" />
      </Show>
    </pre>
  );
}
