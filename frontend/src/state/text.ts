// A text that grows by appending. It is kept in chunks of a bounded size, so
// that a piece that comes in copies one chunk and never the whole.

/** How many letters (UTF-16 units) a chunk has at most. */
export const chunkLetters = 4096;

/** The text of an item, as far as it is here. */
export interface TextState {
  /** All but the last are full. */
  chunks: string[];
  /** How many bytes of UTF-8 are here, from the start. */
  known: number;
  /** The size of the whole text in bytes: more than known where some is to be pulled. */
  size: number;
}

/** newText is a text of which nothing is known. */
export function newText(): TextState {
  return { chunks: [], known: 0, size: 0 };
}

const isLow = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** append puts a piece at the end of the chunks; a letter of two units stays in one chunk. */
export function append(chunks: string[], piece: string): void {
  let rest = piece;
  const last = chunks.at(-1);
  if (last !== undefined && last.length < chunkLetters - 1) {
    const cut = endOf(rest, chunkLetters - last.length);
    chunks[chunks.length - 1] = last + rest.slice(0, cut);
    rest = rest.slice(cut);
  }
  while (rest !== "") {
    const cut = endOf(rest, chunkLetters);
    chunks.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
}

function endOf(text: string, most: number): number {
  return most < text.length && isLow(text, most) ? most - 1 : Math.min(most, text.length);
}

/** wholeOf is the text in one piece: for what a user asks for once, like a copy. */
export function wholeOf(text: TextState | undefined): string {
  return text?.chunks.join("") ?? "";
}

/** lengthOf is how many letters of a text are here. */
export function lengthOf(text: TextState | undefined): number {
  const chunks = text?.chunks ?? [];
  // Full chunks may be one letter short of full; whoever asks wants to guess a height.
  return Math.max(0, chunks.length - 1) * chunkLetters + (chunks.at(-1)?.length ?? 0);
}

/** beginsWith says whether a text begins with a short one. */
export function beginsWith(text: TextState | undefined, start: string): boolean {
  return text?.chunks[0]?.startsWith(start) ?? false;
}

/** chunkWith is the number of the chunk in which a text is found first; 0 where it is nowhere. */
export function chunkWith(chunks: string[], find: string): number {
  const low = find.toLowerCase();
  const at = chunks.findIndex((chunk, i) => {
    const over = (chunks[i + 1] ?? "").slice(0, low.length - 1);
    return low !== "" && (chunk + over).toLowerCase().includes(low);
  });
  return Math.max(0, at);
}
