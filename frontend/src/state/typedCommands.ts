// Commands that the Copilot CLI has in a terminal but not over ACP. Sent as a message, such a command would
// go to the model and cost a request. Instead, the composer runs VoxPilot's own version of the command or
// suggests an alternative.
//
// A command that the agent declares over ACP is sent to the agent even if its name is listed here.

import { messages } from "../i18n";
import { reconnect } from "./chatActions";
import { lastMessage, newChatFrom, showGoBack } from "./goBack";
import { openInspector } from "./inspector";
import { startNewChat } from "./navigation";
import { openReview } from "./reviewScreen";
import { go, type SettingsPage } from "./screen";
import type { Chat, Choice, Item } from "./types";
import { lastUndo, startUndo, undoObstacle } from "./undo";

const t = messages.composer.typed;

/** A command that VoxPilot handles instead of sending it. */
interface TypedCommand {
  /** Shown in the list of commands; "" hides the command there. */
  description: string;
  /** Whether the command takes the text after its name. Other commands leave that text in the composer. */
  takesText?: boolean;
  /**
   * Whether the command needs an existing chat. If so, it isn't available for the first message of a new
   * chat.
   */
  ofChat?: boolean;
  /**
   * Returns the reason why the command can't run, or an alternative, as text for the user. Returns "" if the
   * command can run.
   */
  blocked?(chat: Chat | undefined): string;
  run?(chat: Chat | undefined, text: string): void;
}

const settings = (page: SettingsPage): TypedCommand => ({
  description: t.settings(messages.settings.pages[page]),
  run: () => go({ name: "settings", page }),
});
const newChat: TypedCommand = {
  description: t.newChat,
  takesText: true,
  ofChat: true,
  run: (chat, text) => startNewChat(chat?.folder, text),
};
const review: TypedCommand = {
  description: messages.commands.reviewChanges,
  ofChat: true,
  run: (chat) => chat && openReview(chat.id),
};
const search: TypedCommand = {
  description: messages.commands.search,
  takesText: true,
  run: (_, text) => go({ name: "search", query: text }),
};
const undoTurn: TypedCommand = {
  description: messages.commands.undoTurn,
  ofChat: true,
  blocked: (chat) => undoObstacle(chat?.id ?? ""),
  run: (chat) => startUndo(lastUndo(chat?.id ?? "")?.turnId ?? ""),
};
/** A command about the user's newest message. */
const ofMessage = (description: string, run: (message: Item) => void): TypedCommand => ({
  description,
  ofChat: true,
  blocked: (chat) => (lastMessage(chat?.id ?? "")?.turnId ? "" : t.noMessage),
  run: (chat) => {
    const message = lastMessage(chat?.id ?? "");
    if (message) run(message);
  },
});
const fork = ofMessage(t.fork, (message) => void newChatFrom(message.turnId ?? ""));
const instead = (description: string, sentence: string, ofChat = false): TypedCommand => ({
  description,
  ofChat,
  blocked: () => sentence,
});
/** A command that makes sense only in a terminal. */
const terminalOnly = (name: string): TypedCommand => instead("", t.terminalOnly(name));

const terminalCommands = [
  "app",
  "collect-debug-logs",
  "computer",
  "diagnose",
  "experimental",
  "feedback",
  "footer",
  "ide",
  "keep-alive",
  "lsp",
  "refine",
  "rubber-duck",
  "statusline",
  "subagents",
  "terminal-setup",
  "vim",
  "voice",
];

/** VoxPilot's commands by name, in the order in which the list shows them. */
const typedCommands: Readonly<Record<string, TypedCommand>> = {
  new: newChat,
  clear: newChat,
  ask: { ...newChat, description: t.ask },
  resume: search,
  search,
  diff: review,
  review,
  tasks: { description: t.tasks, ofChat: true, run: () => openInspector("sessions") },
  fork,
  branch: fork,
  restart: {
    description: messages.commands.reconnect,
    ofChat: true,
    run: (chat) => chat && reconnect(chat),
  },
  help: settings("shortcuts"),
  settings: settings("agent"),
  theme: settings("appearance"),
  login: settings("account"),
  logout: settings("account"),
  user: settings("account"),
  version: settings("about"),
  update: settings("about"),
  changelog: settings("about"),
  undo: undoTurn,
  rewind: ofMessage(t.rewind, showGoBack),
  agent: instead(t.agent, t.agentInstead),
  copy: instead(t.copy, t.copyInstead, true),
  delegate: instead(t.delegate, t.delegateInstead),
  exit: instead(t.exit, t.exitInstead),
  instructions: instead(t.instructions, t.instructionsInstead),
  limits: instead(t.limits, t.limitsInstead),
  move: instead(t.worktree, t.worktreeInstead),
  pr: instead(t.pr, t.prInstead),
  worktree: instead(t.worktree, t.worktreeInstead),
  ...Object.fromEntries(terminalCommands.map((name) => [name, terminalOnly(name)])),
};

/**
 * listedCommands returns VoxPilot's commands for the list of commands, except those that the agent declares
 * itself or that don't apply to a new chat. In the list, they follow the agent's commands.
 */
export function listedCommands(declared: readonly Choice[], isNewChat = false): Choice[] {
  return Object.entries(typedCommands)
    .filter(
      ([id, { description, ofChat }]) =>
        description !== "" && !(isNewChat && ofChat) && !declared.some((each) => each.id === id),
    )
    .map(([id, { description }]) => ({ id, name: id, description }));
}

/** The result of a typed command. */
export interface TypedResult {
  /** The command's name. */
  id: string;
  /** The sentence that names an alternative; "" if the command was run. */
  hint: string;
}

/**
 * runTyped runs the command that a message starts with. `chat` is undefined for the first message of a new
 * chat. Before a command runs, `onRun` receives the text that stays in the composer. runTyped returns
 * undefined for a message that has to be sent: one without a command, and one with a command that isn't
 * VoxPilot's or that the agent declares.
 */
export function runTyped(
  message: string,
  declared: readonly Choice[],
  chat: Chat | undefined,
  onRun: (rest: string) => void,
): TypedResult | undefined {
  const [, id = "", text = ""] = /^\/(\S+)\s*([\s\S]*)$/.exec(message) ?? [];
  if (!Object.hasOwn(typedCommands, id) || declared.some((each) => each.id === id)) return undefined;
  const command = typedCommands[id] as TypedCommand;
  const hint = command.ofChat && !chat ? t.needsChat(id) : (command.blocked?.(chat) ?? "");
  if (hint !== "") return { id, hint: messages.common.sentences(hint, t.sendAnyway) };
  onRun(command.takesText ? "" : text);
  command.run?.(chat, text.trim());
  return { id, hint: "" };
}
