// German strings for the first run.

import type { firstRun as english } from "../firstrun";
import type { Translated } from "../translated";

export const firstRun: Translated<typeof english> = {
  title: "VoxPilot einrichten",
  lead: "Drei Schritte, etwa eine Minute.",
  setup: "Einrichtung",
  cli: {
    checkingAgain: "Wird geprüft…",
    checkedAgain: {
      checking: "",
      found: "Erneut geprüft. Copilot CLI gefunden.",
      missing: "Erneut geprüft. Immer noch nicht gefunden.",
      too_old: "Erneut geprüft. Immer noch zu alt.",
      broken: "Erneut geprüft. Sie startet immer noch nicht.",
    },
    checking: "Copilot CLI wird gesucht…",
    found: "Copilot CLI gefunden",
    foundAt: (version, path) => `${version} unter ${path}`,
    missing: "Copilot CLI nicht gefunden",
    missingBody:
      "Installiere sie in einem Terminal und prüfe dann erneut. Ist sie schon installiert, wähle ihre Programmdatei.",
    missingBodyHere:
      "Installiere sie hier, oder führe den Befehl unten in einem Terminal aus und prüfe erneut. Ist sie schon installiert, wähle ihre Programmdatei.",
    searched: "VoxPilot hat hier gesucht:",
    tooOld: (version) => `Copilot CLI ${version} ist zu alt`,
    tooOldBody: (min) =>
      `VoxPilot braucht ${min} oder neuer. Aktualisiere sie in einem Terminal und prüfe dann erneut. Hast du eine neuere, wähle deren Programmdatei.`,
    tooOldBodyHere: (min) =>
      `VoxPilot braucht ${min} oder neuer. Aktualisiere sie hier, oder führe den Befehl unten in einem Terminal aus und prüfe erneut. Hast du eine neuere, wähle deren Programmdatei.`,
    broken: "Copilot CLI startet nicht",
    brokenBody:
      "Installiere sie in einem Terminal neu und prüfe dann erneut. Oder wähle die Programmdatei einer anderen Kopie.",
    brokenBodyHere:
      "Installiere sie hier neu, oder führe den Befehl unten in einem Terminal aus und prüfe erneut. Oder wähle die Programmdatei einer anderen Kopie.",
  },
  signIn: {
    ownTitle: (model) => `Mit ${model}`,
    change: "Ändern",
    ownBody: "Die Copilot CLI verwendet dann dein Modell statt der Modelle von GitHub. Kein Konto nötig.",
    ownSave: "Dieses Modell verwenden",
    back: "Zurück",
  },
  folder: {
    title: "Wähle einen Ordner",
    fact: "Copilot arbeitet darin",
    body: "Copilot arbeitet in dem Ordner, den du wählst, und fragt vor jeder Änderung und jedem Befehl, bis du es anders festlegst.",
    label: "Ordner",
    placeholder: "Pfad eingeben oder einfügen",
    choose: "Ordner wählen…",
    chooseAnother: "Anderen Ordner wählen…",
    git: (branch) => `Git, Branch ${branch}`,
    noGit: "Kein Git-Repository",
    missing: "Diesen Ordner gibt es nicht.",
  },
  later: "Später einrichten",
  practice: "Ohne Konto ausprobieren",
  practiceOff:
    "„Ohne Konto ausprobieren“ startet den Übungsmodus: die Copilot CLI mit eingebauten Antworten statt des KI-Modells. Installiere zuerst die Copilot CLI.",
  start: "Starten",
};
