// A unified diff, coloured by its language.

import { createResource, For, Show } from "solid-js";
import { colourDiff, type DiffRow } from "../../lib/diff";
import { minus } from "../../lib/format";
import { useStore } from "../../state/store";
import { Seen } from "./Seen";

const signs: Record<DiffRow["kind"], string> = { head: "", same: "", add: "+", del: minus };
const looks: Record<DiffRow["kind"], string> = { head: "h", same: "", add: "a", del: "d" };

export interface DiffProps {
  rows: DiffRow[];
  path: string;
  label: string;
}

/** Diff draws the rows of a diff with one column of line numbers. */
export function Diff(props: DiffProps) {
  const state = useStore();
  const [runs] = createResource(
    () => ({ rows: props.rows, path: props.path }),
    ({ rows, path }) => colourDiff(rows, path).catch(() => undefined),
  );
  return (
    <section
      class="diff sel one"
      classList={{ wraps: state.settings.wrapDiff }}
      aria-label={props.label}
      tabindex="0"
    >
      <For each={props.rows}>
        {(row, at) => (
          <div class={`dl ${looks[row.kind]}`}>
            <Show when={row.kind !== "head"} fallback={<Seen text={row.text} />}>
              <span class="n">{row.number}</span>
              <span class="s">{signs[row.kind]}</span>
              <span class="c">
                <Show when={runs()?.[at()]} fallback={<Seen text={row.text} />}>
                  {(line) => (
                    <For each={line()}>
                      {(run) => (
                        <span class={run.class}>
                          <Seen text={run.text} />
                        </span>
                      )}
                    </For>
                  )}
                </Show>
              </span>
            </Show>
          </div>
        )}
      </For>
    </section>
  );
}
