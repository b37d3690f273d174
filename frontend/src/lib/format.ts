// Formatting of numbers, sizes and paths.

import { locale } from "../i18n/locale"; // i18n itself imports this file

/** A minus sign with the width of the plus sign. */
export const minus = "\u2212";

const number = new Intl.NumberFormat(locale);

/** count formats a whole number with separators: 48,700. */
export function count(n: number): string {
  return number.format(n);
}

const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });

/** tokens formats a number of tokens: 830, 18.4 K, 1.2 M. */
export function tokens(n: number): string {
  return compact.format(n).replace(/(\d)([KM])$/i, (_, digit, unit) => `${digit} ${unit.toUpperCase()}`);
}

/** bytes formats a size: 84 KB, 1.2 MB. */
export function bytes(n: number): string {
  if (n < 1000) return `${n} B`;
  if (n < 1_000_000) return `${Math.round(n / 1000)} KB`;
  return `${n < 10_000_000 ? tenths.format(n / 1_000_000) : Math.round(n / 1_000_000)} MB`;
}

const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

const clockTime = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });

/** timeOf formats a time of day: 14:02. */
export function timeOf(millis: number): string {
  return clockTime.format(millis);
}

const fullTime = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short" });

/** dayAndTime formats the full date, with the day of the week, and the time. */
export function dayAndTime(millis: number): string {
  return fullTime.format(millis);
}

/**
 * relativePath returns the path relative to the folder if it is inside the folder, otherwise the path
 * unchanged.
 */
export function relativePath(path: string, folder: string): string {
  const root = folder.replace(/[\\/]+$/, "");
  if (root !== "" && path.startsWith(root) && /^[\\/]/.test(path.slice(root.length))) {
    return path.slice(root.length + 1);
  }
  return path;
}

/** utf8Size returns the size of text in UTF-8 bytes, the unit in which the app counts. */
export function utf8Size(text: string): number {
  return new TextEncoder().encode(text).length;
}

export { visibleParts, visibleText } from "./visibleText";
