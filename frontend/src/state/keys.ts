// The notation of keyboard shortcuts: first the modifiers ("Shift", "Alt", "Ctrl" for Control, and "Mod" for
// Command on a Mac and Control on other systems), then the key, as in KeyboardEvent.key.

import { isMac } from "../lib/platform";

/** digits, as the key of a shortcut, stands for any of the keys from 1 to 9. */
export const digits = "1…9";

/**
 * letterOf returns the pressed key in lower case. On layouts without Latin letters, it returns the Latin
 * letter at the same physical position.
 */
function letterOf(event: KeyboardEvent): string {
  const { key, code } = event;
  const at = /^(?:Key|Digit)(.)$/.exec(code ?? "")?.[1];
  const isForeign = key.length === 1 && key.charCodeAt(0) > 0x7f;
  // Some layouts require Shift for digits.
  return at !== undefined && (isForeign || /\d/.test(at)) ? at.toLowerCase() : key.toLowerCase();
}

/** isComposing reports whether a key event belongs to an input method that is composing text. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}

/** digitOf returns the pressed digit from 1 to 9, or 0 for any other key. */
export function digitOf(event: KeyboardEvent): number {
  const letter = letterOf(event);
  return /^[1-9]$/.test(letter) ? Number(letter) : 0;
}

/**
 * isPlus reports whether a key press means "+", even without Shift: some layouts require Shift for "+",
 * and users often omit it.
 */
function isPlus(event: KeyboardEvent): boolean {
  return event.key === "+" || event.key === "=";
}

/** areKeys reports whether an event is a press of exactly the given keys. */
export function areKeys(keys: readonly string[], event: KeyboardEvent): boolean {
  const key = keys.at(-1) ?? "";
  const mods = new Set(keys.slice(0, -1));
  const control = mods.has("Ctrl") || (!isMac && mods.has("Mod"));
  const meta = isMac && mods.has("Mod");
  if (event.ctrlKey !== control || event.metaKey !== meta || event.altKey !== mods.has("Alt")) return false;
  if (key === "+") return isPlus(event);
  if (event.shiftKey !== mods.has("Shift")) return false;
  return key === digits ? digitOf(event) > 0 : letterOf(event) === key.toLowerCase();
}
