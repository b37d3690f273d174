// Choices for a chat: its model or agent, mode and permissions. The new chat screen makes its pickers
// available to the palette.

import { createSignal, onCleanup } from "solid-js";
import type { Choice, ConfigOption, PermissionMode, Sandbox } from "./types";

export interface ModelSelection {
  agentId: string;
  /** The ID of the orchestrator, or "" if the agent itself answers. */
  mainId: string;
  /** The agent's configuration options. */
  options: readonly ConfigOption[];
}

export interface ModelPickerProps extends ModelSelection {
  /** Description of the practice agent in the list; undefined if it can't be chosen. */
  practice?: string;
  onAgent: (id: string) => void;
  onMain: (id: string) => void;
  onModel: (option: string, value: string) => void;
  onOption: (option: string, value: string) => void;
}

export interface PickersProps extends ModelPickerProps {
  modes: readonly Choice[];
  mode: string;
  onMode: (mode: string) => void;
  permission: PermissionMode;
  onPermission: (mode: PermissionMode) => void;
  sandbox: Sandbox;
  onSandbox: (sandbox: Sandbox) => void;
}

const [first, setFirst] = createSignal<PickersProps>();

/** firstPickers holds the pickers of the new chat screen while that screen is mounted. */
export { first as firstPickers };

/** offerNewChatPickers exposes the pickers of a new chat to the palette until their screen unmounts. */
export function offerNewChatPickers(pickers: PickersProps): void {
  setFirst(pickers);
  onCleanup(() => setFirst(undefined));
}
