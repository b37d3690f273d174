// Parses command output into colored runs. Escape sequences other than colors (cursor, titles, links) are
// dropped: they have no meaning on a static page.

import Anser from "anser";

/** A run of output with one style. */
export interface Run {
  text: string;
  /** CSS classes from styles/output.css, or "" for plain text. */
  class: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it must match.
const operatingSystem = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it must match.
const otherThanColor = /\u001b(?:\[[0-9;?=>!]*[ -/]*[@-ln-~]|[()*+][A-Za-z0-9]|[=>78cDEHMNOZ])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it must match.
const controls = /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f]/g;

/**
 * overwritten returns the last non-empty text between a line's carriage returns, which is roughly the
 * text that a terminal shows.
 */
function overwritten(line: string): string {
  if (!line.includes("\r")) return line;
  const parts = line.split("\r").filter((part) => part !== "");
  return parts.at(-1) ?? "";
}

/**
 * plainOutput removes overwritten text, ASCII control characters other than tabs and line feeds, and all escape
 * sequences except those for colors.
 */
export function plainOutput(output: string): string {
  return output
    .replace(operatingSystem, "")
    .replace(otherThanColor, "")
    .split("\n")
    .map(overwritten)
    .join("\n")
    .replace(controls, "");
}

/** Maximum number of colored runs; each run is a DOM node. */
export const maxRuns = 4000;

/** parseAnsi splits output into runs of one style. */
export function parseAnsi(output: string): Run[] {
  const text = plainOutput(output);
  if (!text.includes("\u001b")) return text === "" ? [] : [{ text, class: "" }];
  const entries = Anser.ansiToJson(text, { json: true, remove_empty: true, use_classes: true });
  const runs = entries.slice(0, maxRuns).map((entry) => {
    const classes: string[] = [];
    const color = /^ansi-(?:bright-)?(black|red|green|yellow|blue|magenta|cyan|white)$/.exec(entry.fg ?? "");
    if (color) classes.push(`a-${color[1]}`);
    for (const decoration of entry.decorations ?? []) {
      if (["bold", "dim", "italic", "underline", "strikethrough"].includes(decoration)) {
        classes.push(`a-${decoration}`);
      }
    }
    return { text: entry.content, class: classes.join(" ") };
  });
  if (entries.length > maxRuns) {
    const rest = entries.slice(maxRuns).map((entry) => entry.content);
    runs.push({ text: rest.join(""), class: "" });
  }
  return runs;
}

/**
 * hasLongLine reports whether `text` contains a line with more than longLineChars characters. Such a line is too long
 * to read by scrolling horizontally.
 */
export function hasLongLine(text: string): boolean {
  for (let at = 0; at + longLineChars < text.length; ) {
    const end = text.indexOf("\n", at);
    if (end < 0 || end - at > longLineChars) return true;
    at = end + 1;
  }
  return false;
}

const longLineChars = 5000;

/** tailLines returns the last `max` lines of a text, and the total number of lines in the text. */
export function tailLines(text: string, max: number): { text: string; lines: number } {
  const lines = text.replace(/\n$/, "").split("\n");
  if (lines.length <= max) return { text, lines: lines.length };
  return { text: lines.slice(-max).join("\n"), lines: lines.length };
}
