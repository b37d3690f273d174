// The dialog for an agent's own sign-in. The banner of a chat and the settings open the same dialog.

import { createSignal } from "solid-js";
import type { AgentSignIn, AuthMethod } from "./types";

/** The open dialog: the agent, and the sign-in method, or "" while the user chooses one. */
export interface AgentDialog {
  profileId: string;
  methodId: string;
}

const [dialog, setDialog] = createSignal<AgentDialog>();

/** agentDialog returns the open dialog, or undefined if none is open. */
export { dialog as agentDialog };

/** openAgentSignIn opens the dialog for a sign-in method or, if methodId is "", for the choice of a method. */
export const openAgentSignIn = (profileId: string, methodId: string): void =>
  void setDialog({ profileId, methodId });

/** closeAgentSignIn closes the dialog. A running sign-in continues. */
export const closeAgentSignIn = (): void => void setDialog(undefined);

/** usableMethods returns the methods with which VoxPilot can sign in. */
export function usableMethods(signIn: AgentSignIn | undefined): AuthMethod[] {
  return (signIn?.methods ?? []).filter((method) => method.kind !== "unknown");
}

/** needsDialog reports whether a method needs input from the user, which is entered in a dialog. */
export function needsDialog(method: AuthMethod): boolean {
  return method.kind === "env_var" || method.kind === "terminal";
}

/** commandLine returns the command of a terminal method as it is typed in a shell. */
export function commandLine(method: AuthMethod): string {
  return [...(method.env ?? []), method.program ?? "", ...(method.args ?? [])].map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
