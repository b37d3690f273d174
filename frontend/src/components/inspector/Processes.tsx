// The agent of a chat and what it runs, as the system has it.

import ChevronRight from "lucide-solid/icons/chevron-right";
import { createSignal, createUniqueId, For, Show } from "solid-js";
import { bytes, seen } from "../../lib/format";
import { nowFor } from "../../lib/slow";
import type { Process } from "../../state/words";
import { words } from "../../words";
import { Icon } from "../ui/Icon";
import { lasting } from "../ui/when";

const w = words.inspector.processes;

/** Processes is a list that opens; the agent comes first. */
export function Processes(props: { processes: Process[]; onOpen(): void }) {
  const [open, setOpen] = createSignal(false);
  const body = createUniqueId();
  const age = (process: Process) =>
    process.startedAt ? lasting(Math.max(0, nowFor(process.startedAt) - process.startedAt)) : "";
  const rows = () =>
    [...props.processes].sort(
      (a, b) => Number(b.isAgent ?? false) - Number(a.isAgent ?? false) || a.pid - b.pid,
    );
  return (
    <Show when={props.processes.length > 0}>
      <div class="processes">
        <button
          type="button"
          class="processes-head"
          aria-expanded={open()}
          aria-controls={body}
          onClick={() => {
            setOpen((was) => !was);
            if (open()) props.onOpen();
          }}
        >
          <Icon of={ChevronRight} size="sm" class={open() ? "turned" : ""} />
          {w.title}
          <span class="badge">{props.processes.length}</span>
        </button>
        <Show when={open()}>
          <div id={body} class="processes-list">
            <table aria-label={w.table}>
              <thead>
                <tr>
                  <th scope="col">{w.columns.pid}</th>
                  <th scope="col">{w.columns.command}</th>
                  <th scope="col">{w.columns.memory}</th>
                  <th scope="col">{w.columns.age}</th>
                </tr>
              </thead>
              <tbody>
                <For each={rows()}>
                  {(process) => (
                    <tr>
                      <td class="num">{process.pid}</td>
                      <td class="mono sel" title={seen(process.command)}>
                        {seen(process.command)}
                      </td>
                      <td class="num">{process.memory > 0 ? bytes(process.memory) : ""}</td>
                      <td class="num">{age(process)}</td>
                    </tr>
                  )}
                </For>
              </tbody>
            </table>
          </div>
        </Show>
      </div>
    </Show>
  );
}
