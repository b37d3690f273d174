// Search results of the palette. The functions are pure, so that results and their order can be tested
// without a window.

import fuzzysort from "fuzzysort";
import { visibleText } from "../../lib/format";
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

/** A row of the palette. */
export interface Entry {
  id: string;
  section: Section;
  label: string;
  /** Positions of the matched characters in the label. */
  marks: readonly number[];
  chat?: Chat;
  command?: Command;
  /** Detail shown on the right, such as the target of the entry. */
  fact?: string;
  /** Path of a file, relative to the chat's folder. */
  file?: string;
}

/** Scope of the search: everything, only commands, or files in the chat's folder. */
export type Mode = "all" | "commands" | "files";

/** modeOf returns the mode selected by the query's prefix, and the rest of the query. */
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

/** Number of chats shown without a query. */
const initialChats = 6;

/** Minimum score of a match. Matches with a lower score are mostly accidental. */
const minScore = 0.5;
/** A label that contains the query as a substring gets at least this score. */
const substringScore = 0.6;
/** Bonus for a label that starts with the query. */
const prefixBonus = 0.1;
/** Maximum bonus for frequent use; match scores are at most 1. */
const maxUseBonus = 0.3;

/** Palette targets other than chats and commands: models, modes, settings and folders. */
export interface PaletteTarget extends Command {
  section: Section;
  fact?: string;
  /** Whether the target is listed only if it matches a query. */
  hidden?: boolean;
}

export interface PaletteSources {
  chats: readonly Chat[];
  titleOf: (chat: Chat) => string;
  /** ID of the visible chat, which is listed only if it matches a query. */
  openId: string;
  /** The available commands. */
  commands: readonly Command[];
  targets?: readonly PaletteTarget[];
  /** Files of the visible chat that match the query. */
  files?: readonly Entry[];
  /** Returns how often an entry is used, on a scale from 0 to 1. */
  use: (id: string) => number;
}

/**
 * byUse sorts a list by frequency of use, most used first. Entries that are used equally often keep their
 * order.
 */
function byUse<T extends { id: string }>(list: readonly T[], use: PaletteSources["use"]): T[] {
  return [...list].sort((a, b) => use(b.id) - use(a.id));
}

function ofChat(chat: Chat, label: string, marks: readonly number[]): Entry {
  return { id: chat.id, section: "chats", label, marks, chat };
}

function ofCommand(command: Command | PaletteTarget, label: string, marks: readonly number[]): Entry {
  const { section = sections[command.group], fact } = command as Partial<PaletteTarget>;
  return { id: command.id, section, label, marks, command, fact };
}

/**
 * bySection groups entries by section. Within a section, entries are sorted by `worth`, highest first.
 * Sections are sorted by their best entry.
 */
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

/**
 * entriesFor returns all rows that match a query, grouped by section and ranked by score and use. Without a query, it
 * returns some of the chats and the commands that aren't hidden, ranked by use.
 */
export function entriesFor(offer: PaletteSources, mode: Mode, query: string): Entry[] {
  const chats =
    mode === "all"
      ? [...offer.chats]
          .sort((a, b) => b.updatedAt - a.updatedAt)
          .filter((chat) => query !== "" || chat.id !== offer.openId)
      : [];
  const commands = [...offer.commands, ...(offer.targets ?? [])].filter(
    (command) => command.run && !command.keysOnly,
  );
  if (query === "") {
    const listed = commands.filter(
      (command) =>
        !(command as Partial<PaletteTarget>).hidden && (mode === "commands" || command.group !== "settings"),
    );
    const found = [
      ...byUse(chats, offer.use)
        .slice(0, initialChats)
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
      // Substring matches get the same minimum score in short and long labels; prefix matches also get a
      // bonus.
      const begins = hit.target.toLowerCase().startsWith(typed) ? prefixBonus : 0;
      const score = (isPart ? Math.max(hit.score, substringScore) : hit.score) + begins;
      return { entry: { ...entry, marks: hit.indexes }, at, score };
    })
    .filter(({ score }) => score >= minScore)
    .sort((a, b) => a.at - b.at)
    .map(({ entry, score }) => ({ entry, worth: score + maxUseBonus * offer.use(entry.id) }));
  return bySection([
    ...hits,
    // Files keep their order and rank below good matches of labels.
    ...(mode === "all" ? (offer.files ?? []) : []).map((entry, at) => ({
      entry,
      worth: 0.4 - at / 10_000,
    })),
  ]);
}

/** filesFor returns the rows for files that the app found. */
export function filesFor(files: readonly { path: string; marks?: number[] }[]): Entry[] {
  return files.map(({ path, marks }) => ({
    id: `@${path}`,
    section: "files",
    label: path,
    marks: marks ?? [],
    file: path,
  }));
}

/** pieces splits a label at the edges of its matches. Invisible characters are replaced with their names. */
export function pieces(label: string, marks: readonly number[]): { text: string; hit: boolean }[] {
  const marked = new Set(marks);
  const cut: { text: string; hit: boolean }[] = [];
  for (let at = 0; at < label.length; at++) {
    const hit = marked.has(at);
    const last = cut.at(-1);
    if (last?.hit === hit) last.text += label[at];
    else cut.push({ text: label[at] as string, hit });
  }
  return cut.map((piece) => ({ ...piece, text: visibleText(piece.text, "prose") }));
}
