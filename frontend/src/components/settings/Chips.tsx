// A list of short entries, each with a remove button, and a control that adds an entry.

import Plus from "lucide-solid/icons/plus";
import X from "lucide-solid/icons/x";
import { createEffect, createSignal, createUniqueId, For, type JSX, on, Show } from "solid-js";
import { messages } from "../../i18n";
import { isComposing } from "../../state/keys";
import { Button, IconButton } from "../ui/Button";
import "./chips.css";

const t = messages.sandbox.settings;

export interface Chip {
  /** The entry's text, which also identifies the entry. */
  id: string;
  /** Further text, shown as a tooltip and read by screen readers. */
  fact?: string;
}

export interface ChipsProps {
  /** The name of the list. */
  label: string;
  entries: readonly Chip[];
  /** The number of entries shown before the user asks for all. */
  most?: number;
  onRemove: (id: string) => void;
  /** The control that adds an entry. */
  children: JSX.Element;
}

/**
 * Chips shows a list of entries that can be removed. After a removal, the focus moves to the next remove
 * button or, if none is left, to the control that adds an entry.
 */
export function Chips(props: ChipsProps) {
  let place!: HTMLDivElement;
  const [removed, setRemoved] = createSignal("");
  let pending: { id: string; at: number } | undefined;
  const [isWhole, setWhole] = createSignal(false);
  const isCut = () => !isWhole() && props.entries.length > (props.most ?? Number.POSITIVE_INFINITY) + 1;
  const ids = () => props.entries.slice(0, isCut() ? props.most : undefined).map(({ id }) => id);
  createEffect(
    on(ids, (all) => {
      if (!pending || all.includes(pending.id)) return;
      const { at } = pending;
      pending = undefined;
      queueMicrotask(() => {
        const buttons = place.querySelectorAll<HTMLElement>("li button");
        const control = place.querySelector<HTMLElement>(".chip-add :is(button, input)");
        (buttons[Math.min(at, buttons.length - 1)] ?? control)?.focus();
      });
    }),
  );
  const showAll = () => {
    const at = ids().length;
    setWhole(true);
    // The button is removed, so the focus moves to the first entry that it revealed.
    place.querySelectorAll<HTMLElement>("li button")[at]?.focus();
  };
  return (
    <div ref={place} class="chips" classList={{ all: isWhole() }}>
      <ul class="chip-list" aria-label={props.label}>
        <For each={ids()}>
          {(id, at) => {
            const fact = () => props.entries.find((entry) => entry.id === id)?.fact;
            return (
              <li class="chip-item" title={fact()}>
                <span class="sel">{id}</span>
                <Show when={fact()}>{(text) => <span class="sr">, {text()}</span>}</Show>
                <IconButton
                  small
                  icon={X}
                  label={t.remove(id)}
                  onClick={() => {
                    pending = { id, at: at() };
                    setRemoved(t.removed(id));
                    props.onRemove(id);
                  }}
                />
              </li>
            );
          }}
        </For>
      </ul>
      <Show when={isCut()}>
        <button type="button" class="link chip-more" onClick={showAll}>
          {t.showAll(props.entries.length)}
        </button>
      </Show>
      <span class="chip-add">{props.children}</span>
      <span class="sr" role="status">
        {removed()}
      </span>
    </div>
  );
}

/** AddButton is the button that adds an entry. The user chooses the entry in a dialog. */
export function AddButton(props: { label: string; onClick: () => void }) {
  return (
    <Button class="small" icon={Plus} aria-label={props.label} onClick={() => props.onClick()}>
      {t.add}
    </Button>
  );
}

/** AddField is the field that adds a typed entry. Enter adds the entry or, if it is invalid, shows the reason. */
export function AddField(props: {
  label: string;
  brief?: boolean;
  /** Adds an entry and returns "", or returns the reason why the text isn't valid. */
  onAdd: (text: string) => string;
}) {
  const id = createUniqueId();
  const [text, setText] = createSignal("");
  const [failure, setFailure] = createSignal("");
  const add = () => {
    const wrong = text().trim() === "" ? "" : props.onAdd(text());
    setFailure(wrong);
    if (wrong === "") setText("");
  };
  return (
    <>
      <input
        type="text"
        class="input"
        classList={{ brief: props.brief }}
        aria-label={props.label}
        aria-invalid={failure() !== ""}
        aria-describedby={failure() === "" ? undefined : id}
        placeholder={props.label}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={text()}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setFailure("");
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || isComposing(event)) return;
          event.preventDefault();
          add();
        }}
        onBlur={add}
      />
      <span class="chip-failure c-bad" id={id} role="alert">
        {failure()}
      </span>
    </>
  );
}
