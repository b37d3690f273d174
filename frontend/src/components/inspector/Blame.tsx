// Shows which message each line of a file comes from.

import { createEffect, createMemo, createSignal, on, Show } from "solid-js";
import { toAppError } from "../../bridge";
import { messages } from "../../i18n";
import { dayAndTime, visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import { isOverlay, setOpen } from "../../state/inspector";
import type { Blame as Blamed, LineWriter } from "../../state/types";
import { Code, columnsOf } from "./DiffRows";
import { LoadState } from "./LoadState";
import { createLoader } from "./loader";
import { Rows, type RowsControl } from "./Rows";
import "../transcript/diff.css";
import "./blame.css";

const t = messages.inspector.changes.blame;

/** Width of the column with the messages, in pixels. */
const gutter = 190;

/** A line with its text and its likely sources, such as messages. The likeliest source comes first. */
interface Line {
  number: number;
  text: string;
  by: LineWriter[];
  /** Number of consecutive lines with the same sources if this is the first of them, otherwise 0. */
  span: number;
}

/** linesOf splits a blamed file into lines and assigns each line its sources. */
function linesOf(blame: Blamed): Line[] {
  const texts = blame.text.split("\n");
  const lines: Line[] = [];
  for (const span of blame.spans) {
    const by = span.by.flatMap((at) => blame.writers[at] ?? []);
    for (let n = 0; n < span.lines; n++) {
      const text = (texts[lines.length] ?? "").replace(/\r$/, "");
      lines.push({ number: lines.length + 1, text, by, span: n === 0 ? span.lines : 0 });
    }
  }
  return lines;
}

/** titleOf returns a one-line description of a source. */
function titleOf(writer: LineWriter): string {
  if (writer.kind !== "turn") return t.kinds[writer.kind];
  return t.message(
    visibleText(writer.prompt ?? ""),
    visibleText(writer.chat ?? ""),
    dayAndTime(writer.at ?? 0),
  );
}

/** labelOf returns a short label for the likeliest source of a line. */
function labelOf(line: Line): string {
  const [first] = line.by;
  if (!first) return "";
  const label =
    first.kind === "turn" ? visibleText(first.prompt || first.chat || t.untitled) : t.kinds[first.kind];
  return line.by.length > 1 ? t.uncertain(label) : label;
}

/** describe returns a text that describes all sources of a line. */
function describe(line: Line): string {
  const [first, ...others] = line.by.map(titleOf);
  return others.length === 0 ? (first ?? "") : t.oneOf([first ?? "", ...others]);
}

/** isMessage reports whether the likeliest source of a line is a message that can be shown. */
const isMessage = (line: Line | undefined) => line?.by[0]?.kind === "turn" && !!line.by[0].itemId;

/** Error codes that mean that a file's lines can't be attributed, even if the user tries again. */
const final = ["too_large", "invalid", "not_found"];

export interface BlameProps {
  path: string;
  name: string;
  /** The line to show first. */
  line?: number;
  /** The blame is loaded again whenever this value changes. */
  version: unknown;
  onKeyDown(event: KeyboardEvent): void;
  control(control: RowsControl): void;
}

/** Blame shows the lines of a file with their likeliest sources. If a source is a message, it can be opened. */
export function Blame(props: BlameProps) {
  const loaded = createLoader(
    () => props.path,
    async () => {
      try {
        return { blame: await actions.blame(props.path), reason: "" };
      } catch (thrown) {
        const error = toAppError(thrown);
        if (!final.includes(error.code)) throw error;
        return { blame: undefined, reason: error.message };
      }
    },
  );
  createEffect(
    on(
      () => props.version,
      () => loaded.reload(),
      { defer: true },
    ),
  );
  return (
    <LoadState of={loaded}>
      {(answer) => (
        <Show when={answer().blame} fallback={<p class="inspector-empty muted">{answer().reason}</p>}>
          {(blame) => (
            <>
              <Show when={!blame().recorded && blame().spans.length > 0}>
                <p class="inspector-note muted">{t.notRecorded}</p>
              </Show>
              <Show
                when={blame().spans.length > 0}
                fallback={<p class="inspector-empty muted">{t.emptyFile}</p>}
              >
                <Lines {...props} blame={blame()} />
              </Show>
            </>
          )}
        </Show>
      )}
    </LoadState>
  );
}

function Lines(props: BlameProps & { blame: Blamed }) {
  let rows!: RowsControl;
  const lines = createMemo(() => linesOf(props.blame));
  const widest = createMemo(() => lines().reduce((most, line) => Math.max(most, columnsOf(line.text)), 0));
  const numbers = () => Math.max(32, String(lines().length).length * 7 + 12);
  /** The indexes of the lines with a button, in order. */
  const stops = createMemo(() =>
    lines().flatMap((line, at) => (line.span > 0 && isMessage(line) ? [at] : [])),
  );
  const [chosen, setChosen] = createSignal(0);
  /** Index of the line whose button is in the tab order, or -1 if no line has a button. */
  const current = () => (stops().includes(chosen()) ? chosen() : (stops()[0] ?? -1));
  createEffect(
    on(
      () => props.line ?? 0,
      (line) => {
        let at = Math.min(line, lines().length) - 1;
        if (at < 0) return;
        queueMicrotask(() => rows.show(line - 1));
        while (lines()[at]?.span === 0) at--;
        setChosen(at);
      },
    ),
  );
  const focusRow = (at: number | undefined) => {
    if (at === undefined) return;
    setChosen(at);
    rows.show(at);
    queueMicrotask(() => rows.row(at)?.querySelector("button")?.focus());
  };
  const show = (line: Line) => {
    const [writer] = line.by;
    if (!writer?.chatId || !writer.itemId) return;
    if (isOverlay()) setOpen(true, false);
    actions.showMatch(writer.chatId, writer.itemId, writer.pos ?? 0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isPlain && event.target instanceof HTMLButtonElement) {
      const at = stops().indexOf(current());
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: stops().length - 1 }[event.key];
      if (to !== undefined) {
        event.preventDefault();
        focusRow(stops()[to]);
        return;
      }
    }
    props.onKeyDown(event);
  };
  return (
    <Rows
      class="diff blame sel"
      style={{ "--gut": `${numbers()}px`, "--by": `${gutter}px` }}
      role="region"
      label={t.of(visibleText(props.name))}
      focusable
      count={lines().length}
      height={(_, line) => line}
      minWidth={`calc(${widest()}ch + ${gutter + numbers() + 24}px)`}
      onKeyDown={onKeyDown}
      control={(control) => {
        rows = control;
        const focus = () => (current() < 0 ? control.focus() : focusRow(current()));
        props.control({ ...control, focus });
      }}
    >
      {(index) => (
        <Show keyed when={lines()[index]}>
          {(line) => (
            <div class="dl" classList={{ first: line.span > 0, at: line.number === props.line }}>
              <span class="by" classList={{ turn: line.by[0]?.kind === "turn" }} title={describe(line)}>
                <Show when={line.span > 0}>
                  <Show when={isMessage(line)} fallback={<span class="trunc">{labelOf(line)}</span>}>
                    <button
                      type="button"
                      class="trunc"
                      aria-label={t.show(line.number, line.number + line.span - 1, describe(line))}
                      tabIndex={index === current() ? 0 : -1}
                      onFocus={() => setChosen(index)}
                      onClick={() => show(line)}
                    >
                      {labelOf(line)}
                    </button>
                  </Show>
                </Show>
              </span>
              <span class="n">{line.number}</span>
              <span class="c">
                <Code row={{ kind: "same", number: line.number, text: line.text }} />
              </span>
            </div>
          )}
        </Show>
      )}
    </Rows>
  );
}
