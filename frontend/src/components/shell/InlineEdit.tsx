import { onMount, untrack } from "solid-js";
import "./inline-edit.css";

export interface InlineEditProps {
  label: string;
  value: string;
  class?: string;
  /** Called with the new text on Enter or when the focus leaves. */
  onSave: (text: string) => void;
  /** Called once editing has ended, saved or not; by a key, the focus has no place to be any more. */
  onDone: (byKey: boolean) => void;
}

/** InlineEdit changes one line in its place: Enter saves, Escape leaves it as it was. */
export function InlineEdit(props: InlineEditProps) {
  let input!: HTMLInputElement;
  let over = false;
  // What is typed belongs to the user: the value may change meanwhile.
  const initial = untrack(() => props.value);
  const end = (save: boolean, byKey: boolean) => {
    if (over) return;
    over = true;
    const text = input.value.trim();
    if (save && text !== "" && text !== initial) props.onSave(text);
    props.onDone(byKey);
  };
  onMount(() => {
    input.value = initial;
    input.focus();
    input.select();
  });
  return (
    <input
      ref={input}
      class={`inline-edit ${props.class ?? ""}`}
      aria-label={props.label}
      maxLength={200}
      onBlur={() => end(true, false)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.isComposing || event.keyCode === 229) return;
        if (event.key !== "Enter" && event.key !== "Escape") return;
        // Whatever has the focus next gets nothing of this key: a field of many lines would begin a new one.
        event.preventDefault();
        end(event.key === "Enter", true);
      }}
    />
  );
}
