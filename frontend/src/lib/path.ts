// Display of paths: the home directory as "~", and a folder's name separate from its parent.

import { relativePath, visibleText } from "./format";

const home = /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Za-z]:\\Users\\[^\\]+)(?=[/\\]|$)/;

/**
 * tilde returns a path for display: a leading home directory is replaced with "~", and invisible
 * characters with their names.
 */
export function tilde(path: string): string {
  return visibleText(path.replace(home, "~"));
}

/** folderName returns the last component of a path for display. */
export function folderName(path: string): string {
  const parts = path.split(/[/\\]+/).filter((part) => part !== "");
  return visibleText(parts.at(-1) ?? path);
}

/**
 * parentFolder returns the parent of a folder for display, with "~" for the home directory. It returns "" if the folder
 * has no parent.
 */
export function parentFolder(path: string): string {
  const shown = tilde(path).replace(/[/\\]+$/, "");
  const cut = Math.max(shown.lastIndexOf("/"), shown.lastIndexOf("\\"));
  if (cut < 0) return "";
  return cut === 0 ? "/" : shown.slice(0, cut);
}

/** pathParts returns the parent of a folder and its name with the separator, for display. Joined, they are the path. */
export function pathParts(path: string): [parent: string, name: string] {
  const shown = tilde(path);
  const cut = shown.replace(/[/\\]+$/, "").search(/[/\\][^/\\]*$/);
  return cut < 0 ? ["", shown] : [shown.slice(0, cut), shown.slice(cut)];
}

/**
 * pathInside returns the full path of a file mentioned in a chat, or "" if the file isn't in the chat's
 * folder.
 */
export function pathInside(path: string, folder: string): string {
  const isAbsolute = /^(?:[\\/]|[A-Za-z]:)/.test(path);
  const whole = isAbsolute ? path : `${folder}/${path.replace(/^\.[\\/]/, "")}`;
  return relativePath(whole, folder) === whole ? "" : whole;
}

/**
 * shortPath shortens a path to at most `letters` characters by replacing leading folders with "…". It
 * never shortens the file name, even if that is too long.
 */
export function shortPath(path: string, letters: number): string {
  const shown = tilde(path);
  if (shown.length <= letters) return shown;
  const parts = shown.split(/(?=[/\\])/);
  let end = parts.pop() ?? "";
  while (parts.length > 0 && end.length + (parts.at(-1) ?? "").length + 1 <= letters) end = parts.pop() + end;
  return `…${end}`;
}
