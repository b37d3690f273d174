// The pictures in e2e/baselines are rendered by one version of Chromium.

/** Instruction shown if the baselines don't match the browser. */
export const renewHint = "renew the pictures with `make pictures`, and look at each";

/**
 * otherChromium returns an error message if the baselines were rendered by a different major version of
 * Chromium, or "" if not. Minor versions render alike.
 */
export function otherChromium(madeBy, major) {
  if (madeBy.trim() === major) return "";
  return `The pictures are of Chromium ${madeBy.trim()}, and this is Chromium ${major}: ${renewHint}.`;
}
