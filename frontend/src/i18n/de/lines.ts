import { count, tokens } from "../../lib/format";
import type { lines as english, LineKind } from "../lines";
import type { Translated } from "../translated";

const runningVerbs: Record<LineKind, string> = {
  read: "Liest",
  edit: "Bearbeitet gerade",
  create: "Erstellt gerade",
  delete: "Löscht",
  move: "Verschiebt",
  search: "Sucht nach",
  execute: "Führt aus:",
  think: "Denkt nach über",
  fetch: "Öffnet",
  ask: "Fragt:",
  plan: "Legt einen Plan vor:",
  page: "Bittet um Öffnen von",
  other: "Verwendet gerade",
};

const pastVerbs: Record<LineKind, string> = {
  read: "Gelesen:",
  edit: "Bearbeitet:",
  create: "Erstellt:",
  delete: "Gelöscht:",
  move: "Verschoben:",
  search: "Gesucht:",
  execute: "Ausgeführt:",
  think: "Nachgedacht über",
  fetch: "Geöffnet:",
  ask: "Gefragt:",
  plan: "Plan vorgelegt:",
  page: "Bat um Öffnen von",
  other: "Verwendet:",
};

const verb: Record<LineKind, string> = {
  read: "Lesen",
  edit: "Bearbeiten",
  create: "Erstellen",
  delete: "Löschen",
  move: "Verschieben",
  search: "Suchen",
  execute: "Ausführen",
  think: "Nachdenken",
  fetch: "Öffnen",
  ask: "Fragen",
  plan: "Plan vorlegen",
  page: "Öffnen",
  other: "Verwenden",
};

const plural = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;
const times = (n: number) => (n === 1 ? "einmal" : n === 2 ? "zweimal" : `${n}-mal`);

