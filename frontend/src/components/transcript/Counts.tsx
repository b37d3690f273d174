import { Show } from "solid-js";
import { count, minus } from "../../lib/format";

/** Counts shows the numbers of lines that a change adds and removes. */
export function Counts(props: { added?: number; removed?: number }) {
  return (
    <span>
      <Show when={props.added}>
        <span class="add">+{count(props.added ?? 0)}</span>
      </Show>
      {props.added && props.removed ? " " : ""}
      <Show when={props.removed}>
        <span class="del">
          {minus}
          {count(props.removed ?? 0)}
        </span>
      </Show>
    </span>
  );
}
