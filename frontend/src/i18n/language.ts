// Strings for the language setting. Languages are listed by their own names.

export const language = {
  label: "Language",
  fact: "The language of the app. Copilot answers in the language you write in.",
  system: "System",
  /** In English even if the UI is in Chinese: without a font, Chinese would show as boxes. */
  noChinese: "No Chinese font is installed, so Chinese text shows as boxes.",
  installChinese:
    "Install one: sudo apt install fonts-noto-cjk, or sudo dnf install google-noto-sans-cjk-fonts. Then restart VoxPilot.",
};
