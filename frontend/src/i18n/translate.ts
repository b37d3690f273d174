// What Go says, in the language of the window. A message of VoxPilot's own comes
// with its key, by which backend/i18n has its words in each other language; the words
// of others come as a text, and stay as they are.

import { language } from "./locale";

/** Message is a message of Go's that has a key: its English format. */
interface Message {
  text: string;
  key: string;
  args?: (string | number | Message)[];
  /** Which agent it is about, where its words say Copilot. */
  about?: string;
}

let words = new Map<string, string>();
let locale = "en";

/** learnToSpeak brings the words of a language; before it has come, what Go says is in English. */
export async function learnToSpeak(of = language): Promise<void> {
  const catalogue =
    of === "de"
      ? (await import("../../../backend/i18n/de.json")).default
      : of === "zh"
        ? (await import("../../../backend/i18n/zh.json")).default
        : {};
  words = new Map(Object.entries(catalogue));
  locale = { en: "en", de: "de-DE", zh: "zh-CN" }[of];
}

function isMessage(told: object): told is Message {
  return "key" in told && "text" in told && typeof told.key === "string" && typeof told.text === "string";
}

/** What stands for an argument in a key. */
const verbs = /%(?:\.(\d+))?[a-zA-Z]/g;

function speak({ text, key, args = [], about }: Message): string {
  const pattern = words.get(key);
  if (pattern === undefined) return text;
  const places = [...key.replaceAll("%%", "").matchAll(verbs)].map(([, digits]) => Number(digits ?? 0));
  return pattern.replace(/Copilot|\{(\d+)\}/g, (whole, n?: number) => {
    if (n === undefined) return about ?? whole;
    const arg = args[n] ?? "";
    if (typeof arg === "object") return speak(arg);
    if (typeof arg === "string") return arg;
    const digits = places[n];
    return arg.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  });
}

/** spokenOf is what Go answered or told, with a text in the language of the window for each message. */
export function spokenOf<T>(told: T): T {
  if (typeof told !== "object" || told === null) return told;
  if (isMessage(told)) return speak(told) as T;
  const parts = told as Record<string, unknown>;
  for (const [name, value] of Object.entries(parts))
    if (typeof value === "object") parts[name] = spokenOf(value);
  return told;
}
