// The answers to choose from, and the field for the user's own answer.

import Check from "lucide-solid/icons/check";
import { For, onCleanup, onMount, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { isComposing } from "../../state/keys";
import { change, type Entered } from "../../state/questionAnswers";
import type { Permission, Question } from "../../state/types";
import { Icon } from "../ui/Icon";

const t = messages.question;

export interface ChoicesProps {
  request: Permission;
  now: Entered;
  card(): HTMLElement;
  onAnswer(): void;
}

/** Choices shows the answers as radio buttons or, if several can be chosen, as checkboxes. */
export function Choices(props: ChoicesProps) {
  let group!: HTMLDivElement;
  const id = () => props.request.id;
  const question = () => props.request.question as Question;
  const choices = () => question().choices ?? [];
  const several = () => question().several === true;
  const isOn = (at: number) => props.now.choices.includes(at);
  const rows = () => [...group.querySelectorAll<HTMLElement>("[data-row]")];
  const problem = () => props.now.problems[""];

  const toggle = (at: number) => {
    const others = props.now.choices.filter((each) => each !== at);
    if (several())
      change(id(), { choices: isOn(at) ? others : [...others, at].sort((a, b) => a - b), problems: {} });
    else change(id(), { choices: [at], own: false, problems: {} });
  };
  const chooseOwn = () => change(id(), { own: true, problems: {}, ...(several() ? {} : { choices: [] }) });

  // Digits choose an answer while the card has the focus, except in its text field.
  const onDigit = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
    const row = /^[1-9]$/.test(event.key) ? rows()[Number(event.key) - 1] : undefined;
    if (!row) return;
    event.preventDefault();
    row.focus();
    if (row instanceof HTMLButtonElement) toggle(Number(event.key) - 1);
  };
  onMount(() => {
    const card = props.card();
    card.addEventListener("keydown", onDigit);
    onCleanup(() => card.removeEventListener("keydown", onDigit));
  });

  const onArrow = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    // In the text field, the left and right arrow keys move the cursor.
    if (event.target instanceof HTMLInputElement && /Left|Right/.test(event.key)) return;
    const all = rows();
    const from = all.indexOf(event.target as HTMLElement);
    const to = all[(from + step + all.length) % all.length];
    if (from < 0 || !to) return;
    event.preventDefault();
    to.focus();
    if (!several() && to instanceof HTMLButtonElement) toggle(all.indexOf(to));
  };
  const isStop = (at: number) =>
    several() || (props.now.choices.length > 0 ? isOn(at) : at === 0 && !props.now.own);

  const field = (label: string, placeholder: string) => (
    <input
      data-row
      class="q-own"
      type="text"
      dir="auto"
      autocomplete="off"
      aria-label={label}
      aria-invalid={problem() ? true : undefined}
      placeholder={placeholder}
      value={props.now.text}
      onFocus={chooseOwn}
      onInput={({ currentTarget }) => change(id(), { text: currentTarget.value, own: true, problems: {} })}
      onKeyDown={(event) => {
        if (isComposing(event) || event.repeat || event.key !== "Enter") return;
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        props.onAnswer();
      }}
    />
  );

  return (
    <Show
      when={choices().length > 0}
      fallback={
        <div ref={group} class="q-text">
          {field(t.yourAnswer, t.yourAnswer)}
        </div>
      }
    >
      <Show when={several()}>
        <p class="q-hint">{t.several}</p>
      </Show>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it has one of two roles. */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles support a name. */}
      <div
        ref={group}
        class="q-opts"
        role={several() ? "group" : "radiogroup"}
        aria-label={t.answers}
        onKeyDown={onArrow}
      >
        <For each={choices()}>
          {(choice, at) => (
            // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles support being checked.
            <button
              type="button"
              data-row
              class="q-opt"
              role={several() ? "checkbox" : "radio"}
              aria-checked={isOn(at())}
              aria-label={visibleText(choice.label, "prose")}
              aria-describedby={choice.description ? `${id()}-${at()}` : undefined}
              data-invalid={problem() && at() === 0 ? "" : undefined}
              tabindex={isStop(at()) ? 0 : -1}
              onClick={() => toggle(at())}
            >
              <Show when={several()} fallback={<span class="radio" />}>
                <span class="q-check">
                  <Icon of={Check} />
                </span>
              </Show>
              <span class="q-label">
                {visibleText(choice.label, "prose")}
                <Show when={choice.suggested}>
                  <span class="tag">{t.suggested}</span>
                </Show>
              </span>
              <Show when={at() < 9}>
                <span class="kbd" aria-hidden="true">
                  <b>{at() + 1}</b>
                </span>
              </Show>
              <Show when={choice.description}>
                {(text) => (
                  <span class="ds" id={`${id()}-${at()}`}>
                    {visibleText(text(), "prose")}
                  </span>
                )}
              </Show>
            </button>
          )}
        </For>
        <Show when={question().freeText}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: a click anywhere in the row focuses its field. */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field itself takes the focus with the keyboard. */}
          <div
            class="q-opt"
            classList={{ on: props.now.own && (props.now.choices.length === 0 || props.now.text !== "") }}
            onClick={({ currentTarget }) => currentTarget.querySelector("input")?.focus()}
          >
            <Show when={several()} fallback={<span class="radio" />}>
              <span class="q-check">
                <Icon of={Check} />
              </span>
            </Show>
            {field(t.ownAnswer, t.other)}
            <Show when={choices().length < 9}>
              <span class="kbd" aria-hidden="true">
                <b>{choices().length + 1}</b>
              </span>
            </Show>
          </div>
        </Show>
      </div>
    </Show>
  );
}
