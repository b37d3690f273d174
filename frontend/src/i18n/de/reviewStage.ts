// German strings of staging parts of a file on the Review screen.

import type { reviewStage as english } from "../reviewStage";
import type { Translated } from "../translated";

const number = new Intl.NumberFormat("de");
const lines = (n: number) => `${number.format(n)} ${n === 1 ? "Zeile" : "Zeilen"}`;

export const reviewStage: Translated<typeof english> = {
  stageLines: (n) => `${lines(n)} vormerken`,
  unstageLines: (n) => `${lines(n)} nicht vormerken`,
  stagedChange: (n) => `Änderung ${n} vorgemerkt`,
  unstagedChange: (n) => `Änderung ${n} nicht mehr vorgemerkt`,
  stagedLines: (n) => `${lines(n)} vorgemerkt`,
  unstagedLines: (n) => `${lines(n)} nicht mehr vorgemerkt`,
  stagedLine: (line) => `${line}, vorgemerkt`,
};
