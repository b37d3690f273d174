// Finds styles whose effect depends on the order of the style sheets. Each sheet is imported by its
// component, so the bundler determines the order.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const src = fileURLToPath(new URL("../../src", import.meta.url));

/**
 * sheets lists the page's style sheets with their paths. Those in styles/ count as one: index.css imports
 * them in a fixed order.
 */
const sheets = readdirSync(src, { recursive: true })
  .filter((path) => path.endsWith(".css"))
  .map((path) => ({
    path: path.startsWith("styles/") ? "styles/index.css" : path,
    text: readFileSync(join(src, path), "utf8").replace(/@import[^;]*;/g, ""),
  }));

/** sheetsOf returns the style sheets used by the page that a shot opens. */
export function sheetsOf(shot) {
  return sheets.filter(({ path }) => shot.path?.startsWith("/quick") || !path.startsWith("quick/"));
}

/**
 * clashes runs in the page. It returns each pair of rules from two sheets that set the same property of an element to
 * different values with equal specificity, so that the later sheet wins. Pairs that a more specific rule overrides
 * are left out. It assumes that states such as hover and focus can occur and that media queries match.
 */
export function clashes(sheets) {
  const passing = /:(?:hover|active|focus(?:-visible|-within)?|disabled)(?![-\w])/g;
  const isWord = /[-\w]/;

  /** split splits a selector at each `mark` that is outside brackets. */
  function split(text, mark) {
    const parts = [""];
    let depth = 0;
    for (const letter of text) {
      if (letter === "(" || letter === "[") depth++;
      if (letter === ")" || letter === "]") depth--;
      if (letter === mark && depth === 0) parts.push("");
      else parts[parts.length - 1] += letter;
    }
    return parts.map((part) => part.trim());
  }

  const add = (a, b) => a.map((n, at) => n + b[at]);
  const most = (weights) => weights.sort((a, b) => b[0] - a[0] || b[1] - a[1] || b[2] - a[2])[0];

  /** weigh returns the specificity of a selector. */
  function weigh(selector) {
    let sum = [0, 0, 0];
    for (let at = 0; at < selector.length; ) {
      const from = at;
      const mark = selector[at++];
      const word = () => {
        while (at < selector.length && isWord.test(selector[at])) at++;
      };
      const brackets = () => {
        const begin = at;
        for (let depth = 0; at < selector.length; ) {
          const letter = selector[at++];
          if (letter === "(" || letter === "[") depth++;
          if ((letter === ")" || letter === "]") && --depth === 0) break;
        }
        return selector.slice(begin + 1, at - 1);
      };
      if (mark === "#") {
        word();
        sum = add(sum, [1, 0, 0]);
      } else if (mark === ".") {
        word();
        sum = add(sum, [0, 1, 0]);
      } else if (mark === "[") {
        at = from;
        brackets();
        sum = add(sum, [0, 1, 0]);
      } else if (mark === ":") {
        const isElement = selector[at] === ":";
        if (isElement) at++;
        const begin = at;
        word();
        const name = selector.slice(begin, at);
        const inside = selector[at] === "(" ? brackets() : "";
        if (isElement) sum = add(sum, [0, 0, 1]);
        else if (/^(is|not|has)$/.test(name)) sum = add(sum, most(split(inside, ",").map(weigh)));
        else if (name !== "where") sum = add(sum, [0, 1, 0]);
      } else if (isWord.test(mark)) {
        word();
        sum = add(sum, [0, 0, 1]);
      }
    }
    return sum;
  }

  /** The values set for each property of an element and its pseudo-elements, by element. */
  const said = new Map();
  function note(rule, path, media) {
    for (const selector of split(rule.selectorText, ",")) {
      const [own, pseudo = ""] = selector.split("::");
      const states = [...(own.match(passing) ?? []), ...media];
      // A part of a selector that consists only of states can match any element.
      const still = own
        .replace(passing, "§")
        .replace(/:not\(§(?:, §)*\)/g, "")
        .replace(/(^|[\s>+~(,])§+/g, "$1*")
        .replaceAll("§", "");
      for (const element of document.querySelectorAll(still || "*")) {
        if (!said.has(element)) said.set(element, new Map());
        const about = said.get(element);
        for (const property of rule.style) {
          const key = `${pseudo} ${property} ${rule.style.getPropertyPriority(property)}`;
          if (!about.has(key)) about.set(key, []);
          const value = rule.style.getPropertyValue(property) || rule.style.cssText;
          about.get(key).push({ selector, path, weight: weigh(selector), states, value });
        }
      }
    }
  }
  function read(rules, path, media) {
    for (const rule of rules) {
      if (rule instanceof CSSStyleRule) note(rule, path, media);
      else if (rule instanceof CSSMediaRule) read(rule.cssRules, path, [...media, rule.conditionText]);
    }
  }
  for (const { path, text } of sheets) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    read(sheet.cssRules, path, []);
  }

  const heavier = (a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
  const pairs = new Set();
  for (const about of said.values()) {
    for (const [key, list] of about) {
      if (list.length < 2) continue;
      for (const [at, one] of list.entries()) {
        for (const other of list.slice(at + 1)) {
          if (one.path === other.path || heavier(one.weight, other.weight) !== 0 || one.value === other.value)
            continue;
          const states = new Set([...one.states, ...other.states]);
          const isBeaten = list.some(
            (each) => each.states.every((state) => states.has(state)) && heavier(each.weight, one.weight) > 0,
          );
          if (!isBeaten) {
            const [a, b] = [one, other].sort((x, y) => (x.path < y.path ? -1 : 1));
            pairs.add(`${key.trim()}: ${a.path} ${a.selector} | ${b.path} ${b.selector}`);
          }
        }
      }
    }
  }
  return [...pairs];
}
