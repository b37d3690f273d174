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
  foundInSessions: (results, chats, sessions) => {
    const inSessions = plural(sessions, "Sitzung", "Sitzungen");
    const hits = plural(results, "Ergebnis", "Ergebnisse");
    return chats === 0
      ? `${hits} in ${inSessions}`
      : `${hits} in ${plural(chats, "Chat", "Chats")} und ${inSessions}`;
  },
  foundSoFar: (results, isMore) => `${isMore ? "Mehr als " : ""}${plural(results, "Ergebnis", "Ergebnisse")}`,
  /** Number of results in one chat; isMore means that there are more. */
  inChat: (n, isMore) => `${number.format(n)}${isMore ? "+" : ""}`,
  searching: "Suche läuft…",
  none: (query) => `Nichts passt zu „${query}“. Versuche es mit weniger Wörtern oder anderen Filtern.`,
  clearFilters: "Filter zurücksetzen",
  start: "Durchsuche Nachrichten, Befehle und Dateien aller Chats.",
  startWithSessions: "Durchsuche Nachrichten, Befehle und Dateien aller Chats und Copilot-CLI-Sitzungen.",
  alsoSessions: "Auch Copilot-CLI-Sitzungen durchsuchen…",
  indexing: "Einige Chats werden noch indiziert. Weitere Ergebnisse können folgen.",
  indexingSessions: "Copilot-CLI-Sitzungen werden noch gelesen. Weitere Ergebnisse können folgen.",
  failed: "Die Suche ist fehlgeschlagen.",
  tryAgain: "Erneut versuchen",
  folder: "Ordner",
  allFolders: "Alle Ordner",
  where: "Suchen in",
  places: { everywhere: "Überall", chats: "Chats", sessions: "Copilot-CLI-Sitzungen" },
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
  session: "Copilot-CLI-Sitzung",
  inSession: {
    more: (n) => `${plural(n, "weiteres", "weitere")} in dieser Sitzung anzeigen`,
    moreUncounted: "Mehr in dieser Sitzung anzeigen",
    open: "Sitzung anzeigen",
    openHere: "in der Liste der Sitzungen anzeigen",
    notShown: "Für dieses Ergebnis gibt es keine Vorschau. Die Sitzung wurde möglicherweise gelöscht.",
  },
  today: (time: string) => `Heute, ${time}`,
  openChat: "Chat öffnen",
  nextResult: "nächstes Ergebnis",
  openHere: "bei dieser Nachricht öffnen",
  notShown: "Für dieses Ergebnis gibt es keine Vorschau. Öffne den Chat, um es zu sehen.",
};
