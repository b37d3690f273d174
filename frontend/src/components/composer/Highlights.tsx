// A copy of the composer's text behind the transparent field. It shows mentions and commands in a
// different color, because a text field has only one color.

import { createMemo, For, Show } from "solid-js";

/** Maximum length of highlighted text in characters. Longer text is shown in a single color. */
const maxLength = 4000;

/** A piece of the text, marked if it is a mention or a command. */
export interface Piece {
  text: string;
  marked: boolean;
}

/** pieces splits `text` at the given ranges. It ignores ranges that overlap an earlier one or exceed the text. */
function pieces(text: string, marks: readonly { from: number; to: number }[]): Piece[] {
  const parts: Piece[] = [];
  let at = 0;
  for (const { from, to } of [...marks].sort((a, b) => a.from - b.from)) {
    if (from < at || to > text.length) continue;
    parts.push({ text: text.slice(at, from), marked: false }, { text: text.slice(from, to), marked: true });
    at = to;
  }
  parts.push({ text: text.slice(at), marked: false });
  return parts.filter((part) => part.text !== "");
}

export interface HighlightsProps {
  text: string;
  marks: readonly { from: number; to: number }[];
}

/** hasHighlights reports whether Highlights renders the text. If it doesn't, the text field shows the text itself. */
export function hasHighlights(props: HighlightsProps): boolean {
  return props.marks.length > 0 && props.text.length <= maxLength;
}

export function Highlights(props: HighlightsProps & { ref(element: HTMLDivElement): void }) {
  const parts = createMemo(() => (hasHighlights(props) ? pieces(props.text, props.marks) : []));
  return (
    <Show when={parts().length > 0}>
      <div class="ta marks" aria-hidden="true" ref={props.ref}>
        <For each={parts()}>
          {(part) => (part.marked ? <span class="c-acc">{part.text}</span> : part.text)}
        </For>
        {/* Without this zero-width space, an empty last line would have no height. */}
        {"\u200b"}
      </div>
    </Show>
  );
}
