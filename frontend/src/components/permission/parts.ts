// How much of each file of a request is shown.

import type { DiffRow } from "../../lib/diff";
import type { Permission } from "../../state/types";

/** The files from this one on have only a head until they are opened. */
export const shownFiles = 4;
/** How high a line of a change is, and the head and the button of a file. */
const lineHeight = 18;
const around = 58;
/** How much of the window's height the changes may take. */
const ofWindow = 0.56;
const fewest = 3;

/** The contents of one file of a request. */
export interface FileGroup {
  path: string;
  contentIds: string[];
}

/** The change of one file as it is shown; without rows there is none to show. */
export interface FileChange {
  path: string;
  verb: "edit" | "create" | "delete";
  rows?: DiffRow[];
  added: number;
  removed: number;
  /** Only the head is shown. */
  isHead: boolean;
  /** How many changed lines are not shown. */
  more: number;
}

/** What a command's text says of where it runs, and of its variables. */
export interface RunPlace {
  /** The folder, if it begins with one; "" is the chat's. */
  folder: string;
  variables: string[];
}

const quotedWord = String.raw`(?:'(?:[^']|'\\'')*'|[^\s'"$;&|<>()]+)`;
const folderPart = new RegExp(`^\\s*cd (${quotedWord}) && `);
const variablePart = new RegExp(`^\\s*([A-Za-z_][A-Za-z0-9_]*=(?:${quotedWord})?)\\s`);
const unquoted = (word: string) =>
  word.replace(/'\\''/g, "\u0000").replace(/'/g, "").replaceAll("\u0000", "'");

/** placeOf reads the folder and the variables that a command begins with. */
export function placeOf(text: string): RunPlace {
  const place: RunPlace = { folder: "", variables: [] };
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

/** groupsOf are the files that a request lists, each with all that is shown of it. */
export function groupsOf(ask: Permission): FileGroup[] {
  const listed = ask.files?.filter((file) => !file.more) ?? [];
  if (listed.length === 0)
    return [{ path: ask.path ?? "", contentIds: ask.contentId ? [ask.contentId] : [] }];
  const groups = new Map<string, string[]>();
  for (const { path, contentId } of listed) {
    const ids = groups.get(path) ?? [];
    groups.set(path, contentId ? [...ids, contentId] : ids);
  }
  return [...groups].map(([path, contentIds]) => ({ path, contentIds }));
}

/** verbOf is what a request does to one of its files. */
export function verbOf(ask: Permission, file: FileGroup): FileChange["verb"] {
  const one = ask.files?.find(({ path }) => path === file.path);
  if (one ? one.deletes : ask.kind === "delete") return "delete";
  return (one ? one.creates : ask.creates) ? "create" : "edit";
}

const changes = (row: DiffRow) => !row.rest && (row.kind === "add" || row.kind === "del");

/** changedIn is how many lines of a change are added or removed. */
export const changedIn = (rows: DiffRow[]): number => rows.filter(changes).length;

/** begins is where the first changed line stands. */
export const begins = (rows: DiffRow[]): number => Math.max(0, rows.findIndex(changes));

/** shareOf is how many lines of each of several files are shown. */
export function shareOf(files: number, height: number): number {
  const shared = Math.min(files, shownFiles);
  return Math.max(fewest, Math.floor((height * ofWindow - shared * around) / lineHeight / shared));
}
