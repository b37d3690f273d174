// German strings for going back to a message, set-aside messages and the versions of a chat.

import type { goBack as english } from "../goback";
import type { Translated } from "../translated";

const number = new Intl.NumberFormat("de");
const plural = (n: number, one: string, many: string) => `${number.format(n)} ${n === 1 ? one : many}`;
const files = (n: number) => plural(n, "Datei", "Dateien");
const goBackFiles = (n: number) => `${files(n)} ${n === 1 ? "wird" : "werden"} zurückgesetzt`;
const below = (n: number) => {
  if (n === 0) return "diese Nachricht und ihre Antwort werden beiseitegelegt";
  return `diese Nachricht und die ${n === 1 ? "eine" : number.format(n)} darunter werden beiseitegelegt`;
};
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const isAside = (n: number) => `${plural(n, "Nachricht", "Nachrichten")} beiseitegelegt`;

export const goBack: Translated<typeof english> = {
  tools: "Aktionen für die Nachricht",
  button: "Hierher zurückgehen",
  both: "Hierher zurückgehen",
  bothHint: (n, messages) => (n > 0 ? `${goBackFiles(n)}, und ${below(messages)}` : capital(below(messages))),
  files: "Nur die Dateien",
  filesHint: (n) => `${goBackFiles(n)}, die Unterhaltung bleibt unverändert`,
  changedHint: (n) =>
    `${files(n)} mit späteren Änderungen. Wähle${n === 1 ? "" : " für jede"}, was mit ihr geschehen soll.`,
  noFiles: "Seit dieser Nachricht wurde keine Datei geändert",
  conversation: "Nur die Unterhaltung",
  conversationHint: (messages) => `${capital(below(messages))}, die Dateien bleiben unverändert`,
  newChat: "Von hier aus einen neuen Chat beginnen",
  newChatHint: "In diesem Chat ändert sich nichts",
  checking: "Dateien werden geprüft…",
  note: "Du kannst alles zurückholen, bis du die nächste Nachricht sendest.",
  recap: "Der Agent beginnt dann mit einer Zusammenfassung der Nachrichten darüber.",

  sheetTitle: "Hierher zurückgehen?",
  sheetLead: (time, messages, isSent) =>
    [
      time === ""
        ? "Seit dieser Nachricht wurde keine Datei geändert."
        : `Die Dateien werden wieder so wie um ${time}, vor deiner Nachricht.`,
      messages > 0
        ? `${plural(messages, "Nachricht wird", "Nachrichten werden")} beiseitegelegt.`
        : "Die Unterhaltung bleibt unverändert.",
      isSent ? "" : "Du kannst alles zurückholen, bis du die nächste Nachricht sendest.",
    ]
      .filter((part) => part !== "")
      .join(" "),
  blocked: "Zurückgehen gerade nicht möglich.",
  confirm: (n) => `Zurückgehen und ${files(n)} zurücksetzen`,
  confirmConversation: "Zurückgehen",
  comparisonLead:
    "Vergleicht die Datei, wie der Agent sie hinterlassen hat, mit der Datei, wie sie jetzt ist.",
  sides: (path) => `Beide Versionen von ${path}`,
  sidesLead: "Vergleicht die Datei, wie sie jetzt ist, mit der Datei, wie sie vor deiner Nachricht war.",

  wentLabel: (time) => `Zurück zu ${time}`,
  went: (time, n, messages) => {
    const facts = [n > 0 ? `${files(n)} zurückgesetzt` : "", messages > 0 ? isAside(messages) : ""];
    return [`Zurück zu ${time}`, facts.filter((fact) => fact !== "").join(", ")]
      .filter((part) => part !== "")
      .join(". ");
  },
  bringBack: "Zurückholen",
  bringBackName: "Alles zurückholen",
  bringMessages: "Nachrichten zurückholen",
  wentSwept: (label, messages) =>
    messages > 0
      ? `${label}. Dateikopien gelöscht: Nur Nachrichten lassen sich zurückholen.`
      : `${label}. Die Dateien lassen sich nicht zurückholen, weil ihre Kopien gelöscht wurden.`,
  show: "Anzeigen",
  showName: "Beiseitegelegte Nachrichten anzeigen",
  broughtBack: "Zurückgeholt.",

  asideTitle: "Beiseitegelegte Nachrichten",
  asideLead: "Sie gehören nicht mehr zum Chat, und der Agent kennt sie nicht.",
  asideFailed: "Die Nachrichten konnten nicht geladen werden.",
  asideEmpty: "Diese Nachrichten gehören wieder zum Chat.",
  loading: "Wird geladen…",
  showEarlier: "Frühere Nachrichten anzeigen",
  tag: "Beiseitegelegt",
  tryAgain: "Erneut versuchen",
  close: "Schließen",

  version: (n, all) => `Version ${n} von ${all}`,
  versionShort: (n, all) => `${n}/${all}`,
  previous: "Vorherige Version",
  next: "Nächste Version",
  switched: (n, all) => `Version ${n} von ${all}. Die Dateien bleiben, wie sie sind.`,

  editing: (time) =>
    `Du bearbeitest deine Nachricht von ${time}. Wenn du sie sendest, werden die ursprüngliche und alle späteren Nachrichten beiseitegelegt.`,
  recapAfterEdit: "Der Agent beginnt dann mit einer Zusammenfassung der früheren Nachrichten.",
  cancelEditing: "Abbrechen",
  cancelEditingName: "Bearbeiten abbrechen",

  again: "Mit anderem Modell erneut versuchen",
  againTitle: "Mit anderem Modell erneut versuchen?",
  confirmAgain: (n) => (n > 0 ? `${files(n)} zurücksetzen und erneut versuchen` : "Erneut versuchen"),
  filesStay: "Die Dateien bleiben, wie sie sind.",

  failed: {
    goBack: "Zurückgehen hat nicht geklappt.",
    bringBack: "Die Nachrichten konnten nicht zurückgeholt werden.",
    newChat: "Von hier aus konnte kein Chat begonnen werden.",
    version: "Die andere Version konnte nicht angezeigt werden.",
    again: "Der Versuch mit einem anderen Modell hat nicht geklappt.",
    text: "Die Nachricht konnte nicht geladen werden.",
  },
};
