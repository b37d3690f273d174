import { describe, expect, test } from "vitest";
import {
  context,
  FileRows,
  gapOf,
  hunksOf,
  type Insert,
  type OpenGap,
  type Row,
  type RowsInput,
} from "./reviewRows";
import type { ReviewBlock } from "./reviewTypes";

const heights = { line: 18, head: 28, tail: 26 };

/** random returns a deterministic generator of whole numbers below n, for a seed. */
function random(seed: number): (n: number) => number {
  let state = seed + 1;
  return (n) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % n;
  };
}

function randomInput(seed: number): RowsInput {
  const below = random(seed);
  const blocks: ReviewBlock[] = [];
  let [old, start] = [0, 0];
  for (let n = below(7); n > 0; n--) {
    const same = blocks.length === 0 ? below(12) : 1 + below(70);
    old += same;
    start += same;
    const counts = [below(6), below(6)] as const;
    const [oldCount, newCount] = counts[0] + counts[1] === 0 ? [0, 1] : counts;
    blocks.push([old, oldCount, start, newCount]);
    old += oldCount;
    start += newCount;
  }
  const rest = below(60);
  const opened = new Map<number, OpenGap>();
  for (let gap = 0; gap <= blocks.length; gap++)
    if (below(3) === 0) opened.set(gap, { down: below(40), up: below(40) });
  const inserts: Insert[] = Array.from({ length: below(5) }, (_, at) => {
    const side = below(2) === 0 ? ("old" as const) : ("new" as const);
    if (below(3) === 0) return { id: `i${at}`, hunk: below(blocks.length + 2) - 1, height: 10 + below(90) };
    return { id: `i${at}`, line: { side, at: below(Math.max(1, old + rest)) }, height: 10 + below(90) };
  });
  return {
    blocks,
    oldLines: old + rest,
    newLines: start + rest,
    split: below(2) === 0,
    opened,
    inserts,
    heights,
  };
}

type Naive = Pick<Row, "kind" | "old" | "new" | "hunk"> & { insert?: string; height: number };

/** naiveRows builds the list of rows one by one, for comparison with FileRows. */
function naiveRows(input: RowsInput): Naive[] {
  const rows: Naive[] = [];
  const { blocks, split, opened, inserts } = input;
  const hunks = hunksOf(blocks);
  const before = (gap: number, hunk: number) => {
    for (const each of inserts)
      if (each.hunk === gap)
        rows.push({ kind: "insert", old: -1, new: -1, hunk, insert: each.id, height: each.height });
  };
  const line = (kind: Row["kind"], old: number, now: number, hunk: number) => {
    rows.push({ kind, old, new: now, hunk, height: heights.line });
    const own = inserts.filter(({ line: at }) => at && at.at === (at.side === "old" ? old : now));
    for (const each of own)
      rows.push({ kind: "insert", old: -1, new: -1, hunk, insert: each.id, height: each.height });
  };
  const visible = (now: number) => {
    // A line is shown if it is near a change, or if it belongs to the expanded lines of a gap.
    for (let gap = 0; gap <= hunks.length; gap++) {
      const [from, to] = gapOf(input, hunks, gap);
      if (now < from || now >= to) continue;
      const { down, up } = opened.get(gap) ?? { down: 0, up: 0 };
      if (gap === hunks.length) return now < from + down + up;
      return now < from + down || now >= to - up;
    }
    return hunks.length > 0;
  };
  const isBelow = (now: number, gap: number) => {
    const [from] = gapOf(input, hunks, gap);
    const { down } = opened.get(gap) ?? { down: 0 };
    return now < from + down;
  };
  before(-1, -1);
  let [old, now, at] = [0, 0, 0];
  let hunk = -1;
  const head = () => {
    before(hunk + 1, hunk);
    hunk++;
    rows.push({ kind: "head", old: -1, new: -1, hunk, height: heights.head });
  };
  const nextHunk = () => {
    const block = hunks[hunk + 1];
    return block === undefined ? undefined : blocks[block];
  };
  while (hunks.length > 0 && (at < blocks.length || now < input.newLines)) {
    const block = blocks[at];
    const next = nextHunk();
    const [from, to] = gapOf(input, hunks, hunk + 1);
    const inGap = next !== undefined && now >= from && now < to;
    const isHeadDue =
      next && at === hunks[hunk + 1] && (now >= to || (inGap && !isBelow(now, hunk + 1) && visible(now)));
    if (isHeadDue && (now >= to || inGap)) head();
    if (block && now === block[2] && old === block[0]) {
      const [, oldCount, , newCount] = block;
      if (split)
        for (let i = 0; i < Math.max(oldCount, newCount); i++)
          line("pair", i < oldCount ? old + i : -1, i < newCount ? now + i : -1, hunk);
      else {
        for (let i = 0; i < oldCount; i++) line("del", old + i, -1, hunk);
        for (let i = 0; i < newCount; i++) line("add", -1, now + i, hunk);
      }
      old += oldCount;
      now += newCount;
      at++;
    } else {
      if (visible(now)) line("same", old, now, hunk);
      old++;
      now++;
    }
  }
  if (hunks.length > 0) {
    const [from, to] = gapOf(input, hunks, hunks.length);
    const { down, up } = opened.get(hunks.length) ?? { down: 0, up: 0 };
    if (from + down + up < to)
      rows.push({ kind: "tail", old: -1, new: -1, hunk: hunks.length - 1, height: heights.tail });
  }
  before(hunks.length, hunks.length - 1);
  return rows;
}

