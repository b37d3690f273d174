// Layout of the chat list. Row heights are fixed by the design, so a list of thousands of chats needs no
// measuring, and only visible rows are rendered.

import { folderName, parentFolder } from "../lib/path";
import type { TextSize } from "./textSize";
import type { Chat } from "./types";

export type RowState = "attn" | "failed" | "running" | "unread" | "idle";

/**
 * rowState returns the state of a chat's row; waiting for the user takes precedence over failed, running
 * and unread.
 */
export function rowState(chat: Chat, waits: boolean): RowState {
  if (waits) return "attn";
  if (chat.turnState === "failed" || chat.turnState === "interrupted") return "failed";
  if (chat.turnState === "running") return "running";
  return chat.unread ? "unread" : "idle";
}

/**
 * secondLine reports whether a row has a detail line: its chat must not be idle and must have details to
 * show.
 */
export function secondLine(chat: Chat, state: RowState): boolean {
  return state !== "idle" && (chat.detail ?? "") !== "";
}

/** Row heights in pixels by text size, as in the styles. */
const heights: Record<TextSize, { head: number; row: number; tall: number }> = {
  small: { head: 24, row: 28, tall: 43 },
  normal: { head: 26, row: 30, tall: 46 },
  large: { head: 30, row: 34, tall: 50 },
  larger: { head: 34, row: 38, tall: 56 },
};
const groupGap = 12;

export interface Row {
  id: string;
  /** The row's distance from the top of its group. */
  top: number;
  height: number;
}

export interface Group {
  /** The path of the folder, or archiveKey. */
  key: string;
  name: string;
  place: string;
  /** Number of chats in the group, even if the group is collapsed. */
  count: number;
  folded: boolean;
  /** The most urgent state of the chats in a collapsed group; "idle" for an expanded group. */
  state: RowState;
  /** Distance from the top of the list. */
  top: number;
  height: number;
  rows: Row[];
}

/** archiveKey is the key of the group of archived chats; it can't be a folder name. */
export const archiveKey = "\0archive";

export interface Layout {
  groups: Group[];
  height: number;
  /** IDs of the visible chats from top to bottom. */
  order: string[];
}

const byActivity = (a: Chat, b: Chat) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1);

/**
 * grouped returns the unarchived chats by folder and, separately, the archived ones. Folders and chats
 * are sorted by last activity, with pinned chats first in their folder.
 */
function grouped(chats: readonly Chat[]): { folders: Map<string, Chat[]>; archived: Chat[] } {
  const archived: Chat[] = [];
  // A Map keeps insertion order, so the folder of the most recent chat is first.
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
  // The sort is stable, so pinned and other chats stay sorted by last activity.
  for (const list of folders.values()) list.sort((a, b) => Number(!!b.pinned) - Number(!!a.pinned));
  return { folders, archived };
}

/** inOrder returns the chats in list order, without archived ones. */
export function inOrder(chats: readonly Chat[]): Chat[] {
  return [...grouped(chats).folders.values()].flat();
}

/** matches reports whether each word of the filter is in a chat's title or folder. */
export function matches(chat: Chat, title: string, filter: string): boolean {
  const text = `${title}\n${chat.folder}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const byUrgency: readonly RowState[] = ["attn", "failed", "running", "unread", "idle"];

/** headKey returns the key of a folder's heading for keyboard navigation. */
export const headKey = (group: string): string => `\0head ${group}`;

/**
 * layOut computes the positions of the chats. Archived chats come last, collapsed or expanded; rows of
 * collapsed folders are omitted.
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
    add(folder, folderName(folder), parentFolder(folder), list, foldedFolders.has(folder));
  if (archived.length > 0) add(archiveKey, archive.name, "", archived, !archive.open);
  return { groups, order, height: Math.max(0, top - groupGap) };
}

export interface View {
  from: number;
  to: number;
}

const overlaps = (top: number, height: number, view: View) => top < view.to && top + height > view.from;

/**
 * groupsIn returns the keys of the groups to render: the groups in view, the archive, and the folder whose
 * heading or chat has the key `always`. The last two must stay reachable by keyboard.
 */
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

/**
 * rowsIn returns the IDs of the group's chats to render: the chats in view and, if the group contains it, the
 * chat with the ID `always`.
 */
export function rowsIn(group: Group, view: View, always?: string): string[] {
  return group.rows
    .filter((row) => overlaps(group.top + row.top, row.height, view) || row.id === always)
    .map((row) => row.id);
}

/**
 * stopsOf returns the stops of the arrow keys in order: the IDs of the rows, and the heading keys of
 * collapsed folders.
 */
export function stopsOf(layout: Layout): string[] {
  return layout.groups.flatMap((group) => {
    if (group.key === archiveKey || !group.folded) return group.rows.map((row) => row.id);
    return [headKey(group.key)];
  });
}

/**
 * positionOf returns the height of a chat's row or a folder's heading, and its distance from the top of the
 * list, in pixels. It returns undefined if the list doesn't contain the row or heading.
 */
export function positionOf(layout: Layout, id: string): { top: number; height: number } | undefined {
  for (const group of layout.groups) {
    if (id === headKey(group.key)) return { top: group.top, height: group.rows[0]?.top ?? group.height };
    const row = group.rows.find((r) => r.id === id);
    if (row) return { top: group.top + row.top, height: row.height };
  }
  return undefined;
}
