// With VOXPILOT_SAMPLE set, as by `.ci/run`, tests check only a sample of a long list of screens.

// build/e2e.sh selects test files depending on the remainder of the number divided by 3. The sample must not depend on
// that, or a file would always check the same sample.
const seed = process.env.VOXPILOT_SAMPLE && Math.floor(Number(process.env.VOXPILOT_SAMPLE) / 3);

/** sample returns all items or, if VOXPILOT_SAMPLE is a number, one of `parts` equal parts of them. */
export function sample(items, parts = 4) {
  return typeof seed === "number" ? items.filter((_, at) => at % parts === seed % parts) : items;
}
