// All commands of the window: labels, keys and conditions. One handler serves the keys of all commands;
// the palette and the shortcuts page use the same list.
//
// Commands that only one part of the window can run are provided by that part while it is mounted: the
// composer stops the turn, the visible transcript answers its request. A command without run only
// documents keys of the focused part.

import { onCleanup } from "solid-js";
import { unwrap } from "solid-js/store";
import { language, languages, locale, words } from "../i18n";
import { actions } from "./actions";
import { askDelete, canContinue, chatActions, deleted, undoDelete } from "./chatActions";
import { setRemovingAll } from "./confirmRemoveAll";
import { openInspector } from "./inspector";
import { areKeys, digitOf, digits } from "./keys";
import { notify } from "./notices";
import { inOrder } from "./rows";
import { go, type SettingsPage, screen } from "./screen";
import { select } from "./select";
import { raw } from "./store";
import { recentChats, switchChat } from "./switching";
import { canStepTextSize, stepTextSize } from "./textSize";
import { trustRequestOf } from "./trust";
import { reviewTrust } from "./trustSheet";
import type { Chat, Settings } from "./types";

export type CommandGroup = keyof typeof words.commands.groups;

/** Commands that a part of the window provides while it is mounted. */
export type Provided =
  | "palette"
  | "sidebar"
  | "filter"
  | "inspector"
  | "find"
  | "rename"
  | "stop"
  | "allow"
  | "reject"
  | "allowAll";

export interface Command {
  id: string;
  /** Current label; some follow the state. */
  label: () => string;
  group: CommandGroup;
  keys?: readonly string[];
  /** Reports whether the command is available; absent means always. */
  when?: () => boolean;
  /** Runs the command. Absent if its keys belong to the focused part. */
  run?: (event?: KeyboardEvent) => void;
  /** Hidden in the palette: it has another row there, or makes no sense there. */
  keysOnly?: boolean;
  /** Its keys also work in the first run. */
  inFirstRun?: boolean;
}

interface Part {
  run: () => void;
  when: () => boolean;
}

const parts = new Map<Provided, Part[]>();

/**
 * provide registers the owner as the provider of a command for its lifetime; the newest provider takes
 * precedence.
 */
export function provide(id: Provided, run: () => void, when: () => boolean = () => true): void {
  const part = { run, when };
  parts.set(id, [...(parts.get(id) ?? []), part]);
  onCleanup(() =>
    parts.set(
      id,
      (parts.get(id) ?? []).filter((each) => each !== part),
    ),
  );
}

const partFor = (id: Provided) => (parts.get(id) ?? []).findLast((part) => part.when());

/** runProvided runs a command through its current provider. */
export function runProvided(id: Provided): void {
  partFor(id)?.run();
}

function provided(
  id: Exclude<Provided, "allowAll">,
  group: CommandGroup,
  keys: readonly string[] | undefined,
  more: Partial<Command> = {},
): Command {
  return {
    id,
    label: () => words.commands[id],
    group,
    keys,
    when: () => partFor(id) !== undefined,
    run: () => partFor(id)?.run(),
    ...more,
  };
}

/** openChat returns the visible chat, or undefined if it is deleted. */
export function openChat(): Chat | undefined {
  const now = screen();
  const chat = now.name === "chat" ? raw().chats[now.id] : undefined;
  return chat?.deletedAt ? undefined : chat;
}

type Plain = Exclude<
  {
    [K in keyof typeof words.commands]: (typeof words.commands)[K] extends string ? K : never;
  }[keyof typeof words.commands],
  Provided
>;

function ofChat(id: Plain, run: (chat: Chat) => void, more: Partial<Command> = {}): Command {
  return {
    id,
    label: () => words.commands[id],
    group: "chat",
    when: () => openChat() !== undefined,
    run: () => {
      const chat = openChat();
      if (chat) run(chat);
    },
    ...more,
  };
}

/** field describes a key of the focused part, for the shortcuts page. */
const field = (id: Plain, group: CommandGroup, ...keys: string[]): Command => ({
  id,
  label: () => words.commands[id],
  group,
  keys,
});

const anywhere = (id: Plain, keys: readonly string[], run: Command["run"], more: Partial<Command> = {}) => ({
  id,
  label: () => words.commands[id],
  group: "anywhere" as const,
  keys,
  run,
  ...more,
});

/** Users who can't read the first screen can enlarge it there. */
const textSize = (step: -1 | 0 | 1): Partial<Command> => ({
  when: () => canStepTextSize(step),
  inFirstRun: true,
});

/** toNextRequest opens the chat that has waited longest for the user, after the visible one. */
export function toNextRequest(): void {
  const now = screen();
  const waiting = select.needy(raw()).map((chat) => chat.id);
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
      notify({ id: "settings", text: words.settings.saveFailed, detail: thrown.message, failed: true }),
    );
}

