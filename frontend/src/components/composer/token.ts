// What the text before the caret asks for: a file after "@", or a command of
// the agent after "/".

import { isWord, placesOf, written } from "../../state/composer";
import type { Attachment, Choice } from "../../state/types";

/** A token is what a list completes: from its sign to the caret. */
export interface Token {
  kind: "file" | "command";
  /** What is typed after the sign, up to the caret. */
  typed: string;
  from: number;
  to: number;
}

/** Nothing longer than this is the beginning of a path. */
const longest = 300;

/** tokenAt is what stands at the caret; undefined where that is plain text. */
export function tokenAt(text: string, caret: number): Token | undefined {
  const before = text.slice(Math.max(0, caret - longest), caret);
  if (caret <= longest && /^\/\S*$/.test(before)) {
    return { kind: "command", typed: before.slice(1), from: 0, to: caret };
  }
  const typed = /@([^\s@]*)$/.exec(before);
  // The "@" of an address comes after a word.
  if (!typed || isWord(before.slice(0, typed.index))) return undefined;
  return { kind: "file", typed: typed[1] ?? "", from: caret - typed[0].length, to: caret };
}

/**
 * matching are the commands for what is typed: names that begin with it come
 * before those that hold it, and of either the ones used last come first.
 */
export function matching(commands: Choice[], typed: string, recent: readonly string[] = []): Choice[] {
  const wanted = typed.toLowerCase();
  const rank = ({ id }: Choice) => {
    const used = recent.indexOf(id);
    return (id.toLowerCase().startsWith(wanted) ? 0 : 1000) + (used < 0 ? 500 : used);
  };
  return commands
    .filter(({ id }) => id.toLowerCase().includes(wanted))
    .map((command, at) => ({ command, at, rank: rank(command) }))
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .map(({ command }) => command);
}

/** marksOf are the places of a text that have a colour of their own: the token at the caret, and what is mentioned. */
export function marksOf(
  text: string,
  token: Token | undefined,
  attachments: readonly Attachment[],
  folder: string,
): { from: number; to: number }[] {
  const marks = attachments
    .filter((one) => one.kind === "mention")
    .flatMap((one) => placesOf(text, written(one, folder)));
  const isCovered = token && marks.some((mark) => mark.from <= token.from && token.from < mark.to);
  return token && !isCovered ? [...marks, { from: token.from, to: token.to }] : marks;
}
