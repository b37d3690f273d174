// The choice of the language. The languages themselves are called by their own
// names in each.

export const language = {
  label: "Language",
  fact: "The language of the app. Copilot answers in the language you write in.",
  system: "System",
  /** In Chinese, too, this is in English: without the font it would be boxes. */
  noChinese: "No Chinese font is installed, so Chinese text shows as boxes.",
  installChinese:
    "Install one: sudo apt install fonts-noto-cjk, or sudo dnf install google-noto-sans-cjk-fonts. Then restart VoxPilot.",
};
