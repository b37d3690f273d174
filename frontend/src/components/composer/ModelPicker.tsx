// Who answers a chat: Copilot with one of its models, or a main AI that gives
// work to Copilot; and what else the agent lets the user choose. What is
// picked answers from the next message on.

import { Show } from "solid-js";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { type ConfigOption, type Provider, ProviderCopilot } from "../../state/words";
import { words } from "../../words";
import { go } from "../shell/screen";
import { Picker, type PickerChoice } from "../ui/Picker";
import { choicesOf, isModel } from "./options";

const w = words.answers;

/** Values of the picker: what is chosen, and which one. */
type Value = `option:${string}` | `agent:${string}` | `main:${string}` | `set:${string}` | "setUp";

export function ModelPicker(props: { chatId: string }) {
  const state = useStore();
  const chat = () => state.chats[props.chatId];
  const isPractice = () => select.isPractice(chat());
  const agentId = () => chat()?.providerId ?? ProviderCopilot;
  const option = (): ConfigOption | undefined =>
    select.mainSession(state, props.chatId)?.options?.find(isModel);
  const providers = (): Provider[] =>
    Object.values(state.providers).sort((a, b) => a.createdAt - b.createdAt);

  /** An agent under its name, or under its model where it is the CLI with a model of the user's own. */
  const agent = (id: string): PickerChoice => {
    const provider = state.providers[id];
    if (provider) return { value: `agent:${id}`, label: provider.model, body: w.cliWith(provider.name) };
    const profile = state.profiles[id];
    if (profile) return { value: `agent:${id}`, label: profile.name, body: w.otherAgent };
    return {
      value: `agent:${id}`,
      label: id === ProviderCopilot ? words.common.copilot : words.common.goneProvider,
    };
  };
  const ofCopilot = (): PickerChoice[] => {
    const models = option()?.choices ?? [];
    const own = models.map(
      (each): PickerChoice => ({
        value: `option:${each.id}`,
        label: each.name,
        body: each.description,
        group: w.copilotGroup(each.group ?? ""),
      }),
    );
    if (isPractice()) return own;
    const others = select
      .answerers(state)
      .map((each) => each.id)
      .filter((id) => id !== agentId());
    return [...(own.length > 0 ? own : [agent(agentId())]), ...others.map(agent)].map((choice) => ({
      group: w.copilot,
      ...choice,
    }));
  };
  const ofMain = (): PickerChoice[] => {
    if (isPractice()) return [];
    const choices: PickerChoice[] = providers().map((provider) => ({
      value: `main:${provider.id}`,
      label: provider.model,
      body: w.mainBody(provider.name),
    }));
    const mainId = chat()?.mainId;
    if (mainId && !state.providers[mainId]) {
      choices.push({ value: `main:${mainId}`, label: words.common.goneProvider });
    }
    if (choices.length === 0) choices.push({ value: "setUp", label: w.setUp });
    return choices.map((choice) => ({ ...choice, group: w.main }));
  };
  const value = (): string => {
    const mainId = chat()?.mainId;
    if (mainId) return `main:${mainId}`;
    const now = option();
    return now && (now.choices?.length ?? 0) > 0 ? `option:${now.value}` : `agent:${agentId()}`;
  };
  // What else the agent can be told has no say where a main AI answers.
  const others = () =>
    (select.answeringSession(state, props.chatId)?.options ?? []).filter(
      (each) => !isModel(each) && choicesOf(each).length > 1,
    );
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
      actions.setOption(props.chatId, option, value);
    } else if (what === "main") actions.answerBy(props.chatId, { main: id });
    else if (what === "agent") actions.answerBy(props.chatId, { agent: id });
    else actions.answerBy(props.chatId, { option: option()?.id ?? "", value: id });
  };
  const choices = () => [...ofCopilot(), ...ofMain(), ...ofOthers()];
  return (
    <Show when={choices().length > 0}>
      <Picker
        name={w.name}
        value={value()}
        also={others().map((each) => setting(each, each.value))}
        choices={choices()}
        onChange={choose}
      />
    </Show>
  );
}
