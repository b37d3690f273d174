// The fields of a form, each with its label and its problem.

import Check from "lucide-solid/icons/check";
import CircleAlert from "lucide-solid/icons/circle-alert";
import { Switch as Cases, createUniqueId, For, type JSX, Match, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import { isComposing } from "../../state/keys";
import { answerOf, type Entered, setProblem, setValue } from "../../state/questionAnswers";
import type { Permission, Question, QuestionField } from "../../state/types";
import { Radios, Select, Switch } from "../ui/fields";
import { Icon } from "../ui/Icon";

const t = messages.question;

/** Maximum number of options that are shown as radio buttons. More options are shown in a drop-down list. */
const maxRadios = 4;

export interface FieldsProps {
  request: Permission;
  now: Entered;
  onAnswer(): void;
}

/** Fields shows a form. A field is checked when it loses the focus, and all are checked when the answer is sent. */
export function Fields(props: FieldsProps) {
  const question = () => props.request.question as Question;
  /** check shows the problem of one field. */
  const check = (name: string) => {
    actions.checkAnswer(props.request.id, answerOf(question(), props.now)).then(
      (problems) =>
        setProblem(props.request.id, name, problems.find((each) => each.name === name)?.message ?? ""),
      () => undefined, // the question has just been closed
    );
  };
  return (
    <div class="flds">
      <For each={question().fields}>
        {(field) => (
          <Field
            field={field}
            values={props.now.values[field.name] ?? []}
            problem={props.now.problems[field.name] ?? ""}
            onValue={(values) => {
              setValue(props.request.id, field.name, values);
              if (props.now.problems[field.name]) check(field.name);
            }}
            onLeave={() => check(field.name)}
            onAnswer={props.onAnswer}
          />
        )}
      </For>
    </div>
  );
}

interface FieldProps {
  field: QuestionField;
  values: string[];
  problem: string;
  onValue(values: string[]): void;
  onLeave(): void;
  onAnswer(): void;
}

/** exampleOf returns an example of a field's format, or "" if the format is unknown. */
function exampleOf(field: QuestionField): string {
  const examples: Record<string, string> = {
    email: "name@example.com",
    uri: "https://example.com",
    date: "2026-11-30",
    "date-time": "2026-11-30T14:00:00Z",
  };
  return examples[field.format ?? ""] ?? "";
}

function Field(props: FieldProps): JSX.Element {
  const key = createUniqueId();
  const title = () => visibleText(props.field.title, "prose");
  const value = () => props.values[0] ?? "";
  const options = () =>
    (props.field.options ?? []).map(({ value: own, title: name }) => ({
      value: own,
      label: visibleText(name, "prose"),
    }));
  const isNumber = () => props.field.kind === "number" || props.field.kind === "integer";
  const range = () => {
    const { min, max } = props.field;
    if (!isNumber() || (min === undefined && max === undefined)) return "";
    return t.range(min?.toString() ?? "", max?.toString() ?? "");
  };
  const help = () => visibleText(props.field.description ?? "", "prose");
  const described = () =>
    [props.problem ? `${key}-problem` : "", help() ? `${key}-help` : ""].filter(Boolean).join(" ") ||
    undefined;
  const invalid = () => (props.problem ? true : undefined);
  const toggle = (option: string) =>
    props.onValue(
      props.values.includes(option)
        ? props.values.filter((each) => each !== option)
        : [...props.values, option],
    );
  return (
    <>
      <label class="q-field" for={key} id={`${key}-label`}>
        {title()}
        <Show when={!props.field.required && props.field.kind !== "boolean"}>
          {" "}
          <span class="req">{t.optional}</span>
        </Show>
      </label>
      <div class="fv">
        <Cases
          fallback={
            <span class="fv-line">
              <input
                id={key}
                class="input"
                classList={{ number: isNumber() }}
                type="text"
                dir="auto"
                autocomplete="off"
                inputmode={isNumber() ? "decimal" : props.field.format === "email" ? "email" : undefined}
                placeholder={exampleOf(props.field)}
                aria-required={props.field.required}
                aria-invalid={invalid()}
                aria-describedby={described()}
                value={value()}
                onInput={({ currentTarget }) => props.onValue([currentTarget.value])}
                onBlur={() => props.onLeave()}
                onKeyDown={(event) => {
                  if (isComposing(event) || event.repeat || event.key !== "Enter") return;
                  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
                  event.preventDefault();
                  props.onAnswer();
                }}
              />
              <Show when={range()}>{(text) => <span class="subtle">{text()}</span>}</Show>
            </span>
          }
        >
          <Match when={props.field.kind === "boolean"}>
            <span class="fv-line">
              <Switch
                label={title()}
                on={value() === "true"}
                onChange={(on) => props.onValue([String(on)])}
              />
            </span>
          </Match>
          <Match when={props.field.kind === "one" && options().length <= maxRadios}>
            <div data-invalid={invalid() ? "" : undefined} tabindex={invalid() ? -1 : undefined}>
              <Radios
                label={title()}
                class="fv-rads"
                value={value()}
                choices={options()}
                onChange={(chosen) => props.onValue([chosen])}
              >
                {(choice) => (
                  <>
                    <span class="radio" />
                    <span>{choice.label}</span>
                  </>
                )}
              </Radios>
            </div>
          </Match>
          <Match when={props.field.kind === "one"}>
            <div
              class="fv-select"
              data-invalid={invalid() ? "" : undefined}
              tabindex={invalid() ? -1 : undefined}
            >
              <Select
                id={key}
                label={title()}
                value={value()}
                choices={
                  props.field.default && props.field.required
                    ? options()
                    : [{ value: "", label: t.choose }, ...options()]
                }
                onChange={(chosen) => props.onValue(chosen === "" ? [] : [chosen])}
              />
            </div>
          </Match>
          <Match when={props.field.kind === "some"}>
            {/* biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out like this. */}
            <div
              class="fv-ticks"
              role="group"
              aria-labelledby={`${key}-label`}
              aria-describedby={described()}
            >
              <For each={options()}>
                {(option, at) => (
                  // biome-ignore lint/a11y/useSemanticElements: an input can't be drawn like this in all engines.
                  <button
                    type="button"
                    class="ck"
                    role="checkbox"
                    aria-checked={props.values.includes(option.value)}
                    aria-label={option.label}
                    data-invalid={at() === 0 && invalid() ? "" : undefined}
                    onClick={() => toggle(option.value)}
                  >
                    <span class="q-check">
                      <Icon of={Check} />
                    </span>
                    <span>{option.label}</span>
                  </button>
                )}
              </For>
            </div>
          </Match>
        </Cases>
        <Show when={props.problem}>
          <p class="err" id={`${key}-problem`}>
            <Icon of={CircleAlert} />
            {props.problem}
          </p>
        </Show>
        <Show when={help() && help() !== props.problem}>
          <p class="hlp" id={`${key}-help`}>
            {help()}
          </p>
        </Show>
      </div>
    </>
  );
}
