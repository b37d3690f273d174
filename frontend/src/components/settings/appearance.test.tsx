import { cleanup, render, screen } from "@solidjs/testing-library";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgetFonts } from "../../lib/fonts";
import { know, standIn, standInForBrowser } from "../../testing";
import { Appearance } from "./Appearance";

/** drawsIn makes every character this wide at 100 px. */
function drawsIn(width: number): void {
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue({
    measureText: () => ({ width }),
  } as never);
  standInForBrowser();
  standIn();
  know();
  render(() => <Appearance />);
}

beforeEach(forgetFonts);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  forgetFonts();
});

test("the language says which font to install where none draws Chinese", () => {
  drawsIn(72);
  expect(screen.getByText(/No Chinese font is installed/)).toBeVisible();
  expect(screen.getByText(/sudo apt install fonts-noto-cjk/)).toBeVisible();
});

test("it says nothing of fonts where one does", () => {
  drawsIn(100);
  expect(screen.getByText(/Copilot answers in the language you write in/)).toBeVisible();
  expect(screen.queryByText(/No Chinese font/)).not.toBeInTheDocument();
});
