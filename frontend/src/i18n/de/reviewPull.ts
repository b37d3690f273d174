// German strings of the pull request on the Review screen.

import type { reviewPull as english } from "../reviewPull";
import type { Translated } from "../translated";

const number = new Intl.NumberFormat("de");
const plural = (n: number, one: string, many: string) => `${number.format(n)} ${n === 1 ? one : many}`;
const checks = (n: number) => plural(n, "Prüfung", "Prüfungen");
const pushing = (n: number, remote: string) =>
  n === 0
    ? `VoxPilot pusht zuerst den Branch nach ${remote}.`
    : `VoxPilot pusht zuerst ${plural(n, "Commit", "Commits")} nach ${remote}.`;

export const reviewPull: Translated<typeof english> = {
  sheet: "Pull-Request öffnen",
  close: "Schließen",
  cancel: "Abbrechen",
  lead: (n, remote, host, login) =>
    `${remote === "" ? "" : `${pushing(n, remote)} `}Der Pull-Request wird auf ${host}${login === "" ? "" : ` als ${login}`} geöffnet.`,
  leadCompare: (n, remote, host) =>
    remote === ""
      ? `Die Vergleichsseite von ${host} öffnet sich im Browser.`
      : `${pushing(n, remote)} Danach öffnet sich die Vergleichsseite von ${host} im Browser.`,
  note: "Sonst wird nichts an GitHub gesendet.",
  checking: "Branch wird geprüft…",
  cannot: "VoxPilot kann gerade keinen Pull-Request öffnen",
  loadFailed: "Der Branch konnte nicht geprüft werden",
  already: (n) => `Dieser Branch hat schon den Pull-Request #${n}`,
  alreadyBody: "Neue Commits kommen beim Pushen dazu.",
  show: "Auf GitHub zeigen",
  tryAgain: "Erneut versuchen",

  into: "Nach",
  defaultBranch: "Standard-Branch",
  from: "Von",
  title: "Titel",
  description: "Beschreibung",
  suggested: (commits, template, chat) => {
    if (commits === 0 && !chat) return "Aus der Vorlage des Repositorys";
    const from = [
      commits === 0 ? "" : commits === 1 ? "dem Commit" : "den Commits",
      template ? "der Vorlage" : "",
      chat ? "dem Chat" : "",
    ].filter((part) => part !== "");
    const last = from.pop() ?? "";
    return `Vorschlag aus ${from.length > 0 ? `${from.join(", ")} und ${last}` : last}`;
  },
  noSuggestion: "Kein Vorschlag",
  suggest: "Andere Beschreibung vorschlagen",
  yourText: "Eigenen Text wiederherstellen",
  draft: "Als Entwurf öffnen",
  summary: "Zusammenfassung dieses Chats anfügen",

  pushAndOpen: "Pushen und öffnen",
  pushAndOpenName: "Pushen und Pull-Request öffnen",
  open: "Öffnen",
  openName: "Pull-Request öffnen",
  pushAndCompare: "Pushen und Vergleichsseite öffnen",
  compare: "Vergleichsseite öffnen",
  noTitle: "Gib einen Titel für den Pull-Request ein.",
  failed: "Der Pull-Request konnte nicht geöffnet werden.",
  cancelled: "Abgebrochen.",
  pushedOnly: (remote) => `Der Branch wurde nach ${remote} gepusht, aber der Pull-Request nicht geöffnet.`,
  openedAnnounced: "Der Pull-Request ist offen.",

  number: (n) => `Pull-Request #${n}`,
  states: { open: "Offen", draft: "Entwurf", merged: "Gemergt", closed: "Geschlossen" },
  passed: (n) => `${checks(n)} bestanden`,
  failedChecks: (n) => `${checks(n)} fehlgeschlagen`,
  running: (n) => (n === 1 ? "1 Prüfung läuft" : `${checks(n)} laufen`),
  skipped: (n) => `${checks(n)} übersprungen`,
  checks: (results) => `Prüfungen: ${results}`,
  showChecks: "Prüfungen anzeigen",
  openCheck: "Prüfung im Browser öffnen",
  checkPassed: "Bestanden",
  checkFailed: "Fehlgeschlagen",
  checkRunning: "Läuft",
  checkSkipped: "Übersprungen",
  reload: "Pull-Request neu laden",
};
