// `.ci/run`, which sets VOXPILOT_SAMPLE, checks only a sample of long lists of screens.

const seed = process.env.VOXPILOT_SAMPLE;

/** sample returns all items or, if VOXPILOT_SAMPLE is a number, one of `parts` equal parts of them. */
export function sample(items, parts = 2) {
  return seed ? items.filter((_, at) => at % parts === Number(seed) % parts) : items;
}
