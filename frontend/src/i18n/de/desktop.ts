// Words of the settings page "Desktop", in German.

import type { desktop as english } from "../desktop";
import type { Translated } from "../translated";

export const desktop: Translated<typeof english> = {
  startup: "Infobereich",
  startAtLogin: "Beim Anmelden starten",
  startAtLoginFact: "Ohne Fenster: VoxPilot wartet im Infobereich.",
  startAtLoginNoTray: "Mit minimiertem Fenster: Dieser Desktop zeigt keine Symbole im Infobereich.",
  tray: "Im Infobereich weiterlaufen, wenn das Fenster geschlossen wird",
  trayFact: "Solange Chats arbeiten, bleibt VoxPilot auf jeden Fall dort.",
  trayNone:
    "Dieser Desktop zeigt keine Symbole im Infobereich, deshalb beendet das Schließen des Fensters VoxPilot.",
  quick: "Schnelleingabe",
  shortcut: "Globales Tastenkürzel",
  shortcutFact: "Öffnet die Schnelleingabe, egal welches Programm vorn ist.",
  shortcutCalled: (keys) => `Der Desktop nennt es: ${keys}.`,
  shortcutOff: "Keines. Der Infobereich und der Befehl öffnen die Schnelleingabe.",
  record: (keys) => `Globales Tastenkürzel ändern, jetzt ${keys}`,
  recordNone: "Globales Tastenkürzel festlegen",
  set: "Festlegen…",
  recording: "Tasten drücken…",
  cancelHint: "Escape bricht ab.",
  reset: "Zurücksetzen",
  none: "Entfernen",
  again: "Erneut versuchen",
  command: "Befehl",
  commandFact: "Tut dasselbe. Du kannst ihn in den Tastatureinstellungen deines Desktops auf Tasten legen.",
  notAKey:
    "Ein Tastenkürzel endet mit einem Buchstaben, einer Ziffer, der Leertaste, F1 bis F24, Einfg, Pos1, Ende, Bild auf, Bild ab oder einer Pfeiltaste.",
  own: (command) => `Diese Tasten sind in VoxPilot schon „${command}“. Drücke andere.`,
  notifications: "Benachrichtigungen",
  lead: "Sie kommen nur, während das Fenster nicht vorn ist.",
  noButtons:
    "Sie kommen nur, während das Fenster nicht vorn ist. Dieser Desktop zeigt in Benachrichtigungen keine Schaltflächen: Ein Klick öffnet den Chat.",
  muted: "Alle stummschalten",
  mutedFact:
    "Nichts wird gezeigt. Chats, die dich brauchen, sind weiter in VoxPilot und im Infobereich markiert.",
  needsYou: "Ein Chat braucht dich",
  needsYouFact: "Eine Anfrage, die kurz genug ist, um ganz gezeigt zu werden, lässt sich dort beantworten.",
  finished: "Ein Chat ist fertig",
  failed: "Ein Chat ist fehlgeschlagen",
  signIn: "Eine Anmeldung ist nötig",
  quiet: "Ruhezeit",
  quietFact: "Dann wird nichts gezeigt.",
  quietFrom: "Ruhe von",
  quietTo: "Ruhe bis",
  to: "bis",
};
