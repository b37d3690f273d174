// Tests the contrast of all color pairs in the UI against WCAG 2.2, in all four themes. axe only checks
// what a screenshot happens to show; this test covers every pair of the design, including hovered and
// pressed states.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

type Color = readonly [red: number, green: number, blue: number, alpha: number];
interface Pair {
  front: string;
  back: string;
  /** A token painted between `front` and `back`, for the hovered or pressed state. */
  between?: string;
}

const css = readFileSync("src/styles/tokens.css", "utf8").replace(/\/\*[\s\S]*?\*\//g, "");

/** declared returns the declarations of one selector; later rules override earlier ones. */
function declared(selector: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, selectors = "", body = ""] of css.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    if (!selectors.split(",").some((each) => each.trim() === selector)) continue;
    for (const [, name = "", value = ""] of body.matchAll(/--([\w-]+)\s*:\s*([^;]+);/g)) found[name] = value;
  }
  return found;
}

const light = { ...declared(":root"), ...declared(':root[data-theme="light"]') };
const dark = { ...light, ...declared(':root[data-theme="dark"]') };
const more = declared(':root[data-contrast="more"]');
/** Both attribute selectors have the same specificity, so the later rule wins, as in the browser. */
const themes = [
  { name: "light", tokens: light, isMore: false },
  { name: "dark", tokens: dark, isMore: false },
  { name: "light with more contrast", tokens: { ...light, ...more }, isMore: true },
  {
    name: "dark with more contrast",
    tokens: { ...dark, ...more, ...declared(':root[data-theme="dark"][data-contrast="more"]') },
    isMore: true,
  },
];

function colorOf(tokens: Record<string, string>, name: string): Color {
  const value = tokens[name] ?? "";
  const [, hex] = /^#([0-9a-f]{6})$/i.exec(value) ?? [];
  if (hex) {
    const at = (i: number) => Number.parseInt(hex.slice(i, i + 2), 16);
    return [at(0), at(2), at(4), 1];
  }
  const [r, g, b, a] = (/^rgba\(([^)]+)\)$/.exec(value)?.[1] ?? "").split(",").map(Number);
  if (r === undefined || g === undefined || b === undefined || a === undefined)
    throw new Error(`--${name} is no color: "${value}"`);
  return [r, g, b, a];
}

/** over returns a translucent color composited onto another one. */
function over(front: Color, back: Color): Color {
  const mixed = (i: 0 | 1 | 2) => front[i] * front[3] + back[i] * (1 - front[3]);
  return [mixed(0), mixed(1), mixed(2), 1];
}

function luminance([r, g, b]: Color): number {
  const linear = (of: number) =>
    of / 255 <= 0.04045 ? of / 255 / 12.92 : ((of / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function ratio(front: Color, back: Color): number {
  const [one, other] = [luminance(over(front, back)), luminance(back)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** on pairs each of the foreground tokens with each of the background tokens. */
const on = (fronts: string, backs: string, between?: string): Pair[] =>
  fronts
    .split(" ")
    .flatMap((front) => backs.split(" ").map((back) => ({ front, back, ...(between ? { between } : {}) })));

const surfaces = "bg-app bg-canvas bg-subtle bg-inset bg-raised";
const states = "attn ok bad";
const syntax = "syn-key syn-str syn-num syn-fn syn-type";

const text: Pair[] = [
  ...on("fg fg-muted fg-subtle", surfaces),
  ...on("fg fg-muted fg-subtle", surfaces, "bg-hover"),
  ...on("fg fg-muted", "bg-app bg-canvas bg-raised", "bg-press"),
  ...on(
    "fg fg-muted fg-subtle",
    "bg-selected copilot-bg attn-bg ok-bg bad-bg accent-bg diff-hunk-bg diff-comment-bg",
  ),
  ...on("fg-on-ink", "ink ink-hover"),
  ...on(`accent copilot ${states}`, `${surfaces} bg-selected`),
  ...on("accent", "accent-bg diff-comment-bg"),
  ...["copilot", ...states.split(" ")].flatMap((name) => on(name, `${name}-bg`)),
  ...on(
    "fg",
    "diff-add-bg diff-add-gutter diff-add-word diff-del-bg diff-del-gutter diff-del-word mark selection",
  ),
  ...on("diff-add-fg", "diff-add-bg diff-add-gutter bg-canvas bg-app bg-subtle bg-selected"),
  ...on("diff-del-fg", "diff-del-bg diff-del-gutter bg-canvas bg-app bg-subtle bg-selected"),
  ...on(`${syntax} syn-com`, "bg-canvas bg-subtle bg-inset diff-add-bg diff-del-bg"),
  ...on(syntax, "diff-add-word diff-del-word"),
  ...on("ansi-black ansi-red ansi-green ansi-yellow ansi-blue ansi-magenta ansi-cyan ansi-white", "bg-inset"),
];
const parts: Pair[] = [
  ...on("focus line-input", "bg-app bg-canvas bg-raised bg-subtle"),
  ...on("attn-solid copilot accent bad ok", "bg-app bg-canvas bg-selected bg-raised"),
  ...on("attn-solid", "attn-bg"),
  ...on("copilot", "copilot-bg"),
  ...on("ink", "bg-canvas bg-raised bg-app"),
];

/**
 * Returns the contrast ratio that text requires: 7 with increased contrast, except for temporary
 * highlights and syntax colors, otherwise 4.5.
 */
function textNeeds({ front, back }: Pair, isMore: boolean): number {
  return isMore && !front.startsWith("syn-") && !/word$|^selection$|^mark$/.test(back) ? 7 : 4.5;
}

describe.each(themes)("$name", ({ tokens, isMore }) => {
  const below = (pairs: Pair[], needs: (pair: Pair) => number) =>
    pairs.flatMap((pair) => {
      const under = colorOf(tokens, pair.back);
      const back = pair.between ? over(colorOf(tokens, pair.between), under) : under;
      const has = ratio(colorOf(tokens, pair.front), back);
      const name = `${pair.front} on ${pair.back}${pair.between ? ` with ${pair.between}` : ""}`;
      return has < needs(pair) ? [`${name}: ${has.toFixed(2)}, not ${needs(pair)}`] : [];
    });

  test("has readable text on every background", () => {
    expect(below(text, (pair) => textNeeds(pair, isMore))).toEqual([]);
  });
  test("has distinguishable parts on every background", () => {
    expect(below(parts, () => (isMore ? 4.5 : 3))).toEqual([]);
  });
});

test("the contrast follows WCAG", () => {
  const known = { black: "#000000", white: "#ffffff", gray: "#767676", veil: "rgba(0, 0, 0, 0.5)" };
  const of = (name: keyof typeof known) => colorOf(known, name);
  expect(ratio(of("black"), of("white"))).toBeCloseTo(21, 5);
  expect(ratio(of("gray"), of("white"))).toBeCloseTo(4.54, 2);
  expect(ratio(of("veil"), of("white"))).toBeCloseTo(ratio([127.5, 127.5, 127.5, 1], of("white")), 5);
});

// WebKitGTK rounds the width of a digit, differently for light and dark text.
test("widths don't depend on how a font is drawn", () => {
  expect(css).not.toMatch(/\d(?:ch|ex)\b/);
});
