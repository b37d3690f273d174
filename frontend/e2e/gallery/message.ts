// Messages as the backend sends them, with the keys by which the page translates them.

/**
 * message returns the message with the given key and arguments. Its type is string because the page
 * handles messages as strings after decoding them.
 */
export function message(key: string, ...args: (string | number)[]): string {
  let at = 0;
  const text = key.replace(/%(?:\.(\d+))?[a-z]/g, (verb, digits?: string) => {
    const arg: unknown = args[at++];
    if (typeof arg === "object" && arg !== null && "text" in arg) return String(arg.text);
    if (typeof arg !== "number") return verb === "%q" ? `"${arg}"` : String(arg);
    return digits ? arg.toFixed(Number(digits)) : arg.toLocaleString("en");
  });
  return { text, key, args } as unknown as string;
}
