import type { Translated } from "../translated";
import type { units as english } from "../units";

export const units: Translated<typeof english> = {
  now: "jetzt",
  minutes: (n) => `${n} min`,
  hours: (n) => `${n} h`,
  seconds: (n) => `${n} s`,
  yesterday: "Gestern",
  two: (larger, smaller) => `${larger} ${smaller}`,
  ariaDuration: (minutes) => (minutes <= 1 ? "weniger als einer Minute" : `${minutes} Minuten`),
};
