import { Show } from "solid-js";

/** Failure says what could not be done, where there is anything to say. */
export function Failure(props: { text: string; class?: string }) {
  return (
    <Show when={props.text}>
      <p class={props.class ?? "form-failure"} role="alert">
        {props.text}
      </p>
    </Show>
  );
}
