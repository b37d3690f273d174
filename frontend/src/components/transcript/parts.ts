// Splits a text body of any size into parts, at line ends if possible. Only some of the parts need to be in the DOM at
// a time, but the user can get to all of them.

import type { BodyPart } from "../../bridge";
import { pieceBytes } from "../../state/actions";

/** A byte range of a body with its text. */
export interface Part {
  from: number;
  to: number;
  text: string;
}

/** Loads a range of the body's bytes or, if `limit` is 0, only the size of the body. */
export type Range = (offset: number, limit: number) => Promise<BodyPart>;

const decoder = new TextDecoder();
const newline = 10;

/** isContinuation reports whether a byte is a UTF-8 continuation byte. */
const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Maximum size of a UTF-8 character in bytes. */
const maxCharBytes = 4;

/**
 * partBefore returns the part that ends at the byte offset `at`. It starts at the start of a line or, in a long line,
 * at the start of a UTF-8 character.
 */
export async function partBefore(range: Range, at: number): Promise<Part> {
  const from = Math.max(0, at - pieceBytes);
  const { bytes } = await range(from, at - from);
  let cut = 0;
  if (from > 0) {
    cut = bytes.indexOf(newline) + 1;
    if (cut === 0 || cut > bytes.length / 2) {
      cut = 0;
      while (cut < maxCharBytes - 1 && isContinuation(bytes[cut])) cut++;
    }
  }
  return { from: from + cut, to: from + bytes.length, text: decoder.decode(bytes.subarray(cut)) };
}

/** partAfter returns the part that starts at the byte offset `at`, and the size of the whole body. */
export async function partAfter(range: Range, at: number): Promise<{ part: Part; size: number }> {
  const { bytes, size } = await range(at, pieceBytes);
  let cut = bytes.length;
  if (at + cut < size) {
    cut = bytes.lastIndexOf(newline) + 1;
    if (cut < bytes.length / 2) {
      cut = bytes.length;
      for (let back = 1; back < maxCharBytes && back < cut; back++) {
        const byte = bytes[cut - back] ?? 0;
        if (isContinuation(byte)) continue;
        if (byte >= 0xc0) cut -= back;
        break;
      }
    }
  }
  return { part: { from: at, to: at + cut, text: decoder.decode(bytes.subarray(0, cut)) }, size };
}

/** Number of bytes shown before a target byte. */
const bytesBefore = 8 * 1024;

/**
 * partAround returns a part that contains the byte at offset `at` and some text before it, and the size
 * of the whole body.
 */
export async function partAround(range: Range, at: number): Promise<{ part: Part; size: number }> {
  const from = Math.max(0, at - bytesBefore);
  if (from === 0) return partAfter(range, 0);
  const { bytes } = await range(from, at - from);
  let cut = bytes.indexOf(newline) + 1;
  if (cut === 0) while (isContinuation(bytes[cut])) cut++;
  return partAfter(range, from + cut);
}

/** charAt returns the index of the character that contains a UTF-8 byte offset. */
export function charAt(text: string, byte: number): number {
  let at = 0;
  for (let bytes = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > byte) break;
    at += code < 0x10000 ? 1 : 2;
  }
  return at;
}

/** bytesOf returns the total size of parts in bytes. */
export function bytesOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + part.to - part.from, 0);
}

/**
 * trimParts drops parts until at most `most` bytes remain. It keeps the first or the last parts,
 * depending on `side`, and always at least one.
 */
export function trimParts(parts: readonly Part[], most: number, side: "first" | "last"): Part[] {
  const kept = [...parts];
  while (kept.length > 1 && bytesOf(kept) > most) {
    if (side === "first") kept.pop();
    else kept.shift();
  }
  return kept;
}
