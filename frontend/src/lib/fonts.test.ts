import { afterEach, expect, test, vi } from "vitest";
import { hasChineseFont, resetFontCheck } from "./fonts";

/**
 * measures makes the canvas report `width` pixels as the width of every character at a font size of 100
 * px.
 */
function measures(width: number) {
  const measureText = vi.fn(() => ({ width }));
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue({ measureText } as never);
  return measureText;
}

afterEach(() => {
  vi.restoreAllMocks();
  resetFontCheck();
});

test("square glyphs mean a Chinese font, and the check runs once", () => {
  const measureText = measures(100);
  expect([hasChineseFont(), hasChineseFont()]).toEqual([true, true]);
  expect(measureText).toHaveBeenCalledTimes(3);
});

test("narrow boxes mean none, until fonts are checked again", () => {
  measures(72);
  expect(hasChineseFont()).toBe(false);
  measures(100);
  expect(hasChineseFont()).toBe(false);
  resetFontCheck();
  expect(hasChineseFont()).toBe(true);
});

test("if nothing can be measured, no font is missing", () => {
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
  expect(hasChineseFont()).toBe(true);
});
