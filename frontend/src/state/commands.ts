// All commands of the window: labels, keys and conditions. One handler serves the keys of all commands;
// the palette and the shortcuts page use the same list.
//
// Commands that only one part of the window can run are provided by that part while it is mounted: the
// composer stops the turn, the visible transcript answers its request. A command without `run` only
// documents keys of the focused part.

import { onCleanup } from "solid-js";
import { unwrap } from "solid-js/store";
import { language, languages, locale, messages } from "../i18n";
import { actions } from "./actions";
import {
  askDelete,
  canContinue,
  canResume,
  chatActions,
  deleted,
  reconnect,
  undoDelete,
} from "./chatActions";
import { setRemovingAll } from "./confirmRemoveAll";
import { areKeys, digitOf, digits } from "./keys";
import { notify } from "./notices";
import { openReview } from "./reviewScreen";
import { inOrder } from "./rows";
import { go, type SettingsPage, screen } from "./screen";
import { select } from "./select";
import { raw } from "./store";
import { recentChats, switchChat } from "./switching";
import { canStepTextSize, stepTextSize } from "./textSize";
import { trustRequestOf } from "./trust";
import { reviewTrust } from "./trustSheet";
import { hasUndo } from "./turnChanges";
import type { Chat, Settings } from "./types";
import { lastUndo, startUndo } from "./undo";

export type CommandGroup = keyof typeof messages.commands.groups;

/** Commands that a part of the window provides while it is mounted. */
export type ProvidedCommand =
  | "palette"
  | "sidebar"
  | "filter"
  | "inspector"
  | "find"
  | "rename"
  | "stop"
  | "allow"
  | "reject"
  | "allowAll"
  | "askReview"
  | "sandbox";

export interface Command {
  id: string;
  /** The current label. Some commands' labels depend on the state. */
  label: () => string;
  group: CommandGroup;
  keys?: readonly string[];
  /** Reports whether the command is available; absent means always. */
  when?: () => boolean;
  /** Runs the command. Absent if its keys belong to the focused part. */
  run?: (event?: KeyboardEvent) => void;
  /** Hides the command from the palette, because it has another row there or makes no sense there. */
  keysOnly?: boolean;
  /** Whether the command's keys also work in the first run. */
  inFirstRun?: boolean;
}

interface Handler {
  run: () => void;
  when: () => boolean;
}

const handlers = new Map<ProvidedCommand, Handler[]>();

/**
 * provide registers a function that runs a command. The registration ends when the calling component is disposed. If
 * several functions are registered for the command, the newest one whose `when` returns true runs.
 */
export function provide(id: ProvidedCommand, run: () => void, when: () => boolean = () => true): void {
  const part = { run, when };
  handlers.set(id, [...(handlers.get(id) ?? []), part]);
  onCleanup(() =>
    handlers.set(
      id,
      (handlers.get(id) ?? []).filter((each) => each !== part),
    ),
  );
}

const handlerFor = (id: ProvidedCommand) => (handlers.get(id) ?? []).findLast((part) => part.when());

/** runProvided runs a command through its current provider. */
export function runProvided(id: ProvidedCommand): void {
  handlerFor(id)?.run();
}

function providedCommand(
  id: Exclude<ProvidedCommand, "allowAll">,
  group: CommandGroup,
  keys: readonly string[] | undefined,
  more: Partial<Command> = {},
): Command {
  return {
    id,
    label: () => messages.commands[id],
    group,
    keys,
    when: () => handlerFor(id) !== undefined,
    run: () => handlerFor(id)?.run(),
    ...more,
  };
}

/** openChat returns the visible chat, or undefined if no chat is visible or the visible one is deleted. */
export function openChat(): Chat | undefined {
  const now = screen();
  const chat = now.name === "chat" ? raw().chats[now.id] : undefined;
  return chat?.deletedAt ? undefined : chat;
}

type PlainCommand = Exclude<
  {
    [K in keyof typeof messages.commands]: (typeof messages.commands)[K] extends string ? K : never;
  }[keyof typeof messages.commands],
  ProvidedCommand
