// The last row of a turn: its current activity while it runs, then its summary.

import type { LucideIcon } from "lucide-solid";
import FileDiff from "lucide-solid/icons/file-diff";
import KeyRound from "lucide-solid/icons/key-round";
import ShieldQuestionMark from "lucide-solid/icons/shield-question-mark";
import { createMemo, For, type JSX, Show } from "solid-js";
import { messages } from "../../i18n";
import { createNow } from "../../lib/clock";
import { visibleText } from "../../lib/format";
import { openReview, reviewTurn } from "../../state/reviewScreen";
import { select } from "../../state/select";
import { isStopping } from "../../state/stopping";
import { raw, useStore } from "../../state/store";
import type { Entry } from "../../state/transcript";
import { costOfTurn, type TurnParts, timeOfTurn, tokensOfTurn, totalsOfTurn } from "../../state/turn";
import { hasUndo } from "../../state/turnChanges";
import { isModel } from "../composer/options";
import { Icon } from "../ui/Icon";
import { clock, durationText } from "../ui/time";
import { UndoButton, UndoneRule } from "../undo/UndoButton";
import { Counts } from "./Counts";
import "./turn-foot.css";

const t = messages.lines;

/** If no event arrives for this many milliseconds, the row shows that the turn is waiting for the model. */
const quietMillis = 3000;

/** createFacts tracks the totals of a turn as text. */
function createFacts(chatId: () => string, parts: () => TurnParts) {
  const state = useStore();
  const totals = createMemo(() => {
    void state.pages[chatId()]?.rev;
    return totalsOfTurn(raw(), chatId(), parts());
  });
  const turn = () => state.turns[parts().turnId];
  const time = () => {
    const millis = timeOfTurn(turn());
    return millis >= 1000 ? durationText(millis) : "";
  };
  const tokens = () => tokensOfTurn(state, parts());
  const commands = () => (totals().commands > 0 ? t.receipt.commands(totals().commands) : "");
  /** The turn's recorded changes, including those made by commands. */
  const recorded = () => {
    const undo = state.undos[parts().turnId];
    return undo?.state === "available" && undo.files ? undo : undefined;
  };
  const counts = () => {
    const { added = 0, removed = 0 } = recorded() ?? totals();
    return { added, removed };
  };
  const files = () => {
    const known = recorded()?.files;
    if (known || parts().whole) return t.receipt.files(known ?? totals().files);
    return t.receipt.filesAtLeast(totals().files);
  };
  /** The name of the model that answered, as in the model picker, and the cost. */
  const cost = () => {
    const id = turn()?.usage?.model ?? "";
    const option = select.mainSession(state, chatId())?.options?.find(isModel);
    const name = option?.choices?.find((each) => each.id === id)?.name ?? id;
    const { premium, credits } = costOfTurn(state, parts());
    return [
      visibleText(name),
      premium > 0 ? messages.chat.usage.premium(premium) : "",
      credits > 0 ? messages.chat.usage.credits(credits) : "",
    ].filter((fact) => fact !== "");
  };
  return { totals, counts, time, tokens, commands, files, cost };
}

/**
 * TurnTotals shows the totals of a turn that changed no files. They appear as short text after the time of the turn's
 * last message.
 */
export function TurnTotals(props: { chatId: string; parts: TurnParts }) {
  const state = useStore();
  const facts = createFacts(
    () => props.chatId,
    () => props.parts,
  );
  const usage = () => state.turns[props.parts.turnId]?.usage;
  return (
    <>
      <For each={[facts.commands(), facts.time()].filter((fact) => fact !== "")}>
        {(fact) => <span class="sum">{fact}</span>}
      </For>
      <Show when={facts.tokens() > 0}>
        <span
          class="sum"
          title={usage() && messages.chat.usage.all(usage() as NonNullable<ReturnType<typeof usage>>)}
        >
          {t.receipt.tokens(facts.tokens())}
        </span>
      </Show>
      <For each={facts.cost()}>{(fact) => <span class="sum">{fact}</span>}</For>
    </>
  );
}

