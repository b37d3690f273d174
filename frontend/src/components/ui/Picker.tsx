import { Select } from "@kobalte/core/select";
import Check from "lucide-solid/icons/check";
import ChevronDown from "lucide-solid/icons/chevron-down";
import { createSignal, createUniqueId, type JSX, Show } from "solid-js";
import { Icon } from "./Icon";
import { isFocusTaken } from "./opener";
import "./menu.css";
import "./picker.css";

export interface PickerChoice {
  value: string;
  label: string;
  /** A line under the label. */
  body?: string;
  /** Choices with the same caption, one after another, stand under it. */
  group?: string;
}

export interface PickerProps {
  /** What is chosen: the name of the list, and the first half of the button's. */
  name: string;
  value: string;
  /** What else is chosen, where the list is of more than one thing. */
  also?: readonly string[];
  choices: readonly PickerChoice[];
  onChange: (value: string) => void;
  icon?: JSX.Element;
  /** Amber: what is chosen is to be kept in sight. */
  warn?: boolean;
  /** Its words are never shortened; where there is no room for them they are left out. */
  whole?: boolean;
}

/** Option is a choice as the list knows it. */
interface Option extends PickerChoice {
  key: string;
}

/** Section is choices that stand under a caption. */
interface Section {
  key: string;
  caption: string;
  choices: Option[];
}

/**
 * optionOf gives a choice its key. The list looks for it by a selector, and agents
 * choose the values: all but letters, digits and dashes are escaped.
 */
function optionOf(choice: PickerChoice): Option {
  const key = choice.value.replace(/[^A-Za-z0-9-]/g, (unit) => `_${unit.charCodeAt(0).toString(16)}_`);
  return { ...choice, key: `is-${key}` };
}

/** sectionsOf puts choices under their captions; those without one stand as they are. */
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

/** Without a wrapper: the button stands where the picker does. */
const Bare = (props: { children?: JSX.Element }) => <>{props.children}</>;

/**
 * Picker is a button that shows what is chosen and opens a list upwards. The
 * arrow keys open it and move, a letter leads to the next choice that begins
 * with it, Enter and Space choose, Escape leaves it as it was. The focus comes
 * back; after a choice it goes on in the text that the button stands under.
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

  /** Where the focus goes: to the text after a choice, to the button else. What is chosen may draw the button anew. */
  let text: HTMLElement | null | undefined;
  const isChosen = (value: string) => value === props.value || props.also?.includes(value) === true;
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
      options={sectionsOf(props.choices)}
      optionValue="key"
      optionTextValue="label"
      optionGroupChildren="choices"
      value={optionOf(chosen())}
      onChange={choose}
      open={open()}
      onOpenChange={setOpen}
      placement="top-start"
      gutter={6}
      sameWidth={false}
      disallowEmptySelection
      shouldFocusWrap
      // Keys choose nothing while the list is closed.
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
        classList={{ warn: props.warn, whole: props.whole }}
        aria-label={`${props.name}: ${label()}`}
        title={`${props.name}: ${label()}`}
        // A press without a pointer, as screen readers make it.
        onClick={(event: MouseEvent) => event.detail === 0 && setOpen(true)}
      >
        {props.icon}
        <span class="lbl trunc" classList={{ spare: props.whole }}>
          {label()}
        </span>
        <Icon of={ChevronDown} class="cv" />
      </Select.Trigger>
      <Select.Portal>
        <Select.Content
          // Before the list hears it, which would move the focus within.
          ref={(content: HTMLElement) => content.addEventListener("keydown", closeByTab, true)}
          class="pop picker"
          role="dialog"
          aria-labelledby={title}
          onCloseAutoFocus={(event: Event) => {
            event.preventDefault();
            const to = text?.isConnected ? text : trigger;
            text = undefined;
            // What was chosen may ask a question, which has the focus.
            if (!isFocusTaken() && !document.querySelector("[role=dialog][aria-modal], .dialog"))
              to?.focus({ preventScroll: true });
          }}
        >
          <h2 class="sr" id={title}>
            {props.name}
          </h2>
          <Select.Listbox
            as="div"
            aria-labelledby={title}
            // A list that gets the focus itself gives it to what is chosen.
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
