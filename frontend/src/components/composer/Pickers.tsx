// What a chat's agent may do and how it works: who answers and with which
// model, the agent's mode, and the permissions, which are VoxPilot's.

import { Show } from "solid-js";
import { words } from "../../i18n";
import { actions } from "../../state/actions";
import type { PickersProps } from "../../state/pickers";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { ProviderCopilot } from "../../state/types";
import { Picker } from "../ui/Picker";
import { ModelPicker } from "./ModelPicker";
import { PermissionPicker } from "./PermissionPicker";

/** modeBody is what a mode does, of those that the protocol names. */
function modeBody(id: string): string | undefined {
  const bodies: Record<string, string> = words.composer.modeBodies;
  return bodies[id.slice(id.lastIndexOf("#") + 1)];
}

/** Pickers are the choices in the bar of a field that messages are written in. */
export function Pickers(props: PickersProps) {
  const state = useStore();
  const modes = () => {
    if (props.mainId) return [];
    const isKnown = props.modes.some((mode) => mode.id === props.mode);
    // Before an agent runs, how it begins need not be known.
    return isKnown || props.mode !== ""
      ? props.modes
      : [{ id: "", name: words.newChat.modeOwn }, ...props.modes];
  };
  return (
    <>
      <Show when={modes().length > 1}>
        <Picker
          name={words.composer.mode}
          value={props.mode}
          choices={modes().map((mode) => ({
            value: mode.id,
            label: mode.name,
            body: modeBody(mode.id) ?? mode.description,
          }))}
          onChange={(mode) => props.onMode(mode)}
        />
      </Show>
      <ModelPicker {...props} />
      <PermissionPicker
        agent={select.agentName(state, props.agentId)}
        mode={props.permission}
        onChange={(mode) => props.onPermission(mode)}
      />
    </>
  );
}

/** ChatPickers are those of a chat. What its agent can be told has no say where a main AI answers. */
export function ChatPickers(props: { chatId: string }) {
  const state = useStore();
  const chat = () => state.chats[props.chatId];
  const session = () => select.mainSession(state, props.chatId);
  return (
    <Pickers
      agentId={chat()?.providerId ?? ProviderCopilot}
      mainId={chat()?.mainId ?? ""}
      options={session()?.options ?? []}
      modes={session()?.modes ?? []}
      mode={session()?.mode ?? ""}
      permission={select.permissionMode(state, props.chatId)}
      onAgent={(agent) => actions.answerBy(props.chatId, { agent })}
      onMain={(main) => actions.answerBy(props.chatId, { main })}
      onModel={(option, value) => actions.answerBy(props.chatId, { option, value })}
      onOption={(option, value) => actions.setOption(props.chatId, option, value)}
      onMode={(mode) => actions.setMode(props.chatId, mode)}
      onPermission={(mode) => actions.setPermissionMode(props.chatId, mode)}
    />
  );
}
