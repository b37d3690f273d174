import { createSignal, type JSX, onMount, Show } from "solid-js";
import { unwrap } from "solid-js/store";
import { words } from "../../i18n";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { Settings } from "../../state/types";
import { Failure } from "../ui/Failure";
import "./parts.css";

export interface RowProps {
  label: JSX.Element;
  fact?: JSX.Element;
  /** Why it could not be changed. */
  failure?: string;
  /** The first row of a page has a line above it. */
  first?: boolean;
  children?: JSX.Element;
}

/** Row is one setting: what it is at the left, its control at the right. */
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
 * createSave changes some of the settings; what went wrong is in failure, and in
 * failureOf where one of the settings named is what could not be changed.
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
        thrown instanceof Error ? thrown.message : words.settings.saveFailed,
        ...(Object.keys(change) as (keyof Settings)[]),
      );
      return false;
    }
  };
  return { save, failure, failureOf, setFailure };
}

/** enter brings a form that was just opened into view, and the focus into its first field. */
export function enter(form: HTMLFormElement) {
  onMount(() => {
    form.scrollIntoView?.({ block: "nearest" });
    form.querySelector<HTMLElement>("input, select, textarea, button")?.focus({ preventScroll: true });
  });
}

/** createReturn gives the focus back to what opened a form, at once where it is there, or else once it is there again. */
export function createReturn() {
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
      // A question that closed the form keeps the focus until it is gone.
      onMount(() => queueMicrotask(() => element.focus()));
    },
  };
}

/** Find is the field that narrows a long list. */
export function Find(props: { label: string; class?: string; value: string; onInput(text: string): void }) {
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
