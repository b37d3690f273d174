// What Copilot may do in a chat without asking.

import Shield from "lucide-solid/icons/shield";
import { createSignal } from "solid-js";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { PermissionMode } from "../../state/words";
import { words } from "../../words";
import { Ask } from "../ui/Dialog";
import { Icon } from "../ui/Icon";
import { Picker, type PickerChoice } from "../ui/Picker";

const modes: PermissionMode[] = ["ask", "accept_edits", "bypass"];

/** PermissionPicker is amber while nothing asks; that is asked about before. */
export function PermissionPicker(props: { chatId: string }) {
  const state = useStore();
  const [asks, setAsks] = createSignal(false);
  const mode = () => select.permissionMode(state, props.chatId);
  const choices: PickerChoice[] = modes.map((value) => ({
    value,
    label: words.chat.modes[value],
    body: words.chat.modeBodies[value],
  }));
  return (
    <>
      <Picker
        name={words.composer.permissions}
        whole
        value={mode()}
        choices={choices}
        warn={mode() === "bypass"}
        icon={<Icon of={Shield} />}
        onChange={(value) => {
          if (value === "bypass") setAsks(true);
          else actions.setPermissionMode(props.chatId, value as PermissionMode);
        }}
      />
      <Ask
        open={asks()}
        title={words.composer.allow.title}
        body={words.composer.allow.body}
        confirm={words.composer.allow.confirm}
        onConfirm={() => {
          setAsks(false);
          actions.setPermissionMode(props.chatId, "bypass");
        }}
        onClose={() => setAsks(false)}
      />
    </>
  );
}
