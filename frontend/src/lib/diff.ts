// A unified diff as rows to draw.

/** A row of a diff. Number is the line in the file it belongs to, 0 for a hunk's head. */
export interface DiffRow {
  kind: "head" | "same" | "add" | "del";
  number: number;
  text: string;
}

const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

/**
 * parseDiff reads a unified diff of one file. Lines that belong to no hunk
 * (file names, "No newline at end of file") are left out. A hunk that was cut
 * short gives the rows that are there.
 */
export function parseDiff(text: string): DiffRow[] {
  const rows: DiffRow[] = [];
  let [before, after, oldLeft, newLeft] = [0, 0, 0, 0];
  for (const line of text.split("\n")) {
    const hunk = oldLeft > 0 || newLeft > 0 ? null : head.exec(line);
    if (hunk) {
      before = Number(hunk[1]);
      after = Number(hunk[3]);
      oldLeft = Number(hunk[2] ?? 1);
      newLeft = Number(hunk[4] ?? 1);
      const where = hunk[5] ?? "";
      // The first lines of a file need no head that says so.
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
        // An empty context line may have lost its space on the way.
        rows.push({ kind: "same", number: after++, text: body });
        before++;
        oldLeft--;
        newLeft--;
    }
  }
  return rows;
}
