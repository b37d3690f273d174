// German strings for the sandbox.

import { count } from "../../lib/format";
import type { sandbox as english } from "../sandbox";
import type { Translated } from "../translated";

const and = (names: string[]) =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} und ${names.at(-1)}`;

export const sandbox: Translated<typeof english> = {
  named: (mode) => `${mode}, Sandbox an`,
  run: "Befehle in einer Sandbox ausführen",
  recommended:
    "Empfohlen. Befehle können deine Geheimnisse nicht lesen und nur in diesen Ordner und den Temp-Ordner schreiben.",
  recommendedAgent: (who) =>
    `Empfohlen. ${who} kann deine Geheimnisse nicht lesen und nur in diesen Ordner und den Temp-Ordner schreiben.`,
  turnedOn: "Sandbox an",
  turnedOff: "Sandbox aus",
  mayWrite: "Schreibzugriff",
  write: { temp: "Dieser Ordner und Temp", folder: "Nur dieser Ordner", more: "Mehr…" },
  network: "Netzwerk",
  networks: { off: "Aus", sites: "Einige Seiten", on: "An" },
  sites: (names) => and(names),
  sitesBefore: (names) => `${names.join(", ")} und `,
  sitesMore: (n) => `${n} weitere`,
  noSites: "Noch keine Seiten.",
  findingSites: "Die Seiten deiner Paketmanager werden gesucht…",
  addSites: "Seiten hinzufügen",
  modeBodies: {
    accept_edits: "Erlaubt Änderungen im Ordner und Befehle in der Sandbox. Fragt bei allem anderen.",
    bypass:
      "Befehle laufen in der Sandbox. Fragt nur bei unklaren Anfragen, geschützten Dateien und Dateien außerhalb des Ordners.",
    bypassOutside: "Befehle laufen in der Sandbox. Fragt nur bei unklaren Anfragen und geschützten Dateien.",
  },
  allowBody: (who, askOutside) =>
    `${who} ändert dann Dateien, führt Befehle in der Sandbox aus und öffnet Webadressen, ohne zu fragen. Deine Regeln mit „Nie erlauben“ gelten weiter. ${
      askOutside
        ? "Bei unklaren Anfragen, geschützten Dateien und Dateien außerhalb des Ordners wird weiter gefragt."
        : "Bei unklaren Anfragen und geschützten Dateien wird weiter gefragt."
    } Du kannst jederzeit zu „Erst fragen“ zurückwechseln.`,
  leave: {
    title: "Sandbox ausschalten?",
    body: (who) =>
      `Dieser Chat erlaubt alles. Ohne die Sandbox führt ${who} Befehle mit deinen Rechten auf diesem Computer aus und fragt nicht vorher.`,
    confirm: "Ausschalten",
  },
  whole: {
    label: (who) => `Auch ${who} selbst`,
    body: (who) =>
      `Dann bleiben auch die eigenen Werkzeuge von ${who} und die Hooks des Ordners in der Sandbox. ${who} startet mit deiner nächsten Nachricht neu. Der volle Netzwerkzugriff bleibt, damit sein Modell erreichbar ist.`,
  },
  runAgent: (who) => `${who} in einer Sandbox ausführen`,
  agentBody: (who) =>
    `${who} und alles, was er startet, bleiben in der Sandbox. Der volle Netzwerkzugriff bleibt, damit sein Modell erreichbar ist.`,
  unavailable: "Die Sandbox ist auf diesem Computer nicht verfügbar.",
  notFor: (who) =>
    `VoxPilot startet ${who} nicht selbst und kann ihn deshalb nicht in der Sandbox ausführen.`,
  refused: (problem) => `In diesem Chat laufen keine Befehle. ${problem}`,
  checking: "Sandbox wird getestet…",
  openSettings: "Sandbox-Einstellungen",

  card: {
    inside: "Läuft in der Sandbox",
    leaves: "Außerhalb der Sandbox ausführen?",
    leavesFact: "Wenn du das erlaubst, läuft der Befehl außerhalb der Sandbox, mit all deinen Rechten.",
    allowOutside: "Einmal außerhalb der Sandbox erlauben",
    blocked: (host) => `Blockierte Verbindung zu ${host}`,
    tried: (who) => `Ein Befehl von ${who}`,
    triedIn: (folder) => `in ${folder} ist angehalten, bis du entscheidest`,
    site: "Seite",
    allowed: "Erlaubte Seiten",
    allowedSites: (names, more) =>
      names.length === 0 ? "keine" : more > 0 ? `${names.join(", ")} und ${more} weitere` : and(names),
    keep: "Blockiert lassen",
    allowSite: "Diese Seite erlauben",
    siteFact: (who) =>
      `Mit „Diese Seite erlauben“ läuft dieser Befehl weiter, und alle Befehle in diesem Chat können sich mit der Seite verbinden. Mit „Blockiert lassen“ erfährt ${who}, dass die Verbindung blockiert wurde, und macht weiter.`,
    runsOutside: (command) => `${command} außerhalb der Sandbox ausführen`,
    connects: (host) => `Verbindung zu ${host}`,
    toConnect: (host) => `eine Verbindung zu ${host} herstellen`,
    toRunOutside: (command) => `${command} außerhalb der Sandbox ausführen`,
    toLeave: "einen Befehl außerhalb der Sandbox ausführen",
  },

  row: {
    inside: "in der Sandbox",
    blocked: (host, more) => (more > 0 ? `blockiert: ${host} und ${more} weitere` : `blockiert: ${host}`),
    blockedAll: (hosts) => `Von der Sandbox blockiert: ${and(hosts)}.`,
    runOutside: "Außerhalb der Sandbox ausführen…",
  },

  firstRun: {
    label: "Befehle in einer Sandbox ausführen",
    fact: "Empfohlen. Befehle können Geheimnisse wie deine SSH-Schlüssel nicht lesen und nur in diesen Ordner und den Temp-Ordner schreiben.",
  },

  settings: {
    lead: "In der Sandbox sind Copilots Befehle vom Rest dieses Computers abgeschirmt. Dateiänderungen gehen über VoxPilot und richten sich nach den Berechtigungen.",
    here: "Sandbox auf diesem Computer",
    hereFact: (program) => `${program}. Wird beim Start von VoxPilot getestet.`,
    states: {
      checking: "Wird getestet…",
      ready: "Bereit",
      limited: "Eingeschränkt (in Chats nicht verfügbar)",
      unavailable: "Nicht verfügbar",
    },
    test: "Testen",
    fix: "Führe zur Behebung aus:",
    copyFix: "Befehl kopieren",
    limits: "Grenzen der Sandbox auf diesem Computer",
    newChats: "Sandbox in neuen Chats verwenden",
    newChatsFact: "Du kannst das in jedem Chat unter dem Nachrichtenfeld ändern.",
    whenBlocked: "Wenn etwas blockiert wird",
    whenBlockedChoices: { ask: "Mich fragen", keep: "Blockiert lassen" },
    files: "Dateien",
    write: "Schreibzugriff",
    writeFact:
      "Der Ordner oder Worktree des Chats und der Temp-Ordner. Füge weitere hinzu, wenn dein Build woanders schreibt.",
    hidden: "Verborgen",
    hiddenFact: "Befehle können diese Orte gar nicht lesen.",
    restore: "Standard wiederherstellen",
    environment: "Umgebung",
    environmentFact: "Lässt Variablen weg, die nach Geheimnissen aussehen, etwa *_TOKEN, *_KEY und *_SECRET.",
    leaveOut: "Geheimnisse weglassen",
    network: "Netzwerk",
    reach: "Befehle erreichen",
    reachChoices: { off: "Nichts", sites: "Einige Seiten", on: "Alles" },
    sites: "Erlaubte Seiten",
    sitesFact: "In den Einstellungen deiner Paketmanager gefunden oder von dir hinzugefügt.",
    usedBy: (tools) => `Verwendet von ${and(tools)}`,
    addSite: "Seite hinzufügen",
    badSite: "Gib einen Hostnamen wie example.com ein, oder *.example.com für alle Subdomains davon.",
    listed: (name) => `${name} ist schon in der Liste.`,
    ports: "Lokale Ports",
    portsFact: "Server auf diesem Computer, die Befehle erreichen dürfen, etwa eine Testdatenbank.",
    addPort: "Port hinzufügen",
    badPort: "Gib eine Zahl von 1 bis 65535 ein.",
    showAll: (n) => `Alle ${count(n)} anzeigen`,
    add: "Hinzufügen…",
    addTo: (list) => `Zu „${list}“ hinzufügen…`,
    remove: (name) => `${name} entfernen`,
    removed: (name) => `${name} entfernt`,
  },
};
