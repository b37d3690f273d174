// What follows from the state. Every function is plain: it reads the state it
// is given, so it is reactive with the store and testable without it.

import type { State } from "./state";
import {
  type Chat,
  type Connection,
  type Permission,
  ProviderCopilot,
  ProviderPractice,
  type Queued,
  type Session,
  SessionMain,
} from "./words";

/** How a chat stands in the list, the most urgent first. */
export type ChatState = "attn" | "failed" | "running" | "unread" | "idle";

/** The chats of one folder. */
export interface FolderGroup {
  folder: string;
  /** The folder's own name. */
  name: string;
  /** Where it is. */
  parent: string;
  chats: Chat[];
  updatedAt: number;
}

/** What the connection pill shows. */
export type PillState = "connected" | "reconnecting" | "signin" | "offline";

/** baseName is the last part of a path, on either kind of system. */
export function baseName(path: string): string {
  const parts = path.split(/[\\/]+/).filter((part) => part !== "");
  return parts.at(-1) ?? path;
}

/** dirName is a path without its last part. */
export function dirName(path: string): string {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return at > 0 ? path.slice(0, at) : path.slice(0, at + 1);
}

function openPermissions(state: State, chatId: string): Permission[] {
  return Object.values(state.permissions)
    .filter((p) => p.chatId === chatId && p.state === "open")
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

function chatState(state: State, chat: Chat): ChatState {
  const asks = Object.values(state.permissions).some((p) => p.chatId === chat.id && p.state === "open");
  if (asks) return "attn";
  if (chat.turnState === "failed" || chat.turnState === "interrupted") return "failed";
  if (chat.turnState === "running") return "running";
  return chat.unread ? "unread" : "idle";
}

function folders(state: State): FolderGroup[] {
  const groups = new Map<string, FolderGroup>();
  for (const chat of Object.values(state.chats)) {
    let group = groups.get(chat.folder);
    if (!group) {
      group = {
        folder: chat.folder,
        name: baseName(chat.folder),
        parent: dirName(chat.folder),
        chats: [],
        updatedAt: 0,
      };
      groups.set(chat.folder, group);
    }
    group.chats.push(chat);
    group.updatedAt = Math.max(group.updatedAt, chat.updatedAt);
  }
  for (const group of groups.values()) group.chats.sort((a, b) => b.updatedAt - a.updatedAt);
  return [...groups.values()].sort((a, b) => b.updatedAt - a.updatedAt);
}

/** needy are the chats that wait for an answer, the longest waiting first. */
function needy(state: State, except = ""): Chat[] {
  const since = new Map<string, number>();
  for (const p of Object.values(state.permissions)) {
    if (p.state !== "open" || p.chatId === except || !state.chats[p.chatId]) continue;
    since.set(p.chatId, Math.min(since.get(p.chatId) ?? p.createdAt, p.createdAt));
  }
  return [...since.keys()]
    .sort((a, b) => (since.get(a) ?? 0) - (since.get(b) ?? 0))
    .map((id) => state.chats[id] as Chat);
}

function connection(state: State, chatId: string): Connection {
  return state.connections[chatId] ?? { chatId, state: "idle", since: 0 };
}

function pill(c: Connection): PillState {
  switch (c.state) {
    case "ready":
    case "idle":
      return "connected";
    case "needs_login":
      return "signin";
    case "failed":
      return "offline";
    default:
      return "reconnecting";
  }
}

function mainSession(state: State, chatId: string): Session | undefined {
  return state.sessions[chatId]?.[SessionMain];
}

function queue(state: State, chatId: string): Queued[] {
  return Object.values(state.queued)
    .filter((q) => q.chatId === chatId)
    .sort((a, b) => a.pos - b.pos);
}

function isPractice(chat: Chat | undefined): boolean {
  return chat?.providerId === ProviderPractice;
}

/** answerer is the name of who answers a chat, as the user knows it. */
function answerer(state: State, chat: Chat | undefined): string {
  if (!chat || chat.providerId === ProviderCopilot) return "GitHub Copilot";
  if (chat.providerId === ProviderPractice) return "Practice";
  return state.providers[chat.providerId]?.name ?? "Your own model";
}

/** select is all of it under one name. */
export const select = {
  openPermissions,
  chatState,
  folders,
  needy,
  connection,
  pill,
  mainSession,
  queue,
  isPractice,
  answerer,
};
