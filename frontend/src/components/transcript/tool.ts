// The text in the row of a tool call.

import { messages } from "../../i18n";
import { relativePath, utf8Size, visibleText } from "../../lib/format";
import { tilde } from "../../lib/path";
import { parsePlan, stepCount } from "../../lib/plan";
import { shortHost } from "../../state/sandbox";
import type { Content, Permission, Tool, ToolKind, ToolStatus, TurnState } from "../../state/types";

/**
 * displayPath returns `path` relative to `folder`. A path outside the folder stays absolute, with "~" for
 * the home directory.
 */
export function displayPath(path: string, folder: string): string {
  const inside = relativePath(path, folder);
  return inside === path ? tilde(path) : visibleText(inside);
}

/** isPath reports whether the target of a tool is a single file. */
export function isPath(tool: Tool): boolean {
  return !!tool.path && ["read", "edit", "delete"].includes(tool.kind);
}

/**
 * withoutVerb removes the verb from the start of a title if the line shows that verb anyway: Copilot's "Reading shell
 * output" becomes "shell output". Titles are always in English, whatever the language of the window.
 */
function withoutVerb(kind: ToolKind, title: string): string {
  return kind === "read" ? title.replace(/^Reading (?=\S)/, "") : title;
}

/** isQuestion reports whether a call asks the user: a question, or to approve a plan. */
export const isQuestion = (tool: Tool) => tool.kind === "ask" || tool.kind === "plan";

/**
 * shownContents returns the contents of a call that its row shows. The list of the files in a request is shown only in
 * the request's card, and a question is shown from the request. A command's preview is left out if the row already shows
 * the whole command.
 */
export const shownContents = (contents: Content[], tool: Tool) =>
  contents.filter(
    ({ type, size }) =>
      type !== "names" &&
      type !== "question" &&
      (type !== "command" || size !== utf8Size(tool.command ?? "")),
  );

/** isWebPage reports whether a call is an agent's request to open a web page. */
export const isWebPage = (tool: Tool) => tool.kind === "ask" && !!tool.command;

/**
 * targetOf returns the target of a tool call: a path, command, search text or web address. If there is
 * none, it returns the title that the agent gave the call.
 */
export function targetOf(tool: Tool, folder: string): string {
  if (tool.kind === "execute" && tool.command) return visibleText(tool.command);
  if (tool.kind === "move" && tool.path && tool.to) {
    return messages.chat.tool.moved(displayPath(tool.path, folder), displayPath(tool.to, folder));
  }
  if (tool.path && isPath(tool)) return displayPath(tool.path, folder);
  if ((tool.kind === "search" || isWebPage(tool)) && tool.command) return visibleText(tool.command);
  const address = tool.kind === "fetch" ? /https?:\/\/(\S+)/.exec(tool.title)?.[1] : "";
  if (address) return visibleText(address);
  const named = tool.title || tool.command || "";
  return visibleText(withoutVerb(tool.kind, named)) || visibleText(tool.path ?? "");
}

/** blockedHosts returns the sites that the sandbox didn't let a command reach. */
export function blockedHosts(tool: Tool): string[] {
  return (tool.blocked ?? []).map((address) => visibleText(shortHost(address)));
}

/**
 * blockedText names the first site that the sandbox blocked and the number of other blocked sites. It returns "" if the
 * sandbox blocked none.
 */
export function blockedText(tool: Tool): string {
  const [first, ...others] = blockedHosts(tool);
  return first === undefined ? "" : messages.sandbox.row.blocked(first, others.length);
}

/**
 * statusOf returns the status to display. Whatever the agent reports, a call counts as failed if it was rejected, if
 * its command exited with an error, if it was cancelled because its turn was interrupted, or if it got no result
 * before its turn ended.
 */
export function statusOf(tool: Tool, turn?: TurnState): ToolStatus {
  if (tool.decision === "rejected") return "failed";
  if (tool.status === "cancelled") return turn === "interrupted" ? "failed" : "cancelled";
  if (tool.status === "completed" && (tool.exitCode || tool.signal)) return "failed";
  // A call still open when its turn has ended got no response.
  if (turn && turn !== "running" && (tool.status === "pending" || tool.status === "in_progress"))
    return "failed";
  return tool.status;
}

