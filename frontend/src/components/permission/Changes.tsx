// The changes in a request or tool call, one file below the other, with any number of lines of any
// length. All lines can be reached, but only those near the view are in the DOM. In a request, long lines
// wrap, so that the user can't miss any of their content.

import { createMemo, createResource, createSignal, Match, Show, Switch } from "solid-js";
import { messages } from "../../i18n";
import { type DiffRow, highlightDiff } from "../../lib/diff";
import type { CodeRun } from "../../lib/highlight";
import { Code, columnsOf, rowClasses, signs } from "../inspector/DiffRows";
import { Rows, type RowsControl } from "../inspector/Rows";
import { Counts } from "../transcript/Counts";
import { displayPath } from "../transcript/tool";
import "./permission.css";

/** The change to one file; `rows` is undefined if the agent provided no diff. */
export interface Change {
  path: string;
  contentId?: string;
  rows?: DiffRow[];
  added?: number;
  removed?: number;
}

export interface ChangesProps {
  of: Change[];
  /** The number of files that aren't listed, and their names; `names` is empty until the names are loaded. */
  more?: { count: number; names: string[] };
  /** Text for a file without rows. */
  emptyNote?: string;
  folder: string;
  label: string;
  /** Whether each file has a heading with its name. */
  named: boolean;
  /** Whether long lines wrap. */
  wraps: boolean;
  control?(control: RowsControl): void;
}

/** Maximum number of entries of a list with syntax highlighting. */
const maxHighlightedRows = 3000;
/** Estimated width of a character, relative to the line height. */
const charWidth = 0.38;
/** Difference between the heights of a file's heading and a line, in pixels. */
const headExtra = 10;

/** A row of the list: a file's heading, a line, or the text for a file without lines. */
interface Entry {
  head?: Pick<Change, "path" | "added" | "removed">;
  row?: DiffRow;
  note?: string;
}

export function Changes(props: ChangesProps) {
  const [width, setWidth] = createSignal(0);
  const entries = createMemo(() => {
    const all = props.of.flatMap((change): Entry[] => {
      const lines: Entry[] = change.rows?.map((row) => ({ row })) ?? [{ note: props.emptyNote ?? "" }];
      return props.named ? [{ head: change }, ...lines] : lines;
    });
    const { count = 0, names = [] } = props.more ?? {};
    if (count > 0) all.push({ note: messages.chat.request.moreFiles(count) });
    return all.concat(names.map((path) => ({ head: { path } })));
  });
  const [runs] = createResource(
    () => (entries().length <= maxHighlightedRows ? props.of : undefined),
    async (all) => {
      const out = new Map<DiffRow, CodeRun[] | undefined>();
      for (const { path, rows } of all) {
        const lines = await highlightDiff(rows ?? [], path).catch(() => undefined);
        rows?.forEach((row, at) => {
          out.set(row, lines?.[at]);
        });
      }
      return out;
    },
  );
  /** Width in pixels of the column with the line numbers. */
  const gutter = createMemo(() => {
    const most = props.of.reduce((n, { rows }) => Math.max(n, rows?.at(-1)?.number ?? 0), 0);
    return Math.max(40, String(most).length * 7 + 12);
  });
  /** Estimates the height of a row until it is rendered. */
  const height = (index: number, line: number) => {
    const row = entries()[index]?.row;
    if (!row) return line + headExtra;
    if (width() === 0 || !props.wraps) return line;
    const most = Math.max(20, (width() - gutter() - 30) / (line * charWidth));
    return line * Math.max(1, Math.ceil(row.text.length / most));
  };
  /** Minimum width of the lines if they don't wrap: the estimated width of the widest one. */
  const minWidth = createMemo(() => {
    if (props.wraps) return undefined;
    const widest = entries().reduce((most, { row }) => Math.max(most, row ? columnsOf(row.text) : 0), 0);
    return `calc(${widest}ch + ${gutter() + 30}px)`;
  });
  const line = (row: DiffRow) => (
    <Show
      when={row.kind !== "head"}
      fallback={
        <div class="dl h">
          <Code row={row} />
        </div>
      }
    >
      <div class={`dl ${rowClasses[row.kind]}`}>
        <span class="n">{row.rest ? "" : row.number}</span>
        <span class="s">{row.rest ? "" : signs[row.kind]}</span>
        <span class="c">
          <Code row={row} runs={runs()?.get(row)} />
        </span>
      </div>
    </Show>
  );
  return (
    <Rows
      class="diff sel one changes"
      classList={{ wraps: props.wraps }}
      style={{ "--gut": `${gutter()}px` }}
      role="region"
      label={props.label}
      focusable
      count={entries().length}
      height={height}
      measure={entries()}
      minWidth={minWidth()}
      onWidth={setWidth}
      control={props.control}
    >
      {(index) => (
        <Show keyed when={entries()[index]}>
          {(entry) => (
            <Switch>
              <Match when={entry.row}>{(row) => line(row())}</Match>
              <Match when={entry.note}>{(note) => <p class="out-note">{note()}</p>}</Match>
              <Match when={entry.head}>
                {(head) => (
                  <div class="fh">
                    <h4 class="mono" aria-level="3">
                      {displayPath(head().path, props.folder)}
                    </h4>
                    <Counts added={head().added} removed={head().removed} />
                  </div>
                )}
              </Match>
            </Switch>
          )}
        </Show>
      )}
    </Rows>
  );
}
