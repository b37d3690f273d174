// Output of a command as lines that can be drawn one by one: each knows the
// colours that were switched on before it began.

import { plainOutput } from "./ansi";

export interface OutputLine {
  text: string;
  /** The sequences that are in force where it begins. */
  before: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for.
const colours = /\u001b\[[0-9;:]*m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for.
const reset = /^\u001b\[0*m$/;

/** The most sequences that are carried on: a program that never resets would carry all. */
const mostCarried = 12;

/** outputLines splits output into its lines. A newline at the end begins no line of its own. */
export function outputLines(output: string): OutputLine[] {
  const text = plainOutput(output).replace(/\n$/, "");
  if (text === "") return [];
  let carried: string[] = [];
  return text.split("\n").map((line) => {
    const before = carried.join("");
    if (line.includes("\u001b")) {
      for (const [sequence] of line.matchAll(colours)) {
        carried = reset.test(sequence) ? [] : [...carried, sequence].slice(-mostCarried);
      }
    }
    return { text: line, before };
  });
}

/** withoutColours is output as plain text, for the clipboard. */
export function withoutColours(output: string): string {
  return plainOutput(output).replace(colours, "");
}
