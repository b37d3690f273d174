// One tool call: action, target and result. Expanding it shows the output.

import Box from "lucide-solid/icons/box";
import Brain from "lucide-solid/icons/brain";
import Check from "lucide-solid/icons/check";
import CircleDashed from "lucide-solid/icons/circle-dashed";
import FileSymlink from "lucide-solid/icons/file-symlink";
import FileText from "lucide-solid/icons/file-text";
import Globe from "lucide-solid/icons/globe";
import ListChecks from "lucide-solid/icons/list-checks";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import MessageCircleQuestionMark from "lucide-solid/icons/message-circle-question-mark";
import Pencil from "lucide-solid/icons/pencil";
import Search from "lucide-solid/icons/search";
import SquareTerminal from "lucide-solid/icons/square-terminal";
import Trash from "lucide-solid/icons/trash";
import Wrench from "lucide-solid/icons/wrench";
import X from "lucide-solid/icons/x";
import { createEffect, createMemo, createSignal, For, Match, Show, Switch, untrack } from "solid-js";
import { messages } from "../../i18n";
import { createNow } from "../../lib/clock";
import { visibleText } from "../../lib/format";
import { durationOf } from "../../state/callActions";
import { foundMatch, wantedMatch } from "../../state/match";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { rejectedBy } from "../../state/transcript";
import type { Item, Tool, ToolKind } from "../../state/types";
import { contentsOf } from "../../state/workSummary";
import { ClosedQuestion } from "../question/ClosedQuestion";
import { Icon } from "../ui/Icon";
import { clock, durationText, stepDuration } from "../ui/time";
import { ContentView } from "./ContentView";
import { Counts } from "./Counts";
import { Sandboxed } from "./Sandboxed";
import { blockedText, isPath, isQuestion, isWebPage, shownContents, statusOf, targetOf } from "./tool";
import { openStateOf, rememberOpen } from "./viewState";
import "./tool-row.css";

const icons = {
  read: FileText,
  edit: Pencil,
  delete: Trash,
  move: FileSymlink,
  search: Search,
  execute: SquareTerminal,
  think: Brain,
  fetch: Globe,
  ask: MessageCircleQuestionMark,
  plan: ListChecks,
  other: Wrench,
} satisfies Record<ToolKind, unknown>;

const statusIcons = {
  pending: CircleDashed,
  in_progress: LoaderCircle,
  completed: Check,
  failed: X,
  cancelled: X,
} as const;

/** Clock shows the time elapsed since a given time. */
function Clock(props: { since: number }) {
  const now = createNow();
  return <>{clock(now() - props.since)}</>;
}

/**
 * Target shows the object of a tool call. If a path is too long, its folders are truncated before its
 * file name.
 */
function Target(props: { tool: Tool; text: string }) {
  const cut = () => props.text.lastIndexOf("/") + 1;
  return (
    <Show
      when={isPath(props.tool) && cut() > 0}
      fallback={
        <span class="trunc" classList={{ mono: !isQuestion(props.tool) }}>
          {props.text}
        </span>
      }
    >
      <span class="mono path">
        <span class="trunc">{props.text.slice(0, cut())}</span>
        <span class="name">{props.text.slice(cut())}</span>
      </span>
    </Show>
  );
}

export interface ToolRowProps {
  item: Item;
  tool: Tool;
  folder: string;
  /** Whether the call is waiting for the user's decision. */
  isRequested?: boolean;
}

