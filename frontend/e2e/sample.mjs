// `.ci/run`, which sets VOXPILOT_SAMPLE, checks only a sample of long lists of screens.

// build/e2e.sh draws files by whether the number is odd. The parts of lists must not depend on that, or a file
// would always check the same part.
const seed = process.env.VOXPILOT_SAMPLE && Math.floor(Number(process.env.VOXPILOT_SAMPLE) / 2);

/** sample returns all items or, if VOXPILOT_SAMPLE is a number, one of `parts` equal parts of them. */
export function sample(items, parts = 2) {
  return typeof seed === "number" ? items.filter((_, at) => at % parts === seed % parts) : items;
}
