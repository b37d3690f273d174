// How paths are shown: the home directory as "~", and the folder's own name
// apart from where it lies.

import { seen } from "./format";

const home = /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Za-z]:\\Users\\[^\\]+)(?=[/\\]|$)/;

/** tilde shows a path under a home directory with "~". */
export function tilde(path: string): string {
  return seen(path.replace(home, "~"));
}

/** folderName is the last part of a path. */
export function folderName(path: string): string {
  const parts = path.split(/[/\\]+/).filter((part) => part !== "");
  return seen(parts.at(-1) ?? path);
}

/** folderPlace is where a folder lies, "~" for home; "" where it has no parent. */
export function folderPlace(path: string): string {
  const shown = tilde(path).replace(/[/\\]+$/, "");
  const cut = Math.max(shown.lastIndexOf("/"), shown.lastIndexOf("\\"));
  if (cut < 0) return "";
  return cut === 0 ? "/" : shown.slice(0, cut);
}

/**
 * shortPath shows a path in at most so many letters: folders at its start give
 * way to "…", the file's own name never does.
 */
export function shortPath(path: string, letters: number): string {
  const shown = tilde(path);
  if (shown.length <= letters) return shown;
  const parts = shown.split(/(?=[/\\])/);
  let end = parts.pop() ?? "";
  while (parts.length > 0 && end.length + (parts.at(-1) ?? "").length + 1 <= letters) end = parts.pop() + end;
  return `…${end}`;
}
