// The failed attempts of a model call inside a block, as one line.

import { createMemo, createSignal, Show } from "solid-js";
import { useStore } from "../../state/store";
import { LineButton, RetryRows } from "./Line";
import { lookOfRetries } from "./line";
import { openStateOf, rememberOpen } from "./viewState";

/** Retries is the line for failed attempts of a model call. Expanding the line shows a row for each attempt. */
export function Retries(props: { ids: string[] }) {
  const state = useStore();
  const key = `retries:${props.ids[0]}`;
  const [open, setOpen] = createSignal(openStateOf(key) ?? false);
  const items = createMemo(() => props.ids.flatMap((id) => state.items[id] ?? []));
  return (
    <div class="lines">
      <LineButton
        look={lookOfRetries(items())}
        open={open()}
        line={key}
        tabbable
        onClick={() => {
          setOpen(!open());
          rememberOpen(key, open());
        }}
      />
      <Show when={open()}>
        <RetryRows items={items()} />
      </Show>
    </div>
  );
}
