import { expect, test, vi } from "vitest";
import { type CodePage, maxCarried, TextColors } from "./reviewColors";
import { LineStore, pageLines } from "./reviewLines";

/**
 * fakeText returns a host for a text. The pages with the indexes in `loaded` are in memory, the others must be read.
 */
function fakeText(pages: readonly string[][], loaded: number[]) {
  const inMemory = new Map(loaded.map((at): [number, CodePage] => [at, { lines: pages[at] ?? [] }]));
  const reads: number[] = [];
  const changes: boolean[] = [];
  const host = {
    page: (at: number) => inMemory.get(at),
    read: (at: number) => {
      reads.push(at);
      return Promise.resolve(pages[at]);
    },
    colored: (again: boolean) => changes.push(again),
  };
  const looks = (at: number) =>
    inMemory.get(at)?.runs?.map((line) => line.map(({ text, class: look }) => `${look} ${text}`).join("|"));
  return { host, reads, changes, inMemory, looks };
}

/** until waits until `check` succeeds. Loading a grammar takes long on a busy machine. */
const until = (check: () => void) => vi.waitFor(check, { timeout: 30_000 });

const commented = [["let a = 1;", "/* one"], ["let b = 2;"], ["*/ let c = 3;", "let d;"]];

test("a comment that starts in an earlier page has one color throughout", async () => {
  const { host, reads, changes, inMemory, looks } = fakeText(commented, [1, 2]);
  new TextColors("src/a.ts", host).want(1, 2);
  await until(() => expect([1, 2].every((at) => inMemory.get(at)?.isExact)).toBe(true));
  expect(looks(1)).toEqual(["co let b = 2;"]);
  expect(looks(2)?.[0]).toMatch(/^co \*\/\|.*k let/);
  expect(reads).toEqual([0]);
  // Both pages were first highlighted as if they were the first page.
  expect(changes).toEqual([false, false, true, true]);
});

test("a page is highlighted once if the state before it is known", async () => {
  const { host, reads, changes, inMemory, looks } = fakeText(commented, [0, 1]);
  const colors = new TextColors("a.ts", host);
  colors.want(0, 0);
  await until(() => expect(inMemory.get(0)?.isExact).toBe(true));
  colors.want(1, 1);
  await until(() => expect(inMemory.get(1)?.isExact).toBe(true));
  expect(looks(1)).toEqual(["co let b = 2;"]);
  expect(changes).toEqual([false, false]);
  expect(reads).toEqual([]);
});

test("work that is no longer wanted ends, and continues when it is", async () => {
  const { host, reads, inMemory, looks } = fakeText(commented, [1]);
  const colors = new TextColors("a.ts", host);
  colors.want(1, 1);
  colors.forget();
  await new Promise((done) => setTimeout(done, 0));
  expect(looks(1)).toBeUndefined();
  expect(reads).toEqual([]);
  colors.want(1, 1);
  await until(() => expect(inMemory.get(1)?.isExact).toBe(true));
  expect(looks(1)).toEqual(["co let b = 2;"]);
});

test("a page far from the start is highlighted without the pages before it", async () => {
  const far = maxCarried + 1;
  const pages = Array.from({ length: far + 1 }, () => ["let a = 1;"]);
  const { host, reads, inMemory, looks } = fakeText(pages, [far]);
  new TextColors("a.ts", host).want(far, far);
  await until(() => expect(inMemory.get(far)?.isExact).toBe(true));
  expect(looks(far)?.[0]).toContain("k let");
  expect(reads).toEqual([]);
});

test("the lines of a file continue the comment of the page before", async () => {
  const lines = ["/*", ...Array.from({ length: 2 * pageLines }, (_, at) => `line ${at}`)];
  const redrawn: boolean[] = [];
  const store = new LineStore({
    read: (_, from, count) => Promise.resolve({ from, lines: lines.slice(from, from + count) }),
    arrived: (_, again) => redrawn.push(again),
    failed: (_, thrown) => expect.unreachable(String(thrown)),
  });
  const key = { path: "a.ts", version: "1", side: "new" as const };
  store.want(key, pageLines, pageLines + 9);
  await until(() => expect(store.text(key, pageLines)).toBe(`line ${pageLines - 1}`));
  store.color(key, pageLines, pageLines + 9);
  await until(() => expect(redrawn.at(-1)).toBe(true));
  expect(store.runs(key, pageLines + 3)?.map((run) => run.class)).toEqual(["co"]);
});
