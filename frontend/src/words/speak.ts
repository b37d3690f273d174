// What Go says, in the language of the window. Go speaks English; every sentence
// of it that the window shows is in said.ts, which build/gosays collects, and in
// each other language in a said.ts of its own. What varies in a sentence is
// carried over. What is not known stays as it is.

import { language } from "./locale";

/** A Speaker says a text in another language. */
export type Speaker = (text: string) => string;

/** A sentence in which something varies. */
interface Template {
  pattern: RegExp;
  /** What varies, in the order in which it stands. */
  order: readonly string[];
  /** The longest piece that does not vary: who does not have it is quickly told. */
  sign: string;
  weight: number;
  words: string;
  /** What varies at its beginning is a sentence, or the beginning of one. */
  isLed: boolean;
  /** It is no label, and has so few words of its own that it may fit what is another sentence. */
  isWeak: boolean;
}

/** Tongue is how sentences, lists and numbers are written in a language. */
export interface Tongue {
  locale: string;
  /** What stands between two sentences. */
  gap: string;
  stop: string;
  comma: string;
}

export const tongues: Record<"de" | "zh", Tongue> = {
  de: { locale: "de-DE", gap: " ", stop: ".", comma: ", " },
  zh: { locale: "zh-CN", gap: "", stop: "。", comma: "、" },
};

const varies = /\{(?:\d+|n)\}/g;
/** A number as Go writes it: what {n} stands for. */
const counted = String.raw`(\d[\d,]*)`;
/** How many letters a template has of its own at least, to be taken whatever varies in it. */
const least = 9;
/** Where one sentence ends and the next begins. */
const border = /[.?!…]["”)]? (?=["“(]?\p{Lu})/gu;
/** Longer texts are no sentences of ours. */
const longest = 2000;
const mostSentences = 8;
const mostPhrases = 20;
/** How many texts are remembered. */
const kept = 500;