export interface TurnFootProps {
  chatId: string;
  entry: Extract<Entry, { kind: "foot" }>;
}

/** TurnFoot renders the turn's current activity while it is running, then its summary. */
export function TurnFoot(props: TurnFootProps) {
  const state = useStore();
  const facts = createFacts(
    () => props.chatId,
    () => props.entry.parts,
  );
  const who = () => select.actor(state, props.chatId, props.entry.turnId);
  const isRunning = () => props.entry.state === "running";
  const ended = () => {
    const now = props.entry.state;
    return now === "running" || now === "done" ? undefined : now;
  };
  const Review = (button: { label: string }) => (
    <button
      type="button"
      class="hb"
      aria-label={button.label}
      onClick={() => (isRunning() ? openReview(props.chatId) : reviewTurn(props.chatId, props.entry.turnId))}
    >
      {t.receipt.review}
    </button>
  );
  const undo = () => state.undos[props.entry.turnId];
  const undone = () => (undo()?.state === "undone" && !isRunning() ? undo() : undefined);
  const Foot = () => (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs in a form.
    <div
      class="turn-foot"
      data-state={isRunning() ? "running" : ended()}
      role="group"
      aria-label={isRunning() ? t.live.label(who()) : t.receipt.label}
    >
      <Show
        when={isRunning()}
        fallback={
          <>
            <Icon of={FileDiff} size="sm" />
            <span class="facts">
              <Show when={ended()}>
                {(now) => (
                  <span>
                    <span class="wd">{t.receipt.ended[now()]}</span>
                  </span>
                )}
              </Show>
              <span>
                {facts.files()}
                <Show when={facts.counts().added + facts.counts().removed > 0}>
                  <span class="pmx">
                    <Counts {...facts.counts()} />
                  </span>
                </Show>
              </span>
              <For each={[facts.commands(), facts.time()].filter((fact) => fact !== "")}>
                {(fact) => <span class="sm">{fact}</span>}
              </For>
              <Show when={facts.tokens() > 0}>
                <span class="sm">{t.receipt.tokens(facts.tokens())}</span>
              </Show>
              <For each={facts.cost()}>{(fact) => <span class="sm">{fact}</span>}</For>
            </span>
            <Review label={t.receipt.reviewTurn} />
            <Show when={(hasUndo(undo()) || undo()?.state === "unavailable") && undo()}>
              {(offered) => <UndoButton undo={offered()} />}
            </Show>
          </>
        }
      >
        <Live
          chatId={props.chatId}
          parts={props.entry.parts}
          files={facts.totals().files > 0 ? facts.files() : ""}
        />
        <Show when={facts.totals().files > 0}>
          <Review label={t.live.review} />
        </Show>
      </Show>
    </div>
  );
  return (
    <Show when={undone()} fallback={<Foot />}>
      {(undo) => <UndoneRule undo={undo()} />}
    </Show>
  );
}

/** The current activity of a turn, or the reason that it is waiting. */
interface Activity {
  label: string;
  facts: string[];
  /** Whether to hide the clock. */
  isStill?: boolean;
  /** Icon shown before the label if the turn is waiting for the user. */
  icon?: LucideIcon;
}

interface LiveProps {
  chatId: string;
  parts: TurnParts;
  /** Number of files changed so far, as text; "" if there are none. */
  files: string;
}

