// Announces events of the visible chat to screen readers: the end of each turn and block politely,
// requests assertively. Streamed text and the steps of a turn are not announced.

import { createEffect, createSignal, For, on, onCleanup } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import type { WorkTotals } from "../../state/callActions";
import { select } from "../../state/select";
import { raw } from "../../state/store";
import { type Entry, rejectedBy, stopOf } from "../../state/transcript";
import { totalsOfTurn } from "../../state/turn";
import type { Turn } from "../../state/types";
import { totalsOfWork } from "../../state/workTotals";
import { displayTarget, lineKindOf } from "./line";
import { announcementOf, requestPhrase } from "./tool";

/** Period in milliseconds during which finished turns are collected into one announcement. */
const gatherMillis = 1000;
/** Maximum number of turns named in one announcement. */
const maxNamed = 3;

export interface AnnouncerProps {
  chatId: string;
  folder: string;
  /** Entries at the end of the chat, even if the transcript shows another part. */
  entries: Entry[];
}

/**
 * factsOf summarizes the changes made in a turn, or returns "" if there are none or the turn isn't
 * completely loaded.
 */
function factsOf(turn: Turn, entries: Entry[]): string {
  const totals = totalsOf(turn, entries);
  if (!totals || totals.files === 0) return "";
  return messages.blocks.spoken(totals.added, totals.removed, totals.files);
}

function totalsOf(turn: Turn, entries: Entry[]): WorkTotals | undefined {
  if (turn.blockId) {
    const work = entries.find((entry) => entry.kind === "work" && entry.blockId === turn.blockId);
    return work?.kind === "work" ? totalsOfWork(raw(), work) : undefined;
  }
  const foot = entries.findLast((entry) => entry.kind === "foot" && entry.turnId === turn.id);
  if (foot?.kind !== "foot" || !foot.parts.whole) return undefined;
  return totalsOfTurn(raw(), turn.chatId, foot.parts);
}

/** rejectionOf describes the rejection that ended a turn, or returns "" if none did. */
function rejectionOf(turn: Turn, who: string, entries: Entry[], folder: string): string {
  const next = entries.findLast((entry) => entry.kind === "next" && entry.turnId === turn.id);
  const item = next?.kind === "next" ? raw().items[next.id] : undefined;
  if (!item?.tool) return "";
  const what = messages.lines.action(lineKindOf(item.tool), displayTarget(item.tool, folder));
  const t = messages.lines.next;
  return rejectedBy(raw(), item) === "rule" ? t.announceRule(who, what) : t.announce(who, what);
}

function sentenceOf(turn: Turn, entries: Entry[], folder: string): string {
  const t = messages.blocks.ended;
  const agent = select.agentOf(raw(), turn.chatId);
  const who = turn.blockId ? t.session(agent, visibleText(turn.session)) : select.answeredBy(raw(), turn.id);
  const rejection = rejectionOf(turn, who, entries, folder);
  if (rejection !== "") return rejection;
  const why = stopOf(turn.stopReason);
  if (why === "limit") return t.limit(who);
  if (why === "declined") return t.declined(who);
  switch (turn.state) {
    case "stopped":
      return t.stopped(who);
    case "interrupted":
      return t.interrupted(who);
    case "failed":
      return t.failed(who, visibleText(turn.error?.message ?? "", "prose"));
    default:
      return t.done(who, factsOf(turn, entries));
  }
}

/**
 * rank returns the sort order of a turn by importance: first the main session's answer, then unsuccessful
 * blocks, then the others.
 */
function rank(turn: Turn): number {
  if (!turn.blockId) return 0;
  return turn.state === "done" ? 2 : 1;
}

/** Announcer renders the two live regions, polite and assertive. */
export function Announcer(props: AnnouncerProps) {
  // Each object creates a new DOM node, so that repeated text is announced again.
  const [announcements, setAnnouncements] = createSignal<{ text: string }[]>([]);
  const [asking, setAsking] = createSignal<string[]>([]);
  const running = new Set<string>();
  let newest: number | undefined;
  let ended: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const tell = () => {
    timer = undefined;
    const turns = ended.flatMap((id) => raw().turns[id] ?? []).sort((a, b) => rank(a) - rank(b));
    ended = [];
    const named = turns.slice(0, maxNamed).map((turn) => sentenceOf(turn, props.entries, props.folder));
    if (named.length > 0)
      setAnnouncements([{ text: messages.blocks.ended.all(named, turns.length - named.length) }]);
  };

  /**
   * noteTurns collects the turns that have ended since the last call, including turns that also started after that
   * call.
   */
  const noteTurns = () => {
    let last = newest ?? 0;
    for (const turn of Object.values(raw().turns)) {
      if (turn.chatId !== props.chatId) continue;
      last = Math.max(last, turn.startedAt);
      if (turn.state === "running") {
        running.add(turn.id);
      } else if (running.delete(turn.id) || (newest !== undefined && turn.startedAt > newest)) {
        ended.push(turn.id);
      }
    }
    newest = last;
    if (ended.length > 0) timer ??= setTimeout(tell, gatherMillis);
  };
  onCleanup(() => clearTimeout(timer));

  createEffect(
    on(
      () => props.entries,
      () => {
        noteTurns();
        setAsking(select.openPermissions(raw(), props.chatId).map(({ id }) => id));
      },
    ),
  );

  const requestText = (id: string) => {
    const request = raw().permissions[id];
    if (!request) return "";
    const { who, session } = select.requesterOf(raw(), request);
    const by = session === "" ? who : messages.blocks.ended.session(who, visibleText(session));
    if (request.question) return announcementOf(request, by, visibleText(request.question.text, "prose"));
    return messages.chat.request.announce(by, requestPhrase(request, props.folder));
  };

  return (
    <>
      <div class="sr" aria-live="polite">
        <For each={announcements()}>{(sentence) => <p>{sentence.text}</p>}</For>
      </div>
      {/* Screen readers announce a request when it is added, and nothing when it is removed. */}
      <div class="sr" aria-live="assertive">
        <For each={asking()}>{(id) => <p>{requestText(id)}</p>}</For>
      </div>
    </>
  );
}
