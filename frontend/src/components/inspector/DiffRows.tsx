// Renders a diff with any number of lines, in one column or side by side. Up to a size limit, the code is
// highlighted and changed words are marked.

import { createMemo, createResource, For, type JSX, Show } from "solid-js";
import { messages } from "../../i18n";
import {
  changedWords,
  type DiffHunk,
  type DiffPair,
  type DiffRow,
  highlightDiff,
  markedRuns,
  partners,
  splitDiff,
} from "../../lib/diff";
import { count, minus } from "../../lib/format";
import type { CodeRun } from "../../lib/highlight";
import { namedText } from "../transcript/VisibleText";
import { Rows, type RowsControl } from "./Rows";
import "../transcript/diff.css";

const t = messages.inspector.changes;

/**
 * Maximum length of a line in characters. Longer lines are truncated, because a single one could block
 * the page.
 */
const maxLine = 5000;
/** Height of a header row minus the height of a line, in pixels. */
const headExtra = 6;
/** Maximum number of rows of a diff with syntax highlighting. */
const maxHighlightedRows = 3000;

export const signs: Record<DiffRow["kind"], string> = { head: "", same: "", add: "+", del: minus };
export const rowClasses: Record<DiffRow["kind"], string> = { head: "h", same: "", add: "a", del: "d" };

export interface DiffRowsProps {
  rows: DiffRow[];
  path: string;
  label: string;
  split: boolean;
  wrap: boolean;
  onWidth(width: number): void;
  onKeyDown(event: KeyboardEvent): void;
  control(control: RowsControl): void;
  /** Content at the start of a hunk's header, in a diff that was parsed with its hunks. */
  ofHunk?(hunk: DiffHunk): JSX.Element;
}

/** columnsOf returns the width of a line in characters, with tabs expanded. Truncated text doesn't count. */
export function columnsOf(text: string): number {
  const cut = Math.min(text.length, maxLine);
  let tabs = 0;
  for (let at = text.indexOf("\t"); at >= 0 && at < cut; at = text.indexOf("\t", at + 1)) tabs++;
  return cut + 3 * tabs;
}

