// A chat's agent and its processes, as reported by the system.

import ChevronRight from "lucide-solid/icons/chevron-right";
import Square from "lucide-solid/icons/square";
import { createMemo, createSignal, createUniqueId, For, Show } from "solid-js";
import { messages } from "../../i18n";
import { coarseNow } from "../../lib/coarseClock";
import { bytes, visibleText } from "../../lib/format";
import { sameList } from "../../lib/lists";
import type { Process } from "../../state/types";
import { IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { durationText } from "../ui/time";
import "./processes.css";

const t = messages.inspector.processes;

/** Processes is a collapsible list of processes, starting with the agent. */
export function Processes(props: {
  processes: Process[];
  /** Display name of the chat's agent. */
  agent: string;
  onOpen(): void;
  onStop(process: Process): void;
}) {
  const [open, setOpen] = createSignal(false);
  const body = createUniqueId();
  const age = (process: Process) =>
    process.startedAt ? durationText(Math.max(0, coarseNow(process.startedAt) - process.startedAt)) : "";
  const byPID = createMemo(() => new Map(props.processes.map((process) => [process.pid, process])));
  // Rows are keyed by process ID, so that a row's button keeps the focus as long as the process exists.
  const rows = createMemo(
    () =>
      [...props.processes]
        .sort((a, b) => Number(b.isAgent ?? false) - Number(a.isAgent ?? false) || a.pid - b.pid)
        .map((process) => process.pid),
    [],
    { equals: sameList },
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
          {t.title}
          <span class="badge">{props.processes.length}</span>
        </button>
        <Show when={open()}>
          <div id={body} class="processes-list">
            <table aria-label={t.table(props.agent)}>
              <thead>
                <tr>
                  <th scope="col">{t.columns.pid}</th>
                  <th scope="col">{t.columns.command}</th>
                  <th scope="col">{t.columns.memory}</th>
                  <th scope="col">{t.columns.age}</th>
                  <td />
                </tr>
              </thead>
              <tbody>
                <For each={rows()}>
                  {(pid) => (
                    <Show when={byPID().get(pid)}>
                      {(process) => (
                        <tr>
                          <td class="num">{process().pid}</td>
                          <td class="mono sel" title={visibleText(process().command)}>
                            {visibleText(process().command)}
                          </td>
                          <td class="num">{process().memory > 0 ? bytes(process().memory) : ""}</td>
                          <td class="num">{age(process())}</td>
                          <td>
                            <Show when={process().id}>
                              <IconButton
                                small
                                icon={Square}
                                label={t.stop(
                                  process().isAgent ? props.agent : visibleText(process().command),
                                )}
                                onClick={() => props.onStop(process())}
                              />
                            </Show>
                          </td>
                        </tr>
                      )}
                    </Show>
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
