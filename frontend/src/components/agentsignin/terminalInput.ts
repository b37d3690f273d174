/**
 * cleanPaste removes control characters from pasted text, except tabs and line ends. Otherwise, pasted text could end
 * bracketed paste and type commands.
 */
export function cleanPaste(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
  return text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g, "");
}
