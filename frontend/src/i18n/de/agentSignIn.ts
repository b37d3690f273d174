// German strings for the sign-in of custom agents.

import type { agentSignIn as english } from "../agentSignIn";
import type { Translated } from "../translated";

export const agentSignIn: Translated<typeof english> = {
  saved: "Deine wartenden Nachrichten sind gespeichert und werden danach gesendet.",
  onlyUnknown:
    "VoxPilot unterstützt die Anmeldearten dieses Agenten nicht. Melde dich mit seinem eigenen Programm in einem Terminal an und prüfe dann erneut.",
  checking: (agent) => `Anmeldearten von ${agent} werden abgefragt …`,
  running: (agent) => `Anmeldung bei ${agent} läuft …`,
  runningBrowser: "Der Agent öffnet möglicherweise eine Seite in deinem Browser.",
  runningTerminal: "Das Programm des Agenten läuft in einem Terminal.",
  failed: (agent) => `Die Anmeldung bei ${agent} ist fehlgeschlagen.`,
  checkFailed: (agent) => `Die Anmeldung bei ${agent} konnte nicht geprüft werden.`,
  signedIn: (agent) => `Bei ${agent} angemeldet.`,
  unsupported: "VoxPilot unterstützt diese Anmeldeart nicht.",
  methods: "Anmeldearten",
  more: "Weitere Anmeldearten",
  showTerminal: "Terminal anzeigen",
  title: (agent) => `Bei ${agent} anmelden`,
  choose: "Wähle eine Anmeldeart.",
  env: {
    stored:
      "Die Werte werden im Schlüsselbund des Systems gespeichert. VoxPilot startet den Agenten damit neu.",
    keep: "Ein Wert ist gespeichert. Leer lassen, um ihn zu behalten.",
    optional: (label) => `${label} (optional)`,
    need: (label) => `Gib einen Wert für ${label} ein.`,
    link: "Werte abrufen",
    submit: "Anmelden",
  },
  terminal: {
    before:
      "VoxPilot führt diesen Befehl in einem Terminal aus. Er startet das eigene Programm des Agenten, das alles tun kann, was du tun kannst.",
    command: "Befehl",
    run: "Ausführen",
    screen: "Terminal",
    input: "Terminaleingabe",
    tooMuch: "Zu viel Ausgabe zum Vorlesen. Geh die Zeilen durch, um sie zu lesen.",
    leave: "Drück Strg+Tab, um das Terminal zu verlassen.",
    stop: "Anmeldung abbrechen …",
    stopTitle: "Anmeldung abbrechen?",
    stopBody: "VoxPilot beendet das Programm im Terminal.",
    stopConfirm: "Anmeldung abbrechen",
    stopKeep: "Fortfahren",
    loading: "Terminal wird geöffnet …",
    loadFailed: "Das Terminal konnte nicht geöffnet werden.",
    ended: "Das Programm wurde beendet.",
    close: "Schließen",
  },
  settings: {
    signIn: "Anmelden …",
    signOut: "Abmelden …",
    check: "Anmeldung prüfen",
    needed: "Anmeldung nötig",
    running: "Anmeldung läuft …",
    checking: "Anmeldung wird geprüft …",
    done: "Angemeldet",
    failed: "Anmeldung fehlgeschlagen",
    none: "Der Agent hat hier keine Anmeldung",
    signOutTitle: (agent) => `Von ${agent} abmelden?`,
    signOutBody: "Der Agent vergisst die Anmeldung. Um ihn zu nutzen, musst du dich erneut anmelden.",
    signOutConfirm: "Abmelden",
  },
};
