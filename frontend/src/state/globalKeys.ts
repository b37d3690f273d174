// Keys of the global shortcut in three notations: settings ("Ctrl+Shift+Space"), keyboard events and
// display.

import { isMac } from "../lib/platform";

const modifiers = ["Control", "Alt", "Shift", "Meta", "AltGraph", "OS"];
const namedKeys = ["Insert", "Home", "End", "PageUp", "PageDown"];

/** keyOf returns the pressed key without modifiers, or "" if a shortcut can't end with it. */
function keyOf(event: KeyboardEvent): string {
  const { key, code } = event;
  if (code === "Space") return "Space";
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  if (digit !== undefined) return digit;
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  if (/^F([1-9]|1\d|2[0-4])$/.test(key) || namedKeys.includes(key)) return key;
  const arrow = /^Arrow(.+)$/.exec(key)?.[1];
  if (arrow !== undefined) return arrow;
  // On a Mac, Option produces other characters, and some layouts have no Latin letters.
  return key.length === 1 ? (/^Key(.)$/.exec(code)?.[1] ?? "") : "";
}

/** isModifier reports whether the pressed key is a modifier. A modifier alone isn't a shortcut. */
export function isModifier(event: KeyboardEvent): boolean {
  return modifiers.includes(event.key);
}

/**
 * keysOfPress returns the pressed keys in the settings' notation, or "" if they don't form a valid
 * shortcut.
 */
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

const displayNames: Record<string, string> = { Up: "ArrowUp", Down: "ArrowDown", Left: "←", Right: "→" };
const macNames: Record<string, string> = { Ctrl: "⌃", Super: "⌘" };
const windowsNames: Record<string, string> = { Super: "Win" };
const isWindows = /^Win/.test(navigator.platform);

/** displayKeys splits a shortcut in the settings' notation into the keys that the Kbd component shows. */
export function displayKeys(text: string): string[] {
  const own = isMac ? macNames : isWindows ? windowsNames : {};
  return text.split("+").map((key) => own[key] ?? displayNames[key] ?? key);
}
