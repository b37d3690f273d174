// Parts of a body of text of any size, cut where lines end: however large it is,
// some of it is in the page, and all of it can be reached.

import type { Piece } from "../../bridge";
import { pieceBytes } from "../../state/actions";

/** A part of a body, from one byte to another. */
export interface Part {
  from: number;
  to: number;
  text: string;
}

/** Brings a range of the body; limit 0 gives its size only. */
export type Range = (offset: number, limit: number) => Promise<Piece>;

const decoder = new TextDecoder();
const newline = 10;

/** isInside says whether a byte is of a letter that began before it. */
const isInside = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** The longest letter has this many bytes. */
const longestLetter = 4;

/** partBefore is what stands before a byte. A line without an end is cut between letters. */
export async function partBefore(range: Range, at: number): Promise<Part> {
  const from = Math.max(0, at - pieceBytes);
  const { bytes } = await range(from, at - from);
  let cut = 0;
  if (from > 0) {
    cut = bytes.indexOf(newline) + 1;
    if (cut === 0 || cut > bytes.length / 2) {
      cut = 0;
      while (cut < longestLetter - 1 && isInside(bytes[cut])) cut++;
    }
  }
  return { from: from + cut, to: from + bytes.length, text: decoder.decode(bytes.subarray(cut)) };
}

/** partAfter is what stands behind a byte, and the size of the whole. */
export async function partAfter(range: Range, at: number): Promise<{ part: Part; size: number }> {
  const { bytes, size } = await range(at, pieceBytes);
  let cut = bytes.length;
  if (at + cut < size) {
    cut = bytes.lastIndexOf(newline) + 1;
    if (cut < bytes.length / 2) {
      cut = bytes.length;
      for (let back = 1; back < longestLetter && back < cut; back++) {
        const byte = bytes[cut - back] ?? 0;
        if (isInside(byte)) continue;
        if (byte >= 0xc0) cut -= back;
        break;
      }
    }
  }
  return { part: { from: at, to: at + cut, text: decoder.decode(bytes.subarray(0, cut)) }, size };
}

/** How much before a byte is shown with it. */
const bytesBefore = 8 * 1024;

/** partAround is a part that a byte is in, with some of what stands before it, and the size of the whole. */
export async function partAround(range: Range, at: number): Promise<{ part: Part; size: number }> {
  const from = Math.max(0, at - bytesBefore);
  if (from === 0) return partAfter(range, 0);
  const { bytes } = await range(from, at - from);
  let cut = bytes.indexOf(newline) + 1;
  if (cut === 0) while (isInside(bytes[cut])) cut++;
  return partAfter(range, from + cut);
}

/** letterAt is where in a text the letter is that has a byte of it in UTF-8. */
export function letterAt(text: string, byte: number): number {
  let at = 0;
  for (let bytes = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > byte) break;
    at += code < 0x10000 ? 1 : 2;
  }
  return at;
}

/** bytesOf is how much of the body parts hold. */
export function bytesOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + part.to - part.from, 0);
}

/** keptOf is what stays of parts of which there are too many: those at the end or at the beginning. */
export function keptOf(parts: readonly Part[], most: number, side: "first" | "last"): Part[] {
  const kept = [...parts];
  while (kept.length > 1 && bytesOf(kept) > most) {
    if (side === "first") kept.pop();
    else kept.shift();
  }
  return kept;
}
