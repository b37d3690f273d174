// Tells screen readers what happened in the chat on screen: politely how each
// turn and each block has ended, at once what is asked. Streamed text is never
// told, nor what a turn does on its way.

import { createEffect, createSignal, For, on, onCleanup } from "solid-js";
import { words } from "../../i18n";
import { seen } from "../../lib/format";
import type { WorkTotals } from "../../state/callActions";
import { select } from "../../state/select";
import { raw } from "../../state/store";
import { type Entry, rejectedBy, stopOf } from "../../state/transcript";
import { totalsOfTurn } from "../../state/turn";
import type { Turn } from "../../state/types";
import { totalsOfWork } from "../../state/workTotals";
import { kindOf, workedOn } from "./line";
import { askTitle } from "./tool";

/** How long ends are gathered: those that come together are one sentence. */
const gatherMillis = 1000;
/** How many of them that sentence names. */
const mostNamed = 3;

export interface AnnouncerProps {
  chatId: string;
  folder: string;
  /** The end of the chat. */
  entries: Entry[];
}

/** factsOf is what a turn has changed; "" where it changed nothing, or where that is not held whole. */
function factsOf(turn: Turn, entries: Entry[]): string {
  const totals = totalsOf(turn, entries);
  if (!totals || totals.files === 0) return "";
  return words.blocks.spoken(totals.added, totals.removed, totals.files);
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

/** rejectionOf tells of the rejection that a turn ended for; "" where it ended for none. */
function rejectionOf(turn: Turn, who: string, entries: Entry[], folder: string): string {
  const next = entries.findLast((entry) => entry.kind === "next" && entry.turnId === turn.id);
  const item = next?.kind === "next" ? raw().items[next.id] : undefined;
  if (!item?.tool) return "";
  const what = words.lines.what(kindOf(item.tool), workedOn(item.tool, folder));
  const w = words.lines.next;
  return rejectedBy(raw(), item) === "rule" ? w.announceRule(who, what) : w.announce(who, what);
}

function sentenceOf(turn: Turn, entries: Entry[], folder: string): string {
  const w = words.blocks.ended;
  const agent = select.agentOf(raw(), turn.chatId);
  const who = turn.blockId ? w.session(agent, seen(turn.session)) : select.answered(raw(), turn.id);
  const rejection = rejectionOf(turn, who, entries, folder);
  if (rejection !== "") return rejection;
  const why = stopOf(turn.stopReason);
  if (why === "limit") return w.limit(who);
  if (why === "declined") return w.declined(who);
  switch (turn.state) {
    case "stopped":
      return w.stopped(who);
    case "interrupted":
      return w.interrupted(who);
    case "failed":
      return w.failed(who, seen(turn.error?.message ?? "", "prose"));
    default:
      return w.done(who, factsOf(turn, entries));
  }
}

/** rank puts first what matters most: the answer itself, then what went wrong. */
function rank(turn: Turn): number {
  if (!turn.blockId) return 0;
  return turn.state === "done" ? 2 : 1;
}

/** Announcer holds the two live regions. */
export function Announcer(props: AnnouncerProps) {
  // The same words are told again: each time they are new to the page.
  const [told, setTold] = createSignal<{ text: string }[]>([]);
  const [asking, setAsking] = createSignal<string[]>([]);
  const running = new Set<string>();
  let newest: number | undefined;
  let ended: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const tell = () => {
    timer = undefined;
    const turns = ended.flatMap((id) => raw().turns[id] ?? []).sort((a, b) => rank(a) - rank(b));
    ended = [];
    const named = turns.slice(0, mostNamed).map((turn) => sentenceOf(turn, props.entries, props.folder));
    if (named.length > 0) setTold([{ text: words.blocks.ended.all(named, turns.length - named.length) }]);
  };

  /** noteTurns finds what has ended: it ran when it was last seen, or is newer than all that was. */
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
        setAsking(select.openPermissions(raw(), props.chatId).map((ask) => ask.id));
      },
    ),
  );

  const request = (id: string) => {
    const ask = raw().permissions[id];
    if (!ask) return "";
    const what = words.chat.ask.inSentence(askTitle(ask, props.folder));
    const { who, session } = select.askerOf(raw(), ask);
    return words.chat.ask.announce(
      session === "" ? who : words.blocks.ended.session(who, seen(session)),
      what,
    );
  };

  return (
    <>
      <div class="sr" aria-live="polite">
        <For each={told()}>{(sentence) => <p>{sentence.text}</p>}</For>
      </div>
      {/* Each request is told once, when it comes: what goes is not heard. */}
      <div class="sr" aria-live="assertive">
        <For each={asking()}>{(id) => <p>{request(id)}</p>}</For>
      </div>
    </>
  );
}
