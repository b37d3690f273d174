// The permission mode of a chat's agents.

import Shield from "lucide-solid/icons/shield";
import { createSignal } from "solid-js";
import { messages } from "../../i18n";
import { provide } from "../../state/commands";
import { useStore } from "../../state/store";
import type { PermissionMode } from "../../state/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Icon } from "../ui/Icon";
import { Picker, type PickerChoice } from "../ui/Picker";

const modes: PermissionMode[] = ["ask", "accept_edits", "bypass"];

/**
 * modeBody describes a permission mode. Whether files outside the folder are included depends on a
 * separate setting.
 */
function modeBody(mode: PermissionMode, askOutside: boolean): string {
  return mode === "bypass" && !askOutside
    ? messages.chat.modeBodies.bypassOutside
    : messages.chat.modeBodies[mode];
}

/**
 * PermissionPicker selects the permission mode. It is amber while everything is allowed; selecting the
 * mode that allows everything requires confirmation.
 */
export function PermissionPicker(props: {
  agent: string;
  mode: PermissionMode;
  onChange: (mode: PermissionMode) => void;
}) {
  const [asks, setAsks] = createSignal(false);
  provide("allowAll", () => setAsks(true));
  const state = useStore();
  const choices = (): PickerChoice[] =>
    modes.map((value) => ({
      value,
      label: messages.chat.modes[value],
      body: modeBody(value, state.settings.askOutside),
    }));
  return (
    <>
      <Picker
        name={messages.composer.permissions}
        noTruncation
        value={props.mode}
        choices={choices()}
        warn={props.mode === "bypass"}
        icon={<Icon of={Shield} />}
        onChange={(value) => {
          if (value === "bypass") setAsks(true);
          else props.onChange(value as PermissionMode);
        }}
      />
      <ConfirmDialog
        open={asks()}
        title={messages.composer.allow.title}
        body={messages.composer.allow.body(props.agent, state.settings.askOutside)}
        confirm={messages.composer.allow.confirm}
        onConfirm={() => {
          setAsks(false);
          props.onChange("bypass");
        }}
        onClose={() => setAsks(false)}
      />
    </>
  );
}
