import { Show } from "solid-js";

/** Failure shows an error message, if any. */
export function Failure(props: { text: string; class?: string }) {
  return (
    <Show when={props.text}>
      <p class={props.class ?? "form-failure"} role="alert">
        {props.text}
      </p>
    </Show>
  );
}
