// German strings for the frame (sidebar, header, connection, dialogs) and strings shared by all screens.

import { type Cause, type ConnectionState, TestedCLIVersion } from "../../state/types";
import type { common as englishCommon, shell as englishShell } from "../shell";
import type { Translated } from "../translated";

const number = new Intl.NumberFormat("de");

export const common: Translated<typeof englishCommon> = {
  /** Placeholders for an empty field: an example, and the default. */
  example: (value) => `zum Beispiel ${value}`,
  byDefault: (value) => `Standard: ${value}`,
  sentences: (...parts) => parts.filter((part) => part !== "").join(" "),
  noted: (what, note) => (note === "" ? what : `${what}. ${note}`),
  save: "Speichern",
  app: "VoxPilot",
  cancel: "Abbrechen",
  copied: "Kopiert",
  copyDetails: "Details kopieren",
  checkAgain: "Erneut prüfen",
  chooseFile: "Datei wählen…",
  chooseFolder: "Ordner wählen…",
  copyCommand: "Befehl kopieren",
  copilot: "GitHub Copilot",
  practice: "Übung",
  removedProvider: "Entferntes Modell",
  installCommand: `npm install -g @github/copilot@${TestedCLIVersion}`,
  updateCommand: "copilot update",
  loginCommand: "copilot login",
};

const stateNames: Record<ConnectionState, string> = {
  idle: "Läuft nicht",
  checking: "Startet…",
  starting: "Startet…",
  restoring: "Stellt wieder her…",
  ready: "Verbunden",
  waiting: "Verbindet neu…",
  needs_login: "Anmeldung nötig",
  needs_trust: "Vertrauen nötig",
  failed: "Gestoppt",
};

const causes = (who: string): Record<Cause, string> => ({
  "": "",
  cli_missing: "Die Copilot CLI wurde nicht gefunden.",
  cli_too_old: "Die Copilot CLI ist zu alt.",
  folder_gone: "Der Ordner dieses Chats existiert nicht mehr.",
  untrusted: `${who} wurde nicht gestartet, weil Dateien in diesem Ordner Code ausführen können und du ihm noch nicht vertraut hast.`,
  not_signed_in: `Du musst dich bei ${who} anmelden.`,
  no_access: `${who} hat diese Anmeldung nicht akzeptiert.`,
  locked: "Der Schlüsselbund des Systems ist gesperrt.",
  offline: "Du bist offline.",
  exited: `${who} wurde unerwartet beendet.`,
  exited_start: `${who} hat sich gleich nach dem Start beendet.`,
  no_answer: `${who} hat nicht rechtzeitig geantwortet.`,
  line_too_long: `${who} hat eine Nachricht gesendet, die zu groß zum Lesen ist.`,
  spawn: `Das System konnte ${who} nicht starten.`,
  stuck: `${who} nimmt keine Eingaben mehr an.`,
  provider: "Das Modell oder der Agent dieses Chats ist nicht mehr eingerichtet.",
  no_sandbox: `${who} wurde nicht gestartet, weil er nicht in der Sandbox laufen kann.`,
  unreachable: "Der Agent ist unter seiner Adresse nicht erreichbar.",
  idle: `VoxPilot hat ${who} wegen Untätigkeit gestoppt. ${who} startet mit deiner nächsten Nachricht wieder.`,
  stopped: `Du hast ${who} gestoppt. ${who} startet mit deiner nächsten Nachricht wieder.`,
});

