// What the settings and the system make of the look of a page.

export interface Look {
  theme: string;
  contrast: string;
  motion: string;
  text: string;
  /** The font of code; "" in pages that have none. */
  code: string;
}

/** The sizes of text there are, from the smallest to the largest. */
export const textSizes = ["small", "normal", "large", "larger"] as const;
export type TextSize = (typeof textSizes)[number];

/** textSizeOf reads the setting; what is none of the sizes is the normal one. */
export function textSizeOf(setting: string): TextSize {
  return textSizes.find((size) => size === setting) ?? "normal";
}

/** attributes are the root's attributes for a look, given what the system wants. */
export function attributes(look: Look, system: { dark: boolean; more: boolean }) {
  return {
    theme: look.theme === "light" || look.theme === "dark" ? look.theme : system.dark ? "dark" : "light",
    contrast: look.contrast === "more" || (look.contrast !== "normal" && system.more) ? "more" : "normal",
    motion: look.motion === "full" || look.motion === "reduced" ? look.motion : undefined,
    text: textSizeOf(look.text),
    code: look.code === "system" ? look.code : undefined,
  };
}

/** wear gives a look to the page. */
export function wear(look: Look): void {
  const { theme, contrast, motion, text, code } = attributes(look, {
    dark: dark().matches,
    more: more().matches,
  });
  const { dataset } = document.documentElement;
  for (const [name, value] of Object.entries({ theme, contrast, text, motion, code })) {
    if (value === dataset[name]) continue; // what is written is drawn anew
    if (value) dataset[name] = value;
    else delete dataset[name];
  }
}

const dark = () => window.matchMedia("(prefers-color-scheme: dark)");
const more = () => window.matchMedia("(prefers-contrast: more)");

/** followSystem gives the page its look again when the system wants another one, until it is told to stop. */
export function followSystem(look: () => Look): () => void {
  const queries = [dark(), more()];
  const follow = () => wear(look());
  for (const query of queries) query.addEventListener("change", follow);
  return () => {
    for (const query of queries) query.removeEventListener("change", follow);
  };
}