function look<K extends "theme" | "contrast" | "motion">(
  key: K,
  values: readonly (Settings[K] & string)[],
): Command[] {
  return values.map((value) => ({
    id: `${key}.${value}`,
    label: () =>
      words.commands[key](
        words.settings.appearance[
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
 * speak returns the command that switches the UI to a language. It is found by the language's own name
 * and by its name in the current language.
 */
function speak({ id, name }: (typeof languages)[number]): Command {
  const here = namesOfLanguages.of(id) ?? name;
  return {
    id: `language.${id}`,
    label: () => words.commands.language(here === name ? name : `${name} (${here})`),
    group: "settings",
    when: () => language !== id,
    run: () => save({ language: id }),
  };
}

/** Holding the key down must not leave the settings. */
const recent: Partial<Command> = {
  when: () => screen().name !== "settings" && recentChats().length > (openChat() ? 1 : 0),
};

const pages = Object.keys(words.settings.pages) as SettingsPage[];

/** commands holds all commands in display order. */
export const commands: readonly Command[] = [
  provided("palette", "anywhere", ["Mod", "K"], { keysOnly: true }),
  anywhere("newChat", ["Mod", "N"], () => go({ name: "new" })),
  anywhere("search", ["Mod", "Shift", "F"], () => go({ name: "search" })),
  anywhere("nextRequest", ["Mod", "Shift", "A"], toNextRequest, {
    when: () => select.needy(raw()).length > 0,
  }),
  anywhere("nextChat", ["Ctrl", "Tab"], (event) => switchChat(1, event !== undefined), recent),
  anywhere("previousChat", ["Ctrl", "Shift", "Tab"], (event) => switchChat(-1, event !== undefined), recent),
  anywhere("chatNumber", ["Mod", digits], (event) => event && toChat(digitOf(event)), { keysOnly: true }),
  provided("filter", "anywhere", undefined),
  provided("sidebar", "anywhere", ["Mod", "B"]),
  provided("inspector", "anywhere", ["Mod", "J"]),
  anywhere("settings", ["Mod", ","], () => go({ name: "settings", page: "account" })),
  anywhere("largerText", ["Mod", "+"], () => stepTextSize(1), textSize(1)),
  anywhere("smallerText", ["Mod", "-"], () => stepTextSize(-1), textSize(-1)),
  anywhere("normalText", ["Mod", "0"], () => stepTextSize(0), textSize(0)),
  {
    id: "quickPrompt",
    label: () => words.commands.quickPrompt,
    group: "anywhere",
    run: () => {
      actions.quickPrompt().catch((thrown) => actions.log("error", `quick prompt: ${thrown.message}`));
    },
  },
  anywhere("undoDelete", ["Mod", "Z"], () => undoDelete(), {
    when: () => deleted(Object.values(raw().chats)).length > 0,
  }),

  provided("find", "chat", ["Mod", "F"]),
  provided("rename", "chat", ["F2"]),
  ofChat("pin", chatActions.pin, {
    label: () => (openChat()?.pinned ? words.commands.unpin : words.commands.pin),
    when: () => openChat() !== undefined && !openChat()?.archived,
  }),
  ofChat("archive", chatActions.archive, {
    label: () => (openChat()?.archived ? words.commands.unarchive : words.commands.archive),
  }),
  ofChat("goOn", chatActions.goOn, {
    when: () => {
      const chat = openChat();
      return chat !== undefined && canContinue(chat);
    },
  }),
  ofChat("exportMarkdown", (chat) => chatActions.exportAs(chat, "markdown")),
  ofChat("exportHTML", (chat) => chatActions.exportAs(chat, "html")),
  ofChat("exportJSON", (chat) => chatActions.exportAs(chat, "json")),
  ofChat("copyFolder", chatActions.copyFolder),
  ofChat("openFolder", chatActions.openFolder),
  ofChat("locateFolder", chatActions.locate),
  ofChat("reviewChanges", () => openInspector("changes")),
  ofChat("reviewTrust", (chat) => reviewTrust(chat.id), {
    when: () => trustRequestOf(raw(), openChat()?.id ?? "") !== undefined,
  }),
  ofChat("saveProtocol", (chat) => actions.saveProtocol(chat.id)),
  ofChat("reconnect", (chat) => actions.reconnect(chat.id)),
  ofChat("delete", askDelete),

  field("send", "composer", "Enter"),
  field("newLine", "composer", "Shift", "Enter"),
  field("mention", "composer", "@"),
  field("slash", "composer", "/"),
  field("editQueued", "composer", "ArrowUp"),
  provided("stop", "composer", ["Mod", "."]),

  provided("allow", "request", ["Mod", "Shift", "Enter"], { keysOnly: true }),
  provided("reject", "request", ["Mod", "Shift", "Backspace"], { keysOnly: true }),
  field("toRequest", "request", "Mod", "Shift", "A"),

  field("walk", "transcript", "Alt", "ArrowUp"),
  field("toggleBlock", "transcript", "Space"),

  ...pages.map(
    (page): Command => ({
      id: `settings.${page}`,
      label: () => words.commands.page(words.settings.pages[page]),
      group: "settings",
      run: () => go({ name: "settings", page }),
    }),
  ),
  {
    id: "removeRules",
    label: () => words.commands.removeRules,
    group: "settings",
    when: () => Object.keys(raw().rules).length > 0,
    run: () => go({ name: "settings", page: "permissions" }, () => setRemovingAll(true)),
  },
  {
    id: "notifications.mute",
    label: () => (raw().settings.notify.muted ? words.commands.unmute : words.commands.mute),
    group: "settings",
    run: () => save({ notify: { ...unwrap(raw().settings.notify), muted: !raw().settings.notify.muted } }),
  },
  ...look("theme", ["system", "light", "dark"]),
  ...look("contrast", ["system", "normal", "more"]),
  ...look("motion", ["system", "full", "reduced"]),
  ...languages.map(speak),
];

/** keysOf returns the keys of a command, for display beside equivalent controls. */
export function keysOf(id: string): readonly string[] {
  return commands.find((command) => command.id === id)?.keys ?? [];
}

/** Keys that text fields handle themselves. */
const fieldKeys = [["Mod", "Z"]];

/** Keys that open GTK's emoji chooser in any field unless the page prevents it. */
const emojiKeys = [["Mod", "."]];

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox], [type=radio])"))
  );
}

/** commandFor returns the available command for a key press. */
export function commandFor(event: KeyboardEvent): Command | undefined {
  if (isField(event.target) && fieldKeys.some((keys) => areKeys(keys, event))) return undefined;
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
