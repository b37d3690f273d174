import { For, type JSX } from "solid-js";
import { mayHide, type Reading, visible } from "../../lib/visibleText";
import "./visible-text.css";

/** Seen shows a text in which control and bidi characters are replaced with their names. */
export function Seen(props: { text: string; how?: Reading }) {
  return <>{named(props.text, props.how ?? "exact")}</>;
}

/** named renders a text like Seen, without creating a component for each of many short texts. */
export function named(text: string, how: Reading): JSX.Element {
  if (!mayHide(text)) return text;
  return (
    <For each={visible(text, how)}>
      {(part) => (part.marked ? <span class="unseen">{part.text}</span> : part.text)}
    </For>
  );
}
