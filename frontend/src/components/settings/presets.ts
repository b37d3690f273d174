// Presets for model services, so that the user has to type as little as possible.

import { messages } from "../../i18n";
import type { Provider, ProviderKind } from "../../state/types";

export interface Preset {
  kind: ProviderKind;
  name: string;
  baseUrl: string;
  /** Whether the service rejects requests without a key. */
  needsKey: boolean;
  /** An example of a model that the service offers. */
  model: string;
  /** Context size in tokens that is assumed if none is set (see llm.ContextOf). */
  context: number;
}

const t = messages.orchestrator.kinds;

export const presets: readonly Preset[] = [
  {
    kind: "openai",
    name: t.openai,
    baseUrl: "https://api.openai.com/v1",
    needsKey: true,
    model: "gpt-4.1",
    context: 128_000,
  },
  {
    kind: "azure",
    name: t.azure,
    baseUrl: "https://RESOURCE.openai.azure.com/openai/v1",
    needsKey: true,
    model: "gpt-4.1",
    context: 128_000,
  },
  {
    kind: "ollama",
    name: t.ollama,
    baseUrl: "http://localhost:11434/v1",
    needsKey: false,
    model: "qwen3:8b",
    context: 8192,
  },
  {
    kind: "lmstudio",
    name: t.lmstudio,
    baseUrl: "http://localhost:1234/v1",
    needsKey: false,
    model: "qwen/qwen3-8b",
    context: 8192,
  },
  {
    kind: "openrouter",
    name: t.openrouter,
    baseUrl: "https://openrouter.ai/api/v1",
    needsKey: true,
    model: "openai/gpt-4.1",
    context: 64_000,
  },
  { kind: "", name: t[""], baseUrl: "", needsKey: false, model: "qwen3:8b", context: 32_000 },
];

/** presetOf returns the preset of a kind of service, or the last preset if the kind has none. */
export function presetOf(kind: ProviderKind | undefined): Preset {
  return presets.find((preset) => preset.kind === (kind ?? "")) ?? (presets.at(-1) as Preset);
}

/** isUntouched reports whether an address is the default address of a preset. */
export function isUntouched(address: string): boolean {
  return presets.some((preset) => preset.baseUrl === address.trim());
}

/** newProvider returns an unsaved provider; the app assigns the ID. */
export function newProvider(kind: ProviderKind = ""): Provider {
  return { id: "", name: "", kind, baseUrl: presetOf(kind).baseUrl, model: "", createdAt: 0 };
}
