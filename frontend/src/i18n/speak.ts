// What Go says, in the language of the window. Go speaks English; every sentence
// of it that the window shows is in said.ts, which build/gosays collects, and in
// each other language in a said.ts of its own. What varies in a sentence is
// carried over. What is not known stays as it is.

import { language } from "./locale";

/** A Speaker says a text in another language. */
export type Speaker = (text: string) => string;

/** A sentence in which something varies. */
interface Template {
  /** What does not vary: before, between and behind what does. */
  pieces: readonly string[];
  /** What varies, in the order in which it stands. */
  order: readonly string[];
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
const counted = /^\d[\d,]*$/;
/** A size or a duration with a fraction as Go writes it, and the unit alone, where that is the sentence's. */
const measured = /^(\d+\.\d+)( (?:[kKMGT]B|s))$/;
const unit = /^ (?:[kKMGT]B|s)\b/;
/** How many letters a template has of its own at least, to be taken whatever varies in it. */
const least = 9;
/** Where one sentence ends and the next begins. */
const border = /[.?!…]["”)]? (?=["“(]?\p{Lu})/gu;
/** Longer texts are no sentences of ours. */
const longest = 2000;
const mostSentences = 8;
const mostPhrases = 20;
/**
 * How many letters are held against the templates for one text, its parts and theirs counted anew.
 * The shortest sentences of ours, as many as the longest text has room for, take 240,000.
 */
const mostLetters = 400_000;
/** How many texts are remembered. */
const kept = 500;

function templateOf([english, words]: readonly [string, string]): Template {
  const own = english.replace(varies, "");
  return {
    pieces: english.split(varies),
    order: english.match(varies) ?? [],
    weight: own.length,
    words,
    isWeak: (own.match(/\p{L}/gu) ?? []).length < least && /^\P{Lu}|\. \{/u.test(english),
    isLed: /^\{\d+\}(?:[,.:]| \p{Lu})/u.test(english),
  };
}

/**
 * What stands in a text between the pieces of a template; undefined where they do not make it up.
 * Each piece is taken at the first place where it stands: if that leaves no room for those behind
 * it, no other does, so nothing is gone through twice.
 */
function between(pieces: readonly string[], text: string): string[] | undefined {
  const [first = "", last = ""] = [pieces[0], pieces.at(-1)];
  const end = text.length - last.length;
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const found: string[] = [];
  let from = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const at = text.indexOf(piece, from);
    if (at < 0) return undefined;
    found.push(text.slice(from, at));
    from = at + piece.length;
  }
  if (from > end) return undefined;
  found.push(text.slice(from, end));
  return found;
}

/** Says a text, or has no words for it. */
type Attempt = (text: string) => string | undefined;

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
  /** What came of the parts of the text that is being said, and how many letters are left for it. */
  const ones = new Map<string, string | undefined>();
  const says = new Map<string, string | undefined>();
  let left = 0;
  /** A part is the same wherever it stands: without this, who nests parts doubles the work with each. */
  const once = (came: Map<string, string | undefined>, attempt: Attempt): Attempt => {
    return (text) => {
      if (!came.has(text)) came.set(text, attempt(text));
      return came.get(text);
    };
  };

  const count: Attempt = (value) =>
    counted.test(value) ? number.format(Number(value.replaceAll(",", ""))) : undefined;
  /** A size or a duration; behind a bare number such as that of a version stands no unit. */
  const measure: Attempt = (value) => {
    const [, digits, of] = measured.exec(value) ?? [];
    if (digits === undefined) return undefined;
    const places = digits.length - digits.indexOf(".") - 1;
    const options = { minimumFractionDigits: places, maximumFractionDigits: places };
    return new Intl.NumberFormat(tongue.locale, options).format(Number(digits)) + of;
  };
  /** What stands for a part that varies; undefined where the sentence is another one then. */
  const part = (value: string, mustBeKnown: boolean): string | undefined => {
    const words = say(value) ?? measure(value) ?? list(value);
    if (words !== undefined) return words;
    const isSentence = value.search(border) >= 0;
    return isSentence || (mustBeKnown && value.includes(" ")) ? undefined : value;
  };
  const byTemplate: Attempt = (text) => {
    left -= text.length;
    for (const template of templates) {
      if (left < 0) return undefined;
      const found = between(template.pieces, text);
      if (!found) continue;
      const parts = new Map<string, string>();
      const fits = template.order.every((mark, at) => {
        const value = found[at] ?? "";
        const of = unit.exec(template.pieces[at + 1] ?? "")?.[0] ?? "";
        const fraction = of === "" ? undefined : measure(value + of)?.slice(0, -of.length);
        const words =
          mark === "{n}"
            ? count(value)
            : (fraction ?? part(value, template.isWeak || (template.isLed && at === 0)));
        if (words !== undefined) parts.set(mark, words);
        return words !== undefined;
      });
      if (fits) return template.words.replace(varies, (mark) => parts.get(mark) ?? "");
    }
    return undefined;
  };
  /** Sentences one behind the other: as many at once as are known together. */
  const bySentence: Attempt = (text) => {
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
  const list: Attempt = (text) => {
    const phrases = text.split(", ");
    if (phrases.length < 2 || phrases.length > mostPhrases) return undefined;
    const said = phrases.map((phrase) => one(phrase) ?? (/\p{L}/u.test(phrase) ? undefined : phrase));
    if (said.includes(undefined) || said.every((phrase, at) => phrase === phrases[at])) return undefined;
    return said.join(tongue.comma);
  };
  /** What is known on one side of a colon or on both: behind a path, or before the words of a system. */
  const around: Attempt = (text) => {
    const at = text.indexOf(": ");
    if (at <= 0) return undefined;
    const [head, rest] = [text.slice(0, at), text.slice(at + 2)];
    const [before, after] = [whole.get(head), say(rest)];
    if (before === undefined && (after === undefined || head.includes(" "))) return undefined;
    return `${before ?? head}: ${after ?? rest}`;
  };
  const begun: Attempt = (text) => {
    const words = text.endsWith(".") ? (whole.get(text.slice(0, -1)) ?? byTemplate(text.slice(0, -1))) : "";
    return words ? words + tongue.stop : undefined;
  };
  const one = once(ones, (text) => whole.get(text) ?? byTemplate(text) ?? begun(text));
  const say = once(says, (text) =>
    text === "" ? undefined : (one(text) ?? bySentence(text) ?? around(text)),
  );

  return (text) => {
    if (text.length > longest) return text;
    let words = known.get(text);
    if (words === undefined) {
      left = mostLetters;
      words = say(text) ?? list(text);
      if (words === undefined || left < 0) words = text;
      ones.clear();
      says.clear();
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
