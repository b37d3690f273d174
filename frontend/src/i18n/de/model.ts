// German strings for the Model picker and the orchestrator settings.

import type { model as englishAnswers, orchestrator as englishMainAI } from "../model";
import type { Translated } from "../translated";

export const model: Translated<typeof englishAnswers> = {
  name: "Modell",
  copilot: "Copilot",
  modelsOf: (agent, group) => (group === "" ? agent : `${agent}, ${group}`),
  main: "Haupt-KI",
  cliWith: (provider) => `Copilot CLI mit ${provider}`,
  otherAgent: "Anderer Agent",
  mainBody: (provider) => `${provider} antwortet und delegiert Aufgaben an Copilot`,
  setUp: "Haupt-KI einrichten…",
  stoppedWith: (main) => `${main} hat mit einem Fehler abgebrochen:`,
};

export const orchestrator: Translated<typeof englishMainAI> = {
  title: "Haupt-KI",
  provider: "Anbieter",
  providerFact: "Antwortet im Chat und entscheidet, wann Copilot Aufgaben bekommt.",
  none: "Keine (Copilot antwortet direkt)",
  setUp: (name) => `${name}…`,
  model: "Modell",
  modelNone: "Modellnamen eingeben",
  address: "Serveradresse",
  addressFact: "Die Adresse eines beliebigen Dienstes mit einer OpenAI-kompatiblen API.",
  key: "API-Schlüssel",
  keyFact: "Schlüssel werden im Schlüsselbund des Systems gespeichert.",
  keyMemory:
    "Der Schlüsselbund des Systems ist nicht verfügbar, deshalb geht dieser Schlüssel beim Beenden von VoxPilot verloren.",
  keyNotNeeded: "Nicht nötig",
  keySaved: "Gespeichert",
  keyMissing: "Fehlt",
  change: "Ändern…",
  failed: (what) => `Die letzte Prüfung ist fehlgeschlagen. ${what}`,
  saveAndUse: "Speichern und verwenden",
  service: "Dienst",
  serviceFact: "Wähle einen Dienst, um seine Adresse einzutragen, oder gib unten eine Adresse ein.",
  kinds: {
    openai: "OpenAI",
    azure: "Azure AI Foundry",
    ollama: "Ollama",
    lmstudio: "LM Studio",
    openrouter: "OpenRouter",
    "": "Anderer",
  },
  needKey: (service) => `Gib deinen API-Schlüssel für ${service} ein.`,
  keyFrom: (service) =>
    `Du findest ihn in deinem Konto bei ${service}. Er wird im Schlüsselbund des Systems gespeichert.`,
  keyNone: (service) => `${service} braucht keinen Schlüssel.`,
  azureAddress: "Ersetze RESOURCE durch den Namen deiner Azure-Ressource.",
  azureResource: "Ersetze RESOURCE in der Adresse durch den Namen deiner Azure-Ressource.",
  context: "Kontextgröße",
  contextFact: "So viele Token verarbeitet das Modell höchstens. Leer lassen, wenn du unsicher bist.",
  contextBad: "Gib eine ganze Zahl von Token ein, etwa 128000.",
};
