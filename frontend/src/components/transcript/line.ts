// The content of a transcript line: icon, verb, target and result.

import type { LucideIcon } from "lucide-solid";
import Ban from "lucide-solid/icons/ban";
import Brain from "lucide-solid/icons/brain";
import CircleDashed from "lucide-solid/icons/circle-dashed";
import FilePlus from "lucide-solid/icons/file-plus";
import FileSymlink from "lucide-solid/icons/file-symlink";
import FileText from "lucide-solid/icons/file-text";
import Globe from "lucide-solid/icons/globe";
import ListChecks from "lucide-solid/icons/list-checks";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import MessageCircleQuestionMark from "lucide-solid/icons/message-circle-question-mark";
import Pencil from "lucide-solid/icons/pencil";
import RefreshCw from "lucide-solid/icons/refresh-cw";
import Search from "lucide-solid/icons/search";
import SquareTerminal from "lucide-solid/icons/square-terminal";
import Trash from "lucide-solid/icons/trash";
import Wrench from "lucide-solid/icons/wrench";
import { messages } from "../../i18n";
import type { LineKind } from "../../i18n/lines";
import { timeOf, visibleText } from "../../lib/format";
import { durationOf } from "../../state/callActions";
import { select } from "../../state/select";
import type { State } from "../../state/state";
import { rejectedBy } from "../../state/transcript";
import type { FoldFacts } from "../../state/turn";
import type { Content, Item, Rule, Scope, Tool } from "../../state/types";
import { contentsOf } from "../../state/workSummary";
import { briefDuration, durationText } from "../ui/time";
import { blockedText, isPath, isQuestion, isWebPage, targetOf } from "./tool";

const t = messages.lines;

export type LineStatus = "in_progress" | "completed" | "failed" | "rejected";

/** The appearance of a line. */
export interface LineLook {
  icon: LucideIcon;
  status: LineStatus;
  spins?: boolean;
  /** Whether the line is a fold, which shows a chevron as its icon. */
  isFold?: boolean;
  verb: string;
  target?: string;
  /**
   * Whether the target is the path of a single file. If the path is too long, its folders are then
   * truncated before the file name.
   */
  isPath?: boolean;
  /** Whether the target is prose, such as a question. */
  isProse?: boolean;
  /** The reason for a failure. */
  bad?: string;
  /** A warning, shown in amber. */
  attn?: string;
  added?: number;
  removed?: number;
  /** Whether the command ran in the sandbox. */
  isSandboxed?: boolean;
  /** Other facts, each at most a few words long. */
  facts: string[];
  /** Start time of a running call, plus the time that the call has spent waiting for the user. */
  since?: number;
  name: string;
}

const icons: Record<LineKind, LucideIcon> = {
  read: FileText,
  edit: Pencil,
  create: FilePlus,
  delete: Trash,
  move: FileSymlink,
  search: Search,
  execute: SquareTerminal,
  think: Brain,
  fetch: Globe,
  ask: MessageCircleQuestionMark,
  plan: ListChecks,
  page: Globe,
  other: Wrench,
};

/**
 * lineKindOf returns the kind of a call. An edit that creates a file has the kind "create", a request to open a web
 * page the kind "page", and a tool of an unknown kind the kind "other".
 */
export function lineKindOf(tool: Tool): LineKind {
  if (isWebPage(tool)) return "page";
  if (tool.kind === "edit" && tool.creates) return "create";
  return tool.kind in icons ? tool.kind : "other";
}

/** displayTarget returns the displayed target of a call, or a fallback if the agent names no target. */
export function displayTarget(tool: Tool, folder: string, contents: readonly Content[] = []): string {
  const target = targetOf(tool, folder);
  if (target === "") return t.noTarget[tool.kind] ?? t.noTarget.other;
  const paths = new Set(contents.filter(({ type }) => type === "diff").map(({ path }) => path ?? tool.path));
  return isPath(tool) && paths.size > 1 ? messages.chat.request.more(target, paths.size - 1) : target;
}

/** nameOf returns the content of a line as a sentence, for the line's accessible name. */
function nameOf(look: Omit<LineLook, "name">): string {
  const sentence = `${look.verb} ${look.target ?? ""}`.trim();
  const change = [look.added ? t.added(look.added) : "", look.removed ? t.removed(look.removed) : ""];
  const place = look.isSandboxed ? messages.sandbox.row.inside : "";
  return t.name(sentence, [place, look.bad ?? "", look.attn ?? "", ...change, ...look.facts]);
}

const named = (look: Omit<LineLook, "name">): LineLook => ({ ...look, name: nameOf(look) });

/**
 * lookOf returns the appearance of a tool call's line. `isAsking` means that the call is waiting for
 * permission.
 */
