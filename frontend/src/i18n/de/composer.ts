// German strings for the composer, its lists and pickers, and the queue above it.

import type { composer as english } from "../composer";
import type { Translated } from "../translated";

const number = new Intl.NumberFormat("de");
const plural = (n: number, one: string, many: string) => `${number.format(n)} ${n === 1 ? one : many}`;

export const composer: Translated<typeof english> = {
  label: "Nachrichtenfeld",
  message: "Nachricht",
  placeholder: "Nachricht an VoxPilot",
  first: (folder) => `Was soll sich in ${folder} ändern?`,
  queue: "Nachricht in die Warteschlange stellen",
  queuedUntilSignIn: "Nachrichten warten, bis du angemeldet bist",
  queuedUntilTrust: "Nachrichten warten, bis du diesem Ordner vertraust",
  queuedUntilReconnected: (who) => `Nachrichten warten, bis ${who} zurück ist`,
  practice: "Übungsmodus: Antworten kommen aus einem eingebauten Skript, nicht von einer KI.",
  send: "Senden",
  stop: "Stoppen",
  queueButton: "Einreihen",
  tooLarge: (size, max) =>
    `Diese Nachricht ist zu lang (${size} Bytes, erlaubt sind ${max}). Kürze sie, oder lege den Text als Datei in den Ordner.`,
  pasteTooLarge: (size, max) =>
    `Das ist zu lang zum Einfügen: Die Nachricht hätte ${size} Bytes, erlaubt sind ${max}. Lege den Text als Datei in den Ordner und erwähne sie mit @.`,

  attachments: {
    list: "Anhänge",
    add: "Bild anhängen",
    remove: (name) => `${name} entfernen`,
    reading: (name) => `${name} wird gelesen…`,
    pasted: (n, ending) => `pasted-${n}.${ending}`,
    clipboard: "Zwischenablage",
    drop: "Zum Anhängen ablegen",
    noImages: (who) =>
      `${who} akzeptiert in diesem Chat keine Bilder. Lege das Bild in den Ordner und erwähne es mit @.`,
    notAnImage: (name) =>
      `${name} konnte nicht angehängt werden: Auf diesem Weg geht das nur mit Bildern. Lege die Datei in den Ordner und erwähne sie mit @.`,
    tooLarge: (name, size, max) =>
      `${name} konnte nicht angehängt werden: Das Bild ist ${size} groß, erlaubt sind ${max}.`,
    tooMany: (max) => `Eine Nachricht kann höchstens ${number.format(max)} Anhänge haben.`,
    unreadable: (name) =>
      `${name} konnte nicht gelesen werden. Versuche es erneut, oder lege das Bild in den Ordner des Chats und erwähne es mit @.`,
    notOnThisComputer:
      "Einiges wurde nicht angehängt, weil es keine Datei auf diesem Computer ist. Kopiere es auf diesen Computer und hänge es dann an.",
    some: (n) => plural(n, "Anhang", "Anhänge"),
  },

  files: {
    mention: "Datei erwähnen",
    list: "Dateien",
    folder: "Ordner",
    reading: "Dateien werden geladen…",
    failed: "Die Dateien dieses Ordners konnten nicht aufgelistet werden.",
  },

  commands: "Befehle",
  commandList: "Befehlsliste",

  typed: {
    newChat: "Neuer Chat in diesem Ordner",
    ask: "In einem neuen Chat fragen",
    rewind: "Zur letzten Nachricht zurückgehen",
    fork: "Neuer Chat von der letzten Nachricht aus",
    tasks: "Sitzungen dieses Chats anzeigen",
    settings: (page) => `Einstellungen > ${page} öffnen`,
    agent: "Eigenen Agenten wählen",
    copy: "Letzte Antwort kopieren",
    delegate: "Den Agenten einen Pull-Request öffnen lassen",
    exit: "VoxPilot schließen",
    instructions: "Anweisungen für diesen Ordner bearbeiten",
    limits: "Token-Verbrauch ansehen",
    worktree: "In einem anderen Worktree arbeiten",
    pr: "Pull-Request öffnen",
    agentInstead: "Eigene Agenten findest du im Menü „Modell“ unter dem Nachrichtenfeld.",
    copyInstead: "Um eine Antwort zu kopieren, wähle darunter „Nachricht kopieren“.",
    delegateInstead:
      "VoxPilot kann Chats nicht an GitHub übergeben. Bitte den Agenten, einen Branch zu pushen und einen Pull-Request zu öffnen.",
    exitInstead: "Zum Beenden schließe das Fenster. Die Chats sind gespeichert.",
    instructionsInstead:
      "Anweisungen stehen in AGENTS.md und .github/copilot-instructions.md. Erwähne eine dieser Dateien mit @, damit der Agent sie ändert.",
    limitsInstead:
      "VoxPilot kann AI-Credits nicht begrenzen. Die verbrauchten Token stehen unter jeder Antwort.",
    worktreeInstead: "Lege den Worktree mit git an und öffne seinen Ordner in einem neuen Chat.",
    prInstead:
      "Wähle „Pull-Request…“ in der Durchsicht eines Chats oder bitte den Agenten, den Pull-Request zu öffnen.",
    terminalOnly: (name) => `/${name} geht nur in der Copilot CLI im Terminal.`,
    noMessage: "In diesem Chat gibt es keine Nachricht, zu der du zurückgehen kannst.",
    needsChat: (name) => `/${name} geht nur in einem vorhandenen Chat.`,
    sendAnyway: "Um es als Nachricht zu senden, drücke noch einmal Enter.",
  },

  permissions: "Berechtigungen",
  allow: {
    title: "In diesem Chat alles erlauben?",
    body: (who, askOutside) =>
      `${who} ändert dann Dateien, führt Befehle aus und öffnet Webadressen, ohne zu fragen. Seine Befehle laufen mit deinen Rechten auf diesem Computer. Deine Regeln mit „Nie erlauben“ gelten weiter. ${
        askOutside
          ? "Bei unklaren Anfragen, geschützten Dateien und Dateien außerhalb des Ordners wird weiter gefragt."
          : "Bei unklaren Anfragen und geschützten Dateien wird weiter gefragt."
      } Du kannst jederzeit zu „Erst fragen“ zurückwechseln.`,
    confirm: "Alles erlauben",
  },
  mode: "Modus",
  modeBodies: {
    agent: "Arbeitet mit dir, Schritt für Schritt.",
    plan: "Schreibt einen Plan und wartet, bevor sich etwas ändert.",
    autopilot: "Arbeitet, bis die Aufgabe erledigt ist. Schaltet „Alles erlauben“ ein.",
  },
  on: "An",
  off: "Aus",

  context: {
    label: (percent) => `Kontext: ${percent}\u00a0% belegt`,
    title: "Kontext",
    of: (used, size) => `${used} von ${size} Token`,
    body: (who) =>
      `So viel Text kann ${who} gleichzeitig berücksichtigen. Ab 80\u00a0% wird der Ring gelb: Bald werden ältere Teile gekürzt, um Platz zu schaffen.`,
    full: "Dieser Chat ist fast voll.",
    fullBody: "Ältere Teile werden gekürzt, um Platz zu schaffen.",
    last: "Letzte Antwort",
    all: "Alle Antworten",
    read: (tokens) => `${tokens} Eingabe`,
    cached: (tokens) => `davon ${tokens} aus dem Cache`,
    written: (tokens) => `${tokens} Ausgabe`,
  },

  queued: {
    list: "Wartende Nachrichten",
    edit: (n) => `Wartende Nachricht ${n} bearbeiten`,
    remove: (n) => `Wartende Nachricht ${n} entfernen`,
    sendNow: (n) => `Wartende Nachricht ${n} jetzt senden`,
    move: (n) => `Wartende Nachricht ${n} verschieben`,
    moveHint: "Zum Umsortieren ziehen oder mit Alt+Pfeil hoch und Alt+Pfeil runter verschieben",
    moved: (n, of) => `An Position ${n} von ${of} verschoben`,
    editing: (n) => `Wartende Nachricht ${n}`,
    save: "Speichern",
    cancel: "Abbrechen",
    paused: "Diese Nachrichten werden erst gesendet, wenn du „Jetzt senden“ wählst.",
    resume: "Jetzt senden",
  },
};
