// What can be picked for a chat: what answers it, with which model and mode, and
// its permissions. The screen of a new chat offers its pickers to the palette.

import { createSignal, onCleanup } from "solid-js";
import type { Choice, ConfigOption, PermissionMode } from "./types";

export interface ModelSelection {
  agentId: string;
  /** The main AI in front of the agent, or "". */
  mainId: string;
  /** What the agent lets the user choose. */
  options: readonly ConfigOption[];
}

export interface ModelPickerProps extends ModelSelection {
  /** What practice does, where it can be chosen; else whoever answers in it goes on to. */
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
}

const [first, setFirst] = createSignal<PickersProps>();

/** firstPickers are what a chat that is not made yet can begin with, while its screen is there. */
export { first as firstPickers };

/** offerNewChatPickers has the palette lead to what the pickers of a new chat can choose, until their screen goes. */
export function offerNewChatPickers(pickers: PickersProps): void {
  setFirst(pickers);
  onCleanup(() => setFirst(undefined));
}
