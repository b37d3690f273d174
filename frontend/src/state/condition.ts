// What is wrong with a chat now, if anything: one condition at a time, the one
// that has to be mended first.

import type { State } from "./state";
import type { Connection } from "./words";

export type ConditionKind =
  | "sign_in"
  | "missing"
  | "too_old"
  | "broken"
  | "folder_gone"
  | "reconnecting"
  | "exited_start"
  | "gave_up"
  | "provider"
  | "failed";

/** conditionOf is what stands above the composer of a chat; undefined where all is well. */
export function conditionOf(state: State, chatId: string): ConditionKind | undefined {
  const c = state.connections[chatId];
  if (c?.state === "needs_login") return "sign_in";
  const cli = state.cli.state;
  const runs = c?.state === "ready" || c?.state === "starting" || c?.state === "restoring";
  if (!runs) {
    if (cli === "missing") return "missing";
    if (cli === "too_old") return "too_old";
    if (cli === "broken") return "broken";
  }
  if (c?.state === "waiting") return c.cause === "not_signed_in" ? "sign_in" : "reconnecting";
  return c?.state === "failed" ? failedBy(c) : undefined;
}

function failedBy(c: Connection): ConditionKind {
  switch (c.cause) {
    case "not_signed_in":
      return "sign_in";
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
