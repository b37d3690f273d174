import { count } from "../../lib/format";
import type { question as english } from "../question";
import type { Translated } from "../translated";

export const question: Translated<typeof english> = {
  label: (text) => `Frage: ${text}`,
  form: (text) => `Formular: ${text}`,
  page: (text) => `Webseite: ${text}`,
  askedBy: (who) => `Gefragt von ${who}`,
  suggested: "Vorschlag",
  answers: "Antwort",
  several: "Du kannst mehrere auswählen.",
  other: "Etwas anderes …",
  ownAnswer: "Deine eigene Antwort",
  yourAnswer: "Deine Antwort",
  answer: "Antworten",
  send: "Antworten senden",
  skip: "Überspringen",
  confirm: "Bestätigen",
  decline: "Ablehnen",
  address: "Webadresse",
  openPage: "Im Browser öffnen",
  copyAddress: "Adresse kopieren",
  openAgain: "Noch einmal öffnen",
  onHost: (host) => `Passwörter gibst du auf ${host} ein, nicht hier. VoxPilot sieht sie nicht.`,
  odd: "Diese Adresse ist nicht, was sie zu sein scheint",
  reason: (who, text) => `${who} sagt: ${text}`,
  neverOpens: "VoxPilot öffnet solche Adressen nicht.",
  openAnyway: "Trotzdem öffnen …",
  sure: (host) => `${host} trotzdem öffnen? Nur, wenn du diese Website kennst.`,
  cancel: "Abbrechen",
  optional: "optional",
  choose: "Auswählen …",
  range: (min, max) => {
    if (min !== "" && max !== "") return `${min} bis ${max}`;
    return min !== "" ? `mindestens ${min}` : `höchstens ${max}`;
  },
  never: (who) => `${who} erhält genau diese Antworten. Gib hier nie ein Passwort ein.`,
  previous: "Vorherige Frage",
  next: "Nächste Frage",
  step: (n, of) => `${count(n)} von ${count(of)}`,
  announce: (who, text) => `${who} fragt: ${text}`,
  asks: (text) => `Fragt: ${text}`,
  toAsk: (text) => `fragen: ${text}`,
  closed:
    "Diese Frage wurde geschlossen, bevor du geantwortet hast. Du kannst sie noch in einer Nachricht beantworten.",
  away: "Du hast nicht rechtzeitig geantwortet, deshalb wurde diese Frage geschlossen. Du kannst sie noch in einer Nachricht beantworten.",
  lost: "Die Antwort wurde unterbrochen, deshalb ist deine Angabe vielleicht nicht angekommen. Du kannst sie in einer Nachricht senden.",
  inMessage: "In einer Nachricht antworten",
  message: (text, answer) => `Du hast gefragt: ${text}\nMeine Antwort: ${answer}`,
  nothing: "nicht ausgefüllt",
  yes: "Ja",
  no: "Nein",
};
