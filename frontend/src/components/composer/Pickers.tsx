// What a chat's agent may do and how it works: the permission mode, which is
// VoxPilot's, and whatever the agent itself lets the user choose.

import Shield from "lucide-solid/icons/shield";
import { For, Show } from "solid-js";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { ConfigOption, PermissionMode } from "../../state/words";
import { words } from "../../words";
import { Icon } from "../ui/Icon";
import { Picker, type PickerChoice } from "../ui/Picker";
import { ModelPicker } from "./ModelPicker";
import { isModel } from "./options";

const modes: PermissionMode[] = ["ask", "accept_edits", "bypass"];

/** PermissionPicker says what Copilot may do in this chat without asking. */
function PermissionPicker(props: { chatId: string }) {
  const state = useStore();
  const mode = () => select.permissionMode(state, props.chatId);
  const choices: PickerChoice[] = modes.map((value) => ({
    value,
    label: words.chat.modes[value],
    body: words.chat.modeBodies[value],
  }));
  return (
    <Picker
      name={words.chat.composer.permissions}
      whole
      value={mode()}
      choices={choices}
      warn={mode() === "bypass"}
      icon={<Icon of={Shield} />}
      onChange={(value) => actions.setPermissionMode(props.chatId, value as PermissionMode)}
    />
  );
}

/** modeBody is what a mode does, of those that the protocol names. */
function modeBody(id: string): string | undefined {
  const bodies: Record<string, string> = words.chat.composer.modeBodies;
  return bodies[id.slice(id.lastIndexOf("#") + 1)];
}

/** choicesOf are the choices of an option; of a switch, on and off. */
function choicesOf(option: ConfigOption): PickerChoice[] {
  if (option.type === "boolean") {
    return [
      { value: "true", label: words.chat.composer.on, body: option.description },
      { value: "false", label: words.chat.composer.off },
    ];
  }
  return (option.choices ?? []).map((choice) => ({
    value: choice.id,
    label: choice.name,
    body: choice.description,
    group: choice.group,
  }));
}

/** Pickers are the choices in the bar of the composer. */
export function Pickers(props: { chatId: string }) {
  const state = useStore();
  // What the session main can be told has no say where a main AI answers.
  const session = () => select.answeringSession(state, props.chatId);
  const isPractice = () => select.isPractice(state.chats[props.chatId]);
  const options = () => (session()?.options ?? []).filter((option) => isPractice() || !isModel(option));
  return (
    <>
      <Show when={(session()?.modes?.length ?? 0) > 1}>
        <Picker
          name={words.chat.composer.mode}
          value={session()?.mode ?? ""}
          choices={(session()?.modes ?? []).map((mode) => ({
            value: mode.id,
            label: mode.name,
            body: modeBody(mode.id) ?? mode.description,
          }))}
          onChange={(mode) => actions.setMode(props.chatId, mode)}
        />
      </Show>
      <Show when={!isPractice()}>
        <ModelPicker chatId={props.chatId} />
      </Show>
      <For each={options()}>
        {(option) => (
          <Show when={choicesOf(option).length > 1}>
            <Picker
              name={option.name}
              value={option.value}
              choices={choicesOf(option)}
              onChange={(value) => actions.setOption(props.chatId, option.id, value)}
            />
          </Show>
        )}
      </For>
      <PermissionPicker chatId={props.chatId} />
    </>
  );
}
