import type { sessions as english } from "../sessions";
import type { Translated } from "../translated";

const number = new Intl.NumberFormat("de");
const plural = (n: number, one: string, many: string) => `${number.format(n)} ${n === 1 ? one : many}`;

export const sessions: Translated<typeof english> = {
  title: "Copilot-Sitzungen",
  field: "Copilot-Sitzungen durchsuchen",
  placeholder: "Sitzungen auf diesem Computer suchen",
  clear: "Suche leeren",
  list: "Sitzungen",
  preview: "Vorschau",
  count: "Anzahl der Ergebnisse",
  found: (n, known) =>
    `${plural(n, "Sitzung", "Sitzungen")}${known > 0 ? `, ${number.format(known)} schon in VoxPilot` : ""}`,
  counting: (found) => `Nachrichten werden gezählt… ${found}`,
  loading: "Sitzungen werden gesucht…",
  empty: "Noch keine Sitzungen auf diesem Computer",
  emptyBody: "Sitzungen, die du in einem Terminal mit copilot beginnst, erscheinen hier.",
  none: (query) =>
    query === ""
      ? "Keine Sitzung passt zu diesen Filtern."
      : `Keine Sitzung passt zu „${query}“. Versuche es mit weniger Wörtern oder anderen Filtern.`,
  clearFilters: "Filter zurücksetzen",
  failed: "Die Sitzungen konnten nicht geladen werden.",
  partly: "Einige Sitzungen fehlen möglicherweise.",
  tryAgain: "Erneut versuchen",
  folder: "Ordner",
  allFolders: "Alle Ordner",
  agent: "Agent",
  allAgents: "Alle Agenten",
  otherPrograms: "Andere Programme",
  noPreview:
    "Öffne die Unterhaltung, um sie zu lesen. Copilot bekommt die Nachrichten und Werkzeugergebnisse mit deiner ersten Nachricht.",
  cli: "Copilot CLI",
  date: "Datum",
  untitled: "Sitzung ohne Titel",
  days: { today: "Heute", yesterday: "Gestern", month: "Früher in diesem Monat" },
  marks: {
    terminal: { label: "Im Terminal offen", name: "im Terminal offen" },
    program: { label: "In anderem Programm offen", name: "in anderem Programm offen" },
    damaged: { label: "Beschädigt", name: "beschädigt" },
    gone: { label: "Ordner fehlt", name: "Ordner fehlt" },
    known: { label: "In VoxPilot", name: "in VoxPilot" },
  },
  named: (title, marks) => [title, ...marks].join(", "),
  messages: (n) => plural(n, "Nachricht", "Nachrichten"),
  filesChanged: (n) => `${plural(n, "Datei", "Dateien")} geändert`,
  facts: (parts) => parts.join(", "),
  you: "Deine erste Nachricht",
  youLast: "Deine letzte Nachricht",
  answer: "Die letzte Antwort",
  terminal: "Terminal",
  last: (when) => `Letzte Nachricht ${when}`,
  lastFrom: (when, terminal) =>
    `Letzte Nachricht ${when}, aus einem Terminal${terminal === "" ? "" : ` (${terminal})`}`,
  lastFromProgram: (when, program) =>
    `Letzte Nachricht ${when}, aus einem anderen Programm${program === "" ? "" : ` (${program})`}`,
  unreadable: "Copilot kann diese Sitzung nicht öffnen.",
  missing: "Diese Sitzung gibt es nicht mehr.",
  nothingLeft: "Das Protokoll dieser Sitzung fehlt oder ist leer.",
  nothingReadable: "Keine Nachricht dieser Sitzung ist lesbar.",
  previewFailed: "Die Vorschau konnte nicht geladen werden.",
  fork: "Abzweigen",
  continueHere: "Hier fortsetzen",
  openChat: "Chat öffnen",
  rescue: "Retten…",
  back: "Zurück zur Liste",
  openFailed: "Die Sitzung konnte nicht geöffnet werden.",
  fromTerminal: "Sitzung aus dem Terminal fortsetzen…",
  rescueSheet: {
    title: (title) => `„${title}“ retten`,
    lead: (reason) =>
      `Copilot kann diese Sitzung nicht öffnen, weil ${reason}. VoxPilot repariert eine Kopie; die beschädigte Datei bleibt unverändert.`,
    reasons: {
      empty: "ihre Datei fehlt oder leer ist",
      cut_off: "ihre Datei mitten in einem Eintrag endet",
      invalid: "ein Eintrag ungültig ist",
      mixed: "Einträge einer anderen Sitzung darin stehen",
      no_start: "ihr erster Eintrag fehlt",
      metadata: "ihre Datei workspace.yaml ungültig ist",
    },
    found: "Gefunden",
    file: (size) => `events.jsonl, ${size}`,
    rest: (tools, files) =>
      [
        tools > 0 ? plural(tools, "Werkzeugaufruf", "Werkzeugaufrufe") : "",
        files > 0 ? plural(files, "Dateiänderung", "Dateiänderungen") : "",
      ]
        .filter((part) => part !== "")
        .map((part) => `, ${part}`)
        .join(""),
    readable: "alle lesbar",
    checkpoints: "Plan und Zusammenfassung",
    checkpointCount: (n) => plural(n, "Sicherungspunkt", "Sicherungspunkte"),
    lastEntry: "Der letzte Eintrag",
    cutOff: (size) => `abgeschnitten, ${size}`,
    entries: (n) => plural(n, "Eintrag", "Einträge"),
    invalid: (n) => (n === 1 ? "ist ungültig" : "sind ungültig"),
    mixed: (n) => (n === 1 ? "stammt aus einer anderen Sitzung" : "stammen aus einer anderen Sitzung"),
    leftOut: "ausgelassen",
    firstEntry: "Der erste Eintrag",
    metadata: "workspace.yaml",
    isMissing: "fehlt",
    madeAgain: "neu angelegt",
    upTo: (when) =>
      when === ""
        ? "Du bekommst eine neue Sitzung mit allem, was lesbar ist."
        : `Du bekommst eine neue Sitzung mit allem bis ${when}.`,
    stays: "Die beschädigte Sitzung bleibt, wie sie ist.",
    show: "Beschädigte Stelle anzeigen",
    hide: "Beschädigte Stelle ausblenden",
    part: "Beschädigte Stelle",
    line: (n) => `Zeile ${number.format(n)}`,
    confirm: "Kopie retten",
    loading: "Die Sitzung wird geprüft…",
    close: "Schließen",
  },
  reading: {
    label: "Sitzung wird gelesen",
    line: (percent) => `Sitzung wird gelesen, ${percent} %`,
    size: (read, size) => `${read} von ${size}`,
    cancel: "Abbrechen",
    placeholder: "Du kannst Nachrichten senden, sobald die Sitzung gelesen ist",
    failed: "Die Sitzung konnte nicht gelesen werden.",
    failedLabel: "Sitzung nicht gelesen",
    failedPlaceholder: "Du kannst hier erst schreiben, wenn die ganze Sitzung gelesen ist",
    tryAgain: "Erneut versuchen",
    deleteChat: "Chat löschen",
    cancelFailed: "Das Abbrechen ist fehlgeschlagen.",
  },
  use: {
    label: (isTerminal) =>
      isTerminal ? "Auch in einem Terminal offen" : "Auch in einem anderen Programm offen",
    strong: (isTerminal, program) =>
      isTerminal
        ? "Diese Sitzung ist auch in einem Terminal offen."
        : `Diese Sitzung ist auch in einem anderen Programm offen${program === "" ? "" : ` (${program})`}.`,
    body: "VoxPilot zeigt die neuen Nachrichten der Sitzung. Um in VoxPilot zu schreiben, übernimm die Sitzung oder zweige sie ab. Zwei gleichzeitig schreibende Programme würden sie beschädigen.",
    running: "Das Übernehmen bricht die laufende Antwort dort ab.",
    stayedStrong: (isTerminal) =>
      isTerminal
        ? "Das Terminal hat sich nicht geschlossen."
        : "Das andere Programm hat sich nicht geschlossen.",
    stayedBody: "Es ist vielleicht noch beschäftigt. Zweige die Sitzung ab, um hier weiterzumachen.",
    takeOver: "Übernehmen",
    closing: (isTerminal) =>
      isTerminal ? "Warten, bis sich das Terminal schließt…" : "Warten, bis sich das Programm schließt…",
    fork: "Abzweigen",
    keepReading: "Weiter mitlesen",
    show: "Optionen anzeigen",
    placeholder: (isTerminal) =>
      isTerminal
        ? "Nur lesbar, solange das Terminal diese Sitzung hat"
        : "Nur lesbar, solange ein anderes Programm diese Sitzung hat",
  },
};
