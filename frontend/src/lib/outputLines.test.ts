import { expect, test } from "vitest";
import { parseAnsi } from "./ansi";
import { outputLines, withoutColors } from "./outputLines";

const esc = "\u001b";

test("a line has the colors set before it", () => {
  const lines = outputLines(`plain\n${esc}[31mred\nstill red${esc}[0m no more\nplain again\n`);
  const looks = lines.map((line) => parseAnsi(line.carried + line.text).map((run) => [run.text, run.class]));
  expect(looks).toEqual([
    [["plain", ""]],
    [["red", "a-red"]],
    [
      ["still red", "a-red"],
      [" no more", ""],
    ],
    [["plain again", ""]],
  ]);
});

test("unreset colors carry over, but not without limit", () => {
  const lines = outputLines(Array.from({ length: 1000 }, (_, n) => `${esc}[3${n % 8}mline`).join("\n"));
  expect(lines.at(-1)?.carried.length).toBeLessThan(100);
});

test("the clipboard gets no colors", () => {
  expect(withoutColors(`${esc}[1;32mok${esc}[0m done\n`)).toBe("ok done\n");
  expect(outputLines("")).toEqual([]);
});
