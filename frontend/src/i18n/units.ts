// Times and durations in lists, short enough for a narrow column.

export const units = {
  now: "now",
  minutes: (n: number) => `${n} min`,
  hours: (n: number) => `${n} h`,
  seconds: (n: number | string) => `${n} s`,
  yesterday: "Yesterday",
  /** two is a duration of two parts: 1 min 20 s. */
  two: (larger: string, smaller: string) => `${larger} ${smaller}`,
  /** How long it is until something, for who listens. */
  heard: (minutes: number) => (minutes <= 1 ? "less than a minute" : `${minutes} minutes`),
};
