// Loading and failure states of a tab.

import { type JSX, Show } from "solid-js";
import { words } from "../../i18n";
import { Button } from "../ui/Button";
import type { Loaded } from "./loader";

const w = words.inspector;

/** Answer shows a loaded value; a later failure leaves the value in place. */
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
