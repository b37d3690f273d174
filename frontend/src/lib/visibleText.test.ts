import { expect, test } from "vitest";
import { hasInvisible, nameHidden, type Reading, visibleParts, visibleText } from "./visibleText";

// Characters that an agent can use to disguise text.
const hostile: [string, string, string][] = [
  ["an override", "a\u202Egpj.exe", "a[U+202E]gpj.exe"],
  ["embeddings", "\u202Aa\u202Bb\u202C\u202Dc", "[U+202A]a[U+202B]b[U+202C][U+202D]c"],
  ["isolates", "\u2066x\u2067y\u2068z\u2069", "[U+2066]x[U+2067]y[U+2068]z[U+2069]"],
  ["marks of a direction", "a\u200Eb\u200Fc\u061Cd", "a[U+200E]b[U+200F]c[U+061C]d"],
  ["an escape sequence", "\u001b[2K\u001b]8;;x\u0007", "[U+001B][2K[U+001B]]8;;x[U+0007]"],
  ["controls", "a\u0000b\bc\u007Fd\u009Be", "a[U+0000]b[U+0008]c[U+007F]d[U+009B]e"],
  ["no width", "p\u200Bay\u2060pal\uFEFF.com\u00AD", "p[U+200B]ay[U+2060]pal[U+FEFF].com[U+00AD]"],
  ["joiners in Latin", "a\u200Db\u200Cc", "a[U+200D]b[U+200C]c"],
  ["tags", "hi\u{E0069}\u{E0067}", "hi[U+E0069][U+E0067]"],
  ["a variant of nothing", "a\uFE0Fb\u{E0100}", "a[U+FE0F]b[U+E0100]"],
  ["bytes behind an emoji", "👍\uFE0F\uFE0F\u{E0101}\u{E0102}", "👍\uFE0F[U+FE0F][U+E0101][U+E0102]"],
  ["fillers", "\u115F\u1160\u3164\uFFA0\u034F", "[U+115F][U+1160][U+3164][U+FFA0][U+034F]"],
  ["what a font leaves out", "a\u2065b\uFFF0c\u{E0FFF}d\u180Fe", "a[U+2065]b[U+FFF0]c[U+E0FFF]d[U+180F]e"],
  ["a blank of Braille", "a\u2800b", "a[U+2800]b"],
  ["lines that look like one", "a\u2028b\u2029c\u0085d", "a[U+2028]b[U+2029]c[U+0085]d"],
  ["a carriage return within a line", "rm -rf ~\rls", "rm -rf ~[U+000D]ls"],
];

// Ordinary text.
const harmless: [string, string][] = [
  ["code", 'if (a < b) {\n\treturn "x";\n}\r\n'],
  ["German", "Größe ändern – „nur“ 20 €…"],
  ["Chinese", "修复令牌刷新的竞争条件，然后运行测试。"],
  ["Arabic", "أصلح الاختبار ثم شغّل الأوامر ١٢٣"],
  ["Hebrew", "תקן את הבדיקה (main.go) והרץ שוב"],
  ["emoji with joiners", "👩‍👩‍👧 👨🏽‍💻 🏳️‍🌈 ❤️‍🔥"],
  ["emoji with a look", "⚠️ ✔️ ☑️ 1️⃣ #️⃣"],
  ["a flag of two letters", "🇩🇪 🇨🇳"],
];

// Joiners that are legitimate in prose but can disguise a name.
const proseOnly: [string, string][] = [
  ["Persian", "می\u200Cخواهم"],
  ["Hindi", "क\u094D\u200Dष और क\u094D\u200Cष"],
  ["Sinhala", "ශ\u0DCA\u200Dරී"],
  ["a variant of a Chinese character", "葛\u{E0100}城"],
  ["a flag with tags", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"],
  ["an emoji that is still being written", "👩\u200D"],
  ["blanks of German and French", "20\u00A0€, «\u202Foui\u202F»"],
  ["a blank of Chinese", "一\u3000二"],
  ["a blank between words of Braille", "⠁⠃\u2800⠉"],
];

const readings: Reading[] = ["line", "prose"];

test.each(hostile)("%s is named in a line and in prose", (_, text, want) => {
  expect(hasInvisible(text)).toBe(true);
  for (const how of readings) expect(visibleText(text, how)).toBe(want);
});

test.each(harmless)("%s is unchanged", (_, text) => {
  for (const how of readings) expect(visibleText(text, how)).toBe(text);
});

test.each(proseOnly)("%s is unchanged in prose only", (_, text) => {
  expect(visibleText(text, "prose")).toBe(text);
  expect(visibleText(text, "line")).not.toBe(text);
});

test("every blank but the space is named in a line, and every joiner in a name", () => {
  for (const blank of ["\u00A0", "\u1680", "\u2003", "\u200A", "\u202F", "\u205F", "\u3000", "\u2800"]) {
    const name = `[U+${blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`;
    for (const how of ["exact", "line"] as const)
      expect(visibleText(`a${blank}b c`, how)).toBe(`a${name}b c`);
  }
  expect(visibleText("❤️.txt")).toBe("❤[U+FE0F].txt");
});

test("output keeps its line ends and names emoji joiners", () => {
  expect(visibleText("👩\u200D👧 ⚠\uFE0F\r\nok ✓", "output")).toBe("👩[U+200D]👧 ⚠[U+FE0F]\r\nok ✓");
});

test("a command in a request keeps no joiners", () => {
  expect(
    visibleParts("echo 👩\u200D👧\r\n")
      .filter((part) => part.marked)
      .map((part) => part.text),
  ).toEqual(["U+200D", "U+000D"]);
});

test("the quick check finds every named character", () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const letter = String.fromCodePoint(code);
    if (/[\p{Cf}\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u.test(letter)) {
      if (hasInvisible(letter)) continue;
      // Tab, newline, the space, and subtending number signs.
      expect([0x9, 0xa, 0x20, 0x6dd, 0x70f, 0x890, 0x891, 0x8e2, 0x110bd, 0x110cd], letter).toContain(
        code >= 0x600 && code <= 0x605 ? 0x6dd : code,
      );
    }
  }
});

test("a long text without invisible characters passes the quick check unchanged", () => {
  const text = "Größe ändern, dann 修复 und تشغيل 🎉.\n".repeat(20_000);
  expect(hasInvisible(text)).toBe(false);
  expect(visibleParts(text)).toEqual([{ text, marked: false }]);
});

test("in nodes, names replace the characters, and nothing else changes", () => {
  const root = document.createElement("p");
  root.innerHTML = "safe <code>rm \u202E-rf</code> <em>👩‍👧</em>";
  const em = root.querySelector("em")?.firstChild;
  nameHidden(root, "prose");
  expect(root.innerHTML).toBe('safe <code>rm <span class="unseen">U+202E</span>-rf</code> <em>👩‍👧</em>');
  expect(root.querySelector("em")?.firstChild).toBe(em);
});
