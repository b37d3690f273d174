import { For, type JSX } from "solid-js";
import { hasInvisible, type Reading, visibleParts } from "../../lib/visibleText";
import "./visible-text.css";

/** VisibleText shows a text in which control and bidi characters are replaced with their names. */
export function VisibleText(props: { text: string; how?: Reading }) {
  return <>{namedText(props.text, props.how ?? "exact")}</>;
}

/** namedText renders a text like VisibleText, without creating a component for each of many short texts. */
export function namedText(text: string, how: Reading): JSX.Element {
  if (!hasInvisible(text)) return text;
  return (
    <For each={visibleParts(text, how)}>
      {(part) => (part.marked ? <span class="unseen">{part.text}</span> : part.text)}
    </For>
  );
}
