// The pictures in e2e/baselines are those of one Chromium.

/** What to do where the pictures are not those to compare with. */
export const renew = "renew the pictures with `make pictures`, and look at each";

/**
 * otherChromium says that the pictures are of another Chromium than this one, and
 * what to do; "" where they are of this one. Minor versions draw alike.
 */
export function otherChromium(madeBy, major) {
  if (madeBy.trim() === major) return "";
  return `The pictures are of Chromium ${madeBy.trim()}, and this is Chromium ${major}: ${renew}.`;
}
