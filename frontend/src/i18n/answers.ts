// Words of who answers: the Model picker, and the
// settings of the main AI.

import type { ProviderKind } from "../state/types";

export const answers = {
  name: "Model",
  copilot: "Copilot",
  /** The agent's own heading of some of its models. */
  modelsOf: (agent: string, group: string) => (group === "" ? agent : `${agent}, ${group}`),
  main: "Main AI",
  /** Under the Copilot CLI's own answerer, a model of the user's. */
  cliWith: (provider: string) => `Copilot CLI, with the model of ${provider}`,
  otherAgent: "Another agent",
  mainBody: (provider: string) => `${provider} answers, and gives work to Copilot`,
  setUp: "Set up a main AI…",
  stoppedWith: (main: string) => `${main} stopped with an error:`,
} as const;

export const mainAI = {
  title: "Main AI",
  provider: "Provider",
  providerFact: "Answers in the chat and decides when to give work to Copilot.",
  none: "None, Copilot answers itself",
  setUp: (name: string) => `${name}…`,
  model: "Model",
  modelNone: "Type the name of the model",
  address: "Server address",
  addressFact: "Any service that speaks the OpenAI chat format.",
  key: "API key",
  keyFact: "Kept in the system keychain.",
  keyMemory: "The system keychain cannot be used: the key is forgotten when VoxPilot quits.",
  keyNotNeeded: "Not needed",
  keyKept: "Kept",
  keyMissing: "Missing",
  change: "Change…",
  failed: (what: string) => `The last check failed. ${what}`,
  saveAndUse: "Save and use",
  service: "Service",
  serviceFact: "Fills in the address.",
  kinds: {
    openai: "OpenAI",
    azure: "Azure AI Foundry",
    ollama: "Ollama",
    lmstudio: "LM Studio",
    openrouter: "OpenRouter",
    "": "Other",
  } satisfies Record<ProviderKind, string>,
  needKey: (service: string) => `Type the API key of ${service}.`,
  keyFrom: (service: string) => `From your account at ${service}. Kept in the system keychain.`,
  keyNone: (service: string) => `${service} needs none.`,
  azureAddress: "Put the name of your resource in the place of RESOURCE.",
  azureResource: "Put the name of your Azure resource into the address.",
  context: "Context size",
  contextFact: "How many tokens fit into the model. Leave it empty where you do not know.",
  contextBad: "The context size is a whole number of tokens, such as 128000.",
} as const;
