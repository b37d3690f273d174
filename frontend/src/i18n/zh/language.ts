import type { language as english } from "../language";
import type { Translated } from "../translated";

export const language: Translated<typeof english> = {
  label: "语言",
  fact: "应用的语言。Copilot 用你书写的语言回答。",
  system: "跟随系统",
  // In English: without a font, Chinese would show as boxes.
  noChinese: "No Chinese font is installed, so Chinese text shows as boxes.",
  installChinese:
    "Install one: sudo apt install fonts-noto-cjk, or sudo dnf install google-noto-sans-cjk-fonts. Then restart VoxPilot.",
};
