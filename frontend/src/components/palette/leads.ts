// What the palette leads to besides chats and commands: what answers the chat on
// screen, its mode and permissions, settings, and the folders of chats.

import { createSignal, onCleanup } from "solid-js";
import { actions } from "../../state/actions";
import { runProvided } from "../../state/commands";
import { select } from "../../state/select";
import type { State } from "../../state/state";
import type { Chat } from "../../state/words";
import { words } from "../../words";
import { isModel } from "../composer/options";
import type { PickersProps } from "../composer/Pickers";
import { settingRows, showSetting } from "../settings/rows";
import { go } from "../shell/screen";
import { folderName, folderPlace } from "../ui/path";
import type { Lead } from "./entries";

const w = words.palette;

/** answerLeads lead to what can answer a chat: the models of its agent, other agents, main AIs. */
function answerLeads(state: State, chat: Chat): Lead[] {
  const session = select.mainSession(state, chat.id);
  const option = session?.options?.find(isModel);
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
    .filter((each) => chat.mainId || each.id !== option?.value)
    .map((each) =>
      lead(each.id, each.name, select.answerer(state, chat), () =>
        actions.answerBy(chat.id, { option: option?.id ?? "", value: each.id }),
      ),
    );
  if (select.isPractice(chat)) return own;
  const agents = select
    .answerers(state)
    .filter((each) => each.id !== chat.providerId || chat.mainId)
    .map((each) =>
      lead(`agent.${each.id}`, each.name, undefined, () => actions.answerBy(chat.id, { agent: each.id })),
    );
  const mains = Object.values(state.providers)
    .filter((each) => each.id !== chat.mainId)
    .map((each) =>
      lead(`main.${each.id}`, each.model, words.answers.mainBody(each.name), () =>
        actions.answerBy(chat.id, { main: each.id }),
      ),
    );
  return [...own, ...agents, ...mains];
}

function modeLeads(state: State, chat: Chat): Lead[] {
  const session = select.mainSession(state, chat.id);
  if (chat.mainId) return [];
  return (session?.modes ?? [])
    .filter((mode) => mode.id !== session?.mode)
    .map((mode) => ({
      id: `mode.${mode.id}`,
      label: () => w.mode(mode.name),
      group: "chat",
      section: "mode",
      hidden: true,
      run: () => actions.setMode(chat.id, mode.id),
    }));
}

function permissionLeads(state: State, chat: Chat): Lead[] {
  const now = select.permissionMode(state, chat.id);
  return (["ask", "accept_edits", "bypass"] as const)
    .filter((mode) => mode !== now)
    .map((mode) => ({
      id: `permission.${mode}`,
      label: () => w.permission(words.chat.modes[mode]),
      group: "chat",
      section: "permissions",
      hidden: true,
      // To allow everything is asked about first, as in its list.
      run: () => (mode === "bypass" ? runProvided("allowAll") : actions.setPermissionMode(chat.id, mode)),
    }));
}

/** What a chat that is not made yet can begin with, while its screen is there. */
const [first, setFirst] = createSignal<PickersProps>();

/** leadToFirst has the palette lead to what the pickers of a new chat can choose, until their screen goes. */
export function leadToFirst(pickers: PickersProps): void {
  setFirst(pickers);
  onCleanup(() => setFirst(undefined));
}

function firstLeads(state: State, pickers: PickersProps): Lead[] {
  const lead = (
    section: Lead["section"],
    id: string,
    label: string,
    run: () => void,
    fact?: string,
  ): Lead => ({
    id,
    label: () => label,
    group: "anywhere",
    section,
    hidden: true,
    fact,
    run,
  });
  const model = pickers.options.find(isModel);
  const models = (model?.choices ?? [])
    .filter((each) => pickers.mainId || each.id !== model?.value)
    .map((each) =>
      lead("model", `model.${each.id}`, w.model(each.name), () => pickers.onModel(model?.id ?? "", each.id)),
    );
  const agents = select
    .answerers(state)
    .filter((each) => each.id !== pickers.agentId || pickers.mainId)
    .map((each) =>
      lead("model", `model.agent.${each.id}`, w.model(each.name), () => pickers.onAgent(each.id)),
    );
  const mains = Object.values(state.providers)
    .filter((each) => each.id !== pickers.mainId)
    .map((each) =>
      lead(
        "model",
        `model.main.${each.id}`,
        w.model(each.model),
        () => pickers.onMain(each.id),
        words.answers.mainBody(each.name),
      ),
    );
  const modes = (pickers.mainId ? [] : pickers.modes)
    .filter((mode) => mode.id !== pickers.mode)
    .map((mode) => lead("mode", `mode.${mode.id}`, w.mode(mode.name), () => pickers.onMode(mode.id)));
  const permissions = (["ask", "accept_edits", "bypass"] as const)
    .filter((mode) => mode !== pickers.permission)
    .map((mode) =>
      lead("permissions", `permission.${mode}`, w.permission(words.chat.modes[mode]), () =>
        mode === "bypass" ? runProvided("allowAll") : pickers.onPermission(mode),
      ),
    );
  return [...models, ...agents, ...mains, ...modes, ...permissions];
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

/** leadsOf are all of them, for the chat on screen or the one that is to begin there, if there is one. */
export function leadsOf(state: State, chats: readonly Chat[], chat: Chat | undefined): Lead[] {
  const ofChat: Lead[] = chat
    ? [...answerLeads(state, chat), ...modeLeads(state, chat), ...permissionLeads(state, chat)]
    : [];
  const pickers = first();
  if (!chat && pickers) ofChat.push(...firstLeads(state, pickers));
  return [...ofChat, ...folderLeads(chats), ...settingLeads];
}
