// Selects a chat's model or agent (Copilot with one of its models, or an orchestrator that delegates to
// Copilot) and the agent's other options. The selection applies from the next message on.

import { Show } from "solid-js";
import { messages } from "../../i18n";
import type { ModelPickerProps } from "../../state/pickers";
import { go } from "../../state/screen";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { type ConfigOption, type Provider, ProviderCopilot, ProviderPractice } from "../../state/types";
import { Picker, type PickerChoice } from "../ui/Picker";
import { choicesOf, isModel } from "./options";

const t = messages.model;

/**
 * A value of the picker: the kind of choice, followed by the ID of the choice. After "set:", it is an option's ID and
 * value, separated by a line feed. "setUp" opens the settings.
 */
type Value = `option:${string}` | `agent:${string}` | `main:${string}` | `set:${string}` | "setUp";

export function ModelPicker(props: ModelPickerProps) {
  const state = useStore();
  const isOnly = () => props.agentId === ProviderPractice && props.practice === undefined;
  const option = (): ConfigOption | undefined => props.options.find(isModel);
  const providers = (): Provider[] =>
    Object.values(state.providers).sort((a, b) => a.createdAt - b.createdAt);

  /**
   * agent returns the choice for an agent. Its label is the agent's name or, for the CLI with a custom model, the name
   * of that model.
   */
  const agent = (id: string): PickerChoice => {
    const provider = state.providers[id];
    if (provider) return { value: `agent:${id}`, label: provider.model, body: t.cliWith(provider.name) };
    const profile = state.profiles[id];
    if (profile) return { value: `agent:${id}`, label: profile.name, body: t.otherAgent };
    if (id === ProviderPractice && props.practice !== undefined) {
      return { value: `agent:${id}`, label: messages.common.practice, body: props.practice };
    }
    return {
      value: `agent:${id}`,
      label: id === ProviderCopilot ? messages.common.copilot : messages.common.removedProvider,
    };
  };
  /** The name of the agent that the listed models belong to. */
  const agentName = () =>
    state.providers[props.agentId]?.name ?? state.profiles[props.agentId]?.name ?? t.copilot;
  const ofCopilot = (): PickerChoice[] => {
    const models = option()?.choices ?? [];
    const own = models.map(
      (each): PickerChoice => ({
        value: `option:${each.id}`,
        label: each.name,
        body: each.description,
        group: t.modelsOf(agentName(), each.group ?? ""),
      }),
    );
    if (isOnly()) return own;
    const all = [...select.responders(state).map((each) => each.id)];
    if (props.practice !== undefined) all.push(ProviderPractice);
    const others = all.filter((id) => id !== props.agentId);
    return [...(own.length > 0 ? own : [agent(props.agentId)]), ...others.map(agent)].map((choice) => ({
      group: t.copilot,
      ...choice,
    }));
  };
  const ofMain = (): PickerChoice[] => {
    if (isOnly()) return [];
    const choices: PickerChoice[] = providers().map((provider) => ({
      value: `main:${provider.id}`,
      label: provider.model,
      body: t.mainBody(provider.name),
    }));
    const { mainId } = props;
    if (mainId && !state.providers[mainId]) {
      choices.push({ value: `main:${mainId}`, label: messages.common.removedProvider });
    }
    if (choices.length === 0) choices.push({ value: "setUp", label: t.setUp });
    return choices.map((choice) => ({ ...choice, group: t.main }));
  };
  const value = (): string => {
    if (props.mainId) return `main:${props.mainId}`;
    const now = option();
    return now && (now.choices?.length ?? 0) > 0 ? `option:${now.value}` : `agent:${props.agentId}`;
  };
  // The agent's other options have no effect with an orchestrator.
  const others = () =>
    props.mainId ? [] : props.options.filter((each) => !isModel(each) && choicesOf(each).length > 1);
  const setting = (of: ConfigOption, value: string) => `set:${of.id}\n${value}`;
  const ofOthers = (): PickerChoice[] =>
    others().flatMap((each) =>
      choicesOf(each).map((choice) => ({ ...choice, value: setting(each, choice.value) })),
    );
  const choose = (picked: string) => {
    const at = picked.indexOf(":");
    const [what, id] = [picked.slice(0, Math.max(0, at)), picked.slice(at + 1)];
    if (picked === ("setUp" satisfies Value)) go({ name: "settings", page: "account" });
    else if (what === "set") {
      const [option = "", value = ""] = id.split("\n");
      props.onOption(option, value);
    } else if (what === "main") props.onMain(id);
    else if (what === "agent") props.onAgent(id);
    else props.onModel(option()?.id ?? "", id);
  };
  const choices = () => [...ofCopilot(), ...ofMain(), ...ofOthers()];
  return (
    <Show when={choices().length > 0}>
      <Picker
        name={t.name}
        value={value()}
        alsoSelected={others().map((each) => setting(each, each.value))}
        choices={choices()}
        onChange={choose}
      />
    </Show>
  );
}
