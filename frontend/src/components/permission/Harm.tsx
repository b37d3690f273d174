// The dangerous parts of a command, underlined and explained. The marks are only hints: a command without
// any isn't presented as safe.

import TriangleAlert from "lucide-solid/icons/triangle-alert";
import { For, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import type { Mark } from "../../state/types";
import { VisibleText } from "../transcript/VisibleText";
import { Icon } from "../ui/Icon";
import "./permission.css";

interface Piece {
  text: string;
  marked: boolean;
}

/** piecesOf splits `text` at the edges of `marks`; overlapping marks are merged. */
function piecesOf(text: string, marks: Mark[]): Piece[] {
  const out: Piece[] = [];
  let at = 0;
  const upTo = (end: number, marked: boolean) => {
    if (end > at) out.push({ text: text.slice(at, end), marked });
    at = Math.max(at, end);
  };
  for (const mark of [...marks].sort((a, b) => a.start - b.start)) {
    upTo(mark.start, false);
    const last = out.at(-1);
    const touches = last?.marked === true && mark.start < at;
    if (touches && mark.end > at) {
      last.text += text.slice(at, mark.end);
      at = mark.end;
    } else if (!touches) upTo(mark.end, true);
  }
  upTo(text.length, false);
  return out;
}

/** Marked is a command whose dangerous parts are underlined. */
export function Marked(props: { text: string; marks: Mark[] }) {
  return (
    <For each={piecesOf(props.text, props.marks)}>
      {(piece) => (
        <Show when={piece.marked} fallback={<VisibleText text={piece.text} />}>
          <mark>
            <VisibleText text={piece.text} />
          </mark>
        </Show>
      )}
    </For>
  );
}

/** Harm explains the dangerous parts of a command, one per row. */
export function Harm(props: { marks: Mark[] }) {
  const harmText = (mark: Mark) => {
    const { and, harms, place } = messages.card;
    const targets = (mark.of ?? []).map((each) => place(visibleText(each)));
    return (
      harms[mark.kind]?.(
        and(targets),
        visibleText(mark.at ?? ""),
        mark.files ?? 0,
        targets.length,
        mark.canRestore ?? false,
      ) ?? []
    );
  };
  return (
    <ul class="harms" aria-label={messages.card.harm}>
      <For each={props.marks}>
        {(mark) => (
          <li>
            <Icon of={TriangleAlert} size="sm" />
            <span class="mono">{visibleText(mark.part)}</span>
            <span>
              <b>{harmText(mark)[0]}</b> {harmText(mark)[1]}
            </span>
          </li>
        )}
      </For>
    </ul>
  );
}
