// Splits command output into lines that can be rendered separately. Each line carries the color sequences
// that are active at its start.

import { plainOutput } from "./ansi";

export interface OutputLine {
  text: string;
  /** The color sequences active at the start of the line. */
  carried: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it must match.
const colors = /\u001b\[[0-9;:]*m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it must match.
const reset = /^\u001b\[0*m$/;

/**
 * Maximum number of color sequences carried over to the next line: output that never resets its colors
 * would accumulate all of them.
 */
const maxCarried = 12;

/** outputLines splits output into lines. A trailing newline doesn't start another line. */
export function outputLines(output: string): OutputLine[] {
  const text = plainOutput(output).replace(/\n$/, "");
  if (text === "") return [];
  let active: string[] = [];
  return text.split("\n").map((line) => {
    const carried = active.join("");
    if (line.includes("\u001b")) {
      for (const [sequence] of line.matchAll(colors)) {
        active = reset.test(sequence) ? [] : [...active, sequence].slice(-maxCarried);
      }
    }
    return { text: line, carried };
  });
}

/** withoutColors returns output as plain text, for the clipboard. */
export function withoutColors(output: string): string {
  return plainOutput(output).replace(colors, "");
}