>;

function ofChat(id: PlainCommand, run: (chat: Chat) => void, more: Partial<Command> = {}): Command {
  return {
    id,
    label: () => messages.commands[id],
    group: "chat",
    when: () => openChat() !== undefined,
    run: () => {
      const chat = openChat();
      if (chat) run(chat);
    },
    ...more,
  };
}

/**
 * field returns a command without an action. It only lists keys on the shortcuts page; the part of the window that has
 * the focus handles them.
 */
const field = (id: PlainCommand, group: CommandGroup, ...keys: string[]): Command => ({
  id,
  label: () => messages.commands[id],
  group,
  keys,
});

const anywhere = (
  id: PlainCommand,
  keys: readonly string[],
  run: Command["run"],
  more: Partial<Command> = {},
) => ({
  id,
  label: () => messages.commands[id],
  group: "anywhere" as const,
  keys,
  run,
  ...more,
});

/**
 * textSize returns the properties of a command that changes the text size. The command is also available during the
 * first run, for users who can't read the small text there.
 */
const textSize = (step: -1 | 0 | 1): Partial<Command> => ({
  when: () => canStepTextSize(step),
  inFirstRun: true,
});

/**
 * toNextRequest cycles through the chats that are waiting for the user, in order of waiting time, longest
 * first. It opens the chat after the visible one, or the first chat if the visible one isn't waiting.
 */
export function toNextRequest(): void {
  const now = screen();
  const waiting = select.needsAttention(raw()).map((chat) => chat.id);
  if (waiting.length === 0) return;
  const at = now.name === "chat" ? waiting.indexOf(now.id) : -1;
  const id = waiting[(at + 1) % waiting.length];
  if (id) go({ name: "chat", id, toRequest: true });
}

/** toChat opens a chat by its 1-based position in the list. */
function toChat(at: number): void {
  const chat = inOrder(Object.values(raw().chats))[at - 1];
  if (chat) go({ name: "chat", id: chat.id });
}

function save(change: Partial<Settings>): void {
  actions
    .saveSettings({ ...unwrap(raw().settings), ...change })
    .catch((thrown) =>
      notify({ id: "settings", text: messages.settings.saveFailed, detail: thrown.message, failed: true }),
    );
}

function appearanceCommand<K extends "theme" | "contrast" | "motion">(
  key: K,
  values: readonly (Settings[K] & string)[],
): Command[] {
  return values.map((value) => ({
    id: `${key}.${value}`,
    label: () =>
      messages.commands[key](
        messages.settings.appearance[
          value as "system" | "light" | "dark" | "normal" | "more" | "full" | "reduced"
        ],
      ),
    group: "settings",
    when: () => raw().settings[key] !== value,
    run: () => save({ [key]: value }),
  }));
}

const namesOfLanguages = new Intl.DisplayNames([locale], { type: "language" });

/**
 * languageCommand returns the command that switches the UI to a language. Users can find it by the
 * language's own name and by its name in the current language.
 */
function languageCommand({ id, name }: (typeof languages)[number]): Command {
  const here = namesOfLanguages.of(id) ?? name;
  return {
    id: `language.${id}`,
    label: () => messages.commands.language(here === name ? name : `${name} (${here})`),
    group: "settings",
    when: () => language !== id,
    run: () => save({ language: id }),
  };
}

/**
 * These commands are unavailable in the settings, because holding their keys down must not take the user
 * out of the settings.
 */
const recentChatKeys: Partial<Command> = {
  when: () => screen().name !== "settings" && recentChats().length > (openChat() ? 1 : 0),
};

const pages = Object.keys(messages.settings.pages) as SettingsPage[];

