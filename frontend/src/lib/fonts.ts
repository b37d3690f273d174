// Checks whether the system's fonts contain Chinese characters, because the app's own fonts contain none.

let isFound: boolean | undefined;

/**
 * hasChineseFont reports whether the system has a font with Chinese characters. In such a font each
 * character is as wide as it is high; the placeholder for a missing glyph is narrower. The result is
 * cached.
 */
export function hasChineseFont(): boolean {
  if (isFound !== undefined) return isFound;
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return true; // can't measure, so assume a font
  context.font = '100px "Inter Variable", sans-serif';
  isFound = ["中", "文", "简"].every((letter) => Math.abs(context.measureText(letter).width - 100) <= 6);
  return isFound;
}

/** resetFontCheck clears the cached result. It is called when a font might have been installed. */
export function resetFontCheck(): void {
  isFound = undefined;
}
