// Pure functions that derive values from the account.

import type { State } from "./state";
import { type Account, type AccountState, type Chat, ProviderCopilot } from "./types";

/** isSignedIn reports whether the account's state allows an agent to start. */
export function isSignedIn(account: Account): boolean {
  return ["valid", "unverified", "own"].includes(account.state);
}

/** The step required before an agent can be started. */
export type SignInNeed = "sign_in" | "no_access" | "locked";

const needs: Partial<Record<AccountState, SignInNeed>> = {
  signed_out: "sign_in",
  expired: "sign_in",
  wrong_kind: "sign_in",
  no_access: "no_access",
  locked: "locked",
};

/** needOf returns the step required before Copilot can be used, or undefined if no step is required. */
export function needOf(account: Account): SignInNeed | undefined {
  return needs[account.state];
}

/** usesGitHub reports whether a chat's model or agent needs the user's GitHub sign-in. */
export function usesGitHub(state: State, chat: Chat | undefined): boolean {
  if (!chat) return false;
  return chat.providerId === ProviderCopilot || state.profiles[chat.providerId]?.github === true;
}

/**
 * orchestratorFor returns the orchestrator that can continue a chat without Copilot: the default for new chats if there
 * is one, otherwise the provider that was added first. It returns "" if there are no providers.
 */
export function orchestratorFor(state: State): string {
  const { mainId } = state.settings;
  if (mainId && state.providers[mainId]) return mainId;
  const [first] = Object.values(state.providers).sort((a, b) => a.createdAt - b.createdAt);
  return first?.id ?? "";
}
