// Messages as Go tells them, with the keys by which the page has them in its language.

/** said is the message of a key: a text for the types, as it is for the page once it has come in. */
export function said(key: string, ...args: (string | number)[]): string {
  let at = 0;
  const text = key.replace(/%(?:\.(\d+))?[a-z]/g, (verb, digits?: string) => {
    const arg: unknown = args[at++];
    if (typeof arg === "object" && arg !== null && "text" in arg) return String(arg.text);
    if (typeof arg !== "number") return verb === "%q" ? `"${arg}"` : String(arg);
    return digits ? arg.toFixed(Number(digits)) : arg.toLocaleString("en");
  });
  return { text, key, args } as unknown as string;
}