function templateOf([english, words]: readonly [string, string]): Template {
  const pieces = english.split(varies);
  const order: readonly string[] = english.match(varies) ?? [];
  const source = pieces.map((piece, at) => {
    const group = at === 0 ? "" : order[at - 1] === "{n}" ? counted : "([^]*?)";
    return group + piece.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  });
  const own = english.replace(varies, "");
  return {
    pattern: new RegExp(`^${source.join("")}$`),
    order,
    sign: pieces.reduce((best, piece) => (piece.length > best.length ? piece : best), ""),
    weight: own.length,
    words,
    isWeak: (own.match(/\p{L}/gu) ?? []).length < least && /^\P{Lu}|\. \{/u.test(english),
    isLed: /^\{\d+\}(?:[,.:]| \p{Lu})/u.test(english),
  };
}

/** speakerOf speaks by a table. */
export function speakerOf(table: Readonly<Record<string, string>>, tongue: Tongue): Speaker {
  const number = new Intl.NumberFormat(tongue.locale);
  const whole = new Map<string, string>();
  const varying: [string, string][] = [];
  for (const [english, words] of Object.entries(table)) {
    if (english.search(varies) < 0) whole.set(english, words);
    else varying.push([english, words]);
  }
  const templates = varying.map(templateOf).sort((a, b) => b.weight - a.weight);
  const known = new Map<string, string>();

  /** What stands for a part that varies; undefined where the sentence is another one then. */
  const part = (value: string, mustBeKnown: boolean): string | undefined => {
    const words = say(value) ?? list(value);
    if (words !== undefined) return words;
    const isSentence = value.search(border) >= 0;
    return isSentence || (mustBeKnown && value.includes(" ")) ? undefined : value;
  };
  const byTemplate = (text: string): string | undefined => {
    for (const template of templates) {
      if (!text.includes(template.sign)) continue;
      const found = template.pattern.exec(text);
      if (!found) continue;
      const parts = new Map<string, string>();
      const fits = template.order.every((mark, at) => {
        const value = found[at + 1] ?? "";
        const words =
          mark === "{n}"
            ? number.format(Number(value.replaceAll(",", "")))
            : part(value, template.isWeak || (template.isLed && at === 0));
        if (words !== undefined) parts.set(mark, words);
        return words !== undefined;
      });
      if (fits) return template.words.replace(varies, (mark) => parts.get(mark) ?? "");
    }
    return undefined;
  };
  /** Sentences one behind the other: as many at once as are known together. */
  const bySentence = (text: string): string | undefined => {
    const ends = [...text.matchAll(border)]
      .slice(0, mostSentences)
      .map((found) => found.index + found[0].length);
    for (const end of ends.reverse()) {
      const head = one(text.slice(0, end).trimEnd());
      if (head === undefined) continue;
      const rest = say(text.slice(end));
      if (rest !== undefined) return `${head}${tongue.gap}${rest}`;
    }
    return undefined;
  };
  /** Phrases between commas, of which one at least is known, and others have no words. */
  const list = (text: string): string | undefined => {
    const phrases = text.split(", ");
    if (phrases.length < 2 || phrases.length > mostPhrases) return undefined;
    const said = phrases.map((phrase) => one(phrase) ?? (/\p{L}/u.test(phrase) ? undefined : phrase));
    if (said.includes(undefined) || said.every((phrase, at) => phrase === phrases[at])) return undefined;
    return said.join(tongue.comma);
  };
  /** What is known on one side of a colon or on both: behind a path, or before the words of a system. */
  const around = (text: string): string | undefined => {
    const at = text.indexOf(": ");
    if (at <= 0) return undefined;
    const [head, rest] = [text.slice(0, at), text.slice(at + 2)];
    const [before, after] = [whole.get(head), say(rest)];
    if (before === undefined && (after === undefined || head.includes(" "))) return undefined;
    return `${before ?? head}: ${after ?? rest}`;
  };
  const begun = (text: string): string | undefined => {
    const words = text.endsWith(".") ? (whole.get(text.slice(0, -1)) ?? byTemplate(text.slice(0, -1))) : "";
    return words ? words + tongue.stop : undefined;
  };
  const one = (text: string): string | undefined => whole.get(text) ?? byTemplate(text) ?? begun(text);
  const say = (text: string): string | undefined =>
    text === "" ? undefined : (one(text) ?? bySentence(text) ?? around(text));

  return (text) => {
    if (text.length > longest) return text;
    let words = known.get(text);
    if (words === undefined) {
      words = say(text) ?? list(text) ?? text;
      if (known.size >= kept) known.clear();
      known.set(text, words);
    }
    return words;
  };
}

const english: Speaker = (text) => text;
let speaker = english;

/** speak is a text of Go's in the language of the window. */
export const speak: Speaker = (text) => speaker(text);

/** learnToSpeak brings the language of the window; what comes from Go before is in English. */
export async function learnToSpeak(of = language): Promise<void> {
  if (of === "de") {
    const { said } = await import("./de/said");
    speaker = speakerOf(said, tongues.de);
  } else if (of === "zh") {
    const { said } = await import("./zh/said");
    speaker = speakerOf(said, tongues.zh);
  } else speaker = english;
}

/** What of the things that Go tells is text for a person. */
const spoken = new Set(["message", "hint", "check", "notifications", "fact"]);
/** The banners whose detail is; that of others is a name, a title or what an agent wrote. */
const toldBanners: unknown[] = ["agent_error", "differs"];

/** Whether the detail of what stands under a name is text for a person. */
function isDetailSpoken(name: string, told: object): boolean {
  if (name === "banner") return "kind" in told && toldBanners.includes(told.kind);
  return name !== "error";
}

/** spokenOf is what Go answered or told, with all that is for a person in the language of the window. */
export function spokenOf<T>(told: T, name = ""): T {
  if (speaker === english || typeof told !== "object" || told === null) return told;
  for (const [key, value] of Object.entries(told)) {
    if (typeof value === "object") spokenOf(value, key);
    else if (typeof value === "string" && value !== "") {
      const isSpoken = key === "detail" ? isDetailSpoken(name, told) : spoken.has(key);
      if (isSpoken) (told as Record<string, unknown>)[key] = speak(value);
    }
  }
  return told;
}
