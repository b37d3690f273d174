// German strings of the review by the chat's agent.

import type { reviewAgent as english } from "../reviewAgent";
import type { Translated } from "../translated";

const number = new Intl.NumberFormat("de");
const comments = (n: number) => `${number.format(n)} ${n === 1 ? "Kommentar" : "Kommentare"}`;

export const reviewAgent: Translated<typeof english> = {
  ask: (agent) => `${agent} um eine Durchsicht bitten…`,

  sheet: (agent) => `${agent} um eine Durchsicht bitten`,
  lead: (agent) =>
    `${agent} liest die Änderungen in einer eigenen Sitzung und schlägt Kommentare vor. Du entscheidest, welche du sendest.`,
  model: "Modell",
  sameModel: "Wie im Chat",
  focus: "Worauf achten? (optional)",
  focusPlaceholder: "Zum Beispiel Fehlerbehandlung und fehlende Tests",
  start: "Durchsicht starten",
  cancel: "Abbrechen",
  close: "Schließen",

  region: "Vorgeschlagene Kommentare",
  running: (agent) => `${agent} sieht die Änderungen durch…`,
  waiting: (agent) => `Die Durchsicht von ${agent} wartet im Chat auf dich.`,
  stop: "Stoppen",
  stopName: "Durchsicht stoppen",
  showInChat: "Im Chat anzeigen",
  dismissNote: "Hinweis schließen",
  suggests: (agent, n) => `${agent} schlägt ${comments(n)} vor`,
  others: (n) =>
    n === 1
      ? "1 Kommentar ließ sich nicht hinzufügen. Er steht im Chat."
      : `${number.format(n)} Kommentare ließen sich nicht hinzufügen. Sie stehen im Chat.`,
  nothing: (agent) => `${agent} hat nichts anzumerken.`,
  nothingNew: (agent) => `${agent} hat nichts Neues anzumerken.`,
  unclear: (agent) => `VoxPilot hat in der Antwort von ${agent} keine Kommentare gefunden.`,
  failed: "Die Durchsicht ist fehlgeschlagen.",
  stopped: "Die Durchsicht wurde gestoppt.",
  next: "Weiter",
  nextName: "Nächster Vorschlag",
  acceptAll: "Alle übernehmen",
  dismissAll: "Alle verwerfen",

  name: (lines) => `Vorschlag: ${lines}`,
  outdatedName: "Vorschlag zu geänderten Zeilen",
  tag: "Vorgeschlagen",
  accept: "Übernehmen",
  dismiss: "Verwerfen",
  acceptedAnnounced: (n) => `${comments(n)} übernommen`,
  dismissedAnnounced: (n) => `${comments(n)} verworfen`,
};
