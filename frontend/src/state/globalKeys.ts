// The keys of the global shortcut: as the settings have them ("Ctrl+Shift+Space"),
// as a keyboard event names them, and as they are shown.

import { isMac } from "../lib/platform";

const modifiers = ["Control", "Alt", "Shift", "Meta", "AltGraph", "OS"];
const named = ["Insert", "Home", "End", "PageUp", "PageDown"];

/** keyOf is the key that was pressed, without its modifiers; "" for one that a shortcut cannot end with. */
function keyOf(event: KeyboardEvent): string {
  const { key, code } = event;
  if (code === "Space") return "Space";
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  if (digit !== undefined) return digit;
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  if (/^F([1-9]|1\d|2[0-4])$/.test(key) || named.includes(key)) return key;
  const arrow = /^Arrow(.+)$/.exec(key)?.[1];
  if (arrow !== undefined) return arrow;
  // Option makes other letters on a Mac, and some layouts have no Latin ones.
  return key.length === 1 ? (/^Key(.)$/.exec(code)?.[1] ?? "") : "";
}

/** isModifier says that no more than a modifier was pressed so far. */
export function isModifier(event: KeyboardEvent): boolean {
  return modifiers.includes(event.key);
}

/** keysOfPress writes the keys that were pressed as the settings have them; "" where they cannot be a shortcut. */
export function keysOfPress(event: KeyboardEvent): string {
  const key = keyOf(event);
  if (key === "") return "";
  const mods = [
    event.ctrlKey ? "Ctrl" : "",
    event.altKey ? "Alt" : "",
    event.shiftKey ? "Shift" : "",
    event.metaKey ? "Super" : "",
  ];
  return [...mods.filter(Boolean), key].join("+");
}

const shown: Record<string, string> = { Up: "ArrowUp", Down: "ArrowDown", Left: "←", Right: "→" };
const onMac: Record<string, string> = { Ctrl: "⌃", Super: "⌘" };
const onWindows: Record<string, string> = { Super: "Win" };
const isWindows = /^Win/.test(navigator.platform);

/** keysShown are the keys of a shortcut, for Kbd. */
export function keysShown(text: string): string[] {
  const own = isMac ? onMac : isWindows ? onWindows : {};
  return text.split("+").map((key) => own[key] ?? shown[key] ?? key);
}
