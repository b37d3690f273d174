// Times and durations in lists, short enough for a narrow column.

export const units = {
  now: "now",
  minutes: (n: number) => `${n} min`,
  hours: (n: number) => `${n} h`,
  seconds: (n: number | string) => `${n} s`,
  yesterday: "Yesterday",
  /** Formats a duration in two units: 1 min 20 s. */
  two: (larger: string, smaller: string) => `${larger} ${smaller}`,
  /** Remaining time for screen readers. */
  ariaDuration: (minutes: number) => (minutes <= 1 ? "less than a minute" : `${minutes} minutes`),
};
