// How much of what the agent can keep in mind at once is in use.

import { createMemo, type JSX, Show } from "solid-js";
import { count } from "../../lib/format";
import { type ContextUse, contextOf, hotPercent, percentOf } from "../../state/context";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { Turn, Usage } from "../../state/words";
import { words } from "../../words";
import { Popover } from "../ui/Popover";

const w = words.composer.context;

function sum(all: readonly Usage[]): Usage {
  return all.reduce(
    (total, one) => ({
      input: total.input + one.input,
      output: total.output + one.output,
      cacheRead: (total.cacheRead ?? 0) + (one.cacheRead ?? 0),
    }),
    { input: 0, output: 0 },
  );
}

function Spent(props: { label: string; usage: Usage }): JSX.Element {
  const parts = () =>
    [
      w.read(count(props.usage.input)),
      props.usage.cacheRead ? w.cached(count(props.usage.cacheRead)) : "",
      w.written(count(props.usage.output)),
    ].filter((part) => part !== "");
  return (
    <>
      <dt>{props.label}</dt>
      <dd class="num">{parts().join(", ")}</dd>
    </>
  );
}

/** Answers says what the last answer took, and all that are known together. */
function Answers(props: { chatId: string }) {
  const state = useStore();
  const usages = createMemo(() =>
    Object.values(state.turns)
      .filter((turn: Turn) => turn.chatId === props.chatId && !turn.blockId && !turn.mainId && turn.usage)
      .sort((a, b) => a.startedAt - b.startedAt)
      .map((turn) => turn.usage as Usage),
  );
  return (
    <Show when={usages().at(-1)}>
      {(last) => (
        <dl class="spent">
          <Spent label={w.last} usage={last()} />
          <Show when={usages().length > 1}>
            <Spent label={w.all} usage={sum(usages())} />
          </Show>
        </dl>
      )}
    </Show>
  );
}

/** Context is the ring in the bar, and the dialog that it opens; nothing where it is not known. */
export function Context(props: { chatId: string }) {
  const state = useStore();
  const use = createMemo(() => contextOf(state, props.chatId));
  return <Show when={use()}>{(known) => <Ring chatId={props.chatId} {...known()} />}</Show>;
}

function Ring(props: { chatId: string } & ContextUse) {
  const state = useStore();
  const answerer = () => {
    const chat = state.chats[props.chatId];
    return chat?.mainId ? select.answerer(state, chat) : words.chat.work.copilot;
  };
  const percent = () => Math.min(100, percentOf(props));
  const isHot = () => percent() >= hotPercent;
  const length = 2 * Math.PI * 6;
  return (
    <Popover
      label={w.label(percent())}
      title={w.title}
      triggerClass="pick whole"
      class="context"
      trigger={
        <>
          <svg class="ring" classList={{ hot: isHot() }} viewBox="0 0 16 16" aria-hidden="true">
            <circle cx="8" cy="8" r="6" />
            <circle
              class="v"
              cx="8"
              cy="8"
              r="6"
              stroke-dasharray={`${((length * percent()) / 100).toFixed(1)} ${length.toFixed(1)}`}
            />
          </svg>
          <span class="num lbl spare">{percent()}%</span>
        </>
      }
    >
      <div class="row">
        <strong class="num">{w.of(count(props.used), count(props.size))}</strong>
        <span class="grow" />
        <span class="muted num">{percent()}%</span>
      </div>
      <div class="meter" classList={{ hot: isHot() }}>
        <i style={{ width: `${percent()}%` }} />
      </div>
      <Answers chatId={props.chatId} />
      <Show when={isHot()} fallback={<p class="muted">{w.body(answerer())}</p>}>
        <p class="muted">
          <strong class="c-attn">{w.full}</strong> {w.fullBody}
        </p>
      </Show>
    </Popover>
  );
}
