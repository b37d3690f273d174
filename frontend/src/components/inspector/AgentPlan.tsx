// The plan that an agent reports for the newest answer, with the states of its steps, beside the transcript.

import { createMemo, Show } from "solid-js";
import { messages } from "../../i18n";
import { raw, useStore } from "../../state/store";
import { lastTurn } from "../../state/undo";
import { Plan } from "../transcript/BlockBody";
import "../transcript/plan.css";

const t = messages.inspector.plan;

/**
 * planOf returns the ID of the main session's plan in the newest turn that answers the user, or "" if there is none among
 * the loaded items.
 */
export function planOf(chatId: string): string {
  const now = raw();
  const turnId = lastTurn(chatId)?.id;
  return (
    now.pages[chatId]?.order.findLast((id) => {
      const item = now.items[id];
      return item?.kind === "plan" && item.session === "main" && item.turnId === turnId;
    }) ?? ""
  );
}

/** AgentPlan shows the plan, or nothing if there is none. */
export function AgentPlan(props: { chatId: string }) {
  const state = useStore();
  const id = createMemo(() => {
    void state.pages[props.chatId]?.rev;
    return planOf(props.chatId);
  });
  const entries = () => state.items[id()]?.plan;
  const done = () => entries()?.filter(({ status }) => status === "completed").length ?? 0;
  return (
    <Show when={entries()?.length ? entries() : undefined}>
      {(all) => (
        <section class="inspector-plan" aria-label={t.title}>
          <h2 class="row">
            <span>{t.title}</span>
            <span class="grow" />
            <span class="num subtle">{t.done(done(), all().length)}</span>
          </h2>
          <Plan entries={all()} />
        </section>
      )}
    </Show>
  );
}
