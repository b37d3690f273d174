// German strings for the account: sign-in, sign-out and user details.

import type { Account, TokenSource } from "../../state/types";
import type { account as english } from "../account";
import type { Translated } from "../translated";

/** variable returns the name of the environment variable that contains a token. */
const variable = (account: Account) => account.variable || "einer Umgebungsvariable";

/** Labels of the token sources in a list. */
const names: Record<TokenSource, string> = {
  env: "Umgebungsvariable",
  stored: "VoxPilot-Anmeldung",
  gh: "GitHub CLI (gh)",
  cli: "Eigene Anmeldung der Copilot CLI",
};

const plural = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

export const account: Translated<typeof english> = {
  menu: (who) => `Konto: ${who}`,
  needed: "Anmeldung nötig",
  notSignedIn: "Nicht angemeldet",
  checkingSignIn: "Anmeldung wird geprüft…",
  ownLogin: "Eigene Anmeldung der Copilot CLI",
  ownUnsure: "Anmeldestatus unbekannt",
  unknownAccount: "GitHub-Konto",
  settings: "Kontoeinstellungen",
  checkNow: "Jetzt prüfen",
  checking: "Wird geprüft…",
  signIn: "Bei GitHub anmelden",
  signInMore: "Bei GitHub anmelden…",
  continueWith: "Mit GitHub fortfahren",
  another: "Anderes Konto verwenden",
  anotherMore: "Anderes Konto verwenden…",
  signOut: "Abmelden",
  signOutMore: "Abmelden…",

  from: (account) => {
    switch (account.source) {
      case "env":
        return account.variable
          ? `Aus der Umgebungsvariable ${account.variable}`
          : "Aus einer Umgebungsvariable";
      case "stored":
        return account.kind === "token"
          ? "Mit einem eingefügten Token angemeldet"
          : "Mit VoxPilot angemeldet";
      case "gh":
        return "Aus der GitHub CLI (gh)";
      case "cli":
        return "Eigene Anmeldung der Copilot CLI";
      default:
        return "";
    }
  },
  ago: (millis) => {
    const minutes = Math.floor(millis / 60_000);
    if (minutes < 1) return "gerade eben";
    if (minutes < 60) return `vor ${plural(minutes, "Minute", "Minuten")}`;
    const hours = Math.floor(minutes / 60);
    return hours < 24
      ? `vor ${plural(hours, "Stunde", "Stunden")}`
      : `vor ${plural(Math.floor(hours / 24), "Tag", "Tagen")}`;
  },
  checked: (account) => {
    switch (account.state) {
      case "valid":
        return "gültig";
      case "no_access":
        return "gültig, aber ohne Zugriff auf Copilot";
      case "expired":
        return "von GitHub abgelehnt";
      case "wrong_kind":
        return "Token-Typ nicht unterstützt";
      default:
        return "nicht bestätigt";
    }
  },
  neverChecked: "Noch nicht geprüft",
  notChecked: "Von VoxPilot nicht geprüft",

  /** stateSentence formats the state as a sentence. */
  stateSentence: (state) => `${state}.`,
  state: (account) => {
    switch (account.state) {
      case "valid":
        return `Bei ${account.host} angemeldet`;
      case "unverified":
        return `Bei ${account.host} angemeldet (nicht bestätigt)`;
      case "own":
        return account.login
          ? "Die Copilot CLI ist mit ihrer eigenen Anmeldung angemeldet"
          : "Die Copilot CLI meldet nicht, ob sie angemeldet ist";
      case "no_access":
        return `Bei ${account.host} angemeldet, aber dieses Konto hat keinen Zugriff auf Copilot`;
      case "expired":
        return "GitHub akzeptiert diese Anmeldung nicht mehr";
      case "wrong_kind":
        return "Copilot unterstützt diesen Token-Typ nicht";
      case "locked":
        return "Der Schlüsselbund des Systems ist gesperrt";
      case "signed_out":
        return "Copilot braucht ein GitHub-Konto mit einem Copilot-Plan";
      default:
        return "Es wird geprüft, ob du auf diesem Computer angemeldet bist…";
    }
  },
  expired: "Deine GitHub-Anmeldung ist abgelaufen. Melde dich erneut an.",
  expiredGH:
    "GitHub akzeptiert das Token von gh nicht mehr. Führe „gh auth login“ in einem Terminal aus und wähle dann erneut „GitHub CLI (gh) verwenden“, oder melde dich anders an.",
  check: "Prüfung der Anmeldung",
  checkFact: (last) => `VoxPilot prüft deine Anmeldung vor jedem Start von Copilot. ${last}`,
  checkLast: (ago, result) => `Zuletzt geprüft ${ago}: ${result}.`,
  checkNever: "Noch nicht geprüft.",
  checkOwn: "Die Copilot CLI verwaltet diese Anmeldung. VoxPilot kann nicht erkennen, ob sie gültig ist.",
  checkNone: "Du bist auf diesem Computer nicht angemeldet.",

  storedIn: "Speicherort der Anmeldung",
  storage: (account) => {
    const keychain = account.keychain
      ? `Im Schlüsselbund des Systems (${account.keychain})`
      : "Im Schlüsselbund des Systems";
    switch (account.source) {
      case "env":
        return `In ${account.variable ? `der Umgebungsvariable ${account.variable}` : variable(account)}. VoxPilot liest sie, speichert aber keine Kopie.`;
      case "gh":
        return `Von der GitHub CLI verwaltet. VoxPilot holt sie von ${account.program || "gh"} und speichert keine Kopie.`;
      case "cli":
        return "Von der Copilot CLI verwaltet. VoxPilot sieht sie nie.";
      default:
        if (account.state === "locked") {
          return `${keychain}. Er ist gesperrt. Entsperre ihn und wähle dann „Jetzt prüfen“.`;
        }
        if (account.key === "memory") {
          return "Nur im Arbeitsspeicher, weil der Schlüsselbund des Systems nicht verfügbar ist. Deine Anmeldung wird nie in eine Datei geschrieben und geht beim Beenden von VoxPilot verloren.";
        }
        if (account.key === "missing") {
          return "Deine Anmeldung ist nicht mehr im Schlüsselbund des Systems. Melde dich erneut an.";
        }
        return `${keychain}. Deine Anmeldung wird nie in die Datenbank oder in Logs geschrieben.`;
    }
  },
  protected: "Geschützt",
  untilQuit: "Bis zum Beenden",
  lockedTag: "Gesperrt",
  missing: "Fehlt",
  external: "Woanders verwaltet",
  until: "Gültig bis",

  signInToUse: "Verwendete Anmeldung",
  usedFact:
    "„Automatisch“ nimmt die erste Anmeldemethode, die VoxPilot findet. Lehnt GitHub sie ab, versucht VoxPilot keine andere.",
  automatic: "Automatisch",
  name: (source, account) =>
    source === "env" && account.variable ? `Umgebungsvariable ${account.variable}` : names[source],
  notFound: (name) => `${name} (nicht gefunden)`,
  codeSignIn: "Anmeldung per Code",
  clientId: "OAuth-Client-ID",
  clientIdFact:
    "Die ID der OAuth-App, die den Code anfordert. Leer lassen, um die von VoxPilot zu verwenden.",
  clientIdFactNone:
    "Dieser Build enthält keine Client-ID. Gib die Client-ID einer eigenen OAuth-App ein, um dich per Code anzumelden.",
  clientIdPlaceholder: "Eingebaut",
  clientIdPlaceholderNone: "zum Beispiel Ov23li…",

  out: {
    stored: {
      title: (who) => `${who} abmelden?`,
      body: "Copilot wird in jedem Chat gestoppt, und deine Anmeldung wird von diesem Computer entfernt. Deine Chats bleiben erhalten.",
    },
    cli: {
      title: "Copilot CLI abmelden?",
      body: "Copilot wird in jedem Chat gestoppt. Du wirst damit auch im Terminal abgemeldet, weil VoxPilot und das Terminal dieselbe Anmeldung verwenden. Deine Chats bleiben erhalten.",
    },
    env: {
      title: (account) => `Du bist mit ${variable(account)} angemeldet`,
      body: "VoxPilot speichert das Token nicht, hier gibt es also nichts zu entfernen. Entferne die Variable dort, wo sie gesetzt ist, und starte VoxPilot neu, oder wähle in den Einstellungen eine andere Anmeldemethode.",
    },
    gh: {
      title: "Du bist über die GitHub CLI angemeldet",
      body: "VoxPilot speichert das Token nicht, hier gibt es also nichts zu entfernen. Melde gh in einem Terminal ab, oder wähle in den Einstellungen eine andere Anmeldemethode.",
      command: (host) => `gh auth logout --hostname ${host}`,
    },
    confirm: "Abmelden",
    choose: "Andere wählen",
    close: "Schließen",
  },

  dialog: {
    title: (host) => (host === "github.com" ? "Bei GitHub anmelden" : `Bei ${host} anmelden`),
    signedIn: (who) => `Angemeldet als ${who}.`,
    signedInOwn: "Die Copilot CLI ist angemeldet.",
  },
  code: {
    open: "Öffne ",
    type: " und gib diesen Code ein.",
    label: (code) => `Anmeldecode ${code}`,
    copyAndOpen: "Code kopieren und GitHub öffnen",
    copy: "Code kopieren",
    again: "Neuen Code holen",
    status: "Stand der Anmeldung",
    starting: "GitHub wird um einen Code gebeten…",
    waiting: "Warten auf deine Bestätigung auf GitHub.",
    works: (left) => `Der Code gilt noch ${left}.`,
    minutes: (n) => (n <= 1 ? "weniger als eine Minute" : `${n} Minuten`),
    expired: "Der Code ist abgelaufen.",
    denied: "Die Anmeldung wurde auf GitHub nicht bestätigt.",
    unreachable: "GitHub ist nicht erreichbar.",
    failed: "Die Anmeldung ist fehlgeschlagen.",
    done: "Angemeldet.",
  },
  cli: {
    body: "Die Copilot CLI übernimmt diese Anmeldung. Folge ihren Anweisungen unten.",
    output: "Ausgabe der Copilot CLI",
    starting: "Copilot CLI wird gestartet…",
    waiting: "Die Anmeldung ist noch nicht abgeschlossen.",
    again: "Erneut versuchen",
    cancel: "Abbrechen",
    open: "Im Browser öffnen",
    copy: "Adresse kopieren",
  },
  token: {
    body: "Verwende ein fein abgestuftes Token mit der Berechtigung „Copilot Requests“. VoxPilot schreibt es nie in eine Datei. Es wird im Schlüsselbund des Systems gespeichert, oder nur im Arbeitsspeicher, wenn es keinen Schlüsselbund gibt.",
    make: "Token bei GitHub erstellen",
    label: "Token",
    save: "Anmelden",
    checking: "Wird bei GitHub geprüft…",
    empty: "Füge ein Token ein, um fortzufahren.",
    classic:
      "Copilot unterstützt keine klassischen Token (ghp_). Erstelle ein fein abgestuftes mit der Berechtigung „Copilot Requests“.",
    back: "Zurück",
  },
  ways: {
    title: "Andere Anmeldewege",
    first: "Wähle, wie du dich anmeldest.",
    noCode:
      "Mit diesem Build von VoxPilot kannst du dich nicht im Browser anmelden. Mit der Copilot CLI geht es: Sie öffnet deinen Browser oder zeigt einen Code, den du bei GitHub eingibst.",
    noCodeNoCLI:
      "Mit diesem Build von VoxPilot kannst du dich nicht im Browser anmelden. Wähle einen anderen Weg, um fortzufahren.",
    withCLI: "Mit der Copilot CLI anmelden",
    code: "Mit einem Code anmelden",
    codeFact: "Gib im Browser bei GitHub einen kurzen Code ein.",
    token: "Token einfügen",
    tokenFact: "Ein fein abgestuftes Token mit der Berechtigung „Copilot Requests“.",
    cli: "Eigene Anmeldung der Copilot CLI verwenden",
    cliFact: "Die Copilot CLI meldet dich an und speichert die Anmeldung. VoxPilot kann sie nicht prüfen.",
    cliAnother: "Verwende ein anderes Konto. Die Copilot CLI öffnet deinen Browser oder zeigt einen Code.",
    cliFound: "Bereits angemeldet. VoxPilot kann aber nicht erkennen, ob die Anmeldung noch gültig ist.",
    gh: "GitHub CLI (gh) verwenden",
    ghFact: "Auf diesem Computer bereits angemeldet.",
    own: "Eigenes Modell verwenden",
    ownFact: "Kein GitHub-Konto nötig.",
  },
  locked: {
    strong: "Der Schlüsselbund des Systems ist gesperrt.",
    body: "Entsperre ihn, damit VoxPilot die Anmeldung lesen kann.",
    again: "Erneut versuchen",
  },
  found: {
    title: (who) => `Angemeldet als ${who}`,
    titleOwn: "Die Copilot CLI ist angemeldet",
    titleOwnUnsure: "Mit der Anmeldung der Copilot CLI",
    body: (account) => {
      const how = () => {
        switch (account.source) {
          case "env":
            return account.variable
              ? ` mit dem Token in ${account.variable}`
              : " mit einem Token in einer Umgebungsvariable";
          case "gh":
            return " über die GitHub CLI (gh)";
          default:
            return account.kind === "token" ? " mit einem eingefügten Token" : "";
        }
      };
      const signedIn = `Du bist${how()} bereits bei ${account.host} angemeldet.`;
      return account.state === "unverified" ? `${signedIn} GitHub hat das noch nicht bestätigt.` : signedIn;
    },
    bodyOwn:
      "Die Copilot CLI verwaltet ihre Anmeldung selbst. VoxPilot kann nicht erkennen, ob sie noch gültig ist.",
    bodyOwnUnsure:
      "Die Copilot CLI verwaltet ihre Anmeldung selbst. VoxPilot kann nicht erkennen, ob du angemeldet bist.",
    continueAs: (who) => `Weiter als ${who}`,
    continueOwn: "Weiter",
    another: "Anderes Konto verwenden",
    checked: "Bei GitHub geprüft",
    unchecked: "Prüfung bei GitHub nicht möglich",
  },
  memory:
    "Der Schlüsselbund des Systems ist nicht verfügbar, deshalb geht diese Anmeldung beim Beenden von VoxPilot verloren.",
};
