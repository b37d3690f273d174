// What is wrong with a chat now, if anything: one condition at a time, the one
// that has to be mended first.

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
  | "reconnecting"
  | "exited_start"
  | "gave_up"
  | "provider"
  | "failed"
  | "offline";

const needByCause: Partial<Record<Cause, SignInNeed>> = {
  not_signed_in: "sign_in",
  no_access: "no_access",
  locked: "locked",
};

/**
 * signInNeedOf is what a chat's agent needs a sign-in for. One that does not run
 * yet needs it as soon as it is started, so it is said before. What is known of
 * the account may be newer than what the agent was refused for.
 */
export function signInNeedOf(state: State, chatId: string): SignInNeed | "agent_sign_in" | undefined {
  const c = state.connections[chatId];
  const byCause = needByCause[c?.cause ?? ""];
  const waits = c?.state === "needs_login";
  // An agent with a login of its own has nothing to do with the user's account.
  if (!usesGitHub(state, state.chats[chatId])) return waits ? "agent_sign_in" : undefined;
  if (waits) return needOf(state.account) ?? byCause ?? "sign_in";
  if (c?.state === "waiting" || c?.state === "failed") return byCause;
  return !c || c.state === "idle" ? needOf(state.account) : undefined;
}

/** worksWithout tells whether a chat can do without its agent now: a main AI answers, and has given it no work. */
function worksWithout(state: State, chatId: string): boolean {
  if (!state.chats[chatId]?.mainId) return false;
  return !Object.values(state.turns).some(
    (turn) => turn.chatId === chatId && turn.blockId && turn.state === "running",
  );
}

/** conditionOf is what stands above the composer of a chat; undefined where all is well. */
export function conditionOf(state: State, chatId: string): ConditionKind | undefined {
  const c = state.connections[chatId];
  const without = worksWithout(state, chatId);
  const need = without ? undefined : signInNeedOf(state, chatId);
  if (need) return need;
  if (waitsForTrust(state, chatId)) return "trust";
  const cli = state.cli.state;
  const runs = c?.state === "ready" || c?.state === "starting" || c?.state === "restoring";
  // Another agent has a program of its own.
  if (!runs && !state.profiles[state.chats[chatId]?.providerId ?? ""]) {
    if (cli === "missing") return "missing";
    if (cli === "too_old") return "too_old";
    if (cli === "broken") return "broken";
  }
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
    default:
      return "failed";
  }
}
