// What Go says to the window, in German. What varies stands as {0}, {1}, …

import type { Said } from "../said";

export const said: Readonly<Record<Said, string>> = {
  '"{0}" is not the name of a variable. Letters, digits and _ are allowed, and no digit in front.':
    "„{0}“ ist kein Name einer Variablen. Erlaubt sind Buchstaben, Ziffern und _, aber keine Ziffer am Anfang.",
  "1 byte": "1 Byte",
  "1 commit": "1 Commit",
  "1 entry": "1 Eintrag",
  "1 file": "1 Datei",
  "1 file changed": "1 Datei geändert",
  "1 item": "1 Eintrag",
  "1 line": "1 Zeile",
  "1 line matches": "1 Zeile passt",
  "1 match": "1 Treffer",
  "1 message that is not in this chat": "1 Nachricht, die nicht in diesem Chat steht",
  "A Mac has no key {0}.": "Ein Mac hat keine Taste {0}.",
  "A VoxPilot that runs is using it.": "Ein VoxPilot, das läuft, verwendet sie.",
  "A chat can be exported as Markdown, HTML or JSON.":
    "Ein Chat kann als Markdown, HTML oder JSON exportiert werden.",
  "A chat is still at work. Wait until it has finished, or stop it, then update.":
    "Ein Chat arbeitet noch. Warte, bis er fertig ist, oder halte ihn an, und aktualisiere dann.",
  "A chat needs a name.": "Ein Chat braucht einen Namen.",
  "A client ID has letters, digits, dots and dashes only. Copy it from the settings of the OAuth app at GitHub.":
    "Eine Client-ID hat nur Buchstaben, Ziffern, Punkte und Striche. Kopiere sie aus den Einstellungen der OAuth-App bei GitHub.",
  'A fine-grained token also needs the permission "Copilot Requests".':
    "Ein fein abgestuftes Token braucht außerdem die Berechtigung „Copilot Requests“.",
  "A main AI answered in this chat meanwhile.": "In diesem Chat hat inzwischen eine Haupt-KI geantwortet.",
  "A message takes at most {0} attachments. Take some out, or send them with another message.":
    "Eine Nachricht nimmt höchstens {0} Anhänge auf. Nimm einige heraus oder sende sie mit einer weiteren Nachricht.",
  "A newer VoxPilot has made it. Update this one.":
    "Sie stammt von einem neueren VoxPilot. Aktualisiere dieses.",
  "A rule can only allow a single command. Leave out {0}.":
    "Eine Regel kann nur einen einzelnen Befehl erlauben. Lass {0} weg.",
  "A rule either allows or denies. Choose one of them.":
    "Eine Regel erlaubt oder verbietet. Wähle eines von beiden.",
  'A session cannot be called "main": that is the one that answers you. Choose another name.':
    "Eine Sitzung kann nicht „main“ heißen: So heißt die, die dir antwortet. Wähle einen anderen Namen.",
  "A session that is lost can be replaced with a summary or without one.":
    "Eine verlorene Sitzung kann mit oder ohne Zusammenfassung ersetzt werden.",
  "A shortcut ends with a letter, a digit, Space, F1 to F24, Insert, Home, End, PageUp, PageDown or an arrow key. {0} does not.":
    "Ein Tastenkürzel endet mit einem Buchstaben, einer Ziffer, Leertaste, F1 bis F24, Einfg, Pos1, Ende, Bild auf, Bild ab oder einer Pfeiltaste. {0} tut das nicht.",
  "A turn can be stopped after 1 to 1440 minutes of work, or never with 0.":
    "Eine Antwort kann nach 1 bis 1440 Minuten Arbeit angehalten werden, oder nie mit 0.",
  "All that was in it": "Alles, was darin war",
  "Couldn't copy the image. Save it instead.":
    "Das Bild konnte nicht kopiert werden. Speichere es stattdessen.",
  "Couldn't read the file. It may have been moved or deleted, or a link leads out of the folder.":
    "Die Datei konnte nicht gelesen werden. Vielleicht wurde sie verschoben oder gelöscht, oder ein Link führt aus dem Ordner hinaus.",
  "Couldn't save the image: {0}": "Das Bild konnte nicht gespeichert werden: {0}",
  "New chats begin in a mode in which the agent asks.":
    "Neue Chats beginnen in einem Modus, in dem der Agent fragt.",
  "An agent can be kept for 1 to 1440 minutes without work, or for ever with 0.":
    "Ein Agent kann 1 bis 1440 Minuten ohne Arbeit laufen, oder für immer mit 0.",
  "An agent can be started again 1 to 10 times in a minute.":
    "Ein Agent kann in einer Minute 1- bis 10-mal neu gestartet werden.",
  "An agent can have {0} arguments at most.": "Ein Agent kann höchstens {0} Argumente haben.",
  "An agent has a command or an address. Clear one of them.":
    "Ein Agent hat einen Befehl oder eine Adresse. Leere eines von beiden.",
  "An argument is longer than {0} bytes, or holds a byte that none can have.":
    "Ein Argument ist länger als {0} Bytes oder enthält ein Byte, das keines haben kann.",
  "Another VoxPilot is using this data. Go on in its window, or quit it and start VoxPilot again.":
    "Ein anderes VoxPilot verwendet diese Daten. Mach in dessen Fenster weiter, oder beende es und starte VoxPilot erneut.",
  "Another VoxPilot uses it. Close that one first.":
    "Ein anderes VoxPilot verwendet sie. Schließe es zuerst.",
  "Another model or agent is being chosen for this chat. Try again in a moment.":
    "Für diesen Chat wird gerade ein anderes Modell oder ein anderer Agent gewählt. Versuche es gleich noch einmal.",
  "Another model or agent was chosen for this chat. Session {0} stays with the one before.":
    "Für diesen Chat wurde ein anderes Modell oder ein anderer Agent gewählt. Die Sitzung {0} bleibt beim vorigen.",
  "Another program has {0}. Choose other keys, or close that program and try again.":
    "Ein anderes Programm hat {0}. Wähle andere Tasten, oder schließe jenes Programm und versuche es erneut.",
  "Another program holds its database: close that program.":
    "Ein anderes Programm hält die Datenbank: Schließe es.",
  'COPILOT_ALLOW_ALL would take away every question. Choose "Allow everything" in a chat instead.':
    "COPILOT_ALLOW_ALL würde jede Frage unterdrücken. Wähle stattdessen „Alles erlauben“ in einem Chat.",
  "Check that the folder of the log can be read.": "Prüfe, ob der Ordner des Logs gelesen werden kann.",
  "Check the network and its proxy. VoxPilot goes on meanwhile.":
    "Prüfe das Netzwerk und seinen Proxy. VoxPilot macht inzwischen weiter.",
  "Choose a folder first.": "Wähle zuerst einen Ordner.",
  "Choose a model, or type its name.": "Wähle ein Modell oder gib seinen Namen ein.",
  "Choose another model, or correct this one in Settings.":
    "Wähle ein anderes Modell oder berichtige dieses in den Einstellungen.",
  'Choose one of the services, or "custom".': "Wähle einen der Dienste oder „custom“.",
  "Code is shown in JetBrains Mono or in the system's own font.":
    "Code wird in JetBrains Mono oder in der Schrift des Systems angezeigt.",
  "Copilot CLI {0} is too old: VoxPilot needs {1} or newer. Update it with `copilot update` or `npm install -g @github/copilot@{2}`.":
    "Copilot CLI {0} ist zu alt: VoxPilot braucht {1} oder neuer. Aktualisiere sie mit `copilot update` oder `npm install -g @github/copilot@{2}`.",
  "Copilot answered with an error ({0}, code {1}). Send the message again.":
    "Copilot antwortete mit einem Fehler ({0}, Code {1}). Sende die Nachricht erneut.",
  "Copilot cannot work here: {0}. Put it back, then choose Try again. Your messages are kept.":
    "Copilot kann hier nicht arbeiten: {0}. Stelle das wieder her und wähle dann „Erneut versuchen“. Deine Nachrichten bleiben erhalten.",
  "Copilot could not use its servers ({0}). Check the network, then send the message again.":
    "Copilot konnte seine Server nicht verwenden ({0}). Prüfe das Netzwerk und sende die Nachricht dann erneut.",
  "Copilot declined this request.": "Copilot hat diese Anfrage abgelehnt.",
  "Copilot did not accept the message ({0}). Send it again.":
    "Copilot hat die Nachricht nicht angenommen ({0}). Sende sie erneut.",
  "Copilot did not answer any more and was ended. What it had said is kept; ask it to continue.":
    "Copilot antwortete nicht mehr und wurde beendet. Was es gesagt hatte, bleibt erhalten; bitte es, weiterzumachen.",
  "Copilot did not answer in time. It was ended and is started again.":
    "Copilot antwortete nicht rechtzeitig. Es wurde beendet und wird neu gestartet.",
  "Copilot did not read what it was sent and was ended. What it had said is kept; ask it to continue.":
    "Copilot las nicht, was ihm geschickt wurde, und wurde beendet. Was es gesagt hatte, bleibt erhalten; bitte es, weiterzumachen.",
  "Copilot did not read what it was sent. It was ended and is started again.":
    "Copilot las nicht, was ihm geschickt wurde. Es wurde beendet und wird neu gestartet.",
  "Copilot did not show all that it changed in this file.":
    "Copilot hat nicht alles gezeigt, was es in dieser Datei geändert hat.",
  "Copilot did not understand VoxPilot ({0}). Send the message again; if it happens again, update both.":
    "Copilot hat VoxPilot nicht verstanden ({0}). Sende die Nachricht erneut; geschieht es wieder, aktualisiere beide.",
  "Copilot does not have what it was asked about ({0}). Send your message again; VoxPilot opens the conversation afresh with it.":
    "Copilot hat nicht, wonach gefragt wurde ({0}). Sende deine Nachricht erneut; VoxPilot öffnet das Gespräch damit neu.",
  "Copilot does not remember any message of this chat":
    "Copilot erinnert sich an keine Nachricht dieses Chats",
  "Copilot does not remember its last answer": "Copilot erinnert sich nicht an seine letzte Antwort",
  "Copilot does not remember {0}": "Copilot erinnert sich nicht an {0}",
  "Copilot does not remember {0}, and remembers {1}": "Copilot erinnert sich nicht an {0}, aber an {1}",
  "Copilot does not take images. Send the message without them.":
    "Copilot nimmt keine Bilder. Sende die Nachricht ohne sie.",
  "Copilot dropped the message. Send it again.": "Copilot hat die Nachricht fallen lassen. Sende sie erneut.",
  "Copilot ended as soon as it was started ({0}). It is started again.":
    "Copilot endete sofort nach dem Start ({0}). Es wird neu gestartet.",
  "Copilot ended each time it was started, {0} times within a minute ({1}). See what it wrote, then choose Try again.":
    "Copilot endete bei jedem Start, {0}-mal in einer Minute ({1}). Sieh nach, was es geschrieben hat, und wähle dann „Erneut versuchen“.",
  "Copilot ended this answer by itself before it was complete. Ask it to continue.":
    "Copilot hat diese Antwort von selbst beendet, bevor sie vollständig war. Bitte es, weiterzumachen.",
  "Copilot is still opening this conversation. Your message was not sent. Send it again in a moment.":
    "Copilot öffnet dieses Gespräch noch. Deine Nachricht wurde nicht gesendet. Sende sie gleich noch einmal.",
  "Copilot lost its sign-in while it was answering. What it had said is kept; ask it to continue when it is back.":
    "Copilot verlor beim Antworten seine Anmeldung. Was es gesagt hatte, bleibt erhalten; bitte es, weiterzumachen, wenn es zurück ist.",
  "Copilot needs your GitHub sign-in. Sign in, and your messages are sent afterwards.":
    "Copilot braucht deine GitHub-Anmeldung. Melde dich an; deine Nachrichten werden danach gesendet.",
  "Copilot remembers {0}": "Copilot erinnert sich an {0}",
  "Copilot sent more than 64 MB in one message and was ended. What it had said is kept; ask it to continue, with less at once.":
    "Copilot schickte mehr als 64 MB in einer Nachricht und wurde beendet. Was es gesagt hatte, bleibt erhalten; bitte es, mit weniger auf einmal weiterzumachen.",
  "Copilot sent more than 64 MB in one message. It was ended and is started again.":
    "Copilot schickte mehr als 64 MB in einer Nachricht. Es wurde beendet und wird neu gestartet.",
  "Copilot still asks nothing": "Copilot fragt weiterhin nicht",
  "Copilot stopped unexpectedly ({0}). It is started again.":
    "Copilot wurde unerwartet beendet ({0}). Es wird neu gestartet.",
  "Copilot stopped while it was answering ({0}). What it had said is kept; ask it to continue.":
    "Copilot endete, während es antwortete ({0}). Was es gesagt hatte, bleibt erhalten; bitte es, weiterzumachen.",
  "Copilot stopped {0} times within a minute, the last time because: {1}. Choose Try again when the reason is gone.":
    "Copilot endete {0}-mal in einer Minute, zuletzt aus diesem Grund: {1}. Wähle „Erneut versuchen“, wenn der Grund behoben ist.",
  "Copilot stopped, because it has made as many steps as it may for one message. Ask it to continue.":
    "Copilot hat angehalten, weil es so viele Schritte gemacht hat, wie für eine Nachricht erlaubt sind. Bitte es, weiterzumachen.",
  "Copilot stopped, because the answer is as long as its model allows. Ask it to continue.":
    "Copilot hat angehalten, weil die Antwort so lang ist, wie sein Modell erlaubt. Bitte es, weiterzumachen.",
  "Copilot wants you to sign in. Do that with its own program, then choose Check again. Your message is kept and goes out then.":
    "Copilot möchte, dass du dich anmeldest. Tu das mit seinem eigenen Programm und wähle dann „Erneut prüfen“. Deine Nachricht bleibt erhalten und geht dann hinaus.",
  "Copilot was stopped. Send a message to start it again.":
    "Copilot wurde angehalten. Sende eine Nachricht, um es wieder zu starten.",
  "Deleting {0}": "Löscht {0}",
  "Editing {0}": "Bearbeitet {0}",
  "Enter how many tokens fit into the model as a number from {0} on, or leave it empty.":
    "Gib als Zahl ab {0} ein, wie viele Token in das Modell passen, oder lass es leer.",
  "Enter it like http://localhost:11434/v1.": "Gib sie so ein: http://localhost:11434/v1.",
  "Enter the command that starts the agent, or the address of one that runs already.":
    "Gib den Befehl ein, der den Agenten startet, oder die Adresse von einem, der schon läuft.",
  "Finished.": "Fertig.",
  "Finished. 1 file changed": "Fertig. 1 Datei geändert",
  "Finished. {0} files changed": "Fertig. {0} Dateien geändert",
  "GitHub approved the sign-in, but the agent found no system keychain to keep it in. Unlock the keychain, or sign in with a code or a token.":
    "GitHub hat die Anmeldung bestätigt, aber der Agent fand keinen Schlüsselbund des Systems, um sie aufzubewahren. Entsperre den Schlüsselbund, oder melde dich mit einem Code oder einem Token an.",
  "GitHub asks for a pause, so the token could not be checked. It was not kept; try again in a few minutes.":
    "GitHub bittet um eine Pause, daher konnte das Token nicht geprüft werden. Es wurde nicht behalten; versuche es in ein paar Minuten erneut.",
  "GitHub asks for a pause. Get a new code in a few minutes.":
    "GitHub bittet um eine Pause. Hole in ein paar Minuten einen neuen Code.",
  "GitHub asks for a pause. The sign-in is checked later; your work goes on.":
    "GitHub bittet um eine Pause. Die Anmeldung wird später geprüft; deine Arbeit geht weiter.",
  "GitHub cannot be reached, so Copilot waits. Your messages are kept and go out when the connection is back.":
    "GitHub ist nicht erreichbar, daher wartet Copilot. Deine Nachrichten bleiben erhalten und gehen hinaus, wenn die Verbindung wieder da ist.",
  "GitHub cannot be reached, so the token could not be checked. It was not kept; try again once you are online.":
    "GitHub ist nicht erreichbar, daher konnte das Token nicht geprüft werden. Es wurde nicht behalten; versuche es erneut, sobald du online bist.",
  "GitHub cannot be reached.": "GitHub ist nicht erreichbar.",
  "GitHub cannot be reached. The sign-in is checked before Copilot is started.":
    "GitHub ist nicht erreichbar. Die Anmeldung wird geprüft, bevor Copilot gestartet wird.",
  "GitHub cannot be reached: this computer does not trust the certificate of what answers. A proxy of your company may stand in between: its certificate has to be installed here.":
    "GitHub ist nicht erreichbar: Dieser Computer vertraut dem Zertifikat der Gegenstelle nicht. Vielleicht steht ein Proxy deiner Firma dazwischen: Dessen Zertifikat muss hier installiert werden.",
  "GitHub did not approve the sign-in.": "GitHub hat die Anmeldung nicht bestätigt.",
  "GitHub does not know this token. It may have been cut when it was copied, have ended, or be of another GitHub than {0}.":
    "GitHub kennt dieses Token nicht. Vielleicht wurde es beim Kopieren abgeschnitten, ist abgelaufen oder stammt von einem anderen GitHub als {0}.",
  "GitHub does not let this account in: {0}": "GitHub lässt dieses Konto nicht hinein: {0}",
  "GitHub does not let this client id sign in by a code. Check it in Settings, or sign in another way.":
    "GitHub erlaubt dieser Client-ID keine Anmeldung per Code. Prüfe sie in den Einstellungen, oder melde dich anders an.",
  "GitHub does not take the sign-in that it has just given. {0}":
    "GitHub nimmt die Anmeldung nicht an, die es gerade vergeben hat. {0}",
  "GitHub does not take the token in the environment variable {0} any more. Replace it there and start VoxPilot again, or sign in here.":
    "GitHub nimmt das Token in der Umgebungsvariablen {0} nicht mehr an. Ersetze es dort und starte VoxPilot neu, oder melde dich hier an.",
  "GitHub does not take the token of gh any more. Run `gh auth login` in a terminal, then choose Check again, or sign in here.":
    "GitHub nimmt das Token von gh nicht mehr an. Führe `gh auth login` in einem Terminal aus und wähle dann „Erneut prüfen“, oder melde dich hier an.",
  "GitHub ended the sign-in ({0}). Get a new code, or sign in another way.":
    "GitHub hat die Anmeldung beendet ({0}). Hole einen neuen Code, oder melde dich anders an.",
  "GitHub gave no code ({0}). Sign in another way.": "GitHub gab keinen Code ({0}). Melde dich anders an.",
  "GitHub has trouble ({0}). The sign-in is checked later; your work goes on.":
    "GitHub hat Schwierigkeiten ({0}). Die Anmeldung wird später geprüft; deine Arbeit geht weiter.",
  "Give the endpoint a name of at most {0} characters.":
    "Gib dem Endpunkt einen Namen mit höchstens {0} Zeichen.",
  "Give the session a name.": "Gib der Sitzung einen Namen.",
  "Give work to the session {0}": "Der Sitzung {0} Arbeit geben",
  "Install it with `npm install -g @github/copilot@{0}`, or set its path in the settings.":
    "Installiere sie mit `npm install -g @github/copilot@{0}`, oder lege ihren Pfad in den Einstellungen fest.",
  "Install it with: npm install -g @github/copilot@{0} – or set its path in the settings.":
    "Installiere sie mit: npm install -g @github/copilot@{0} – oder lege ihren Pfad in den Einstellungen fest.",
  "It answered with a web page.": "Es kam eine Webseite als Antwort.",
  "It asks for something that VoxPilot does not do for links.":
    "Er verlangt etwas, das VoxPilot für Links nicht tut.",
  "It cannot be opened ({0}).": "Es lässt sich nicht öffnen ({0}).",
  "It cannot be written. Check whose file it is and what its rights are.":
    "Sie kann nicht geschrieben werden. Prüfe, wem die Datei gehört und welche Rechte sie hat.",
  "It could not be opened. The log says more.": "Sie konnte nicht geöffnet werden. Das Log sagt mehr.",
  "It could not be written. Check the permissions of VoxPilot's data folder, then try again.":
    "Es konnte nicht geschrieben werden. Prüfe die Rechte des Datenordners von VoxPilot und versuche es dann erneut.",
  "It is installed like the first time: download the new Flatpak from the page of the project, and open it.":
    "Sie wird wie beim ersten Mal installiert: Lade das neue Flatpak von der Seite des Projekts herunter und öffne es.",
  "It is made when VoxPilot is started.": "Sie wird angelegt, wenn VoxPilot startet.",
  "It is not written as one of VoxPilot's is.": "Er ist nicht so geschrieben wie einer von VoxPilot.",
  "It is still being opened and checked. Look again in a moment.":
    "Sie wird noch geöffnet und geprüft. Sieh gleich noch einmal nach.",
  "It sent: {0}": "Gesendet wurde: {0}",
  "It was damaged, and what could be read was kept. The damaged file lies beside it.":
    "Sie war beschädigt; was lesbar war, wurde behalten. Die beschädigte Datei liegt daneben.",
  "Its database cannot be written: check the permissions of its folder.":
    "Die Datenbank kann nicht geschrieben werden: Prüfe die Rechte ihres Ordners.",
  "Its database is damaged: restart VoxPilot, which then keeps all that can still be read.":
    "Die Datenbank ist beschädigt: Starte VoxPilot neu, es behält dann alles, was noch lesbar ist.",
  "Keys are held in memory and are gone when VoxPilot quits. Unlock the keychain; on Linux, install gnome-keyring or KWallet where there is none.":
    "Schlüssel liegen im Arbeitsspeicher und sind vergessen, wenn VoxPilot beendet wird. Entsperre den Schlüsselbund; installiere unter Linux gnome-keyring oder KWallet, wo keiner da ist.",
  "Leave /chat/completions off the address: it is added by itself.":
    "Lass /chat/completions bei der Adresse weg: Es wird von selbst angehängt.",
  "Look again in a moment.": "Sieh gleich noch einmal nach.",
  'Make a fine-grained token at GitHub, with the permission "Copilot Requests", and paste that.':
    "Erstelle bei GitHub ein fein abgestuftes Token mit der Berechtigung „Copilot Requests“ und füge es ein.",
  "Make room on the disk: chats cannot be saved without.":
    "Schaffe Platz auf dem Datenträger: Ohne ihn können Chats nicht gespeichert werden.",
  "Make sure that the folder can be written, or choose another with VOXPILOT_DATA_DIR.":
    "Sorge dafür, dass der Ordner beschreibbar ist, oder wähle mit VOXPILOT_DATA_DIR einen anderen.",
  "Moving {0}": "Verschiebt {0}",
  "Name the editor by its program alone, such as code, or by its whole path.":
    "Nenne den Editor nur mit seinem Programm, etwa code, oder mit seinem ganzen Pfad.",
  'New chats can begin with "Ask first" or "Allow edits".':
    "Neue Chats können mit „Erst fragen“ oder „Änderungen erlauben“ beginnen.",
  "No agent runs for this chat. It starts with the next message.":
    "Für diesen Chat läuft kein Agent. Er startet mit der nächsten Nachricht.",
  'No chat begins with "Allow everything".': "Kein Chat beginnt mit „Alles erlauben“.",
  "No editor was found. Name yours in the settings, under Agent.":
    "Es wurde kein Editor gefunden. Nenne deinen in den Einstellungen unter „Agent“.",
  "No message is being answered, so there is nobody to give work for. The work was not begun.":
    "Gerade wird keine Nachricht beantwortet, also gibt es niemanden, für den gearbeitet würde. Die Arbeit wurde nicht begonnen.",
  "No rule can be made of this request. Allow it once instead.":
    "Aus dieser Anfrage lässt sich keine Regel machen. Erlaube sie stattdessen einmal.",
  "No update is ready to be installed. Download it first.":
    "Kein Update ist zur Installation bereit. Lade es zuerst herunter.",
  "Nothing answers at {0}. Start the server, or correct the port.":
    "Unter {0} antwortet nichts. Starte den Server oder berichtige den Port.",
  "Nothing in this chat has been answered yet, so there is nothing to go on from.":
    "In diesem Chat wurde noch nichts beantwortet, es gibt also nichts fortzusetzen.",
  "Nothing was answered. VoxPilot takes an answer from the notification of a request only while that is open. What waits for you is in the window.":
    "Es wurde nichts beantwortet. VoxPilot nimmt eine Antwort aus der Benachrichtigung einer Anfrage nur an, solange diese offen ist. Was auf dich wartet, steht im Fenster.",
  "Notifications are for apps on macOS. Start VoxPilot from its app, not from a terminal.":
    "Benachrichtigungen sind unter macOS Apps vorbehalten. Starte VoxPilot aus seiner App, nicht aus einem Terminal.",
  "Notifications of VoxPilot are off in System Settings, Notifications.":
    "Benachrichtigungen von VoxPilot sind in den Systemeinstellungen unter Mitteilungen ausgeschaltet.",
  "Ollama does not have the model {0}. Run `ollama pull {1}` in a terminal, or choose another model.":
    "Ollama hat das Modell {0} nicht. Führe `ollama pull {1}` in einem Terminal aus, oder wähle ein anderes Modell.",
  "One change could not be saved and was left out; all others were. The log says more.":
    "Eine Änderung konnte nicht gespeichert werden und wurde ausgelassen; alle anderen wurden gespeichert. Das Log sagt mehr.",
  "Only a banner can be dismissed.": "Nur ein Hinweis kann ausgeblendet werden.",
  "Open the image, quit VoxPilot, and drag the new version into Applications.":
    "Öffne das Image, beende VoxPilot und ziehe die neue Version in „Programme“.",
  "Paste a token first.": "Füge zuerst ein Token ein.",
  "Please report this with the details.": "Melde dies bitte mit den Einzelheiten.",
  "Programs, proxies and certificates that are set up in its files are not known here. See to it that a new terminal opens without a question, then ask the shell again.":
    "Programme, Proxys und Zertifikate, die in ihren Dateien eingerichtet sind, sind hier nicht bekannt. Sorge dafür, dass sich ein neues Terminal ohne Rückfrage öffnet, und frage die Shell dann erneut.",
  "Quiet hours go from one time of the day to another, such as 22:00 to 07:00.":
    "Ruhezeiten gehen von einer Uhrzeit zu einer anderen, etwa 22:00 bis 07:00.",
  "Quiet hours that end when they begin are none. Choose another time, or mute notifications.":
    "Ruhezeiten, die enden, wenn sie beginnen, sind keine. Wähle eine andere Zeit, oder schalte Benachrichtigungen stumm.",
  "Reading {0}": "Liest {0}",
  "Restart VoxPilot if this goes on.": "Starte VoxPilot neu, wenn das so bleibt.",
  "Rules that allow edits, or one exact command, are made with Always allow on a request.":
    "Regeln, die Änderungen oder einen genauen Befehl erlauben, entstehen mit „Immer erlauben“ bei einer Anfrage.",
  "Run a command": "Einen Befehl ausführen",
  "Running {0}": "Führt {0} aus",
  "Searching for {0}": "Sucht nach {0}",
  "Sign in again in the settings.": "Melde dich in den Einstellungen erneut an.",
  'Sign in here, or put a fine-grained token there that has the permission "Copilot Requests".':
    "Melde dich hier an, oder lege dort ein fein abgestuftes Token ab, das die Berechtigung „Copilot Requests“ hat.",
  'Sign in in the settings, or use a fine-grained token with the permission "Copilot Requests".':
    "Melde dich in den Einstellungen an, oder verwende ein fein abgestuftes Token mit der Berechtigung „Copilot Requests“.",
  "Sign in in the settings, to use GitHub Copilot.":
    "Melde dich in den Einstellungen an, um GitHub Copilot zu verwenden.",
  "Sign in with an account that has a Copilot plan.":
    "Melde dich mit einem Konto an, das einen Copilot-Plan hat.",
  "Something in VoxPilot failed. The log says more (Settings, Doctor).":
    "In VoxPilot ist etwas fehlgeschlagen. Das Log sagt mehr (Einstellungen, Diagnose).",
  "Something went wrong inside Copilot ({0}). Send the message again.":
    "In Copilot ist etwas schiefgegangen ({0}). Sende die Nachricht erneut.",
  "Starting at login could not be changed: {0} cannot be written.":
    "Der Start bei der Anmeldung konnte nicht geändert werden: {0} kann nicht geschrieben werden.",
  "That file may not be run.": "Diese Datei darf nicht ausgeführt werden.",
  "That is a folder.": "Das ist ein Ordner.",
  "The API of {0} is at {1}. Enter that as the address.":
    "Die API von {0} ist unter {1}. Gib das als Adresse ein.",
  "The Copilot CLI cannot be installed in this way here. Look for it again, and choose one that is offered.":
    "Die Copilot CLI kann hier nicht auf diese Weise installiert werden. Suche sie erneut und wähle eine Weise, die angeboten wird.",
  "The Copilot CLI could not be signed out. Start it in a terminal and type /logout there.":
    "Die Copilot CLI konnte nicht abgemeldet werden. Starte sie in einem Terminal und gib dort /logout ein.",
  "The Copilot CLI did not sign {0} out. Start it in a terminal and type /logout there.":
    "Die Copilot CLI hat {0} nicht abgemeldet. Starte sie in einem Terminal und gib dort /logout ein.",
  "The Copilot CLI is being installed. Wait until that is done.":
    "Die Copilot CLI wird gerade installiert. Warte, bis das fertig ist.",
  "The Copilot CLI is not signed in any more. Sign in again; your messages are sent afterwards.":
    "Die Copilot CLI ist nicht mehr angemeldet. Melde dich erneut an; deine Nachrichten werden danach gesendet.",
  "The Copilot CLI was not installed. What was written says why. You can run this in a terminal: {0}":
    "Die Copilot CLI wurde nicht installiert. Was geschrieben wurde, sagt warum. Du kannst dies in einem Terminal ausführen: {0}",
  "The GitHub Copilot CLI was not found. {0}": "Die GitHub Copilot CLI wurde nicht gefunden. {0}",
  "The VoxPilot that runs is of another version and cannot do this. Quit it and try again.":
    "Das laufende VoxPilot hat eine andere Version und kann das nicht. Beende es und versuche es erneut.",
  "The X server does not answer, so there is no global shortcut.":
    "Der X-Server antwortet nicht, daher gibt es kein globales Tastenkürzel.",
  "The account has no picture.": "Das Konto hat kein Bild.",
  "The address cannot be read. {0}": "Die Adresse ist nicht lesbar. {0}",
  "The address has a space or a character that cannot be shown. {0}":
    "Die Adresse enthält ein Leerzeichen oder ein Zeichen, das sich nicht anzeigen lässt. {0}",
  "The address has no host. {0}": "Die Adresse hat keinen Host. {0}",
  "The address has to be a host and a port, such as 127.0.0.1:4567.":
    "Die Adresse muss ein Host und ein Port sein, etwa 127.0.0.1:4567.",
  "The address holds a user or a password. Remove it and enter a key instead: keys are kept in the keychain, addresses are not.":
    "Die Adresse enthält einen Benutzer oder ein Passwort. Entferne es und gib stattdessen einen Schlüssel ein: Schlüssel liegen im Schlüsselbund, Adressen nicht.",
  "The address is longer than {0} characters.": "Die Adresse ist länger als {0} Zeichen.",
  "The address is missing. {0}": "Die Adresse fehlt. {0}",
  "The address must begin with http:// or https://. {0}":
    "Die Adresse muss mit http:// oder https:// beginnen. {0}",
  "The address must end before ? and #: paths like /chat/completions are added to it. Enter such values as headers.":
    "Die Adresse muss vor ? und # enden: Pfade wie /chat/completions werden an sie angehängt. Gib solche Werte als Header ein.",
  "The address {0} cannot be used. Correct it.":
    "Die Adresse {0} kann nicht verwendet werden. Berichtige sie.",
  "The agent cannot be reached ({0}). See that it runs and that its address is right, then choose Try again.":
    "Der Agent ist nicht erreichbar ({0}). Sorge dafür, dass er läuft und seine Adresse stimmt, und wähle dann „Erneut versuchen“.",
  "The agent cannot be reached ({0}). VoxPilot tries again.":
    "Der Agent ist nicht erreichbar ({0}). VoxPilot versucht es erneut.",
  "The agent cannot load sessions.": "Der Agent kann keine Sitzungen laden.",
  "The agent could not be asked how it signs in. Run its sign-in in a terminal.":
    "Der Agent konnte nicht gefragt werden, wie er sich anmeldet. Führe seine Anmeldung in einem Terminal aus.",
  "The agent could not be prepared. Send the message again.":
    "Der Agent konnte nicht vorbereitet werden. Sende die Nachricht erneut.",
  "The agent could not sign in. What it wrote says why.":
    "Der Agent konnte sich nicht anmelden. Was er geschrieben hat, sagt warum.",
  "The agent does not have it any more, or cannot read it.":
    "Der Agent hat sie nicht mehr oder kann sie nicht lesen.",
  "The agent does not have this session in the chat's folder any more.":
    "Der Agent hat diese Sitzung im Ordner des Chats nicht mehr.",
  "The agent does not offer this answer.": "Der Agent bietet diese Antwort nicht an.",
  "The agent needs a name.": "Der Agent braucht einen Namen.",
  "The agent sent {0} ({1} bytes, beginning with {2}).":
    "Der Agent schickte {0} ({1} Bytes, beginnend mit {2}).",
  "The answer stopped halfway. {0} closed the connection. What arrived is kept above.":
    "Die Antwort endete mittendrin. {0} hat die Verbindung geschlossen. Was ankam, steht oben.",
  "The answer was stopped.": "Die Antwort wurde angehalten.",
  'The attachment "{0}" cannot be used. Add it again.':
    "Der Anhang „{0}“ kann nicht verwendet werden. Füge ihn erneut hinzu.",
  "The certificate of {0} is not trusted by this computer. Check the address, or install its certificate.":
    "Dieser Computer vertraut dem Zertifikat von {0} nicht. Prüfe die Adresse, oder installiere ihr Zertifikat.",
  "The change could not be saved.": "Die Änderung konnte nicht gespeichert werden.",
  "Couldn't read the clipboard. Copy it again.":
    "Die Zwischenablage konnte nicht gelesen werden. Kopiere es noch einmal.",
  "The copied image cannot be used. Copy it as PNG, JPEG, GIF or WebP, or save it and attach the file.":
    "Das kopierte Bild kann nicht verwendet werden. Kopiere es als PNG, JPEG, GIF oder WebP, oder speichere es und hänge die Datei an.",
  "It was stopped before anyone allowed it: Read {0}.": "Angehalten, bevor es jemand erlaubt hat: {0} lesen.",
  "That did not work: {0}": "Das ging nicht: {0}",
  'The argument "line" must be 1 or more.': "Das Argument „line“ muss mindestens 1 sein.",
  'The argument "output_mode" must be content, files or count.':
    "Das Argument „output_mode“ muss content, files oder count sein.",
  'The argument "path" is needed: the file to read.':
    "Das Argument „path“ fehlt: die Datei, die gelesen werden soll.",
  'The argument "path" must be absolute or begin with ~/. read_file reads files of the chat\'s folder.':
    "Das Argument „path“ muss absolut sein oder mit ~/ beginnen. Dateien im Ordner des Chats liest read_file.",
  'The argument "pattern" is needed: a glob, such as **/*.go.':
    "Das Argument „pattern“ fehlt: ein Glob wie **/*.go.",
  'The argument "pattern" is needed: a regular expression.':
    "Das Argument „pattern“ fehlt: ein regulärer Ausdruck.",
  'The argument "prompt" is needed: what is to be done.': "Das Argument „prompt“ fehlt: was zu tun ist.",
  'The argument "prompt" must have at most {0} bytes. Name files instead of quoting them.':
    "Das Argument „prompt“ darf höchstens {0} Bytes haben. Dateien sind zu nennen, nicht zu zitieren.",
  'The argument "rev" must be a revision or a range, such as HEAD~2, main or main...HEAD; "{0}" is none.':
    "Das Argument „rev“ muss eine Revision oder ein Bereich sein wie HEAD~2, main oder main...HEAD; „{0}“ ist keins von beiden.",
  'The argument "session_name" is needed: a short name for the task, such as auth-bug-fix.':
    "Das Argument „session_name“ fehlt: ein kurzer Name der Aufgabe wie auth-bug-fix.",
  'The argument "session_name" may have letters, digits, dots, dashes, underscores and spaces, but not "{0}".':
    "Das Argument „session_name“ darf Buchstaben, Ziffern, Punkte, Striche, Unterstriche und Leerzeichen haben, nicht „{0}“.",
  'The argument "session_name" must have at most {0} characters.':
    "Das Argument „session_name“ darf höchstens {0} Zeichen haben.",
  'The argument "{0}" has too many alternatives in braces. Use fewer, or more calls.':
    "Das Argument „{0}“ hat zu viele Möglichkeiten in Klammern. Es gehen weniger, oder mehrere Aufrufe.",
  'The argument "{0}" is no valid glob: "{1}". Examples: *.go, src/**/*.ts, **/*.{yml,yaml}.':
    "Das Argument „{0}“ ist kein gültiger Glob: „{1}“. Beispiele: *.go, src/**/*.ts, **/*.{yml,yaml}.",
  'The argument "{0}" must be from {1} to {2}.': "Das Argument „{0}“ muss von {1} bis {2} sein.",
  'The argument "{0}" must be {1} and not a {2}.': "Das Argument „{0}“ muss vom Typ {1} sein und nicht {2}.",
  "The arguments are no JSON: {0}.": "Die Argumente sind kein JSON: {0}.",
  "The arguments must be a JSON object with: {0}.": "Die Argumente müssen ein JSON-Objekt sein mit: {0}.",
  "The arguments must be one JSON object and nothing after it.":
    "Die Argumente müssen ein JSON-Objekt sein und nichts danach.",
  "The call was stopped before it had ended.": "Der Aufruf wurde angehalten, bevor er fertig war.",
  "The folder has changed. Review it again.": "Der Ordner hat sich geändert. Sieh ihn noch einmal durch.",
  "The folder is in no git repository, or git is not installed.":
    "Der Ordner ist in keinem Git-Repository, oder Git ist nicht installiert.",
  "The pattern is no regular expression in RE2's syntax: {0}.":
    "Das Muster ist kein regulärer Ausdruck in der Syntax von RE2: {0}.",
  'The pattern is no regular expression in RE2\'s syntax: {0}: "{1}". Put a backslash before each of \\.+*?()|[]{}^$ that is meant as itself.':
    "Das Muster ist kein regulärer Ausdruck in der Syntax von RE2: {0}: „{1}“. Vor jedes von \\.+*?()|[]{}^$, das für sich selbst steht, gehört ein Backslash.",
  "The pattern is too large. Use fewer repetitions, such as * for {1,1000}.":
    "Das Muster ist zu groß. Es gehen weniger Wiederholungen, etwa * statt {1,1000}.",
  "The pattern is too large: {0}.": "Das Muster ist zu groß: {0}.",
  "The repository's configuration has a filter with a name that cannot be switched off: {0}. git is not used here.":
    "Die Konfiguration des Repositorys hat einen Filter, dessen Name sich nicht abschalten lässt: {0}. Git wird hier nicht benutzt.",
  'The session "{0}" is the one that you speak in. Choose another name for the task.':
    "In der Sitzung „{0}“ wird gerade gesprochen. Die Aufgabe braucht einen anderen Namen.",
  "The tool failed by a fault of its own. Try another way.":
    "Das Werkzeug ist an einem eigenen Fehler gescheitert.",
  "The user did not allow it: Read {0}. Do not ask for this file again unless the user tells you to.":
    "Nicht erlaubt: {0} lesen.",
  "There is no argument {0}. The arguments are: {1}.": "Es gibt kein Argument {0}. Die Argumente sind: {1}.",
  'There is no tool "{0}". The tools are: {1}.': "Es gibt kein Werkzeug „{0}“. Die Werkzeuge sind: {1}.",
  "This folder is no longer trusted.": "Diesem Ordner wird nicht mehr vertraut.",
  "VoxPilot no longer asks about this folder.": "VoxPilot fragt nicht mehr nach diesem Ordner.",
  "{0} has {1} lines, so there is no line {2}.": "{0} hat {1} Zeilen, also keine Zeile {2}.",
  "{0} is a folder. list_directory shows what is in it.":
    "{0} ist ein Ordner. Was darin ist, zeigt list_directory.",
  "{0} is no text in UTF-8 ({1}, {2}), so it cannot be read as one.":
    "{0} ist kein Text in UTF-8 ({1}, {2}) und kann nicht als solcher gelesen werden.",
  "{0} is outside of the folder {1}. Only read_file_external reads files there, after the user has allowed it.":
    "{0} liegt außerhalb des Ordners {1}. Dateien dort liest nur read_file_external, nachdem es erlaubt wurde.",
  "The chat could not be created.": "Der Chat konnte nicht angelegt werden.",
  "The chat could not be deleted.": "Der Chat konnte nicht gelöscht werden.",
  "The chat could not be restored.": "Der Chat konnte nicht wiederhergestellt werden.",
  "The chat could not be written: {0}": "Der Chat konnte nicht geschrieben werden: {0}",
  "The chat in it is none.": "Der Chat darin ist keiner.",
  "The chat is still stopping. Try again in a moment.":
    "Der Chat hält noch an. Versuche es gleich noch einmal.",
  "The check was stopped before there was an answer.":
    "Die Prüfung wurde abgebrochen, bevor es eine Antwort gab.",
  "The code has expired.": "Der Code ist abgelaufen.",
  "The command has to be one program. Its arguments stand apart, one a line.":
    "Der Befehl muss ein einzelnes Programm sein. Seine Argumente stehen getrennt davon, eines je Zeile.",
  "The command of the editor begins with its program, such as code.":
    "Der Befehl des Editors beginnt mit seinem Programm, etwa code.",
  "The command of the editor has a quotation mark without its other one.":
    "Im Befehl des Editors fehlt zu einem Anführungszeichen das zweite.",
  "The command of the editor has to be one line.": "Der Befehl des Editors muss in einer Zeile stehen.",
  "The command of the editor is too long. {0} letters are the limit.":
    "Der Befehl des Editors ist zu lang. {0} Zeichen sind die Grenze.",
  "The command of the editor needs {file}, where the file's path goes, as in: code -g {file}:{line}":
    "Der Befehl des Editors braucht {file}, wo der Pfad der Datei steht, wie in: code -g {file}:{line}",
  "The connection failed. Check it, then try again.":
    "Die Verbindung schlug fehl. Prüfe sie und versuche es dann erneut.",
  "The connection to the agent was lost while it was answering ({0}). What it had said is kept; ask it to continue.":
    "Die Verbindung zum Agenten ging verloren, während er antwortete ({0}). Was er gesagt hatte, bleibt erhalten; bitte ihn, weiterzumachen.",
  "The conversation was not copied": "Das Gespräch wurde nicht kopiert",
  "The data in {0} was made by a newer VoxPilot. Nothing was changed: install the newest version to use it.":
    "Die Daten in {0} stammen von einem neueren VoxPilot. Nichts wurde geändert: Installiere die neueste Version, um sie zu verwenden.",
  "The database is still being checked. Wait a moment, then try again.":
    "Die Datenbank wird noch geprüft. Warte einen Moment und versuche es dann erneut.",
  "The database is still being opened. Try again in a moment.":
    "Die Datenbank wird noch geöffnet. Versuche es gleich noch einmal.",
  "The database was opened, but what is in it could not be read.":
    "Die Datenbank wurde geöffnet, aber ihr Inhalt konnte nicht gelesen werden.",
  "The desktop asked about the shortcut, and it was refused. Try again, or bind the command to keys in its keyboard settings.":
    "Der Desktop fragte wegen des Tastenkürzels, und es wurde abgelehnt. Versuche es erneut, oder lege den Befehl in seinen Tastatureinstellungen auf Tasten.",
  "The desktop did not answer. Try again, or bind the command to keys in its keyboard settings.":
    "Der Desktop antwortete nicht. Versuche es erneut, oder lege den Befehl in seinen Tastatureinstellungen auf Tasten.",
  "The disk is full: free some space.": "Der Datenträger ist voll: Schaffe Platz.",
  "The disk is full: {0} It is as it was.": "Der Datenträger ist voll: {0} Alles darin blieb, wie es war.",
  "The disk reported an error: check that it is connected and healthy.":
    "Der Datenträger meldete einen Fehler: Prüfe, ob er verbunden und in Ordnung ist.",
  "The editor {0} was not found. Correct it in the settings, or clear it to have one looked for.":
    "Der Editor {0} wurde nicht gefunden. Berichtige ihn in den Einstellungen, oder leere das Feld, damit einer gesucht wird.",
  "The endpoint has no list of models.": "Der Endpunkt hat keine Liste von Modellen.",
  "The environment variable {0} has {1}. {2}": "Die Umgebungsvariable {0} enthält {1}. {2}",
  "The file cannot be read now ({0}), so each of Copilot's changes is shown on its own.":
    "Die Datei kann jetzt nicht gelesen werden ({0}), daher steht jede Änderung von Copilot für sich.",
  "The file is not there any more.": "Die Datei ist nicht mehr da.",
  "The file is too large to be compared, so each of Copilot's changes is shown on its own.":
    "Die Datei ist zu groß für einen Vergleich, daher steht jede Änderung von Copilot für sich.",
  "The file needs its whole path, from the root.": "Die Datei braucht ihren ganzen Pfad, von der Wurzel an.",
  "The file was changed by someone else too, so each of Copilot's changes is shown on its own.":
    "Die Datei wurde auch von jemand anderem geändert, daher steht jede Änderung von Copilot für sich.",
  "The file was moved to {0}.": "Die Datei wurde nach {0} verschoben.",
  "The folder could not be shown: {0} is not installed. It is {1}.":
    "Der Ordner konnte nicht gezeigt werden: {0} ist nicht installiert. Er ist {1}.",
  "The folder in it has to be one of this computer, with its whole path.":
    "Der Ordner darin muss einer dieses Computers sein, mit ganzem Pfad.",
  "The folder needs its whole path, from the root or from ~.":
    "Der Ordner braucht seinen ganzen Pfad, von der Wurzel oder von ~ an.",
  "The folder {0} cannot be opened.": "Der Ordner {0} kann nicht geöffnet werden.",
  "The header {0} has no value.": "Der Header {0} hat keinen Wert.",
  "The header {0} is set by itself and cannot be changed.":
    "Der Header {0} wird von selbst gesetzt und kann nicht geändert werden.",
  "The header {0} is there twice.": "Der Header {0} kommt zweimal vor.",
  'The image "{0}" is not there any more. Add it again.':
    "Das Bild „{0}“ ist nicht mehr da. Füge es erneut hinzu.",
  "The image did not arrive whole. Add it again.": "Das Bild kam nicht vollständig an. Füge es erneut hinzu.",
  "The key could not be kept: {0}": "Der Schlüssel konnte nicht behalten werden: {0}",
  "The key could not be removed from the keychain, so the model was kept. Unlock the keychain and try again.":
    "Der Schlüssel konnte nicht aus dem Schlüsselbund entfernt werden, daher wurde das Modell behalten. Entsperre den Schlüsselbund und versuche es erneut.",
  "The key has a space around it, a line break, or a character that keys cannot have. Copy it again.":
    "Der Schlüssel hat außen ein Leerzeichen, einen Zeilenumbruch oder ein Zeichen, das Schlüssel nicht haben können. Kopiere ihn erneut.",
  "The key of {0} is not in the keychain any more. Enter it again in Settings.":
    "Der Schlüssel von {0} ist nicht mehr im Schlüsselbund. Gib ihn in den Einstellungen erneut ein.",
  "The last write failed. Check that there is room on the disk: what is new is held in memory until it works.":
    "Das letzte Schreiben schlug fehl. Prüfe, ob auf dem Datenträger Platz ist: Neues bleibt im Arbeitsspeicher, bis es gelingt.",
  "The list of versions has expired, so it was ignored. Check this computer's date, or try again from another network.":
    "Die Versionsliste ist abgelaufen und wurde ignoriert. Prüfe das Datum dieses Computers, oder versuche es über ein anderes Netzwerk erneut.",
  "The list that came is older than one that was seen before, so it was ignored. Try again later, or from another network.":
    "Die Liste, die kam, ist älter als eine frühere und wurde daher nicht beachtet. Versuche es später oder aus einem anderen Netzwerk.",
  "The message could not be answered. Try again.":
    "Die Nachricht konnte nicht beantwortet werden. Versuche es erneut.",
  "The message could not be changed.": "Die Nachricht konnte nicht geändert werden.",
  "The message could not be moved.": "Die Nachricht konnte nicht verschoben werden.",
  "The message could not be queued.": "Die Nachricht konnte nicht eingereiht werden.",
  "The message could not be removed.": "Die Nachricht konnte nicht entfernt werden.",
  "The message could not be sent.": "Die Nachricht konnte nicht gesendet werden.",
  "The message could not be sent. The database cannot be written; nothing that was saved before is lost.":
    "Die Nachricht konnte nicht gesendet werden. Die Datenbank kann nicht geschrieben werden; nichts, was vorher gespeichert wurde, ist verloren.",
  "The message holds bytes that are not text. Paste it again as plain text.":
    "Die Nachricht enthält Bytes, die kein Text sind. Füge sie erneut als reinen Text ein.",
  "The message is larger than 1 MB. Shorten it, or put the text in a file and name the file.":
    "Die Nachricht ist größer als 1 MB. Kürze sie, oder lege den Text in einer Datei ab und nenne die Datei.",
  "The message is {0} MB long. The limit is 1 MB: put the text into a file in the folder and name the file instead.":
    "Die Nachricht ist {0} MB lang. Die Grenze ist 1 MB: Lege den Text in eine Datei im Ordner und nenne stattdessen die Datei.",
  "The message that this work was for has ended. The work was not begun.":
    "Die Nachricht, zu der diese Arbeit gehörte, ist beendet. Die Arbeit wurde nicht begonnen.",
  "The message was not sent, because the image {0} could not be read. Try again.":
    "Die Nachricht wurde nicht gesendet, weil das Bild {0} nicht gelesen werden konnte. Versuche es erneut.",
  "The mode was not changed": "Der Modus wurde nicht geändert",
  "The model did not answer: {0}": "Das Modell hat nicht geantwortet: {0}",
  "The model's name is longer than {0} characters, or has characters that cannot be shown or spaces around it.":
    "Der Name des Modells ist länger als {0} Zeichen, oder er hat Zeichen, die nicht gezeigt werden können, oder Leerzeichen außen.",
  "The name is too long. 200 letters are the limit.": "Der Name ist zu lang. 200 Zeichen sind die Grenze.",
  "The name is too long. {0} letters are the limit.": "Der Name ist zu lang. {0} Zeichen sind die Grenze.",
  "The name of a session has at most {0} letters.": "Der Name einer Sitzung hat höchstens {0} Zeichen.",
  'The name of a session has letters, digits, spaces and . _ - only, and no "{0}".':
    "Der Name einer Sitzung hat nur Buchstaben, Ziffern, Leerzeichen und . _ -, und kein „{0}“.",
  "The new chat could not be created.": "Der neue Chat konnte nicht angelegt werden.",
  "The other model could not be used. Choose one again.":
    "Das andere Modell konnte nicht verwendet werden. Wähle erneut eines.",
  "The path of the Copilot CLI in the environment variable VOXPILOT_COPILOT_CLI_PATH is {0}. {1} Correct it, or clear it to have the CLI looked for.":
    "Der Pfad der Copilot CLI in der Umgebungsvariable VOXPILOT_COPILOT_CLI_PATH ist {0}. {1} Berichtige ihn, oder leere sie, damit die CLI gesucht wird.",
  "The path of the Copilot CLI in the settings is {0}. {1} Correct it, or clear it to have the CLI looked for.":
    "Der Pfad der Copilot CLI in den Einstellungen ist {0}. {1} Berichtige ihn, oder leere das Feld, damit die CLI gesucht wird.",
  "The path {0} cannot be followed.": "Dem Pfad {0} kann nicht gefolgt werden.",
  "The path {0} is not absolute.": "Der Pfad {0} ist nicht absolut.",
  "The practice folder could not be made in {0}.": "Der Übungsordner konnte in {0} nicht angelegt werden.",
  "Couldn't start the practice model: {0}": "Das Übungsmodell konnte nicht gestartet werden: {0}",
  "The program {0} of {1} was not found. Install it, or correct its command in Settings.":
    "Das Programm {0} von {1} wurde nicht gefunden. Installiere es, oder berichtige seinen Befehl in den Einstellungen.",
  "The protocol could not be written: {0}": "Das Protokoll konnte nicht geschrieben werden: {0}",
  "The queue could not be resumed.": "Die Warteschlange konnte nicht fortgesetzt werden.",
  "The quick prompt could not be opened. VoxPilot's window works; its log says more.":
    "Die Schnelleingabe konnte nicht geöffnet werden. Das Fenster von VoxPilot funktioniert; sein Log sagt mehr.",
  "The rule could not be removed. Try again.": "Die Regel konnte nicht entfernt werden. Versuche es erneut.",
  "The rule could not be saved. Try again.": "Die Regel konnte nicht gespeichert werden. Versuche es erneut.",
  "The rules could not be removed. Try again.":
    "Die Regeln konnten nicht entfernt werden. Versuche es erneut.",
  "The server answers {0}. Try again later.": "Der Server antwortet {0}. Versuche es später erneut.",
  "The server has stopped sending. Check your connection, then try again.":
    "Der Server sendet nicht mehr. Prüfe deine Verbindung und versuche es dann erneut.",
  "The session is at work. Stop it first, or wait until it is done.":
    "Die Sitzung arbeitet. Halte sie zuerst an, oder warte, bis sie fertig ist.",
  "The session is being renamed. The work was not begun. Try again in a moment.":
    "Die Sitzung wird gerade umbenannt. Die Arbeit wurde nicht begonnen. Versuche es gleich noch einmal.",
  "The session was not closed": "Die Sitzung wurde nicht geschlossen",
  "The session was not continued": "Die Sitzung wurde nicht fortgesetzt",
  'The session was not continued, because VoxPilot has it already, as "{0}".':
    "Die Sitzung wurde nicht fortgesetzt, weil VoxPilot sie schon hat, als „{0}“.",
  "The session was not renamed": "Die Sitzung wurde nicht umbenannt",
  "The session was not restarted": "Die Sitzung wurde nicht neu gestartet",
  "The sessions were not listed": "Die Sitzungen wurden nicht aufgelistet",
  "The setting was not changed": "Die Einstellung wurde nicht geändert",
  "The sign-in could not be kept. Try again.":
    "Die Anmeldung konnte nicht behalten werden. Versuche es erneut.",
  "The sign-in could not be saved: the database cannot be written. Nothing that was saved before is lost.":
    "Die Anmeldung konnte nicht gespeichert werden: Die Datenbank kann nicht geschrieben werden. Nichts, was vorher gespeichert wurde, ist verloren.",
  "Couldn't start the sign-in.": "Die Anmeldung konnte nicht begonnen werden.",
  "The sign-in is that of gh. Run `gh auth logout` in a terminal, or choose another sign-in.":
    "Die Anmeldung ist die von gh. Führe `gh auth logout` in einem Terminal aus, oder wähle eine andere Anmeldung.",
  "The sign-in is the Copilot CLI's own. Sign out of the Copilot CLI, or choose another sign-in.":
    "Die Anmeldung ist die der Copilot CLI selbst. Melde dich bei der Copilot CLI ab, oder wähle eine andere Anmeldung.",
  "The sign-in of {0} is not in the keychain any more. Sign in again; your messages are sent afterwards.":
    "Die Anmeldung von {0} ist nicht mehr im Schlüsselbund. Melde dich erneut an; deine Nachrichten werden danach gesendet.",
  "The stream ended without an end mark.": "Der Datenstrom endete ohne Endzeichen.",
  "The system keychain is locked, so your sign-in could not be removed from it. Unlock it, then sign out again.":
    "Der Schlüsselbund des Systems ist gesperrt, daher konnte deine Anmeldung nicht daraus entfernt werden. Entsperre ihn und melde dich dann erneut ab.",
  "The system keychain is locked. Unlock it so VoxPilot can read the key of {0}, then try again.":
    "Der Schlüsselbund des Systems ist gesperrt. Entsperre ihn, damit VoxPilot den Schlüssel von {0} lesen kann, und versuche es dann erneut.",
  "The system keychain is locked. Unlock it so VoxPilot can read the variables of {0}, then try again.":
    "Der Schlüsselbund des Systems ist gesperrt. Entsperre ihn, damit VoxPilot die Variablen von {0} lesen kann, und versuche es dann erneut.",
  "The system keychain is locked. Unlock it so VoxPilot can read your sign-in.":
    "Der Schlüsselbund des Systems ist gesperrt. Entsperre ihn, damit VoxPilot deine Anmeldung lesen kann.",
  "The text is too long to be kept as a draft.": "Der Text ist zu lang, um als Entwurf behalten zu werden.",
  "The token is in the environment variable {0}. Remove it there and start VoxPilot again, or choose another sign-in.":
    "Das Token steht in der Umgebungsvariablen {0}. Entferne es dort und starte VoxPilot neu, oder wähle eine andere Anmeldung.",
  "The value of the header {0} contains \\n, which the Copilot CLI cannot pass on.":
    "Der Wert des Headers {0} enthält \\n, das die Copilot CLI nicht weitergeben kann.",
  "The value of the header {0} has a line break or a character that headers cannot carry.":
    "Der Wert des Headers {0} hat einen Zeilenumbruch oder ein Zeichen, das Header nicht tragen können.",
  "The value of the header {0} is longer than {1} characters.":
    "Der Wert des Headers {0} ist länger als {1} Zeichen.",
  "The value of {0} holds a byte that no variable can have.":
    "Der Wert von {0} enthält ein Byte, das keine Variable haben kann.",
  "The variable {0} has no value yet. Enter one, or remove it.":
    "Die Variable {0} hat noch keinen Wert. Gib einen ein, oder entferne sie.",
  "The variable {0} is there twice. Remove one of them.":
    "Die Variable {0} kommt zweimal vor. Entferne eine davon.",
  "The variables could not be kept: {0}": "Die Variablen konnten nicht behalten werden: {0}",
  "The variables could not be removed from the keychain, so the agent was kept. Unlock the keychain and try again.":
    "Die Variablen konnten nicht aus dem Schlüsselbund entfernt werden, daher wurde der Agent behalten. Entsperre den Schlüsselbund und versuche es erneut.",
  "The variables of {0} are not in the keychain any more. Enter them again in Settings.":
    "Die Variablen von {0} sind nicht mehr im Schlüsselbund. Gib sie in den Einstellungen erneut ein.",
  "The wait was given up.": "Das Warten wurde aufgegeben.",
  "The window speaks English, German and Chinese.": "Das Fenster spricht Englisch, Deutsch und Chinesisch.",
  "The work could not be begun.": "Die Arbeit konnte nicht begonnen werden.",
  "There are a key and a header Authorization, and the key is sent as that header. Remove one of the two.":
    "Es gibt einen Schlüssel und einen Header Authorization, und der Schlüssel wird als dieser Header gesendet. Entferne eines von beiden.",
  "There are more than {0} headers.": "Es sind mehr als {0} Header.",
  "There is little room left on the disk.": "Auf dem Datenträger ist nur noch wenig Platz.",
  "There is no desktop here that could give VoxPilot a shortcut.":
    "Hier ist kein Desktop, der VoxPilot ein Tastenkürzel geben könnte.",
  "There is no file of it for this computer. The page of the project says more.":
    "Für diesen Computer gibt es keine Datei davon. Die Seite des Projekts sagt mehr.",
  "There is no file {0} any more.": "Die Datei {0} gibt es nicht mehr.",
  "There is no file {0}.": "Es gibt keine Datei {0}.",
  "There is no folder {0}.": "Es gibt keinen Ordner {0}.",
  "There is no host named {0}, or there is no network. Check the address.":
    "Es gibt keinen Host namens {0}, oder es gibt kein Netzwerk. Prüfe die Adresse.",
  "There is no model at {0}: the address often ends in /v1. Correct it in Settings.":
    "Unter {0} ist kein Modell: Die Adresse endet oft auf /v1. Berichtige sie in den Einstellungen.",
  "There is no newer version to download. Look for one first.":
    "Es gibt keine neuere Version zum Herunterladen. Suche zuerst danach.",
  "There is no room left on the disk. Free some space, then try again.":
    "Auf dem Datenträger ist kein Platz mehr. Schaffe Platz und versuche es dann erneut.",
  "There is no such file.": "Diese Datei gibt es nicht.",
  "There is no such permission mode.": "Diesen Berechtigungsmodus gibt es nicht.",
  "There is no such sign-in.": "Diese Anmeldung gibt es nicht.",
  "There is no text to send.": "Es gibt keinen Text zu senden.",
  "There is none yet. It is made when VoxPilot is started.":
    "Es gibt noch keine. Sie wird angelegt, wenn VoxPilot startet.",
  "Thinking…": "Denkt nach…",
  "This has ended meanwhile. Send a message to have it go on.":
    "Das ist inzwischen zu Ende. Sende eine Nachricht, damit es weitergeht.",
  "This VoxPilot cannot sign in by a code at {0}: it has no client id for it. Sign in another way, or set one in Settings.":
    "Dieses VoxPilot kann sich bei {0} nicht per Code anmelden: Es hat dafür keine Client-ID. Melde dich anders an, oder lege eine in den Einstellungen fest.",
  "This Wayland desktop has no global shortcuts for programs. Bind the command to keys in its keyboard settings.":
    "Dieser Wayland-Desktop hat keine globalen Tastenkürzel für Programme. Lege den Befehl in seinen Tastatureinstellungen auf Tasten.",
  "This Windows shows no notifications of VoxPilot: Windows PowerShell is missing, or it may not be used.":
    "Dieses Windows zeigt keine Benachrichtigungen von VoxPilot: Windows PowerShell fehlt oder darf nicht verwendet werden.",
  "This agent has no sign-in of its own that VoxPilot could run.":
    "Dieser Agent hat keine eigene Anmeldung, die VoxPilot ausführen könnte.",
  "This build of VoxPilot does not look for updates. Install the newest version the way you installed this one.":
    "Diese Fassung von VoxPilot sucht nicht nach Updates. Installiere die neueste Version so, wie du diese installiert hast.",
  "This build of VoxPilot has no global shortcut.":
    "Diese Fassung von VoxPilot hat kein globales Tastenkürzel.",
  "This build of VoxPilot shows no notifications.":
    "Diese Fassung von VoxPilot zeigt keine Benachrichtigungen.",
  "This chat has begun. Choose its mode and its model below its message field.":
    "Dieser Chat hat schon begonnen. Modus und Modell lassen sich unter seinem Nachrichtenfeld wählen.",
  "This chat has not changed {0}.": "Dieser Chat hat {0} nicht geändert.",
  "This chat is at work. Stop it first, then choose another model or agent.":
    "Dieser Chat arbeitet. Halte ihn zuerst an und wähle dann ein anderes Modell oder einen anderen Agenten.",
  "This chat is deleted for good.": "Dieser Chat ist endgültig gelöscht.",
  "This chat is not there any more.": "Diesen Chat gibt es nicht mehr.",
  "This chat is too long for {0}. Choose a model that takes more, or go on in a new chat. This one stays as it is.":
    "Dieser Chat ist zu lang für {0}. Wähle ein Modell, das mehr aufnimmt, oder mach in einem neuen Chat weiter. Dieser bleibt, wie er ist.",
  "This chat was deleted.": "Dieser Chat wurde gelöscht.",
  "This desktop has no D-Bus session, by which notifications are shown.":
    "Dieser Desktop hat keine D-Bus-Sitzung, über die Benachrichtigungen gezeigt werden.",
  "This desktop has nothing that shows notifications. Install a notification service, such as dunst or mako.":
    "Dieser Desktop hat nichts, das Benachrichtigungen zeigt. Installiere einen Benachrichtigungsdienst, etwa dunst oder mako.",
  "This event is not held any more. Begin with a snapshot.":
    "Dieses Ereignis ist nicht mehr da. Lade die Seite neu.",
  "This is neither a folder nor a link that VoxPilot could open.":
    "Das ist weder ein Ordner noch ein Link, den VoxPilot öffnen könnte.",
  "This is no image.": "Das ist kein Bild.",
  "This is no page of a search. Begin it again.": "Das ist keine Seite einer Suche. Beginne sie erneut.",
  "This is no token of GitHub's: those begin with github_pat_, gho_ or ghu_. {0}":
    "Das ist kein Token von GitHub: Die beginnen mit github_pat_, gho_ oder ghu_. {0}",
  "This is not a text file, so there are no lines to compare.":
    "Das ist keine Textdatei, es gibt also keine Zeilen zu vergleichen.",
  "This is not the name of a host. Write it as in: pkg.go.dev":
    "Das ist kein Name eines Hosts. Schreibe ihn wie in: pkg.go.dev",
  "This is too long for a rule. Use the beginning of the command only.":
    "Das ist zu lang für eine Regel. Verwende nur den Anfang des Befehls.",
  "This is {0}. {1}": "Das ist {0}. {1}",
  "This keyboard has no key {0}.": "Diese Tastatur hat keine Taste {0}.",
  "This message does not wait any more. It was sent or removed.":
    "Diese Nachricht wartet nicht mehr. Sie wurde gesendet oder entfernt.",
  "This pattern allows any program. Begin it with the name of one, as in: npm run *":
    "Dieses Muster erlaubt jedes Programm. Beginne es mit dem Namen eines Programms, wie in: npm run *",
  "This request is not open any more.": "Diese Anfrage ist nicht mehr offen.",
  "This rule is not there any more. Save it as a new one.":
    "Diese Regel gibt es nicht mehr. Speichere sie als neue.",
  "This rule says nothing. Write the command that it is about.":
    "Diese Regel sagt nichts. Schreibe den Befehl hinein, um den es geht.",
  "This rule would end before it begins. Choose a later time.":
    "Diese Regel würde enden, bevor sie beginnt. Wähle eine spätere Zeit.",
  "This session is not there any more.": "Diese Sitzung gibt es nicht mehr.",
  "This session was begun elsewhere. Copilot remembers what was said there; it is not shown here.":
    "Diese Sitzung wurde anderswo begonnen. Copilot weiß noch, was dort gesagt wurde; hier wird es nicht gezeigt.",
  "This version of Copilot cannot do that ({0}). Update it, then send the message again.":
    "Diese Version von Copilot kann das nicht ({0}). Aktualisiere sie und sende die Nachricht dann erneut.",
  "This process has already ended.": "Dieser Prozess ist schon beendet.",
  "This work has ended already.": "Diese Arbeit ist schon beendet.",
  "This {0} is not there any more.": "Das gibt es nicht mehr ({0}).",
  "Try it in a terminal with: copilot --version – and install it anew if that fails too.":
    "Versuche es in einem Terminal mit: copilot --version – und installiere sie neu, wenn auch das fehlschlägt.",
  "Unlock the keychain, then check the sign-in again in the settings.":
    "Entsperre den Schlüsselbund und prüfe die Anmeldung dann erneut in den Einstellungen.",
  "VoxPilot cannot open this link. {0}": "VoxPilot kann diesen Link nicht öffnen. {0}",
  "VoxPilot cannot replace itself in {0}. Install {1} the way you installed this version.":
    "VoxPilot kann sich in {0} nicht selbst ersetzen. Installiere {1} so, wie du diese Version installiert hast.",
  "VoxPilot cannot write to its data in {0}. Check the permissions of that folder and what is in it, then start VoxPilot again.":
    "VoxPilot kann seine Daten in {0} nicht schreiben. Prüfe die Rechte dieses Ordners und seines Inhalts und starte VoxPilot dann erneut.",
  "VoxPilot could not have its data written to the disk":
    "VoxPilot konnte seine Daten nicht auf den Datenträger schreiben lassen",
  "VoxPilot could not keep its search in order": "VoxPilot konnte seine Suche nicht in Ordnung halten",
  "VoxPilot could not look for a newer version.": "VoxPilot konnte nicht nach einer neueren Version suchen.",
  "VoxPilot could not open its data in {0}": "VoxPilot konnte seine Daten in {0} nicht öffnen",
  "VoxPilot could not open its data in {0}.": "VoxPilot konnte seine Daten in {0} nicht öffnen.",
  "VoxPilot could not read its data": "VoxPilot konnte seine Daten nicht lesen",
  "VoxPilot could not save what is new": "VoxPilot konnte nicht speichern, was neu ist",
  "VoxPilot did not wait for it": "VoxPilot hat nicht darauf gewartet",
  "VoxPilot does not know this kind of rule.": "VoxPilot kennt diese Art von Regel nicht.",
  "VoxPilot ended while its data could not be written: {0} changes are lost.":
    "VoxPilot endete, während seine Daten nicht geschrieben werden konnten: {0} Änderungen sind verloren.",
  "VoxPilot is closing": "VoxPilot wird gerade beendet",
  "VoxPilot is closing.": "VoxPilot wird beendet.",
  "VoxPilot is closing. The message is kept in the composer.":
    "VoxPilot wird beendet. Die Nachricht bleibt in der Eingabe.",
  "VoxPilot is closing. The work was not begun.": "VoxPilot wird beendet. Die Arbeit wurde nicht begonnen.",
  "VoxPilot is quitting: its data cannot be used any more.":
    "VoxPilot wird beendet: Seine Daten können nicht mehr verwendet werden.",
  "VoxPilot is quitting: nothing can be saved any more.":
    "VoxPilot wird beendet: Es kann nichts mehr gespeichert werden.",
  "VoxPilot may not do this: {0}": "VoxPilot darf das nicht: {0}",
  "VoxPilot can't read the folder {0}.": "VoxPilot kann den Ordner {0} nicht lesen.",
  "VoxPilot can't read {0}.": "VoxPilot kann {0} nicht lesen.",
  "VoxPilot opens web addresses (http and https) and mail addresses only.":
    "VoxPilot öffnet nur Webadressen (http und https) und Mailadressen.",
  "VoxPilot stopped this after a minute of work, as the settings say. Send a message to have it go on.":
    "VoxPilot hat dies nach einer Minute Arbeit angehalten, wie es die Einstellungen sagen. Sende eine Nachricht, damit es weitergeht.",
  "VoxPilot stopped this after {0} minutes of work, as the settings say. Send a message to have it go on.":
    "VoxPilot hat dies nach {0} Minuten Arbeit angehalten, wie es die Einstellungen sagen. Sende eine Nachricht, damit es weitergeht.",
  "VoxPilot {0} could not be downloaded.": "VoxPilot {0} konnte nicht heruntergeladen werden.",
  "VoxPilot {0} could not be installed, so this version was kept.":
    "VoxPilot {0} konnte nicht installiert werden, daher blieb diese Version.",
  "VoxPilot {0} could not be started, so you are back in {1}. Your chats are as they were.":
    "VoxPilot {0} konnte nicht gestartet werden, daher bist du wieder in {1}. Deine Chats sind, wie sie waren.",
  "VoxPilot {0} does not run on this computer, so this version was kept.":
    "VoxPilot {0} läuft auf diesem Computer nicht, daher blieb diese Version.",
  "VoxPilot's data was damaged. {0} was taken over: chats: {1}, entries in them: {2}. The damaged file is kept as {3}.":
    "Die Daten von VoxPilot waren beschädigt. {0} wurde übernommen: Chats: {1}, Einträge darin: {2}. Die beschädigte Datei liegt als {3} daneben.",
  "Waiting for you": "Wartet auf dich",
  "What answered this chat was removed in Settings. Choose another model or agent to go on; the conversation stays.":
    "Was diesen Chat beantwortete, wurde in den Einstellungen entfernt. Wähle ein anderes Modell oder einen anderen Agenten, um weiterzumachen; das Gespräch bleibt.",
  "What answers for {0} is not GitHub ({1}). Check the network, its proxy and GH_HOST.":
    "Was für {0} antwortet, ist nicht GitHub ({1}). Prüfe das Netzwerk, seinen Proxy und GH_HOST.",
  "What answers for {0} is not GitHub. Check the network, its proxy and GH_HOST.":
    "Was für {0} antwortet, ist nicht GitHub. Prüfe das Netzwerk, seinen Proxy und GH_HOST.",
  "What came is not what VoxPilot's publisher has signed, so it was thrown away. Try again later, or from another network.":
    "Was kam, ist nicht, was der Herausgeber von VoxPilot signiert hat, und wurde daher verworfen. Versuche es später oder aus einem anderen Netzwerk.",
  "What could be read of it": "Was davon lesbar war",
  "What gh has is {0}. {1}": "Was gh hat, ist {0}. {1}",
  "What was said before could not be read. Try again.":
    "Was vorher gesagt wurde, konnte nicht gelesen werden. Versuche es erneut.",
  "Windows keeps shortcuts with the Windows key for itself. Use Ctrl, Alt and Shift.":
    "Windows behält Tastenkürzel mit der Windows-Taste für sich. Verwende Ctrl, Alt und Shift.",
  "Write a message first.": "Schreibe zuerst eine Nachricht.",
  "Writing…": "Schreibt…",
  "You are offline. Messages wait here and are sent when the connection is back. Your history stays readable.":
    "Du bist offline. Nachrichten warten hier und werden gesendet, sobald die Verbindung wieder da ist. Dein Verlauf bleibt lesbar.",
  "Your GitHub sign-in has expired. Sign in again and VoxPilot reconnects this session where it stopped. Nothing is lost, and queued messages are sent afterwards.":
    "Deine GitHub-Anmeldung ist abgelaufen. Melde dich erneut an, und VoxPilot verbindet diese Sitzung dort wieder, wo sie aufhörte. Nichts geht verloren, und wartende Nachrichten werden danach gesendet.",
  "Your GitHub sign-in was renewed. Copilot is started again with it.":
    "Deine GitHub-Anmeldung wurde erneuert. Copilot wird damit neu gestartet.",
  "Your answer could not be saved, so it was not sent. Try again.":
    "Deine Antwort konnte nicht gespeichert werden, daher wurde sie nicht gesendet. Versuche es erneut.",
  "Your message was not sent, because its session could not be saved. Check that there is room on the disk, then send it again.":
    "Deine Nachricht wurde nicht gesendet, weil ihre Sitzung nicht gespeichert werden konnte. Prüfe, ob auf dem Datenträger Platz ist, und sende sie dann erneut.",
  "a classic personal access token (ghp_), which Copilot does not take":
    "ein klassisches persönliches Zugriffstoken (ghp_), das Copilot nicht annimmt",
  "a code, held in memory until VoxPilot quits":
    "einen Code, bis zum Beenden von VoxPilot im Arbeitsspeicher",
  "a code, kept in the keychain": "einen Code, im Schlüsselbund",
  "a line of more than {0} bytes": "eine Zeile mit mehr als {0} Bytes",
  "a line that is no message": "eine Zeile, die keine Nachricht ist",
  "a message that could not be handled": "eine Nachricht, die sich nicht verarbeiten ließ",
  "a refresh token (ghr_), which only renews another one":
    "ein Aktualisierungstoken (ghr_), das nur ein anderes erneuert",
  "a request without a key": "eine Anfrage ohne Schlüssel",
  "a token of an app's installation (ghs_), which belongs to no person":
    "ein Token der Installation einer App (ghs_), das keiner Person gehört",
  "a token, held in memory until VoxPilot quits":
    "ein Token, bis zum Beenden von VoxPilot im Arbeitsspeicher",
  "a token, kept in the keychain": "ein Token, im Schlüsselbund",
  "an answer to no request": "eine Antwort auf keine Anfrage",
  "another program has these keys": "ein anderes Programm hat diese Tasten",
  "asking the keychain: {0}": "Anfrage an den Schlüsselbund: {0}",
  "can be used": "lässt sich verwenden",
  "close sessions": "Sitzungen schließen",
  empty: "leer",
  "ended by {0}": "beendet durch {0}",
  "exit code {0}": "Exit-Code {0}",
  "finding a free port: {0}": "kein freier Port gefunden: {0}",
  "fork sessions": "Sitzungen abzweigen",
  "gh at {0}": "gh unter {0}",
  "gh did not say within 3 seconds which token it has. Its keychain may be locked: unlock it, then choose Try again.":
    "gh hat innerhalb von 3 Sekunden nicht gesagt, welches Token es hat. Sein Schlüsselbund ist womöglich gesperrt: Entsperre ihn und wähle dann Erneut versuchen.",
  "is being looked for": "wird gesucht",
  "it closed the connection": "es hat die Verbindung geschlossen",
  "it did not answer within {0}": "sie hat innerhalb von {0} nicht geantwortet",
  "it did not answer within {0}; it may be waiting to be unlocked":
    "er hat innerhalb von {0} nicht geantwortet; vielleicht wartet er darauf, entsperrt zu werden",
  "it did not keep what was given to it": "er hat nicht behalten, was er bekam",
  "it did not run what it was given": "sie hat nicht ausgeführt, was sie bekam",
  "it ended": "beendet",
  "it ended without an answer": "ohne Antwort beendet",
  "it gives no reason.": "es nennt keinen Grund.",
  "it has no mode in which it asks": "es gibt keinen Modus, in dem gefragt wird",
  "it has not answered an earlier call yet; it may be waiting to be unlocked":
    "er hat einen früheren Aufruf noch nicht beantwortet; vielleicht wartet er darauf, entsperrt zu werden",
  "it is locked": "er ist gesperrt",
  "it is not listed": "sie steht nicht in der Liste",
  "it is not signed by VoxPilot's publisher": "die Signatur ist nicht die des Herausgebers von VoxPilot",
  "it is not there": "er ist nicht da",
  "it is of a kind that this VoxPilot does not know": "diese Art kennt dieses VoxPilot nicht",
  "it leads from one address to the next": "es führt von einer Adresse zur nächsten",
  "it names another repository than the one that VoxPilot was built from, or no build":
    "sie nennt ein anderes Repository als das, aus dem VoxPilot gebaut wurde, oder keinen Build",
  "it was ended by {0}": "beendet durch {0}",
  "line {0}": "Zeile {0}",
  "lines {0} to {1}": "Zeilen {0} bis {1}",
  "list sessions": "Sitzungen auflisten",
  "load sessions": "Sitzungen laden",
  "macOS did not give the keys (status {0})": "macOS hat die Tasten nicht vergeben (Status {0})",
  "more than {0}": "mehr als {0}",
  "no answer within {0}": "keine Antwort innerhalb von {0}",
  "no changes": "keine Änderungen",
  "no commits": "keine Commits",
  "no matches": "keine Treffer",
  "nobody is signed in at {0}": "bei {0} ist niemand angemeldet",
  "not found": "nicht gefunden",
  "not found; looked in {0}": "nicht gefunden; gesucht in {0}",
  "not yet": "noch nicht",
  "nothing shows notifications here": "hier zeigt nichts Benachrichtigungen",
  "part {0} of {1} is missing": "Teil {0} von {1} fehlt",
  "reading it back: {0}": "beim Zurücklesen: {0}",
  "resume sessions": "Sitzungen fortsetzen",
  "something else took its place meanwhile": "etwas anderes ist inzwischen an seine Stelle getreten",
  "something with characters that no token has": "etwas mit Zeichen, die kein Token hat",
  "take audio": "Audio annehmen",
  "take embedded files": "eingebettete Dateien annehmen",
  "take images": "Bilder annehmen",
  "the Copilot CLI's own login": "die eigene Anmeldung der Copilot CLI",
  "the X server knows no keyboard": "der X-Server kennt keine Tastatur",
  "the agent did not answer in time": "der Agent hat nicht rechtzeitig geantwortet",
  "the agent does not have the session in memory": "der Agent hat die Sitzung nicht im Arbeitsspeicher",
  "the agent ended before it answered": "der Agent endete vor der Antwort",
  "the agent is gone": "der Agent ist nicht mehr da",
  "the agent made a session without an id": "der Agent legte eine Sitzung ohne Kennung an",
  "the answer is too long": "die Antwort ist zu lang",
  "the connection was ended": "die Verbindung wurde beendet",
  "the database is damaged: {0}": "die Datenbank ist beschädigt: {0}",
  "the endpoint took too long": "der Endpunkt brauchte zu lange",
  "the environment variable {0}": "die Umgebungsvariable {0}",
  "the feed has {0} bytes, more than the {1} that are read":
    "die Liste hat {0} Bytes, mehr als die {1}, die gelesen werden",
  "the file does not begin as a database does": "die Datei beginnt nicht wie eine Datenbank",
  "the file ends after {0} bytes": "die Datei endet nach {0} Bytes",
  "the file is larger than the signed list says": "die Datei ist größer, als die signierte Liste sagt",
  "the file is not the one that was signed": "die Datei ist nicht die signierte",
  "the folder for it": "der Ordner dafür",
  "the folder {0} cannot be opened ({1})": "der Ordner {0} lässt sich nicht öffnen ({1})",
  "the folder {0} is not there any more": "der Ordner {0} ist nicht mehr da",
  "the installer runs on Windows only": "das Installationsprogramm läuft nur unter Windows",
  "the key": "den Schlüssel",
  "the keychain has no such entry": "der Schlüsselbund hat keinen solchen Eintrag",
  "the last message": "die letzte Nachricht",
  "the last {0} messages": "die letzten {0} Nachrichten",
  "the registry": "die Registrierung",
  "the secret is longer than {0} bytes": "das Geheimnis ist länger als {0} Bytes",
  "the server answers {0}": "der Server antwortet {0}",
  "the server has stopped sending": "der Server sendet nicht mehr",
  "the session is lost": "die Sitzung ist verloren",
  "the system's keychain cannot be used": "der Schlüsselbund des Systems lässt sich nicht verwenden",
  "the thread of the shortcut has ended": "der Thread des Tastenkürzels ist beendet",
  "there is no D-Bus session bus": "es gibt keinen D-Bus-Sitzungsbus",
  "another program answers at the port of the agent, so nothing was sent there":
    "am Port des Agenten antwortet ein anderes Programm; dorthin wurde nichts gesendet",
  "it has expired": "sie ist abgelaufen",
  "{0}: it expires {1}": "{0}: sie läuft am {1} ab",
  "There is no Copilot CLI for this computer.": "Für diesen Computer gibt es keine Copilot CLI.",
  "npm fetched another Copilot CLI than the one that VoxPilot knows, so it was not installed. Check where npm fetches packages from.":
    "npm hat eine andere Copilot CLI geholt als die, die VoxPilot kennt. Sie wurde nicht installiert. Prüfe, woher npm Pakete holt.",
  "making a folder for a socket: {0}": "beim Anlegen eines Ordners für einen Socket: {0}",
  "setting the defensive mode of SQLite: code {0}":
    "beim Einstellen des defensiven Modus von SQLite: Code {0}",
  "{0} It is too large to be examined to its end.":
    "{0} Sie ist zu groß, um bis zum Ende untersucht zu werden.",
  "{0} The database cannot be written; nothing that was saved before is lost.":
    "{0} Die Datenbank kann nicht geschrieben werden; nichts, was vorher gespeichert wurde, ist verloren.",
  "{0} answered with an error (status {1}). Check the address, or try again later.":
    "{0} antwortete mit einem Fehler (Status {1}). Prüfe die Adresse, oder versuche es später erneut.",
  "{0} answered with more than {1} MB where a list of models was expected. Check the address.":
    "{0} antwortete mit mehr als {1} MB, wo eine Liste von Modellen erwartet wurde. Prüfe die Adresse.",
  "{0} answers, but not like a model endpoint. Check its address in Settings: it often ends in /v1.":
    "{0} antwortet, aber nicht wie ein Modell-Endpunkt. Prüfe die Adresse in den Einstellungen: Sie endet oft auf /v1.",
  "{0} answers, but not like a model endpoint. Check the address: it often ends in /v1.":
    "{0} antwortet, aber nicht wie ein Modell-Endpunkt. Prüfe die Adresse: Sie endet oft auf /v1.",
  "{0} asks for a pause. Try again in a while. Your message is kept.":
    "{0} bittet um eine Pause. Versuche es nach einer Weile erneut. Deine Nachricht bleibt erhalten.",
  "{0} at {1} is older than {2}": "{0} unter {1} ist älter als {2}",
  "{0} are free on the disk of {1}": "{0} sind frei auf dem Datenträger von {1}",
  "{0} bytes": "{0} Bytes",
  "{0} can answer prompts; it cannot {1}": "{0} kann Eingaben beantworten; nicht: {1}",
  "{0} can do all there is: {1}": "{0} kann alles, was es gibt: {1}",
  "{0} can {1}; it cannot {2}": "{0} kann: {1}; nicht: {2}",
  "{0} cannot be opened.": "{0} kann nicht geöffnet werden.",
  "{0} cannot be the name of a header: use letters, digits and hyphens.":
    "{0} kann kein Name eines Headers sein: Verwende Buchstaben, Ziffern und Bindestriche.",
  "{0} cannot use tools, which the main AI needs. Choose another model.":
    "{0} kann keine Werkzeuge verwenden, die die Haupt-KI braucht. Wähle ein anderes Modell.",
  "{0} chats are still at work. Wait until they have finished, or stop them, then update.":
    "{0} Chats arbeiten noch. Warte, bis sie fertig sind, oder halte sie an, und aktualisiere dann.",
  "{0} closed the connection before it answered. Try again.":
    "{0} hat die Verbindung geschlossen, bevor eine Antwort kam. Versuche es erneut.",
  "{0} closes windows. Choose other keys.": "{0} schließt Fenster. Wähle andere Tasten.",
  "{0} could not be opened.": "{0} ließ sich nicht öffnen.",
  "{0} could not be reached. Check the address and the network.":
    "{0} war nicht erreichbar. Prüfe die Adresse und das Netzwerk.",
  "{0} could not be read.": "{0} ließ sich nicht lesen.",
  "{0} could not be saved: the database cannot be written. Nothing that was saved before is lost.":
    "{0} konnte nicht gespeichert werden: Die Datenbank kann nicht geschrieben werden. Nichts, was vorher gespeichert wurde, ist verloren.",
  "Couldn't start {0} ({1}). Check that it is the Copilot CLI for this computer, then choose Try again.":
    "{0} konnte nicht gestartet werden ({1}). Prüfe, ob es die Copilot CLI für diesen Computer ist, und wähle dann „Erneut versuchen“.",
  "Couldn't start {0}.": "{0} konnte nicht gestartet werden.",
  "{0} could not be written.": "{0} ließ sich nicht schreiben.",
  "{0} declined this request.": "{0} hat diese Anfrage abgelehnt.",
  "{0} did not answer": "{0} hat nicht geantwortet",
  "{0} did not answer within {1}. Check that it runs, and check again.":
    "{0} antwortete nicht innerhalb von {1}. Prüfe, ob es läuft, und prüfe dann erneut.",
  "{0} did not take the request{1}. {2}": "{0} hat die Anfrage nicht angenommen{1}. {2}",
  "{0} did not tell its environment: {1}, after {2}":
    "{0} hat seine Umgebung nicht mitgeteilt: {1}, nach {2}",
  "{0} does not accept the key. Enter it again in Settings, then try again. Your message is kept.":
    "{0} nimmt den Schlüssel nicht an. Gib ihn in den Einstellungen erneut ein und versuche es dann noch einmal. Deine Nachricht bleibt erhalten.",
  "{0} does not accept {1} (status {2}). Check the key and enter it again.":
    "{0} nimmt {1} nicht an (Status {2}). Prüfe den Schlüssel und gib ihn erneut ein.",
  "{0} does not know the model {1}. {2}": "{0} kennt das Modell {1} nicht. {2}",
  "{0} does not let this key use {1}{2}. Check the key there, or choose another model.":
    "{0} lässt diesen Schlüssel {1} nicht verwenden{2}. Prüfe dort den Schlüssel, oder wähle ein anderes Modell.",
  "{0} does not speak https. Enter the address with http:// if it is on this computer or in your network.":
    "{0} spricht kein https. Gib die Adresse mit http:// ein, wenn sie auf diesem Computer oder in deinem Netzwerk liegt.",
  "{0} does not take images. Choose another model, or send the message without the image.":
    "{0} nimmt keine Bilder. Wähle ein anderes Modell, oder sende die Nachricht ohne das Bild.",
  "{0} does not take images. Send the message without them.":
    "{0} nimmt keine Bilder. Sende die Nachricht ohne sie.",
  "{0} does not work: {1}": "{0} funktioniert nicht: {1}",
  "{0} failed to answer{1}. Try again, or choose another model.":
    "{0} konnte nicht antworten{1}. Versuche es erneut, oder wähle ein anderes Modell.",
  "{0} goes on working.": "{0} arbeitet weiter.",
  "{0} has no Copilot access. Sign in with an account that has a Copilot plan, or check again once it is turned on.":
    "{0} hat keinen Zugriff auf Copilot. Melde dich mit einem Konto an, das einen Copilot-Plan hat, oder prüfe erneut, sobald er aktiv ist.",
  "{0} has no credit left for this key. Add credit there, or choose another model. Your message is kept.":
    "{0} hat für diesen Schlüssel kein Guthaben mehr. Lade dort Guthaben auf, oder wähle ein anderes Modell. Deine Nachricht bleibt erhalten.",
  "{0} has to be a number that is not negative.": "{0} muss eine Zahl sein, die nicht negativ ist.",
  "{0} has {1} × {2} pixels, which is too many. Make it smaller, then add it again.":
    "{0} hat {1} × {2} Pixel, das ist zu viel. Verkleinere es und füge es dann erneut hinzu.",
  "{0} is a file and no folder.": "{0} ist eine Datei und kein Ordner.",
  "{0} is a file. Choose the folder it is in.": "{0} ist eine Datei. Wähle den Ordner, in dem sie liegt.",
  "{0} is needed for typing and by other programs. Add Ctrl or Alt to it.":
    "{0} wird zum Tippen und von anderen Programmen gebraucht. Füge Ctrl oder Alt hinzu.",
  "{0} is no file and no folder. It cannot go with a message.":
    "{0} ist keine Datei und kein Ordner. Es kann nicht mit einer Nachricht gesendet werden.",
  "{0} is no image that can be used. Choose a PNG, JPEG, GIF or WebP file.":
    "{0} ist kein Bild, das verwendet werden kann. Wähle eine PNG-, JPEG-, GIF- oder WebP-Datei.",
  "{0} is not a folder any more": "{0} ist kein Ordner mehr",
  "{0} is not a shortcut. Write it as Ctrl+Shift+Space.":
    "{0} ist kein Tastenkürzel. Schreibe es wie Ctrl+Shift+Space.",
  "{0} is not a whole path. Write it from the root, or leave it empty for every folder.":
    "{0} ist kein ganzer Pfad. Schreibe ihn von der Wurzel an, oder lass ihn leer, dann gilt er für jeden Ordner.",
  "{0} is not a whole path. Write it from the root, or only the program's name.":
    "{0} ist kein ganzer Pfad. Schreibe ihn von der Wurzel an, oder nur den Namen des Programms.",
  "{0} is not a whole path. Write it from the root.":
    "{0} ist kein ganzer Pfad. Schreibe ihn von der Wurzel an.",
  "{0} is not there": "{0} ist nicht da",
  "{0} is on another machine. Only files of this one can be used.":
    "{0} liegt auf einem anderen Rechner. Nur Dateien von diesem können verwendet werden.",
  "{0} is outside of the chat's folder, and nothing in the chat is about it. It was not opened.":
    "{0} liegt außerhalb des Ordners des Chats, und nichts im Chat handelt davon. Es wurde nicht geöffnet.",
  "{0} is used by other programs. Add Shift or another key to it.":
    "{0} wird von anderen Programmen verwendet. Füge Shift oder eine andere Taste hinzu.",
  "{0} is {1} MB large. An image can have {2} MB.": "{0} ist {1} MB groß. Ein Bild kann {2} MB haben.",
  "{0} messages that are not in this chat": "{0} Nachrichten, die nicht in diesem Chat stehen",
  "{0} runs commands. Name the editor itself.": "{0} führt Befehle aus. Nenne den Editor selbst.",
  "{0} says there were too many requests. Wait a little and check again.":
    "{0} meldet zu viele Anfragen. Warte ein wenig und prüfe dann erneut.",
  "{0} sends its visitors elsewhere: {1}. Enter that address in Settings, if you trust it.":
    "{0} schickt Besucher anderswohin: {1}. Gib jene Adresse in den Einstellungen ein, wenn du ihr vertraust.",
  "{0} sends its visitors elsewhere: {1}. Enter the address it leads to, if you trust it.":
    "{0} schickt Besucher anderswohin: {1}. Gib die Adresse ein, zu der es führt, wenn du ihr vertraust.",
  "{0} sent an empty answer. Try again, or choose another model.":
    "{0} sandte eine leere Antwort. Versuche es erneut, oder wähle ein anderes Modell.",
  "{0} stopped, because it has used its tools as often as it may for one message. Ask it to continue.":
    "{0} hat angehalten, weil die Werkzeuge so oft verwendet wurden, wie es für eine Nachricht erlaubt ist. Bitte darum, weiterzumachen.",
  "{0} stopped, because the answer is as long as the model allows. Ask it to continue.":
    "{0} hat angehalten, weil die Antwort so lang ist, wie das Modell erlaubt. Bitte darum, weiterzumachen.",
  "{0} switches to another console. Choose other keys.":
    "{0} wechselt zu einer anderen Konsole. Wähle andere Tasten.",
  "{0} told its PATH and {1}, in {2}": "{0} hat seinen PATH und {1} mitgeteilt, in {2}",
  "{0} told its PATH, and no variable had to be taken over, in {1}":
    "{0} hat seinen PATH mitgeteilt, und keine Variable musste übernommen werden, in {1}",
  "{0} took too long to answer. Try again.": "{0} brauchte zu lange für eine Antwort. Versuche es erneut.",
  "{0} types a letter on some keyboards, where Ctrl+Alt is AltGr. Add Shift to it.":
    "{0} tippt auf manchen Tastaturen, auf denen Ctrl+Alt AltGr ist, einen Buchstaben. Füge Shift hinzu.",
  "{0} wants a key. Enter it in Settings, then try again. Your message is kept.":
    "{0} verlangt einen Schlüssel. Gib ihn in den Einstellungen ein und versuche es dann erneut. Deine Nachricht bleibt erhalten.",
  "{0} was found, but does not run ({1}). Install it again: `npm install -g @github/copilot@{2}`.":
    "{0} wurde gefunden, läuft aber nicht ({1}). Installiere es neu: `npm install -g @github/copilot@{2}`.",
  '{0} was found, but does not say its version (it said "{1}"). It may be another program of the same name.':
    "{0} wurde gefunden, nennt aber seine Version nicht (es sagte „{1}“). Vielleicht ist es ein anderes Programm mit demselben Namen.",
  "{0} would run some files. Name the editor itself.":
    "{0} würde manche Dateien ausführen. Nenne den Editor selbst.",
  "{0}, because Copilot did not answer. Try again in a moment.":
    "{0}, weil Copilot nicht antwortete. Versuche es gleich noch einmal.",
  "{0}, because Copilot wants you to sign in. Do that, then try again.":
    "{0}, weil Copilot möchte, dass du dich anmeldest. Tu das und versuche es dann erneut.",
  "{0}, because it is at work. Stop it first, or wait until it is done.":
    "{0}, weil sie arbeitet. Halte sie zuerst an, oder warte, bis sie fertig ist.",
  '{0}, because it is in this chat already, as "{1}".': "{0}, weil sie schon in diesem Chat ist, als „{1}“.",
  "{0}, because it is the one that answers you.": "{0}, weil sie die ist, die dir antwortet.",
  "{0}, because nothing was said in it yet.": "{0}, weil darin noch nichts gesagt wurde.",
  "{0}, because of an error in Copilot ({1}). Try again.":
    "{0}, wegen eines Fehlers in Copilot ({1}). Versuche es erneut.",
  "{0}, because this agent would forget it.": "{0}, weil dieser Agent sie vergessen würde.",
  "{0}, by {1}": "{0}, durch {1}",
  "{0}, found at {1}": "{0}, gefunden unter {1}",
  "{0}. This agent cannot do that.": "{0}. Dieser Agent kann das nicht.",
  "{0}: GitHub did not say whether it knows it, asked {1}":
    "{0}: GitHub hat nicht gesagt, ob es sie kennt, gefragt {1}",
  "{0}: GitHub knows it, and Copilot refused it": "{0}: GitHub kennt sie, und Copilot hat sie abgelehnt",
  "{0}: GitHub knows it, asked {1}": "{0}: GitHub kennt sie, gefragt {1}",
  "{0}: GitHub refused it, asked {1}": "{0}: GitHub hat sie abgelehnt, gefragt {1}",
  "{0}: VoxPilot cannot check it": "{0}: VoxPilot kann sie nicht prüfen",
  "{0}: a kind of token that Copilot takes from nobody":
    "{0}: eine Art von Token, die Copilot von niemandem annimmt",
  "{0}: it had ended before": "{0}: war schon vorher beendet",
  "{0}: no program is in it: {1}": "{0}: Darin ist kein Programm: {1}",
  "{0}: the agent lists it, but cannot load it.": "{0}: Der Agent führt sie auf, kann sie aber nicht laden.",
  "{0}: the database cannot be written. Nothing that was saved before is lost.":
    "{0}: Die Datenbank kann nicht geschrieben werden. Nichts, was vorher gespeichert wurde, ist verloren.",
  "{0}: the keychain that has it cannot be read": "{0}: Der Schlüsselbund, der sie hat, ist nicht lesbar",
  '{0}: the name "main" is that of the session that answers you.':
    "{0}: Der Name „main“ gehört der Sitzung, die dir antwortet.",
  '{0}: there is one called "{1}" already. Choose another name.':
    "{0}: Eine mit dem Namen „{1}“ gibt es schon. Wähle einen anderen Namen.",
  "{0}://{1} is not a safe address": "{0}://{1} ist keine sichere Adresse",
  '{0}; its last words: "{1}"': "{0}; seine letzten Worte: „{1}“",
  "{n} bytes": "{n} Bytes",
  "{n} commits": "{n} Commits",
  "{n} entries": "{n} Einträge",
  "{n} files": "{n} Dateien",
  "{n} files changed": "{n} Dateien geändert",
  "{n} items": "{n} Einträge",
  "{n} lines": "{n} Zeilen",
  "{n} lines match": "{n} Zeilen passen",
  "{n} matches": "{n} Treffer",
  "Correct the API key in Settings.": "Korrigiere den API-Schlüssel in den Einstellungen.",
  "Earlier tool call": "Früherer Werkzeugaufruf",
  "Give work to a session": "Einer Sitzung Arbeit geben",
  "Nothing was run": "Nichts wurde ausgeführt",
  "Nothing was written": "Nichts wurde geschrieben",
  "Start it in a terminal to see why, or correct its command or address in Settings.":
    "Starte es in einem Terminal, um den Grund zu sehen, oder korrigiere seinen Befehl oder seine Adresse in den Einstellungen.",
  "None of the last {0} messages of this chat is among the last {1} that Copilot remembers, and VoxPilot doesn't compare older ones":
    "Keine der letzten {0} Nachrichten dieses Chats ist unter den letzten {1}, an die sich Copilot erinnert, und ältere vergleicht VoxPilot nicht",
  "no result": "kein Ergebnis",
  "Couldn't start {0} ({1}). Check its command in Settings, then choose Try again.":
    "{0} konnte nicht gestartet werden ({1}). Prüfe den Befehl in den Einstellungen und wähle dann „Erneut versuchen“.",
  "{0} did not accept its API key. Correct it in Settings, then choose Check again. Your message is kept and goes out then.":
    "{0} hat den API-Schlüssel nicht angenommen. Korrigiere ihn in den Einstellungen und wähle dann „Erneut prüfen“. Deine Nachricht bleibt erhalten und wird dann gesendet.",
  "{0} did not accept its API key. Correct the key in Settings, then send the message again.":
    "{0} hat den API-Schlüssel nicht angenommen. Korrigiere den Schlüssel in den Einstellungen und sende die Nachricht dann erneut.",
  "{0} can't be reached. Nothing answers on {1} ({2}). Check that it runs, then choose Try again.":
    "{0} ist nicht erreichbar. Unter {1} antwortet nichts ({2}). Prüfe, ob es läuft, und wähle dann „Erneut versuchen“.",
  "{0} stopped answering. {1} tries failed, the last with “{2}”. Check that it runs on {3} and has room for {4}, or choose a smaller model.":
    "{0} antwortet nicht mehr. {1} Versuche sind fehlgeschlagen, der letzte mit „{2}“. Prüfe, ob es unter {3} läuft und Platz für {4} hat, oder wähle ein kleineres Modell.",
  "{0} does not have the model that was chosen. Choose another one in Settings, then send the message again.":
    "{0} hat das gewählte Modell nicht. Wähle ein anderes in den Einstellungen und sende die Nachricht dann erneut.",
  "{0}: the user stopped the turn that this belongs to. For another turn, announce it with a tool call of that turn first.":
    "{0}: Der Benutzer hat den Durchgang gestoppt, zu dem dies gehört. Für einen anderen Durchgang muss es zuerst mit einem Werkzeugaufruf angekündigt werden.",
  "Copilot can't take this message now ({0}). Wait a moment, then send it again; if it happens again, restart the session.":
    "Copilot kann diese Nachricht gerade nicht annehmen ({0}). Warte einen Moment und sende sie dann erneut; wenn es wieder passiert, starte die Sitzung neu.",
  "Install fonts-noto-cjk (Debian, Ubuntu), google-noto-sans-cjk-fonts (Fedora) or noto-fonts-cjk (Arch), then start VoxPilot again.":
    "Installiere fonts-noto-cjk (Debian, Ubuntu), google-noto-sans-cjk-fonts (Fedora) oder noto-fonts-cjk (Arch) und starte VoxPilot neu.",
  "not installed, so Chinese characters are drawn as boxes":
    "nicht installiert, chinesische Zeichen erscheinen als Kästchen",
  "one is installed": "eine ist installiert",
  "a link of /proc leads to another file for each program":
    "ein Link in /proc führt für jedes Programm zu einer anderen Datei",
  "the path has a zero byte in it": "im Pfad steht ein Nullbyte",
  "the path is not absolute": "der Pfad ist nicht absolut",
  "too many links": "zu viele Links",
  "VoxPilot stopped Copilot while it was answering, because this folder has something new that can run code. What it had said is kept. Review the folder, then ask Copilot to continue.":
    "VoxPilot hat Copilot beim Antworten angehalten, weil etwas Neues in diesem Ordner Code ausführen kann. Was es gesagt hatte, bleibt. Prüfe den Ordner und bitte Copilot dann, weiterzumachen.",
  "You haven't trusted what this folder can run. Review it in VoxPilot. Your message is saved and goes out when you trust the folder.":
    "Du hast dem, was dieser Ordner ausführen kann, nicht vertraut. Prüfe es in VoxPilot. Deine Nachricht ist gesichert und geht hinaus, sobald du dem Ordner vertraust.",
  "the folder is not trusted": "dem Ordner wird nicht vertraut",
  "{0}, because you haven't trusted this folder as it is now. Review it in the chat, then try again.":
    "{0}, weil du diesem Ordner so, wie er jetzt ist, nicht vertraut hast. Prüfe ihn im Chat und versuche es dann noch einmal.",
  "more has changed": "es hat sich noch mehr geändert",
  "no plain file of the repository": "keine einfache Datei des Repositorys",
  "the files are not what was shown": "die Dateien sind nicht so, wie sie gezeigt wurden",
};
