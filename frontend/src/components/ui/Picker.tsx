import { Popover as Kobalte } from "@kobalte/core/popover";
import Check from "lucide-solid/icons/check";
import ChevronDown from "lucide-solid/icons/chevron-down";
import { createSignal, For, type JSX, Show } from "solid-js";
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

/**
 * Picker is a button that shows what is chosen and opens a list upwards. The
 * arrow keys open it and move, a letter leads to the next choice that begins
 * with it, Enter and Space choose, Escape leaves it as it was. The focus comes
 * back; after a choice it goes on in the text that the button stands under.
 */
export function Picker(props: PickerProps) {
  const [open, setOpen] = createSignal(false);
  let list: HTMLDivElement | undefined;
  let trigger: HTMLButtonElement | undefined;
  const chosen = () => props.choices.find((choice) => choice.value === props.value);
  const label = () => chosen()?.label ?? props.value;
  const options = () => [...(list?.querySelectorAll<HTMLElement>("[role=option]") ?? [])];

  /** Where the focus goes: to the text after a choice, to the button else. What is chosen may draw the button anew. */
  let text: HTMLElement | null | undefined;
  const isChosen = (value: string) => value === props.value || props.also?.includes(value) === true;
  const choose = (value: string) => {
    text = trigger?.closest("form")?.querySelector("textarea");
    setOpen(false);
    if (!isChosen(value)) props.onChange(value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const all = options();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    let to: HTMLElement | undefined;
    if (step) to = all[(at + step + all.length) % all.length];
    else if (event.key === "Home") to = all[0];
    else if (event.key === "End") to = all.at(-1);
    else if (event.key === "Tab") setOpen(false);
    else if (
      event.key.length === 1 &&
      event.key !== " " &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey
    ) {
      const begins = (el: HTMLElement) => el.textContent?.toLowerCase().startsWith(event.key.toLowerCase());
      to = [...all.slice(at + 1), ...all.slice(0, at + 1)].find(begins);
    } else return;
    event.preventDefault();
    to?.focus();
  };

  return (
    <Kobalte placement="top-start" gutter={6} open={open()} onOpenChange={setOpen}>
      <Kobalte.Trigger
        ref={trigger}
        as="button"
        type="button"
        class="pick"
        classList={{ warn: props.warn, whole: props.whole }}
        aria-haspopup="listbox"
        aria-label={`${props.name}: ${label()}`}
        title={`${props.name}: ${label()}`}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {props.icon}
        <span class="lbl trunc" classList={{ spare: props.whole }}>
          {label()}
        </span>
        <Icon of={ChevronDown} class="cv" />
      </Kobalte.Trigger>
      <Kobalte.Portal>
        <Kobalte.Content
          class="pop picker"
          onCloseAutoFocus={(event: Event) => {
            event.preventDefault();
            const to = text?.isConnected ? text : trigger;
            text = undefined;
            // What was chosen may ask a question, which has the focus.
            if (!isFocusTaken() && !document.querySelector("[role=dialog][aria-modal], .dialog"))
              to?.focus({ preventScroll: true });
          }}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            (options().find((el) => el.getAttribute("aria-selected") === "true") ?? options()[0])?.focus();
          }}
        >
          <Kobalte.Title class="sr">{props.name}</Kobalte.Title>
          <div ref={list} role="listbox" aria-label={props.name} tabindex="-1" onKeyDown={onKeyDown}>
            <For each={props.choices}>
              {(choice, at) => (
                <>
                  <Show when={choice.group && choice.group !== props.choices[at() - 1]?.group}>
                    <p class="cap" role="presentation">
                      {choice.group}
                    </p>
                  </Show>
                  <button
                    type="button"
                    class="opt"
                    classList={{ mo: !!choice.body }}
                    role="option"
                    aria-selected={isChosen(choice.value)}
                    tabindex="-1"
                    onClick={() => choose(choice.value)}
                    onMouseMove={(event) => event.currentTarget.focus()}
                  >
                    <Icon of={Check} size="sm" class={isChosen(choice.value) ? "" : "hid"} />
                    <span class="tx">
                      <strong>{choice.label}</strong>
                      <Show when={choice.body}>
                        <span class="ds">{choice.body}</span>
                      </Show>
                    </span>
                  </button>
                </>
              )}
            </For>
          </div>
        </Kobalte.Content>
      </Kobalte.Portal>
    </Kobalte>
  );
}
