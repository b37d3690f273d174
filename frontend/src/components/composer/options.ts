import type { ConfigOption } from "../../state/words";

/** isModel says whether an option of an agent is its choice of a model. */
export function isModel(option: ConfigOption): boolean {
  return option.type === "select" && (option.category === "model" || option.id === "model");
}
