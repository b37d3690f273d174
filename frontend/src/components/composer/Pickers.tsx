// The options of a chat: its model or agent, the agent's mode, and VoxPilot's permissions.

import { Show } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import type { PickersProps } from "../../state/pickers";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { ProviderCopilot } from "../../state/types";
import { Picker } from "../ui/Picker";
import { ModelPicker } from "./ModelPicker";
import { PermissionPicker } from "./PermissionPicker";

/** modeBody returns VoxPilot's description of a mode, or undefined for a mode that ACP doesn't define. */
function modeBody(id: string): string | undefined {
  const bodies: Record<string, string> = messages.composer.modeBodies;
  return bodies[id.slice(id.lastIndexOf("#") + 1)];
}

/** Pickers shows the options in the bar of a message field. */
export function Pickers(props: PickersProps) {
  const state = useStore();
  const modes = () => {
    if (props.mainId) return [];
    const isKnown = props.modes.some((mode) => mode.id === props.mode);
    // The initial mode may be unknown before an agent runs.
    return isKnown || props.mode !== ""
      ? props.modes
      : [{ id: "", name: messages.newChat.modeOwn }, ...props.modes];
  };
  return (
    <>
      <Show when={modes().length > 1}>
        <Picker
          name={messages.composer.mode}
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
        agentId={props.agentId}
        agent={select.agentName(state, props.agentId)}
        mode={props.permission}
        sandbox={props.sandbox}
        onChange={(mode) => props.onPermission(mode)}
        onSandbox={(sandbox) => props.onSandbox(sandbox)}
      />
    </>
  );
}

/** ChatPickers shows the options of a chat. The agent's options have no effect with an orchestrator. */
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
      sandbox={chat()?.sandbox ?? {}}
      onAgent={(agent) => actions.selectResponder(props.chatId, { agent })}
      onMain={(main) => actions.selectResponder(props.chatId, { main })}
      onModel={(option, value) => actions.selectResponder(props.chatId, { option, value })}
      onOption={(option, value) => actions.setOption(props.chatId, option, value)}
      onMode={(mode) => actions.setMode(props.chatId, mode)}
      onPermission={(mode) => actions.setPermissionMode(props.chatId, mode)}
      onSandbox={(sandbox) => actions.setSandbox(props.chatId, sandbox)}
    />
  );
}
