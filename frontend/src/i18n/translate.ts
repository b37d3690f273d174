// Translates messages from Go into the UI language. VoxPilot's messages carry a key, whose translations are in
// backend/i18n; third-party text stays as it is.

import { language } from "./locale";

/** Message is a message from Go. Its key is its English format string. */
interface Message {
  text: string;
  key: string;
  args?: (string | number | Message)[];
  /** The agent's name, if the text mentions Copilot but is about another agent. */
  about?: string;
}

let catalog = new Map<string, string>();
let locale = "en";

/** loadTranslations loads the translations of a language; until then, messages from Go are in English. */
export async function loadTranslations(of = language): Promise<void> {
  const catalogue =
    of === "de"
      ? (await import("../../../backend/i18n/de.json")).default
      : of === "zh"
        ? (await import("../../../backend/i18n/zh.json")).default
        : {};
  catalog = new Map(Object.entries(catalogue));
  locale = { en: "en", de: "de-DE", zh: "zh-CN" }[of];
}

function isMessage(told: object): told is Message {
  return "key" in told && "text" in told && typeof told.key === "string" && typeof told.text === "string";
}

/** Matches Go's formatting verbs in a key. */
const verbs = /%(?:\.(\d+))?[a-zA-Z]/g;

function translate({ text, key, args = [], about }: Message): string {
  const pattern = catalog.get(key);
  if (pattern === undefined) return text;
  const places = [...key.replaceAll("%%", "").matchAll(verbs)].map(([, digits]) => Number(digits ?? 0));
  return pattern.replace(/Copilot|\{(\d+)\}/g, (whole, n?: number) => {
    if (n === undefined) return about ?? whole;
    const arg = args[n] ?? "";
    if (typeof arg === "object") return translate(arg);
    if (typeof arg === "string") return arg;
    const digits = places[n];
    return arg.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  });
}

/** translateEvent translates all messages in a value from Go. */
export function translateEvent<T>(told: T): T {
  if (typeof told !== "object" || told === null) return told;
  if (isMessage(told)) return translate(told) as T;
  const parts = told as Record<string, unknown>;
  for (const [name, value] of Object.entries(parts))
    if (typeof value === "object") parts[name] = translateEvent(value);
  return told;
}
