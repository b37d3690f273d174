// Chinese strings of staging parts of a file on the Review screen.

import type { reviewStage as english } from "../reviewStage";
import type { Translated } from "../translated";

const number = new Intl.NumberFormat("zh-CN");
const lines = (n: number) => `${number.format(n)} 行`;

export const reviewStage: Translated<typeof english> = {
  stageLines: (n) => `暂存 ${lines(n)}`,
  unstageLines: (n) => `取消暂存 ${lines(n)}`,
  stagedChange: (n) => `第 ${n} 处更改已暂存`,
  unstagedChange: (n) => `第 ${n} 处更改已取消暂存`,
  stagedLines: (n) => `${lines(n)}已暂存`,
  unstagedLines: (n) => `${lines(n)}已取消暂存`,
  stagedLine: (line) => `${line}，已暂存`,
};