/** ToolRow renders one tool call. */
export function ToolRow(props: ToolRowProps) {
  const state = useStore();
  const key = `tool:${props.item.id}`;
  const [open, setOpen] = createSignal(openStateOf(key) ?? false);
  const toggle = () => {
    setOpen(!open());
    rememberOpen(key, open());
  };

  // Jumping to a match in the call's output expands the row, unless the row itself shows the match.
  createEffect(() => {
    const found = foundMatch();
    if (!found?.location.contentId || found.match.itemId !== props.item.id || wantedMatch() !== found.match)
      return;
    setOpen(true);
    rememberOpen(key, true);
  });
  createEffect(() => {
    const place = wantedMatch();
    if (place?.itemId !== props.item.id || !place.find) return;
    const { title, command = "", path = "" } = untrack(() => props.tool);
    const low = place.find.toLowerCase();
    if ([title, command, path].some((text) => text.toLowerCase().includes(low))) return;
    setOpen(true);
    rememberOpen(key, true);
  });

  const turn = () => state.turns[props.item.turnId ?? ""]?.state;
  const status = () => statusOf(props.tool, turn());
  const verb = () =>
    isWebPage(props.tool) ? messages.chat.tool.open : messages.chat.tool.verb(props.tool.kind);
  const target = () => targetOf(props.tool, props.folder);
  /** The target, followed by a note if the command ran in the sandbox. */
  const place = () => (props.tool.sandboxed ? `${target()}, ${messages.sandbox.row.inside}` : target());
  const contents = createMemo(() => shownContents(contentsOf(state, props.item.id), props.tool));
  const change = createMemo(() => {
    const diffs = contents().filter((content) => content.type === "diff");
    return {
      added: diffs.reduce((sum, diff) => sum + (diff.added ?? 0), 0),
      removed: diffs.reduce((sum, diff) => sum + (diff.removed ?? 0), 0),
    };
  });
  const hasChange = () => change().added + change().removed > 0;
  const duration = () => {
    if (!props.item.endedAt) return "";
    const millis = durationOf(props.item);
    if (props.tool.kind === "think") return millis < 1000 ? "" : durationText(millis);
    return props.tool.kind === "execute" ? stepDuration(millis) : "";
  };
  const byRule = createMemo(
    () => props.tool.decision === "rejected" && rejectedBy(state, props.item) === "rule",
  );
  const decisionText = () => {
    if (byRule()) return messages.chat.tool.byRule;
    return props.tool.decision ? messages.chat.tool.decision(props.tool.decision) : "";
  };

  return (
    <>
      <button
        type="button"
        class="tool"
        data-status={status()}
        aria-expanded={open()}
        aria-label={messages.chat.tool.label(verb(), place(), messages.chat.tool.status(status()))}
        onClick={toggle}
      >
        <Icon of={isWebPage(props.tool) ? Globe : (icons[props.tool.kind] ?? Wrench)} size="sm" />
        <span class="what">
          <span class="v">{verb()}</span>
          <Target tool={props.tool} text={target()} />
        </span>
        <span class="x">
          <Show when={props.tool.sandboxed}>
            <Icon of={Box} class="in" />
          </Show>
          <Switch>
            <Match when={props.isRequested}>{messages.chat.tool.waiting}</Match>
            <Match when={props.tool.decision === "rejected" || props.tool.decision === "closed"}>
              {decisionText()}
            </Match>
            <Match when={props.tool.unasked}>
              <span class="c-attn">
                {messages.lines.withoutPermission(select.actor(state, props.item.chatId, props.item.turnId))}
              </span>
            </Match>
            <Match when={props.tool.status === "cancelled"}>
              {turn() === "interrupted" ? messages.chat.tool.noResult : messages.chat.tool.stopped}
            </Match>
            <Match
              when={
                status() === "failed" && props.tool.status !== "failed" && props.tool.status !== "completed"
              }
            >
              {messages.chat.tool.noResult}
            </Match>
            <Match when={status() === "in_progress"}>
              <Clock since={props.item.createdAt + (props.item.waited ?? 0)} />
            </Match>
            <Match when={status() === "completed" || status() === "failed"}>
              <Show when={decisionText()}>
                <span>{decisionText()}</span>
              </Show>
              <Switch fallback={<span>{visibleText(props.tool.fact ?? "") || duration()}</span>}>
                <Match when={blockedText(props.tool)}>
                  {(blocked) => <span class="c-bad">{blocked()}</span>}
                </Match>
                <Match when={props.tool.signal}>
                  {(name) => <span>{messages.lines.signal(name())}</span>}
                </Match>
                <Match when={props.tool.exitCode}>
                  {(code) => <span>{messages.chat.tool.exit(code())}</span>}
                </Match>
                <Match when={hasChange()}>
                  <Counts {...change()} />
                </Match>
              </Switch>
            </Match>
          </Switch>
        </span>
        <Icon of={statusIcons[status()]} size="sm" class={status() === "in_progress" ? "st spin" : "st"} />
      </button>
      <Show when={open()}>
        <Show when={isQuestion(props.tool)}>
          <ClosedQuestion item={props.item} />
        </Show>
        <Show
          when={contents().length > 0}
          fallback={
            <Show when={!isQuestion(props.tool)}>
              <p class="tool-none">{messages.chat.noContent}</p>
            </Show>
          }
        >
          <For each={contents()}>
            {(content) => (
              <div class="tool-out">
                <ContentView content={content} folder={props.folder} of={target()} />
              </div>
            )}
          </For>
        </Show>
        <Sandboxed item={props.item} tool={props.tool} />
      </Show>
    </>
  );
}