/** commands holds all commands in display order. */
export const commands: readonly Command[] = [
  providedCommand("palette", "anywhere", ["Mod", "K"], { keysOnly: true }),
  anywhere("newChat", ["Mod", "N"], () => go({ name: "new" })),
  anywhere("search", ["Mod", "Shift", "F"], () => go({ name: "search" })),
  {
    id: "terminalSession",
    label: () => messages.commands.terminalSession,
    group: "anywhere",
    run: () => go({ name: "sessions" }),
  },
  anywhere("nextRequest", ["Mod", "Shift", "A"], toNextRequest, {
    when: () => select.needsAttention(raw()).length > 0,
  }),
  anywhere("nextChat", ["Ctrl", "Tab"], (event) => switchChat(1, event !== undefined), recentChatKeys),
  anywhere(
    "previousChat",
    ["Ctrl", "Shift", "Tab"],
    (event) => switchChat(-1, event !== undefined),
    recentChatKeys,
  ),
  anywhere("chatNumber", ["Mod", digits], (event) => event && toChat(digitOf(event)), { keysOnly: true }),
  providedCommand("filter", "anywhere", undefined),
  providedCommand("sidebar", "anywhere", ["Mod", "B"]),
  providedCommand("inspector", "anywhere", ["Mod", "J"]),
  anywhere("settings", ["Mod", ","], () => go({ name: "settings", page: "account" })),
  anywhere("largerText", ["Mod", "+"], () => stepTextSize(1), textSize(1)),
  anywhere("smallerText", ["Mod", "-"], () => stepTextSize(-1), textSize(-1)),
  anywhere("normalText", ["Mod", "0"], () => stepTextSize(0), textSize(0)),
  {
    id: "quickPrompt",
    label: () => messages.commands.quickPrompt,
    group: "anywhere",
    run: () => {
      actions.quickPrompt().catch((thrown) => actions.log("error", `quick prompt: ${thrown.message}`));
    },
  },
  anywhere("undoDelete", ["Mod", "Z"], () => undoDelete(), {
    when: () => deleted(Object.values(raw().chats)).length > 0,
  }),

  providedCommand("find", "chat", ["Mod", "F"]),
  providedCommand("rename", "chat", ["F2"]),
  ofChat("pin", chatActions.pin, {
    label: () => (openChat()?.pinned ? messages.commands.unpin : messages.commands.pin),
    when: () => openChat() !== undefined && !openChat()?.archived,
  }),
  ofChat("archive", chatActions.archive, {
    label: () => (openChat()?.archived ? messages.commands.unarchive : messages.commands.archive),
  }),
  ofChat("goOn", chatActions.continueInNewChat, {
    when: () => {
      const chat = openChat();
      return chat !== undefined && canContinue(chat);
    },
  }),
  ofChat("exportMarkdown", (chat) => chatActions.exportAs(chat, "markdown")),
  ofChat("exportHTML", (chat) => chatActions.exportAs(chat, "html")),
  ofChat("exportJSON", (chat) => chatActions.exportAs(chat, "json")),
  ofChat("exportCopilot", (chat) => chatActions.exportAs(chat, "copilot")),
  ofChat("copyFolder", chatActions.copyFolder),
  ofChat("copyResume", chatActions.copyResume, {
    when: () => {
      const chat = openChat();
      return chat !== undefined && canResume(chat);
    },
  }),
  ofChat("openFolder", chatActions.openFolder),
  ofChat("locateFolder", chatActions.locate),
  providedCommand("askReview", "chat", undefined),
  ofChat("reviewChanges", (chat) => openReview(chat.id), { keys: ["Mod", "Shift", "R"] }),
  ofChat("undoTurn", (chat) => startUndo(lastUndo(chat.id)?.turnId ?? ""), {
    keys: ["Mod", "Shift", "Z"],
    label: () =>
      lastUndo(openChat()?.id ?? "")?.state === "undone"
        ? messages.commands.redoTurn
        : messages.commands.undoTurn,
    when: () => hasUndo(lastUndo(openChat()?.id ?? "")),
  }),
  ofChat("reviewTrust", (chat) => reviewTrust(chat.id), {
    when: () => trustRequestOf(raw(), openChat()?.id ?? "") !== undefined,
  }),
  ofChat("saveProtocol", (chat) => actions.saveProtocol(chat.id)),
  ofChat("reconnect", reconnect),
  ofChat("delete", askDelete),

  field("send", "composer", "Enter"),
  field("newLine", "composer", "Shift", "Enter"),
  field("mention", "composer", "@"),
  field("slash", "composer", "/"),
  field("editQueued", "composer", "ArrowUp"),
  providedCommand("stop", "composer", ["Mod", "."]),
  providedCommand("sandbox", "composer", ["Alt", "S"]),

  providedCommand("allow", "request", ["Mod", "Shift", "Enter"], { keysOnly: true }),
  providedCommand("reject", "request", ["Mod", "Shift", "Backspace"], { keysOnly: true }),
  field("toRequest", "request", "Mod", "Shift", "A"),

  field("walk", "transcript", "Alt", "ArrowUp"),
  field("goBack", "transcript", "Z"),
  field("toggleBlock", "transcript", "Space"),

  ...pages.map(
    (page): Command => ({
      id: `settings.${page}`,
      label: () => messages.commands.page(messages.settings.pages[page]),
      group: "settings",
      run: () => go({ name: "settings", page }),
    }),
  ),
  {
    id: "removeRules",
    label: () => messages.commands.removeRules,
    group: "settings",
    when: () => Object.keys(raw().rules).length > 0,
    run: () => go({ name: "settings", page: "permissions" }, () => setRemovingAll(true)),
  },
  {
    id: "notifications.mute",
    label: () => (raw().settings.notify.muted ? messages.commands.unmute : messages.commands.mute),
    group: "settings",
    run: () => save({ notify: { ...unwrap(raw().settings.notify), muted: !raw().settings.notify.muted } }),
  },
  ...appearanceCommand("theme", ["system", "light", "dark"]),
  ...appearanceCommand("contrast", ["system", "normal", "more"]),
  ...appearanceCommand("motion", ["system", "full", "reduced"]),
  ...languages.map(languageCommand),
];

