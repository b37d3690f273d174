import type { Translated } from "../translated";
import type { units as english } from "../units";

export const units: Translated<typeof english> = {
  now: "刚刚",
  minutes: (n) => `${n} 分钟`,
  hours: (n) => `${n} 小时`,
  seconds: (n) => `${n} 秒`,
  yesterday: "昨天",
  two: (larger, smaller) => `${larger} ${smaller}`,
  ariaDuration: (minutes) => (minutes <= 1 ? "不到一分钟" : `${minutes} 分钟`),
};
