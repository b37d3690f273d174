// The parts of a plan in Markdown: its steps, which are the items of its lists, and the text around them.

/** A step or another block of a plan. */
export interface PlanPart {
  /** Unique within the plan, and kept when the part is edited or moved. */
  id: number;
  kind: "step" | "text";
  /** The marker of a step's list: "-", "*", "+", "." or ")". The last two are numbered. "" for text. */
  marker: string;
  /** The Markdown, without the marker. Further lines of a step aren't indented. */
  text: string;
  /** Number of blank lines before the part. */
  blank: number;
  /** The user's comment, or "". */
  comment: string;
}

/** Maximum number of parts that are shown one by one. A longer plan is shown as text. */
export const maxParts = 300;

const item = /^( {0,1})(?:([-*+])|\d{1,9}([.)]))( +|$)(.*)$/;
const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}#{1,6}(?:\s|$)/;

/** parsePlan splits a plan into its parts. Comments of parts with the same text in `before` are kept. */
export function parsePlan(text: string, before: readonly PlanPart[] = []): PlanPart[] {
  const parts: PlanPart[] = [];
  let next = Math.max(-1, ...before.map(({ id }) => id)) + 1;
  let width = 0; // of the indentation of the current step's further lines
  let blank = 0;
  let open = ""; // the fence of the code block that contains the line
  const add = (kind: PlanPart["kind"], marker: string, line: string) => {
    parts.push({ id: next++, kind, marker, text: line, blank: parts.length > 0 ? blank : 0, comment: "" });
    blank = 0;
  };
  const append = (part: PlanPart, line: string) => {
    part.text += "\n".repeat(blank + 1) + line;
    blank = 0;
  };
  for (const line of text.split("\n")) {
    const last = parts.at(-1);
    const indent = line.length - line.trimStart().length;
    const outdented = line.slice(Math.min(indent, width));
    if (open !== "" && last) {
      append(last, last.kind === "step" ? outdented : line);
      if (outdented.trim().startsWith(open) && /^[`~]+$/.test(outdented.trim())) open = "";
      continue;
    }
    if (line.trim() === "") {
      blank++;
      continue;
    }
    const found = item.exec(line);
    const belongs = last?.kind === "step" && indent >= 2;
    if (belongs) append(last, outdented);
    else if (found) {
      const marker = found[2] ?? found[3] ?? "-";
      width = line.length - (found[5] ?? "").length;
      add("step", marker, found[5] ?? "");
    } else if (last && blank === 0 && !heading.test(line) && !heading.test(last.text))
      append(last, line.trimEnd());
    else {
      width = 0;
      add("text", "", line.trimEnd());
    }
    open = fence.exec(belongs ? outdented : (found?.[5] ?? line))?.[1] ?? "";
  }
  for (const part of parts) {
    const same = before.find((each) => each.comment && each.kind === part.kind && each.text === part.text);
    if (same) part.comment = same.comment;
  }
  return parts;
}

const isNumbered = (part: PlanPart) => part.marker === "." || part.marker === ")";

/** numbersOf returns the number of each part: of a step, its position in its list; of text, 0. */
export function numbersOf(parts: readonly PlanPart[]): number[] {
  let n = 0;
  return parts.map((part, at) => {
    n = part.kind === "step" ? (parts[at - 1]?.kind === "step" ? n + 1 : 1) : 0;
    return n;
  });
}

/** stepCount returns the number of steps. */
export const stepCount = (parts: readonly PlanPart[]) => parts.filter(({ kind }) => kind === "step").length;

/** blankBefore returns the number of blank lines that Markdown needs before a part. */
function blankBefore(before: PlanPart | undefined, part: PlanPart): number {
  if (!before) return 0;
  const apart =
    before.kind !== part.kind ||
    (part.kind === "text" && !heading.test(part.text) && !heading.test(before.text));
  return Math.max(part.blank, apart ? 1 : 0);
}

/** joinPlan returns the Markdown of the parts, and the number of the first line of each. Lines are counted from 1. */
export function joinPlan(parts: readonly PlanPart[]): { text: string; lines: number[] } {
  const out: string[] = [];
  const numbers = numbersOf(parts);
  const lines = parts.map((part, at) => {
    for (let i = blankBefore(parts[at - 1], part); i > 0; i--) out.push("");
    const from = out.length + 1;
    const mark = isNumbered(part) ? `${numbers[at]}${part.marker} ` : part.marker ? `${part.marker} ` : "";
    const indent = " ".repeat(mark.length);
    part.text.split("\n").forEach((line, n) => {
      out.push(n === 0 ? mark + line : line === "" ? "" : indent + line);
    });
    return from;
  });
  return { text: out.join("\n"), lines };
}

/**
 * planTextOf returns the Markdown of the parts like joinPlan, but exactly the original text if the user has changed
 * nothing.
 */
export function planTextOf(original: string, parts: readonly PlanPart[]): { text: string; lines: number[] } {
  const made = joinPlan(parts);
  const first = parsePlan(original);
  if (joinPlan(first).text !== made.text) return made;
  // The lines of the parts in the original: a part starts with its own first line.
  const all = original.split("\n");
  let from = 0;
  const lines = first.map((part) => {
    const head = part.text.split("\n", 1)[0] ?? "";
    const at = all.findIndex((line, n) => n >= from && line.trim() !== "" && line.includes(head));
    from = at + 1;
    return at + 1;
  });
  return lines.includes(0) ? made : { text: original, lines };
}