/** keysOf returns the keys of a command, for display beside equivalent controls. */
export function keysOf(id: string): readonly string[] {
  return commands.find((command) => command.id === id)?.keys ?? [];
}

/** Keys that text fields handle themselves. */
const undoKeys = ["Mod", "Z"];
const redoKeys = ["Mod", "Shift", "Z"];

/**
 * canRedoTyping reports whether a field handles the keys that redo typing. An empty message box with nothing to redo
 * leaves them to the command.
 */
function canRedoTyping(target: EventTarget | null): boolean {
  const isMessage = target instanceof HTMLTextAreaElement && target.matches(".main .composer textarea");
  return !isMessage || target.value !== "" || document.queryCommandEnabled?.("redo") === true;
}

/** Keys that open GTK's emoji chooser in any field unless the page prevents it. */
const emojiKeys = [["Mod", "."]];

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox], [type=radio])"))
  );
}

/** commandFor returns the available command for a key press, or undefined if there is none. */
export function commandFor(event: KeyboardEvent): Command | undefined {
  if (isField(event.target) && areKeys(undoKeys, event)) return undefined;
  if (isField(event.target) && areKeys(redoKeys, event) && canRedoTyping(event.target)) return undefined;
  return commands.find(
    (command) =>
      command.run && command.keys && areKeys(command.keys, event) && (!command.when || command.when()),
  );
}

/**
 * createCommandKeys handles the keys of all usable commands for the lifetime of its owner. An open dialog
 * takes precedence.
 */
export function createCommandKeys(usable: (command: Command) => boolean): void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (emojiKeys.some((keys) => areKeys(keys, event))) event.preventDefault();
    if (event.repeat) return;
    if (document.querySelector("[role=alertdialog], .dialog, .pal")) return;
    const command = commandFor(event);
    if (!command || !usable(command)) return;
    event.preventDefault();
    command.run?.(event);
  };
  window.addEventListener("keydown", onKeyDown);
  onCleanup(() => window.removeEventListener("keydown", onKeyDown));
}
