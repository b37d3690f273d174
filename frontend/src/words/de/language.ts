import type { language as english } from "../language";
import type { Translated } from "../translated";

export const language: Translated<typeof english> = {
  label: "Sprache",
  fact: "Die des Fensters. Copilot antwortet in der Sprache, in der du schreibst.",
  system: "Wie das System",
};
