// A question that is no longer open, in the body of its row: the choices with the chosen ones marked, the values of its
// form, or the address of its web page.

import Check from "lucide-solid/icons/check";
import ExternalLink from "lucide-solid/icons/external-link";
import MessageSquareReply from "lucide-solid/icons/message-square-reply";
import { createMemo, For, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { maxParts, numbersOf, parsePlan } from "../../lib/plan";
import { actions } from "../../state/actions";
import { composer } from "../../state/composer";
import { useStore } from "../../state/store";
import type { Item, Permission, Question, QuestionField } from "../../state/types";
import { StaticProse } from "../transcript/StaticProse";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Address, addressOf, isOdd } from "./WebPage";
import "./question.css";
import "../plan/plan.css";

const t = messages.question;

/** valueText returns the value of a field for display. */
function valueText(question: Question, field: QuestionField): string {
  const values = question.answer?.values?.find(({ name }) => name === field.name)?.values ?? [];
  if (field.kind === "boolean" && values[0]) return values[0] === "true" ? t.yes : t.no;
  const titled = values.map(
    (value) => field.options?.find((option) => option.value === value)?.title ?? value,
  );
  return titled.map((text) => visibleText(text, "prose")).join(", ");
}

/** answerText returns the user's answer for a message, or "" if there is none. */
function answerText(question: Question): string {
  const { fields, choices, answer } = question;
  if (!answer) return "";
  if (fields?.length)
    return fields.map((field) => `\n${field.title}: ${valueText(question, field)}`).join("");
  const labels = (answer.choices ?? []).flatMap((at) => choices?.[at]?.label ?? []);
  return [...labels, ...(answer.text ? [answer.text] : [])].join(", ");
}

/**
 * ClosedQuestion shows the question of a row that has ended. It lets the user answer in a message if the model may have
 * got no answer.
 */
export function ClosedQuestion(props: { item: Item }) {
  const state = useStore();
  const request = (): Permission | undefined =>
    Object.values(state.permissions).find(
      (p) => p.itemId === props.item.id && p.question && p.state !== "open",
    );
  const wasLost = () => state.turns[props.item.turnId ?? ""]?.state === "interrupted";
  const note = (question: Question) => {
    if (question.plan) {
      const p = messages.plan;
      if (question.outcome === "answered")
        return wasLost() && question.answer?.plan?.decision !== "changes" ? p.lost : "";
      return question.outcome === "away" ? p.away : p.closed;
    }
    if (question.outcome === "skipped" || question.page) return "";
    if (question.outcome === "answered") return wasLost() ? t.lost : "";
    return question.outcome === "away" ? t.away : t.closed;
  };
  const answer = (question: Question) => {
    const text = question.plan
      ? messages.plan.message(question.answer?.plan?.text ?? question.plan)
      : t.message(question.text, answerText(question));
    composer.fill(props.item.chatId, text);
    document.querySelector<HTMLElement>(".main .composer textarea")?.focus();
  };
  const openAgain = (address: string) => {
    actions.openURL(address).catch((thrown) => actions.log("warn", `open a web page: ${thrown.message}`));
  };
  return (
    <Show when={request()?.question}>
      {(question) => (
        <div class="asked">
          <Show
            when={question().plan}
            fallback={<p class="sel q-asked">{visibleText(question().text, "prose")}</p>}
          >
            {(plan) => <ClosedPlan of={question()} plan={plan()} />}
          </Show>
          <Show when={question().choices?.length}>
            <ul>
              <For each={question().choices}>
                {(choice, at) => {
                  const isChosen = () => question().answer?.choices?.includes(at()) === true;
                  return (
                    <li classList={{ on: isChosen() }}>
                      <Icon of={Check} size="sm" />
                      <span>{visibleText(choice.label, "prose")}</span>
                    </li>
                  );
                }}
              </For>
            </ul>
          </Show>
          <Show when={question().answer?.text}>
            {(text) => <p class="sel q-given">{visibleText(text(), "prose")}</p>}
          </Show>
          <Show when={question().fields?.length}>
            <dl>
              <For each={question().fields}>
                {(field) => (
                  <>
                    <dt>{visibleText(field.title, "prose")}</dt>
                    <dd class="sel">{valueText(question(), field) || t.nothing}</dd>
                  </>
                )}
              </For>
            </dl>
          </Show>
          <Show when={question().page}>
            {(page) => (
              <>
                <Address page={page()} />
                <Show when={question().outcome === "answered" && !isOdd(page())}>
                  <Button icon={ExternalLink} onClick={() => openAgain(addressOf(page()))}>
                    {t.openAgain}
                  </Button>
                </Show>
              </>
            )}
          </Show>
          <Show when={note(question())}>
            {(text) => (
              <>
                <p class="subtle">{text()}</p>
                <Button icon={MessageSquareReply} onClick={() => answer(question())}>
                  {question().plan ? messages.plan.inMessage : t.inMessage}
                </Button>
              </>
            )}
          </Show>
        </div>
      )}
    </Show>
  );
}

/** ClosedPlan shows a plan as it was answered: the steps that the user wrote are marked, and comments follow. */
function ClosedPlan(props: { of: Question; plan: string }) {
  const answer = () => props.of.answer?.plan;
  /** The parts of a plan that the user edited, or none. */
  const edited = () => {
    const text = answer()?.text ?? props.plan;
    const parts = text === props.plan ? [] : parsePlan(text);
    return parts.length > maxParts ? [] : parts;
  };
  const own = createMemo(() => {
    const given = new Set(parsePlan(props.plan).map((part) => part.text.trim()));
    return edited().map((part) => part.kind === "step" && !given.has(part.text.trim()));
  });
  const numbers = createMemo(() => numbersOf(edited()));
  const lines = () => (answer()?.text ?? props.plan).split("\n");
  return (
    <>
      <div class="pl-given">
        <Show when={edited().length > 0} fallback={<StaticProse text={answer()?.text ?? props.plan} />}>
          <ol class="pl-edited">
            <For each={edited()}>
              {(part, at) => (
                <li>
                  <span class="pl-n num subtle">{numbers()[at()] || ""}</span>
                  <StaticProse text={part.text} />
                  <Show when={own()[at()]}>
                    <span class="subtle pl-own">{messages.plan.yours}</span>
                  </Show>
                </li>
              )}
            </For>
          </ol>
        </Show>
      </div>
      <Show when={answer()?.comments?.length}>
        <ul class="pl-comments">
          <For each={answer()?.comments}>
            {(comment) => (
              <li class="on sel">
                <Icon of={MessageSquareReply} size="sm" />
                <span>
                  {visibleText(`${lines()[comment.line - 1]?.trim() ?? ""}: ${comment.text}`, "prose")}
                </span>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </>
  );
}
