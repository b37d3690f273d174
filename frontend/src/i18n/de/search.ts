// German strings for the search in all chats.

import type { search as english } from "../search";
import type { Translated } from "../translated";

const number = new Intl.NumberFormat("de");
const plural = (n: number, one: string, many: string) => `${number.format(n)} ${n === 1 ? one : many}`;

export const search: Translated<typeof english> = {
  title: "Suche",
  field: "Alle Chats durchsuchen",
  placeholder: "Wörter, „einen Ausdruck“ oder eine Datei suchen",
  clear: "Suche leeren",
  results: "Suchergebnisse",
  preview: "Vorschau",
  count: "Anzahl der Ergebnisse",
  found: (results, chats) =>
    `${plural(results, "Ergebnis", "Ergebnisse")} in ${plural(chats, "Chat", "Chats")}`,
  foundSoFar: (results, isMore) => `${isMore ? "Mehr als " : ""}${plural(results, "Ergebnis", "Ergebnisse")}`,
  /** Number of results in one chat; isMore means that there are more. */
  inChat: (n, isMore) => `${number.format(n)}${isMore ? "+" : ""}`,
  searching: "Suche läuft…",
  none: (query) => `Nichts passt zu „${query}“. Versuche es mit weniger Wörtern oder anderen Filtern.`,
  clearFilters: "Filter zurücksetzen",
  start: "Durchsuche Nachrichten, Befehle und Dateien aller Chats.",
  indexing: "Einige Chats werden noch indiziert. Weitere Ergebnisse können folgen.",
  failed: "Die Suche ist fehlgeschlagen.",
  tryAgain: "Erneut versuchen",
  folder: "Ordner",
  allFolders: "Alle Ordner",
  from: "Von",
  authors: { anyone: "Von allen", you: "Von dir", voxpilot: "VoxPilot", copilot: "Copilot-Sitzungen" },
  kind: "Art",
  kinds: {
    everything: "Alles",
    messages: "Deine Nachrichten",
    answers: "Antworten",
    commands: "Befehle",
    files: "Dateien",
    tools: "Andere Werkzeuge",
  },
  date: "Datum",
  dates: {
    any: "Jederzeit",
    day: "Heute",
    week: "Letzte 7 Tage",
    month: "Letzte 30 Tage",
    year: "Letzte 12 Monate",
  },
  authorLabels: {
    title: "Titel",
    user: "Du",
    message: "VoxPilot",
    note: "Hinweis",
    tool: "Werkzeug",
    block: "Copilot",
  },
  command: "Befehl",
  more: (n) => `${plural(n, "weiteres", "weitere")} in diesem Chat anzeigen`,
  moreUncounted: "Mehr in diesem Chat anzeigen",
  today: (time: string) => `Heute, ${time}`,
  openChat: "Chat öffnen",
  nextResult: "nächstes Ergebnis",
  openHere: "bei dieser Nachricht öffnen",
  notShown: "Für dieses Ergebnis gibt es keine Vorschau. Öffne den Chat, um es zu sehen.",
};
