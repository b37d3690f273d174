// Use counts of palette entries. They are stored only on this computer, in localStorage.

const key = "voxpilot.palette-use";
/** Maximum number of counted entries. Beyond that, the least recently used ones are dropped. */
const maxCounted = 200;
/** If an entry hasn't been used for this many days, its uses count only half as much. */
const halfLifeDays = 14;
const dayMillis = 24 * 60 * 60 * 1000;

/** Counts holds the number of uses and the time of the last one, by entry ID. */
type Counts = Record<string, [count: number, at: number]>;

function loadCounts(): Counts {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    return typeof read === "object" && read !== null ? (read as Counts) : {};
  } catch {
    return {};
  }
}

/** useRating returns a function that rates the use of an entry on a scale from 0 to 1. Old uses count less. */
export function useRating(now = Date.now()): (id: string) => number {
  const counts = loadCounts();
  return (id) => {
    const [count = 0, at = 0] = Array.isArray(counts[id]) ? counts[id] : [];
    const worth = count * 0.5 ** (Math.max(0, now - at) / (halfLifeDays * dayMillis));
    return worth / (1 + worth) || 0;
  };
}

/** noteUse counts a use of an entry. */
export function noteUse(id: string, now = Date.now()): void {
  const counts = loadCounts();
  counts[id] = [(counts[id]?.[0] ?? 0) + 1, now];
  const newest = Object.entries(counts).sort(([, a], [, b]) => b[1] - a[1]);
  try {
    localStorage.setItem(key, JSON.stringify(Object.fromEntries(newest.slice(0, maxCounted))));
  } catch {
    // Without storage, entries aren't ranked by use.
  }
}
