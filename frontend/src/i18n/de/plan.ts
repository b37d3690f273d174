import { count } from "../../lib/format";
import type { plan as english } from "../plan";
import type { Translated } from "../translated";

const steps = (n: number) => `${count(n)} ${n === 1 ? "Schritt" : "Schritte"}`;

export const plan: Translated<typeof english> = {
  label: (title) => `Plan: ${title}`,
  title: (who) => `Plan von ${who}`,
  steps,
  writtenBy: (who) => `geschrieben von ${who}`,
  list: "Schritte",
  step: (n) => `Schritt ${count(n)}`,
  text: "Text des Plans",
  editStep: (n) => `Schritt ${count(n)} bearbeiten`,
  removeStep: (n) => `Schritt ${count(n)} entfernen`,
  commentStep: (n) => `Schritt ${count(n)} kommentieren`,
  editText: "Diesen Text bearbeiten",
  removeText: "Diesen Text entfernen",
  commentText: "Diesen Text kommentieren",
  comment: "Kommentar",
  removeComment: "Kommentar entfernen",
  addStep: "Schritt hinzufügen",
  newStep: "Neuer Schritt",
  undo: "Rückgängig",
  asText: "Als Text bearbeiten",
  asSteps: "Als Schritte anzeigen",
  tooLong: "Dieser Plan ist zu lang, um Schritt für Schritt gezeigt zu werden.",
  whole: "Plan in Markdown",
  save: "Als Datei speichern …",
  copy: "Plan kopieren",
  approve: "Freigeben",
  approveEdits: "Freigeben und Änderungen erlauben",
  change: "Änderungen verlangen …",
  changeLabel: "Was soll sich ändern?",
  send: "Senden",
  cancel: "Abbrechen",
  scope: (folder) =>
    `„Freigeben“ startet die Arbeit; vor jeder Änderung wirst du weiter gefragt. „Änderungen erlauben“ gilt für Änderungen an Dateien in ${folder}, bis diese Antwort endet. Löschen, Befehle und geschützte Dateien gehören nicht dazu.`,
  scopeAllowed: "„Freigeben“ startet die Arbeit. Deine Berechtigung für diesen Chat bleibt, wie sie ist.",
  commentsToo: (n) =>
    n === 1 ? "1 Kommentar wird mitgeschickt." : `${count(n)} Kommentare werden mitgeschickt.`,
  announce: (who, n) =>
    n > 0
      ? `${who} hat einen Plan mit ${n === 1 ? "1 Schritt" : `${count(n)} Schritten`}`
      : `${who} hat einen Plan`,
  ready: "Plan wartet auf Freigabe",
  toApprove: (title) => (title ? `einen Plan freigeben lassen: ${title}` : "einen Plan freigeben lassen"),
  closed:
    "Dieser Plan wurde geschlossen, bevor du geantwortet hast, und ist daher nicht freigegeben. Du kannst ihn in einer Nachricht senden.",
  away: "Du hast nicht rechtzeitig geantwortet, deshalb wurde dieser Plan geschlossen. Du kannst ihn in einer Nachricht senden.",
  lost: "Die Antwort wurde unterbrochen, deshalb ist deine Entscheidung vielleicht nicht angekommen. Du kannst den Plan in einer Nachricht senden.",
  inMessage: "In einer Nachricht senden",
  message: (text) => `Führe diesen Plan aus:\n\n${text}`,
  yours: "von dir",
  saved: "Plan gespeichert",
  notSaved: "Der Plan konnte nicht gespeichert werden",
};
