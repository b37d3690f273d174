// Append-only text, stored in chunks of bounded size, so that appending copies one chunk, never the whole
// text.

/** Maximum size of a chunk, in UTF-16 units. */
export const chunkChars = 4096;

/** The loaded text of an item. */
export interface TextState {
  /** All chunks except the last are full. */
  chunks: string[];
  /** Number of loaded UTF-8 bytes, from the start. */
  known: number;
  /** Size of the whole text in bytes. If it is greater than `known`, the rest must be pulled. */
  size: number;
}

/** newText returns the state of an empty text. */
export function newText(): TextState {
  return { chunks: [], known: 0, size: 0 };
}

const isLow = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** append adds a piece to the chunks; surrogate pairs aren't split. */
export function append(chunks: string[], piece: string): void {
  let rest = piece;
  const last = chunks.at(-1);
  if (last !== undefined && last.length < chunkChars - 1) {
    const cut = endOf(rest, chunkChars - last.length);
    chunks[chunks.length - 1] = last + rest.slice(0, cut);
    rest = rest.slice(cut);
  }
  while (rest !== "") {
    const cut = endOf(rest, chunkChars);
    chunks.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
}

function endOf(text: string, most: number): number {
  return most < text.length && isLow(text, most) ? most - 1 : Math.min(most, text.length);
}

/**
 * wholeOf returns the text as one string. It is meant for occasional actions of the user, such as copying.
 */
export function wholeOf(text: TextState | undefined): string {
  return text?.chunks.join("") ?? "";
}

/** lengthOf returns the approximate number of loaded UTF-16 units of a text. */
export function lengthOf(text: TextState | undefined): number {
  const chunks = text?.chunks ?? [];
  // Full chunks may be one unit short; callers only estimate a height.
  return Math.max(0, chunks.length - 1) * chunkChars + (chunks.at(-1)?.length ?? 0);
}

/** beginsWith reports whether a text starts with a short string. */
export function beginsWith(text: TextState | undefined, start: string): boolean {
  return text?.chunks[0]?.startsWith(start) ?? false;
}

/**
 * chunkWith returns the index of the first chunk in which the text `find` starts, ignoring case, or 0 if
 * `find` doesn't occur.
 */
export function chunkWith(chunks: string[], find: string): number {
  const low = find.toLowerCase();
  const at = chunks.findIndex((chunk, i) => {
    const over = (chunks[i + 1] ?? "").slice(0, low.length - 1);
    return low !== "" && (chunk + over).toLowerCase().includes(low);
  });
  return Math.max(0, at);
}
