// Makes invisible characters visible by name: control characters, bidi characters, zero-width characters and blanks.

// Matches control and format characters, line and paragraph separators, all default-ignorable characters of Unicode,
// and all blanks but the space. Tabs, newlines and the subtending number signs of Arabic, Syriac and Kaithi are
// excluded, because they are visible.
const hidden =
  /(?![\t\n \u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}])[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

// Matches at least one UTF-16 unit of every character in `hidden`. Most texts have no match, so this fast check saves a
// search with `hidden`.
const candidates =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to match.
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each unit is matched on its own.
  /[\u0000-\u0008\u000B-\u001F\u007F-\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\uD80D\uD82F\uD834\uDB40-\uDB43]/;

/** hasInvisible reports whether text might contain invisible characters. */
export function hasInvisible(text: string): boolean {
  return candidates.test(text);
}

/** Part of a text. If `marked` is true, the part is the name of an invisible character. */
export interface VisiblePart {
  text: string;
  marked: boolean;
}

// Joiners and variation selectors in emoji, which stay as they are: at most one after each part of an emoji.
const emoji =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|[0-9#*](?=\uFE0F\u20E3))\uFE0F|(?<=\p{Extended_Pictographic}\uFE0F?|\p{Emoji_Modifier})\u200D(?=\p{Extended_Pictographic})/gu;

// Further characters that stay as they are in prose: joiners within words of scripts that use them, variation selectors
// of Chinese characters, the tags of a flag, and the joiner of an incomplete emoji.
const inWords =
  /(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}])[\u200C\u200D]|(?<=\p{Script=Han})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]|(?<=\u{1F3F4}[\u{E0061}-\u{E007A}]{0,6})[\u{E0061}-\u{E007A}\u{E007F}]|(?<=\p{Extended_Pictographic}\uFE0F?|\p{Emoji_Modifier})\u200D$/gu;

// Other blanks also stay in prose, because they separate words just as the space does. The empty Braille cell also
// stays if it is next to Braille.
const blanks = /\p{Zs}|(?<=[\u2801-\u28FF])\u2800|\u2800(?=[\u2801-\u28FF])/gu;

/**
 * How strictly a text is checked for invisible characters: "exact" is for names and executed commands, "output" for
 * command output, "line" for code within prose, and "prose" for prose in any language.
 */
export type Reading = "exact" | "output" | "line" | "prose";

function nameOf(letter: string): string {
  return `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function joinsOf(text: string, how: Reading): Set<number> {
  const joins = new Set<number>();
  if (how === "exact") return joins;
  for (const match of text.matchAll(/\r(?=\n)/g)) joins.add(match.index); // carriage return of a line end
  if (how === "output") return joins;
  for (const match of text.matchAll(emoji)) joins.add(match.index);
  if (how !== "prose") return joins;
  for (const match of text.matchAll(inWords)) joins.add(match.index);
  for (const match of text.matchAll(blanks)) joins.add(match.index);
  return joins;
}

/**
 * visibleParts splits text into parts. Each character that is invisible or changes the order of other characters
 * becomes a separate part, which contains the character's name.
 */
export function visibleParts(text: string, how: Reading = "exact"): VisiblePart[] {
  if (!hasInvisible(text)) return text === "" ? [] : [{ text, marked: false }];
  const joins = joinsOf(text, how);
  const parts: VisiblePart[] = [];
  let at = 0;
  for (const match of text.matchAll(hidden)) {
    if (joins.has(match.index)) continue;
    if (match.index > at) parts.push({ text: text.slice(at, match.index), marked: false });
    parts.push({ text: nameOf(match[0]), marked: true });
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), marked: false });
  return parts;
}

/** visibleText returns a text in which each invisible character is replaced by its name, such as [U+202E]. */
export function visibleText(text: string, how: Reading = "exact"): string {
  if (!hasInvisible(text)) return text;
  return visibleParts(text, how)
    .map((part) => (part.marked ? `[${part.text}]` : part.text))
    .join("");
}

/** nameHidden replaces the invisible characters in a DOM fragment with their names before the fragment is shown. */
export function nameHidden(root: DocumentFragment | Element, how: Reading): void {
  if (!hasInvisible(root.textContent ?? "")) return;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text);
  for (const node of texts) {
    const parts = visibleParts(node.data, how);
    if (!parts.some((part) => part.marked)) continue;
    node.replaceWith(
      ...parts.map((part) => {
        if (!part.marked) return part.text;
        const mark = document.createElement("span");
        mark.className = "unseen";
        mark.textContent = part.text;
        return mark;
      }),
    );
  }
}