function Live(props: LiveProps): JSX.Element {
  const state = useStore();
  const now = createNow();
  const turn = () => state.turns[props.parts.turnId];
  /** A summary of the turn's open items, with the time of the turn's last event. */
  const activity = createMemo(() => {
    const page = state.pages[props.chatId];
    void page?.rev;
    return currentActivity(props.chatId, props.parts);
  });
  const connection = (): Activity | undefined => {
    // An orchestrator answers whether or not Copilot is running.
    if (turn()?.mainId) return undefined;
    switch (select.connection(state, props.chatId).state) {
      case "checking":
      case "starting":
        return { label: t.live.starting(select.agentOf(state, props.chatId)), facts: [] };
      case "restoring":
        return { label: t.live.restoring, facts: [] };
      case "needs_login":
        return { label: t.live.signIn, facts: [], icon: KeyRound };
      case "needs_trust":
        return { label: t.live.trust, facts: [], icon: ShieldQuestionMark };
      case "waiting":
      case "failed":
        return { label: t.live.waitingFor(select.agentOf(state, props.chatId)), facts: [] };
      default:
        return undefined;
    }
  };
  /** The model's name as shown in the model picker. */
  const modelName = () => {
    const chat = state.chats[props.chatId];
    const main = state.providers[turn()?.mainId ?? ""];
    if (main) return visibleText(main.model || main.name);
    const own = state.providers[chat?.providerId ?? ""];
    if (own) return visibleText(own.model || own.name);
    const option = select.mainSession(state, props.chatId)?.options?.find(isModel);
    return visibleText(option?.choices?.find((each) => each.id === option.value)?.name ?? "");
  };
  const what = createMemo<Activity>(() => {
    if (isStopping(props.parts.turnId)) return { label: t.live.stopping, facts: [], isStill: true };
    const holder = state.sessionUses[props.chatId]?.holder;
    if (holder) return { label: t.live.outside(!!holder.terminal), facts: [] };
    const connected = connection();
    if (connected) return connected;
    const { open, isAnswering, tries, of, reason, sessions, since } = activity();
    if (tries > 0 && !isAnswering) {
      const next = t.live.attempt(tries + 1, of);
      return { label: t.live.again, facts: reason === "" ? [next] : [next, reason], isStill: true };
    }
    if (sessions.length > 0 && !open) {
      const name =
        sessions.length === 1 ? visibleText(sessions[0] as string) : t.live.sessions(sessions.length);
      return { label: t.live.waitingFor(name), facts: [] };
    }
    const isQuiet = !open && sessions.length === 0 && now() - since >= quietMillis;
    const model = isQuiet ? modelName() : "";
    return { label: model === "" ? t.live.working : t.live.waitingFor(model), facts: [] };
  });
  const time = () => now() - (turn()?.startedAt ?? now()) - (turn()?.waited ?? 0);
  return (
    <>
      <Show when={what().icon}>{(icon) => <Icon of={icon()} size="sm" class="c-attn" />}</Show>
      <span class="facts">
        <span>
          <span class="wd">{what().label}</span>
          <Show when={!what().isStill}>
            <span class="num" aria-hidden="true">
              {clock(time())}
            </span>
          </Show>
        </span>
        <For each={what().facts}>{(fact) => <span class="sm">{fact}</span>}</For>
        <Show when={props.files}>{(files) => <span class="sm">{files()}</span>}</Show>
      </span>
    </>
  );
}

/** currentActivity summarizes the open items of a turn, searching from the end of the loaded part. */
function currentActivity(chatId: string, parts: TurnParts) {
  const state = raw();
  const turn = state.turns[parts.turnId];
  const order = state.pages[chatId]?.order ?? [];
  const found = {
    open: false,
    /** Whether text is arriving. A new attempt may continue the text of the one that broke off. */
    isAnswering: false,
    tries: 0,
    of: 0,
    reason: "",
    sessions: [] as string[],
    since: turn?.startedAt ?? 0,
  };
  let goesOn = true;
  for (let i = order.length - 1; i >= 0; i--) {
    const item = state.items[order[i] as string];
    if (!item || item.kind === "banner") continue;
    if (item.turnId !== parts.turnId && item.kind === "note") continue;
    if (item.turnId !== parts.turnId || item.kind === "user") break;
    found.since = Math.max(found.since, item.endedAt ?? 0, item.createdAt);
    if (item.kind === "block" && item.open)
      found.sessions.push(item.block?.sessionName || item.session || "");
    else if (item.open) found.open = true;
    if (item.open && (item.kind === "message" || item.kind === "thought")) found.isAnswering = true;
    if (item.retry && goesOn) {
      found.tries++;
      found.of ||= item.retry.of ?? 0;
      found.reason ||= visibleText(item.retry.reason, "prose");
    } else if (!item.replaced) {
      goesOn = false;
    }
  }
  return found;
}
