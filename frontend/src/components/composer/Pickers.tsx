// What a chat's agent may do and how it works: who answers and with which
// model, the agent's mode, and the permissions, which are VoxPilot's.

import { Show } from "solid-js";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { words } from "../../words";
import { Picker } from "../ui/Picker";
import { ModelPicker } from "./ModelPicker";
import { PermissionPicker } from "./PermissionPicker";

/** modeBody is what a mode does, of those that the protocol names. */
function modeBody(id: string): string | undefined {
  const bodies: Record<string, string> = words.composer.modeBodies;
  return bodies[id.slice(id.lastIndexOf("#") + 1)];
}

/** Pickers are the choices in the bar of the composer. */
export function Pickers(props: { chatId: string }) {
  const state = useStore();
  // What the session main can be told has no say where a main AI answers.
  const session = () => select.answeringSession(state, props.chatId);
  return (
    <>
      <Show when={(session()?.modes?.length ?? 0) > 1}>
        <Picker
          name={words.composer.mode}
          value={session()?.mode ?? ""}
          choices={(session()?.modes ?? []).map((mode) => ({
            value: mode.id,
            label: mode.name,
            body: modeBody(mode.id) ?? mode.description,
          }))}
          onChange={(mode) => actions.setMode(props.chatId, mode)}
        />
      </Show>
      <ModelPicker chatId={props.chatId} />
      <PermissionPicker chatId={props.chatId} />
    </>
  );
}
