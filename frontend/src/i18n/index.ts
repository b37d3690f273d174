// All strings of the window, in the user's language.

import { german } from "./de";
import { english } from "./english";
import { language } from "./locale";
import type { Translated } from "./translated";
import { chinese } from "./zh";

export { keepLanguage, language, languages, locale } from "./locale";

export const words: Translated<typeof english> = { en: english, de: german, zh: chinese }[language];
