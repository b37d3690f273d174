// Parses a unified diff into rows, for one column or side by side, with syntax highlighting and marks on
// changed words.

import { type CodeRun, highlight, languageOf } from "./highlight";

/**
 * A row of a diff. `number` is the line number: in the old file for a removed line, otherwise in the new file. It is 0
 * for a hunk header.
 */
export interface DiffRow {
  kind: "head" | "same" | "add" | "del";
  number: number;
  /** The old line number of an unchanged line, if different. */
  before?: number;
  text: string;
  /** The hunk that starts at this header; set only if parseDiff was called with `hunks`. */
  hunk?: DiffHunk;
  /** Whether the row continues the row above, because their line was too long for one row. */
  rest?: boolean;
}

/** A hunk: its index in the diff, and the numbers of its first and last lines in the new file. */
export interface DiffHunk {
  index: number;
  from: number;
  to: number;
}

/** Maximum length of a row in UTF-16 units; longer ones would block the page. */
export const maxPiece = 2000;

/** pieces splits each line that is too long for one row into several rows. */
export function pieces(rows: DiffRow[]): DiffRow[] {
  if (rows.every((row) => row.text.length <= maxPiece)) return rows;
  return rows.flatMap((row) => {
    const out: DiffRow[] = [];
    for (let at = 0; at < row.text.length || at === 0; ) {
      const end = pieceEnd(row.text, at + maxPiece);
      out.push({ ...row, text: row.text.slice(at, end), ...(at > 0 && { rest: true }) });
      at = end;
    }
    return out;
  });
}

/**
 * pieceEnd returns the index at which to cut `text`: `at` or, if a cut there would split a surrogate pair, `at + 1`.
 */
export function pieceEnd(text: string, at: number): number {
  const inside = /[\uD800-\uDBFF]/.test(text[at - 1] ?? "") && at < text.length;
  return inside ? at + 1 : at;
}

const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?([\s\S]*)$/;

/**
 * parseDiff parses a unified diff of one file. It omits lines outside of hunks (file names, "No newline at end of
 * file"). If a hunk is truncated, the result contains its available rows. If `hunks` is true, each hunk starts with a
 * header row.
 */
export function parseDiff(text: string, hunks = false): DiffRow[] {
  const rows: DiffRow[] = [];
  let [before, after, oldLeft, newLeft, index] = [0, 0, 0, 0, 0];
  for (const line of text.split("\n")) {
    const hunk = oldLeft > 0 || newLeft > 0 ? null : head.exec(line);
    if (hunk) {
      before = Number(hunk[1]);
      after = Number(hunk[3]);
      oldLeft = Number(hunk[2] ?? 1);
      newLeft = Number(hunk[4] ?? 1);
      const where = hunk[5] ?? "";
      if (hunks) {
        const to = Math.max(after, after + newLeft - 1);
        rows.push({ kind: "head", number: 0, text: where, hunk: { index: index++, from: after, to } });
        continue;
      }
      // The first hunk needs no header unless it has a section name.
      if (where !== "" || rows.length > 0) rows.push({ kind: "head", number: 0, text: where });
      continue;
    }
    if (oldLeft <= 0 && newLeft <= 0) continue;
    const body = line.slice(1);
    switch (line[0]) {
      case "+":
        rows.push({ kind: "add", number: after++, text: body });
        newLeft--;
        break;
      case "-":
        rows.push({ kind: "del", number: before++, text: body });
        oldLeft--;
        break;
      case "\\":
        break;
      default:
        // An empty context line might have lost its leading space.
        rows.push({ kind: "same", number: after, ...(before === after ? {} : { before }), text: body });
        after++;
        before++;
        oldLeft--;
        newLeft--;
    }
  }
  return rows;
}

/** hunksOf returns the hunks of a unified diff, each as a separate diff. */
export function hunksOf(text: string): string[] {
  const hunks: string[] = [];
  let [names, oldLeft, newLeft] = ["", 0, 0];
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const isInside = oldLeft > 0 || newLeft > 0;
    const hunk = isInside ? null : head.exec(line.replace(/\n$/, ""));
    if (hunk) {
      oldLeft = Number(hunk[2] ?? 1);
      newLeft = Number(hunk[4] ?? 1);
      hunks.push(names + line);
    } else if (isInside || (line.startsWith("\\") && hunks.length > 0)) {
      hunks[hunks.length - 1] += line;
      if (line.startsWith("\\")) continue;
      if (!line.startsWith("+")) oldLeft--;
      if (!line.startsWith("-")) newLeft--;
    } else if (line.startsWith("--- ")) {
      names = line;
    } else if (line.startsWith("+++ ")) {
      names += line;
    }
  }
  return hunks;
}

/**
 * A row of a side-by-side diff: the old row and the new row. For a header or an unchanged line, both are the same row.
 */
export interface DiffPair {
  old?: DiffRow;
  new?: DiffRow;
}

