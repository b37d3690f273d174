// A unified diff, coloured by its language.

import { createResource, For, Show } from "solid-js";
import type { DiffRow } from "../../lib/diff";
import { minus } from "../../lib/format";
import { type CodeRun, highlight, languageOf } from "../../lib/highlight";

const signs: Record<DiffRow["kind"], string> = { head: "", same: "", add: "+", del: minus };
const looks: Record<DiffRow["kind"], string> = { head: "h", same: "", add: "a", del: "d" };

/**
 * colour gives the runs of each row: what was and what is are two texts, each
 * read as a whole, so that a comment over two lines stays one.
 */
async function colour(rows: DiffRow[], path: string): Promise<(CodeRun[] | undefined)[] | undefined> {
  const language = languageOf(path);
  if (language === "") return undefined;
  const out: (CodeRun[] | undefined)[] = [];
  for (const kind of ["del", "add"] as const) {
    const mine = rows.flatMap((row, at) => (row.kind === kind || row.kind === "same" ? [at] : []));
    const lines = await highlight(mine.map((at) => rows[at]?.text ?? "").join("\n"), language);
    if (!lines) return undefined;
    mine.forEach((at, line) => {
      out[at] = lines[line];
    });
  }
  return out;
}

export interface DiffProps {
  rows: DiffRow[];
  path: string;
  label: string;
}

/** Diff draws the rows of a diff with one column of line numbers. */
export function Diff(props: DiffProps) {
  const [runs] = createResource(
    () => ({ rows: props.rows, path: props.path }),
    ({ rows, path }) => colour(rows, path).catch(() => undefined),
  );
  return (
    <section class="diff sel one" aria-label={props.label} tabindex="0">
      <For each={props.rows}>
        {(row, at) => (
          <div class={`dl ${looks[row.kind]}`}>
            <Show when={row.kind !== "head"} fallback={<span>{row.text}</span>}>
              <span class="n">{row.number}</span>
              <span class="s">{signs[row.kind]}</span>
              <span class="c">
                <Show when={runs()?.[at()]} fallback={row.text}>
                  {(line) => <For each={line()}>{(run) => <span class={run.class}>{run.text}</span>}</For>}
                </Show>
              </span>
            </Show>
          </div>
        )}
      </For>
    </section>
  );
}