export const lines: Translated<typeof english> = {
  label: (who) => `Schritte von ${who}`,
  running: (kind) => runningVerbs[kind],
  finished: (kind) => pastVerbs[kind],
  failed: (kind) => (kind === "ask" ? "Frage:" : kind === "plan" ? "Plan:" : `${verb[kind]} fehlgeschlagen:`),
  wants: (kind) => `Möchte ${kind === "execute" ? "ausführen" : verb[kind].toLowerCase()}:`,
  youRejected: (kind) => `Von dir abgelehnt: ${verb[kind]}`,
  ruleRejected: (kind) => `Von deiner Regel abgelehnt: ${verb[kind]}`,
  modeRejected: (mode, kind) => `Durch „${mode}“ abgelehnt: ${verb[kind]}`,
  action: (kind, target) => `${verb[kind]} ${target}`.trim(),
  noTarget: {
    read: "eine Datei",
    edit: "eine Datei",
    delete: "eine Datei",
    move: "eine Datei",
    search: "Text in Dateien",
    execute: "ein Befehl",
    think: "die Aufgabe",
    fetch: "eine Seite",
    ask: "eine Frage",
    plan: "ein Plan",
    other: "ein Werkzeug",
  },
  waiting: "wartet auf dich",
  unanswered: "nicht beantwortet",
  noResult: "kein Ergebnis",
  stopped: (time) => (time === "" ? "gestoppt" : `gestoppt, ${time}`),
  failedFact: "fehlgeschlagen",
  exit: (code) => `Exit ${code}`,
  signal: (name) => `durch ${name} beendet`,
  withoutPermission: (who) => `${who} hat nicht um Erlaubnis gefragt`,
  changeTo: (path) => `Änderung an ${path}`,
  output: "Ausgabe",
  notApplied: "Nicht übernommen",
  reason: (text) => `„${text}“ wurde als deine Nachricht gesendet.`,
  thinking: "Denkt nach…",
  thinkingName: "Denkt nach",
  thought: (time) => (time === "" ? "Nachgedacht" : `${time} nachgedacht`),
  added: (n) => `${count(n)} hinzugefügt`,
  removed: (n) => `${count(n)} entfernt`,
  name: (sentence, facts) => [sentence, ...facts].filter((part) => part !== "").join(", "),

  fold: (n) => {
    const parts = [
      n.read > 0 ? `${plural(n.read, "Datei", "Dateien")} gelesen` : "",
      n.search > 0 ? `${times(n.search)} gesucht` : "",
      n.open > 0 ? `${plural(n.open, "Seite", "Seiten")} geöffnet` : "",
      n.edit > 0 ? `${plural(n.edit, "Datei", "Dateien")} bearbeitet` : "",
      n.run > 0 ? `${plural(n.run, "Befehl", "Befehle")} ausgeführt` : "",
    ];
    const sentence = parts.filter((part) => part !== "").join(", ");
    return sentence.charAt(0).toUpperCase() + sentence.slice(1);
  },
  earlier: (n) => (n === 1 ? "1 frühere Zeile anzeigen" : `${n} frühere Zeilen anzeigen`),
  evictedCalls: (n) =>
    n === 1 ? "1 früheren Werkzeugaufruf anzeigen" : `${n} frühere Werkzeugaufrufe anzeigen`,
  retried: (n) => `${times(n).charAt(0).toUpperCase()}${times(n).slice(1)} erneut versucht`,
  cutOff: "hier abgebrochen",
  savedNote: (arrived, changed) => {
    if (changed)
      return arrived
        ? "Die Teilantwort oben ist gespeichert, und die Änderungen bleiben erhalten."
        : "Die Änderungen oben bleiben erhalten.";
    return arrived
      ? "Die Teilantwort oben ist gespeichert, und keine Datei wurde geändert."
      : "Keine Datei wurde geändert.";
  },
  openModel: "Einstellungen > Eigenes Modell öffnen",

  decided: {
    once: (time) => (time === "" ? "Von dir einmal erlaubt" : `Von dir einmal erlaubt, ${time}`),
    always: (time) =>
      time === "" ? "Du hast „Immer erlauben“ gewählt" : `Du hast um ${time} „Immer erlauben“ gewählt`,
    rejected: (time) => (time === "" ? "Von dir abgelehnt" : `Von dir abgelehnt, ${time}`),
    rule: (rule) => (rule === "" ? "Erlaubt durch deine Regel" : `Erlaubt durch deine Regel „${rule}“`),
    ruleRejected: (rule) =>
      rule === "" ? "Abgelehnt durch deine Regel" : `Abgelehnt durch deine Regel „${rule}“`,
    mode: (mode) => `Erlaubt durch „${mode}“`,
    modeRejected: (mode) => `Abgelehnt durch „${mode}“`,
    settings: "Durch deine Einstellungen erlaubt",
  },

  live: {
    label: (who) => `${who} arbeitet`,
    working: "Arbeitet",
    waitingFor: (who) => `Wartet auf ${who}`,
    sessions: (n) => plural(n, "Sitzung", "Sitzungen"),
    again: "Versucht es erneut",
    attempt: (n, of) => (of > 0 ? `Versuch ${n} von ${of}` : `Versuch ${n}`),
    stopping: "Wird gestoppt…",
    outside: (isTerminal) => (isTerminal ? "Arbeitet im Terminal" : "Arbeitet in einem anderen Programm"),
    starting: (who) => `${who} startet…`,
    restoring: "Sitzung wird wiederhergestellt…",
    signIn: "Wartet, bis du dich anmeldest",
    trust: "Wartet, bis du dem Ordner vertraust",
    review: "Bisherige Änderungen ansehen",
  },
  receipt: {
    label: "Änderungen dieser Antwort",
    files: (n) => `${plural(n, "Datei", "Dateien")} geändert`,
    filesAtLeast: (n) => `Mindestens ${plural(n, "Datei", "Dateien")} geändert`,
    commands: (n) => plural(n, "Befehl", "Befehle"),
    tokens: (n) => `${tokens(n)} Token`,
    ended: { stopped: "Gestoppt", interrupted: "Unterbrochen", failed: "Fehlgeschlagen" },
    review: "Ansehen",
    reviewTurn: "Änderungen dieser Antwort ansehen",
    stoppedAfter: (time) => `Nach ${time} gestoppt, ohne Dateien zu ändern`,
    interruptedAfter: (time) => `Nach ${time} unterbrochen, ohne Dateien zu ändern`,
  },
  next: {
    label: "Nächste Schritte",
    ended: (who) => `${who} hat deshalb aufgehört.`,
    fileKeepsUntouched: (file, untouched) => `${file} behält die Änderung, ${untouched} ist unverändert.`,
    filesKeepUntouched: (n, untouched) =>
      `${n} geänderte Dateien bleiben, wie sie sind, ${untouched} ist unverändert.`,
    fileKeeps: (file) => `${file} behält die Änderung.`,
    filesKeep: (n) => `${n} geänderte Dateien bleiben, wie sie sind.`,
    noFile: "Keine Datei wurde geändert.",
    tellWhy: (who) => `${who} den Grund sagen`,
    continue: "Weitermachen",
    hint: (text) => `„Weitermachen“ sendet „${text}“`,
    prompt: "Mach ohne diese Änderung weiter.",
    promptOther: "Mach ohne das weiter.",
    instead: (who) => `Sag ${who}, was stattdessen zu tun ist`,
    announce: (who, what) => `${who} hat aufgehört, weil du abgelehnt hast: ${what}`,
    announceRule: (who, what) => `${who} hat aufgehört, weil deine Regel abgelehnt hat: ${what}`,
  },
};