/** splitDiff pairs removed lines with the lines that replaced them, for a side-by-side diff. */
export function splitDiff(rows: DiffRow[]): DiffPair[] {
  const pairs: DiffPair[] = [];
  for (let at = 0; at < rows.length; ) {
    const row = rows[at] as DiffRow;
    if (row.kind === "head" || row.kind === "same") {
      pairs.push({ old: row, new: row });
      at++;
      continue;
    }
    const { dels, adds, end } = changeAt(rows, at);
    for (let i = 0; i < Math.max(dels.length, adds.length); i++) pairs.push({ old: dels[i], new: adds[i] });
    at = end;
  }
  return pairs;
}

function changeAt(rows: DiffRow[], from: number): { dels: DiffRow[]; adds: DiffRow[]; end: number } {
  let at = from;
  const take = (kind: DiffRow["kind"]) => {
    const begin = at;
    while (rows[at]?.kind === kind) at++;
    return rows.slice(begin, at);
  };
  const dels = take("del");
  const adds = take("add");
  return { dels, adds, end: at };
}

/** partners maps each changed row of a side-by-side diff to the row that it is paired with. */
export function partners(pairs: DiffPair[]): Map<DiffRow, DiffRow> {
  const beside = new Map<DiffRow, DiffRow>();
  for (const pair of pairs) {
    if (!pair.old || !pair.new || pair.old === pair.new) continue;
    beside.set(pair.old, pair.new);
    beside.set(pair.new, pair.old);
  }
  return beside;
}

/** A changed range of a line, in UTF-16 units. */
export type Range = readonly [from: number, to: number];

const tokens = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;
/** Lines with more tokens than this get no marks: the comparison is quadratic in the number of tokens. */
const maxTokens = 200;
/** Minimum share of text that two lines must have in common for their differences to be marked. */
const minShared = 0.4;

/**
 * changedWords returns the ranges of `line` that differ from `partner`. It returns no ranges if the two lines have too
 * little in common or are too long to compare.
 */
export function changedWords(line: string, partner: string): Range[] {
  if (line.length > maxTokens * 10 || partner.length > maxTokens * 10) return [];
  const mine = line.match(tokens) ?? [];
  const other = partner.match(tokens) ?? [];
  if (mine.length > maxTokens || other.length > maxTokens) return [];
  // common[i * width + j] is the length of the longest common subsequence of `mine` from i on and `other`
  // from j on.
  const width = other.length + 1;
  const common = new Uint16Array((mine.length + 1) * width);
  for (let i = mine.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      common[i * width + j] =
        mine[i] === other[j]
          ? (common[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
    }
  }
  const ranges: [number, number][] = [];
  let [at, shared, i, j] = [0, 0, 0, 0];
  while (i < mine.length) {
    const token = mine[i] as string;
    if (j < other.length && token === other[j]) {
      if (token.trim() !== "") shared += token.length;
      i++;
      j++;
    } else if (j < other.length && (common[i * width + j + 1] ?? 0) > (common[(i + 1) * width + j] ?? 0)) {
      j++;
      continue;
    } else {
      const last = ranges.at(-1);
      if (last && last[1] === at) last[1] = at + token.length;
      else ranges.push([at, at + token.length]);
      i++;
    }
    at += token.length;
  }
  const length = (text: string) => text.replace(/\s+/g, "").length;
  return shared >= minShared * Math.max(length(line), length(partner)) ? ranges : [];
}

/** A run of a rendered diff line. */
export interface DiffRun extends CodeRun {
  marked: boolean;
}

/** markedRuns splits the runs of a line at the edges of `marks`. */
export function markedRuns(runs: CodeRun[], marks: Range[]): DiffRun[] {
  const out: DiffRun[] = [];
  let at = 0;
  let mark = 0;
  for (const run of runs) {
    const end = at + run.text.length;
    let from = at;
    while (from < end) {
      while ((marks[mark]?.[1] ?? Number.POSITIVE_INFINITY) <= from) mark++;
      const [begins, ends] = marks[mark] ?? [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      const isMarked = begins <= from;
      const to = Math.min(end, isMarked ? ends : begins);
      out.push({ text: run.text.slice(from - at, to - at), class: run.class, marked: isMarked });
      from = to;
    }
    at = end;
  }
  return out;
}

/**
 * highlightDiff returns the highlighted runs of each row. It tokenizes the old text and the new text
 * separately, each as a whole, so that a multi-line comment stays a comment. It returns undefined if the
 * language is unknown or the diff is too long.
 */
export async function highlightDiff(
  rows: DiffRow[],
  path: string,
): Promise<(CodeRun[] | undefined)[] | undefined> {
  const language = languageOf(path);
  if (language === "") return undefined;
  const out: (CodeRun[] | undefined)[] = [];
  for (const kind of ["del", "add"] as const) {
    const mine = rows.flatMap((row, at) => (row.kind === kind || row.kind === "same" ? [at] : []));
    const lines = await highlight(mine.map((at) => rows[at]?.text ?? "").join("\n"), language);
    if (!lines) return undefined;
    mine.forEach((at, line) => {
      out[at] = lines[line];
    });
  }
  return out;
}
