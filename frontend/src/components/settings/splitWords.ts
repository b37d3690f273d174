/**
 * splitWords splits a command line the way a shell does: at spaces, except inside quotes. Inside double
 * quotes, a backslash escapes only a double quote or a backslash; outside of quotes, only a quote or a space.
 * This keeps Windows paths intact.
 */
export function splitWords(line: string): string[] {
  const out: string[] = [];
  let word = "";
  let inWord = false;
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    const c = line[i] as string;
    const next = line[i + 1] ?? "";
    if (quote !== "") {
      if (c === quote) quote = "";
      else if (c === "\\" && quote === '"' && (next === '"' || next === "\\")) word += line[++i];
      else word += c;
    } else if (c === '"' || c === "'") {
      quote = c;
      inWord = true;
    } else if (c === "\\" && /["'\s]/.test(next)) {
      word += line[++i];
      inWord = true;
    } else if (/\s/.test(c)) {
      if (inWord) out.push(word);
      word = "";
      inWord = false;
    } else {
      word += c;
      inWord = true;
    }
  }
  if (inWord) out.push(word);
  return out;
}
