import { createSignal, type JSX, onMount, Show } from "solid-js";
import { unwrap } from "solid-js/store";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { Settings } from "../../state/words";
import { words } from "../../words";

export interface RowProps {
  label: JSX.Element;
  fact?: JSX.Element;
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
      </div>
      {props.children}
    </div>
  );
}

/** createSave changes some of the settings; what went wrong is in failure. */
export function createSave() {
  const state = useStore();
  const [failure, setFailure] = createSignal("");
  const save = async (change: Partial<Settings>): Promise<boolean> => {
    setFailure("");
    try {
      await actions.saveSettings({ ...unwrap(state.settings), ...change });
      return true;
    } catch (thrown) {
      setFailure(thrown instanceof Error ? thrown.message : words.settings.saveFailed);
      return false;
    }
  };
  return { save, failure, setFailure };
}

/** enter brings a form that was just opened into view, and the focus into its first field. */
export function enter(form: HTMLFormElement) {
  onMount(() => {
    form.scrollIntoView?.({ block: "nearest" });
    form.querySelector<HTMLElement>("input, select, textarea, button")?.focus({ preventScroll: true });
  });
}

/** createReturn gives the focus back to what opened a form, once that is there again. */
export function createReturn() {
  let to: string | undefined;
  return {
    closed: (id: string) => {
      to = id;
    },
    opener: (id: string) => (element: HTMLElement) => {
      if (to !== id) return;
      to = undefined;
      onMount(() => element.focus());
    },
  };
}

/** Failure says what could not be done, where there is anything to say. */
export function Failure(props: { text: string }) {
  return (
    <Show when={props.text}>
      <p class="form-failure" role="alert">
        {props.text}
      </p>
    </Show>
  );
}