/** requestTitle returns the title of a request's card, with invisible characters shown by name. */
export function requestTitle(request: Permission, folder: string): string {
  // Paths in the title are already escaped. Escaping them again changes nothing.
  return visibleText(titleOf(request, folder, othersOf(request), filesIn(request)));
}

/** pathOf returns the path of a request's file, or of the first file if there are several. */
const pathOf = (request: Permission) => request.path || request.files?.[0]?.path;

/** filesOf returns the paths that a request lists, and the number of its unlisted files. */
function filesOf(request: Permission): { paths: Set<string>; more: number } {
  const listed = request.files?.filter((file) => !file.more) ?? [];
  const more = request.files?.reduce((n, file) => n + (file.more ?? 0), 0) ?? 0;
  return { paths: new Set(listed.map((file) => file.path)), more };
}

/** othersOf returns the number of a request's files that its title doesn't mention. */
function othersOf(request: Permission): number {
  const { paths, more } = filesOf(request);
  paths.delete(pathOf(request) ?? "");
  paths.delete(request.to ?? "");
  return paths.size + more;
}

/** filesIn returns the number of files that a request concerns. */
export function filesIn(request: Permission): number {
  const named = [pathOf(request), request.to].filter(Boolean).length;
  return othersOf(request) + named;
}

function titleOf(request: Permission, folder: string, others: number, all: number): string {
  if (request.question) return request.question.text || request.title;
  const { to } = request;
  const path = pathOf(request);
  if (request.sandbox === "leaves") return messages.sandbox.card.leaves;
  if (request.sandbox === "site") return messages.sandbox.card.blocked(request.command ?? "");
  if (others > 0 && ["edit", "delete", "move"].includes(request.kind)) return messages.card.changeFiles(all);
  const file = (name: string) =>
    others > 0 ? messages.chat.request.more(displayPath(name, folder), others) : displayPath(name, folder);
  switch (request.kind) {
    case "execute":
      return messages.chat.request.run;
    case "edit":
      if (path)
        return request.creates ? messages.card.create(file(path)) : messages.chat.request.edit(file(path));
      break;
    case "delete":
      if (path) return messages.chat.request.delete(file(path));
      break;
    case "read":
    case "search":
      if (path) return messages.chat.request.read(file(path));
      break;
    case "move":
      if (path && to) return messages.chat.request.move(displayPath(path, folder), file(to));
      break;
    case "fetch": {
      const address = /https?:\/\/\S+/.exec(request.title)?.[0];
      if (address && URL.canParse(address)) return messages.chat.request.open(new URL(address).host);
      break;
    }
    default:
      return messages.chat.request.use(request.title);
  }
  return request.title;
}

/** questionLine returns the first line of a question, or a plan's title. */
export const questionLine = (request: Permission) =>
  visibleText((request.question?.text || request.title).trim().split("\n", 1)[0] ?? "");

/** announcementOf returns the announcement of a question or a plan. `text` is the question. */
export const announcementOf = (request: Permission, by: string, text: string) =>
  request.question?.plan
    ? messages.plan.announce(by, stepCount(parsePlan(request.question.plan)))
    : messages.question.announce(by, text);

const baseName = (path: string | undefined) => path?.split(/[\\/]/).pop();

/** requestPhrase returns the requested action as part of a sentence such as "Copilot asks to …". */
export function requestPhrase(request: Permission, folder: string): string {
  if (request.sandbox === "leaves") return messages.sandbox.card.toLeave;
  if (request.sandbox === "site" || request.question) return requestSummary(request);
  return messages.chat.request.inSentence(requestTitle(request, folder));
}

/**
 * requestSummary describes the requested action in a few words, with only the name of a file and only the
 * first line of a command.
 */
export function requestSummary(request: Permission): string {
  const command = request.kind === "execute" ? request.command?.trim().split("\n", 1)[0] : "";
  const t = messages.sandbox.card;
  if (request.question?.plan) return messages.plan.toApprove(questionLine(request));
  if (request.question) return messages.question.toAsk(questionLine(request));
  if (request.sandbox === "site") return t.toConnect(visibleText(request.command ?? ""));
  if (request.sandbox === "leaves") return command ? t.toRunOutside(visibleText(command)) : t.toLeave;
  if (command) return messages.chat.request.toRun(visibleText(command));
  const short = { ...request, path: baseName(pathOf(request)), to: baseName(request.to) };
  return messages.chat.request.inSentence(
    visibleText(titleOf(short, "", othersOf(request), filesIn(request))),
  );
}
