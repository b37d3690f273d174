// What answers a chat that is not made yet, and how: what was picked on its screen,
// else what the newest chat has, or Settings.

import { createMemo, createResource, createSignal } from "solid-js";
import { asAppError } from "../../bridge";
import { words } from "../../i18n";
import { actions } from "../../state/actions";
import { newChatAgent } from "../../state/newChatAgent";
import { offerNewChatPickers, type PickersProps } from "../../state/pickers";
import { useStore } from "../../state/store";
import { type PermissionMode, ProviderCopilot, ProviderPractice } from "../../state/types";

const w = words.newChat;

/** Keeps a value while something is written. */
type Holding = <T>(newest: () => T) => () => T;

/** createPicks returns what is picked, with the pickers for it; canStart says whether there is a Copilot CLI. */
export function createPicks(holding: Holding, canStart: () => boolean) {
  const state = useStore();

  /** Who answers: the agent, and the main AI in front of it or "". */
  const [picked, setPicked] = createSignal<{ agent?: string; main: string }>();
  /** What is chosen here, else what answered last, as far as it still exists. */
  const begins = createMemo(
    holding(() => newChatAgent(state)),
    undefined,
    {
      equals: (a, b) => a.agent === b.agent && a.main === b.main,
    },
  );
  const answers = () => {
    const id = picked()?.agent ?? begins().agent;
    return id === ProviderPractice || state.providers[id] || state.profiles[id] ? id : ProviderCopilot;
  };
  const main = () => {
    const id = picked() ? picked()?.main : begins().main;
    return practice() || !id || !state.providers[id] ? "" : id;
  };
  const practice = () => answers() === ProviderPractice;

  // What the agent declared last, before there is one for this chat; and what is
  // chosen of it here. What is not chosen is as in the newest chat, or in Settings.
  const [answer] = createResource(answers, (id) =>
    actions.declared(id).catch((thrown) => {
      actions.log("warn", `read what ${id} lets the user choose: ${asAppError(thrown).message}`);
      return undefined;
    }),
  );
  const declared = () => (answer.state === "ready" ? answer() : undefined);
  const [picks, setPicks] = createSignal<{ mode?: string; values: Record<string, string> }>({ values: {} });
  const [permission, setPermission] = createSignal<PermissionMode>();
  const isOther = () => state.profiles[answers()] !== undefined;
  const mode = () => {
    const known = declared()?.modes ?? [];
    const wanted = [picks().mode, state.settings.agentMode].find((id) =>
      known.some((each) => each.id === id),
    );
    return wanted ?? (isOther() ? "" : (known[0]?.id ?? ""));
  };
  const modes = () => {
    const known = declared()?.modes ?? [];
    // In which mode other agents begin is not known.
    const isSet = known.some((each) => each.id === state.settings.agentMode);
    return isOther() && !isSet && known.length > 0 ? [{ id: "", name: w.modeOwn }, ...known] : known;
  };
  const options = () =>
    (declared()?.options ?? []).map((option) => ({
      ...option,
      value: picks().values[option.id] ?? option.value,
    }));
  const pick = (option: string, value: string) =>
    setPicks((now) => ({ ...now, values: { ...now.values, [option]: value } }));
  const choose = (agent: string, main = "") => {
    if (agent !== answers()) setPicks({ values: {} });
    setPicked({ agent, main });
  };

  const pickers: PickersProps = {
    get agentId() {
      return answers();
    },
    get mainId() {
      return main();
    },
    get practice() {
      return canStart() ? w.practiceFact : w.practiceOff;
    },
    get options() {
      return options();
    },
    get modes() {
      return modes();
    },
    get mode() {
      return mode();
    },
    get permission() {
      return permission() ?? state.settings.mode;
    },
    onAgent: (id) => choose(id),
    onMain: (id) => choose(practice() ? ProviderCopilot : answers(), id),
    onModel: (id, value) => {
      pick(id, value);
      choose(answers());
    },
    onOption: pick,
    onMode: (mode) => setPicks((now) => ({ ...now, mode })),
    onPermission: setPermission,
  };
  offerNewChatPickers(pickers);
  return { pickers, answers, main, practice, isOther, mode, modes, options, permission };
}
