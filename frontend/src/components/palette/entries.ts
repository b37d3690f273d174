// What the palette offers for what is typed. Plain functions of lists, so that
// what is found, and in which order, is testable without a window.

import fuzzysort from "fuzzysort";
import { seen } from "../../lib/format";
import type { Command, CommandGroup } from "../../state/commands";
import type { Chat } from "../../state/types";

export type Section =
  | "chats"
  | "chat"
  | "model"
  | "mode"
  | "permissions"
  | "anywhere"
  | "folders"
  | "settings"
  | "files";

const order: readonly Section[] = [
  "chats",
  "chat",
  "model",
  "mode",
  "permissions",
  "anywhere",
  "folders",
  "settings",
  "files",
];

/** One row of the palette. */
export interface Entry {
  id: string;
  section: Section;
  label: string;
  /** The letters of the label that were typed, as positions in it. */
  marks: readonly number[];
  chat?: Chat;
  command?: Command;
  /** Stands at the right: where the entry leads. */
  fact?: string;
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

/** How many chats stand there before anything is typed. */
const firstChats = 6;

/** Below this a match is more accident than meaning. */
const threshold = 0.5;
/** What a name is worth at least that has what was typed in one piece. */
const partWorth = 0.6;
/** What it is worth beyond that to begin with it. */
const beginWorth = 0.1;
/** How much of a match's worth, which is 1 at most, use can make up for. */
const useWorth = 0.3;

/** Something else that the palette leads to: a model, a mode, a setting, a folder. */
export interface Lead extends Command {
  section: Section;
  fact?: string;
  /** It is found by what is typed, but isn't listed before. */
  hidden?: boolean;
}

export interface Offer {
  chats: readonly Chat[];
  titleOf: (chat: Chat) => string;
  /** The chat on screen, which nobody has to be led to. */
  openId: string;
  /** Those that can be given now. */
  commands: readonly Command[];
  leads?: readonly Lead[];
  /** Files of the chat on screen that were found for what was typed. */
  files?: readonly Entry[];
  /** How much an entry is used, from 0 to 1. */
  use: (id: string) => number;
}

/** byUse puts what is used most first, and leaves the rest in its order. */
function byUse<T extends { id: string }>(list: readonly T[], use: Offer["use"]): T[] {
  return [...list].sort((a, b) => use(b.id) - use(a.id));
}

function ofChat(chat: Chat, label: string, marks: readonly number[]): Entry {
  return { id: chat.id, section: "chats", label, marks, chat };
}

function ofCommand(command: Command | Lead, label: string, marks: readonly number[]): Entry {
  const { section = sections[command.group], fact } = command as Partial<Lead>;
  return { id: command.id, section, label, marks, command, fact };
}

/** bySection puts entries under their sections, the section with the best entry first. */
function bySection(found: readonly { entry: Entry; worth: number }[]): Entry[] {
  const best = new Map<Section, number>();
  for (const { entry, worth } of found) {
    best.set(entry.section, Math.max(best.get(entry.section) ?? 0, worth));
  }
  const ranked = [...best.keys()].sort(
    (a, b) => (best.get(b) ?? 0) - (best.get(a) ?? 0) || order.indexOf(a) - order.indexOf(b),
  );
  return ranked.flatMap((section) =>
    found
      .filter(({ entry }) => entry.section === section)
      .sort((a, b) => b.worth - a.worth)
      .map(({ entry }) => entry),
  );
}

/** entriesFor are the rows for a query, section by section: all that match, by how well and by use. */
export function entriesFor(offer: Offer, mode: Mode, query: string): Entry[] {
  const chats =
    mode === "all"
      ? [...offer.chats]
          .sort((a, b) => b.updatedAt - a.updatedAt)
          .filter((chat) => query !== "" || chat.id !== offer.openId)
      : [];
  const commands = [...offer.commands, ...(offer.leads ?? [])].filter(
    (command) => command.run && !command.keysOnly,
  );
  if (query === "") {
    const listed = commands.filter(
      (command) =>
        !(command as Partial<Lead>).hidden && (mode === "commands" || command.group !== "settings"),
    );
    const found = [
      ...byUse(chats, offer.use)
        .slice(0, firstChats)
        .map((chat) => ofChat(chat, offer.titleOf(chat), [])),
      ...byUse(listed, offer.use).map((command) => ofCommand(command, command.label(), [])),
    ];
    return order.flatMap((section) => found.filter((entry) => entry.section === section));
  }
  const all = [
    ...chats.map((chat) => ofChat(chat, offer.titleOf(chat), [])),
    ...commands.map((command) => ofCommand(command, command.label(), [])),
  ].map((entry, at) => ({ entry, at, label: entry.label }));
  const typed = query.toLowerCase();
  const hits = fuzzysort
    .go(query, all, { key: "label", limit: all.length })
    .map((hit) => {
      const { entry, at } = hit.obj;
      const isPart = hit.target.toLowerCase().includes(typed);
      // A part of a long name is worth as much as that of a short one.
      const begins = hit.target.toLowerCase().startsWith(typed) ? beginWorth : 0;
      const score = (isPart ? Math.max(hit.score, partWorth) : hit.score) + begins;
      return { entry: { ...entry, marks: hit.indexes }, at, score };
    })
    .filter(({ score }) => score >= threshold)
    .sort((a, b) => a.at - b.at)
    .map(({ entry, score }) => ({ entry, worth: score + useWorth * offer.use(entry.id) }));
  return bySection([
    ...hits,
    // Files come in the order of their worth, and behind what is called so.
    ...(mode === "all" ? (offer.files ?? []) : []).map((entry, at) => ({
      entry,
      worth: 0.4 - at / 10_000,
    })),
  ]);
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
  return cut.map((piece) => ({ ...piece, text: seen(piece.text, "prose") }));
}
