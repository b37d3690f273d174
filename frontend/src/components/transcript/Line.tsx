// A line of the transcript: a sentence about an action. Expanding it shows the result in place.

import Box from "lucide-solid/icons/box";
import ChevronRight from "lucide-solid/icons/chevron-right";
import X from "lucide-solid/icons/x";
import { createSignal, For, type JSX, Show } from "solid-js";
import { messages } from "../../i18n";
import { createNow } from "../../lib/clock";
import { timeOf, visibleText } from "../../lib/format";
import { useStore } from "../../state/store";
import type { Item, Tool } from "../../state/types";
import { contentsOf } from "../../state/workSummary";
import { ClosedQuestion } from "../question/ClosedQuestion";
import { Icon } from "../ui/Icon";
import { clock, durationText } from "../ui/time";
import { ContentView } from "./ContentView";
import { Counts } from "./Counts";
import { decidedText, displayTarget, type LineLook } from "./line";
import { createText } from "./Message";
import { Sandboxed } from "./Sandboxed";
import { isQuestion, shownContents } from "./tool";
import "./lines.css";

const t = messages.lines;

/** Since shows the time elapsed since a given time, starting after one second. */
function Since(props: { at: number }) {
  const now = createNow();
  const time = () => now() - props.at;
  return (
    <Show when={time() >= 1000}>
      <span aria-hidden="true">{clock(time())}</span>
    </Show>
  );
}

/**
 * Target shows the object of the action that a line describes, such as a path or a command. If space is short, the
 * folders of a path are truncated first.
 */
function Target(props: { text: string; isPath?: boolean; isProse?: boolean }) {
  const cut = () => (props.isPath ? props.text.lastIndexOf("/") + 1 : 0);
  return (
    <Show
      when={cut() > 0}
      fallback={
        <span class="tg" classList={{ mono: !props.isProse }}>
          {props.text}
        </span>
      }
    >
      <span class="mono tg path">
        <span class="trunc">{props.text.slice(0, cut())}</span>
        <span class="name">{props.text.slice(cut())}</span>
      </span>
    </Show>
  );
}

export interface LineButtonProps {
  look: LineLook;
  open: boolean;
  /** Identifies the line by the ID of its item or fold. */
  line: string;
  tabbable: boolean;
  onClick(): void;
}

/** LineButton is the button that expands or collapses a line. */
export function LineButton(props: LineButtonProps) {
  const look = () => props.look;
  const hasCounts = () => (look().added ?? 0) + (look().removed ?? 0) > 0;
  const hasFacts = () =>
    hasCounts() ||
    !!look().bad ||
    !!look().attn ||
    !!look().isSandboxed ||
    look().facts.length > 0 ||
    look().since !== undefined;
  return (
    <button
      type="button"
      class="ln"
      data-status={look().status}
      data-line={props.line}
      aria-expanded={props.open}
      aria-label={look().name}
      tabindex={props.tabbable ? 0 : -1}
      onClick={() => props.onClick()}
    >
      <span class="g">
        <Icon of={look().icon} size="sm" class={look().spins ? "spin" : look().isFold ? "fold" : ""} />
      </span>
      <span class="w">
        <span class="vb">{look().verb}</span>
        <Show when={look().target}>
          {(text) => <Target text={text()} isPath={look().isPath} isProse={look().isProse} />}
        </Show>
        <Show when={hasFacts()}>
          <span class="fx">
            <Show when={look().bad}>
              {(why) => (
                <>
                  <span class="bad">
                    <Icon of={X} />
                  </span>
                  <span class="bad why">{why()}</span>
                </>
              )}
            </Show>
            <Show when={look().attn}>{(what) => <span class="c-attn">{what()}</span>}</Show>
            <Show when={hasCounts()}>
              <Counts added={look().added} removed={look().removed} />
            </Show>
            <Show when={look().isSandboxed}>
              <Icon of={Box} />
            </Show>
            <For each={look().facts}>{(fact) => <span>{fact}</span>}</For>
            <Show when={look().since}>{(at) => <Since at={at()} />}</Show>
          </span>
        </Show>
      </span>
      <Show when={!look().isFold}>
        <Icon of={ChevronRight} class="cv" />
      </Show>
    </button>
  );
}

/** CallBody shows the result of a tool call and how the call was allowed or rejected. */
export function CallBody(props: { item: Item; tool: Tool; folder: string }): JSX.Element {
  const state = useStore();
  const contents = () => shownContents(contentsOf(state, props.item.id), props.tool);
  const isRejected = () => props.tool.decision === "rejected";
  const decided = () => decidedText(props.tool);
  return (
    <>
      <Show
        when={contents().length > 0}
        fallback={
          <Show when={!isRejected() && props.tool.status !== "in_progress" && !isQuestion(props.tool)}>
            <p class="tool-none">{messages.chat.noContent}</p>
          </Show>
        }
      >
        <For each={contents()}>
          {(content) => (
            <div class="tool-out">
              <Show when={isRejected()}>
                <p class="not-applied">{t.notApplied}</p>
              </Show>
              <ContentView
                content={content}
                folder={props.folder}
                of={displayTarget(props.tool, props.folder)}
                plain
                live={props.tool.status === "in_progress"}
              />
            </div>
          )}
        </For>
      </Show>
      <Show when={isQuestion(props.tool)}>
        <ClosedQuestion item={props.item} />
      </Show>
      <Sandboxed item={props.item} tool={props.tool} />
      <Show when={decided() !== ""}>
        <p class="decided">{decided()}</p>
      </Show>
    </>
  );
}

/** RetryRows lists the failed attempts of a model call: time, duration and reason. */
export function RetryRows(props: { items: readonly Item[] }) {
  return (
    <ol class="retries">
      <For each={props.items}>{(item) => <Try item={item} />}</For>
    </ol>
  );
}

/**
 * Try shows one failed attempt: its time, duration and reason. If the reason is truncated or the agent's report has
 * several lines, a button shows the whole report.
 */
function Try(props: { item: Item }) {
  const report = createText(() => props.item);
  const [whole, setWhole] = createSignal(false);
  const reason = () => props.item.retry?.reason ?? "";
  const isCut = () => reason().endsWith("…") || report.text().trim().includes("\n");
  return (
    <li>
      <span class="num">{timeOf(props.item.createdAt)}</span>
      <span class="num">{props.item.retry?.tookMs ? durationText(props.item.retry.tookMs) : ""}</span>
      <div>
        <p class="sel" classList={{ typed: whole() }}>
          {visibleText(whole() ? report.text() : reason(), "prose")}
        </p>
        <Show when={isCut()}>
          <button
            type="button"
            class="link"
            aria-expanded={whole()}
            onClick={() => {
              setWhole(!whole());
              if (whole() && report.missing() > 0) report.pull();
            }}
          >
            {whole() ? messages.blocks.showLess : messages.blocks.showAll}
          </button>
        </Show>
      </div>
    </li>
  );
}
