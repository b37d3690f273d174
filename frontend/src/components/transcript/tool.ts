// What a row says about a tool call.

import { words } from "../../i18n";
import { seen, within } from "../../lib/format";
import { tilde } from "../../lib/path";
import type { Permission, Tool, ToolStatus, TurnState } from "../../state/types";

/** shown is a path from the folder's root, or with "~" outside of it. */
export function shown(path: string, folder: string): string {
  const inside = within(path, folder);
  return inside === path ? tilde(path) : seen(inside);
}

/** isPath says whether the target of a tool is one file. */
export function isPath(tool: Tool): boolean {
  return !!tool.path && ["read", "edit", "delete"].includes(tool.kind);
}

/** targetOf is what a tool works on: a path, a command, what it looks for, an address, else the agent's own title. */
export function targetOf(tool: Tool, folder: string): string {
  if (tool.kind === "execute" && tool.command) return seen(tool.command);
  if (tool.kind === "move" && tool.path && tool.to) {
    return words.chat.tool.moved(shown(tool.path, folder), shown(tool.to, folder));
  }
  if (tool.path && isPath(tool)) return shown(tool.path, folder);
  if (tool.kind === "search" && tool.command) return seen(tool.command);
  const address = tool.kind === "fetch" ? /https?:\/\/(\S+)/.exec(tool.title)?.[1] : "";
  if (address) return seen(address);
  const named = tool.title || tool.command || "";
  return seen(named) || seen(tool.path ?? "");
}

/**
 * statusOf is the status a row shows: a command that ended badly has failed,
 * whatever the agent calls it, and one without a result has too.
 */
export function statusOf(tool: Tool, turn?: TurnState): ToolStatus {
  if (tool.decision === "rejected") return "failed";
  if (tool.status === "cancelled") return turn === "interrupted" ? "failed" : "cancelled";
  if (tool.status === "completed" && (tool.exitCode || tool.signal)) return "failed";
  // What ended without its call was not answered.
  if (turn && turn !== "running" && (tool.status === "pending" || tool.status === "in_progress"))
    return "failed";
  return tool.status;
}

/** askTitle is what a request wants, as the title of its card, with what cannot be seen in it. */
export function askTitle(ask: Permission, folder: string): string {
  // Paths are written so already, and nothing is written so twice.
  return seen(titleOf(ask, folder, othersOf(ask), filesIn(ask)));
}

/** pathOf is the file that a request is about, the first of several. */
const pathOf = (ask: Permission) => ask.path || ask.files?.[0]?.path;

/** filesOf are the files that a request lists, and how many there are besides. */
function filesOf(ask: Permission): { paths: Set<string>; more: number } {
  const listed = ask.files?.filter((file) => !file.more) ?? [];
  const more = ask.files?.reduce((n, file) => n + (file.more ?? 0), 0) ?? 0;
  return { paths: new Set(listed.map((file) => file.path)), more };
}

/** othersOf is how many files a request is about besides those that it is called by. */
function othersOf(ask: Permission): number {
  const { paths, more } = filesOf(ask);
  paths.delete(pathOf(ask) ?? "");
  paths.delete(ask.to ?? "");
  return paths.size + more;
}

/** filesIn is how many files a request is about. */
export function filesIn(ask: Permission): number {
  const named = [pathOf(ask), ask.to].filter(Boolean).length;
  return othersOf(ask) + named;
}

function titleOf(ask: Permission, folder: string, others: number, all: number): string {
  const { to } = ask;
  const path = pathOf(ask);
  if (others > 0 && ["edit", "delete", "move"].includes(ask.kind)) return words.card.changeFiles(all);
  const file = (name: string) =>
    others > 0 ? words.chat.ask.more(shown(name, folder), others) : shown(name, folder);
  switch (ask.kind) {
    case "execute":
      return words.chat.ask.run;
    case "edit":
      if (path) return ask.creates ? words.card.create(file(path)) : words.chat.ask.edit(file(path));
      break;
    case "delete":
      if (path) return words.chat.ask.delete(file(path));
      break;
    case "read":
    case "search":
      if (path) return words.chat.ask.read(file(path));
      break;
    case "move":
      if (path && to) return words.chat.ask.move(shown(path, folder), file(to));
      break;
    case "fetch": {
      const address = /https?:\/\/\S+/.exec(ask.title)?.[0];
      if (address && URL.canParse(address)) return words.chat.ask.open(new URL(address).host);
      break;
    }
    default:
      return words.chat.ask.use(ask.title);
  }
  return ask.title;
}

const baseName = (path: string | undefined) => path?.split(/[\\/]/).pop();

/** wantOf is what a request wants in a few words: a file by its name, a command by its first line. */
export function wantOf(ask: Permission): string {
  const command = ask.kind === "execute" ? ask.command?.trim().split("\n", 1)[0] : "";
  if (command) return words.chat.ask.toRun(seen(command));
  const short = { ...ask, path: baseName(pathOf(ask)), to: baseName(ask.to) };
  return words.chat.ask.inSentence(seen(titleOf(short, "", othersOf(ask), filesIn(ask))));
}
