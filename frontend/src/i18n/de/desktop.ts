// German strings for the settings page "Desktop".

import type { desktop as english } from "../desktop";
import type { Translated } from "../translated";

export const desktop: Translated<typeof english> = {
  startup: "Infobereich",
  startAtLogin: "Beim Anmelden starten",
  startAtLoginFact: "Startet verborgen im Infobereich.",
  startAtLoginNoTray: "Startet minimiert, weil dieser Desktop keinen Infobereich hat.",
  tray: "Im Infobereich weiterlaufen, wenn du das Fenster schließt",
  trayFact: "Solange Chats laufen, bleibt VoxPilot immer im Infobereich.",
  trayNone: "Dieser Desktop hat keinen Infobereich, deshalb beendet das Schließen des Fensters VoxPilot.",
  quick: "Schnelleingabe",
  shortcut: "Globales Tastenkürzel",
  shortcutFact: "Öffnet die Schnelleingabe aus jeder App.",
  shortcutCalled: (keys) => `Dein Desktop zeigt es als ${keys} an.`,
  shortcutOff: "Keines. Öffne die Schnelleingabe im Infobereich oder mit dem Befehl unten.",
  shortcutOffNoTray: "Keines. Öffne die Schnelleingabe mit dem Befehl unten.",
  record: (keys) => `Globales Tastenkürzel ändern (derzeit ${keys})`,
  recordNone: "Globales Tastenkürzel festlegen",
  set: "Festlegen…",
  recording: "Tasten drücken…",
  cancelHint: "Abbrechen mit Escape.",
  reset: "Zurücksetzen",
  none: "Entfernen",
  again: "Erneut versuchen",
  command: "Befehl",
  commandFact:
    "Öffnet ebenfalls die Schnelleingabe. Du kannst ihm in den Tastatureinstellungen deines Desktops ein Tastenkürzel geben.",
  notAKey:
    "Ein Tastenkürzel muss mit einem Buchstaben, einer Ziffer, der Leertaste, F1–F24, Einfg, Pos1, Ende, Bild auf, Bild ab oder einer Pfeiltaste enden.",
  alreadyUsed: (command) => `VoxPilot verwendet diese Tasten schon für „${command}“. Drücke andere.`,
  notifications: "Benachrichtigungen",
  lead: "Nur, wenn VoxPilot nicht im Vordergrund ist.",
  noButtons:
    "Nur, wenn VoxPilot nicht im Vordergrund ist. Dieser Desktop unterstützt keine Schaltflächen in Benachrichtigungen: Ein Klick auf eine Benachrichtigung öffnet ihren Chat.",
  muted: "Alle stummschalten",
  mutedFact:
    "Keine Benachrichtigungen. Chats, die dich brauchen, sind weiter in VoxPilot und im Infobereich markiert.",
  needsYou: "Ein Chat braucht dich",
  needsYouFact: "Kurze Anfragen kannst du direkt in der Benachrichtigung beantworten.",
  finished: "Ein Chat wird fertig",
  failed: "Ein Chat schlägt fehl",
  signIn: "Du musst dich anmelden",
  quiet: "Ruhezeit",
  quietFact: "Keine Benachrichtigungen in dieser Zeit.",
  quietFrom: "Ruhe von",
  quietTo: "Ruhe bis",
  to: "bis",
};