export function DiffRows(props: DiffRowsProps) {
  const pairs = createMemo(() => splitDiff(props.rows));
  const beside = createMemo(() => partners(pairs()));
  const [runs] = createResource(
    () => (props.rows.length <= maxHighlightedRows ? { rows: props.rows, path: props.path } : undefined),
    async ({ rows, path }) => {
      const lines = await highlightDiff(rows, path).catch(() => undefined);
      return lines && new Map(rows.map((row, at) => [row, lines[at]]));
    },
  );
  const widest = createMemo(() => {
    const of = (kinds: DiffRow["kind"][]) =>
      props.rows.reduce(
        (most, row) => (kinds.includes(row.kind) ? Math.max(most, columnsOf(row.text)) : most),
        0,
      );
    return { old: of(["same", "del"]), new: of(["same", "add"]) };
  });
  const gutter = createMemo(() => {
    const most = props.rows.reduce((n, row) => Math.max(n, row.number, row.before ?? 0), 0);
    return Math.max(32, String(most).length * 7 + 12);
  });
  const length = () => (props.split ? pairs().length : props.rows.length);
  const headAt = (index: number) => (props.split ? pairs()[index]?.old : props.rows[index])?.kind === "head";
  /** Width in pixels of everything in a column except the code. A side-by-side diff has two such columns. */
  const beforeCode = () => (props.split ? gutter() : 2 * gutter()) + 18 + 12;
  const minWidth = () => {
    if (props.wrap) return undefined;
    if (!props.split) return `calc(${Math.max(widest().old, widest().new)}ch + ${beforeCode()}px)`;
    return `calc(${widest().old + widest().new}ch + ${2 * beforeCode() + 1}px)`;
  };
  const halves = () =>
    props.wrap
      ? "minmax(0, 1fr) minmax(0, 1fr)"
      : `minmax(calc(${widest().old}ch + ${beforeCode()}px), 1fr) minmax(calc(${widest().new}ch + ${beforeCode()}px), 1fr)`;
  const measure = createMemo(() => (props.wrap ? { rows: props.rows, split: props.split } : undefined));

  const code = (row: DiffRow) => <Code row={row} runs={runs()?.get(row)} partner={beside().get(row)} />;
  const unified = (row: DiffRow): JSX.Element => (
    <Show when={row.kind !== "head"} fallback={<Head row={row} of={props.ofHunk} />}>
      <div class={`dl ${rowClasses[row.kind]}`}>
        <span class="n">{row.kind === "add" ? "" : (row.before ?? row.number)}</span>
        <span class="n">{row.kind === "del" ? "" : row.number}</span>
        <span class="s">{signs[row.kind]}</span>
        <span class="c">{code(row)}</span>
      </div>
    </Show>
  );
  const half = (row: DiffRow | undefined, isOld: boolean) => (
    <Show when={row} keyed fallback={<div class="dl none" />}>
      {(it) => (
        <div class={`dl ${rowClasses[it.kind]}`}>
          <span class="n">{isOld ? (it.before ?? it.number) : it.number}</span>
          <span class="s">{signs[it.kind]}</span>
          <span class="c">{code(it)}</span>
        </div>
      )}
    </Show>
  );
  const side = (pair: DiffPair): JSX.Element => (
    <Show when={pair.old?.kind !== "head"} fallback={<Head row={pair.old as DiffRow} of={props.ofHunk} />}>
      <div class="dl2" style={{ "grid-template-columns": halves() }}>
        {half(pair.old, true)}
        {half(pair.new, false)}
      </div>
    </Show>
  );
  return (
    <Rows
      class="diff sel"
      classList={{ wraps: props.wrap, halves: props.split }}
      style={{ "--gut": `${gutter()}px` }}
      role="region"
      label={props.label}
      focusable
      count={length()}
      height={(index, line) => (headAt(index) ? line + headExtra : line)}
      measure={measure()}
      minWidth={minWidth()}
      onWidth={props.onWidth}
      onKeyDown={props.onKeyDown}
      control={props.control}
    >
      {(index) => (
        <Show
          when={props.split}
          fallback={
            <Show keyed when={props.rows[index]}>
              {unified}
            </Show>
          }
        >
          <Show keyed when={pairs()[index]}>
            {side}
          </Show>
        </Show>
      )}
    </Rows>
  );
}

function Head(props: { row: DiffRow; of?: (hunk: DiffHunk) => JSX.Element }) {
  const text = () => {
    const { hunk, text } = props.row;
    return text === "" && hunk ? t.lines(hunk.from, hunk.to) : text;
  };
  return (
    <div class="dl h" classList={{ acts: props.row.hunk !== undefined && props.of !== undefined }}>
      <Show when={props.row.hunk}>{(hunk) => props.of?.(hunk())}</Show>
      <span class="trunc">{text()}</span>
    </div>
  );
}

/**
 * Code shows the text of a line: highlighted, with changed words marked and invisible characters shown
 * by name.
 */
export function Code(props: { row: DiffRow; runs?: CodeRun[]; partner?: DiffRow }) {
  const text = () => props.row.text.slice(0, maxLine);
  const parts = createMemo(() => {
    const marks = props.partner ? changedWords(props.row.text, props.partner.text) : [];
    const runs = props.runs && props.row.text.length <= maxLine ? props.runs : [{ text: text(), class: "" }];
    return markedRuns(runs, marks);
  });
  return (
    <>
      <For each={parts()}>
        {(run) => (
          <Show
            when={run.marked}
            fallback={<span class={run.class || undefined}>{namedText(run.text, "exact")}</span>}
          >
            <mark class={run.class || undefined}>{namedText(run.text, "exact")}</mark>
          </Show>
        )}
      </For>
      <Show when={props.row.text.length > maxLine}>
        <span class="subtle"> {t.more(count(props.row.text.length - maxLine))}</span>
      </Show>
    </>
  );
}
