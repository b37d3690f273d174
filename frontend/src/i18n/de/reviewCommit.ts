// German strings of the commit box on the Review screen.

import type { reviewCommit as english } from "../reviewCommit";
import type { Translated } from "../translated";

const number = new Intl.NumberFormat("de");
const plural = (n: number, one: string, many: string) => `${number.format(n)} ${n === 1 ? one : many}`;
const files = (n: number) => plural(n, "Datei", "Dateien");
const commits = (n: number) => plural(n, "Commit", "Commits");

export const reviewCommit: Translated<typeof english> = {
  box: "Commit",
  to: "Commit in",
  noBranch: "keinem Branch",
  message: "Commit-Nachricht",
  messageHint: "Änderungen beschreiben",
  suggested: "Vorschlag anhand der Änderungen",
  suggestedLast: "Aus dem letzten Commit",
  noSuggestion: "Kein Vorschlag",
  suggest: "Andere Nachricht vorschlagen",
  yourText: "Eigenen Text wiederherstellen",
  files: "Dateien im Commit",
  all: (n) => (n === 1 ? "1 Datei" : `Alle ${files(n)}`),
  viewed: (n) => `${files(n)} angesehen`,
  staged: (n) => `${files(n)} vorgemerkt`,
  chosen: (n) => `${files(n)} ausgewählt`,
  choose: "Auswählen…",
  chooseHint: "Hake die Dateien in der Liste an.",
  commit: "Committen",
  amendCommit: "Commit ergänzen",
  more: "Weitere Möglichkeiten",
  andPush: "Committen und pushen",
  andPull: "Committen, pushen und Pull-Request öffnen…",
  amend: "Letzten Commit ergänzen",
  amendAndPush: "Ergänzen und pushen",
  amendAndPull: "Ergänzen, pushen und Pull-Request öffnen…",
  amending: (subject) => `„${subject}“ wird ergänzt`,
  stopAmending: "Nicht ergänzen",
  amendPushed: "Der letzte Commit wurde gepusht. Das Remote lehnt den ergänzten Commit vielleicht ab.",
  hooks: (names) => `Führt ${names} aus`,
  unlisted: (n) =>
    n === 1
      ? "1 weitere Datei ist geändert. Sie steht nicht in der Liste, ist aber im Commit."
      : `${n.toLocaleString("de")} weitere Dateien sind geändert. Sie stehen nicht in der Liste, sind aber im Commit.`,
  conflicts: (n) =>
    n === 1
      ? "1 Datei enthält Konfliktmarkierungen."
      : `${n.toLocaleString("de")} Dateien enthalten Konfliktmarkierungen.`,
  signed: "Signiert",
  by: (author) => `Von ${author}`,
  nothing: "Alles ist committet.",
  loading: "Commit wird geladen…",
  tryAgain: "Erneut versuchen",
  trust: "Vertrauen in den Ordner prüfen…",

  working: {
    "": "Wartet auf einen früheren Commit oder Push…",
    hooks: "Wird committet, Hooks laufen…",
    commit: "Wird committet…",
    push: "Wird gepusht…",
    pull: "Pull-Request wird erstellt…",
  },
  output: "Ausgabe von Git",
  outputCut: (n) => `${plural(n, "frühere Zeile", "frühere Zeilen")} ausgeblendet`,
  cancel: "Abbrechen",
  cancelled: "Abgebrochen. Nichts wurde committet.",
  cancelledPush: "Abgebrochen. Der Commit wurde nicht gepusht.",
  cancelledPull: "Abgebrochen. Der Pull-Request wurde nicht geöffnet.",
  failed: "Commit fehlgeschlagen.",
  failedPush: "Push fehlgeschlagen.",
  failedPull: "Der Pull-Request konnte nicht erstellt werden.",
  close: "Zurück zur Commit-Nachricht",
  done: "Fertig",

  committed: "Committet:",
  committedAnnounced: (short) => `${short} committet`,
  pushedAnnounced: "Gepusht",
  undoneAnnounced: "Der Commit wurde rückgängig gemacht. Seine Änderungen sind vorgemerkt.",
  filesTo: (n, branch) => `${files(n)} in ${branch}`,
  undo: "Rückgängig",
  undoCommit: "Commit rückgängig machen",
  push: (n) => `${commits(n)} pushen`,
  pushTo: "Pushen nach",
  chooseRemote: "Remote wählen",
  setsUpstream: (remote, branch) =>
    `Pusht nach ${remote}/${branch} und legt diesen Branch als Upstream fest.`,
  noRemote: "Dieses Repository hat kein Remote. Füge in einem Terminal eines hinzu.",
  behind: (n) =>
    n === 1
      ? "Der Remote-Branch hat 1 Commit, der dir fehlt."
      : `Der Remote-Branch hat ${commits(n)}, die dir fehlen.`,
  pushed: (branch) => `Gepusht nach ${branch}`,
  pullRequest: "Pull-Request…",

  stage: "Vormerken",
  unstage: "Nicht vormerken",
  stageFile: (path) => `${path} vormerken`,
  unstageFile: (path) => `${path} nicht vormerken`,
  stageChange: (n) => `Änderung ${n} vormerken`,
  unstageChange: (n) => `Änderung ${n} nicht vormerken`,
  stagedTag: "Vorgemerkt",
  partlyStaged: "Teilweise vorgemerkt",
  stagedAnnounced: (path) => `${path} vorgemerkt`,
  unstagedAnnounced: (path) => `${path} nicht mehr vorgemerkt`,
};
