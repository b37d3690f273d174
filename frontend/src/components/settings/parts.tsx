import { createSignal, type JSX, onMount, Show } from "solid-js";
import { unwrap } from "solid-js/store";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { Settings } from "../../state/types";
import { Failure } from "../ui/Failure";
import "./parts.css";

export interface RowProps {
  label: JSX.Element;
  fact?: JSX.Element;
  /** The reason why saving failed. */
  failure?: string;
  /** Whether to draw a line above the row; set for the first row of a page. */
  first?: boolean;
  children?: JSX.Element;
}

/** Row shows one setting: the description on the left, the control on the right. */
export function Row(props: RowProps) {
  return (
    <div class="sr-row" classList={{ first: props.first }}>
      <div class="lb">
        <div>{props.label}</div>
        <Show when={props.fact}>
          <div class="ds">{props.fact}</div>
        </Show>
        <Failure text={props.failure ?? ""} />
      </div>
      {props.children}
    </div>
  );
}

/**
 * createSave returns functions for saving settings. `save` saves changed settings; its promise resolves to false if
 * that fails. `failure` then returns the error message, and so does `failureOf` for each changed setting. `setFailure`
 * sets another message; `failureOf` returns that message only for the settings passed to `setFailure`.
 */
export function createSave() {
  const state = useStore();
  const [failure, setText] = createSignal("");
  const [of, setOf] = createSignal<readonly string[]>([]);
  const setFailure = (text: string, ...keys: (keyof Settings)[]) => {
    setOf(keys);
    setText(text);
  };
  const failureOf = (key: keyof Settings) => (of().includes(key) ? failure() : "");
  const save = async (change: Partial<Settings>): Promise<boolean> => {
    setFailure("");
    try {
      await actions.saveSettings({ ...unwrap(state.settings), ...change });
      return true;
    } catch (thrown) {
      setFailure(
        thrown instanceof Error ? thrown.message : messages.settings.saveFailed,
        ...(Object.keys(change) as (keyof Settings)[]),
      );
      return false;
    }
  };
  return { save, failure, failureOf, setFailure };
}

/** focusForm scrolls a newly opened form into view and focuses its first field. */
export function focusForm(form: HTMLFormElement) {
  onMount(() => {
    form.scrollIntoView?.({ block: "nearest" });
    form.querySelector<HTMLElement>("input, select, textarea, button")?.focus({ preventScroll: true });
  });
}

/**
 * createFocusReturn returns the focus to the control that opened a form: immediately or, if that control was removed,
 * once it is rendered again.
 */
export function createFocusReturn() {
  let to: string | undefined;
  const openers = new Map<string, HTMLElement>();
  return {
    closed: (id: string) => {
      const opener = openers.get(id);
      to = opener?.isConnected ? undefined : id;
      if (to === undefined) queueMicrotask(() => opener?.focus());
    },
    opener: (id: string) => (element: HTMLElement) => {
      openers.set(id, element);
      if (to !== id) return;
      to = undefined;
      // A confirmation that closed the form has the focus until it is removed.
      onMount(() => queueMicrotask(() => element.focus()));
    },
  };
}

/** FilterField is a field whose text filters a long list. */
export function FilterField(props: {
  label: string;
  class?: string;
  value: string;
  onInput(text: string): void;
}) {
  return (
    <input
      type="search"
      class={`input sel ${props.class ?? ""}`}
      aria-label={props.label}
      placeholder={props.label}
      autocomplete="off"
      spellcheck={false}
      value={props.value}
      onInput={(event) => props.onInput(event.currentTarget.value)}
    />
  );
}
