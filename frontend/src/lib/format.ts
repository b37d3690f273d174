// Numbers, sizes and paths as the window writes them.

import { locale } from "../words/locale"; // the words themselves use what is here

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
  return compact.format(n).replace(/(\d)([A-Z])/, "$1 $2");
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

// Controls, line and paragraph separators, fillers, variation selectors and
// everything that reorders or hides text: it must be seen in what a user is
// asked to allow. Tab and newline show themselves.
const hidden =
  /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}]|\u115F|\u1160|\u17B4|\u17B5|\u3164|\uFFA0/gu;

/** A part of a text; marked where it stands for a character that cannot be seen. */
export interface SeenPart {
  text: string;
  marked: boolean;
}

function nameOf(letter: string): string {
  return `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * visible splits a text so that each character which cannot be seen, or which
 * changes the order of others, is a part of its own that names it.
 */
export function visible(text: string): SeenPart[] {
  const parts: SeenPart[] = [];
  let at = 0;
  for (const match of text.matchAll(hidden)) {
    if (match.index > at) parts.push({ text: text.slice(at, match.index), marked: false });
    parts.push({ text: nameOf(match[0]), marked: true });
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), marked: false });
  return parts;
}

const emoji =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)(?:\uFE0F|\u200D(?=\p{Extended_Pictographic}))/gu;

/** seen is a path, a title or a command's first line in which nothing hides: what cannot be seen is named. */
export function seen(text: string): string {
  // What joins the parts of an emoji hides nothing.
  const joins = new Set([...text.matchAll(emoji)].map((match) => match.index));
  return text.replace(hidden, (letter, at: number) => (joins.has(at) ? letter : `[${nameOf(letter)}]`));
}
