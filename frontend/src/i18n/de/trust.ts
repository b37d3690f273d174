// German strings for the sheet that asks whether to trust a folder.

import { count } from "../../lib/format";
import type { Translated } from "../translated";
import type { trust as english } from "../trust";

const plural = (n: number, one: string, many: string) => `${count(n)} ${n === 1 ? one : many}`;

export const trust: Translated<typeof english> = {
  title: "Diesem Ordner vertrauen?",
  about: (origin, lead) => `${origin}. ${lead}`,
  cloned: (ago) => `, ${ago} geklont`,
  clonedFrom: (ago, from) => `, ${ago} von ${from} geklont`,
  from: (from) => `, von ${from} geklont`,
  lead: (who) => `Dateien darin können Code ausführen oder ${who} sagen, was zu tun ist.`,
  changedLead:
    "Einige Dateien, die Code ausführen können, haben sich geändert, seit du dem Ordner vertraut hast.",
  unreadLead:
    "VoxPilot konnte diesen Ordner nicht ganz prüfen. Deshalb kann Code laufen, der hier nicht aufgeführt ist.",
  runs: "Führt Code aus",
  runsFact: "ohne jedes Mal zu fragen",
  runsChanged: "Neu oder geändert",
  steers: (who) => `Sagt ${who}, was zu tun ist`,
  more: (n) => (n === 1 ? "1 weiteres ist nicht aufgeführt." : `${count(n)} weitere sind nicht aufgeführt.`),
  again: "VoxPilot fragt erneut, wenn sich etwas davon ändert.",
  incomplete:
    "VoxPilot konnte nicht den ganzen Ordner lesen und fragt deshalb jedes Mal, wenn hier ein Agent startet.",
  justChanged: "Der Ordner hat sich gerade geändert. Die Liste wurde aktualisiert.",
  notNow: "Nicht jetzt",
  trust: "Diesem Ordner vertrauen",
  without: "Öffnen, ohne etwas auszuführen",
  withoutReason: {
    sandbox: "„Öffnen, ohne etwas auszuführen“ braucht die Sandbox.",
    checking:
      "„Öffnen, ohne etwas auszuführen“ braucht die Sandbox. VoxPilot prüft noch, ob sie auf diesem Computer funktioniert.",
    incomplete:
      "VoxPilot kann nicht abschalten, was es nicht lesen konnte. Du kannst den Ordner nur öffnen, wenn du ihm ganz vertraust.",
    elsewhere: (who) =>
      `VoxPilot startet ${who} nicht selbst und kann ihn deshalb nicht in der Sandbox ausführen.`,
  },
  withoutFact: (who) =>
    `Mit „Öffnen, ohne etwas auszuführen“ bleibt ${who} in der Sandbox. Du kannst dem Ordner später vertrauen.`,
  masked: {
    label: "Hooks und Einstellungen sind aus",
    strong: "Hooks und Einstellungen dieses Ordners sind aus.",
    body: (who) => `${who} läuft in der Sandbox ohne die Dateien, die Code ausführen können.`,
  },
  close: "Schließen",
  review: "Prüfen…",

  view: "Anzeigen",
  hide: "Ausblenden",
  viewOf: (file) => `${file} anzeigen`,
  hideOf: (file) => `${file} ausblenden`,
  text: (file) => `Text von ${file}`,
  now: "Jetzt",
  before: "Vorher",
  was: "Vorher: {0}",
  isNew: "Neu",
  isChanged: "Geändert",
  sameText:
    "Der angezeigte Text hat sich nicht geändert, wohl aber ein nicht angezeigter Teil oder eine Datei, auf die er verweist.",
  cut: (shown, size) => `Die ersten ${shown} von ${size}`,
  empty: "Die Datei ist leer.",
  moreCharacters: (n) => `… ${plural(n, "weiteres Zeichen", "weitere Zeichen")}. „Anzeigen“ zeigt alles.`,
  noteText: {
    large:
      "Wenn du dem Ordner vertraust, vertraust du der ganzen Datei. VoxPilot fragt bei jeder Änderung daran erneut.",
    link: "Das ist ein Link auf einen Ort außerhalb des Ordners. VoxPilot folgt solchen Links nicht. Deshalb gibt es keinen Text zu zeigen.",
    unread:
      "VoxPilot konnte diese Datei nicht lesen. Wenn du dem Ordner vertraust, kann Code in dieser Datei ausgeführt werden.",
  },
  size: (size, day) =>
    [size, day === "" ? "" : `zuletzt geändert am ${day}`].filter((each) => each !== "").join(", "),

  hooks: {
    sessionstart: "Führt {0} aus, wenn eine Sitzung beginnt",
    sessionend: "Führt {0} aus, wenn eine Sitzung endet",
    prompt: "Führt {0} bei jeder Nachricht aus",
    pretool: "Führt {0} vor jedem Werkzeugaufruf aus",
    posttool: "Führt {0} nach jedem Werkzeugaufruf aus",
    pretoolOf: "Führt {0} vor jedem Aufruf von {1} aus",
    posttoolOf: "Führt {0} nach jedem Aufruf von {1} aus",
    permission: "Führt {0} aus, wenn um Erlaubnis gefragt wird, und kann an deiner Stelle antworten",
    stop: "Führt {0} aus, wenn eine Antwort endet",
    error: "Führt {0} aus, wenn etwas fehlschlägt",
    other: "Führt {0} beim Ereignis {1} aus",
  },
  git: {
    changes: "Git führt {0} aus, wenn es nach Änderungen sucht",
    connect: "Git führt {0} aus, um sich mit einem Server zu verbinden",
    hooks: "Git führt die Hooks in {0} aus",
    pager: "Git führt {0} aus, um seine Ausgabe zu zeigen",
    editor: "Git führt {0} als seinen Editor aus",
    filter: "Git führt {0} aus, wenn es Dateien liest oder schreibt",
    diff: "Git führt {0} aus, um Dateien zu vergleichen",
    merge: "Git führt {0} aus, um Dateien zusammenzuführen",
    alias: "Git führt {0} für den Befehl {1} aus",
    include: "Git liest weitere Einstellungen aus {0}",
    other: "Git verwendet {0} für {1}",
    hook: "Git führt diese Datei als Hook {0} aus",
  },
  notes: {
    large: "Zu groß: Der Code, den sie ausführen kann, ist nicht aufgeführt",
    link: "Ein Link auf {0}, außerhalb des Ordners",
    unread: "Nicht lesbar: Was sie ausführt, ist unbekannt",
  },
  server: "Startet den Server {0}: {1}",
  languageServer: "Startet den Sprachserver {0}: {1}",
  address: "Verbindet sich mit dem Server {0}: {1}",
  sets: "Setzt {0}: {1}",
  shell: "direnv führt diese Datei aus, wenn eine Shell den Ordner betritt",
  markdown: "Kann Befehle ausführen oder Werkzeuge verwenden, ohne zu fragen",
  whole: "Eine Datei, die Code ausführen kann",

  settings: {
    title: "Vertrauenswürdige Ordner",
    fact: "Agenten können den Code ausführen, der in diesen Ordnern lag, als du ihnen vertraut hast. Ändert er sich, fragt VoxPilot erneut.",
    table: "Vertrauenswürdige Ordner",
    folder: "Ordner",
    entries: "Vertraut",
    entryCount: (n) => plural(n, "Eintrag", "Einträge"),
    since: "Seit",
    actions: "Aktionen",
    remove: (folder) => `Vertrauen entziehen: ${folder}`,
    none: "Noch keine vertrauenswürdigen Ordner. VoxPilot fragt, wenn Dateien in einem Ordner Code ausführen können.",
  },
};
