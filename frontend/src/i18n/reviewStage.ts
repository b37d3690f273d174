// Strings for staging parts of a file on the Review screen.

const plural = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
const lines = (n: number) => plural(n, "line", "lines");

export const reviewStage = {
  stageLines: (n: number) => `Stage ${lines(n)}`,
  unstageLines: (n: number) => `Unstage ${lines(n)}`,
  stagedChange: (n: number) => `Change ${n} staged`,
  unstagedChange: (n: number) => `Change ${n} unstaged`,
  stagedLines: (n: number) => `${lines(n)} staged`,
  unstagedLines: (n: number) => `${lines(n)} unstaged`,
  stagedLine: (line: string) => `${line}, staged`,
} as const;
