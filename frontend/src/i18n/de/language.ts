import type { language as english } from "../language";
import type { Translated } from "../translated";

export const language: Translated<typeof english> = {
  label: "Sprache",
  fact: "Die Sprache der App. Copilot antwortet in der Sprache, in der du schreibst.",
  system: "System",
  noChinese: "Es ist keine chinesische Schrift installiert, deshalb erscheint Chinesisch als Kästchen.",
  installChinese:
    "Installiere eine: sudo apt install fonts-noto-cjk oder sudo dnf install google-noto-sans-cjk-fonts. Starte VoxPilot danach neu.",
};
