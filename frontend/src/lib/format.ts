// Numbers, sizes and paths as the window writes them.

import { locale } from "../i18n/locale"; // the words themselves use what is here

/** A minus sign as wide as the plus. */
export const minus = "\u2212";

const number = new Intl.NumberFormat(locale);

/** count writes a whole number with separators: 48,700. */
export function count(n: number): string {
  return number.format(n);
}

const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });

/** tokens writes a number of tokens, short: 830, 18.4 K, 1.2 M. */
export function tokens(n: number): string {
  return compact.format(n).replace(/(\d)([KM])$/i, (_, digit, unit) => `${digit} ${unit.toUpperCase()}`);
}

/** bytes writes a size: 84 KB, 1.2 MB. */
export function bytes(n: number): string {
  if (n < 1000) return `${n} B`;
  if (n < 1_000_000) return `${Math.round(n / 1000)} KB`;
  return `${n < 10_000_000 ? tenths.format(n / 1_000_000) : Math.round(n / 1_000_000)} MB`;
}

const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

const clockTime = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });

/** timeOf writes a time of day: 14:02. */
export function timeOf(millis: number): string {
  return clockTime.format(millis);
}

const fullTime = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short" });

/** dayAndTime writes a moment in full, as the user's system writes it. */
export function dayAndTime(millis: number): string {
  return fullTime.format(millis);
}

/** within writes a path from the folder's root where it lies in it, else with "~". */
export function within(path: string, folder: string): string {
  const root = folder.replace(/[\\/]+$/, "");
  if (root !== "" && path.startsWith(root) && /^[\\/]/.test(path.slice(root.length))) {
    return path.slice(root.length + 1);
  }
  return path;
}

/** utf8Size is the size of a text as the app counts it. */
export function utf8Size(text: string): number {
  return new TextEncoder().encode(text).length;
}

export { seen, visible } from "./visibleText";
