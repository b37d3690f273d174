// Loading and failure states of a tab.

import { type JSX, Show } from "solid-js";
import { messages } from "../../i18n";
import { Button } from "../ui/Button";
import type { Loader } from "./loader";

const t = messages.inspector;

/** LoadState shows a loaded value. If a later load fails, the value stays visible. */
export function LoadState<T>(props: { of: Loader<T>; children: (value: () => T) => JSX.Element }) {
  return (
    <Show
      when={props.of.value() !== undefined}
      fallback={
        <Show
          when={props.of.failure()}
          fallback={
            <p class="inspector-empty muted" role="status">
              {props.of.isSlow() ? t.loading : ""}
            </p>
          }
        >
          <div class="inspector-empty">
            <p role="alert">
              <strong>{t.failed}</strong> <span class="muted">{props.of.failure()}</span>
            </p>
            <Button onClick={() => props.of.reload()}>{t.tryAgain}</Button>
          </div>
        </Show>
      }
    >
      {props.children(() => props.of.value() as T)}
    </Show>
  );
}
