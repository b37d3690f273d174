import { For } from "solid-js";
import { visible } from "../../lib/format";

/** Seen shows a text in which nothing is hidden: controls and bidi characters are named. */
export function Seen(props: { text: string }) {
  return (
    <For each={visible(props.text)}>
      {(part) => (part.marked ? <span class="unseen">{part.text}</span> : part.text)}
    </For>
  );
}
