// All strings of the window, in the user's language.

import { german } from "./de";
import { english } from "./english";
import { language } from "./locale";
import type { Translated } from "./translated";
import { chinese } from "./zh";

export { language, languages, locale, saveLanguage } from "./locale";

export const messages: Translated<typeof english> = { en: english, de: german, zh: chinese }[language];