const plain = ({ kind, old, new: now, hunk, insert }: Row) => ({
  kind,
  old,
  new: now,
  hunk,
  insert: insert?.id,
});

describe("the rows of a file", () => {
  test("are the same as those of a list that is built line by line", () => {
    for (let seed = 0; seed < 200; seed++) {
      const input = randomInput(seed);
      const rows = new FileRows(input);
      const naive = naiveRows(input);
      const all = Array.from({ length: rows.count }, (_, at) => plain(rows.row(at)));
      expect(all, `seed ${seed}`).toEqual(
        naive.map(({ height: _, ...row }) => ({ insert: undefined, ...row })),
      );
      let y = 0;
      const places = naive.map((row) => {
        const top = y;
        y += row.height;
        return [top, y];
      });
      expect(naive.map((_, at) => rows.top(at))).toEqual(places.map(([top]) => top));
      expect(places.map(([top = 0]) => rows.rowAt(top))).toEqual(naive.map((_, at) => at));
      expect(places.map(([, end = 0]) => rows.rowAt(end - 1))).toEqual(naive.map((_, at) => at));
      expect(rows.height).toBe(y);
    }
  });

  test("are found by their lines, and hidden lines aren't", () => {
    for (let seed = 0; seed < 120; seed++) {
      const input = randomInput(seed);
      const rows = new FileRows(input);
      const naive = naiveRows(input);
      for (const side of ["old", "new"] as const) {
        const count = side === "old" ? input.oldLines : input.newLines;
        const lines = Array.from({ length: count }, (_, line) => line);
        expect(
          lines.map((line) => rows.rowOf(side, line)),
          `seed ${seed} ${side}`,
        ).toEqual(lines.map((line) => naive.findIndex((row) => row[side] === line)));
      }
      rows.hunks.forEach((_, hunk) => {
        expect(rows.headOf(hunk)).toBe(naive.findIndex((row) => row.kind === "head" && row.hunk === hunk));
      });
      for (const { id } of input.inserts)
        expect(rows.insertRow(id)).toBe(naive.findIndex((row) => row.insert === id));
    }
  });

  test("hide as many lines as are missing", () => {
    for (let seed = 0; seed < 120; seed++) {
      const input = randomInput(seed);
      if (input.blocks.length === 0) continue;
      const rows = new FileRows(input);
      let hidden = 0;
      for (let gap = 0; gap <= rows.hunks.length; gap++) hidden += rows.hidden(gap);
      const shown = naiveRows(input).filter((row) => row.new >= 0).length;
      expect(shown + hidden, `seed ${seed}`).toBe(input.newLines);
    }
  });

  test("move by the heights that were measured", () => {
    for (let seed = 0; seed < 80; seed++) {
      const input = randomInput(seed);
      const rows = new FileRows(input);
      const naive = naiveRows(input);
      const below = random(seed + 1000);
      for (let n = 0; n < 20 && naive.length > 0; n++) {
        const at = below(naive.length);
        const row = naive[at] as Naive;
        row.height = heights.line + below(90);
        if (row.insert) rows.setInsertHeight(row.insert, row.height);
        else if (row.kind !== "head" && row.kind !== "tail") rows.setHeight(at, row.height);
        else row.height = heights[row.kind];
      }
      let y = 0;
      naive.forEach((row, at) => {
        expect(rows.top(at), `seed ${seed}`).toBeCloseTo(y, 6);
        expect(rows.rowAt(y + row.height / 2)).toBe(at);
        y += row.height;
      });
      expect(rows.height).toBeCloseTo(y, 6);
    }
  });

  test("need no list of the lines of a large file", () => {
    const input: RowsInput = {
      blocks: [[10, 100_000, 10, 100_000]],
      oldLines: 100_020,
      newLines: 100_020,
      split: false,
      opened: new Map(),
      inserts: [],
      heights,
    };
    const rows = new FileRows(input);
    expect(rows.count).toBe(200_000 + 2 * context + 2);
    expect(rows.rowOf("new", 60_000)).toBe(1 + context + 100_000 + 59_990);
    expect(rows.row(rows.rowAt(rows.top(150_000)))).toEqual(rows.row(150_000));
  });
});
