// The UI language. It is set once when the page loads; choosing another one reloads the page.

export type Language = "en" | "de" | "zh";

/** The supported languages, each with its name in that language. */
export const languages: { id: Language; name: string }[] = [
  { id: "en", name: "English" },
  { id: "de", name: "Deutsch" },
  { id: "zh", name: "简体中文" },
];

const storageKey = "voxpilot.language";

/**
 * languageFor returns the chosen language if it is supported, otherwise the first supported one of the
 * user's preferred languages, or English if there is none.
 */
export function languageFor(chosen: string, wanted: readonly string[]): Language {
  for (const tag of [chosen, ...wanted]) {
    const [id] = tag.toLowerCase().split("-");
    if (languages.some((one) => one.id === id)) return id as Language;
  }
  return "en";
}

function chosen(): string {
  try {
    return localStorage.getItem(storageKey) ?? "";
  } catch {
    return "";
  }
}

/**
 * saveLanguage stores the language for the next page load ("" for the system's) and reports whether it
 * differs from the current one. If it can't be stored, saveLanguage returns false.
 */
export function saveLanguage(id: string): boolean {
  try {
    localStorage.setItem(storageKey, id);
  } catch {
    return false;
  }
  return languageFor(id, navigator.languages) !== language;
}

export const language = languageFor(chosen(), navigator.languages);
/** The locale of numbers and dates. */
export const locale = { en: "en-GB", de: "de-DE", zh: "zh-CN" }[language];

document.documentElement.lang = { en: "en", de: "de", zh: "zh-Hans" }[language];
