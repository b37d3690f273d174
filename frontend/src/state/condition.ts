// A chat's current problem or, if there are several, the one to fix first.

import { needOf, type SignInNeed, usesGitHub } from "./account";
import type { State } from "./state";
import { waitsForTrust } from "./trust";
import type { Cause, Connection } from "./types";

export type ConditionKind =
  | SignInNeed
  | "agent_sign_in"
  | "trust"
  | "missing"
  | "too_old"
  | "broken"
  | "folder_gone"
  | "in_use"
  | "reconnecting"
  | "exited_start"
  | "gave_up"
  | "provider"
  | "no_sandbox"
  | "failed"
  | "offline";

const needByCause: Partial<Record<Cause, SignInNeed>> = {
  not_signed_in: "sign_in",
  no_access: "no_access",
  locked: "locked",
};

/**
 * signInNeedOf returns the sign-in step that a chat's agent requires, or undefined if it requires none. For a stopped
 * agent, it returns the step that the next start of the agent will require. While the agent waits for a sign-in, the
 * account's state takes precedence over the cause that the agent reported, because the account's state may be newer.
 */
export function signInNeedOf(state: State, chatId: string): SignInNeed | "agent_sign_in" | undefined {
  const c = state.connections[chatId];
  const byCause = needByCause[c?.cause ?? ""];
  const waits = c?.state === "needs_login";
  // An agent with its own login doesn't use the user's account.
  if (!usesGitHub(state, state.chats[chatId])) return waits ? "agent_sign_in" : undefined;
  if (waits) return needOf(state.account) ?? byCause ?? "sign_in";
  if (c?.state === "waiting" || c?.state === "failed") return byCause;
  return !c || c.state === "idle" ? needOf(state.account) : undefined;
}

/**
 * worksWithout reports whether a chat can currently continue without its agent: it has an orchestrator,
 * and no delegated task is running.
 */
function worksWithout(state: State, chatId: string): boolean {
  if (!state.chats[chatId]?.mainId) return false;
  return !Object.values(state.turns).some(
    (turn) => turn.chatId === chatId && turn.blockId && turn.state === "running",
  );
}

/** conditionOf returns the condition shown above the composer of a chat, or undefined if there is none. */
export function conditionOf(state: State, chatId: string): ConditionKind | undefined {
  const c = state.connections[chatId];
  const without = worksWithout(state, chatId);
  const need = without ? undefined : signInNeedOf(state, chatId);
  if (need) return need;
  if (waitsForTrust(state, chatId)) return "trust";
  const cli = state.cli.state;
  const runs = c?.state === "ready" || c?.state === "starting" || c?.state === "restoring";
  // Custom agents don't use the Copilot CLI.
  if (!runs && !state.profiles[state.chats[chatId]?.providerId ?? ""]) {
    if (cli === "missing") return "missing";
    if (cli === "too_old") return "too_old";
    if (cli === "broken") return "broken";
  }
  const isGone = c?.state === "failed" && c.cause === "folder_gone";
  if (state.sessionUses[chatId]?.holder && !isGone) return "in_use";
  if (c?.cause === "offline" && (c.state === "waiting" || c.state === "failed")) {
    return without ? undefined : "offline";
  }
  if (c?.state === "waiting") return "reconnecting";
  return c?.state === "failed" ? failedBy(c) : undefined;
}

function failedBy(c: Connection): ConditionKind | undefined {
  switch (c.cause) {
    case "not_signed_in":
    case "no_access":
    case "locked":
      return undefined;
    case "cli_missing":
      return "missing";
    case "cli_too_old":
      return "too_old";
    case "folder_gone":
      return "folder_gone";
    case "exited_start":
      return "exited_start";
    case "exited":
      return "gave_up";
    case "provider":
      return "provider";
    case "no_sandbox":
      return "no_sandbox";
    default:
      return "failed";
  }
}
