// Where every row of the chat list stands. Heights are known from the design,
// so a list of thousands is laid out without measuring and only what is in
// view is drawn.

import type { Chat } from "../../state/words";
import { folderName, folderPlace } from "../ui/path";

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

const headHeight = 26;
const rowHeight = 30;
const tallRowHeight = 46;
const groupGap = 12;

export interface Row {
  id: string;
  /** From the top of its group. */
  top: number;
  height: number;
}

export interface Group {
  folder: string;
  name: string;
  place: string;
  /** From the top of the list. */
  top: number;
  height: number;
  rows: Row[];
}

export interface Layout {
  groups: Group[];
  height: number;
  /** Chat ids from top to bottom. */
  order: string[];
}

/** layOut sorts chats into folders, both by last activity, and places them. */
export function layOut(chats: readonly Chat[], waiting: ReadonlySet<string>): Layout {
  const byFolder = new Map<string, Chat[]>();
  for (const chat of [...chats].sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1))) {
    const list = byFolder.get(chat.folder);
    if (list) list.push(chat);
    else byFolder.set(chat.folder, [chat]);
  }
  // A Map keeps the order of insertion, so the folder of the newest chat is first.
  const groups: Group[] = [];
  const order: string[] = [];
  let top = 0;
  for (const [folder, list] of byFolder) {
    const rows: Row[] = [];
    let at = headHeight;
    for (const chat of list) {
      const height = secondLine(chat, rowState(chat, waiting.has(chat.id))) ? tallRowHeight : rowHeight;
      rows.push({ id: chat.id, top: at, height });
      order.push(chat.id);
      at += height;
    }
    groups.push({ folder, name: folderName(folder), place: folderPlace(folder), top, height: at, rows });
    top += at + groupGap;
  }
  return { groups, order, height: Math.max(0, top - groupGap) };
}

export interface View {
  from: number;
  to: number;
}

const overlaps = (top: number, height: number, view: View) => top < view.to && top + height > view.from;

/** groupsIn are the folders in view, and the one that holds the chat given. */
export function groupsIn(layout: Layout, view: View, always?: string): string[] {
  return layout.groups
    .filter((g) => overlaps(g.top, g.height, view) || g.rows.some((row) => row.id === always))
    .map((g) => g.folder);
}

/** rowsIn are the chats of a folder in view, and the one given. */
export function rowsIn(group: Group, view: View, always?: string): string[] {
  return group.rows
    .filter((row) => overlaps(group.top + row.top, row.height, view) || row.id === always)
    .map((row) => row.id);
}

/** placeOf is where a chat's row stands from the top of the list. */
export function placeOf(layout: Layout, id: string): { top: number; height: number } | undefined {
  for (const group of layout.groups) {
    const row = group.rows.find((r) => r.id === id);
    if (row) return { top: group.top + row.top, height: row.height };
  }
  return undefined;
}
