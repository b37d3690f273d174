// How often what the palette leads to was chosen, and when last. It stays in the
// window's own storage on this computer.

const key = "voxpilot.palette-use";
/** How many entries are counted; those that were chosen longest ago are forgotten. */
const most = 200;
/** After so many days a use counts half. */
const halfDays = 14;
const dayMillis = 24 * 60 * 60 * 1000;

/** Counts are how often, and when last, by id. */
type Counts = Record<string, [count: number, at: number]>;

function kept(): Counts {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    return typeof read === "object" && read !== null ? (read as Counts) : {};
  } catch {
    return {};
  }
}

/** weigher returns a function that says how much an entry is used, from 0 to 1. */
export function weigher(now = Date.now()): (id: string) => number {
  const counts = kept();
  return (id) => {
    const [count = 0, at = 0] = Array.isArray(counts[id]) ? counts[id] : [];
    const worth = count * 0.5 ** (Math.max(0, now - at) / (halfDays * dayMillis));
    return worth / (1 + worth) || 0;
  };
}

/** noteUse counts that an entry was chosen. */
export function noteUse(id: string, now = Date.now()): void {
  const counts = kept();
  counts[id] = [(counts[id]?.[0] ?? 0) + 1, now];
  const newest = Object.entries(counts).sort(([, a], [, b]) => b[1] - a[1]);
  try {
    localStorage.setItem(key, JSON.stringify(Object.fromEntries(newest.slice(0, most))));
  } catch {
    // Without storage nothing is ranked by use.
  }
}
