// Highlights the matched characters of a path.

import { visibleText } from "../../lib/format";

/** A piece of a path. It is bold if it matches the typed text. */
export interface Marked {
  text: string;
  hit: boolean;
}

function runs(text: string, from: number, marks: ReadonlySet<number>): Marked[] {
  const parts: Marked[] = [];
  for (let at = 0; at < text.length; at++) {
    const hit = marks.has(from + at);
    const last = parts.at(-1);
    if (last?.hit === hit) last.text += text[at];
    else parts.push({ text: text[at] ?? "", hit });
  }
  return parts.map((part) => ({ ...part, text: visibleText(part.text) }));
}

/**
 * pathParts splits a path into pieces of its folder and pieces of its name. `marks` holds the UTF-16
 * offsets of the matched characters. Invisible characters are replaced with their names.
 */
export function pathParts(path: string, marks: readonly number[]): { folder: Marked[]; name: Marked[] } {
  const cut = path.lastIndexOf("/") + 1;
  const set = new Set(marks);
  return { folder: runs(path.slice(0, cut), 0, set), name: runs(path.slice(cut), cut, set) };
}
