// Words of the first run, in German.

import type { firstRun as english } from "../firstrun";
import type { Translated } from "../translated";

export const firstRun: Translated<typeof english> = {
  title: "VoxPilot einrichten",
  lead: "Drei Schritte, etwa eine Minute.",
  setup: "Einrichtung",
  cli: {
    looking: "Wird gesucht…",
    lookedAgain: {
      checking: "",
      found: "Noch einmal gesucht. Sie ist da.",
      missing: "Noch einmal gesucht. Sie fehlt immer noch.",
      too_old: "Noch einmal gesucht. Sie ist immer noch zu alt.",
      broken: "Noch einmal gesucht. Sie startet immer noch nicht.",
    },
    checking: "Copilot CLI wird gesucht…",
    found: "Copilot CLI gefunden",
    foundAt: (version, path) => `${version} in ${path}`,
    missing: "Copilot CLI wurde nicht gefunden",
    missingBody: "Installiere sie in einem Terminal und prüfe dann erneut.",
    missingBodyHere: "Installiere sie hier oder in einem Terminal und prüfe dann erneut.",
    searched: "VoxPilot hat hier gesucht:",
    tooOld: (version) => `Copilot CLI ${version} ist zu alt`,
    tooOldBody: (min) =>
      `VoxPilot braucht ${min} oder neuer. Aktualisiere sie in einem Terminal und prüfe dann erneut.`,
    broken: "Copilot CLI startet nicht",
    brokenBody:
      "Sie wurde gefunden, nennt aber ihre Version nicht. Installiere sie in einem Terminal neu, oder wähle eine andere Datei.",
  },
  signIn: {
    ownTitle: (model) => `${model} antwortet`,
    change: "Ändern",
    ownBody: "Copilot CLI fragt dann dein Modell statt das von GitHub. Ein Konto ist nicht nötig.",
    ownSave: "Dieses Modell verwenden",
    back: "Zurück",
  },
  folder: {
    title: "Wähle einen Ordner",
    fact: "Copilot arbeitet darin",
    body: "Copilot arbeitet in diesem Ordner. Er fragt vor jeder Änderung und jedem Befehl, bis du es anders festlegst.",
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
  practiceOff: "Das Ausprobieren ist aus: Es braucht die Copilot CLI, mit einem Skript statt einem Modell.",
  start: "Starten",
};
