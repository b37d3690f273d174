// Where every row of the chat list stands. Heights are known from the design,
// so a list of thousands is laid out without measuring and only what is in
// view is drawn.

import { folderName, folderPlace } from "../lib/path";
import type { TextSize } from "./textSize";
import type { Chat } from "./types";

export type RowState = "attn" | "failed" | "running" | "unread" | "idle";

/** rowState is what a chat's row shows; needs you comes before failed, running and new reply. */
export function rowState(chat: Chat, waits: boolean): RowState {
  if (waits) return "attn";
  if (chat.turnState === "failed" || chat.turnState === "interrupted") return "failed";
  if (chat.turnState === "running") return "running";
  return chat.unread ? "unread" : "idle";
}

/** secondLine tells whether a row has its line of detail: only live ones do. */
export function secondLine(chat: Chat, state: RowState): boolean {
  return state !== "idle" && (chat.detail ?? "") !== "";
}

/** What the rows take by the size of the text, as the styles draw them. */
const heights: Record<TextSize, { head: number; row: number; tall: number }> = {
  small: { head: 24, row: 28, tall: 43 },
  normal: { head: 26, row: 30, tall: 46 },
  large: { head: 30, row: 34, tall: 50 },
  larger: { head: 34, row: 38, tall: 56 },
};
const groupGap = 12;

export interface Row {
  id: string;
  /** From the top of its group. */
  top: number;
  height: number;
}

export interface Group {
  /** The folder, or the key of the archive. */
  key: string;
  name: string;
  place: string;
  /** How many chats are in it, also where their rows are folded away. */
  count: number;
  folded: boolean;
  /** What a folded group says of its chats: the state of the one that is most to be seen. */
  state: RowState;
  /** From the top of the list. */
  top: number;
  height: number;
  rows: Row[];
}

/** archiveKey is the group of the chats that were archived; no folder is called so. */
export const archiveKey = "\0archive";

export interface Layout {
  groups: Group[];
  height: number;
  /** Chat ids from top to bottom, of the rows that are there. */
  order: string[];
}

const byActivity = (a: Chat, b: Chat) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1);

/**
 * grouped are the chats by folder, both by last activity, those that are pinned
 * first in their folder; and apart from them those that were archived.
 */
function grouped(chats: readonly Chat[]): { folders: Map<string, Chat[]>; archived: Chat[] } {
  const archived: Chat[] = [];
  // A Map keeps the order of insertion, so the folder of the newest chat is first.
  const folders = new Map<string, Chat[]>();
  for (const chat of [...chats].sort(byActivity)) {
    if (chat.deletedAt) continue;
    if (chat.archived) {
      archived.push(chat);
      continue;
    }
    const list = folders.get(chat.folder);
    if (list) list.push(chat);
    else folders.set(chat.folder, [chat]);
  }
  // The sort is stable, so both halves stay by last activity.
  for (const list of folders.values()) list.sort((a, b) => Number(!!b.pinned) - Number(!!a.pinned));
  return { folders, archived };
}

/** inOrder are the chats as the list has them from top to bottom, without those that were archived. */
export function inOrder(chats: readonly Chat[]): Chat[] {
  return [...grouped(chats).folders.values()].flat();
}

/** matches says whether a chat's title or folder has every word that was typed. */
export function matches(chat: Chat, title: string, filter: string): boolean {
  const text = `${title}\n${chat.folder}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const byUrgency: readonly RowState[] = ["attn", "failed", "running", "unread", "idle"];

/** headKey is what stands for the heading of a folder where the list is walked by keys. */
export const headKey = (group: string): string => `\0head ${group}`;

/**
 * layOut places the chats. Those that were archived stand at the end, folded or
 * open; the rows of folders that are folded are left out.
 */
export function layOut(
  chats: readonly Chat[],
  waiting: ReadonlySet<string>,
  archive: { name: string; open: boolean } = { name: "", open: false },
  textSize: TextSize = "normal",
  foldedFolders: ReadonlySet<string> = new Set(),
): Layout {
  const { folders, archived } = grouped(chats);
  const { head, row, tall } = heights[textSize];
  const groups: Group[] = [];
  const order: string[] = [];
  let top = 0;
  const add = (key: string, name: string, place: string, list: readonly Chat[], folded: boolean) => {
    const rows: Row[] = [];
    let at = head;
    const states = new Set(folded ? list.map((chat) => rowState(chat, waiting.has(chat.id))) : []);
    const state = byUrgency.find((each) => states.has(each)) ?? "idle";
    for (const chat of folded ? [] : list) {
      const height = secondLine(chat, rowState(chat, waiting.has(chat.id))) ? tall : row;
      rows.push({ id: chat.id, top: at, height });
      order.push(chat.id);
      at += height;
    }
    groups.push({ key, name, place, count: list.length, folded, state, top, height: at, rows });
    top += at + groupGap;
  };
  for (const [folder, list] of folders)
    add(folder, folderName(folder), folderPlace(folder), list, foldedFolders.has(folder));
  if (archived.length > 0) add(archiveKey, archive.name, "", archived, !archive.open);
  return { groups, order, height: Math.max(0, top - groupGap) };
}

export interface View {
  from: number;
  to: number;
}

const overlaps = (top: number, height: number, view: View) => top < view.to && top + height > view.from;

/** groupsIn are the folders in view, the one that holds the chat given, and the archive, which the keyboard has to reach. */
export function groupsIn(layout: Layout, view: View, always?: string): string[] {
  return layout.groups
    .filter(
      (g) =>
        overlaps(g.top, g.height, view) ||
        g.key === archiveKey ||
        headKey(g.key) === always ||
        g.rows.some((row) => row.id === always),
    )
    .map((g) => g.key);
}

/** rowsIn are the chats of a folder in view, and the one given. */
export function rowsIn(group: Group, view: View, always?: string): string[] {
  return group.rows
    .filter((row) => overlaps(group.top + row.top, row.height, view) || row.id === always)
    .map((row) => row.id);
}

/** stopsOf are the places that the arrow keys stop at: the rows, and the headings of folders that are folded. */
export function stopsOf(layout: Layout): string[] {
  return layout.groups.flatMap((group) => {
    if (group.key === archiveKey || !group.folded) return group.rows.map((row) => row.id);
    return [headKey(group.key)];
  });
}

/** placeOf is where a chat's row, or a folder's heading, stands from the top of the list. */
export function placeOf(layout: Layout, id: string): { top: number; height: number } | undefined {
  for (const group of layout.groups) {
    if (id === headKey(group.key)) return { top: group.top, height: group.rows[0]?.top ?? group.height };
    const row = group.rows.find((r) => r.id === id);
    if (row) return { top: group.top + row.top, height: row.height };
  }
  return undefined;
}
