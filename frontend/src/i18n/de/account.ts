// Words of the account: signing in, signing out, and what is known of the user, in German.

import type { Account, TokenSource } from "../../state/types";
import type { account as english } from "../account";
import type { Translated } from "../translated";

/** variable names the environment variable that a token comes from. */
const variable = (account: Account) => account.variable || "einer Umgebungsvariable";

/** What each source is called in a list to choose from. */
const names: Record<TokenSource, string> = {
  env: "Umgebungsvariable",
  stored: "Mit VoxPilot angemeldet",
  gh: "GitHub CLI (gh)",
  cli: "Eigene Anmeldung der Copilot CLI",
};

const plural = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

export const account: Translated<typeof english> = {
  menu: (who) => `Konto: ${who}`,
  needed: "Anmeldung nötig",
  nobody: "Nicht angemeldet",
  looking: "Anmeldung suchen…",
  ownLogin: "Eigene Anmeldung der Copilot CLI",
  ownUnsure: "Anmeldung unbekannt",
  someone: "GitHub-Konto",
  settings: "Kontoeinstellungen",
  checkNow: "Jetzt prüfen",
  checking: "Wird geprüft…",
  signIn: "Bei GitHub anmelden",
  signInMore: "Bei GitHub anmelden…",
  another: "Anderes Konto verwenden",
  anotherMore: "Anderes Konto verwenden…",
  signOut: "Abmelden",
  signOutMore: "Abmelden…",

  from: (account) => {
    switch (account.source) {
      case "env":
        return account.variable ? `Aus der Variable ${account.variable}` : "Aus einer Umgebungsvariable";
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
        return "gültig, ohne Zugriff auf Copilot";
      case "expired":
        return "von GitHub abgelehnt";
      case "wrong_kind":
        return "von einer Art, die Copilot nicht annimmt";
      default:
        return "ohne Antwort";
    }
  },
  neverChecked: "Noch nicht geprüft",
  notChecked: "Von VoxPilot nicht geprüft",

  /** stateSaid is that as a sentence. */
  stateSaid: (state) => `${state}.`,
  state: (account) => {
    switch (account.state) {
      case "valid":
        return `Bei ${account.host} angemeldet`;
      case "unverified":
        return `Bei ${account.host} angemeldet, soweit bekannt`;
      case "own":
        return account.login
          ? "Die Copilot CLI ist selbst angemeldet"
          : "Die Copilot CLI sagt nicht, ob sie angemeldet ist";
      case "no_access":
        return `Bei ${account.host} angemeldet, ohne Zugriff auf Copilot`;
      case "expired":
        return "GitHub nimmt diese Anmeldung nicht mehr an";
      case "wrong_kind":
        return "Copilot nimmt diese Art von Token nicht an";
      case "locked":
        return "Der Schlüsselbund des Systems ist gesperrt";
      case "signed_out":
        return "Copilot braucht ein GitHub-Konto mit einem Copilot-Plan";
      default:
        return "Eine Anmeldung auf diesem Computer wird gesucht…";
    }
  },
  check: "Prüfung der Anmeldung",
  checkFact: (last) => `Vor jedem neuen Verbinden geprüft. ${last}`,
  checkLast: (ago, result) => `Letzte Prüfung ${ago}: ${result}.`,
  checkNever: "Noch nicht geprüft.",
  checkOwn: "Die Copilot CLI behält diese Anmeldung für sich, VoxPilot kann sie nicht prüfen.",
  checkNobody: "Auf diesem Computer wurde keine Anmeldung gefunden.",

  kept: "Wo die Anmeldung liegt",
  keptIn: (account) => {
    const keychain = account.keychain
      ? `Im Schlüsselbund des Systems (${account.keychain})`
      : "Im Schlüsselbund des Systems";
    switch (account.source) {
      case "env":
        return `In ${account.variable ? `der Umgebungsvariable ${account.variable}` : variable(account)}. VoxPilot liest sie und behält keine Kopie.`;
      case "gh":
        return `In der GitHub CLI. VoxPilot fragt ${account.program || "gh"} danach und behält keine Kopie.`;
      case "cli":
        return "In der Copilot CLI. VoxPilot sieht sie nie.";
      default:
        if (account.state === "locked") {
          return `${keychain}. Er ist gesperrt: Entsperre ihn und versuche es dann erneut.`;
        }
        if (account.key === "memory") {
          return "Nur im Arbeitsspeicher, da kein Schlüsselbund des Systems antwortet. Sie wird nie in eine Datei geschrieben und ist vergessen, wenn VoxPilot beendet wird.";
        }
        if (account.key === "missing") {
          return "Sie ist nicht mehr im Schlüsselbund des Systems. Melde dich erneut an.";
        }
        return `${keychain}. Sie wird nie in die Datenbank oder in Logs geschrieben.`;
    }
  },
  protected: "Geschützt",
  untilQuit: "Bis zum Beenden",
  lockedTag: "Gesperrt",
  gone: "Fehlt",
  elsewhere: "Liegt woanders",
  until: "Gültig bis",

  used: "Verwendete Anmeldung",
  usedFact: "Automatisch nimmt die erste vorhandene, und nie eine andere, wenn GitHub sie ablehnt.",
  automatic: "Automatisch",
  name: (source, account) =>
    source === "env" && account.variable ? `Variable ${account.variable}` : names[source],
  notThere: (name) => `${name} (nicht vorhanden)`,
  byCode: "Anmeldung per Code",
  clientId: "OAuth-Client-ID",
  clientIdFact: "Der OAuth-App, die um den Code bittet. Leer gilt die, die mit VoxPilot kam.",
  clientIdFactNone: "VoxPilot kam ohne eine. Mit der ID einer eigenen OAuth-App geht die Anmeldung per Code.",
  clientIdPlaceholder: "Eingebaut",
  clientIdPlaceholderNone: "zum Beispiel Ov23li…",

  out: {
    stored: {
      title: (who) => `${who} abmelden?`,
      body: "Copilot hält in jedem Chat an, und die Anmeldung wird von diesem Computer entfernt. Deine Chats bleiben, wie sie sind.",
    },
    cli: {
      title: "Copilot CLI abmelden?",
      body: "Das meldet auch dein Terminal ab, da beide eine Anmeldung teilen. Deine Chats bleiben, wie sie sind.",
    },
    env: {
      title: (account) => `Diese Anmeldung kommt aus ${variable(account)}`,
      body: "VoxPilot behält keine Kopie davon, hier gibt es also nichts zu entfernen. Entferne die Variable dort, wo sie gesetzt ist, und starte VoxPilot neu, oder wähle in den Einstellungen eine andere Anmeldung.",
    },
    gh: {
      title: "Diese Anmeldung kommt aus der GitHub CLI",
      body: "VoxPilot behält keine Kopie davon, hier gibt es also nichts zu entfernen. Melde gh in einem Terminal ab, oder wähle in den Einstellungen eine andere Anmeldung.",
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
    waiting: "GitHub hat noch nicht bestätigt.",
    works: (left) => `Der Code gilt noch ${left}.`,
    minutes: (n) => (n <= 1 ? "weniger als eine Minute" : `${n} Minuten`),
    expired: "Der Code ist abgelaufen.",
    denied: "GitHub hat die Anmeldung nicht bestätigt.",
    unreachable: "GitHub ist nicht erreichbar.",
    failed: "Die Anmeldung hat nicht geklappt.",
    done: "Angemeldet.",
  },
  cli: {
    body: "Die Copilot CLI meldet sich selbst an. Folge dem, was sie hier sagt.",
    output: "Was die Copilot CLI sagt",
    starting: "Copilot CLI wird gestartet…",
    waiting: "Die Copilot CLI ist noch nicht fertig.",
    again: "Erneut versuchen",
    cancel: "Abbrechen",
    open: "Im Browser öffnen",
    copy: "Adresse kopieren",
  },
  token: {
    body: "Ein fein abgestuftes Token mit der Berechtigung „Copilot Requests“. Es kommt in den Schlüsselbund des Systems und sonst nirgendwohin.",
    make: "Bei GitHub erstellen",
    label: "Token",
    save: "Anmelden",
    checking: "GitHub wird gefragt…",
    empty: "Füge zuerst das Token ein.",
    classic:
      "Das ist ein klassisches Token (ghp_), das Copilot nicht annimmt. Erstelle ein fein abgestuftes mit der Berechtigung „Copilot Requests“.",
    back: "Zurück",
  },
  ways: {
    title: "Andere Wege",
    first: "Wähle, wie du dich anmeldest. VoxPilot fragt GitHub vor jedem Start, ob die Anmeldung noch gilt.",
    noCode:
      "Dieser Build von VoxPilot hat keine eigene Anmeldung im Browser. Die Copilot CLI hat eine: Sie öffnet deinen Browser oder zeigt einen Code, den du bei GitHub eingibst.",
    noCodeNoCLI:
      "Dieser Build von VoxPilot hat keine eigene Anmeldung im Browser. Füge ein Token ein, oder verwende dein eigenes Modell.",
    led: "Mit der Copilot CLI anmelden",
    code: "Mit einem Code anmelden",
    codeFact: "Gib im Browser bei GitHub einen kurzen Code ein.",
    token: "Token einfügen",
    tokenFact: "Ein fein abgestuftes Token mit der Berechtigung „Copilot Requests“.",
    cli: "Eigene Anmeldung der Copilot CLI verwenden",
    cliFact: "Copilot meldet sich selbst an. VoxPilot kann das nicht prüfen.",
    cliFound: "Sie ist schon angemeldet. VoxPilot kann das nicht prüfen.",
    gh: "gh verwenden",
    ghFact: "Die GitHub CLI ist auf diesem Computer angemeldet.",
    own: "Eigenes Modell verwenden",
    ownFact: "Ein Konto ist nicht nötig.",
  },
  locked: {
    strong: "Der Schlüsselbund des Systems ist gesperrt.",
    body: "Entsperre ihn, damit VoxPilot die Anmeldung lesen kann.",
    again: "Erneut versuchen",
  },
  found: {
    title: (who) => `Angemeldet als ${who}`,
    titleOwn: "Die Copilot CLI ist angemeldet",
    body: (host, from) => `VoxPilot hat diese Anmeldung bei ${host} gefunden. ${from}.`,
    bodyOwn: "Sie verwendet ihre eigene Anmeldung, die VoxPilot nicht prüfen kann.",
    go: (who) => `Weiter als ${who}`,
    goOwn: "Weiter",
    another: "Anderes Konto verwenden",
    checked: "Bei GitHub geprüft",
    unchecked: "GitHub konnte nicht gefragt werden",
  },
  memory:
    "Kein Schlüsselbund des Systems antwortet: Diese Anmeldung ist vergessen, wenn VoxPilot beendet wird.",
};
