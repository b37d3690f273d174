// Palette targets other than chats and commands: models, modes and permission modes of the visible chat,
// settings, and the folders of chats.

import { messages } from "../../i18n";
import { folderName, parentFolder } from "../../lib/path";
import { actions } from "../../state/actions";
import { runProvided } from "../../state/commands";
import { firstPickers, type PickersProps } from "../../state/pickers";
import { go } from "../../state/screen";
import { select } from "../../state/select";
import { settingRows, showSetting } from "../../state/settingRows";
import type { State } from "../../state/state";
import type { Chat, Choice, ConfigOption, PermissionMode } from "../../state/types";
import { isModel } from "../composer/options";
import type { PaletteTarget } from "./entries";

const t = messages.palette;

/** The model or agent of a chat, and a callback to change it. */
interface ModelState {
  /** The option that selects the agent's model. */
  option: ConfigOption | undefined;
  agentId: string;
  mainId: string | undefined;
  /** Shown beside the names of the models. */
  fact?: string;
  /** Whether to offer only the agent's models, and no other agents or orchestrators. */
  ownModelsOnly?: boolean;
  choose(by: { option: string; value: string } | { agent: string } | { main: string }): void;
}

/** modelTargets returns the selectable models, agents and orchestrators of a chat. */
function modelTargets(state: State, now: ModelState): PaletteTarget[] {
  const { option, mainId, choose } = now;
  const lead = (id: string, name: string, fact: string | undefined, run: () => void): PaletteTarget => ({
    id: `model.${id}`,
    label: () => t.model(name),
    group: "chat",
    section: "model",
    hidden: true,
    fact,
    run,
  });
  const own = (option?.choices ?? [])
    .filter((each) => mainId || each.id !== option?.value)
    .map((each) =>
      lead(each.id, each.name, now.fact, () => choose({ option: option?.id ?? "", value: each.id })),
    );
  if (now.ownModelsOnly) return own;
  const agents = select
    .responders(state)
    .filter((each) => each.id !== now.agentId || mainId)
    .map((each) => lead(`agent.${each.id}`, each.name, undefined, () => choose({ agent: each.id })));
  const mains = Object.values(state.providers)
    .filter((each) => each.id !== mainId)
    .map((each) =>
      lead(`main.${each.id}`, each.model, messages.model.mainBody(each.name), () =>
        choose({ main: each.id }),
      ),
    );
  return [...own, ...agents, ...mains];
}

function modeTargets(
  modes: readonly Choice[],
  now: string | undefined,
  choose: (id: string) => void,
): PaletteTarget[] {
  return modes
    .filter((mode) => mode.id !== now)
    .map((mode) => ({
      id: `mode.${mode.id}`,
      label: () => t.mode(mode.name),
      group: "chat",
      section: "mode",
      hidden: true,
      run: () => choose(mode.id),
    }));
}

function permissionTargets(now: PermissionMode, choose: (mode: PermissionMode) => void): PaletteTarget[] {
  return (["ask", "accept_edits", "bypass"] as const)
    .filter((mode) => mode !== now)
    .map((mode) => ({
      id: `permission.${mode}`,
      label: () => t.permission(messages.chat.modes[mode]),
      group: "chat",
      section: "permissions",
      hidden: true,
      // "Allow everything" requires a confirmation, as in its picker.
      run: () => (mode === "bypass" ? runProvided("allowAll") : choose(mode)),
    }));
}

function chatTargets(state: State, chat: Chat): PaletteTarget[] {
  const session = select.mainSession(state, chat.id);
  return [
    ...modelTargets(state, {
      option: session?.options?.find(isModel),
      agentId: chat.providerId,
      mainId: chat.mainId,
      fact: select.modelOrAgent(state, chat),
      ownModelsOnly: select.isPractice(chat),
      choose: (by) => actions.selectResponder(chat.id, by),
    }),
    ...modeTargets(chat.mainId ? [] : (session?.modes ?? []), session?.mode, (id) =>
      actions.setMode(chat.id, id),
    ),
    ...permissionTargets(select.permissionMode(state, chat.id), (mode) =>
      actions.setPermissionMode(chat.id, mode),
    ),
  ];
}

function newChatTargets(state: State, pickers: PickersProps): PaletteTarget[] {
  return [
    ...modelTargets(state, {
      option: pickers.options.find(isModel),
      agentId: pickers.agentId,
      mainId: pickers.mainId,
      choose: (by) => {
        if ("option" in by) pickers.onModel(by.option, by.value);
        else if ("agent" in by) pickers.onAgent(by.agent);
        else pickers.onMain(by.main);
      },
    }),
    ...modeTargets(pickers.mainId ? [] : pickers.modes, pickers.mode, (id) => pickers.onMode(id)),
    ...permissionTargets(pickers.permission, (mode) => pickers.onPermission(mode)),
  ];
}

const settingTargets: readonly PaletteTarget[] = settingRows.map((row) => ({
  id: `setting.${row.id}`,
  label: () => row.label,
  group: "settings",
  section: "settings",
  hidden: true,
  fact: messages.settings.pages[row.page],
  run: () => showSetting(row),
}));

function folderTargets(chats: readonly Chat[]): PaletteTarget[] {
  const newest = [...chats].sort((a, b) => b.updatedAt - a.updatedAt).map((chat) => chat.folder);
  return [...new Set(newest)].map((folder) => ({
    id: `folder.${folder}`,
    label: () => messages.shell.newChatIn(folderName(folder)),
    group: "anywhere",
    section: "folders",
    hidden: true,
    fact: parentFolder(folder),
    run: () => go({ name: "new", folder }),
  }));
}

/** targetsOf returns all targets for the visible chat, or for the new chat screen if `chat` is undefined. */
export function targetsOf(state: State, chats: readonly Chat[], chat: Chat | undefined): PaletteTarget[] {
  const pickers = firstPickers();
  const ofChat = chat ? chatTargets(state, chat) : pickers ? newChatTargets(state, pickers) : [];
  return [...ofChat, ...folderTargets(chats), ...settingTargets];
}