export const shell: Translated<typeof englishShell> = {
  switcher: {
    title: "Letzte Chats",
    at: (title, at, of) => `${title}, ${at} von ${of}`,
  },
  quit: {
    title: (n) =>
      n === 1
        ? "1 Chat läuft noch. Trotzdem beenden?"
        : `${number.format(n)} Chats laufen noch. Trotzdem beenden?`,
    body: "Laufende Agenten werden gestoppt. Ihre Sitzungen kannst du fortsetzen, wenn du VoxPilot das nächste Mal öffnest.",
    confirm: "Beenden",
    keep: "Weiterlaufen lassen",
  },
  sidebar: "Chats",
  newChat: "Neuer Chat",
  newChatIn: (folder) => `Neuer Chat in ${folder}`,
  chatsIn: (n) => (n === 1 ? "1 Chat" : `${number.format(n)} Chats`),
  hideSidebar: "Seitenleiste ausblenden",
  showSidebar: "Seitenleiste einblenden",
  resizeSidebar: "Breite der Seitenleiste",
  settings: "Einstellungen",
  noChats: "Wähle einen Ordner und sage, was sich ändern soll.",
  cliFoot: (cli) => {
    switch (cli.state) {
      case "found":
        return `Copilot CLI ${cli.version ?? ""}`.trim();
      case "missing":
        return "Copilot CLI nicht gefunden";
      case "too_old":
        return "Copilot CLI zu alt";
      case "broken":
        return "Copilot CLI startet nicht";
      default:
        return "Copilot CLI wird gesucht…";
    }
  },
  states: {
    attn: "braucht dich",
    failed: "fehlgeschlagen",
    running: "läuft",
    unread: "neue Antwort",
    idle: "",
  },
  chatLabel: (title, state, practice, pinned) =>
    [title, practice ? "Übung" : "", pinned ? "angeheftet" : "", state].filter((s) => s !== "").join(", "),
  untitled: "Neuer Chat",
  signInToContinue: "Zum Fortsetzen anmelden",
  waitsForTrust: "Zum Fortsetzen Ordner vertrauen",
  wantsTo: (what) => `Möchte ${what}`,
  interrupted: "Unterbrochen",
  jump: (n) => (n === 1 ? "1 weiterer Chat braucht dich" : `${number.format(n)} weitere Chats brauchen dich`),
  search: "Suchen",
  rename: "Umbenennen",
  renameLabel: "Titel des Chats",
  pin: "Anheften",
  unpin: "Lösen",
  archive: "Archivieren",
  unarchive: "Aus dem Archiv holen",
  archived: "Archiviert",
  delete: "Löschen…",
  chooseEditor: "Editor auswählen",
  copyFolder: "Ordnerpfad kopieren",
  copyResume: "Befehl zum Fortsetzen kopieren",
  resumeCopied: "Befehl zum Fortsetzen kopiert. Füge ihn in ein Terminal ein, um dort fortzufahren.",
  openFolder: "Ordner öffnen",
  locateFolder: "Ordner suchen…",
  continueInNewChat: "Neuer Chat mit Zusammenfassung",
  exportAs: {
    markdown: "Als Markdown exportieren…",
    html: "Als HTML exportieren…",
    json: "Als JSON exportieren…",
    copilot: "Für Copilot CLI exportieren…",
  },
  exported: "Chat exportiert.",
  exporting: "Wird exportiert…",
  cancelExport: "Abbrechen",
  failed: {
    navigation: "Das ließ sich nicht ausführen.",
    rename: "Der Chat konnte nicht umbenannt werden.",
    pin: "Der Chat konnte nicht angeheftet oder gelöst werden.",
    archive: "Der Chat konnte nicht archiviert oder aus dem Archiv geholt werden.",
    restore: "Das Löschen konnte nicht rückgängig gemacht werden.",
    continueInNewChat: "Der neue Chat konnte nicht angelegt werden.",
    export: "Der Chat konnte nicht exportiert werden.",
    cancelExport: "Der Export konnte nicht abgebrochen werden.",
    copy: "Der Pfad konnte nicht kopiert werden.",
    copyResume: "Der Befehl zum Fortsetzen konnte nicht kopiert werden.",
    openFolder: "Der Ordner konnte nicht geöffnet werden.",
    openFile: "Die Datei konnte nicht geöffnet werden.",
    locate: "Der Ordner konnte nicht geändert werden.",
  },
  notifications: "Benachrichtigungen",
  dismiss: "Schließen",
  copyPath: "Pfad kopieren",
  filter: {
    open: "Chats filtern",
    field: "Chats nach Titel oder Ordner filtern",
    clear: "Filter zurücksetzen",
    none: (query) => `Kein Chat passt zu „${query}“.`,
    searchAll: "Alle Chats durchsuchen",
    found: (n) => (n === 1 ? "1 Chat" : `${number.format(n)} Chats`),
  },
  saveProtocol: "Protokoll speichern…",
  actions: "Chat-Aktionen",
  deleteTitle: "Diesen Chat löschen?",
  deleteBody: (who) =>
    `Die Nachrichten werden von diesem Computer entfernt. Dateien, die ${who} geändert hat, bleiben, wie sie sind.`,
  deleteConfirm: "Löschen",
  sessionsInUse: "Diese Dateien bleiben, solange ein anderes Programm die Sitzung offen hat.",
  deleteSessions: (who) => `Auch die Sitzungsdateien von ${who} löschen`,
  deleted: (title) => `„${title}“ gelöscht.`,
  notDeleted: (title: string) => `„${title}“ ist noch nicht vollständig gelöscht.`,
  deletedBody: "Die Nachrichten werden in wenigen Sekunden endgültig gelöscht.",
  undo: "Rückgängig machen",
  practiceTag: "Übung",
  connection: {
    label: (state) => `Verbindung: ${state}`,
    title: "Verbindung",
    state: (state) => stateNames[state],
    cause: (cause, who) => causes(who)[cause],
    answeredBy: "Beantwortet von",
    program: "Programm",
    version: "Version",
    process: "Prozess",
    offline: "Offline",
    account: "Konto",
    signIn: "Anmeldung",
    lastCheck: "Letzte Prüfung",
    checkedFact: (ago, result) => `${ago}, ${result}`,
    notChecked: "Von VoxPilot nicht geprüft",
    exitedWith: "Exit-Status",
    exitCode: (code) => `Exit-Code ${code}`,
    signal: (signal) => `Signal ${signal}`,
    stderr: "Letzte Ausgabe",
    nextTry: "Nächster Versuch",
    nextTryFact: (seconds, attempt, max) => `in ${seconds}, Versuch ${attempt} von ${max}`,
    agent: "Agent",
    reconnect: "Neu verbinden",
    stop: (who) => `${who} stoppen`,
    idleNote: (who) => `${who} startet mit deiner nächsten Nachricht.`,
    practiceNote: "Antworten kommen aus einem eingebauten Skript, nicht von einer KI.",
  },
  storage: {
    opening: {
      title: "Deine Chats werden geöffnet…",
      body: "Die Datenbank wird geprüft. Bei vielen Chats kann das einen Moment dauern.",
    },
    in_use: {
      title: "VoxPilot ist schon geöffnet.",
      body: "Eine andere Instanz von VoxPilot verwendet die Datenbank. Beende sie und versuche es dann erneut.",
    },
    read_only: {
      title: "In die Datenbank kann nicht geschrieben werden.",
      body: "Du kannst deine Chats lesen, aber nichts Neues wird gespeichert. Gib VoxPilot Schreibzugriff auf seinen Datenordner und versuche es dann erneut.",
    },
    newer: {
      title: "Diese Datenbank wurde von einer neueren Version von VoxPilot erstellt.",
      body: "Nichts wurde geändert. Beende VoxPilot und öffne die neuere Version.",
    },
    salvaged: {
      title: "Die Datenbank war beschädigt.",
      body: "VoxPilot hat eine Kopie davon aufbewahrt und alles gerettet, was lesbar war.",
    },
    failing: {
      title: "Neue Nachrichten sind noch nicht gespeichert.",
      body: "Sie sind im Arbeitsspeicher, und VoxPilot versucht weiter, sie zu speichern. Ist der Datenträger voll, gib etwas Speicherplatz frei.",
    },
    unusable: {
      title: "Die Datenbank konnte nicht geöffnet werden.",
      body: "Deine Dateien wurden nicht geändert. Versuche es erneut, oder kopiere die Details, um das Problem zu melden.",
    },
    tryAgain: "Erneut versuchen",
  },
  loadFailed: "Deine Chats konnten nicht geladen werden.",
  crash: {
    title: "Dieses Fenster funktioniert nicht mehr.",
    body: "Deine Chats sind sicher: Sie liegen außerhalb des Fensters. Lade es neu, um weiterzumachen.",
    reload: "Neu laden",
  },
};
