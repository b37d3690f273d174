// The token before the caret: a file after "@", or a command after "/".

import { endsInName, mentionPath, mentionsOf } from "../../state/composer";
import type { Attachment, Choice } from "../../state/types";

/** Token is the text to complete, from its prefix character to the caret. */
export interface Token {
  kind: "file" | "command";
  /** The text between the prefix character and the caret. */
  typed: string;
  from: number;
  to: number;
}

/** Maximum length of a path to complete, in characters. */
const maxPath = 300;

/** tokenAt returns the token at the caret, or undefined for plain text. */
export function tokenAt(text: string, caret: number): Token | undefined {
  const before = text.slice(Math.max(0, caret - maxPath), caret);
  if (caret <= maxPath && /^\/\S*$/.test(before)) {
    return { kind: "command", typed: before.slice(1), from: 0, to: caret };
  }
  const typed = /@([^\s@]*)$/.exec(before);
  // In an email address, the "@" follows a word.
  if (!typed || endsInName(before.slice(0, typed.index))) return undefined;
  return { kind: "file", typed: typed[1] ?? "", from: caret - typed[0].length, to: caret };
}

/**
 * matchingCommands returns the commands that match the typed text. Commands whose names start with the text
 * come before commands whose names only contain it. Within each of these groups, recently used commands come
 * first.
 */
export function matchingCommands(
  commands: Choice[],
  typed: string,
  recent: readonly string[] = [],
): Choice[] {
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

/** highlightsOf returns the ranges to highlight in `text`: the token at the caret, and mentions. */
export function highlightsOf(
  text: string,
  token: Token | undefined,
  attachments: readonly Attachment[],
  folder: string,
): { from: number; to: number }[] {
  const marks = attachments
    .filter((one) => one.kind === "mention")
    .flatMap((one) => mentionsOf(text, mentionPath(one, folder)));
  const isCovered = token && marks.some((mark) => mark.from <= token.from && token.from < mark.to);
  return token && !isCovered ? [...marks, { from: token.from, to: token.to }] : marks;
}
