import { Select } from "@kobalte/core/select";
import Check from "lucide-solid/icons/check";
import ChevronDown from "lucide-solid/icons/chevron-down";
import { createComputed, createMemo, createSignal, createUniqueId, type JSX, on, Show } from "solid-js";
import { Icon } from "./Icon";
import { isFocusTaken } from "./opener";
import "./menu.css";
import "./picker.css";

export interface PickerChoice {
  value: string;
  label: string;
  /** Text on a second line, below the label. */
  body?: string;
  /** Caption shared by consecutive choices. */
  group?: string;
}

export interface PickerProps {
  /** The name of the list, and the first part of the button's accessible name. */
  name: string;
  value: string;
  /** Other values to mark as selected, if the list covers several settings. */
  alsoSelected?: readonly string[];
  choices: readonly PickerChoice[];
  onChange: (value: string) => void;
  icon?: JSX.Element;
  /** Replaces the selected label in the button's accessible name. */
  spoken?: string;
  /** Whether to show the button in amber, as a permanent warning. */
  warn?: boolean;
  /** Whether the label is hidden rather than truncated if space is short. */
  noTruncation?: boolean;
}

/** Option is a choice with its key in the list. */
interface Option extends PickerChoice {
  key: string;
}

/** Section is a group of choices below a caption. */
interface Section {
  key: string;
  caption: string;
  choices: Option[];
}

/**
 * optionOf assigns a key to a choice. The list uses the key in a CSS selector, and agents define the
 * values, so everything but letters, digits and dashes is escaped.
 */
function optionOf(choice: PickerChoice): Option {
  const key = choice.value.replace(/[^A-Za-z0-9-]/g, (unit) => `_${unit.charCodeAt(0).toString(16)}_`);
  return { ...choice, key: `is-${key}` };
}

/** sectionsOf groups choices by caption. Choices without a caption stay ungrouped. */
function sectionsOf(choices: readonly PickerChoice[]): (Option | Section)[] {
  const list: (Option | Section)[] = [];
  for (const option of choices.map(optionOf)) {
    const last = list.at(-1);
    if (!option.group) list.push(option);
    else if (last && "choices" in last && last.caption === option.group) last.choices.push(option);
    else list.push({ key: `section-${list.length}`, caption: option.group, choices: [option] });
  }
  return list;
}

/** Bare renders its children without a wrapper element, so that the button takes the picker's place in the layout. */
const Bare = (props: { children?: JSX.Element }) => <>{props.children}</>;

/**
 * Picker is a button that shows the selection and opens a list above it. The arrow keys open the list and
 * move in it, a letter moves to the next choice that starts with it, Enter and Space select, Escape
 * cancels. The focus then returns to the button or, after a selection, moves to the form's text field.
 */
export function Picker(props: PickerProps) {
  const [open, setOpen] = createSignal(false);
  const title = createUniqueId();
  let trigger: HTMLButtonElement | undefined;
  const chosen = () =>
    props.choices.find((choice) => choice.value === props.value) ?? {
      value: props.value,
      label: props.value,
    };
  const label = () => chosen().label;
  // Equal choices stay the same objects. Otherwise, an open list would be rendered again.
  const options = createMemo(() => sectionsOf(props.choices), [], {
    equals: (before, now) => JSON.stringify(before) === JSON.stringify(now),
  });

  // A list that is rendered again loses the focus, so it would close.
  let list: HTMLElement | undefined;
  let isRendering = false;
  createComputed(
    on(
      options,
      () => {
        if (!open()) return;
        isRendering = true;
        setTimeout(() => {
          isRendering = false;
          if (open()) list?.focus();
        });
      },
      { defer: true },
    ),
  );

  /**
   * The element that gets the focus: the text field after a selection, otherwise the button. A selection
   * may replace the button.
   */
  let text: HTMLElement | null | undefined;
  const isChosen = (value: string) => value === props.value || props.alsoSelected?.includes(value) === true;
  const choose = (choice: PickerChoice | null) => {
    text = trigger?.closest("form")?.querySelector("textarea");
    if (choice && !isChosen(choice.value)) props.onChange(choice.value);
  };

  const closeByTab = (event: KeyboardEvent) => {
    if (event.key !== "Tab") return;
    event.preventDefault();
    event.stopPropagation();
    setOpen(false);
  };

  return (
    <Select<Option, Section, typeof Bare>
      as={Bare}
      options={options()}
      optionValue="key"
      optionTextValue="label"
      optionGroupChildren="choices"
      value={optionOf(chosen())}
      onChange={choose}
      open={open()}
      onOpenChange={(isOpen) => (isOpen || !isRendering) && setOpen(isOpen)}
      placement="top-start"
      gutter={6}
      sameWidth={false}
      disallowEmptySelection
      shouldFocusWrap
      // Keys don't select while the list is closed.
      keyboardDelegate={{}}
      sectionComponent={(section) => (
        <Select.Section as="p" class="cap">
          {section.section.rawValue.caption}
        </Select.Section>
      )}
      itemComponent={(item) => {
        const choice = () => item.item.rawValue;
        return (
          <Select.Item
            as="div"
            item={item.item}
            class="opt"
            classList={{ mo: !!choice().body }}
            aria-selected={isChosen(choice().value)}
          >
            <Icon of={Check} size="sm" class={isChosen(choice().value) ? "" : "hid"} />
            <span class="tx">
              <strong>{choice().label}</strong>
              <Show when={choice().body}>
                <span class="ds">{choice().body}</span>
              </Show>
            </span>
          </Select.Item>
        );
      }}
    >
      <Select.Trigger
        ref={trigger}
        type="button"
        class="pick"
        classList={{ warn: props.warn, whole: props.noTruncation }}
        aria-label={`${props.name}: ${props.spoken ?? label()}`}
        // The tooltip would cover the list.
        title={open() ? undefined : `${props.name}: ${props.spoken ?? label()}`}
        // Opens the list on a click without a pointer, as sent by screen readers.
        onClick={(event: MouseEvent) => event.detail === 0 && setOpen(true)}
      >
        {props.icon}
        <span class="lbl trunc" classList={{ spare: props.noTruncation }}>
          {label()}
        </span>
        <Icon of={ChevronDown} class="cv" />
      </Select.Trigger>
      <Select.Portal>
        <Select.Content
          // The listener captures the event, because the list would otherwise handle Tab first and move the
          // focus itself.
          ref={(content: HTMLElement) => content.addEventListener("keydown", closeByTab, true)}
          class="pop picker"
          role="dialog"
          aria-labelledby={title}
          onCloseAutoFocus={(event: Event) => {
            event.preventDefault();
            const to = text?.isConnected ? text : trigger;
            text = undefined;
            // The selection may open a dialog, which then has the focus.
            if (!isFocusTaken() && !document.querySelector("[role=dialog][aria-modal], .dialog"))
              to?.focus({ preventScroll: true });
          }}
        >
          <h2 class="sr" id={title}>
            {props.name}
          </h2>
          <Select.Listbox
            ref={list}
            as="div"
            aria-labelledby={title}
            // When the list itself is focused, it focuses the selected choice.
            onFocusIn={(event: FocusEvent) => {
              const list = event.currentTarget as HTMLElement;
              if (event.target === list) list.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
            }}
          />
        </Select.Content>
      </Select.Portal>
    </Select>
  );
}
