// Strings for the Model picker and the orchestrator settings.

import type { ProviderKind } from "../state/types";

export const model = {
  name: "Model",
  copilot: "Copilot",
  /** The heading for a group of an agent's models. */
  modelsOf: (agent: string, group: string) => (group === "" ? agent : `${agent}, ${group}`),
  main: "Main AI",
  /** A custom model, listed below the Copilot CLI. */
  cliWith: (provider: string) => `Copilot CLI with ${provider}`,
  otherAgent: "Other agent",
  mainBody: (provider: string) => `${provider} answers and delegates to Copilot`,
  setUp: "Set up a main AI…",
  stoppedWith: (main: string) => `${main} stopped with an error:`,
} as const;

export const orchestrator = {
  title: "Main AI",
  provider: "Provider",
  providerFact: "Answers in the chat and decides when to delegate tasks to Copilot.",
  none: "None (Copilot answers directly)",
  setUp: (name: string) => `${name}…`,
  model: "Model",
  modelNone: "Enter a model name",
  address: "Server address",
  addressFact: "The address of any service with an OpenAI-compatible API.",
  key: "API key",
  keyFact: "Keys are stored in the system keychain.",
  keyMemory: "The system keychain isn't available, so VoxPilot will forget this key when it quits.",
  keyNotNeeded: "Not needed",
  keySaved: "Saved",
  keyMissing: "Missing",
  change: "Change…",
  failed: (what: string) => `The last check failed. ${what}`,
  saveAndUse: "Save and use",
  service: "Service",
  serviceFact: "Choose a service to fill in its address, or enter an address below.",
  kinds: {
    openai: "OpenAI",
    azure: "Azure AI Foundry",
    ollama: "Ollama",
    lmstudio: "LM Studio",
    openrouter: "OpenRouter",
    "": "Other",
  } satisfies Record<ProviderKind, string>,
  needKey: (service: string) => `Enter your ${service} API key.`,
  keyFrom: (service: string) =>
    `Find the key in your ${service} account. VoxPilot stores it in the system keychain.`,
  keyNone: (service: string) => `${service} doesn't need a key.`,
  azureAddress: "Replace RESOURCE with the name of your Azure resource.",
  azureResource: "Replace RESOURCE in the address with the name of your Azure resource.",
  context: "Context size",
  contextFact: "The number of tokens the model accepts. Leave empty if you're not sure.",
  contextBad: "Enter a whole number of tokens, such as 128000.",
} as const;
