// The gallery in other languages. The shots' actions refer to controls by their English names, which are
// translated here.

/** Placeholder arguments that reveal the structure of a message. */
const marks = ["\ue001", "\ue002", "\ue003"];
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * formatted returns a message with the placeholders as its arguments, or "" if the message doesn't accept
 * them.
 */
function formatted(sentence) {
  try {
    const text = sentence(...marks);
    return typeof text === "string" && marks.some((mark) => text.includes(mark)) ? text : "";
  } catch {
    return "";
  }
}

/** translator returns a function that translates messages from one catalog to another. */
export function translator(from, to) {
  const words = new Map();
  const sentences = [];
  const walk = (one, other) => {
    for (const [key, value] of Object.entries(one ?? {})) {
      if (typeof value === "string") {
        if (!words.has(value)) words.set(value, other[key]);
      } else if (typeof value === "function") {
        const [text, same] = [formatted(value), formatted(other[key])];
        if (text === "" || same === "") continue;
        const order = [...text].filter((letter) => marks.includes(letter));
        const pattern = escaped(text).replace(/[\ue001-\ue003]/g, "(.+)");
        // A message that is only an argument would match any text.
        if (pattern.replaceAll("(.+)", "").trim() === "") continue;
        sentences.push({ pattern: new RegExp(`^${pattern}$`), order, text, same });
      } else if (typeof value === "object") walk(value, other[key]);
    }
  };
  walk(from, to);
  // Longer messages match first: they are more specific.
  sentences.sort((a, b) => b.text.length - a.text.length);
  /**
   * matching returns a pattern that matches the translations of all messages that the English pattern
   * matches.
   */
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

/** inLanguage wraps a page so that its elements can be located by their English names in any language. */
export function inLanguage(page, translate) {
  const wrap = (target) =>
    new Proxy(target, {
      get(of, key) {
        const value = of[key];
        if (typeof value !== "function") return typeof value === "object" && value ? wrap(value) : value;
        return (...args) => {
          if (key === "getByRole" && args[1]?.name) {
            const { name, exact } = args[1];
            const said = translate(name);
            // Part of an accessible name is enough for getByRole to locate an element.
            const isPart = said === name && !exact && typeof name === "string";
            args[1] = { ...args[1], name: isPart ? translate(new RegExp(escaped(name), "i")) : said };
          }
          if (/^getBy(Text|Label|Placeholder)$/.test(key)) args[0] = translate(args[0]);
          // hasText may be part of a message.
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
