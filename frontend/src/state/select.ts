// What follows from the state. Every function is plain: it reads the state it
// is given, so it is reactive with the store and testable without it.

import { words } from "../i18n";
import type { State } from "./state";
import { waitsForTrust } from "./trust";
import {
  type Chat,
  type Connection,
  type Permission,
  type PermissionMode,
  ProviderCopilot,
  ProviderPractice,
  type QueuedPrompt,
  type Session,
  SessionMain,
} from "./types";

function openPermissions(state: State, chatId: string): Permission[] {
  return Object.values(state.permissions)
    .filter((p) => p.chatId === chatId && p.state === "open")
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

/** oldestAsks are the requests that wait for an answer the longest, by their chats. */
function oldestAsks(state: State): Map<string, Permission> {
  const oldest = new Map<string, Permission>();
  for (const p of Object.values(state.permissions)) {
    if (p.state !== "open" || !state.chats[p.chatId] || state.chats[p.chatId]?.deletedAt) continue;
    if (p.createdAt < (oldest.get(p.chatId)?.createdAt ?? Number.POSITIVE_INFINITY)) oldest.set(p.chatId, p);
  }
  return oldest;
}

/** waiting are all open requests of chats that are there, the oldest first. */
function waiting(state: State): Permission[] {
  return Object.values(state.permissions)
    .filter((p) => p.state === "open" && state.chats[p.chatId] && !state.chats[p.chatId]?.deletedAt)
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

/** signIns are the chats whose agent waits for a sign-in, and since when, but those where a main AI goes on without it. */
function signIns(state: State): Map<string, number> {
  const waits = Object.values(state.connections).filter((c) => {
    const chat = state.chats[c.chatId];
    return c.state === "needs_login" && chat && !chat.deletedAt && !chat.mainId;
  });
  return new Map(waits.map((c) => [c.chatId, c.since]));
}

/** trusts are the chats whose agent waits until the user trusts the folder, and since when. */
function trusts(state: State): Map<string, number> {
  const waits = Object.values(state.connections).filter((c) => waitsForTrust(state, c.chatId));
  return new Map(waits.map((c) => [c.chatId, c.since]));
}

/** needy are the chats that wait for the user, for an answer, a sign-in or trust, the longest waiting first. */
function needy(state: State, except = ""): Chat[] {
  const since = new Map([...signIns(state), ...trusts(state)]);
  for (const [chatId, ask] of oldestAsks(state)) since.set(chatId, ask.createdAt);
  since.delete(except);
  return [...since].sort(([, a], [, b]) => a - b).map(([chatId]) => state.chats[chatId] as Chat);
}

function connection(state: State, chatId: string): Connection {
  return state.connections[chatId] ?? { chatId, state: "idle", since: 0 };
}

function mainSession(state: State, chatId: string): Session | undefined {
  return state.sessions[chatId]?.[SessionMain];
}

/** answeringSession is the session that answers the user; undefined where a main AI does. */
function answeringSession(state: State, chatId: string): Session | undefined {
  return state.chats[chatId]?.mainId ? undefined : mainSession(state, chatId);
}

/**
 * permissionMode is what the chat's agent may do now. One that was told to ask
 * nothing on its own side, by its own command or autopilot, allows everything.
 */
function permissionMode(state: State, chatId: string): PermissionMode {
  if (mainSession(state, chatId)?.allowAll) return "bypass";
  return state.chats[chatId]?.permissionMode || "ask";
}

function queue(state: State, chatId: string): QueuedPrompt[] {
  return Object.values(state.queued)
    .filter((q) => q.chatId === chatId)
    .sort((a, b) => a.pos - b.pos);
}

function isPractice(chat: Chat | undefined): boolean {
  return chat?.providerId === ProviderPractice;
}

/** answerer is the name of who answers a chat, as the user knows it. */
function answerer(state: State, chat: Chat | undefined): string {
  if (chat?.mainId) return state.providers[chat.mainId]?.name ?? words.settings.pages.model;
  if (!chat || chat.providerId === ProviderCopilot) return words.common.copilot;
  if (chat.providerId === ProviderPractice) return words.common.practice;
  return (
    state.providers[chat.providerId]?.name ??
    state.profiles[chat.providerId]?.name ??
    words.settings.pages.model
  );
}

/** mainOf is the name of the main AI that a turn is of; "" where it is Copilot's. */
function mainOf(state: State, turnId: string | undefined): string {
  const id = state.turns[turnId ?? ""]?.mainId;
  return id ? (state.providers[id]?.name ?? words.settings.pages.model) : "";
}

/** agentName is the short name of an agent: Copilot also on a model of the user's own. */
function agentName(state: State, providerId: string): string {
  return state.profiles[providerId]?.name ?? words.chat.work.copilot;
}

/** agentOf is the name of a chat's agent: of the one who works in its sessions. */
function agentOf(state: State, chatId: string): string {
  return agentName(state, state.chats[chatId]?.providerId ?? "");
}

/** responder is the short name of the model or agent that answers a chat's next message. */
function responder(state: State, chatId: string): string {
  const chat = state.chats[chatId];
  return chat?.mainId ? answerer(state, chat) : agentOf(state, chatId);
}

/** actor is the name of who works in a turn of a chat: its main AI, else its agent. */
function actor(state: State, chatId: string, turnId: string | undefined): string {
  return mainOf(state, turnId) || agentOf(state, chatId);
}

/**
 * askerOf is the agent that makes a request, by its name, and the session if work
 * was given to one: "" is the one that answers the chat.
 */
function askerOf(state: State, ask: Permission): { who: string; session: string } {
  const main = mainOf(state, ask.turnId);
  if (main !== "") return { who: main, session: "" };
  return { who: agentOf(state, ask.chatId), session: ask.session === SessionMain ? "" : ask.session };
}

/** answered is the name of who answered a turn. */
function answered(state: State, turnId: string | undefined): string {
  return actor(state, state.turns[turnId ?? ""]?.chatId ?? "", turnId);
}

/** answerers are all who can answer a chat, besides practice. */
function answerers(state: State): { id: string; name: string }[] {
  const made = [...Object.values(state.providers), ...Object.values(state.profiles)];
  return [
    { id: ProviderCopilot, name: words.common.copilot },
    ...made.sort((a, b) => a.createdAt - b.createdAt).map(({ id, name }) => ({ id, name })),
  ];
}

/** select is all of it under one name. */
export const select = {
  openPermissions,
  oldestAsks,
  waiting,
  needy,
  signIns,
  trusts,
  connection,
  mainSession,
  answeringSession,
  permissionMode,
  queue,
  isPractice,
  agentName,
  agentOf,
  actor,
  answered,
  answerer,
  responder,
  mainOf,
  askerOf,
  answerers,
};
