// Words of who answers, and of the settings of the main AI, in German.

import type { answers as englishAnswers, mainAI as englishMainAI } from "../answers";
import type { Translated } from "../translated";

export const answers: Translated<typeof englishAnswers> = {
  name: "Modell",
  copilot: "Copilot",
  modelsOf: (agent, group) => (group === "" ? agent : `${agent}, ${group}`),
  main: "Haupt-KI",
  cliWith: (provider) => `Copilot CLI, mit dem Modell von ${provider}`,
  otherAgent: "Anderer Agent",
  mainBody: (provider) => `${provider} antwortet und gibt Copilot Aufgaben`,
  setUp: "Haupt-KI einrichten…",
  // What is asked for is an infinitive: "einen Befehl ausführen".
  stoppedWith: (main) => `${main} hat mit einem Fehler abgebrochen:`,
};

export const mainAI: Translated<typeof englishMainAI> = {
  title: "Haupt-KI",
  provider: "Anbieter",
  providerFact: "Antwortet im Chat und entscheidet, wann Copilot Aufgaben bekommt.",
  none: "Keine, Copilot antwortet selbst",
  setUp: (name) => `${name}…`,
  model: "Modell",
  modelNone: "Gib den Namen des Modells ein",
  address: "Serveradresse",
  addressFact: "Jeder Dienst, der das Chat-Format von OpenAI spricht.",
  key: "API-Schlüssel",
  keyFact: "Liegt im Schlüsselbund des Systems.",
  keyMemory:
    "Der Schlüsselbund des Systems ist nicht nutzbar: Der Schlüssel ist vergessen, wenn VoxPilot beendet wird.",
  keyNotNeeded: "Nicht nötig",
  keyKept: "Gespeichert",
  keyMissing: "Fehlt",
  change: "Ändern…",
  failed: (what) => `Die letzte Prüfung ist fehlgeschlagen. ${what}`,
  saveAndUse: "Speichern und verwenden",
  service: "Dienst",
  serviceFact: "Füllt die Adresse aus.",
  kinds: {
    openai: "OpenAI",
    azure: "Azure AI Foundry",
    ollama: "Ollama",
    lmstudio: "LM Studio",
    openrouter: "OpenRouter",
    "": "Anderer",
  },
  needKey: (service) => `Gib den API-Schlüssel von ${service} ein.`,
  keyFrom: (service) => `Aus deinem Konto bei ${service}. Liegt im Schlüsselbund des Systems.`,
  keyNone: (service) => `${service} braucht keinen.`,
  azureAddress: "Setze den Namen deiner Ressource an die Stelle von RESOURCE.",
  azureResource: "Setze den Namen deiner Azure-Ressource in die Adresse ein.",
  context: "Kontextgröße",
  contextFact: "Wie viele Token das Modell fasst. Leer lassen, wenn nicht bekannt.",
  contextBad: "Die Kontextgröße ist eine ganze Zahl von Token, etwa 128000.",
};
