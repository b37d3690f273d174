import { createMemo, createSignal, For, Show } from "solid-js";
import { messages } from "../../i18n";
import { isMac } from "../../lib/platform";
import { type Command, type CommandGroup, commands } from "../../state/commands";
import { displayKeys } from "../../state/globalKeys";
import { useStore } from "../../state/store";
import { Kbd } from "../ui/Kbd";
import { FilterField } from "./parts";

const t = messages.settings.shortcuts;

/** ariaKeys returns a shortcut's keys as text for screen readers and the search. */
function ariaKeys(keys: readonly string[] = []): string {
  const names: Record<string, string> = { ...t.keys, Mod: isMac ? t.keys.Command : t.keys.Control };
  return keys.map((key) => names[key] ?? key).join(" ");
}

/** The groups of shortcuts, in display order. */
const groups = Object.keys(messages.commands.groups) as CommandGroup[];

/** Shortcuts lists the keys for all commands, by group. */
export function Shortcuts() {
  const state = useStore();
  const [wanted, setWanted] = createSignal("");
  /** The global shortcut is the only configurable one. */
  const global = (): Command[] => {
    const { settings, desktop } = state;
    if (desktop.shortcut.state !== "active") return [];
    // Some desktops assign keys other than those requested, or use other names for the keys.
    const called = desktop.shortcut.keys ?? settings.shortcut;
    return [
      {
        id: "quickPrompt",
        label: () => messages.commands.quickPrompt,
        group: "everywhere",
        keys: called === settings.shortcut ? displayKeys(called) : [called],
      },
    ];
  };
  const shown = createMemo(() => {
    const text = wanted().trim().toLowerCase();
    const matches = ({ label, keys }: Command) =>
      keys !== undefined && `${label()} ${ariaKeys(keys)}`.toLowerCase().includes(text);
    const found = [...global(), ...commands].filter(matches);
    return groups
      .map((group) => ({ group, list: found.filter((command) => command.group === group) }))
      .filter(({ list }) => list.length > 0);
  });
  return (
    <>
      <FilterField label={t.search} class="set-find first" value={wanted()} onInput={setWanted} />
      <Show when={shown().length > 0} fallback={<p class="subtle">{t.noMatch(wanted())}</p>}>
        <div class="keys">
          <For each={shown()}>
            {({ group, list }) => (
              <section>
                <h2>{messages.commands.groups[group]}</h2>
                <table class="tbl" aria-label={t.table(messages.commands.groups[group])}>
                  <tbody>
                    <For each={list}>
                      {(command) => (
                        <tr>
                          <td>{command.label()}</td>
                          <td>
                            <Kbd keys={command.keys ?? []} />
                            <span class="sr">{ariaKeys(command.keys)}</span>
                          </td>
                        </tr>
                      )}
                    </For>
                  </tbody>
                </table>
              </section>
            )}
          </For>
        </div>
        <p class="subtle keys-note">{t.note}</p>
      </Show>
      <p class="sr" role="status">
        {wanted() === "" ? "" : t.found(shown().reduce((sum, { list }) => sum + list.length, 0))}
      </p>
    </>
  );
}
