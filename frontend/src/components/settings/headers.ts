// HTTP headers as the user types them: one "Name: value" per line.

/** headersToText formats headers for the field. */
export function headersToText(headers: Record<string, string> | undefined): string {
  return Object.entries(headers ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

/**
 * textToHeaders parses the field's text. If any line is invalid, it returns the first invalid line as `bad` instead of
 * headers.
 */
export function textToHeaders(text: string): { headers: Record<string, string> } | { bad: string } {
  const headers: Record<string, string> = {};
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line === "") continue;
    // RFC 9110: a field name is a token.
    const match = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):\s*(.*)$/.exec(line);
    if (!match) return { bad: line };
    headers[match[1] as string] = match[2] as string;
  }
  return { headers };
}
