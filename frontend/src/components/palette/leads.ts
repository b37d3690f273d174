// Targets of the palette other than chats and commands: models, modes and permissions of the visible
// chat, settings, and the folders of chats.

import { words } from "../../i18n";
import { folderName, folderPlace } from "../../lib/path";
import { actions } from "../../state/actions";
import { runProvided } from "../../state/commands";
import { firstPickers, type PickersProps } from "../../state/pickers";
import { go } from "../../state/screen";
import { select } from "../../state/select";
import { settingRows, showSetting } from "../../state/settingRows";
import type { State } from "../../state/state";
import type { Chat, Choice, ConfigOption, PermissionMode } from "../../state/types";
import { isModel } from "../composer/options";
import type { Lead } from "./entries";

const w = words.palette;

/** The model or agent of a chat, and a callback to change it. */
interface Answering {
  /** The agent's model option. */
  option: ConfigOption | undefined;
  agentId: string;
  mainId: string | undefined;
  /** Shown beside the names of the models. */
  fact?: string;
  /** Whether only the agent's models can be selected. */
  onlyOwn?: boolean;
  choose(by: { option: string; value: string } | { agent: string } | { main: string }): void;
}

/** answerLeads returns the selectable models, agents and orchestrators of a chat. */
function answerLeads(state: State, now: Answering): Lead[] {
  const { option, mainId, choose } = now;
  const lead = (id: string, name: string, fact: string | undefined, run: () => void): Lead => ({
    id: `model.${id}`,
    label: () => w.model(name),
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
  if (now.onlyOwn) return own;
  const agents = select
    .answerers(state)
    .filter((each) => each.id !== now.agentId || mainId)
    .map((each) => lead(`agent.${each.id}`, each.name, undefined, () => choose({ agent: each.id })));
  const mains = Object.values(state.providers)
    .filter((each) => each.id !== mainId)
    .map((each) =>
      lead(`main.${each.id}`, each.model, words.answers.mainBody(each.name), () => choose({ main: each.id })),
    );
  return [...own, ...agents, ...mains];
}

function modeLeads(modes: readonly Choice[], now: string | undefined, choose: (id: string) => void): Lead[] {
  return modes
    .filter((mode) => mode.id !== now)
    .map((mode) => ({
      id: `mode.${mode.id}`,
      label: () => w.mode(mode.name),
      group: "chat",
      section: "mode",
      hidden: true,
      run: () => choose(mode.id),
    }));
}

function permissionLeads(now: PermissionMode, choose: (mode: PermissionMode) => void): Lead[] {
  return (["ask", "accept_edits", "bypass"] as const)
    .filter((mode) => mode !== now)
    .map((mode) => ({
      id: `permission.${mode}`,
      label: () => w.permission(words.chat.modes[mode]),
      group: "chat",
      section: "permissions",
      hidden: true,
      // "Allow everything" requires a confirmation, as in its picker.
      run: () => (mode === "bypass" ? runProvided("allowAll") : choose(mode)),
    }));
}

function chatLeads(state: State, chat: Chat): Lead[] {
  const session = select.mainSession(state, chat.id);
  return [
    ...answerLeads(state, {
      option: session?.options?.find(isModel),
      agentId: chat.providerId,
      mainId: chat.mainId,
      fact: select.answerer(state, chat),
      onlyOwn: select.isPractice(chat),
      choose: (by) => actions.answerBy(chat.id, by),
    }),
    ...modeLeads(chat.mainId ? [] : (session?.modes ?? []), session?.mode, (id) =>
      actions.setMode(chat.id, id),
    ),
    ...permissionLeads(select.permissionMode(state, chat.id), (mode) =>
      actions.setPermissionMode(chat.id, mode),
    ),
  ];
}

function firstLeads(state: State, pickers: PickersProps): Lead[] {
  return [
    ...answerLeads(state, {
      option: pickers.options.find(isModel),
      agentId: pickers.agentId,
      mainId: pickers.mainId,
      choose: (by) => {
        if ("option" in by) pickers.onModel(by.option, by.value);
        else if ("agent" in by) pickers.onAgent(by.agent);
        else pickers.onMain(by.main);
      },
    }),
    ...modeLeads(pickers.mainId ? [] : pickers.modes, pickers.mode, (id) => pickers.onMode(id)),
    ...permissionLeads(pickers.permission, (mode) => pickers.onPermission(mode)),
  ];
}

const settingLeads: readonly Lead[] = settingRows.map((row) => ({
  id: `setting.${row.id}`,
  label: () => row.label,
  group: "settings",
  section: "settings",
  hidden: true,
  fact: words.settings.pages[row.page],
  run: () => showSetting(row),
}));

function folderLeads(chats: readonly Chat[]): Lead[] {
  const newest = [...chats].sort((a, b) => b.updatedAt - a.updatedAt).map((chat) => chat.folder);
  return [...new Set(newest)].map((folder) => ({
    id: `folder.${folder}`,
    label: () => words.shell.newChatIn(folderName(folder)),
    group: "anywhere",
    section: "folders",
    hidden: true,
    fact: folderPlace(folder),
    run: () => go({ name: "new", folder }),
  }));
}

/** leadsOf returns all targets, for the visible chat or the new chat screen. */
export function leadsOf(state: State, chats: readonly Chat[], chat: Chat | undefined): Lead[] {
  const pickers = firstPickers();
  const ofChat = chat ? chatLeads(state, chat) : pickers ? firstLeads(state, pickers) : [];
  return [...ofChat, ...folderLeads(chats), ...settingLeads];
}