export function lookOf(state: State, item: Item, tool: Tool, folder: string, isAsking: boolean): LineLook {
  const kind = lineKindOf(tool);
  const contents = contentsOf(state, item.id);
  const base = {
    icon: icons[kind],
    status: "completed" as LineStatus,
    target: displayTarget(tool, folder, contents),
    isPath: isPath(tool),
    isProse: isQuestion(tool),
    isSandboxed: tool.sandboxed,
    facts: [] as string[],
  };
  const turn = state.turns[item.turnId ?? ""];
  if (isAsking) {
    return named({ ...base, icon: CircleDashed, verb: t.wants(kind), facts: [t.waiting] });
  }
  if (tool.decision === "rejected") {
    const by = rejectedBy(state, item);
    const mode = messages.chat.modes[tool.decidedBy?.mode ?? "ask"];
    const verb =
      by === "rule" ? t.ruleRejected(kind) : by === "mode" ? t.modeRejected(mode, kind) : t.youRejected(kind);
    return named({ ...base, icon: Ban, status: "rejected", verb });
  }
  if (tool.decision === "closed") {
    return named({ ...base, icon: CircleDashed, verb: t.wants(kind), facts: [t.unanswered] });
  }
  const isLive = tool.status === "in_progress" || tool.status === "pending";
  if (isLive && (!turn || turn.state === "running")) {
    const since = item.createdAt + (item.waited ?? 0);
    return named({
      ...base,
      icon: LoaderCircle,
      status: "in_progress",
      spins: true,
      verb: t.running(kind),
      since,
    });
  }
  const time = durationOf(item);
  if (isLive || (tool.status === "cancelled" && turn?.state === "interrupted")) {
    return named({ ...base, icon: CircleDashed, verb: t.finished(kind), facts: [t.noResult] });
  }
  if (tool.status === "cancelled") {
    return named({
      ...base,
      verb: t.finished(kind),
      facts: [t.stopped(time >= 1000 ? durationText(time) : "")],
    });
  }
  const took = kind === "execute" || kind === "think" ? briefDuration(time) : "";
  const attn = tool.unasked ? t.withoutPermission(select.actor(state, item.chatId, item.turnId)) : undefined;
  const blocked = blockedText(tool);
  const hasFailed = tool.status === "failed" || !!tool.exitCode || !!tool.signal;
  if (hasFailed) {
    // A command that failed has still run and printed output, so its verb is the same as after success.
    const ran = kind === "execute" || (kind === "read" && !!tool.exitCode);
    const why = blocked
      ? blocked
      : tool.signal
        ? t.signal(tool.signal)
        : tool.exitCode
          ? t.exit(tool.exitCode)
          : visibleText(tool.fact ?? "") || t.failedFact;
    const facts = took === "" ? [] : [took];
    return named({
      ...base,
      status: "failed",
      verb: ran ? t.finished(kind) : t.failed(kind),
      bad: why,
      attn,
      facts,
    });
  }
  const diffs = contents.filter((content) => content.type === "diff");
  const added = diffs.reduce((sum, diff) => sum + (diff.added ?? 0), 0);
  const removed = diffs.reduce((sum, diff) => sum + (diff.removed ?? 0), 0);
  const fact = added + removed > 0 ? "" : took || visibleText(tool.fact ?? "");
  return named({
    ...base,
    verb: t.finished(kind),
    bad: blocked || undefined,
    attn,
    added,
    removed,
    facts: fact === "" ? [] : [fact],
  });
}

/** lookOfFold returns the appearance of a fold. */
export function lookOfFold(icon: LucideIcon, facts: FoldFacts): LineLook {
  const { added, removed, time } = facts;
  const isEdit = facts.edit > 0;
  return named({
    icon,
    isFold: true,
    status: "completed",
    verb: t.fold(facts),
    added: isEdit ? added : 0,
    removed: isEdit ? removed : 0,
    facts: facts.run > 0 && briefDuration(time) !== "" ? [briefDuration(time)] : [],
  });
}

/** lookOfThought returns the appearance of a line for reasoning. */
export function lookOfThought(items: readonly Item[]): LineLook {
  if (items.some((item) => item.open)) {
    const since = items[0]?.createdAt;
    const look = { icon: Brain, status: "in_progress" as const, verb: t.thinking, facts: [], since };
    return { ...look, name: t.thinkingName };
  }
  const time = items.reduce((sum, item) => sum + durationOf(item), 0);
  return named({
    icon: Brain,
    status: "completed",
    verb: t.thought(time >= 1000 ? durationText(time) : ""),
    facts: [],
  });
}

/** lookOfRetries returns the appearance of a line for failed attempts. */
export function lookOfRetries(items: readonly Item[]): LineLook {
  const time = items.reduce((sum, item) => sum + (item.retry?.tookMs ?? 0), 0);
  const facts = time >= 1000 ? [durationText(time)] : [];
  return named({ icon: RefreshCw, status: "completed", verb: t.retried(items.length), facts });
}

/** scopeName returns the scope of a rule, as listed in Settings. */
function scopeName(scope: Scope | undefined): string {
  if (!scope) return "";
  const { kind } = scope as Rule["scope"];
  const p = messages.settings.permissions;
  const command = visibleText(scope.command ?? "");
  if (kind === "turn") return p.turnEdits;
  if (kind === "edits") return command ? p.editsOf(command) : p.edits;
  return kind === "prefix" ? p.beginsWith(command) : command;
}

/**
 * decidedText describes how a call was allowed or rejected. It returns "" if no permission was needed or
 * the request was never answered.
 */
export function decidedText(tool: Tool): string {
  const by = tool.decidedBy;
  const at = by?.at ? timeOf(by.at) : "";
  const d = t.decided;
  const no = tool.decision === "rejected";
  if (!tool.decision || tool.decision === "closed") return "";
  switch (by?.kind) {
    case "rule":
      return no ? d.ruleRejected(scopeName(by.rule)) : d.rule(scopeName(by.rule));
    case "mode": {
      const mode = messages.chat.modes[by.mode ?? "ask"];
      return no ? d.modeRejected(mode) : d.mode(mode);
    }
    default:
      if (no) return d.rejected(at);
      if (tool.decision === "auto_allowed") return d.settings;
      return tool.decision === "always_allowed" ? d.always(at) : d.once(at);
  }
}

/** fileOf returns the file that a line opens in an editor, or "" if there is none. */
export function fileOf(tool: Tool | undefined): string {
  if (!tool?.path || tool.kind === "delete") return "";
  return isPath(tool) || tool.kind === "move" ? tool.to || tool.path : "";
}
