// Pixel comparison of pictures of the window.

import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** pixels reads a picture as RGB bytes. */
export async function pixels(path) {
  const options = { encoding: "buffer", maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await run("convert", [path, "-depth", "8", "rgb:-"], options);
  return stdout;
}

/**
 * differences counts the pixels in which a channel differs by more than `tolerance` (out of 255). If the pictures have
 * different sizes, it returns the number of pixels of the larger one.
 */
export function differences(a, b, tolerance) {
  if (a.length !== b.length) return Math.max(a.length, b.length) / 3;
  let differ = 0;
  for (let i = 0; i < a.length; i += 3) {
    const by = (c) => Math.abs(a[i + c] - b[i + c]);
    if (by(0) > tolerance || by(1) > tolerance || by(2) > tolerance) differ++;
  }
  return differ;
}
