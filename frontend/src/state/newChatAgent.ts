// Defaults of a new chat. backend/engine/chats.go applies the same rule to chats created without the
// page.

import { needOf, usesGitHub } from "./account";
import type { State } from "./state";
import { type Chat, ProviderCopilot, ProviderPractice } from "./types";

/**
 * NewChatAgent holds the IDs of the agent and the orchestrator of a new chat. `mainId` is "" if the agent
 * itself answers.
 */
export interface NewChatAgent {
  agent: string;
  mainId: string;
}

/** needsSignIn reports whether an agent requires a sign-in before it can answer. */
function needsSignIn(state: State, agent: string): boolean {
  if (usesGitHub(state, { providerId: agent } as Chat)) return needOf(state.account) !== undefined;
  return Object.values(state.chats).some(
    (chat) => chat.providerId === agent && state.connections[chat.id]?.state === "needs_login",
  );
}

/**
 * newChatAgent returns the agent and orchestrator for a new chat: those of the most recent chat that could
 * continue now, preferably one whose last turn is done. An orchestrator chosen in the settings takes
 * precedence. Without such a chat, the agent is Copilot or, if Copilot needs a sign-in first, the oldest of
 * the user's own models and agents that needs none. Practice is the last resort, and only for users who have
 * practiced before and haven't requested a folder other than the practice folder.
 */
export function newChatAgent(state: State, requestedFolder?: string): NewChatAgent {
  const chats = Object.values(state.chats)
    .filter((chat) => !chat.deletedAt)
    .sort((a, b) => b.updatedAt - a.updatedAt);
  const isSetUp = (id: string) =>
    id === ProviderCopilot || state.providers[id] !== undefined || state.profiles[id] !== undefined;
  const mainOf = (chat: Chat) => (chat.mainId && state.providers[chat.mainId] ? chat.mainId : "");
  const canAnswer = (chat: Chat) =>
    isSetUp(chat.providerId) && (mainOf(chat) !== "" || !needsSignIn(state, chat.providerId));
  const last =
    chats.find((chat) => chat.turnState === "done" && canAnswer(chat)) ??
    chats.find((chat) => canAnswer(chat));
  const { mainId = "" } = state.settings;
  const main = state.providers[mainId] ? mainId : last ? mainOf(last) : "";
  if (last) return { agent: last.providerId, mainId: main };
  const made = [...Object.values(state.providers), ...Object.values(state.profiles)]
    .sort((a, b) => a.createdAt - b.createdAt)
    .map(({ id }) => id);
  const ready = [ProviderCopilot, ...made].find((id) => main !== "" || !needsSignIn(state, id));
  const practised = chats.find((chat) => chat.providerId === ProviderPractice);
  const practices = practised && (requestedFolder ?? practised.folder) === practised.folder;
  return { agent: ready ?? (practices ? ProviderPractice : ProviderCopilot), mainId: main };
}
