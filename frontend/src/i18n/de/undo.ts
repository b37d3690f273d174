// German strings for the undo and redo of a turn's changes to files.

import type { Translated } from "../translated";
import type { undo as english } from "../undo";

const number = new Intl.NumberFormat("de");
const plural = (n: number, one: string, many: string) => `${number.format(n)} ${n === 1 ? one : many}`;
const files = (n: number) => plural(n, "Datei", "Dateien");
const moreFiles = (n: number) => plural(n, "weitere Datei", "weitere Dateien");

export const undo: Translated<typeof english> = {
  button: "Änderungen rückgängig machen",
  buttonName: (n) => `Änderungen dieser Antwort rückgängig machen, ${files(n)}`,
  undone: "Änderungen dieser Antwort wurden rückgängig gemacht",
  undoneFiles: (n) => `Änderungen dieser Antwort wurden rückgängig gemacht, ${files(n)}`,
  redone: "Änderungen dieser Antwort wurden wiederhergestellt.",
  inSummary: (changes) => `${changes}, rückgängig gemacht`,
  redo: "Wiederherstellen",
  redoName: "Änderungen dieser Antwort wiederherstellen",
  earlier: (redo, turn, time) => {
    const what = turn === "" ? "Änderungen einer früheren Antwort" : `Änderungen der Antwort von ${turn}`;
    return `${what} wurden um ${time} ${redo ? "wiederhergestellt" : "rückgängig gemacht"}`;
  },
  earlierLabel: (redo) => (redo ? "Änderungen wiederhergestellt" : "Änderungen rückgängig gemacht"),

  title: (redo) =>
    redo ? "Änderungen dieser Antwort wiederherstellen?" : "Änderungen dieser Antwort rückgängig machen?",
  lead: (redo, time) =>
    redo
      ? `Die Dateien werden wieder so wie um ${time}, bevor du sie zurückgesetzt hast. Du kannst das erneut rückgängig machen.`
      : `Die Dateien werden wieder so wie um ${time}, vor deiner Nachricht. Die Unterhaltung bleibt unverändert, und du kannst die Änderungen wiederherstellen.`,
  close: "Schließen",
  checking: "Dateien werden geprüft…",
  failed: "Die Dateien konnten nicht geprüft werden.",
  blocked: (redo) =>
    redo ? "Wiederherstellen gerade nicht möglich." : "Rückgängigmachen gerade nicht möglich.",
  unavailable: "Diese Antwort kann nicht rückgängig gemacht werden.",
  nothing: "Das würde keine Dateien ändern.",
  tryAgain: "Erneut versuchen",

  changed: (n) => `${files(n)} mit späteren Änderungen`,
  changedLines: (n) => plural(n, "Zeile", "Zeilen"),
  keep: "Aktuelle behalten",
  take: (redo) => (redo ? "Wiederherstellen" : "Zurücksetzen"),
  merge: "Zusammenführen",
  compare: "Vergleichen",
  compareFile: (path) => `${path} vergleichen`,
  comparison: (path) => `Spätere Änderungen an ${path}`,
  comparisonLead: (redo) =>
    redo
      ? "Vergleicht die Datei, wie sie nach dem Zurücksetzen war, mit der Datei, wie sie jetzt ist."
      : "Vergleicht die Datei, wie sie nach dieser Antwort war, mit der Datei, wie sie jetzt ist.",
  keepHint: "Lässt die Datei, wie sie ist.",
  takeHint: "Überschreibt die Datei samt den späteren Änderungen. Du kannst sie danach zurückholen.",
  mergeHint: "Ändert nur die Zeilen, die der Agent geändert hat, und behält spätere Änderungen.",
  binary: "binär",

  ready: (redo, n, removed) => {
    const gone = redo ? "wieder entfernt" : "entfernt";
    const will = (count: number) => `${files(count)} ${count === 1 ? "wird" : "werden"}`;
    if (removed === n) return `${will(n)} ${gone}`;
    const changed = `${will(n - removed)} ${redo ? "wieder geändert" : "zurückgesetzt"}`;
    return removed === 0 ? changed : `${changed}, ${number.format(removed)} ${gone}`;
  },
  restores: (redo) => (redo ? "wird wieder geändert" : "wird zurückgesetzt"),
  removes: (redo) => (redo ? "wird wieder entfernt" : "wird entfernt, war neu"),
  returns: "wird neu angelegt",
  moves: (redo, path) => (redo ? `wird nach ${path} verschoben` : `wird nach ${path} zurückverschoben`),
  showMore: (n) => `${number.format(n)} weitere anzeigen`,
  unlisted: (n) => `und ${moreFiles(n)}`,
  unlistedKept: (n) => `und ${moreFiles(n)}, unverändert`,

  rest: (redo) => (redo ? "Nicht wiederhergestellt" : "Nicht rückgängig gemacht"),
  restNote: "Dateien, die diese Befehle geändert haben, werden trotzdem zurückgesetzt.",
  meanwhile: (n) =>
    `Als sich ${number.format(n)} dieser Dateien ${n === 1 ? "änderte" : "änderten"}, lief ein Befehl. Falls du sie dabei bearbeitet hast, wird auch das rückgängig gemacht.`,
  edgesOnly:
    "Dieser Ordner ist groß. Deshalb hat VoxPilot seine Dateien nur vor und nach dieser Antwort gesichert. Falls VoxPilot währenddessen beendet wurde, können einige Änderungen von dir sein.",
  confirm: (redo, n) => `${files(n)} ${redo ? "wiederherstellen" : "zurücksetzen"}`,
  allKept: "Alle Dateien bleiben, wie sie sind.",
  undoFailed: "Die Änderungen konnten nicht rückgängig gemacht werden.",
  redoFailed: "Die Änderungen konnten nicht wiederhergestellt werden.",

  none: "Die letzte Antwort hat keine Dateien geändert.",
  running: "Der Agent läuft noch. Warte, bis er fertig ist, oder stoppe ihn zuerst.",
  alreadyUndone:
    "Die Änderungen der letzten Antwort sind schon rückgängig gemacht. Wähle darunter „Wiederherstellen“, um sie zurückzuholen.",
};
