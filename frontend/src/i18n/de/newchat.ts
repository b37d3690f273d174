// German strings for the new chat screen.

import type { newChat as english } from "../newchat";
import type { Translated } from "../translated";

const number = new Intl.NumberFormat("de");

export const newChat: Translated<typeof english> = {
  title: "Neuer Chat",
  folder: (name) => `Ordner: ${name}`,
  completion: {
    label: "Ordner",
    found: (n) =>
      n === 1
        ? "1 Ordner. Ergänzen mit Tab."
        : `${n} Ordner. Auswählen mit den Pfeiltasten, ergänzen mit Tab.`,
  },
  noFolder: "Ordner wählen",
  noFolderFacts: (who) =>
    `${who} arbeitet in dem Ordner, den du auswählst, und fragt, bevor etwas geschieht, es sei denn, du erlaubst mehr.`,
  practiceFolder: "Übungsordner",
  practiceFacts:
    "Ein kleines Beispielprojekt. Antworten kommen aus einem eingebauten Skript, nicht von einer KI.",
  checking: "Der Ordner wird geprüft…",
  missing: "Diesen Ordner gibt es nicht.",
  noGit: "Kein Git-Repository",
  git: (branch, changed) =>
    changed === 0
      ? branch
      : changed === 1
        ? `${branch}, 1 Datei nicht committet`
        : `${branch}, ${number.format(changed)} Dateien nicht committet`,
  composer: "Nachrichtenfeld",
  message: "Nachricht",
  placeholder: (folder) => `Was soll sich in ${folder} ändern?`,
  placeholderNone: "Was soll sich ändern?",
  placeholderPractice: "Bitte um eine Änderung, um zu sehen, wie es geht",
  send: "Senden",
  hint: "Enter sendet, Shift+Enter beginnt eine neue Zeile. Bilder kannst du überall ablegen.",
  modeOwn: "Standard des Agenten",
  practiceFact: "Eingebautes Skript, kein Konto nötig",
  practiceOff: "Nicht verfügbar, bis die Copilot CLI gefunden ist",
  tooLarge:
    "Diese Nachricht ist größer als 1 MB. Kürze sie, oder lege den Text in einer Datei ab und erwähne die Datei.",
  startFrom: "Beginne mit",
  suggestions: {
    review: "Prüfe meine nicht committeten Änderungen",
    tests: "Schreibe Tests für den letzten Commit",
    explain: "Erkläre, wie dieser Ordner aufgebaut ist",
  },
  // The practice script recognizes requests by keywords in each language (backend/practice/guide.go).
  practiceSuggestions: {
    fix: "Korrigiere die Begrüßung",
    run: "Führe das Skript aus",
    story: "Erzähle mir eine lange Geschichte",
  },
  recent: "Zuletzt in diesem Ordner",
  picker: {
    title: "Ordner",
    recent: "Zuletzt verwendete Ordner",
    path: "Pfad des Ordners",
    placeholder: "Pfad eingeben oder einfügen",
    use: "Diesen Ordner verwenden",
  },
};
