import { For } from "solid-js";

/** isMac decides between Command and Control, and between their names. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

const macNames: Record<string, string> = { Mod: "⌘", Shift: "⇧", Alt: "⌥" };
const otherNames: Record<string, string> = { Mod: "Ctrl" };

/** Kbd shows the keys of a shortcut; "Mod" reads as the platform's own. */
export function Kbd(props: { keys: readonly string[] }) {
  return (
    <span class="kbd" aria-hidden="true">
      <For each={props.keys}>{(key) => <b>{(isMac ? macNames : otherNames)[key] ?? key}</b>}</For>
    </span>
  );
}

/** keyShortcuts is the same for `aria-keyshortcuts`. */
export function keyShortcuts(...keys: string[]): string {
  return keys.map((key) => (key === "Mod" ? (isMac ? "Meta" : "Control") : key)).join("+");
}

/** isMod tells whether the platform's own modifier is held, and no other but Shift. */
export function isMod(event: KeyboardEvent): boolean {
  return (isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey) && !event.altKey;
}
