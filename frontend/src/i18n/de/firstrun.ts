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
      found: "VoxPilot hat erneut geprüft und die Copilot CLI gefunden.",
      missing: "VoxPilot hat erneut geprüft und die Copilot CLI wieder nicht gefunden.",
      too_old: "VoxPilot hat erneut geprüft. Die Copilot CLI ist immer noch zu alt.",
      broken: "VoxPilot hat erneut geprüft. Die Copilot CLI startet immer noch nicht.",
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
      `VoxPilot braucht ${min} oder neuer. Um sie zu aktualisieren, führe den Befehl unten in einem Terminal aus und prüfe dann erneut. Hast du eine neuere, wähle deren Programmdatei.`,
    tooOldBodyHere: (min) =>
      `VoxPilot braucht ${min} oder neuer. Aktualisiere sie hier, oder führe den Befehl unten in einem Terminal aus und prüfe erneut. Hast du eine neuere, wähle deren Programmdatei.`,
    broken: "Copilot CLI startet nicht",
    brokenBody:
      "Um sie neu zu installieren, führe den Befehl unten in einem Terminal aus und prüfe dann erneut. Du kannst auch die Programmdatei einer anderen Kopie wählen.",
    brokenBodyHere:
      "Installiere sie hier neu, oder führe den Befehl unten in einem Terminal aus und prüfe erneut. Du kannst auch die Programmdatei einer anderen Kopie wählen.",
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
    "Um VoxPilot ohne Konto auszuprobieren, richte zuerst die Copilot CLI ein. Der Übungsmodus führt sie mit eingebauten Antworten statt eines KI-Modells aus.",
  start: "Starten",
};
