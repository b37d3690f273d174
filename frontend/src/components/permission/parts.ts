// Determines how much of each file in a request is shown.

import type { DiffRow } from "../../lib/diff";
import type { Permission } from "../../state/types";

/** Maximum number of files shown with content; the others only have a heading until the user opens them. */
export const shownFiles = 4;
/** Height of a line in pixels; fileOverhead is the height of a file's heading and button together. */
const lineHeight = 18;
const fileOverhead = 58;
/**
 * Share of the window's height available for all changes; minLines is the minimum number of lines per
 * file.
 */
const windowShare = 0.56;
const minLines = 3;

/** A file in a request, with the IDs of its contents. */
export interface FileGroup {
  path: string;
  contentIds: string[];
}

/** The visible change to one file; `rows` is undefined if the file has no diff. */
export interface FileChange {
  path: string;
  verb: "edit" | "create" | "delete";
  rows?: DiffRow[];
  added: number;
  removed: number;
  /** Whether only the heading is shown. */
  isHead: boolean;
  /** Number of changed lines not shown. */
  more: number;
}

/** The working folder and environment variables that a command sets at its start. */
export interface CommandContext {
  /** The folder of a leading cd command, or "" for the chat's folder. */
  folder: string;
  variables: string[];
}

const quotedWord = String.raw`(?:'(?:[^']|'\\'')*'|[^\s'"$;&|<>()]+)`;
const folderPart = new RegExp(`^\\s*cd (${quotedWord}) && `);
const variablePart = new RegExp(`^\\s*([A-Za-z_][A-Za-z0-9_]*=(?:${quotedWord})?)\\s`);
const unquoted = (word: string) =>
  word.replace(/'\\''/g, "\u0000").replace(/'/g, "").replaceAll("\u0000", "'");

/** commandContext parses the folder and variables at the start of a command. */
export function commandContext(text: string): CommandContext {
  const place: CommandContext = { folder: "", variables: [] };
  let rest = text;
  const folder = folderPart.exec(rest);
  if (folder?.[1]) {
    place.folder = unquoted(folder[1]);
    rest = rest.slice(folder[0].length);
  }
  for (let found = variablePart.exec(rest); found?.[1]; found = variablePart.exec(rest)) {
    place.variables.push(unquoted(found[1]));
    rest = rest.slice(found[0].length);
  }
  return place;
}

/** groupsOf returns the files that a request lists, each with the IDs of its contents. */
export function groupsOf(request: Permission): FileGroup[] {
  const listed = request.files?.filter((file) => !file.more) ?? [];
  if (listed.length === 0)
    return [{ path: request.path ?? "", contentIds: request.contentId ? [request.contentId] : [] }];
  const groups = new Map<string, string[]>();
  for (const { path, contentId } of listed) {
    const ids = groups.get(path) ?? [];
    groups.set(path, contentId ? [...ids, contentId] : ids);
  }
  return [...groups].map(([path, contentIds]) => ({ path, contentIds }));
}

/** verbOf returns the verb for the action that a request performs on one of its files. */
export function verbOf(request: Permission, file: FileGroup): FileChange["verb"] {
  const one = request.files?.find(({ path }) => path === file.path);
  if (one ? one.deletes : request.kind === "delete") return "delete";
  return (one ? one.creates : request.creates) ? "create" : "edit";
}

const isChanged = (row: DiffRow) => !row.rest && (row.kind === "add" || row.kind === "del");

/** changedLines returns the total number of added and removed lines. */
export const changedLines = (rows: DiffRow[]): number => rows.filter(isChanged).length;

/** firstChange returns the index of the first changed line, or 0 if there is none. */
export const firstChange = (rows: DiffRow[]): number => Math.max(0, rows.findIndex(isChanged));

/** linesPerFile returns the number of lines shown per file in a window of the given height in pixels. */
export function linesPerFile(files: number, height: number): number {
  const shared = Math.min(files, shownFiles);
  return Math.max(minLines, Math.floor((height * windowShare - shared * fileOverhead) / lineHeight / shared));
}
