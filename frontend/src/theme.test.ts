import { describe, expect, test } from "vitest";
import { attributes } from "./appearance";

const plain = { dark: false, more: false };

describe("the theme", () => {
  test("follows the system without a user choice", () => {
    const look = { theme: "system", contrast: "system", motion: "system", text: "normal", code: "" };
    expect(attributes(look, plain)).toEqual({
      theme: "light",
      contrast: "normal",
      motion: undefined,
      text: "normal",
      code: undefined,
    });
    expect(attributes(look, { dark: true, more: true })).toEqual({
      theme: "dark",
      contrast: "more",
      motion: undefined,
      text: "normal",
      code: undefined,
    });
  });

  test("is the user's choice if set", () => {
    const look = { theme: "light", contrast: "normal", motion: "reduced", text: "larger", code: "system" };
    expect(attributes(look, { dark: true, more: true })).toEqual({
      theme: "light",
      contrast: "normal",
      motion: "reduced",
      text: "larger",
      code: "system",
    });
  });
});
