// German strings about newer versions of VoxPilot.

import type { Translated } from "../translated";
import type { updates as english } from "../updates";

export const updates: Translated<typeof english> = {
  title: "Updates",
  off: "Dieser Build sucht nicht nach Updates. Installiere zum Aktualisieren die neueste Version so, wie du diese installiert hast.",
  idle: "VoxPilot hat noch nicht nach Updates gesucht.",
  checking: "Nach Updates wird gesucht…",
  none: "VoxPilot ist auf dem neuesten Stand.",
  failed: "Die Suche nach Updates ist fehlgeschlagen.",
  available: (version) => `VoxPilot ${version} ist verfügbar.`,
  downloading: (version) => `VoxPilot ${version} wird heruntergeladen…`,
  progress: (got, size) => `${got} von ${size}`,
  ready: (version) => `VoxPilot ${version} wurde heruntergeladen und geprüft.`,
  readyFact: "VoxPilot beendet sich, installiert das Update und öffnet sich wieder. Wann, bestimmst du.",
  packageFact: "VoxPilot lädt das Paket herunter und prüft es. Du installierst es mit einem Befehl.",
  commandFact: "Um es mit deiner Paketverwaltung zu installieren, führe diesen Befehl in einem Terminal aus:",
  lastCheck: (ago) => `Zuletzt geprüft: ${ago}.`,
  check: "Jetzt prüfen",
  download: (size) => `Herunterladen (${size})`,
  restart: "Zum Aktualisieren neu starten",
  openImage: "Disk-Image öffnen",
  tryAgain: "Erneut versuchen",
  copyCommand: "Befehl kopieren",
  notes: (version) => `Neu in ${version}`,
  checkDaily: "Täglich nach Updates suchen",
  checkDailyFact:
    "VoxPilot fragt nur, welche Version die neueste ist. Über dich oder deine Arbeit sendet es nichts.",
  show: (version) => `VoxPilot ${version} ist verfügbar`,
  showReady: (version) => `VoxPilot ${version} ist bereit`,
  hide: (version) => `Hinweis auf VoxPilot ${version} schließen`,
  migrated:
    "Deine Daten wurden für diese Version umgestellt. VoxPilot hat eine Sicherung der alten Daten behalten.",
};
