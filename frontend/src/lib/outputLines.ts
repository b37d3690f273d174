// Splits command output into lines that can be rendered separately: each carries the color sequences
// active at its start.

import { plainOutput } from "./ansi";

export interface OutputLine {
  text: string;
  /** The sequences active at its start. */
  before: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for.
const colours = /\u001b\[[0-9;:]*m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for.
const reset = /^\u001b\[0*m$/;

/** Maximum number of carried sequences: a program that never resets would accumulate all. */
const mostCarried = 12;

/** outputLines splits output into lines. A trailing newline doesn't start another line. */
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

/** withoutColours returns output as plain text, for the clipboard. */
export function withoutColours(output: string): string {
  return plainOutput(output).replace(colours, "");
}
