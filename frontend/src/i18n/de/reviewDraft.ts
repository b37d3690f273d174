// German strings of drafted commit messages on the Review screen.

import type { reviewDraft as english } from "../reviewDraft";
import type { Translated } from "../translated";

export const reviewDraft: Translated<typeof english> = {
  draft: (name) => `Mit ${name} entwerfen`,
  hint: (name) =>
    `Nachricht mit ${name} entwerfen. VoxPilot sendet die Änderungen an das Modell, was Anfragen verbrauchen kann.`,
  running: (name) => `${name} entwirft…`,
  cancel: "Abbrechen",
  drafted: (model, cost) => `Entworfen von ${model} · ${cost}`,
  noCost: "Kosten nicht gemeldet",
  use: "Entwurf verwenden",
  dismiss: "Entwurf verwerfen",
  dismissFailure: "Ausblenden",
  restore: "Früheren Text wiederherstellen",
  failed: "Die Nachricht konnte nicht entworfen werden.",
  cancelledAnnounced: "Abgebrochen. Die Nachricht ist unverändert.",
  usedAnnounced: "Der Entwurf steht im Nachrichtenfeld.",
  readyAnnounced: "Ein Entwurf ist fertig. Dein Text ist unverändert.",
};
