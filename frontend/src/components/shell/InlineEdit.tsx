import { onMount, untrack } from "solid-js";
import "./inline-edit.css";

export interface InlineEditProps {
  label: string;
  value: string;
  class?: string;
  /** Called with the new text on Enter or on blur. */
  onSave: (text: string) => void;
  /**
   * Called once editing has ended, whether the text was saved or not. If a key ended it, the caller must
   * move the focus.
   */
  onDone: (byKey: boolean) => void;
}

/** InlineEdit edits one line in place: Enter saves, Escape cancels. */
export function InlineEdit(props: InlineEditProps) {
  let input!: HTMLInputElement;
  let over = false;
  // The value can change during editing, but must not overwrite the typed text.
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
        // The key must not reach the element focused next: a textarea would insert a line.
        event.preventDefault();
        end(event.key === "Enter", true);
      }}
    />
  );
}
