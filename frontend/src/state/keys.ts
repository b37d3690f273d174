// Keys as commands have them: modifiers first ("Mod" is Command on a Mac and
// Control elsewhere, "Ctrl" is Control everywhere, "Shift", "Alt"), then the key as a keyboard event names it.

import { isMac } from "../lib/platform";

/** digits stands for every key from 1 to 9. */
export const digits = "1…9";

/**
 * letterOf is the key that was pressed. Where the layout has no Latin letters,
 * it is the one that stands in its place.
 */
function letterOf(event: KeyboardEvent): string {
  const { key, code } = event;
  const at = /^(?:Key|Digit)(.)$/.exec(code ?? "")?.[1];
  const isForeign = key.length === 1 && key.charCodeAt(0) > 0x7f;
  // Some layouts have their digits behind Shift.
  return at !== undefined && (isForeign || /\d/.test(at)) ? at.toLowerCase() : key.toLowerCase();
}

/** isComposing says whether a press belongs to an input method, which is not done with a word yet. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}

/** digitOf is the digit that was pressed, 0 for none. */
export function digitOf(event: KeyboardEvent): number {
  const letter = letterOf(event);
  return /^[1-9]$/.test(letter) ? Number(letter) : 0;
}

/** isPlus says whether a press means "+": it is behind Shift on some layouts, and often pressed without. */
function isPlus(event: KeyboardEvent): boolean {
  return event.key === "+" || event.key === "=";
}

/** areKeys says whether an event is a press of these keys, and of no others. */
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
