import type { LucideIcon } from "lucide-solid";
import ArrowDown from "lucide-solid/icons/arrow-down";
import ArrowUp from "lucide-solid/icons/arrow-up";
import CornerDownLeft from "lucide-solid/icons/corner-down-left";
import { For, Show } from "solid-js";
import { isMac } from "../../lib/platform";
import { Icon } from "./Icon";
import "./kbd.css";

const macNames: Record<string, string> = {
  Mod: "⌘",
  Ctrl: "⌃",
  Shift: "⇧",
  Alt: "⌥",
  Backspace: "⌫",
  Escape: "Esc",
};
const otherNames: Record<string, string> = { Mod: "Ctrl", Backspace: "Bksp", Escape: "Esc" };
/** Keys shown as icons, because the fonts have no arrows. */
const keyIcons: Record<string, LucideIcon> = { ArrowUp, ArrowDown, Enter: CornerDownLeft };

/** Kbd shows the keys of a shortcut; "Mod" is shown as the platform's modifier. */
export function Kbd(props: { keys: readonly string[] }) {
  return (
    <span class="kbd" aria-hidden="true">
      <For each={props.keys}>
        {(key) => (
          <b>
            <Show when={keyIcons[key]} fallback={(isMac ? macNames : otherNames)[key] ?? key}>
              {(icon) => <Icon of={icon()} />}
            </Show>
          </b>
        )}
      </For>
    </span>
  );
}

/** keyShortcuts formats keys for `aria-keyshortcuts`. */
export function keyShortcuts(...keys: string[]): string {
  const names: Record<string, string> = { Mod: isMac ? "Meta" : "Control", Ctrl: "Control" };
  return keys.map((key) => names[key] ?? key).join("+");
}

/** isMod reports whether the platform's modifier is down and no other modifier is, except possibly Shift. */
export function isMod(event: KeyboardEvent): boolean {
  return (isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey) && !event.altKey;
}
