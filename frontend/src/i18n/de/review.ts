// German strings of the Review screen.

import type { review as english } from "../review";
import type { Translated } from "../translated";

const number = new Intl.NumberFormat("de");
const plural = (n: number, one: string, many: string) => `${number.format(n)} ${n === 1 ? one : many}`;
const files = (n: number) => plural(n, "Datei", "Dateien");
const lines = (n: number) => plural(n, "Zeile", "Zeilen");

const putBack = (n: number, place: string) =>
  n === 0 ? `${place} zurückgesetzt` : `${lines(n)} in ${place} zurückgesetzt`;

export const review: Translated<typeof english> = {
  title: "Durchsicht",
  of: (chat) => `Durchsicht von ${chat}`,
  back: "Zurück zum Chat",
  source: "Änderungen anzeigen",
  sources: {
    chat: "Dieser Chat",
    working: "Nicht committete Änderungen",
    base: (branch) => `Branch gegenüber ${branch}`,
    turns: "Antworten",
    commits: "Commits",
    turn: (text, n) => `${text}, ${files(n)}`,
    turnAt: (time) => `Antwort um ${time}`,
    thisTurn: "Eine Antwort",
    commit: (short, subject) => `${short} ${subject}`,
    oneCommit: "Ein Commit",
  },
  files,
  viewedOf: (viewed, all) => `${number.format(viewed)} von ${number.format(all)} angesehen`,
  viewedFiles: "Angesehene Dateien",
  layout: "Darstellung",
  unified: "Untereinander",
  split: "Nebeneinander",
  options: "Optionen der Durchsicht",
  wrap: "Lange Zeilen umbrechen",
  hideWhitespace: "Leerraum-Änderungen ausblenden",
  find: "In allen Dateien suchen",
  reload: "Neu laden",

  filesAndCommit: "Dateien und Commit",
  openFiles: (all, viewed) => `Dateien: ${number.format(all)}, ${number.format(viewed)} angesehen`,
  closeFiles: "Dateien schließen",
  filter: "Dateien filtern",
  clearFilter: "Filter löschen",
  noFilterMatch: "Keine passenden Dateien.",
  tree: "Geänderte Dateien",
  kinds: {
    edited: "bearbeitet",
    added: "neu",
    removed: "entfernt",
    moved: "verschoben",
    mode: "Rechte geändert",
    submodule: "Submodul",
  },
  inCommit: ", im Commit",
  inCommitTitle: "Im nächsten Commit",
  treeFile: (path, kind, added, removed, viewed) =>
    `${path}, ${kind}, ${number.format(added)} hinzugefügt, ${number.format(removed)} entfernt${viewed ? ", angesehen" : ""}`,
  treePending: (path, kind, viewed) =>
    `${path}, ${kind}, Zeilen noch nicht gezählt${viewed ? ", angesehen" : ""}`,
  more: (n) => `${plural(n, "weitere Datei ist", "weitere Dateien sind")} nicht aufgeführt.`,

  diffs: "Änderungen",
  diffOf: (path) => `Änderungen an ${path}`,
  fold: (path) => `${path} einklappen`,
  unfold: (path) => `${path} ausklappen`,
  movedFrom: (path) => `von ${path}`,
  revertFile: "Datei zurücksetzen",
  revertFileName: (path) => `Datei zurücksetzen: ${path}`,
  viewed: "Angesehen",
  openInEditor: (path) => `${path} im Editor öffnen`,
  tags: {
    binary: "Binär",
    generated: "Generiert",
    large: "Groß",
    mode: (old, now) => `Rechte ${old} → ${now}`,
    submodule: "Submodul",
    conflicts: (n) => plural(n, "Konflikt", "Konflikte"),
    resolved: "Gelöst",
    crlf: "CRLF",
  },

  change: (n, of, file) => `Änderung ${n} von ${of} in ${file}`,
  changeName: (n, from, to) =>
    from === to ? `Änderung ${n}, Zeile ${from}` : `Änderung ${n}, Zeilen ${from} bis ${to}`,
  linesFromTo: (from, to) => (from === to ? `Zeile ${from}` : `Zeilen ${from} bis ${to}`),
  counts: (added, removed) => `${lines(added)} hinzugefügt, ${lines(removed)} entfernt`,
  keep: "Behalten",
  keepName: (n) => `Änderung ${n} behalten`,
  kept: "Behalten",
  keptName: (n) => `Änderung ${n} ist behalten`,
  revert: "Zurücksetzen",
  revertName: (n) => `Änderung ${n} zurücksetzen`,
  revertLines: (n) => `${lines(n)} zurücksetzen`,
  lineAdded: (n) => `hinzugefügt, Zeile ${n}`,
  lineRemoved: (n) => `entfernt, Zeile ${n}`,
  line: (n) => `Zeile ${n}`,
  blank: "leer",
  selectedAnnounced: (lines) => `${lines} ausgewählt`,
  cut: " … (Zeile ist gekürzt)",
  noNewline: "Kein Zeilenumbruch am Ende",
  openUp: (n) => `${lines(n)} darüber anzeigen`,
  openDown: (n) => `${lines(n)} darunter anzeigen`,
  openAll: (n) => `Alle ${lines(n)} anzeigen`,
  hiddenLines: (n) => plural(n, "ausgeblendete Zeile", "ausgeblendete Zeilen"),

  conflict: {
    ours: (label) => (label === "" ? "Aktuell" : `Aktuell, ${label}`),
    theirs: (label) => (label === "" ? "Eingehend" : `Eingehend, ${label}`),
    base: "Gemeinsamer Vorgänger",
    name: (n, of) => `Konflikt ${n} von ${of}`,
    use: "Diese verwenden",
    useName: (side) => `Diese verwenden: ${side}`,
    both: "Beide verwenden",
    bothName: (n) => `Beide verwenden, Konflikt ${n}`,
    bothSides: "beide Seiten",
    edit: "Im Editor öffnen",
    editName: (n) => `Im Editor öffnen, Konflikt ${n}`,
    ask: (agent) => `${agent} lösen lassen`,
    askName: (agent, n) => `${agent} lösen lassen, Konflikt ${n}`,
    message: (path, from, to) =>
      `Löse den Merge-Konflikt in ${path}, Zeilen ${from} bis ${to}. Erhalte die Absicht beider Seiten.`,
    resolved: (side) => `Konflikt gelöst: ${side}`,
    resolvedMerged: (side) => `Konflikt gelöst: ${side}. Spätere Änderungen bleiben erhalten.`,
    undoName: (side) => `Rückgängig: Konflikt gelöst, ${side}`,
  },

  putBack: (n, place) => putBack(n, place),
  putBackMerged: (n, place) => `${putBack(n, place)}. Spätere Änderungen sind erhalten.`,
  undo: "Rückgängig",
  undoName: (n, place) => `Rückgängig: ${putBack(n, place)}`,
  restored: "Die Änderung ist wieder da.",
  keptAnnounced: (n) => `Änderung ${n} behalten`,
  unkeptAnnounced: (n) => `Änderung ${n} nicht mehr behalten`,
  viewedAnnounced: (path) => `${path} angesehen`,
  unviewedAnnounced: (path) => `${path} nicht angesehen`,

  loading: "Änderungen werden geladen…",
  comparing: (n) => (n === 1 ? "1 Datei wird noch verglichen…" : `${files(n)} werden noch verglichen…`),
  loadingLong:
    "Die Änderungen werden noch geladen. In einem Ordner mit sehr vielen Dateien kann das beim ersten Mal eine Minute dauern. Du kannst solange zurückgehen.",
  loadFailed: "Die Änderungen konnten nicht geladen werden.",
  tryAgain: "Erneut versuchen",
  nothing: "Noch keine Änderungen in diesem Chat",
  nothingBody: "Was Copilot ändert, erscheint hier sofort.",
  nothingIn: "Keine Änderungen",
  nothingInBody: "Hier gibt es nichts durchzusehen.",
  changedOnDisk: "Auf der Festplatte geändert",
  changedJustNow: "Gerade auf der Festplatte geändert.",
  commentsStay: (n) =>
    n === 1
      ? "Dein Kommentar bleibt an seinen Zeilen."
      : `Deine ${number.format(n)} Kommentare bleiben an ihren Zeilen.`,
  showNew: "Neue Fassung anzeigen",
  largeFile: (n) =>
    `${plural(n, "geänderte Zeile", "geänderte Zeilen")}. Zählt erst mit, wenn du die Datei öffnest.`,
  showDiff: "Änderungen anzeigen",
  tooLarge: (size) => `Diese Datei hat ${size}. Dateien über 5 MB vergleicht VoxPilot nicht.`,
  binary: "Binärdateien kann VoxPilot nicht vergleichen.",
  binarySizes: (before, after) => `Größe: vorher ${before}, nachher ${after}.`,
  imageSizes: (before, after) => `Bild. Größe: vorher ${before}, nachher ${after}.`,
  before: "Vorher",
  after: "Nachher",
  imageFacts: (side, facts) => (facts === "" ? side : `${side}, ${facts}`),
  pixels: (width, height) => `${width} × ${height}`,
  noImage: (side) => `${side}: keine Datei`,
  modeOnly: (old, now) => `Nur die Rechte haben sich geändert, von ${old} zu ${now}.`,
  movedOnly: (from) => `Diese Datei wurde von ${from} verschoben und ist sonst unverändert.`,
  submodule: "Das Submodul verweist auf einen anderen Commit.",
  noLines: "Keine Zeilen geändert.",
  gone: "Diese Datei hat keine Änderungen mehr.",
  working: (agent, session) =>
    `${agent}${session === "" ? "" : ` [${session}]`} arbeitet noch. Neue Änderungen erscheinen unter der Stelle, die du gerade liest.`,
  allViewed: (n) =>
    n === 1 ? "Du hast die einzige Datei angesehen." : `Du hast alle ${files(n)} angesehen.`,
  seenFacts: (reverted, open) =>
    `${[
      ...(reverted > 0 ? [`${plural(reverted, "Änderung", "Änderungen")} zurückgesetzt`] : []),
      ...(open > 0 ? [`${plural(open, "Kommentar", "Kommentare")} offen`] : []),
    ].join(", ")}.`,
  commit: "Committen…",
  dismiss: "Schließen",

  keysNextPrevious: "nächste, vorige Änderung",
  keysFiles: "nächste, vorige Datei",
  keysViewed: "angesehen",

  findLabel: "In allen Dateien suchen",
  findField: "Suchen",
  findNone: "Keine Treffer",
  findCount: (at, total, capped) =>
    `${number.format(at)} von ${capped ? "mindestens " : ""}${number.format(total)}`,
  findPrevious: "Voriger Treffer",
  findNext: "Nächster Treffer",
  findClose: "Suche schließen",
};
