// German strings for the transcript, permission requests and banners.

import type { Decision, ToolKind, ToolStatus } from "../../state/types";
import type { chat as english } from "../chat";
import type { Translated } from "../translated";

const minus = "\u2212";
const number = new Intl.NumberFormat("de");
const count = (n: number) => number.format(n);
const amounts = new Intl.NumberFormat("de", { maximumFractionDigits: 2 });

const verbs: Record<ToolKind, string> = {
  read: "Lesen",
  edit: "Bearbeiten",
  delete: "Löschen",
  move: "Verschieben",
  search: "Suchen",
  execute: "Ausführen",
  think: "Nachdenken",
  fetch: "Abrufen",
  ask: "Fragen",
  plan: "Planen",
  other: "Verwenden",
};

const statusNames: Record<ToolStatus, string> = {
  pending: "ausstehend",
  in_progress: "läuft",
  completed: "abgeschlossen",
  failed: "fehlgeschlagen",
  cancelled: "gestoppt",
};

const decisions: Record<Decision, string> = {
  allowed_once: "einmal erlaubt",
  always_allowed: "immer erlaubt",
  auto_allowed: "durch deine Einstellungen erlaubt",
  rejected: "von dir abgelehnt",
  closed: "nicht beantwortet",
};

const plural = (n: number, one: string, many: string) => `${count(n)} ${n === 1 ? one : many}`;

const run = "Einen Befehl ausführen";

