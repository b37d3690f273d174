// German strings for the permission card.

import { count } from "../../lib/format";
import type { Protection } from "../../state/types";
import type { card as english } from "../card";
import type { Translated } from "../translated";

const services = new Map([
  ["Docker", "der Container-Registry"],
  ["Visual Studio Marketplace", "dem Visual Studio Marketplace"],
]);

const plural = (n: number, one: string, many: string) => (n === 1 ? `1 ${one}` : `${count(n)} ${many}`);

const protections: Record<Protection, string> = {
  session: "kann Code ausführen, wenn die nächste Sitzung beginnt",
  git: "kann Code ausführen, wenn Git das nächste Mal läuft",
  shell: "kann Code ausführen, wenn eine Shell startet",
  keys: "enthält SSH- oder GPG-Schlüssel oder deren Einstellungen",
  app: "enthält VoxPilots eigene Daten",
  agent: "enthält Copilots eigene Einstellungen",
};

export const card: Translated<typeof english> = {
  requestedBy: (who) => `Angefragt von ${who}`,
  kinds: (edits, creates, deletes) =>
    [
      edits > 0 ? plural(edits, "Änderung", "Änderungen") : "",
      creates > 0 ? plural(creates, "neue Datei", "neue Dateien") : "",
      deletes > 0 ? plural(deletes, "Löschung", "Löschungen") : "",
    ]
      .filter(Boolean)
      .join(", "),
  changeFiles: (n) => `${plural(n, "Datei", "Dateien")} ändern`,
  create: (path) => `${path} erstellen`,
  verbs: { edit: "Bearbeiten", create: "Erstellen", delete: "Löschen" },
  file: (verb, path) => `${verb}: ${path}`,
  moreLines: (n) => plural(n, "weitere Zeile", "weitere Zeilen"),
  showMoreLines: (n, path) => `${plural(n, "weitere Zeile", "weitere Zeilen")} von ${path} anzeigen`,
  showFile: (path) => `${path} anzeigen`,
  agentText: (who) => `Erklärung von ${who}`,
  noDeletion: "VoxPilot kann nicht anzeigen, was gelöscht wird.",
  severalOnce: (n, unlisted) =>
    `„Einmal erlauben“ gilt für ${unlisted ? `alle ${count(n)} Dateien, auch für die ohne Vorschau` : `diese ${count(n)} Dateien wie angezeigt`}. „Immer erlauben“ ist nicht verfügbar, wenn eine Anfrage mehrere Dateien ändert.`,
  deletionOnce: "„Immer erlauben“ ist für Löschungen nicht verfügbar.",
  moveOnce: "„Immer erlauben“ ist für Verschiebungen nicht verfügbar.",
  harmOnce:
    "Wegen der oben genannten Risiken hat „Einmal erlauben“ kein Tastenkürzel, und „Immer erlauben“ ist nicht verfügbar.",
  allowFromNowOn: "Erlauben und nicht mehr fragen",
  onlyAlways: (who) =>
    `${who} lässt dir keine Wahl, dies nur einmal zu erlauben. Wenn du es erlaubst, fragt ${who} bei ähnlichen Aktionen nicht mehr. VoxPilot kann deine Regeln dann nicht darauf anwenden.`,
  runsIn: "Läuft in",
  variables: "Setzt",
  reason: "Was soll Copilot stattdessen tun?",
  rejectAndSend: "Ablehnen und senden",
  cancel: "Abbrechen",
  reasonFact:
    "Dein Text geht als deine nächste Nachricht an Copilot, und Copilot macht weiter. Lässt du das Feld leer, hört Copilot hier auf.",
  reasonOf: (who) => `Was soll ${who} stattdessen tun?`,
  reasonFactOf: (who) => `Dein Text geht als deine nächste Nachricht an ${who}.`,
  protected: (why, several) =>
    several
      ? `Mit einer geschützten Datei. Sie ${protections[why]}`
      : `Geschützt: Diese Datei ${protections[why]}`,
  harm: "Risiken",
  harms: {
    delete: (of, _at, files, targets, canRestore) => {
      if (canRestore)
        return [files === 1 ? "Löscht:" : "Löscht Dateien:", `${of} (${plural(files, "Datei", "Dateien")}).`];
      if (files === 1 && targets === 1)
        return ["Löscht endgültig:", `${of} (1 Datei). Das lässt sich nicht rückgängig machen.`];
      const count = files > 0 ? plural(files, "Datei", "Dateien") : "";
      const what = of && count ? `${of} (${count})` : of || count;
      return what === ""
        ? ["Löscht Dateien endgültig.", "Das lässt sich nicht rückgängig machen."]
        : ["Löscht Dateien endgültig:", `${what}. Das lässt sich nicht rückgängig machen.`];
    },
    overwrite: (of, at) => [
      `Überschreibt ${of || "einen Branch"} auf ${at || "dem Remote"}.`,
      "Commits dort, die nicht auf diesem Computer sind, gehen verloren.",
    ],
    script: (of) => [
      "Führt ein Skript aus dem Web aus.",
      `VoxPilot kann nicht sehen, was ${of || "der Server"} sendet.`,
    ],
    discard: () => ["Verwirft Änderungen ohne Commit.", ""],
    history: () => [
      "Schreibt den Verlauf des Repositorys um.",
      "Die ursprünglichen Commits können verloren gehen.",
    ],
    admin: () => ["Läuft mit Administratorrechten.", "Das kann alles auf diesem Computer ändern."],
    rights: (of) => (of === "" ? ["Ändert Dateirechte.", ""] : ["Ändert Dateirechte:", `${of} samt Inhalt.`]),
    owner: (of) =>
      of === ""
        ? ["Ändert Eigentümer oder Gruppe von Dateien.", ""]
        : ["Ändert Eigentümer oder Gruppe von Dateien:", `${of} samt Inhalt.`],
    disk: (of) => [
      "Schreibt direkt auf einen Datenträger.",
      `Der Inhalt${of && ` von ${of}`} geht verloren.`,
    ],
    publish: (_of, at) => [
      `Veröffentlicht oder ändert Daten auf ${services.get(at) ?? (at || "dem Remote")}.`,
      "Das wirkt sich sofort auf andere Personen aus, und VoxPilot kann es nicht rückgängig machen.",
    ],
    unread: () => ["Führt Code aus, den VoxPilot nicht prüfen kann.", ""],
    outside: (of) =>
      of === ""
        ? ["Greift auf Dateien außerhalb des Ordners dieses Chats zu.", ""]
        : ["Greift auf Dateien außerhalb des Ordners dieses Chats zu:", `${of}.`],
    unclear: (of, _at, _files, targets) => [
      "VoxPilot kann nicht erkennen, was dieses Feld der Anfrage bewirkt.",
      of === "" ? "" : targets === 1 ? `Wert: ${of}.` : `Widersprüchliche Werte: ${of}.`,
    ],
  },
  place: (path) => (path === "." ? "der aktuelle Ordner" : path === ".." ? "der übergeordnete Ordner" : path),
  and: (names) =>
    names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} und ${names.at(-1)}`,
};
