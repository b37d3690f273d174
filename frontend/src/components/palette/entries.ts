// What the palette offers for what is typed. Plain functions of lists, so that
// what is found, and in which order, is testable without a window.

import fuzzysort from "fuzzysort";
import { seen } from "../../lib/format";
import type { Command, CommandGroup } from "../../state/commands";
import type { Chat } from "../../state/words";

export type Section = "chats" | "chat" | "anywhere" | "settings" | "files";

/** One row of the palette. */
export interface Entry {
  id: string;
  section: Section;
  label: string;
  /** The letters of the label that were typed, as positions in it. */
  marks: readonly number[];
  chat?: Chat;
  command?: Command;
  /** A file of the chat's folder, from the folder on. */
  file?: string;
}

/** What is looked for: everything, commands only, or files of the chat's folder. */
export type Mode = "all" | "commands" | "files";

/** modeOf is what the first letter of the query asks for, and the rest of it. */
export function modeOf(query: string): { mode: Mode; query: string } {
  if (query.startsWith(">")) return { mode: "commands", query: query.slice(1).trim() };
  if (query.startsWith("@")) return { mode: "files", query: query.slice(1).trim() };
  return { mode: "all", query: query.trim() };
}

const sections: Record<CommandGroup, Section> = {
  everywhere: "anywhere",
  anywhere: "anywhere",
  chat: "chat",
  composer: "chat",
  request: "chat",
  transcript: "chat",
  settings: "settings",
};

/** How many chats stand there before anything is typed, and how many are found. */
const firstChats = 6;
const foundChats = 8;
const foundCommands = 8;

/** Below this a match is more accident than meaning. */
const threshold = 0.5;

export interface Offer {
  chats: readonly Chat[];
  titleOf: (chat: Chat) => string;
  /** The chat on screen, which nobody has to be led to. */
  openId: string;
  /** Those that can be given now. */
  commands: readonly Command[];
  /** Ids of what was chosen before, the newest first. */
  recent: readonly string[];
}

/** rank puts what was chosen lately first, and leaves the rest in its order. */
function rank<T>(list: readonly T[], idOf: (each: T) => string, recent: readonly string[]): T[] {
  const place = (each: T) => {
    const at = recent.indexOf(idOf(each));
    return at < 0 ? recent.length : at;
  };
  return [...list].sort((a, b) => place(a) - place(b));
}

function ofChat(chat: Chat, label: string, marks: readonly number[]): Entry {
  return { id: chat.id, section: "chats", label, marks, chat };
}

function ofCommand(command: Command, label: string, marks: readonly number[]): Entry {
  return { id: command.id, section: sections[command.group], label, marks, command };
}

/** entriesFor are the rows for a query, section by section. */
export function entriesFor(offer: Offer, mode: Mode, query: string): Entry[] {
  const chats =
    mode === "all"
      ? [...offer.chats]
          .sort((a, b) => b.updatedAt - a.updatedAt)
          .filter((chat) => query !== "" || chat.id !== offer.openId)
      : [];
  const commands = rank(
    offer.commands.filter((command) => command.run && !command.keysOnly),
    (command) => command.id,
    offer.recent,
  );
  let found: Entry[];
  if (query === "") {
    found = [
      ...rank(chats, (chat) => chat.id, offer.recent)
        .slice(0, firstChats)
        .map((chat) => ofChat(chat, offer.titleOf(chat), [])),
      ...commands
        .filter((command) => mode === "commands" || command.group !== "settings")
        .map((command) => ofCommand(command, command.label(), [])),
    ];
  } else {
    const named = chats.map((chat) => ({ chat, label: offer.titleOf(chat) }));
    const called = commands.map((command) => ({ command, label: command.label() }));
    const options = { key: "label", threshold };
    found = [
      ...fuzzysort
        .go(query, named, { ...options, limit: foundChats })
        .map((hit) => ofChat(hit.obj.chat, hit.target, hit.indexes)),
      ...fuzzysort
        .go(query, called, { ...options, limit: mode === "commands" ? 50 : foundCommands })
        .map((hit) => ofCommand(hit.obj.command, hit.target, hit.indexes)),
    ];
  }
  const order: Section[] = ["chats", "chat", "anywhere", "settings"];
  return order.flatMap((section) => found.filter((entry) => entry.section === section));
}

/** filesFor are the rows for files that were found. */
export function filesFor(files: readonly { path: string; marks?: number[] }[]): Entry[] {
  return files.map(({ path, marks }) => ({
    id: `@${path}`,
    section: "files",
    label: path,
    marks: marks ?? [],
    file: path,
  }));
}

/** pieces are a label cut where what was typed begins and ends. What cannot be seen in it is named. */
export function pieces(label: string, marks: readonly number[]): { text: string; hit: boolean }[] {
  const marked = new Set(marks);
  const cut: { text: string; hit: boolean }[] = [];
  for (let at = 0; at < label.length; at++) {
    const hit = marked.has(at);
    const last = cut.at(-1);
    if (last?.hit === hit) last.text += label[at];
    else cut.push({ text: label[at] as string, hit });
  }
  return cut.map((piece) => ({ ...piece, text: seen(piece.text) }));
}
