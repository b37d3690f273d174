// Options declared by an agent, converted to a picker's choices.

import { messages } from "../../i18n";
import type { ConfigOption } from "../../state/types";
import type { PickerChoice } from "../ui/Picker";

/** isModel reports whether an option selects the model. */
export function isModel(option: ConfigOption): boolean {
  return option.type === "select" && (option.category === "model" || option.id === "model");
}

/**
 * choicesOf returns the choices for an option, grouped under the option's name. For a switch, the choices
 * are on and off.
 */
export function choicesOf(option: ConfigOption): PickerChoice[] {
  const choices: PickerChoice[] =
    option.type === "boolean"
      ? [
          { value: "true", label: messages.composer.on, body: option.description },
          { value: "false", label: messages.composer.off },
        ]
      : (option.choices ?? []).map(({ id, name, description }) => ({
          value: id,
          label: name,
          body: description,
        }));
  return choices.map((choice) => ({ ...choice, group: option.name }));
}
