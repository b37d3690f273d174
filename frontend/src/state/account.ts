// What follows from the account. Every function is plain, as in select.ts.

import type { State } from "./state";
import { type Account, type AccountState, type Chat, ProviderCopilot } from "./types";

/** isSignedIn tells whether an agent can be started with the account as it is known now. */
export function isSignedIn(account: Account): boolean {
  return ["valid", "unverified", "own"].includes(account.state);
}

/** What is to be done about an account that no agent can be started with. */
export type SignInNeed = "sign_in" | "no_access" | "locked";

const needs: Partial<Record<AccountState, SignInNeed>> = {
  signed_out: "sign_in",
  expired: "sign_in",
  wrong_kind: "sign_in",
  no_access: "no_access",
  locked: "locked",
};

/** needOf is what has to be done before Copilot can be used; undefined where nothing has. */
export function needOf(account: Account): SignInNeed | undefined {
  return needs[account.state];
}

/** usesGitHub tells whether what answers a chat needs the user's GitHub sign-in. */
export function usesGitHub(state: State, chat: Chat | undefined): boolean {
  if (!chat) return false;
  return chat.providerId === ProviderCopilot || state.profiles[chat.providerId]?.github === true;
}

/**
 * mainFor is who can go on with a chat without Copilot: the main AI of new
 * chats, else the first that was set up; "" where there is none.
 */
export function mainFor(state: State): string {
  const { mainId } = state.settings;
  if (mainId && state.providers[mainId]) return mainId;
  const [first] = Object.values(state.providers).sort((a, b) => a.createdAt - b.createdAt);
  return first?.id ?? "";
}
