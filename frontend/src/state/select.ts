// Values derived from the state. All functions are plain and read the state passed to them, so they are
// reactive with the store and testable without it.

import { messages } from "../i18n";
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

/** oldestRequests returns the oldest open request of each chat, by chat ID. */
function oldestRequests(state: State): Map<string, Permission> {
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
 * signInWaits returns the time at which each chat's agent started waiting for a sign-in, by chat ID.
 * Chats with an orchestrator are excluded, because they continue without the agent.
 */
function signInWaits(state: State): Map<string, number> {
  const waits = Object.values(state.connections).filter((c) => {
    const chat = state.chats[c.chatId];
    return c.state === "needs_login" && chat && !chat.deletedAt && !chat.mainId;
  });
  return new Map(waits.map((c) => [c.chatId, c.since]));
}

/**
 * trustWaits returns the time at which each chat's agent started waiting for the user to trust the
 * folder, by chat ID.
 */
function trustWaits(state: State): Map<string, number> {
  const waits = Object.values(state.connections).filter((c) => waitsForTrust(state, c.chatId));
  return new Map(waits.map((c) => [c.chatId, c.since]));
}

/**
 * needsAttention returns the chats that are waiting for the user's answer, sign-in or trust, longest wait
 * first. It leaves out the chat whose ID is `except`.
 */
function needsAttention(state: State, except = ""): Chat[] {
  const since = new Map([...signInWaits(state), ...trustWaits(state)]);
  for (const [chatId, request] of oldestRequests(state)) since.set(chatId, request.createdAt);
  since.delete(except);
  return [...since].sort(([, a], [, b]) => a - b).map(([chatId]) => state.chats[chatId] as Chat);
}

function connection(state: State, chatId: string): Connection {
  return state.connections[chatId] ?? { chatId, state: "idle", since: 0 };
}

function mainSession(state: State, chatId: string): Session | undefined {
  return state.sessions[chatId]?.[SessionMain];
}

/** answeringSession returns the session that answers the user, or undefined if an orchestrator answers. */
function answeringSession(state: State, chatId: string): Session | undefined {
  return state.chats[chatId]?.mainId ? undefined : mainSession(state, chatId);
}

/**
 * permissionMode returns the permission mode that is in effect for a chat. The mode is "bypass" if the agent never
 * asks because its own allow_all or autopilot is on.
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

/** modelOrAgent returns the display name of a chat's model or agent. */
function modelOrAgent(state: State, chat: Chat | undefined): string {
  if (chat?.mainId) return state.providers[chat.mainId]?.name ?? messages.settings.pages.model;
  if (!chat || chat.providerId === ProviderCopilot) return messages.common.copilot;
  if (chat.providerId === ProviderPractice) return messages.common.practice;
  return (
    state.providers[chat.providerId]?.name ??
    state.profiles[chat.providerId]?.name ??
    messages.settings.pages.model
  );
}

/** orchestratorOf returns the name of a turn's orchestrator, or "" for a turn of the agent. */
function orchestratorOf(state: State, turnId: string | undefined): string {
  const id = state.turns[turnId ?? ""]?.mainId;
  return id ? (state.providers[id]?.name ?? messages.settings.pages.model) : "";
}

/**
 * agentName returns the short name of an agent. It is "Copilot" unless `providerId` is the ID of a custom
 * agent.
 */
function agentName(state: State, providerId: string): string {
  return state.profiles[providerId]?.name ?? messages.chat.work.copilot;
}

/** agentOf returns the name of the agent that runs a chat's sessions. */
function agentOf(state: State, chatId: string): string {
  return agentName(state, state.chats[chatId]?.providerId ?? "");
}

/** responder returns the short name of the model or agent that will answer a chat's next message. */
function responder(state: State, chatId: string): string {
  const chat = state.chats[chatId];
  return chat?.mainId ? modelOrAgent(state, chat) : agentOf(state, chatId);
}

/** actor returns the name of a turn's orchestrator or, if it has none, of the chat's agent. */
function actor(state: State, chatId: string, turnId: string | undefined): string {
  return orchestratorOf(state, turnId) || agentOf(state, chatId);
}

/**
 * requesterOf returns the name of the model or agent that made a request, and the name of its session. The
 * session is "" unless a delegated task made the request.
 */
function requesterOf(state: State, request: Permission): { who: string; session: string } {
  const main = orchestratorOf(state, request.turnId);
  if (main !== "") return { who: main, session: "" };
  return {
    who: agentOf(state, request.chatId),
    session: request.session === SessionMain ? "" : request.session,
  };
}

/** answeredBy returns the name of the model or agent that answered in a turn. */
function answeredBy(state: State, turnId: string | undefined): string {
  return actor(state, state.turns[turnId ?? ""]?.chatId ?? "", turnId);
}

/** responders returns all models and agents that can answer a chat, except practice. */
function responders(state: State): { id: string; name: string }[] {
  const made = [...Object.values(state.providers), ...Object.values(state.profiles)];
  return [
    { id: ProviderCopilot, name: messages.common.copilot },
    ...made.sort((a, b) => a.createdAt - b.createdAt).map(({ id, name }) => ({ id, name })),
  ];
}

/** select holds the functions that derive values from the state. */
export const select = {
  openPermissions,
  oldestRequests,
  waiting,
  needsAttention,
  signInWaits,
  trustWaits,
  connection,
  mainSession,
  answeringSession,
  permissionMode,
  queue,
  isPractice,
  agentName,
  agentOf,
  actor,
  answeredBy,
  modelOrAgent,
  responder,
  orchestratorOf,
  requesterOf,
  responders,
};
