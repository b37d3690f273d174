// Shows how much of the context window is used.

import { createMemo, createResource, type JSX, Show } from "solid-js";
import { messages } from "../../i18n";
import { count } from "../../lib/format";
import { actions } from "../../state/actions";
import { type ContextUse, contextOf, percentOf, warnPercent } from "../../state/context";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { SessionMain, type Turn, type Usage } from "../../state/types";
import { Popover } from "../ui/Popover";
import "./context.css";

const t = messages.composer.context;

function UsageRow(props: { label: string; usage: Usage }): JSX.Element {
  const parts = () =>
    [
      t.read(count(props.usage.input)),
      props.usage.cacheRead ? t.cached(count(props.usage.cacheRead)) : "",
      t.written(count(props.usage.output)),
    ].filter((part) => part !== "");
  return (
    <>
      <dt>{props.label}</dt>
      <dd class="num">{parts().join(", ")}</dd>
    </>
  );
}

/**
 * UsageTotals shows the usage of the main session's last turn and, if there was more than one, of all its turns.
 * The app computes the totals, because only some of the turns are loaded here.
 */
function UsageTotals(props: { chatId: string }) {
  const state = useStore();
  const last = createMemo(() =>
    Object.values(state.turns)
      .filter((turn) => turn.chatId === props.chatId && !turn.blockId && !turn.mainId && turn.usage)
      .reduce<Turn | undefined>((a, b) => (a && a.startedAt > b.startedAt ? a : b), undefined),
  );
  const [work] = createResource(
    () => ({ chatId: props.chatId, after: last()?.id }),
    ({ chatId }) =>
      actions.sessionStats(chatId).catch((thrown) => {
        actions.log("warn", `count what the answers of a chat took: ${thrown.message}`);
        return undefined;
      }),
  );
  const all = () => work.latest?.find((each) => each.name === SessionMain && each.turns > 1);
  return (
    <Show when={last()?.usage}>
      {(usage) => (
        <dl class="spent">
          <UsageRow label={t.last} usage={usage()} />
          <Show when={all()}>
            {(sum) => (
              <UsageRow
                label={t.all}
                usage={{ ...sum(), input: sum().input ?? 0, output: sum().output ?? 0 }}
              />
            )}
          </Show>
        </dl>
      )}
    </Show>
  );
}

/** Context renders the ring in the composer's bar and its popover, or nothing if the usage is unknown. */
export function Context(props: { chatId: string }) {
  const state = useStore();
  const use = createMemo(() => contextOf(state, props.chatId));
  return <Show when={use()}>{(known) => <Ring chatId={props.chatId} {...known()} />}</Show>;
}

function Ring(props: { chatId: string } & ContextUse) {
  const state = useStore();
  const percent = () => Math.min(100, percentOf(props));
  const isHot = () => percent() >= warnPercent;
  const length = 2 * Math.PI * 6;
  return (
    <Popover
      label={t.label(percent())}
      title={t.title}
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
        <strong class="num">{t.of(count(props.used), count(props.size))}</strong>
        <span class="grow" />
        <span class="muted num">{percent()}%</span>
      </div>
      <div class="meter" classList={{ hot: isHot() }}>
        <i style={{ width: `${percent()}%` }} />
      </div>
      <UsageTotals chatId={props.chatId} />
      <Show when={isHot()} fallback={<p class="muted">{t.body(select.responder(state, props.chatId))}</p>}>
        <p class="muted">
          <strong class="c-attn">{t.full}</strong> {t.fullBody}
        </p>
      </Show>
    </Popover>
  );
}
