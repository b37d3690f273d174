// Values derived from the state. All functions are plain and read the state passed to them, so they are
// reactive with the store and testable without it.

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

/** oldestAsks returns the request that has waited longest in each chat. */
function oldestAsks(state: State): Map<string, Permission> {
  const oldest = new Map<string, Permission>();
  for (const p of Object.values(state.permissions)) {
    if (p.state !== "open" || !state.chats[p.chatId] || state.chats[p.chatId]?.deletedAt) continue;
    if (p.createdAt < (oldest.get(p.chatId)?.createdAt ?? Number.POSITIVE_INFINITY)) oldest.set(p.chatId, p);
  }
  return oldest;
}

/** waiting returns all open requests of existing chats, oldest first. */
function waiting(state: State): Permission[] {
  return Object.values(state.permissions)
    .filter((p) => p.state === "open" && state.chats[p.chatId] && !state.chats[p.chatId]?.deletedAt)
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

/**
 * signIns returns the chats whose agent waits for a sign-in, with the time since; chats with an
 * orchestrator, which continue without it, are excluded.
 */
function signIns(state: State): Map<string, number> {
  const waits = Object.values(state.connections).filter((c) => {
    const chat = state.chats[c.chatId];
    return c.state === "needs_login" && chat && !chat.deletedAt && !chat.mainId;
  });
  return new Map(waits.map((c) => [c.chatId, c.since]));
}

/** trusts returns the chats whose agent waits for trust in the folder, with the time since. */
function trusts(state: State): Map<string, number> {
  const waits = Object.values(state.connections).filter((c) => waitsForTrust(state, c.chatId));
  return new Map(waits.map((c) => [c.chatId, c.since]));
}

/** needy returns the chats that wait for the user's answer, sign-in or trust, longest waiting first. */
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

/** answeringSession returns the session that answers the user, or undefined if an orchestrator does. */
function answeringSession(state: State, chatId: string): Session | undefined {
  return state.chats[chatId]?.mainId ? undefined : mainSession(state, chatId);
}

/**
 * permissionMode returns the effective permission mode of the chat's agent. An agent told to ask nothing,
 * by its own command or autopilot, allows everything.
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

/** answerer returns the display name of a chat's model or agent. */
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

/** mainOf returns the name of a turn's orchestrator, or "" for a turn of the agent. */
function mainOf(state: State, turnId: string | undefined): string {
  const id = state.turns[turnId ?? ""]?.mainId;
  return id ? (state.providers[id]?.name ?? words.settings.pages.model) : "";
}

/** agentName returns the short name of an agent; it is Copilot also with a custom model. */
function agentName(state: State, providerId: string): string {
  return state.profiles[providerId]?.name ?? words.chat.work.copilot;
}

/** agentOf returns the name of the agent that runs a chat's sessions. */
function agentOf(state: State, chatId: string): string {
  return agentName(state, state.chats[chatId]?.providerId ?? "");
}

/** responder returns the short name of the model or agent for a chat's next message. */
function responder(state: State, chatId: string): string {
  const chat = state.chats[chatId];
  return chat?.mainId ? answerer(state, chat) : agentOf(state, chatId);
}

/** actor returns the name of a turn's orchestrator, or of the chat's agent. */
function actor(state: State, chatId: string, turnId: string | undefined): string {
  return mainOf(state, turnId) || agentOf(state, chatId);
}

/**
 * askerOf returns the name of the model or agent that makes a request and, for a delegated task, the
 * session; "" is the main session.
 */
function askerOf(state: State, ask: Permission): { who: string; session: string } {
  const main = mainOf(state, ask.turnId);
  if (main !== "") return { who: main, session: "" };
  return { who: agentOf(state, ask.chatId), session: ask.session === SessionMain ? "" : ask.session };
}

/** answered returns the name of the model or agent that answered a turn. */
function answered(state: State, turnId: string | undefined): string {
  return actor(state, state.turns[turnId ?? ""]?.chatId ?? "", turnId);
}

/** answerers returns all models and agents for a chat, except practice. */
function answerers(state: State): { id: string; name: string }[] {
  const made = [...Object.values(state.providers), ...Object.values(state.profiles)];
  return [
    { id: ProviderCopilot, name: words.common.copilot },
    ...made.sort((a, b) => a.createdAt - b.createdAt).map(({ id, name }) => ({ id, name })),
  ];
}

/** select groups the selectors. */
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
