// The model or agent of a new chat, and its options. Anything that the user hasn't selected on the new chat
// screen comes from the most recent chat or from Settings.

import { createMemo, createResource, createSignal } from "solid-js";
import { toAppError } from "../../bridge";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { newChatAgent } from "../../state/newChatAgent";
import { offerNewChatPickers, type PickersProps } from "../../state/pickers";
import { newChatSandbox } from "../../state/sandbox";
import { useStore } from "../../state/store";
import { type PermissionMode, ProviderCopilot, ProviderPractice, type Sandbox } from "../../state/types";

const t = messages.newChat;

/**
 * Returns an accessor for the value of `newest`. While the form contains a draft, the accessor's value
 * doesn't change.
 */
type Freeze = <T>(newest: () => T) => () => T;

/**
 * createPicks returns the selected options of the new chat and the pickers for them. `canStart` reports
 * whether the Copilot CLI is usable, and `requestedFolder` returns the folder that the user requested, if
 * any.
 */
export function createPicks(
  holding: Freeze,
  canStart: () => boolean,
  requestedFolder: () => string | undefined,
) {
  const state = useStore();

  /** The agent and orchestrator that the user selected. `main` is the orchestrator's ID, or "" for none. */
  const [picked, setPicked] = createSignal<{ agent?: string; main: string }>();
  /** The agent and orchestrator chosen by newChatAgent. They apply until the user selects others. */
  const begins = createMemo(
    holding(() => newChatAgent(state, requestedFolder())),
    undefined,
    {
      equals: (a, b) => a.agent === b.agent && a.mainId === b.mainId,
    },
  );
  const answers = () => {
    const id = picked()?.agent ?? begins().agent;
    return id === ProviderPractice || state.providers[id] || state.profiles[id] ? id : ProviderCopilot;
  };
  const main = () => {
    const id = picked() ? picked()?.main : begins().mainId;
    return practice() || !id || !state.providers[id] ? "" : id;
  };
  const practice = () => answers() === ProviderPractice;

  // The options that the agent last declared, and the values selected here. Values not selected here come
  // from the most recent chat or Settings.
  const [answer] = createResource(answers, (id) =>
    actions.declaredOptions(id).catch((thrown) => {
      actions.log("warn", `read what ${id} lets the user choose: ${toAppError(thrown).message}`);
      return undefined;
    }),
  );
  const declared = () => (answer.state === "ready" ? answer() : undefined);
  const [picks, setPicks] = createSignal<{ mode?: string; values: Record<string, string> }>({ values: {} });
  const [permission, setPermission] = createSignal<PermissionMode>();
  const [sandboxPick, setSandboxPick] = createSignal<Sandbox>();
  /**
   * sandbox returns the new chat's sandbox: the one that the user selected, otherwise `created` (the sandbox
   * with which the app created the chat), otherwise the default.
   */
  const sandbox = (created?: Sandbox) => sandboxPick() ?? created ?? newChatSandbox(state, answers());
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
    // A custom agent's initial mode is unknown.
    const isSet = known.some((each) => each.id === state.settings.agentMode);
    return isOther() && !isSet && known.length > 0 ? [{ id: "", name: t.modeOwn }, ...known] : known;
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
      return canStart() ? t.practiceFact : t.practiceOff;
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
    get sandbox() {
      return sandbox();
    },
    onSandbox: setSandboxPick,
  };
  offerNewChatPickers(pickers);
  return { pickers, answers, main, practice, isOther, mode, modes, options, permission, sandbox };
}
