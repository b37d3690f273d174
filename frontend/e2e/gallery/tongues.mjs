// The gallery in other languages: what is done on a screen before its picture is
// taken names the parts of the window in English, and is told here in another.

/** The arguments with which a sentence is asked how it is made. */
const marks = ["\ue001", "\ue002", "\ue003"];
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** made is a sentence around the marks, "" where it cannot be made of words. */
function made(sentence) {
  try {
    const text = sentence(...marks);
    return typeof text === "string" && marks.some((mark) => text.includes(mark)) ? text : "";
  } catch {
    return "";
  }
}

/** translator says in one language what another catalogue of the same words says. */
export function translator(from, to) {
  const words = new Map();
  const sentences = [];
  const walk = (one, other) => {
    for (const [key, value] of Object.entries(one ?? {})) {
      if (typeof value === "string") {
        if (!words.has(value)) words.set(value, other[key]);
      } else if (typeof value === "function") {
        const [text, same] = [made(value), made(other[key])];
        if (text === "" || same === "") continue;
        const order = [...text].filter((letter) => marks.includes(letter));
        const pattern = escaped(text).replace(/[\ue001-\ue003]/g, "(.+)");
        // A sentence that is all of it an argument would fit everything.
        if (pattern.replaceAll("(.+)", "").trim() === "") continue;
        sentences.push({ pattern: new RegExp(`^${pattern}$`), order, text, same });
      } else if (typeof value === "object") walk(value, other[key]);
    }
  };
  walk(from, to);
  // What has more words of its own is meant before what has fewer.
  sentences.sort((a, b) => b.text.length - a.text.length);
  /** matching is a pattern for all that a pattern of English means. */
  function matching(english) {
    const all = [...words, ...sentences.map(({ text, same }) => [text, same])];
    const meant = all.filter(([text]) => english.test(text)).map(([, other]) => other);
    const [from, to] = [english.source.startsWith("^") ? "^" : "", english.source.endsWith("$") ? "$" : ""];
    const others = meant.map((other) => from + escaped(other).replace(/[\ue001-\ue003]/g, ".*") + to);
    return new RegExp([english.source, ...others].join("|"), english.flags);
  }
  function translate(text) {
    if (words.has(text)) return words.get(text);
    for (const { pattern, order, same } of sentences) {
      const found = pattern.exec(text);
      if (!found) continue;
      return order.reduce((all, mark, n) => all.replaceAll(mark, translate(found[n + 1])), same);
    }
    return text;
  }
  return (said) => (said instanceof RegExp ? matching(said) : translate(said));
}

/** spoken is a page whose parts are found by their English names, whatever language it speaks. */
export function spoken(page, translate) {
  const wrap = (target) =>
    new Proxy(target, {
      get(of, key) {
        const value = of[key];
        if (typeof value !== "function") return typeof value === "object" && value ? wrap(value) : value;
        return (...args) => {
          if (key === "getByRole" && args[1]?.name) {
            const { name, exact } = args[1];
            const said = translate(name);
            // A part of a name is enough to find it by.
            const isPart = said === name && !exact && typeof name === "string";
            args[1] = { ...args[1], name: isPart ? translate(new RegExp(escaped(name), "i")) : said };
          }
          if (/^getBy(Text|Label|Placeholder)$/.test(key)) args[0] = translate(args[0]);
          // What stands within a text can be a part of a sentence.
          if (/^(locator|filter)$/.test(key)) {
            const [last] = args.slice(-1);
            if (typeof last?.hasText === "string")
              args[args.length - 1] = { ...last, hasText: translate(new RegExp(escaped(last.hasText))) };
          }
          const made = value.apply(of, args);
          return typeof made?.getByRole === "function" ? wrap(made) : made;
        };
      },
    });
  return wrap(page);
}
