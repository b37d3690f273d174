import ChevronsUpDown from "lucide-solid/icons/chevrons-up-down";
import { For, type JSX } from "solid-js";
import { Icon } from "./Icon";
import "./fields.css";

/** Switch is a control for an on/off setting. */
export function Switch(props: {
  label: string;
  on: boolean;
  disabled?: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={props.on}
      aria-label={props.label}
      disabled={props.disabled}
      onClick={() => props.onChange(!props.on)}
    />
  );
}

export interface Choice<T extends string> {
  value: T;
  label: string;
}

export interface RadiosProps<T extends string> {
  label: string;
  class: string;
  itemClass?: string;
  value: T;
  choices: readonly Choice<T>[];
  onChange: (value: T) => void;
  /** Renders the content of a choice; set if the choices show more than their labels. */
  children?: (choice: Choice<T>) => JSX.Element;
}

/** Radios is a radio group. Only the selected choice is a tab stop; the arrow keys move the focus and select. */
export function Radios<T extends string>(props: RadiosProps<T>) {
  let group!: HTMLDivElement;
  const move = (step: number) => {
    const at = props.choices.findIndex((choice) => choice.value === props.value);
    const next = (Math.max(at, 0) + step + props.choices.length) % props.choices.length;
    const choice = props.choices[next];
    if (!choice) return;
    props.onChange(choice.value);
    (group.children[next] as HTMLElement | undefined)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined || event.defaultPrevented) return;
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move(step);
  };
  return (
    <div ref={group} class={props.class} role="radiogroup" aria-label={props.label} onKeyDown={onKeyDown}>
      <For each={props.choices}>
        {(choice) => (
          // biome-ignore lint/a11y/useSemanticElements: some choices contain a drawing, which an input can't.
          <button
            type="button"
            role="radio"
            class={props.itemClass}
            aria-checked={choice.value === props.value}
            aria-label={props.children ? choice.label : undefined}
            tabIndex={choice.value === props.value ? 0 : -1}
            onClick={() => props.onChange(choice.value)}
          >
            {props.children ? props.children(choice) : choice.label}
          </button>
        )}
      </For>
    </div>
  );
}

/** Select is a field for choosing one of a few values. */
export function Select<T extends string>(props: {
  label: string;
  id?: string;
  /** Width of the field, for short choices. */
  class?: "brief" | "number";
  value: T;
  choices: readonly Choice<T>[];
  onChange: (value: T) => void;
}) {
  return (
    <span class={`select-field ${props.class ?? ""}`}>
      <select
        id={props.id}
        class="input"
        aria-label={props.label}
        onChange={(event) => props.onChange(event.currentTarget.value as T)}
      >
        <For each={props.choices}>
          {(choice) => (
            <option value={choice.value} selected={choice.value === props.value}>
              {choice.label}
            </option>
          )}
        </For>
      </select>
      <Icon of={ChevronsUpDown} size="sm" />
    </span>
  );
}
