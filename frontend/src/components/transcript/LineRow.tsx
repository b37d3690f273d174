// One row of the list between two messages: a line, a fold with its lines, a plan, or a gap that stands
// for calls that aren't loaded.

import ChevronRight from "lucide-solid/icons/chevron-right";
import {
  createContext,
  createEffect,
  createMemo,
  createSignal,
  For,
  Match,
  on,
  Show,
  Switch,
  untrack,
  useContext,
} from "solid-js";
import { messages } from "../../i18n";
import { sameList } from "../../lib/lists";
import { visibleText } from "../../lib/visibleText";
import { containsItem, type LineRow, sameRow } from "../../state/lines";
import { foundMatch, wantedMatch } from "../../state/match";
import { raw, useStore } from "../../state/store";
import { factsOfFold } from "../../state/turn";
import type { Item } from "../../state/types";
import { Plan } from "./BlockBody";
import { CallBody, LineButton, RetryRows } from "./Line";
import { lookOf, lookOfFold, lookOfRetries, lookOfThought } from "./line";
import { Thought } from "./Thoughts";
import { isQuestion } from "./tool";
import { openStateOf, rememberOpen } from "./viewState";
import "./lines.css";
import "./plan.css";

const t = messages.lines;

/** Number of rows shown initially. Each click on the button above them shows this many more. */
export const shownRows = 100;

/** Data shared by all lines in a list. */
export interface ListState {
  chatId: string;
  folder: string;
  /** Reports whether a line is the list's tab stop, of which there is exactly one. */
  isTabStop(name: string): boolean;
  /** Registers a rendered line until the calling component is disposed. */
  register(name: string): void;
  /** Reports whether a call is waiting for the user's decision while the visible card shows another request. */
  isQueuedRequest(id: string): boolean;
  /** Returns the key of the call that ended the turn, if any. */
  endsOn(): string | undefined;
  onToggle(): void;
  loadEvicted(): void;
}

export const ListContext = createContext<ListState>();
const useList = () => useContext(ListContext) as ListState;

/** Row renders one row. If the row changes from a call to a fold, it keeps its element. */
export function Row(props: { find(): LineRow | undefined }) {
  const row = createMemo<LineRow | undefined>((before) => props.find() ?? before, props.find(), {
    equals: sameRow,
  });
  const as = <K extends LineRow["kind"]>(kind: K) => {
    const now = row();
    return now?.kind === kind ? (now as Extract<LineRow, { kind: K }>) : undefined;
  };
  const line = () => as("call") ?? as("fold") ?? as("thought") ?? as("retries");
  return (
    <Switch>
      <Match when={line()}>{(now) => <Line row={now()} />}</Match>
      <Match when={as("plan")}>{(plan) => <PlanRow id={plan().id} />}</Match>
      <Match when={as("gap")}>{(gap) => <GapRow count={gap().count} />}</Match>
    </Switch>
  );
}

function PlanRow(props: { id: string }) {
  const state = useStore();
  return (
    <li class="ln-plan" data-item={props.id}>
      <Show when={state.items[props.id]?.plan}>{(entries) => <Plan entries={entries()} />}</Show>
    </li>
  );
}

function GapRow(props: { count: number }) {
  const list = useList();
  return (
    <li>
      <button type="button" class="link show-all ln-gap" onClick={() => list.loadEvicted()}>
        {t.evictedCalls(props.count)}
      </button>
    </li>
  );
}

/**
 * Prefix of the name of a line inside a fold. It distinguishes the fold's first call from the fold, which
 * has the same ID.
 */
const innerPrefix = "in ";
/** itemOf returns the ID of a line's item, given the line's name. */
export const itemOf = (line: string) =>
  line.startsWith(innerPrefix) ? line.slice(innerPrefix.length) : line;

type LineOf = Exclude<LineRow, { kind: "plan" | "gap" }>;

/** nameOf returns the key under which a row's open state is stored. */
function nameOf(row: LineOf): string {
  switch (row.kind) {
    case "call":
      return `tool:${row.id}`;
    case "thought":
      return `thoughts:${row.key}`;
    default:
      return `${row.kind}:${row.key}`;
  }
}

/**
 * wasRowOpen returns the stored open state of a row, or undefined if there is none. A fold without a
 * stored state is open if one of the rows merged into it was open.
 */
function wasRowOpen(row: LineOf): boolean | undefined {
  const own = openStateOf(nameOf(row));
  if (own !== undefined || row.kind !== "fold") return own;
  return row.ids.some((id) => openStateOf(`tool:${id}`) || openStateOf(`thoughts:${id}`));
}

