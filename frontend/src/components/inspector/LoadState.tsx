// What stands in a tab while its answer is not there, or never comes.

import { type JSX, Show } from "solid-js";
import { words } from "../../i18n";
import { Button } from "../ui/Button";
import type { Loaded } from "./loader";

const w = words.inspector;

/** Answer shows what was asked for; a later failure leaves what is there. */
export function Answer<T>(props: { of: Loaded<T>; children: (value: () => T) => JSX.Element }) {
  return (
    <Show
      when={props.of.value() !== undefined}
      fallback={
        <Show
          when={props.of.failure()}
          fallback={
            <p class="inspector-empty muted" role="status">
              {props.of.isSlow() ? w.loading : ""}
            </p>
          }
        >
          <div class="inspector-empty">
            <p role="alert">
              <strong>{w.failed}</strong> <span class="muted">{props.of.failure()}</span>
            </p>
            <Button onClick={() => props.of.again()}>{w.tryAgain}</Button>
          </div>
        </Show>
      }
    >
      {props.children(() => props.of.value() as T)}
    </Show>
  );
}
