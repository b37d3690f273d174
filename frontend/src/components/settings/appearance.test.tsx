import { cleanup, render, screen } from "@solidjs/testing-library";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { resetFontCheck } from "../../lib/fonts";
import { resetState, stubApp, stubBrowser } from "../../testing";
import { Appearance } from "./Appearance";

/** setCharWidth stubs text measurement: every character is `width` pixels wide at a font size of 100 px. */
function setCharWidth(width: number): void {
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue({
    measureText: () => ({ width }),
  } as never);
  stubBrowser();
  stubApp();
  resetState();
  render(() => <Appearance />);
}

beforeEach(resetFontCheck);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  resetFontCheck();
});

test("the language page names a font to install if Chinese can't be displayed", () => {
  setCharWidth(72);
  expect(screen.getByText(/No Chinese font is installed/)).toBeVisible();
  expect(screen.getByText(/sudo apt install fonts-noto-cjk/)).toBeVisible();
});

test("it doesn't mention fonts if one is installed", () => {
  setCharWidth(100);
  expect(screen.getByText(/Copilot answers in the language you write in/)).toBeVisible();
  expect(screen.queryByText(/No Chinese font/)).not.toBeInTheDocument();
});
