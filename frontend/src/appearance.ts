// The appearance of a page, derived from the settings and the system's preferences.

export interface Appearance {
  theme: string;
  contrast: string;
  motion: string;
  text: string;
  /** The setting of the code font. It is "" for the default font and on pages without code. */
  code: string;
}

/** The text sizes, from smallest to largest. */
export const textSizes = ["small", "normal", "large", "larger"] as const;
export type TextSize = (typeof textSizes)[number];

/** textSizeOf returns the text size for a setting; unknown values mean "normal". */
export function textSizeOf(setting: string): TextSize {
  return textSizes.find((size) => size === setting) ?? "normal";
}

/** attributes returns the root element's attributes for an appearance and the system's preferences. */
export function attributes(look: Appearance, system: { dark: boolean; more: boolean }) {
  return {
    theme: look.theme === "light" || look.theme === "dark" ? look.theme : system.dark ? "dark" : "light",
    contrast: look.contrast === "more" || (look.contrast !== "normal" && system.more) ? "more" : "normal",
    motion: look.motion === "full" || look.motion === "reduced" ? look.motion : undefined,
    text: textSizeOf(look.text),
    code: look.code === "system" ? look.code : undefined,
  };
}

/** applyAppearance applies an appearance to the page. */
export function applyAppearance(look: Appearance): void {
  const { theme, contrast, motion, text, code } = attributes(look, {
    dark: dark().matches,
    more: more().matches,
  });
  const { dataset } = document.documentElement;
  for (const [name, value] of Object.entries({ theme, contrast, text, motion, code })) {
    if (value === dataset[name]) continue; // writing even the same value triggers a repaint
    if (value) dataset[name] = value;
    else delete dataset[name];
  }
}

const dark = () => window.matchMedia("(prefers-color-scheme: dark)");
const more = () => window.matchMedia("(prefers-contrast: more)");

/**
 * followSystem reapplies the appearance when the system's preferences change. It returns a function that
 * stops following them.
 */
export function followSystem(look: () => Appearance): () => void {
  const queries = [dark(), more()];
  const follow = () => applyAppearance(look());
  for (const query of queries) query.addEventListener("change", follow);
  return () => {
    for (const query of queries) query.removeEventListener("change", follow);
  };
}
