// A block, which shows the work of a delegated session: expanded while the session is running, a single
// line once it is done.

import ChevronRight from "lucide-solid/icons/chevron-right";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import { createEffect, createMemo, createSignal, on, onMount, Show } from "solid-js";
import { messages } from "../../i18n";
import { createNow } from "../../lib/clock";
import { visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import type { WorkTotals } from "../../state/callActions";
import { wantedMatch } from "../../state/match";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { Work as WorkEntry, WorkState } from "../../state/transcript";
import { totalsOfWork } from "../../state/workTotals";
import { Icon } from "../ui/Icon";
import { isMod, keyShortcuts } from "../ui/Kbd";
import { clock, durationText } from "../ui/time";
import { BlockBody } from "./BlockBody";
import { createFold } from "./fold";
import { openStateOf, rememberOpen } from "./viewState";
import "./delegation-block.css";

const isLive = (state: WorkState) => state === "running" || state === "waiting";
/** opensByDefault reports whether a block in the given state is expanded by default. */
const opensByDefault = (state: WorkState) => isLive(state) || state === "failed" || state === "interrupted";

export interface WorkProps {
  chatId: string;
  entry: WorkEntry;
  folder: string;
  /** Called before a user action changes the height of this entry. */
  onToggle(): void;
}

/** Facts shows the summary of a finished block. */
function Facts(props: { entry: WorkEntry }) {
  const state = useStore();
  const totals = createMemo(() => totalsOfWork(state, props.entry));
  /** Whether the changes of the turn that delegated this task were undone. */
  const isUndone = () => state.undos[state.items[props.entry.blockId]?.turnId ?? ""]?.state === "undone";
  return (
    <>
      <Show when={totals().withoutPermission > 0}>
        <span class="c-attn">{messages.chat.work.withoutPermission(totals().withoutPermission)}</span>
      </Show>
      <span>{summary(props.entry, totals(), isUndone())}</span>
    </>
  );
}

/** summary returns a finished block's totals as text: changes, commands and time. */
export function summary(entry: WorkEntry, totals: WorkTotals, isUndone = false): string {
  const parts: string[] = [];
  if (totals.files > 0) {
    const changes = messages.chat.work.changes(totals.added, totals.removed, totals.files);
    parts.push(isUndone ? messages.undo.inSummary(changes) : changes);
  }
  if (totals.commands > 0) parts.push(messages.chat.work.commands(totals.commands));
  const time = entry.endedAt - entry.startedAt - entry.waited;
  if (time >= 1000) parts.push(durationText(time));
  return parts.join(" · ");
}

function Clock(props: { since: number }) {
  const now = createNow();
  return <span>{clock(now() - props.since)}</span>;
}

/** Work renders one block. */
export function Work(props: WorkProps) {
  const state = useStore();
  let details!: HTMLDetailsElement;
  let body: HTMLDivElement | undefined;
  const key = props.entry.key;
  const first = openStateOf(key) ?? (opensByDefault(props.entry.state) || !!state.settings.keepOpen);
  const [open, setOpen] = createSignal(first);
  const [touched, setTouched] = createSignal(openStateOf(key) !== undefined);

  const fold = createFold({
    details: () => details,
    body: () => body,
    mayFold: () => !touched() && !state.settings.keepOpen,
    onFolded: () => setOpen(false),
  });

  // The open state is set initially and when the block's state changes, never in between: that would
  // override the user's choice.
  onMount(() => {
    details.open = first;
  });
  createEffect(
    on(
      () => props.entry.state,
      (now, before) => {
        if (before === undefined) return;
        if (opensByDefault(now)) {
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
    // The click is about to toggle the block.
    rememberOpen(key, !details.open);
  };

  // Jumping to a match inside the block or in its task expands the block.
  createEffect(() => {
    const place = wantedMatch();
    const isOwn = place?.find && place.itemId === props.entry.blockId;
    if (!place || !(isOwn || props.entry.ids.includes(place.itemId))) return;
    props.onToggle();
    details.open = true;
    setOpen(true);
    onRead();
  });

  /** A block that the user is reading stays open. */
  const onRead = () => {
    setTouched(true);
    fold.cancel();
    rememberOpen(key, true);
  };

  const session = () => visibleText(props.entry.session);
  const agent = () => select.agentOf(state, props.chatId);
  const stop = () => actions.stopBlock(props.chatId, props.entry.blockId);
  // Inside a block, the Stop shortcut stops only that block.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "." || !isMod(event) || event.shiftKey || event.repeat) return;
    if (!isLive(props.entry.state)) return;
    event.preventDefault();
    event.stopPropagation();
    stop();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: this element only handles keys pressed inside it.
    <div class="cop-wrap" onKeyDown={onKeyDown} data-item={props.entry.blockId}>
      <details
        ref={details}
        class="copilot-block"
        data-state={props.entry.state}
        aria-label={messages.chat.work.label(agent(), session())}
        onToggle={() => setOpen(details.open)}
      >
        <summary ref={(summary) => summary.addEventListener("click", onSummary)}>
          <Icon of={ChevronRight} size="sm" class="chev" />
          <span class="bot" aria-hidden="true">
            🤖
          </span>
          <span class="cop-name">
            {agent()} <span class="br">[</span>
            <span class="sn">{session()}</span>
            <span class="br">]</span>
            <span class="st">{messages.chat.work.suffix[props.entry.state]}</span>
          </span>
          <span class="cop-meta" data-stop={isLive(props.entry.state) ? messages.chat.work.stop : undefined}>
            <Show when={isLive(props.entry.state)} fallback={<Facts entry={props.entry} />}>
              <Show when={props.entry.state === "running"}>
                <Icon of={LoaderCircle} size="sm" class="spin" />
              </Show>
              <Clock since={props.entry.startedAt + props.entry.waited} />
            </Show>
          </span>
        </summary>
        <Show when={open()}>
          <BlockBody
            ref={(element) => (body = element)}
            chatId={props.chatId}
            entry={props.entry}
            folder={props.folder}
            live={props.entry.state === "running"}
            onRead={onRead}
          />
        </Show>
      </details>
      <Show when={isLive(props.entry.state)}>
        <button
          type="button"
          class="btn cop-stop"
          aria-label={messages.chat.work.stopLabel(session())}
          aria-keyshortcuts={keyShortcuts("Mod", ".")}
          onClick={stop}
        >
          <span class="sq" />
          {messages.chat.work.stop}
        </button>
      </Show>
    </div>
  );
}