export const chat: Translated<typeof english> = {
  transcript: "Verlauf",
  you: (time) => `Du, ${time}`,
  answer: (time) => `VoxPilot, ${time}`,
  empty: {
    title: "Was soll sich ändern?",
    body: (who, folder) =>
      `${who} arbeitet in ${folder} und fragt, bevor etwas geschieht, es sei denn, du erlaubst mehr.`,
    practice: "Drei Dinge zum Ausprobieren",
    practiceBody: "Jedes zeigt etwas anderes: eine Änderung, einen Befehl oder eine lange Antwort.",
  },
  loadFailed: "Dieser Chat konnte nicht geladen werden.",
  tryAgain: "Erneut versuchen",
  copyDetails: "Details kopieren",
  copyMessage: "Nachricht kopieren",
  copyCode: "Code kopieren",
  dismiss: "Schließen",
  jump: "Zum Ende",
  jumpNew: (n) => `Zum Ende, ${count(n)} neu`,
  copy: {
    tooLong: "Die Auswahl ist zu lang zum Kopieren. Wähle weniger aus oder exportiere den Chat.",
    cut: "Ein Teil der Auswahl ist nicht geladen. Wähle weniger aus oder exportiere den Chat.",
  },
  editMessage: "Bearbeiten und erneut senden",
  attachments: "Anhänge dieser Nachricht",
  outsideFolder: (path) =>
    `${path} liegt außerhalb des Ordners dieses Chats, deshalb hat VoxPilot es nicht geöffnet.`,
  earlierPart: "Früheren Teil anzeigen",
  laterPart: "Späteren Teil anzeigen",
  fromBeginning: "Von Anfang an anzeigen",
  toTheEnd: "Das Ende anzeigen",
  find: {
    label: "In diesem Chat suchen",
    field: "Suchen",
    previous: "Vorheriger Treffer",
    next: "Nächster Treffer",
    close: "Suche schließen",
    none: "Keine Treffer",
    count: (n, total, more) => `${n > 0 ? `${count(n)} von ` : ""}${count(total)}${more ? "+" : ""}`,
  },
  images: {
    broken: "Dieses Bild konnte nicht angezeigt werden.",
    unknown: "Dieses Bildformat wird nicht unterstützt.",
    tooLarge: (size) => `Dieses Bild ist zu groß zum Anzeigen (${size}).`,
  },
  usage: {
    short: (usage) => `${count(usage.input + usage.output)} Token`,
    all: (usage) =>
      [
        `${count(usage.input)} Eingabe`,
        `${count(usage.output)} Ausgabe`,
        usage.cacheRead ? `${count(usage.cacheRead)} aus dem Cache gelesen` : "",
        usage.cacheWrite ? `${count(usage.cacheWrite)} in den Cache geschrieben` : "",
        usage.thought ? `${count(usage.thought)} zum Nachdenken` : "",
      ]
        .filter((part) => part !== "")
        .join(", "),
    premium: (n) => (n === 1 ? "1 Premium-Anfrage" : `${amounts.format(n)} Premium-Anfragen`),
    credits: (n) => (n === 1 ? "1 AI-Credit" : `${amounts.format(n)} AI-Credits`),
  },
  older: "Ältere Nachrichten werden geladen…",
  newer: "Neuere Nachrichten werden geladen…",
  showAllOf: (size) => `Alles anzeigen (${size})`,
  showAllLines: (lines) => `Alle ${lines} Zeilen anzeigen`,
  showAllFiles: (files) => `Alle ${files} Dateien anzeigen`,
  showMore: (size) => `Mehr anzeigen (noch ${size})`,
  loading: "Wird geladen…",
  noContent: "Keine Ausgabe.",
  image: (who) => `Bild von ${who}`,
  openLink: {
    title: "Diesen Link öffnen?",
    body: (href) => href,
    confirm: (isMail) => (isMail ? "E-Mail schreiben" : "Im Browser öffnen"),
  },

  work: {
    copilot: "Copilot",
    label: (agent, session) => `${agent} [${session}]`,
    suffix: {
      running: "",
      waiting: " – braucht dich",
      done: " – fertig",
      failed: " – fehlgeschlagen",
      stopped: " – gestoppt",
      interrupted: " – unterbrochen",
    },
    stop: "Stoppen",
    stopLabel: (session) => `${session} stoppen`,
    changes: (added, removed, files) => {
      const counts = [added > 0 ? `+${count(added)}` : "", removed > 0 ? `${minus}${count(removed)}` : ""]
        .filter((part) => part !== "")
        .join(" ");
      return [counts, counts === "" ? "" : "in", plural(files, "Datei", "Dateien")]
        .filter((part) => part !== "")
        .join(" ");
    },
    commands: (n) => plural(n, "Befehl", "Befehle"),
    withoutPermission: (n) => `${count(n)} ohne Erlaubnis`,
    plan: "Plan",
    planState: { completed: ", erledigt", in_progress: ", in Arbeit", pending: ", offen" },
    tools: "Werkzeugaufrufe",
    output: (who) => `Ausgabe von ${who}`,
    thinking: "Denkt nach…",
    thought: (time) => (time === "" ? "Nachgedacht" : `${time} nachgedacht`),
  },
  end: {
    failed: (who) => `${who} konnte das nicht abschließen.`,
    stopped: (time) => `Gestoppt, ${time}`,
    interrupted: (time) => `Unterbrochen, ${time}`,
  },

  tool: {
    verb: (kind) => verbs[kind] ?? verbs.other,
    open: "Öffnen",
    status: (status) => statusNames[status] ?? status,
    decision: (decision) => decisions[decision] ?? "",
    label: (verb, target, status) => `${target === "" ? verb : `${verb}: ${target}`}, ${status}`,
    moved: (from, to) => `${from} nach ${to}`,
    waiting: "wartet auf dich",
    noResult: "kein Ergebnis",
    stopped: "gestoppt",
    byRule: "durch eine Regel abgelehnt",
    exit: (code) => `Exit ${code}`,
    outputOf: (target) => `Ausgabe von ${target}`,
    diffOf: (path) => `Diff von ${path}`,
    lastLines: (n) => `Die letzten ${count(n)} Zeilen`,
  },

  request: {
    label: (title) => `Anfrage: ${title}`,
    edit: (path) => `${path} bearbeiten`,
    delete: (path) => `${path} löschen`,
    move: (from, to) => `${from} nach ${to} verschieben`,
    more: (file, others) => `${file} und ${plural(others, "weitere Datei", "weitere Dateien")}`,
    run,
    // A command can be long, so the verb comes first.
    runs: (command) => `Ausführen: ${command}`,
    toRun: (command) => `${command} ausführen`,
    read: (path) => `${path} lesen`,
    open: (host) => `${host} öffnen`,
    use: (tool) => `${tool} verwenden`,
    in: (folder) => `in ${folder}`,
    outside: "Greift auf Dateien außerhalb des Ordners dieses Chats zu",
    waiting: (n) => `Anfrage 1 von ${count(n)}`,
    change: (path) => `Vorgeschlagene Änderung an ${path}`,
    command: "Befehl",
    where: "in",
    details: "Anfrage",
    allowOnce: "Einmal erlauben",
    alwaysAllow: "Immer erlauben",
    reject: "Ablehnen",
    alwaysReject: "Immer ablehnen",
    scopeEdits: (folder) =>
      `„Immer erlauben“ legt eine Regel an, die für jede Änderung und jede neue Datei in ${folder} gilt, aber nicht für Löschen und Verschieben.`,
    scopeFile: (file) => `„Immer erlauben“ legt eine Regel an, die nur für Änderungen an ${file} gilt.`,
    scopeCommand: (folder) =>
      `„Immer erlauben“ legt eine Regel an, die für genau diesen Befehl in ${folder} gilt.`,
    scopeHost: (host, folder) =>
      `„Immer erlauben“ legt eine Regel an, die für alle Webadressen auf ${host} in Chats in ${folder} gilt.`,
    scopePrefix: (beginning, folder) =>
      `„Immer erlauben“ legt eine Regel an, die in ${folder} für Befehle gilt, die mit „${beginning}“ beginnen.`,
    scopeGlob: (pattern, folder) =>
      `„Immer erlauben“ legt eine Regel an, die in ${folder} für Befehle gilt, die zu „${pattern}“ passen.`,
    everyFolder: "jedem Ordner",
    inbox: "Anfragen, die auf dich warten",
    inboxOpen: "Alle Anfragen",
    requester: (who, session) => (session === "" ? who : `${who} [${session}]`),
    requestedIn: (who, chat, folder) => `${who} · ${chat} · ${folder}`,
    removeRuleHint: "Du kannst sie unter Einstellungen > Berechtigungen entfernen.",
    changes: (n) => `Vorgeschlagene Änderungen an ${plural(n, "Datei", "Dateien")}`,
    noPreview: (who) => `${who} hat hierzu keine Vorschau geliefert.`,
    moreFiles: (n) => `${plural(n, "weitere Datei hat", "weitere Dateien haben")} keine Vorschau.`,
    previewFailed: "Die Vorschau konnte nicht geladen werden.",
    announce: (who, what) => `${who} bittet um Erlaubnis: ${what}`,
    // A title that starts with a name stays as it is. An article at the start is written in lower case.
    inSentence: (title) => (title === run ? run.replace("Einen", "einen") : title),
    wants: (who, what) => `${who} möchte ${what}`,
    waitBar: (who) => `${who} wartet auf dich`,
    show: "Anfrage anzeigen",
  },

  modes: { ask: "Erst fragen", accept_edits: "Änderungen erlauben", bypass: "Alles erlauben" },
  modeBodies: {
    ask: "Fragt vor jeder Änderung, jedem Befehl und jeder Webadresse.",
    accept_edits:
      "Erlaubt Ändern, Löschen und Verschieben im Ordner, außer bei geschützten Dateien. Fragt bei allem anderen.",
    bypass:
      "Fragt nur bei unklaren Anfragen und wenn der Agent selbst auf geschützte Dateien oder Dateien außerhalb des Ordners zugreift. Fragt nicht bei Befehlen, die im Ordner laufen. Die Schaltfläche ist gelb, solange dieser Modus an ist.",
    bypassOutside:
      "Fragt nur bei unklaren Anfragen und geschützten Dateien. Fragt nicht bei anderen Dateien, auch nicht außerhalb des Ordners. Die Schaltfläche ist gelb, solange dieser Modus an ist.",
  },

  banner: {
    restored: {
      label: "Sitzung wiederhergestellt",
      strong: "Sitzung wiederhergestellt.",
      body: (who, sessions, others) => {
        const named = sessions.map((session) => (session === "" ? who : `[${session}]`));
        if (sessions[0] !== "") named[0] = `${who} ${named[0]}`;
        if (others > 0) named.push(others === 1 ? "eine weitere" : `${count(others)} weitere`);
        const last = named.pop();
        return named.length === 0
          ? `${last} hat wieder den ganzen Verlauf.`
          : `${named.join(", ")} und ${last} haben wieder ihren ganzen Verlauf.`;
      },
      rule: (time) => `Sitzung wiederhergestellt, ${time}`,
    },
    incomplete: {
      label: "Letzte Nachricht womöglich unvollständig",
      strong: "Sitzung wiederhergestellt, aber die letzte Nachricht ist womöglich unvollständig.",
      body: (who) =>
        `${who} wurde während der Arbeit unterbrochen. Prüfe das Ende der letzten Nachricht, bevor du weitermachst.`,
      rule: (time) => `Sitzung wiederhergestellt (letzte Nachricht womöglich unvollständig), ${time}`,
    },
    lost: {
      label: "Sitzung nicht wiederhergestellt",
      body: (who) =>
        `Die vorige Sitzung von ${who} konnte nicht wiederhergestellt werden. Eine neue Sitzung wurde gestartet. Dein Verlauf in VoxPilot ist unversehrt.`,
      rule: (time) => `Neue Sitzung, ${time}`,
      show: (who) => `Zusammenfassung für ${who} anzeigen`,
      hide: (who) => `Zusammenfassung für ${who} ausblenden`,
      recap: "Zusammenfassung für die neue Sitzung",
    },
    repaired: {
      label: "Sitzung repariert",
      strong: "Sitzung repariert.",
      body: (who) =>
        `${who} konnte die Sitzung nicht öffnen, weil ihre Dateien beschädigt sind. VoxPilot hat eine Kopie repariert und die beschädigten Dateien nicht verändert.`,
      rule: (time) => `Sitzung repariert, ${time}`,
    },
    rebuilt: {
      label: "Sitzung aus diesem Chat wiederaufgebaut",
      strong: "Sitzung aus diesem Chat wiederaufgebaut.",
      body: (who) =>
        `Die Dateien der Sitzung sind beschädigt oder fehlen. VoxPilot hat deshalb eine neue Sitzung begonnen und ${who} die Nachrichten und Werkzeugergebnisse dieses Chats übergeben. Die alte Sitzung ist unverändert.`,
      rule: (time) => `Sitzung aus diesem Chat wiederaufgebaut, ${time}`,
    },
    handedOver: {
      label: "Copilot hat die Unterhaltung dieses Chats",
      rule: (who, time) => `${who} hat die Unterhaltung dieses Chats bekommen, ${time}`,
    },
    imported: {
      label: "Sitzung aus einem anderen Programm",
      rule: (count) =>
        count ? `Aus einem Terminal fortgesetzt, ${count}` : "Aus einem Terminal fortgesetzt",
      copy: (count) =>
        count ? `Kopie einer Sitzung aus einem Terminal, ${count}` : "Kopie einer Sitzung aus einem Terminal",
      fromProgram: (program, count) => (count ? `Aus ${program}, ${count}` : `Aus ${program}`),
    },
    writtenElsewhere: {
      label: "Nachrichten aus einem anderen Programm",
      rule: (count: string) => `Ein anderes Programm hat in diese Sitzung ${count} geschrieben`,
    },
    historyMismatch: {
      label: (who) => `Verlauf von ${who} weicht ab`,
      strong: (who) => `Der Verlauf von ${who} stimmt nicht mit diesem Chat überein.`,
      body: "Dein Verlauf in VoxPilot ist unversehrt.",
      rule: (who, time) => `Verlauf von ${who} weicht ab, ${time}`,
    },
    allowAll: {
      label: "„Alles erlauben“ ist an",
      strong: "„Alles erlauben“ ist an.",
      body: (who) =>
        `Es war noch an, als die Sitzung wiederhergestellt wurde. ${who} kann also Dateien ändern und Befehle ausführen, ohne zu fragen.`,
      off: "Zurück zu „Erst fragen“",
      rule: (time) => `Sitzung mit „Alles erlauben“ wiederhergestellt, ${time}`,
    },
    mode: {
      label: "Modus wiederhergestellt",
      rule: (mode, time) => `Sitzung im Modus ${mode} wiederhergestellt, ${time}`,
    },
    limit: {
      label: (who) => `${who} hat sein Limit erreicht`,
      strong: (who) => `${who} hat sein Limit erreicht.`,
      body: "Die Arbeit endete von selbst, bevor sie fertig war. Was bis dahin getan wurde, steht oben.",
      rule: (who, time) => `${who} hat sein Limit erreicht, ${time}`,
    },
    continued: {
      label: "Zusammenfassung eines früheren Chats",
      rule: (title) => `Fortsetzung von „${title}“`,
      show: (who) => `Zusammenfassung für ${who} anzeigen`,
      hide: (who) => `Zusammenfassung für ${who} ausblenden`,
    },
    paused: {
      label: "Anfragen begrenzt",
      strong: (provider) => `${provider} begrenzt gerade die Anfragen.`,
      body: (left) => `Neuer Versuch in ${left}. Deine Nachricht ist gespeichert.`,
      change: "Modell wechseln",
      cancel: "Abbrechen",
      rule: (provider, time) => `Anfragen durch ${provider} begrenzt, ${time}`,
    },
    timeLimit: {
      label: "Zeitlimit",
      strong: (who, left) => `${who} wird in ${left} gestoppt.`,
      waits: (who) => `${who} wird kurz nach deiner Antwort gestoppt.`,
      body: "Das Zeitlimit aus den Einstellungen ist fast erreicht.",
      extend: (minutes) => `Um ${minutes} min verlängern`,
      rule: (time) => `Kurz vor dem Zeitlimit, ${time}`,
    },
    extended: {
      label: "Zeitlimit verlängert",
      rule: (minutes, time) =>
        `Zeitlimit um ${minutes} ${minutes === "1" ? "Minute" : "Minuten"} verlängert, ${time}`,
    },
    withoutPermission: {
      label: (who) => `${who} hat nicht um Erlaubnis gefragt`,
      strong: (who) => `${who} hat nicht um Erlaubnis gefragt.`,
      body: "VoxPilot hat die Antwort gestoppt, weil dies ohne deine Erlaubnis lief:",
      suspects: (names) =>
        `Diese Hooks und Einstellungen im Ordner können Anfragen für dich beantworten: ${names}.`,
      noSuspects: "Nichts im Ordner erklärt das. Prüfe die Einstellungen des Agenten.",
      next: "Prüfe, was geändert wurde, bevor du weitermachst.",
      rule: (who, time) => `Antwort gestoppt, weil ${who} nicht um Erlaubnis gefragt hat, ${time}`,
    },
    guardOff: {
      label: "VoxPilots Wächter ist aus",
      strong: "VoxPilots Wächter ist aus.",
      body: (who) =>
        `VoxPilot kann die Werkzeugaufrufe von ${who} nicht prüfen, bevor sie laufen. ${who} fragt aber weiterhin um Erlaubnis. In dieser Sitzung lehnt VoxPilot Einstellungen ab, mit denen ${who} nicht mehr fragen würde.`,
      rule: (time) => `VoxPilots Wächter ist aus, ${time}`,
    },
    agentError: {
      label: (who) => `${who} hat ein Problem gemeldet`,
      strong: (who) => `${who} hat ein Problem gemeldet.`,
      rule: (who, time) => `${who} hat ein Problem gemeldet, ${time}`,
    },
    continue: (who) => `${who} weitermachen lassen`,
    continuePrompt: "Mach dort weiter, wo du aufgehört hast.",
  },

  condition: {
    full: {
      label: "Chat fast voll",
      strong: "Dieser Chat ist fast voll.",
      body: "Ältere Teile werden gekürzt, um Platz zu schaffen. Ein neuer Chat kann mit einer Zusammenfassung von diesem beginnen.",
    },
    signIn: {
      label: "Anmeldung nötig",
      expired: "Deine GitHub-Anmeldung ist abgelaufen.",
      expiredBody:
        "Melde dich erneut an, dann nimmt VoxPilot diese Sitzung dort wieder auf, wo sie aufgehört hat, und sendet deine wartenden Nachrichten.",
      wrongKind: "Copilot kann diese Anmeldung nicht verwenden.",
      first: "Melde dich bei GitHub an, um Copilot zu verwenden.",
      firstBody: "Nachrichten warten hier und werden gesendet, sobald du dich anmeldest.",
      from: (account) => {
        if (account.source === "env" && account.variable)
          return `Sie kommt aus der Umgebungsvariable ${account.variable}.`;
        return account.source === "gh" ? "Sie kommt von der GitHub CLI (gh)." : "";
      },
      do: "Bei GitHub anmelden",
      without: "Ohne Copilot arbeiten",
    },
    agentSignIn: {
      strong: (agent) => `Melde dich bei ${agent} an, um fortzufahren.`,
      body: "Dieser Agent hat eine eigene Anmeldung. Melde dich mit seinem Kommandozeilenprogramm an und prüfe dann erneut. Deine wartenden Nachrichten sind gespeichert und werden danach gesendet.",
      refused: (model) => `${model} hat den API-Schlüssel abgelehnt.`,
      model:
        "Korrigiere den Schlüssel in den Einstellungen und prüfe dann erneut. Deine wartenden Nachrichten werden danach gesendet.",
    },
    trust: {
      label: "Vertrauen nötig",
      strong: (who) =>
        `VoxPilot hat ${who} nicht gestartet, weil Dateien in diesem Ordner Code ausführen können.`,
      changed: (who) =>
        `VoxPilot hat ${who} nicht gestartet, weil sich in diesem Ordner Dateien geändert haben, die Code ausführen können.`,
      body: "Nachrichten warten hier und werden gesendet, sobald du dem Ordner vertraust.",
    },
    noSandbox: {
      label: "Sandbox nicht verfügbar",
      strong: (who) => `VoxPilot hat ${who} nicht gestartet, weil ${who} nicht in der Sandbox laufen kann.`,
      off: "Sandbox ausschalten",
      settings: "Sandbox-Einstellungen",
    },
    noAccess: {
      label: "Kein Zugriff auf Copilot",
      strong: (login) => `${login || "Dieses Konto"} hat keinen Zugriff auf Copilot.`,
      body: "Melde dich mit einem Konto an, das einen Copilot-Plan hat, oder prüfe erneut, sobald Copilot für dieses Konto eingeschaltet ist.",
      another: "Anderes Konto verwenden",
    },
    locked: {
      label: "Schlüsselbund gesperrt",
      strong: "Der Schlüsselbund des Systems ist gesperrt.",
      body: "Entsperre ihn, damit VoxPilot deine Anmeldung lesen kann.",
    },
    offline: {
      label: "Offline",
      strong: "Du bist offline.",
      body: "Nachrichten warten hier und werden gesendet, sobald du wieder online bist. Deine Chats kannst du weiterhin lesen.",
    },
    missing: {
      label: "Copilot CLI nicht gefunden",
      strong: "Die Copilot CLI wurde nicht gefunden.",
      before: "Installiere sie mit ",
      after: ", oder wähle die Programmdatei, falls die CLI schon woanders installiert ist.",
      searched: "Durchsuchte Orte",
    },
    tooOld: {
      label: "Copilot CLI zu alt",
      strong: (found) => `Copilot CLI ${found} ist zu alt.`.replace("  ", " "),
      before: (min) => `VoxPilot braucht ${min} oder neuer. Führe `,
      after: " in einem Terminal aus und prüfe dann erneut.",
    },
    folderGone: {
      label: "Ordner fehlt",
      strong: (path) => `Der Ordner ${path} existiert nicht mehr.`,
      body: "Vielleicht wurde er verschoben oder gelöscht. Zeige VoxPilot den neuen Ort, um weiterzumachen.",
      locate: "Ordner suchen…",
    },
    reconnecting: {
      label: "Verbindet neu",
      strong: (who) => `${who} wurde unerwartet beendet.`,
      body: (attempt, max, left) =>
        `Verbindet neu, Versuch ${attempt} von ${max}.${left ? ` Nächster Versuch in ${left}.` : ""}`,
      now: "Jetzt neu verbinden",
    },
    gaveUp: {
      label: (who) => `${who} konnte nicht neu gestartet werden`,
      strong: (who) => `${who} konnte nicht neu gestartet werden.`,
      body: (times, how) =>
        times === 1
          ? `Beendet${how === "" ? "" : ` mit ${how}`}. Dein Chat ist gespeichert.`
          : `${times}-mal in Folge beendet${how === "" ? "" : `, zuletzt mit ${how}`}. Dein Chat ist gespeichert.`,
    },
    exitedStart: {
      body: (how) => `Sofort beendet${how === "" ? "" : ` mit ${how}`}. Dein Chat ist gespeichert.`,
    },
    failed: {
      label: (who) => `${who} konnte nicht gestartet werden`,
      strong: (who) => `${who} konnte nicht gestartet werden.`,
      saved: "Dein Chat ist gespeichert.",
    },
    provider: {
      label: "Modell oder Agent nicht eingerichtet",
      strong: "Das Modell oder der Agent dieses Chats ist nicht mehr eingerichtet.",
      body: "Richte es in den Einstellungen wieder ein, oder wähle etwas anderes, um mit einer Zusammenfassung dieses Chats weiterzumachen. Dein Chat ist gespeichert.",
      other: "Anderes wählen…",
    },
    exitCode: (code) => `Exit-Code ${code}`,
    signal: (name) => `Signal ${name}`,
    showLog: "Log anzeigen",
    hideLog: "Log ausblenden",
    stderr: "Log des Agenten",
  },
};
