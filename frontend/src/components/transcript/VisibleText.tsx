import { For, type JSX } from "solid-js";
import { hasInvisible, type Reading, visibleParts } from "../../lib/visibleText";
import "./visible-text.css";

/** VisibleText shows text with invisible characters replaced by their names. */
export function VisibleText(props: { text: string; how?: Reading }) {
  return <>{namedText(props.text, props.how ?? "exact")}</>;
}

/**
 * namedText renders text like VisibleText but without a component, which is faster for large numbers of
 * short texts.
 */
export function namedText(text: string, how: Reading): JSX.Element {
  if (!hasInvisible(text)) return text;
  return (
    <For each={visibleParts(text, how)}>
      {(part) => (part.marked ? <span class="unseen">{part.text}</span> : part.text)}
    </For>
  );
}
