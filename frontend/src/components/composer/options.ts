// The options that an agent declares, as choices of a picker.

import { words } from "../../i18n";
import type { ConfigOption } from "../../state/types";
import type { PickerChoice } from "../ui/Picker";

/** isModel says whether an option of an agent is its choice of a model. */
export function isModel(option: ConfigOption): boolean {
  return option.type === "select" && (option.category === "model" || option.id === "model");
}

/** choicesOf are the choices of an option, under its name; of a switch, on and off. */
export function choicesOf(option: ConfigOption): PickerChoice[] {
  const choices: PickerChoice[] =
    option.type === "boolean"
      ? [
          { value: "true", label: words.composer.on, body: option.description },
          { value: "false", label: words.composer.off },
        ]
      : (option.choices ?? []).map(({ id, name, description }) => ({
          value: id,
          label: name,
          body: description,
        }));
  return choices.map((choice) => ({ ...choice, group: option.name }));
}
