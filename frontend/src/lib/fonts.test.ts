import { afterEach, expect, test, vi } from "vitest";
import { drawsChinese, forgetFonts } from "./fonts";

/** measures makes every character this wide at 100 px. */
function measures(width: number) {
  const measureText = vi.fn(() => ({ width }));
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue({ measureText } as never);
  return measureText;
}

afterEach(() => {
  vi.restoreAllMocks();
  forgetFonts();
});

test("letters as wide as high are of a Chinese font, and that is looked for once", () => {
  const measureText = measures(100);
  expect([drawsChinese(), drawsChinese()]).toEqual([true, true]);
  expect(measureText).toHaveBeenCalledTimes(3);
});

test("narrow boxes are none, until fonts are looked for again", () => {
  measures(72);
  expect(drawsChinese()).toBe(false);
  measures(100);
  expect(drawsChinese()).toBe(false);
  forgetFonts();
  expect(drawsChinese()).toBe(true);
});

test("where nothing can be measured, no font is missed", () => {
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
  expect(drawsChinese()).toBe(true);
});
