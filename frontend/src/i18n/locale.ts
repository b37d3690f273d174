// The language of the window. It is chosen once, when the page is loaded:
// another one begins with the page anew.

export type Language = "en" | "de" | "zh";

/** The languages, each by its own name. */
export const languages: { id: Language; name: string }[] = [
  { id: "en", name: "English" },
  { id: "de", name: "Deutsch" },
  { id: "zh", name: "简体中文" },
];

const kept = "voxpilot.language";

/** languageFor is the first language that can be spoken: the one that was chosen, or the user's. */
export function languageFor(chosen: string, wanted: readonly string[]): Language {
  for (const tag of [chosen, ...wanted]) {
    const [id] = tag.toLowerCase().split("-");
    if (languages.some((one) => one.id === id)) return id as Language;
  }
  return "en";
}

function chosen(): string {
  try {
    return localStorage.getItem(kept) ?? "";
  } catch {
    return "";
  }
}

/**
 * keepLanguage has the next page begin in a language, "" in the system's, and
 * tells whether that is another one than now.
 */
export function keepLanguage(id: string): boolean {
  try {
    localStorage.setItem(kept, id);
  } catch {
    return false;
  }
  return languageFor(id, navigator.languages) !== language;
}

export const language = languageFor(chosen(), navigator.languages);
/** The locale of numbers and dates. */
export const locale = { en: "en-GB", de: "de-DE", zh: "zh-CN" }[language];

document.documentElement.lang = { en: "en", de: "de", zh: "zh-Hans" }[language];
