// Words about newer versions of VoxPilot, in German.

import type { Translated } from "../translated";
import type { updates as english } from "../updates";

export const updates: Translated<typeof english> = {
  title: "Updates",
  off: "Diese Fassung sucht nicht nach Updates. Installiere die neueste Version so, wie du diese installiert hast.",
  idle: "VoxPilot hat noch nicht nach einer neueren Version gesucht.",
  checking: "Es wird nach einer neueren Version gesucht…",
  none: "Das ist die neueste Version.",
  failed: "VoxPilot hat nicht erfahren, ob es eine neuere Version gibt.",
  available: (version) => `VoxPilot ${version} ist da.`,
  downloading: (version) => `VoxPilot ${version} wird heruntergeladen…`,
  progress: (got, size) => `${got} von ${size}`,
  ready: (version) => `VoxPilot ${version} ist heruntergeladen und geprüft.`,
  readyFact: "VoxPilot beendet sich, installiert die Version und öffnet sich wieder. Wann, bestimmst du.",
  packageFact: "VoxPilot lädt das Paket herunter und prüft es. Du installierst es mit einem Befehl.",
  commandFact: "Dein System installiert es. Führe diesen Befehl in einem Terminal aus:",
  lastCheck: (ago) => `Zuletzt geprüft: ${ago}.`,
  check: "Jetzt prüfen",
  download: (size) => `Herunterladen, ${size}`,
  restart: "Zum Aktualisieren neu starten",
  openImage: "Image öffnen",
  tryAgain: "Erneut versuchen",
  copyCommand: "Befehl kopieren",
  notes: (version) => `Neu in ${version}`,
  look: "Einmal am Tag nach Updates suchen",
  lookFact: "VoxPilot fragt nach der neuesten Version und sendet nichts über dich oder deine Arbeit.",
  show: (version) => `VoxPilot ${version} ist da`,
  showReady: (version) => `VoxPilot ${version} ist bereit`,
  hide: (version) => `Hinweis auf VoxPilot ${version} ausblenden`,
  migrated: "Deine Daten wurden für diese Version umgestellt. Eine Kopie von vorher wurde aufgehoben.",
};
