import { Show } from "solid-js";
import { minus } from "../../lib/format";

/** Counts shows the numbers of lines that a change adds and removes. */
export function Counts(props: { added?: number; removed?: number }) {
  return (
    <span>
      <Show when={props.added}>
        <span class="add">+{props.added}</span>
      </Show>
      {props.added && props.removed ? " " : ""}
      <Show when={props.removed}>
        <span class="del">
          {minus}
          {props.removed}
        </span>
      </Show>
    </span>
  );
}
