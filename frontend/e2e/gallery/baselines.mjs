// The pictures in e2e/baselines were all rendered by the same version of Chromium.

/** Instruction shown if the baselines don't match the browser. */
export const renewHint = "renew the pictures with `make pictures`, and look at each";

/**
 * otherChromium returns an error message if the baselines were rendered by a different major version of
 * Chromium, or "" otherwise. Minor versions render identically.
 */
export function otherChromium(madeBy, major) {
  if (madeBy.trim() === major) return "";
  return `The pictures are of Chromium ${madeBy.trim()}, and this is Chromium ${major}: ${renewHint}.`;
}
