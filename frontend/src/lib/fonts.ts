// What fonts of the system can draw. Those that come with the app have no Chinese.

let known: boolean | undefined;

/**
 * drawsChinese reports whether the system has a font with Chinese letters. In such a font each is as wide as
 * it is high; the box that stands for a letter that no font has is narrower. What was found is kept.
 */
export function drawsChinese(): boolean {
  if (known !== undefined) return known;
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return true; // where nothing can be measured, nothing is missed
  context.font = '100px "Inter Variable", sans-serif';
  known = ["中", "文", "简"].every((letter) => Math.abs(context.measureText(letter).width - 100) <= 6);
  return known;
}

/** forgetFonts has the next look be a new one, after a font may have been installed. */
export function forgetFonts(): void {
  known = undefined;
}
