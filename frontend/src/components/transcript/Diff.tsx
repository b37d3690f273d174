// A unified diff with syntax highlighting.

import { createResource, createSignal, For, Show } from "solid-js";
import { messages } from "../../i18n";
import { type DiffRow, highlightDiff, maxPiece, pieceEnd } from "../../lib/diff";
import { count } from "../../lib/format";
import type { CodeRun } from "../../lib/highlight";
import { useStore } from "../../state/store";
import { rowClasses, signs } from "../inspector/DiffRows";
import { VisibleText } from "./VisibleText";
import "./diff.css";

export interface DiffProps {
  rows: DiffRow[];
  path: string;
  label: string;
  ref?(section: HTMLElement): void;
}

/** Diff renders the rows of a diff with one column of line numbers. */
export function Diff(props: DiffProps) {
  const state = useStore();
  const [runs] = createResource(
    () => ({ rows: props.rows, path: props.path }),
    ({ rows, path }) => highlightDiff(rows, path).catch(() => undefined),
  );
  return (
    <section
      ref={props.ref}
      class="diff sel one"
      classList={{ wraps: state.settings.wrapDiff }}
      aria-label={props.label}
      tabindex="0"
    >
      <For each={props.rows}>
        {(row, at) => (
          <div class={`dl ${rowClasses[row.kind]}`}>
            <Show when={row.kind !== "head"} fallback={<Line text={row.text} />}>
              <span class="n">{row.number}</span>
              <span class="s">{signs[row.kind]}</span>
              <span class="c">
                <Line text={row.text} runs={runs()?.[at()]} />
              </span>
            </Show>
          </div>
        )}
      </For>
    </section>
  );
}

/** Number of characters of a long line that each click reveals. */
const stepChars = 20_000;

/** Line is the text of a row. Long text is truncated, with a button that shows more. */
function Line(props: { text: string; runs?: CodeRun[] }) {
  const [most, setMost] = createSignal(maxPiece);
  const end = () => (props.text.length > most() ? pieceEnd(props.text, most()) : props.text.length);
  const left = () => props.text.length - end();
  return (
    <Show
      when={left() === 0 && props.runs}
      fallback={
        <>
          <VisibleText text={props.text.slice(0, end())} />
          <Show when={left() > 0}>
            {" "}
            <button type="button" class="link" onClick={() => setMost((n) => n + stepChars)}>
              {messages.inspector.changes.more(count(left()))}
            </button>
          </Show>
        </>
      }
    >
      {(runs) => (
        <For each={runs()}>
          {(run) => (
            <span class={run.class}>
              <VisibleText text={run.text} />
            </span>
          )}
        </For>
      )}
    </Show>
  );
}