function Line(props: { row: LineOf; inside?: boolean }) {
  const state = useStore();
  const list = useList();
  const [left, setOpen] = createSignal(wasRowOpen(props.row));
  /** A failed call that ended its turn is expanded initially, and so is an unanswered question. */
  const open = () =>
    left() ??
    ((look()?.status === "failed" && list.endsOn() === props.row.key && props.row.kind === "call") ||
      isUnanswered());
  const put = (to: boolean) => {
    setOpen(to);
    rememberOpen(nameOf(props.row), to);
  };
  // If a line becomes a fold, or the reverse, the stored state of the new row applies.
  createEffect(
    on(
      () => [nameOf(props.row), "ids" in props.row ? props.row.ids.length : 0],
      () => setOpen(wasRowOpen(props.row)),
      { defer: true },
    ),
  );
  const call = () => (props.row.kind === "call" ? state.items[props.row.id] : undefined);
  /** A question that was closed without an answer is expanded, because the user can still answer it in a message. */
  const isUnanswered = () => {
    const item = call();
    return !!item?.tool && isQuestion(item.tool) && !item.open && item.tool.status !== "completed";
  };
  const fold = () => (props.row.kind === "fold" ? props.row : undefined);
  const items = createMemo<Item[]>(() => {
    const { row } = props;
    return row.kind === "thought" || row.kind === "retries"
      ? row.ids.flatMap((id) => state.items[id] ?? [])
      : [];
  });
  const look = createMemo(() => {
    const { row } = props;
    switch (row.kind) {
      case "call": {
        const item = state.items[row.id];
        return item?.tool
          ? lookOf(state, item, item.tool, list.folder, list.isQueuedRequest(row.id))
          : undefined;
      }
      case "fold":
        void state.pages[list.chatId]?.rev;
        return lookOfFold(ChevronRight, factsOfFold(raw(), row));
      case "thought":
        return lookOfThought(items());
      default:
        return lookOfRetries(items());
    }
  });

  // Jumping to a match inside the row expands the row, unless the line itself shows the match.
  createEffect(() => {
    const place = wantedMatch();
    const { row } = props;
    if (!place || !containsItem(row, place.itemId)) return;
    if (row.kind === "call") {
      const found = foundMatch();
      const isInBody = !!found?.location.contentId && found.match === place;
      if (isInBody || (place.find && !untrack(() => says(row.id, place.find as string)))) put(true);
    } else {
      put(true);
    }
  });
  const says = (id: string, find: string) => {
    const { title = "", command = "", path = "" } = state.items[id]?.tool ?? {};
    const low = find.toLowerCase();
    return [title, command, path].some((text) => text.toLowerCase().includes(low));
  };

  const name = () => (props.inside ? `${innerPrefix}${props.row.key}` : props.row.key);
  const reason = () => visibleText(call()?.tool?.decidedBy?.reason ?? "", "prose");
  return (
    <li data-item={props.row.kind === "fold" ? undefined : props.row.key}>
      <Show when={look()}>
        {(now) => {
          list.register(name());
          return (
            <LineButton
              look={now()}
              open={open()}
              line={name()}
              tabbable={list.isTabStop(name())}
              onClick={() => {
                list.onToggle();
                put(!open());
              }}
            />
          );
        }}
      </Show>
      <Show when={open()}>
        <Switch>
          <Match when={fold()}>{(now) => <FoldBody fold={now()} label={look()?.name ?? ""} />}</Match>
          <Match when={props.row.kind === "thought"}>
            <div class="thought-text sel">
              <For each={items()}>{(item) => <Thought item={item} />}</For>
            </div>
          </Match>
          <Match when={props.row.kind === "retries"}>
            <RetryRows items={items()} />
          </Match>
          <Match when={call()}>
            {(item) => (
              <Show when={item().tool}>
                {(tool) => <CallBody item={item()} tool={tool()} folder={list.folder} />}
              </Show>
            )}
          </Match>
        </Switch>
      </Show>
      <Show when={reason() !== ""}>
        <p class="ln-reason sel">{t.reason(reason())}</p>
      </Show>
    </li>
  );
}

/** FoldBody renders the lines of an open fold. */
function FoldBody(props: { fold: Extract<LineRow, { kind: "fold" }>; label: string }) {
  const list = useList();
  const [most, setMost] = createSignal(shownRows);
  const hidden = () => Math.max(0, props.fold.ids.length - most());
  createEffect(() => {
    const at = props.fold.ids.indexOf(wantedMatch()?.itemId ?? "");
    if (at >= 0) setMost((n) => Math.max(n, props.fold.ids.length - at));
  });
  const more = () => {
    list.onToggle();
    if (hidden() === 0) list.loadEvicted();
    setMost((n) => n + shownRows);
  };
  const shown = createMemo(() => props.fold.ids.slice(hidden()), [], { equals: sameList });
  return (
    <ul class="ln-in" aria-label={props.label}>
      <Show when={hidden() > 0 || props.fold.evicted.length > 0}>
        <li>
          <button type="button" class="link show-all ln-gap" onClick={more}>
            {hidden() > 0
              ? t.earlier(Math.min(hidden(), shownRows))
              : t.evictedCalls(props.fold.evicted.length)}
          </button>
        </li>
      </Show>
      <For each={shown()}>{(id) => <Inner id={id} />}</For>
    </ul>
  );
}

/** Inner is a call or short thought in an open fold. */
function Inner(props: { id: string }) {
  const state = useStore();
  const row = createMemo<LineOf>(() =>
    state.items[props.id]?.kind === "thought"
      ? { key: props.id, kind: "thought", ids: [props.id] }
      : { key: props.id, kind: "call", id: props.id },
  );
  return <Line row={row()} inside />;
}
